//! Scores the engine against corpora of meetings and minutes: what it finds in each, beside what was annotated.

use crate::data::{GoldUtterance, Mail, Meeting};
use crate::mark::Span;
use crate::words::words;
use anyhow::Result;
use gleaner_extract::weights::Weights;
use gleaner_extract::{Context, Document, Found};
use gleaner_model::Subject;

/// How many utterances before the place where minutes record an action count as its evidence.
pub(crate) const WINDOW: i64 = 3;

/// A meeting as one text, and where each utterance's line begins, in bytes.
pub(crate) fn transcript(meeting: &Meeting) -> (String, Vec<usize>) {
    let (mut text, mut starts) = (String::new(), Vec::new());
    for said in &meeting.utterances {
        starts.push(text.len());
        let words: Vec<&str> = said.text.split_whitespace().collect();
        text.push_str(&format!("{}: {}\n", name(meeting, said), words.join(" ")));
    }
    text.truncate(text.trim_end().len());
    (text, starts)
}

/// How a speaker is called: by role where the corpus has roles.
#[must_use]
pub fn name<'m>(meeting: &'m Meeting, said: &'m GoldUtterance) -> &'m str {
    match meeting.speakers.get(&said.speaker).map(|speaker| speaker.role.as_str()) {
        Some("PM") => "Project Manager",
        Some("ID") => "Industrial Designer",
        Some("UI") => "User Interface Designer",
        Some("ME") => "Marketing Expert",
        _ => &said.speaker,
    }
}

