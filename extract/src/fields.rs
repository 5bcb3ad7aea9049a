//! What a task says besides being one: its evidence, owner, day, title, status and urgency.

pub mod due;
pub mod owned;
mod sentence_assignment;
pub mod status;

use crate::cue::{Cue, Cues};
use crate::explicit;
use crate::feature::{Line, Scene, Sentence};
use crate::judge::TaskCluster;
use crate::link::pair::CandidateSentence;
use crate::owner::{self, Claimant, OwnerName, Participants, Stretch};
use crate::people::Roster;
use crate::reader::Transcript;
use crate::score::FirstPass;
use crate::script::Script;
use crate::title::{self, Strength, TitleLine};
use crate::word_list::WordList;
use gleaner_model::Urgency;
pub use sentence_assignment::SentenceAssignment;
use std::ops::Range;

/// Most stretches of evidence.
const STRETCHES: usize = 3;
/// Longest stretch of evidence, in bytes: no more characters than that.
const LONGEST: usize = 400;

/// How many sentences owner, date and title are read off.
const SPEAKING: usize = 3;
/// Least logit of a sentence besides the best that fields are read off.
const WEAK: f32 = -1.3;
/// What is added to the logits of openings and continuations, which are rarer than parts of a task.
const LEAN: f32 = 0.7;
/// Words that a line with a label must have more of to say what is to be done.
const LABELLED: usize = 4;
/// How many sentences before and after each of a task's help to name what it is about.
const BEFORE: usize = 8;
const AFTER: usize = 3;

/// The sentences that a task rests on, most telling first.
#[must_use]
pub fn telling(task: &TaskCluster) -> Vec<usize> {
    let mut members: Vec<_> = task.members.iter().collect();
    members.sort_by(|one, other| {
        let explicit = other.explicit.cmp(&one.explicit);
        explicit.then(other.logit.total_cmp(&one.logit)).then(one.sentence.cmp(&other.sentence))
    });
    members.iter().map(|member| member.sentence).collect()
}

/// The stretches of the text that prove a task, in order: with the number of the sentence of each, and its bytes.
#[must_use]
pub fn evidence(script: &Script<'_>, transcript: &Transcript<'_>, task: &TaskCluster) -> Vec<(usize, Range<usize>)> {
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
    joined(transcript.source, found)
}

/// The clauses of one sentence as one stretch: a quote reads as it was said.
fn joined(text: &str, stretches: Vec<(usize, Range<usize>)>) -> Vec<(usize, Range<usize>)> {
    let mut joined: Vec<(usize, Range<usize>)> = Vec::with_capacity(stretches.len());
    for (sentence, line) in stretches {
        match joined.last_mut() {
            Some((_, before)) if goes_on(text, before, &line) => before.end = line.end,
            _ => joined.push((sentence, line)),
        }
    }
    joined
}

