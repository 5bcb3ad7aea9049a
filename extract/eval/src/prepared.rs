//! Labelled texts made ready: read, cut, looked at, with what is true of each sentence.

use crate::data::{GoldDocument, Meeting};
use crate::mark::{self, Span};
use anyhow::Result;
use gleaner_extract::engine::Reading;
use gleaner_extract::feature::place::{self, DocumentStats};
use gleaner_extract::feature::{Line, Names, ROLES, Scene, Sentence};
use gleaner_extract::model::linear::Linear;
use gleaner_extract::reader::{Transcript, read};

/// How large a first-pass model is: how many bits number the rows of its words and the weights of its places.
#[derive(Clone, Copy, Debug)]
pub struct Bits {
    /// Of words.
    pub words: u32,
    /// Of places.
    pub places: u32,
}

impl Bits {
    /// How many weights that are.
    #[must_use]
    pub const fn weights(self) -> usize {
        (ROLES << self.words) + (1 << self.places)
    }
}

/// A text with its sentences and labels.
pub struct PreparedText<'t> {
    /// What was seen.
    pub scene: Scene<'t>,
    /// Statistics of the text as a whole.
    pub stats: DocumentStats,
    /// Whether each sentence is part of a task.
    pub labels: Vec<bool>,
    /// Where each sentence stands in the text; empty for a meeting.
    pub spans: Vec<Vec<Span>>,
    /// The gold tasks' stretches; for a meeting, none.
    pub gold: Vec<Vec<Span>>,
    /// Whether each gold task is arguable.
    pub optional: Vec<bool>,
    /// The hard negatives' stretches.
    pub hard_negatives: Vec<Vec<Span>>,
    /// How much each of its sentences and tasks counts.
    pub weight: f32,
}

impl PreparedText<'_> {
    /// Whether a sentence is a trap and part of no task.
    #[must_use]
    pub fn is_trap(&self, sentence: usize) -> bool {
        let touched =
            |negative: &Vec<Span>| self.spans.get(sentence).is_some_and(|spans| mark::touches(spans, negative));
        !self.labels[sentence] && self.hard_negatives.iter().any(touched)
    }

    /// Whether a sentence is part of arguable tasks alone, so that it is neither right nor wrong.
    #[must_use]
    pub fn is_arguable(&self, sentence: usize) -> bool {
        let touched = |gold: &Vec<Span>| self.spans.get(sentence).is_some_and(|spans| mark::touches(spans, gold));
        !self.labels[sentence] && self.gold.iter().any(touched)
    }

    /// Whether a sentence is the first of several that make up a task, or a later one.
    #[must_use]
    pub fn opens(&self, sentence: usize, first: bool) -> bool {
        self.gold.iter().filter(|spans| spans.len() > 1).any(|spans| {
            let mut spans = spans.clone();
            spans.sort_by_key(|span| span.start);
            let part = if first { &spans[..1] } else { &spans[1..] };
            mark::touches(&self.spans[sentence], part)
        })
    }

    /// How many gold tasks are not arguable.
    #[must_use]
    pub fn wanted(&self) -> usize {
        self.optional.iter().filter(|optional| !**optional).count()
    }

    /// The hashed features of a sentence, as indices of first-pass weights.
    #[must_use]
    pub fn hashed_features(&self, sentence: usize, bits: Bits) -> Vec<u32> {
        let count = self.scene.seen.len();
        let mut found = Vec::new();
        for other in sentence.saturating_sub(2)..(sentence + 3).min(count) {
            if let Some(role) = self.scene.role(sentence, other) {
                let words = self.scene.hashed_features_of(other).iter();
                found.extend(words.map(|&feature| Linear::word_at(feature, role, bits.words)));
            }
        }
        let mut places = Vec::new();
        place::hashed_features(&self.scene, sentence, &self.stats, &mut places);
        found.extend(places.iter().map(|&feature| Linear::place_at(feature, bits.words, bits.places)));
        found
    }
}

