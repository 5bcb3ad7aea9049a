//! What labelled texts teach of status: whether a task is done by the end of its text. The tasks are those that were found with
//! held-out scores, and again the gold ones with their own evidence, which count half.

use crate::boost::{BoostParams, Dataset};
use crate::corpora::f1;
use crate::dates::TrainingSource;
use crate::train::FOLDS;
use gleaner_extract::fields::status::{LEAST, StatusFeatures};
use gleaner_extract::judge::TaskCluster;
use gleaner_extract::model::forest::Forest;
use gleaner_extract::score::{First, FirstPass};

const DONE: BoostParams = BoostParams { trees: 250, leaves: 8, rate: 0.04, rows: 7, features: 3, least: 15, l2: 5.0 };
/// How much a gold task with its own evidence counts.
const GOLD: f32 = 0.5;

/// Learns which tasks are done, and reports how many of those found are taken for done by trees that never saw their text.
#[must_use]
pub fn learn(sources: &[TrainingSource<'_>], firsts: &[First], groups: &[u32], report: &mut Vec<String>) -> Forest {
    let mut dataset = Dataset::default();
    let mut found = Vec::new();
    for ((source, first), &group) in sources.iter().zip(firsts).zip(groups) {
        let known = FirstPass::of(&source.text.scene, first, &source.text.stats);
        let features = StatusFeatures::of(&known);
        let mut push = |task: &TaskCluster, gold: usize, weight: f32| {
            let is_done = source.document.tasks[gold].status == "completed";
            features.features(task, &mut dataset.features);
            dataset.push(is_done, weight * source.document.weight(), group);
            found.push((is_done, weight == 1.0 && !source.document.tasks[gold].optional));
        };
        let paired = source.tasks.iter().zip(source.partner);
        paired.filter_map(|(task, gold)| Some((task, (*gold)?))).for_each(|(task, gold)| push(task, gold, 1.0));
        (0..source.text.gold.len()).for_each(|gold| push(&source.proven(gold), gold, GOLD));
    }
    let (logits, trees) = dataset.grow(DONE, FOLDS);
    let told: Vec<(bool, bool)> = found
        .iter()
        .zip(&logits)
        .filter(|((_, counts), _)| *counts)
        .map(|((is_done, _), logit)| (*is_done, *logit > LEAST))
        .collect();
    let count = |keep: &dyn Fn(&(bool, bool)) -> bool| told.iter().filter(|one| keep(one)).count();
    let (precision, recall, _) = f1(count(&|one| one.0 && one.1), count(&|one| one.1), count(&|one| one.0));
    let right = count(&|one| one.0 == one.1) as f64 / told.len().max(1) as f64;
    report.push(format!("status of tasks found: {right:.3}, of what is done  P {precision:.3}  R {recall:.3}"));
    trees
}
