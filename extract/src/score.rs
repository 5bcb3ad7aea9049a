//! The second pass: a sentence in the light of what the first pass thinks of it and of its neighbours.
//!
//! The first pass is six models, trained apart on documents, natural meetings, speech acts, mail, openings of a task and
//! later sentences of one, and of English texts an encoder. Their scores here and nearby, who speaks, the
//! cues and the place are the dense features that boosted trees judge by.

use crate::cue::Cue;
use crate::encoder;
use crate::explicit;
use crate::feature::place::DocumentStats;
use crate::feature::token::hash_word;
use crate::feature::{NAMES_FIRST, NAMES_LAST, NAMES_MENTION, NAMES_OTHER, NAMES_SELF, Scene, SentenceObservations};
use crate::model::math::{exp, ln, sigmoid};

/// How many linear models the first pass has: see [`crate::weights::FIRST`].
pub const LINEAR: usize = 6;
/// How many views of a sentence it gives: theirs, and those of the encoder.
pub const MODELS: usize = LINEAR + encoder::OUTPUTS;
/// The first view of the encoder: is this sentence part of a task?
pub const ENCODED: usize = LINEAR;

/// First-pass logits of each view, for each sentence.
pub type First = [Vec<f32>; MODELS];

/// The kinds of source that are told apart.
pub const SOURCES: [&str; 6] = ["meeting", "call", "email", "chat", "note", "document"];
/// How many sentences to each side are looked at.
const NEAR: isize = 4;
/// How many sentences to each side make up the neighbourhood.
const AROUND: usize = 6;
/// The logit of what has none: a sentence beyond the text, one that no model judged, the best of none.
pub const NO_LOGIT: f32 = -9.0;
/// Number of per-sentence features.
pub const SENTENCE_FEATURES: usize = 12;
/// Number of per-text features.
pub const TEXT: usize = SOURCES.len() + 8;
/// The models whose view of the neighbourhood counts: those of documents and of talk, and the encoder.
const VIEWS: [usize; 3] = [0, crate::judge::TALK, ENCODED];
/// How fast the weight of a neighbour falls: to 1/e in so many sentences.
const REACHES: [f64; 2] = [4.0, 20.0];
/// Least first-pass logit, by either of these models, of a sentence that the second pass looks at.
const LEAST: f32 = -5.0;

/// How many dense features a sentence has.
pub const FEATURE_COUNT: usize = MODELS
    + 2 * NEAR as usize * (MODELS + 2)
    + 5 * SENTENCE_FEATURES
    + 3 * Cue::ALL.len()
    + Cue::ALL.len()
    + 7
    + VIEWS.len() * (7 + REACHES.len())
    + TEXT;

/// What is known of a text before its sentences are judged one by one.
pub struct FirstPass<'k> {
    /// The sentences.
    pub scene: &'k Scene<'k>,
    /// What each model says of each.
    pub first: &'k First,
    stats: &'k DocumentStats,
    /// Place of each sentence when sorted by the logits of each view, the likeliest first.
    rank: [Vec<u32>; VIEWS.len()],
    /// For each view, the sum of the neighbours' probabilities, near and far.
    around: [[Vec<f32>; REACHES.len()]; VIEWS.len()],
    /// The features of the text, the same for all its sentences.
    pub text: [f32; TEXT],
    explicit: Vec<bool>,
}

impl<'k> FirstPass<'k> {
    /// What the first pass says of a text, put in order.
    #[must_use]
    pub fn of(scene: &'k Scene<'k>, first: &'k First, stats: &'k DocumentStats) -> Self {
        let rank = VIEWS.map(|view| ranks(&first[view]));
        let around = VIEWS.map(|view| {
            let likely: Vec<f32> = first[view].iter().map(|&logit| sigmoid(f64::from(logit)) as f32).collect();
            REACHES.map(|reach| around(&likely, reach))
        });
        let explicit = scene.sentences.iter().map(explicit::declares).collect();
        Self { scene, first, stats, rank, around, text: text(first, stats), explicit }
    }

    /// The number of the kind of source; one more than the last where it is none of those known.
    #[must_use]
    pub fn source(&self) -> usize {
        self.text[..SOURCES.len()].iter().position(|is| *is > 0.5).unwrap_or(SOURCES.len())
    }

    /// Whether the first pass sees enough in a sentence for the second to look at it.
    #[must_use]
    pub fn is_worth_it(&self, index: usize) -> bool {
        self.explicit[index] || VIEWS.iter().any(|&view| self.first[view][index] > LEAST)
    }

