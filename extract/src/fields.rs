//! What a task says besides being one: its evidence, status and urgency.

use crate::cue::{Cue, Cues};

use crate::feature::{Line, Scene};
use crate::judge::Gathered;
use crate::owner::{self, Cast, Guess, Spot};
use crate::reader::Transcript;
use crate::script::Script;
use crate::{Context, title};
use gleaner_model::{Due, TaskStatus, Urgency};
use std::ops::Range;

/// Most stretches of evidence.
const STRETCHES: usize = 3;
/// Longest stretch of evidence, in bytes: no more characters than that.
const LONGEST: usize = 400;

/// How many sentences owner, date and title are read off.
const SPEAKING: usize = 4;
/// How many sentences before each help to name what a pronoun means.
const BEFORE: usize = 3;

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

/// The sentences that fields are read off, in order: the most telling ones.
#[must_use]
pub fn speaking(task: &Gathered) -> Vec<usize> {
    let mut sentences = telling(task);
    sentences.truncate(SPEAKING);
    sentences.sort_unstable();
    sentences
}

/// Who is to do it.
#[must_use]
pub fn owner(script: &Script<'_>, cast: &Cast<'_>, sentences: &[usize]) -> Option<Guess> {
    let spot = |&sentence: &usize| Spot {
        utterance: script.sentences[sentence].utterance as usize,
        range: script.ranges[sentence].clone(),
    };
    owner::assign(cast, &sentences.iter().map(spot).collect::<Vec<_>>())
}

/// By when: the deadline among the dates that its sentences name.
#[must_use]
pub fn due(script: &Script<'_>, sentences: &[usize], context: &Context, language: &str) -> Option<Due> {
    let said = context.zone.local(context.occurred_at);
    let words: Vec<&str> = sentences.iter().map(|&sentence| script.sentences[sentence].text).collect();
    let words = words.join("\n\n");
    let found = crate::due::deadline(&words, said, Some(language))?;
    Some(Due { date: found.last, text: words.get(found.start..found.end).map(str::to_owned) })
}

/// A short imperative phrase.
#[must_use]
pub fn title(script: &Script<'_>, sentences: &[usize], owner: Option<&str>, names: &[&str], language: &str) -> String {
    let mut numbers: Vec<usize> = Vec::new();
    for &sentence in sentences {
        numbers.extend(sentence.saturating_sub(BEFORE)..=sentence);
    }
    numbers.sort_unstable();
    numbers.dedup();
    let line = |&number: &usize| title::Line {
        text: script.sentences[number].text,
        speaker: script.sentences[number].speaker.map(|speaker| script.speakers[speaker as usize]),
        evidence: sentences.contains(&number),
    };
    let lines: Vec<_> = numbers.iter().map(line).collect();
    let title = title::compose(&title::TitleInput { lines: &lines, owner, names, language });
    if title.is_empty() {
        lines.iter().rfind(|line| line.evidence).map_or("", |line| line.text).to_owned()
    } else {
        title
    }
}
