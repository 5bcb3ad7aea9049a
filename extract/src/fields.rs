//! What a task says besides being one: its evidence, status and urgency.

use crate::cue::{Cue, Cues};
use crate::feature::{Line, Scene};
use crate::judge::Gathered;
use crate::reader::Transcript;
use crate::script::Script;
use gleaner_model::{TaskStatus, Urgency};
use std::ops::Range;

/// Most stretches of evidence.
const STRETCHES: usize = 3;
/// Longest stretch of evidence, in bytes: no more characters than that.
const LONGEST: usize = 400;

/// The sentences that a task rests on, most telling first.
#[must_use]
pub fn telling(task: &Gathered) -> Vec<usize> {
    let mut members: Vec<_> = task.members.iter().collect();
    members.sort_by(|one, other| other.logit.total_cmp(&one.logit).then(one.sentence.cmp(&other.sentence)));
    members.iter().map(|member| member.sentence).collect()
}

/// The stretches of the text that prove a task, in order: with the number of the sentence of each, and its bytes.
#[must_use]
pub fn evidence(script: &Script<'_>, transcript: &Transcript<'_>, task: &Gathered) -> Vec<(usize, Range<usize>)> {
    let mut found: Vec<(usize, Range<usize>)> = Vec::new();
    for sentence in telling(task) {
        let mut lines = script.lines(transcript, sentence);
        if !found.is_empty() && found.len() + lines.len() > STRETCHES {
            continue;
        }
        lines.sort_by_key(|line| std::cmp::Reverse(line.len()));
        lines.truncate(STRETCHES);
        found.extend(lines.into_iter().map(|line| (sentence, line)));
    }
    found.sort_by_key(|(_, line)| line.start);
    found.dedup();
    found
}

/// Shortens a stretch to what evidence may have, on a character boundary.
#[must_use]
pub fn shorten(text: &str, mut stretch: Range<usize>) -> Range<usize> {
    if stretch.len() > LONGEST {
        stretch.end = stretch.start + LONGEST;
        while !text.is_char_boundary(stretch.end) {
            stretch.end -= 1;
        }
    }
    stretch
}

/// The cues of all sentences of a task together.
#[must_use]
pub fn cues(scene: &Scene<'_>, task: &Gathered) -> Cues {
    task.members.iter().fold(0, |cues, member| cues | scene.seen[member.sentence].cues)
}

/// Completed where the box is ticked.
#[must_use]
pub fn status(scene: &Scene<'_>, task: &Gathered) -> TaskStatus {
    let ticked = task.members.iter().any(|member| scene.sentences[member.sentence].line == Line::Ticked);
    if ticked { TaskStatus::Completed } else { TaskStatus::Open }
}

/// Whether a sentence reports something done: it says so, of something, and asks nothing.
#[must_use]
pub fn reports_done(scene: &Scene<'_>, sentence: usize) -> bool {
    let seen = &scene.seen[sentence];
    let said = Cue::Done.of(seen.cues) && !seen.question && seen.words > 2;
    let doubted = Cue::Hypothetical.bit() | Cue::Promise.bit() | Cue::Need.bit() | Cue::General.bit() | Cue::Wh.bit();
    let framed = matches!(scene.sentences[sentence].line, Line::Frame | Line::Boilerplate | Line::Quoted);
    said && seen.cues & doubted == 0 && !framed
}

/// What the words say of haste.
#[must_use]
pub fn urgency(cues: Cues) -> Urgency {
    match (Cue::Urgent.of(cues), Cue::Relaxed.of(cues)) {
        (true, false) => Urgency::High,
        (false, true) => Urgency::Low,
        _ => Urgency::Normal,
    }
}

/// Who is to do it: who promises it, or who answers the one who asks.
#[must_use]
pub fn owner(scene: &Scene<'_>, script: &Script<'_>, task: &Gathered) -> Option<String> {
    let speaker =
        |sentence: usize| scene.sentences[sentence].speaker.map(|number| script.speakers[number as usize].to_owned());
    let members: Vec<usize> = task.members.iter().map(|member| member.sentence).collect();
    let promise = members.iter().rev().find(|&&m| {
        (Cue::Promise.of(scene.seen[m].cues) || Cue::Take.of(scene.seen[m].head)) && !scene.seen[m].question
    });
    if let Some(&m) = promise {
        return speaker(m);
    }
    let asked = members.iter().find(|&&m| scene.seen[m].question || Cue::Request.of(scene.seen[m].cues));
    if let Some(&m) = asked {
        let next = (m + 1..scene.seen.len()).find(|&n| scene.sentences[n].speaker != scene.sentences[m].speaker)?;
        return speaker(next);
    }
    None
}

/// The first words of the most telling sentence.
#[must_use]
pub fn title(scene: &Scene<'_>, task: &Gathered) -> String {
    let text = telling(task).first().map_or("", |&m| scene.sentences[m].text);
    text.split_whitespace().take(12).collect::<Vec<_>>().join(" ")
}

/// The last day that its sentences name.
#[must_use]
pub fn due(scene: &Scene<'_>, task: &Gathered, context: &crate::Context) -> Option<gleaner_model::Due> {
    let said = context.zone.local(context.occurred_at);
    for member in task.members.iter().rev() {
        let text = scene.sentences[member.sentence].text;
        if let Some(found) = crate::due::first(text, said, context.language.as_deref()) {
            return Some(gleaner_model::Due { date: found.last, text: Some(text[found.start..found.end].to_owned()) });
        }
    }
    None
}