/// Whether a stretch is the rest of the sentence that the one before it began, on the same line.
fn goes_on(text: &str, before: &Range<usize>, after: &Range<usize>) -> bool {
    let between = text.get(before.end..after.start);
    let open =
        text.get(before.clone()).is_some_and(|said| !said.ends_with(['.', '?', '!', '"', '”', '。', '？', '！']));
    open && between.is_some_and(|gap| gap.chars().all(|one| one == ' ')) && after.end - before.start <= LONGEST
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
pub fn cues(scene: &Scene<'_>, task: &TaskCluster) -> Cues {
    task.members.iter().fold(0, |cues, member| cues | scene.seen[member.sentence].cues)
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

/// The sentences that fields are read off, in order: the most telling ones. Weak ones, which may have come in because
/// they stand near, are left out.
#[must_use]
pub fn speaking(task: &TaskCluster) -> Vec<usize> {
    let best = task.members.iter().map(|member| member.logit).fold(f32::MIN, f32::max);
    let counts = |member: &&CandidateSentence| {
        let strongest = member.logit.max(member.continuation + LEAN).max(member.opening + LEAN);
        member.explicit || member.logit >= best || strongest > WEAK
    };
    let kept: Vec<usize> = task.members.iter().filter(counts).map(|member| member.sentence).collect();
    let mut sentences = telling(task);
    sentences.retain(|sentence| kept.contains(sentence));
    sentences.truncate(SPEAKING);
    sentences.sort_unstable();
    sentences
}

/// Who may be to do it, nobody last.
#[must_use]
pub fn claimants(
    script: &Script<'_>,
    participants: &Participants<'_>,
    task: &TaskCluster,
    sentences: &[usize],
    around: &owned::Around,
) -> Vec<Claimant> {
    let speaking = task.members.iter().filter(|member| sentences.contains(&member.sentence));
    let speaking: Vec<_> = speaking.map(|member| (stretch(script, member), strength(member))).collect();
    owner::claimants(participants, &speaking, &around.places())
}

/// Where a sentence stands.
fn stretch(script: &Script<'_>, member: &CandidateSentence) -> Stretch {
    Stretch {
        utterance: script.sentences[member.sentence].utterance as usize,
        range: script.ranges[member.sentence].clone(),
    }
}

/// Whom a line with a label names as its owner, as full as the roster knows the name.
#[must_use]
pub fn labelled(script: &Script<'_>, participants: &Participants<'_>, sentences: &[usize]) -> Option<OwnerName> {
    let name = sentences.iter().find_map(|&sentence| explicit::named(script.sentences[sentence].text))?;
    let person = participants.roster.resolve(name).map(|id| participants.roster.person(id));
    let full = person.map_or(name, |person| &person.name).to_owned();
    Some(OwnerName { name: full, is_me: person.is_some_and(|person| person.is_me) })
}

/// Who is to do it: of those who may, and nobody, the likeliest by a model.
#[must_use]
pub fn owner(
    known: &FirstPass<'_>,
    script: &Script<'_>,
    participants: &Participants<'_>,
    task: &TaskCluster,
    sentences: &[usize],
    model: &owned::OwnerModel,
) -> Option<OwnerName> {
    let assigned = |&sentence: &usize| owner::assigned(participants, script.sentences[sentence].utterance as usize);
    if let Some(owner) = sentences.iter().find_map(assigned) {
        return owner;
    }
    if let Some(named) = labelled(script, participants, sentences) {
        return Some(named);
    }
    let around = owned::Around::of(script, participants, task, sentences);
    let claimants = claimants(script, participants, task, sentences, &around);
    let logit = |claimant: &Claimant| model.words.logit(&around.hashed_features(known, participants, claimant));
    let logits: Vec<f32> = claimants.iter().map(logit).collect();
    let mut features = Vec::with_capacity(claimants.len() * owned::FEATURE_COUNT);
    owned::features(known, script, task, sentences, &claimants, &logits, &mut features);
    let weighed = claimants.into_iter().zip(features.chunks(owned::FEATURE_COUNT).map(|row| model.trees.logit(row)));
    // A line that calls itself a task says whose it is, or it is not that of the one whom it only speaks of.
    let declared: Vec<Stretch> =
        task.members.iter().filter(|member| member.explicit).map(|member| stretch(script, member)).collect();
    let weighed = weighed.filter(|(claimant, _)| !claimant.is_object(participants, &declared));
    weighed.reduce(|best, next| if next.1 > best.1 { next } else { best }).and_then(|best| best.0.owner)
}

/// The sentences of a text as titles are made of them; `document_title` is its own, `language` is BCP 47.
#[must_use]
pub fn title_context<'s>(
    script: &'s Script<'_>,
    roster: &Roster,
    document_title: &'s str,
    language: &'s str,
) -> title::TitleContext<'s> {
    let said = |sentence: &Sentence<'s>| {
        let speaker = sentence.speaker.map(|speaker| script.speakers[speaker as usize]);
        title::Said { text: sentence.text, speaker }
    };
    let people = roster.ids().map(|id| roster.person(id).name.as_str());
    let names: Vec<&str> = script.speakers.iter().copied().chain(people).collect();
    title::TitleContext::new(script.sentences.iter().map(said).collect(), &names, document_title, language)
}

/// The sentence that declares a task by its form and needs no other to be understood.
#[must_use]
pub fn complete<'t>(script: &Script<'_>, task: &'t TaskCluster) -> Option<&'t CandidateSentence> {
    static POINTERS: WordList = WordList::of("it it's this that them these those him her one ones same");
    let declares = task.members.iter().find(|member| member.explicit)?;
    // An entry of a list says what is to be done in fewer words than a line with a label.
    let is_box = matches!(script.sentences[declares.sentence].line, Line::Open | Line::Ticked);
    let least = if is_box { 1 } else { LABELLED };
    let word = |word: &str| word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
    let mut words =
        script.sentences[declares.sentence].text.split_whitespace().map(word).filter(|word| !word.is_empty());
    (words.clone().count() > least && !words.any(|word| POINTERS.has(&word))).then_some(declares)
}

/// A short imperative phrase for a task; empty where nothing of its sentences can be seen.
#[must_use]
pub fn title(
    context: &mut title::TitleContext<'_>,
    script: &Script<'_>,
    asked: &title::TitleRequest<'_>,
    model: &title::TitleModel,
) -> title::Title {
    let title = title::title(context, asked, model);
    if title.text.is_empty() {
        let last = asked.lines.iter().rfind(|line| line.1.is_some()).map_or("", |line| script.sentences[line.0].text);
        title::Title { text: title::visible(last).trim().to_owned(), lines: Vec::new() }
    } else {
        title
    }
}

/// The lines that the title of a task draws on: those of `sentences`, which it rests on, and some around each, in order. What
/// is said of another task afterwards is none of this one's.
#[must_use]
pub fn title_lines(
    task: &TaskCluster,
    sentences: &[usize],
    assignment: &SentenceAssignment,
    number: usize,
) -> Vec<TitleLine> {
    let all = assignment.sentences();
    let around = |&sentence: &usize| sentence.saturating_sub(BEFORE)..(sentence + AFTER + 1).min(all);
    let mut lines: Vec<usize> = sentences.iter().flat_map(around).collect();
    lines.sort_unstable();
    lines.dedup();
    let last = sentences.last().copied().unwrap_or_default();
    lines.retain(|sentence| *sentence <= last || !assignment.is_of_another(*sentence, number));
    let own =
        |sentence: usize| task.members.iter().find(|one| one.sentence == sentence && sentences.contains(&sentence));
    lines.into_iter().map(|sentence| (sentence, own(sentence).map(strength))).collect()
}

/// How strongly a sentence speaks for its task.
#[must_use]
pub fn strength(member: &CandidateSentence) -> Strength {
    Strength { part: member.logit, opening: member.opening, continuation: member.continuation }
}