    /// Emits the [`FEATURE_COUNT`] dense features of a sentence into `out`.
    pub fn features(&self, index: usize, out: &mut Vec<f32>) {
        out.extend(self.first.iter().map(|logits| logits[index]));
        let nothing = [0.0; SENTENCE_FEATURES];
        for away in (-NEAR..=NEAR).filter(|away| *away != 0) {
            let other = index.checked_add_signed(away).filter(|other| *other < self.explicit.len());
            match other {
                Some(other) => {
                    out.extend(self.first.iter().map(|logits| logits[other]));
                    let (here, there) = (&self.scene.sentences[index], &self.scene.sentences[other]);
                    out.extend([flag(here.speaker == there.speaker), flag(here.utterance == there.utterance)]);
                }
                None => out.extend([NO_LOGIT; MODELS].into_iter().chain([0.0; 2])),
            }
            if away.abs() <= 2 {
                out.extend(other.map_or(nothing, |other| self.sentence_features(other)));
            }
            if away.abs() == 1 {
                cues(other.map_or(0, |other| self.scene.seen[other].cues), out);
            }
        }
        out.extend(self.sentence_features(index));
        cues(self.scene.seen[index].cues, out);
        cues(self.scene.seen[index].head, out);
        self.place(index, out);
        for view in 0..VIEWS.len() {
            self.neighbourhood(index, view, out);
        }
        out.extend(self.text);
    }

    /// The features of a sentence by itself, wherever it stands.
    #[must_use]
    pub fn sentence_features(&self, index: usize) -> [f32; SENTENCE_FEATURES] {
        let SentenceObservations { names, question, first, past, words, .. } = self.scene.seen[index];
        let name = |bit: u8| flag(names & bit != 0);
        [
            name(NAMES_OTHER),
            name(NAMES_FIRST),
            name(NAMES_LAST),
            name(NAMES_MENTION),
            name(NAMES_SELF),
            flag(question),
            f32::from(first as u8),
            flag(past),
            words as f32,
            f32::from(self.scene.sentences[index].line as u8),
            flag(self.stats.me.is_some() && self.stats.me == self.scene.sentences[index].speaker),
            flag(self.explicit[index]),
        ]
    }

    fn place(&self, index: usize, out: &mut Vec<f32>) {
        let all = self.explicit.len();
        let sentence = &self.scene.sentences[index];
        let leads = flag(self.stats.leads(sentence.speaker));
        out.extend([
            index as f32 / all as f32,
            index as f32,
            (all - index) as f32,
            leads,
            self.stats.part(sentence.speaker),
            flag(index * 10 >= all * 9),
            logarithm((all - index) as f32),
        ]);
    }

    /// What a model thinks of the sentences around.
    fn neighbourhood(&self, index: usize, view: usize, out: &mut Vec<f32>) {
        let own = &self.first[VIEWS[view]];
        let near = index.saturating_sub(AROUND)..(index + AROUND + 1).min(own.len());
        let others = || near.clone().filter(|other| *other != index);
        let turn = |other: &usize| self.scene.sentences[*other].utterance == self.scene.sentences[index].utterance;
        let most =
            |sentences: &mut dyn Iterator<Item = usize>| sentences.map(|other| own[other]).fold(NO_LOGIT, f32::max);
        let rank = self.rank[view][index] as f32;
        out.extend([
            most(&mut others()),
            most(&mut others().filter(turn)),
            most(&mut others().filter(|other| !turn(other))),
            others().filter(|other| own[*other] > -1.5).count() as f32,
            others().filter(|other| own[*other] > own[index]).count() as f32,
            rank,
            rank / own.len() as f32,
        ]);
        out.extend(self.around[view].iter().map(|sums| sums[index]));
    }
}

/// The place of each when sorted by logit, the highest first.
fn ranks(logits: &[f32]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..logits.len() as u32).collect();
    order.sort_by(|&one, &other| logits[other as usize].total_cmp(&logits[one as usize]));
    let mut rank = vec![0; logits.len()];
    order.iter().zip(0..).for_each(|(&sentence, place)| rank[sentence as usize] = place);
    rank
}

/// For each place the sum of all others, each the less the farther it is.
fn around(likely: &[f32], reach: f64) -> Vec<f32> {
    let keeps = exp(-1.0 / reach) as f32;
    let mut sums = vec![0.0; likely.len()];
    let mut run = 0.0;
    for (sum, &here) in sums.iter_mut().zip(likely) {
        *sum += run;
        run = (run + here) * keeps;
    }
    run = 0.0;
    for (sum, &here) in sums.iter_mut().zip(likely).rev() {
        *sum += run;
        run = (run + here) * keeps;
    }
    sums
}

/// The features of the text, the same for all its sentences.
fn text(first: &First, stats: &DocumentStats) -> [f32; TEXT] {
    let count = first[0].len();
    let source = SOURCES.map(|source| flag(stats.source == hash_word(source)));
    let likely =
        VIEWS.map(|view| first[view].iter().filter(|logit| **logit > -1.0).count() as f32 / count.max(1) as f32);
    let mut text = [0.0; TEXT];
    text[..SOURCES.len()].copy_from_slice(&source);
    text[SOURCES.len()..].copy_from_slice(&[
        flag(stats.single),
        flag(stats.me.is_some()),
        likely[0],
        likely[1],
        likely[2],
        logarithm(count as f32 + 1.0),
        stats.fillers,
        stats.links,
    ]);
    text
}

fn logarithm(number: f32) -> f32 {
    ln(f64::from(number)) as f32
}

/// Emits a number for each cue.
pub fn cues(cues: u64, out: &mut Vec<f32>) {
    out.extend((0..Cue::ALL.len()).map(|bit| flag(cues >> bit & 1 == 1)));
}

/// A truth as a number.
#[must_use]
pub fn flag(is: bool) -> f32 {
    f32::from(u8::from(is))
}