/// The transcripts of documents.
#[must_use]
pub fn transcripts(documents: &[GoldDocument]) -> Vec<Transcript<'_>> {
    documents.iter().map(|document| read(&crate::submitted(document))).collect()
}

/// The readings of documents.
///
/// # Errors
/// Where a document's time is malformed.
pub fn readings<'t>(documents: &[GoldDocument], transcripts: &'t [Transcript<'_>]) -> Result<Vec<Reading<'t>>> {
    let pairs = documents.iter().zip(transcripts);
    pairs
        .map(|(document, transcript)| Ok(Reading::of(transcript, &document.source_type, &crate::context(document)?)))
        .collect()
}

/// Documents made ready.
#[must_use]
pub fn documents<'t>(
    documents: &[GoldDocument],
    transcripts: &[Transcript<'_>],
    readings: &'t [Reading<'t>],
) -> Vec<PreparedText<'t>> {
    let all = documents.iter().zip(transcripts).zip(readings);
    all.map(|((document, transcript), reading)| {
        let gold: Vec<Vec<Span>> =
            document.tasks.iter().map(|task| mark::evidence(&document.transcript, task)).collect();
        let optional: Vec<bool> = document.tasks.iter().map(|task| task.optional).collect();
        let count = reading.script.sentences.len();
        let spans: Vec<Vec<Span>> = (0..count).map(|index| reading.script.lines(transcript, index)).collect();
        PreparedText {
            scene: Scene::look(&reading.script.sentences, &reading.names),
            stats: reading.stats.clone(),
            labels: spans
                .iter()
                .map(|spans| gold.iter().zip(&optional).any(|(task, optional)| !optional && mark::touches(spans, task)))
                .collect(),
            spans,
            gold,
            optional,
            hard_negatives: mark::hard_negatives(document),
            weight: document.weight(),
        }
    })
    .collect()
}

/// The sentences of meetings: one an utterance.
#[must_use]
pub fn utterances(meetings: &[Meeting]) -> Vec<Vec<Sentence<'_>>> {
    meetings.iter().map(sentences_of).collect()
}

/// The speakers of a meeting in the order in which they speak first, as its transcript calls them.
fn speakers(meeting: &Meeting) -> Vec<&str> {
    let mut labels: Vec<&str> = Vec::new();
    let mut names = Vec::new();
    for said in &meeting.utterances {
        if !labels.contains(&said.speaker.as_str()) {
            labels.push(&said.speaker);
            names.push(crate::corpora::name(meeting, said));
        }
    }
    names
}

fn sentences_of(meeting: &Meeting) -> Vec<Sentence<'_>> {
    let mut speakers: Vec<&str> = Vec::new();
    let mut sentences = Vec::new();
    for (at, said) in meeting.utterances.iter().enumerate() {
        let known = speakers.iter().position(|name| *name == said.speaker);
        let speaker = known.unwrap_or(speakers.len());
        if known.is_none() {
            speakers.push(&said.speaker);
        }
        let line = Line::Speech;
        sentences.push(Sentence { text: &said.text, utterance: at as u32, speaker: Some(speaker as u32), line });
    }
    sentences
}

/// Meetings made ready; `label` says which utterances count.
#[must_use]
pub fn meetings<'t>(
    meetings: &[Meeting],
    cut: &'t [Vec<Sentence<'t>>],
    label: impl Fn(&crate::data::GoldUtterance) -> bool,
) -> Vec<PreparedText<'t>> {
    let all = meetings.iter().zip(cut);
    all.map(|(meeting, sentences)| PreparedText {
        scene: Scene::look(sentences, &Names::default()),
        stats: DocumentStats::of("meeting", sentences, None).led_by(&speakers(meeting)),
        labels: meeting.utterances.iter().map(&label).collect(),
        spans: Vec::new(),
        gold: Vec::new(),
        optional: Vec::new(),
        hard_negatives: Vec::new(),
        weight: 1.0,
    })
    .collect()
}
