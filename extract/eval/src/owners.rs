//! What documents teach of owners: who of all who may own a task does, or nobody. The tasks are those that were found with
//! held-out scores, and again the gold ones with their own evidence, which count half.

use crate::boost::{BoostParams, Dataset};
use crate::choice::{self, ChoiceSet};
use crate::dates::TrainingSource;
use crate::fit::Hyperparameters;
use crate::records::is_one;
use crate::train::FOLDS;
use crate::words::same_person;
use gleaner_extract::fields;
use gleaner_extract::fields::owned::{self, OwnerModel};
use gleaner_extract::judge::TaskCluster;
use gleaner_extract::model::hashed_linear::HashedLinear;
use gleaner_extract::owner::{self, Claimant};
use gleaner_extract::score::{First, FirstPass};

const OWNED: BoostParams = BoostParams { trees: 600, leaves: 12, rate: 0.05, rows: 7, features: 3, least: 12, l2: 5.0 };
/// How much a gold task with its own evidence counts.
const GOLD: f32 = 0.5;

/// How many bits number the weights of words.
const BITS: u32 = 19;
const HYPERPARAMETERS: Hyperparameters = Hyperparameters { passes: 6, rate: 0.03, decay: 0.0, near: 1.0, orders: 1 };

/// A task with those who may own it. Which of them is right stands in its choice set.
struct Owned {
    /// The number of the text it is written in.
    source: usize,
    sentences: Vec<usize>,
    task: TaskCluster,
    claimants: Vec<Claimant>,
    /// Whether a label's name is right, where there is one.
    labelled: Option<bool>,
    counts: bool,
}

/// What the words say, and the trees, learnt from everybody who may own a task; the first `written` of the texts are documents,
/// the others talk.
#[must_use]
pub fn learn(
    sources: &[TrainingSource<'_>],
    firsts: &[First],
    groups: &[u32],
    written: usize,
    report: &mut Vec<String>,
) -> OwnerModel {
    let (mut all, mut choice_sets) = (Vec::new(), Vec::new());
    for (at, source) in sources.iter().enumerate() {
        for (task, choice_set) in asked(at, source, &firsts[at], groups[at]) {
            all.push(task);
            choice_sets.push(choice_set);
        }
    }
    let (table, words) = choice::cross_fit(&choice_sets, BITS, HYPERPARAMETERS, FOLDS);
    let mut dataset = Dataset::default();
    for ((task, choice_set), logits) in all.iter().zip(&choice_sets).zip(&words) {
        let source = &sources[task.source];
        let known = FirstPass::of(&source.text.scene, &firsts[task.source], &source.text.stats);
        let script = &source.reading.script;
        owned::features(&known, script, &task.task, &task.sentences, &task.claimants, logits, &mut dataset.features);
        choice_set.right.iter().for_each(|right| dataset.push(*right, choice_set.weight, choice_set.group));
    }
    let (logits, trees) = dataset.grow(OWNED, FOLDS);
    let mut logits = logits.into_iter();
    let mut sums = [[0.0_f64; 4]; KINDS.len()];
    for ((task, choice_set), words) in all.iter().zip(&choice_sets).zip(&words) {
        let own: Vec<f32> = logits.by_ref().take(choice_set.right.len()).collect();
        if !task.counts {
            continue;
        }
        let kind = match sources[task.source].document {
            _ if task.source >= written => 2,
            document => usize::from(document.language != "en"),
        };
        let chosen = |logits: &[f32]| best(logits).is_some_and(|at| choice_set.right[at]);
        let right = |logits: &[f32]| task.labelled.unwrap_or_else(|| chosen(logits));
        let could = task.labelled.unwrap_or_else(|| choice_set.right.contains(&true));
        for (sum, counts) in sums[kind].iter_mut().zip([true, right(&own), right(words), could]) {
            *sum += f64::from(u8::from(counts));
        }
    }
    report.extend(KINDS.iter().zip(sums).map(|(name, [all, right, words, could])| {
        let [right, words, could] = [right, words, could].map(|sum| sum / all);
        format!("{name}, owners of tasks found: {right:.3} of {all}, by words alone {words:.3}, {could:.3} could be")
    }));
    OwnerModel { words: table, trees }
}

/// What a text asks: whose each of its tasks is, as it was found and with its gold evidence.
fn asked(at: usize, source: &TrainingSource<'_>, first: &First, group: u32) -> Vec<(Owned, ChoiceSet)> {
    let participants = owner::participants(source.transcript, &source.reading.roster);
    let known = FirstPass::of(&source.text.scene, first, &source.text.stats);
    let script = &source.reading.script;
    let proven = (0..source.text.gold.len()).map(|number| (source.proven(number), number, GOLD));
    let found = source.tasks.iter().zip(source.partner);
    let found = found.filter_map(|(task, partner)| Some((task.clone(), (*partner)?, 1.0)));
    let asked = found.chain(proven).map(|(task, number, weight)| {
        let gold = &source.document.tasks[number];
        let sentences = fields::speaking(&task);
        let around = owned::Around::of(script, &participants, &task, &sentences);
        let claimants = fields::claimants(script, &participants, &task, &sentences, &around);
        let is_right = |name: Option<&str>| {
            is_one(&gold.owner, &gold.owners, |owner| same_person(owner, name, &source.document.me))
        };
        let features = |claimant: &Claimant| {
            let features = around.hashed_features(&known, &participants, claimant);
            features.into_iter().map(|feature| HashedLinear::at(feature, BITS)).collect()
        };
        let name = |claimant: &Claimant| claimant.owner.as_ref().map(|owner| owner.name.clone());
        let choice_set = ChoiceSet {
            options: claimants.iter().map(features).collect(),
            right: claimants.iter().map(|claimant| is_right(name(claimant).as_deref())).collect(),
            weight: weight * source.document.weight(),
            group,
        };
        let labelled = fields::labelled(script, &participants, &sentences);
        let labelled = labelled.map(|owner| is_right(Some(&owner.name)));
        let counts = weight == 1.0 && !gold.optional && task.logit > SHOWN;
        (Owned { source: at, sentences, task, claimants, labelled, counts }, choice_set)
    });
    asked.collect()
}

/// The kinds of text that are reported apart.
const KINDS: [&str; 3] = ["documents", "documents in other languages than English", "talk"];
/// Least verdict of a task that counts in the report.
const SHOWN: f32 = -0.5;

/// The place of the highest logit.
fn best(logits: &[f32]) -> Option<usize> {
    (0..logits.len()).reduce(|best, next| if logits[next] > logits[best] { next } else { best })
}
