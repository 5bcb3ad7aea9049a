//! The stages between looking at sentences and having tasks: first pass, second pass, links, verdict.

use crate::cue::Cue;
use crate::encoder::UNREAD;
use crate::explicit;
use crate::feature::{Scene, place, place::DocumentStats};
use crate::link::pair::{self, CandidateSentence, ScoredPair};
use crate::model::forest::Forest;
use crate::model::fused_linear::FusedLinear;
use crate::score::{FEATURE_COUNT, First, FirstPass, LINEAR, NO_LOGIT};
use crate::verdict::{self, ClusterScorer};
use crate::weights::Weights;
use std::array;

/// Index of the documents model in [`First`].
pub const DOCUMENTS: usize = 0;
/// Index of the natural meetings model in [`First`].
pub const TALK: usize = 1;
/// Index in [`First`] of the model of sentences that open a task.
pub const OPENING: usize = 4;
/// Index in [`First`] of the model of later sentences of a task.
pub const CONTINUATION: usize = 5;
/// Least logit, by either of these two, of a sentence whose window the encoder reads.
pub const READ: f32 = -3.0;
/// Least second-pass logit of a sentence that may be part of a task.
const LEAST: f32 = -2.5;
/// Least logit of a link that joins.
pub const JOINS: f32 = -0.4;
/// Least second-pass logit of a sentence that can be a task by itself.
pub const STRONG: f32 = 0.0;

/// Candidates that were gathered into one task.
#[derive(Clone, Debug)]
pub struct TaskCluster {
    /// The candidates that make it up, in order.
    pub members: Vec<CandidateSentence>,
    /// How sure the verdict is.
    pub logit: f32,
}

impl TaskCluster {
    /// Whether an explicit form declares it.
    #[must_use]
    pub fn explicit(&self) -> bool {
        self.members.iter().any(|member| member.explicit)
    }

    /// Its likeliest candidate.
    #[must_use]
    pub fn best(&self) -> Option<&CandidateSentence> {
        self.members.iter().max_by(|one, other| one.logit.total_cmp(&other.logit))
    }
}

/// First-pass logits of every sentence by each view. The encoder reads English alone, and only where the linear models see
/// something nearby, because it costs far more than they do.
#[must_use]
pub fn first(scene: &Scene<'_>, stats: &DocumentStats, weights: &Weights, language: &str) -> First {
    let linear = linear(scene, stats, &weights.first);
    let encoded = match language {
        "en" => weights.encoder.logits(scene.sentences, |index| encoder_priority(scene, &linear, index)),
        _ => array::from_fn(|_| vec![UNREAD; scene.sentences.len()]),
    };
    let mut views = linear.into_iter().chain(encoded);
    array::from_fn(|_| views.next().unwrap_or_default())
}

/// First-pass logits of every sentence by each linear model.
#[must_use]
pub fn linear(scene: &Scene<'_>, stats: &DocumentStats, models: &FusedLinear) -> [Vec<f32>; LINEAR] {
    models.judge(scene, |index, places| place::hashed_features(scene, index, stats, places))
}

/// How likely the linear models hold a sentence for part of a task, where that is enough for the encoder to read it and no
/// explicit form says so anyway.
#[must_use]
pub fn encoder_priority(scene: &Scene<'_>, linear: &[Vec<f32>], index: usize) -> Option<f32> {
    let most = linear[DOCUMENTS][index].max(linear[TALK][index]);
    (most > READ && !explicit::declares(&scene.sentences[index])).then_some(most)
}

/// Second-pass logits of every sentence.
#[must_use]
pub fn second(known: &FirstPass<'_>, trees: &Forest) -> Vec<f32> {
    let mut features = Vec::with_capacity(FEATURE_COUNT);
    let judge = |index| {
        if !known.is_worth_it(index) {
            return NO_LOGIT;
        }
        features.clear();
        known.features(index, &mut features);
        trees.logit(&features)
    };
    (0..known.scene.seen.len()).map(judge).collect()
}

/// The sentences that may be part of a task.
#[must_use]
pub fn candidates(scene: &Scene<'_>, first: &First, logits: &[f32]) -> Vec<CandidateSentence> {
    let explicit = |index: usize| explicit::declares(&scene.sentences[index]);
    // What is only imagined stands beside tasks, and is none of one unless it is likely by itself.
    let imagined = |index: usize| logits[index] <= STRONG && Cue::Hypothetical.of(scene.seen[index].cues);
    let counts = |index: usize| logits[index] > LEAST && !imagined(index);
    let likely = (0..logits.len()).filter(|&index| counts(index) || explicit(index));
    likely.map(|sentence| candidate(scene, first, logits, sentence)).collect()
}

/// A sentence as part of a task.
#[must_use]
fn candidate(scene: &Scene<'_>, first: &First, logits: &[f32], sentence: usize) -> CandidateSentence {
    CandidateSentence {
        sentence,
        logit: logits[sentence],
        opening: first[OPENING][sentence],
        continuation: first[CONTINUATION][sentence],
        explicit: explicit::declares(&scene.sentences[sentence]),
        prefixes: pair::prefixes(scene.sentences[sentence].text),
    }
}

/// Gathers candidates into tasks and judges each.
#[must_use]
pub fn gather(known: &FirstPass<'_>, candidates: &[CandidateSentence], weights: &Weights) -> Vec<TaskCluster> {
    let tasks = clusters(known.scene, candidates, &links(known, candidates, &weights.link));
    let cluster_scorer = ClusterScorer::of(known, &tasks);
    let mut features = Vec::with_capacity(verdict::FEATURE_COUNT);
    let judge = |task| {
        features.clear();
        cluster_scorer.features(task, &mut features);
        weights.verdict.logit(&features)
    };
    let logits: Vec<f32> = (0..tasks.len()).map(judge).collect();
    tasks.into_iter().zip(logits).map(|(members, logit)| TaskCluster { members, logit }).collect()
}

/// The candidates that these links make one task, task by task.
#[must_use]
pub fn clusters(
    scene: &Scene<'_>,
    candidates: &[CandidateSentence],
    links: &[ScoredPair],
) -> Vec<Vec<CandidateSentence>> {
    let numbers = pair::gather(candidates, links, &pair::apart(scene, candidates), JOINS, STRONG);
    let mut tasks = vec![Vec::new(); numbers.iter().max().map_or(0, |most| most + 1)];
    for (candidate, number) in candidates.iter().zip(numbers) {
        tasks[number].push(candidate.clone());
    }
    tasks
}

/// The links that are considered between candidates, each with its logit.
#[must_use]
pub fn links(known: &FirstPass<'_>, candidates: &[CandidateSentence], link: &Forest) -> Vec<ScoredPair> {
    let mut features = Vec::with_capacity(pair::FEATURE_COUNT);
    let score = |pair| {
        features.clear();
        pair::features(known, candidates, pair, &mut features);
        (pair, link.logit(&features))
    };
    let pairs = pair::pairs(candidates).into_iter().filter(|&pair| pair::may_link(known.scene, candidates, pair));
    pairs.map(score).collect()
}