/// The tasks found in a meeting, each with the numbers of the utterances that it rests on.
///
/// # Errors
/// Where its date is malformed.
pub fn found(meeting: &Meeting, weights: &Weights) -> Result<Vec<(Found, Vec<usize>)>> {
    let (text, starts) = transcript(meeting);
    let tasks = extract("meeting", &text, meeting.date.as_deref().unwrap_or("2005-01-10"), weights)?;
    let numbers = |task: &Found| {
        let spans: Vec<Span> =
            task.evidence.iter().map(|quote| bytes(&text, quote.start)..bytes(&text, quote.end)).collect();
        let mut numbers: Vec<usize> = spans.iter().flat_map(|span| lines(&starts, span)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    };
    Ok(tasks.into_iter().map(|task| (numbers(&task), task)).map(|(numbers, task)| (task, numbers)).collect())
}

/// The context of a text of a day.
pub(crate) fn context(day: &str) -> Result<Context> {
    Ok(Context::new(Subject::default(), format!("{day}T10:00:00Z").parse()?))
}

/// The tasks of a text of a day.
fn extract(source_type: &str, text: &str, day: &str, weights: &Weights) -> Result<Vec<Found>> {
    let context = context(day)?;
    let document = Document { source_type, title: None, text };
    let read = gleaner_extract::reader::read(&document);
    Ok(gleaner_extract::engine::extract(
        &document,
        &read,
        &context,
        weights,
        &gleaner_model::learning::Learnt::default(),
    )
    .tasks)
}

/// Sentences of mails in which a task is found beside those that would make one.
///
/// # Errors
/// Never for a day that is one.
pub fn mails(mails: &[Mail], weights: &Weights) -> Result<(f64, f64, f64)> {
    let (mut right, mut predicted, mut gold) = (0, 0, 0);
    for mail in mails {
        let found = !extract("email", &mail.text, "2001-05-14", weights)?.is_empty();
        predicted += usize::from(found);
        gold += usize::from(mail.intent > 0);
        right += usize::from(found && mail.intent > 0);
    }
    Ok(f1(right, predicted, gold))
}

fn bytes(text: &str, scalar: usize) -> usize {
    text.char_indices().nth(scalar).map_or(text.len(), |(byte, _)| byte)
}

/// The numbers of the lines that a stretch lies on.
pub(crate) fn lines(starts: &[usize], span: &Span) -> std::ops::Range<usize> {
    let first = starts.partition_point(|start| *start <= span.start).saturating_sub(1);
    first..starts.partition_point(|start| *start < span.end)
}

/// Precision, recall and F1 of counts.
#[must_use]
pub fn f1(right: usize, predicted: usize, gold: usize) -> (f64, f64, f64) {
    let share = |of: usize| right as f64 / of.max(1) as f64;
    (share(predicted), share(gold), 2.0 * right as f64 / (predicted + gold).max(1) as f64)
}

/// Utterances in the evidence of a task beside those that are annotated as part of an action item.
///
/// # Errors
/// Where a meeting's date is malformed.
pub fn utterances(meetings: &[Meeting], weights: &Weights) -> Result<(f64, f64, f64)> {
    let (mut right, mut predicted, mut gold) = (0, 0, 0);
    for meeting in meetings {
        let mut touched: Vec<usize> = found(meeting, weights)?.into_iter().flat_map(|(_, numbers)| numbers).collect();
        touched.sort_unstable();
        touched.dedup();
        predicted += touched.len();
        gold += meeting.utterances.iter().filter(|said| said.action > 0).count();
        right += touched.iter().filter(|&&at| meeting.utterances[at].action > 0).count();
    }
    Ok(f1(right, predicted, gold))
}

/// Of minutes whose action lines were left in: the share found, and of those the share with the right owner.
///
/// # Errors
/// Where a meeting's date is malformed.
pub fn marked(meetings: &[Meeting], weights: &Weights) -> Result<(f64, f64)> {
    let (mut hits, mut all, mut owned, mut owners) = (0, 0, 0, 0);
    for meeting in meetings {
        let tasks = found(meeting, weights)?;
        for action in meeting.action_summaries.iter().filter(|action| !action.evidence.is_empty()) {
            all += 1;
            let hit = tasks.iter().find(|(_, numbers)| action.evidence.iter().any(|at| numbers.contains(at)));
            hits += usize::from(hit.is_some());
            if let Some((task, _)) = hit.filter(|_| !action.owner.is_empty()) {
                owners += 1;
                owned += usize::from(task.owner.as_deref().is_some_and(|owner| is_one_of(owner, &action.owner)));
            }
        }
    }
    Ok((f64::from(hits as u32) / f64::from(all.max(1)), f64::from(owned as u32) / f64::from(owners.max(1))))
}

/// Of minutes whose action lines were taken out: tasks that rest on what was said just before one, one to one.
///
/// # Errors
/// Where a meeting's date is malformed.
pub fn unmarked(meetings: &[Meeting], weights: &Weights) -> Result<(f64, f64, f64)> {
    let (mut right, mut predicted, mut gold) = (0, 0, 0);
    for meeting in meetings.iter().filter(|meeting| !meeting.actions.is_empty()) {
        let tasks = found(meeting, weights)?;
        let near = |anchor: i64, numbers: &[usize]| {
            numbers.iter().any(|&at| at as i64 + WINDOW > anchor && at as i64 <= anchor + 1)
        };
        let reach: Vec<Vec<usize>> = tasks
            .iter()
            .map(|(_, numbers)| {
                (0..meeting.actions.len()).filter(|&at| near(meeting.actions[at].anchor, numbers)).collect()
            })
            .collect();
        predicted += tasks.len();
        gold += meeting.actions.len();
        right += most_pairs(&reach, meeting.actions.len());
    }
    Ok(f1(right, predicted, gold))
}

/// How many of these can be given one each of what they reach.
pub(crate) fn most_pairs(reach: &[Vec<usize>], count: usize) -> usize {
    fn place(from: usize, reach: &[Vec<usize>], taken: &mut [Option<usize>], seen: &mut [bool]) -> bool {
        for &to in &reach[from] {
            if !std::mem::replace(&mut seen[to], true) && taken[to].is_none_or(|other| place(other, reach, taken, seen))
            {
                taken[to] = Some(from);
                return true;
            }
        }
        false
    }
    let mut taken = vec![None; count];
    (0..reach.len()).filter(|&from| place(from, reach, &mut taken, &mut vec![false; count])).count()
}

/// Whether a name is one of these: the same, the same first name, or one's initials.
fn is_one_of(owner: &str, names: &[String]) -> bool {
    let owner = words(owner);
    let initials = |name: &[String]| name.iter().filter_map(|word| word.chars().next()).collect::<String>();
    names.iter().map(|name| words(name)).any(|name| {
        let short = |one: &[String], other: &[String]| one.len() == 1 && one[0].len() <= 3 && initials(other) == one[0];
        !owner.is_empty() && !name.is_empty() && (owner[0] == name[0] || short(&owner, &name) || short(&name, &owner))
    })
}
