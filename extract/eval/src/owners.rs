//! What documents teach of owners: who of all who may own a task does, or nobody. The tasks are those that were found with
//! held-out scores, and again the gold ones with their own evidence, which count half.

use crate::boost::{Cases, Growth};
use crate::dates::Source;
use crate::records::is_one;
use crate::train::FOLDS;
use crate::words::same_person;
use anyhow::Result;
use gleaner_extract::fields::{self, owned};
use gleaner_extract::judge::Gathered;
use gleaner_extract::model::forest::Forest;
use gleaner_extract::owner;
use gleaner_extract::people::Roster;
use gleaner_extract::score::{First, Known};

const OWNED: Growth = Growth { trees: 300, leaves: 8, rate: 0.05, rows: 7, numbers: 3, least: 12, pull: 5.0 };
/// How much a gold task with its own evidence counts.
const GOLD: f32 = 0.5;

/// The trees, learnt from everybody who may own a task.
///
/// # Errors
/// Where a document's time is malformed.
pub fn learn(
    sources: &[Source<'_>],
    firsts: &[First],
    groups: &[u32],
    written: usize,
    report: &mut Vec<String>,
) -> Result<Forest> {
    let mut cases = Cases::default();
    // Of each task that was found: whether its text is written, whether its claimants are right.
    let mut asked: Vec<(bool, bool, bool, Vec<bool>)> = Vec::new();
    for (at, source) in sources.iter().enumerate() {
        let roster = Roster::of(source.transcript, &crate::context(source.document)?);
        let cast = owner::cast(source.transcript, &roster);
        let known = Known::of(&source.text.scene, &firsts[at], &source.text.whole);
        let script = &source.reading.script;
        let gold: Vec<Gathered> = (0..source.text.gold.len()).map(|number| source.proven(number)).collect();
        let itself: Vec<Option<usize>> = (0..gold.len()).map(Some).collect();
        for (tasks, partner, weight) in [(source.tasks, source.partner, 1.0), (&gold, &itself, GOLD)] {
            for (task, partner) in tasks.iter().zip(partner) {
                let Some(number) = *partner else { continue };
                let gold = &source.document.tasks[number];
                let sentences = fields::speaking(task);
                let claimants = fields::claimants(script, &cast, task, &sentences);
                owned::numbers(&known, script, task, &sentences, &claimants, &mut cases.numbers);
                let is_right = |name: Option<&str>| {
                    is_one(&gold.owner, &gold.owners, |owner| same_person(owner, name, &source.document.me))
                };
                let right: Vec<bool> = claimants
                    .iter()
                    .map(|claimant| is_right(claimant.guess.as_ref().map(|guess| guess.name.as_str())))
                    .collect();
                right.iter().for_each(|right| cases.push(*right, weight, groups[at]));
                let counts = weight == 1.0 && !gold.optional && task.logit > SHOWN;
                let labelled = fields::labelled(script, &cast, &sentences).map(|guess| is_right(Some(&guess.name)));
                asked.push((
                    counts,
                    at < written,
                    labelled.unwrap_or(false),
                    if labelled.is_some() { Vec::new() } else { right.clone() },
                ));
                if labelled.is_some() {
                    asked.push((false, false, false, right));
                }
            }
        }
    }
    let (logits, forest) = cases.grow(OWNED, FOLDS);
    let mut logits = logits.into_iter();
    let mut sums = [[0.0_f64; 3]; 2];
    for (counts, written, labelled, right) in asked {
        let own: Vec<f32> = logits.by_ref().take(right.len()).collect();
        let best = (0..own.len()).reduce(|best, next| if own[next] > own[best] { next } else { best });
        if counts {
            let sum = &mut sums[usize::from(!written)];
            sum[0] += 1.0;
            sum[1] += f64::from(u8::from(best.map_or(labelled, |best| right[best])));
            sum[2] += f64::from(u8::from(labelled || right.contains(&true)));
        }
    }
    for (name, [all, right, could]) in ["documents", "talk"].iter().zip(sums) {
        report.push(format!("{name}, owners of tasks found: {:.3} of {all}, {:.3} could be", right / all, could / all));
    }
    Ok(forest)
}

/// Least verdict of a task that counts in the report.
const SHOWN: f32 = -0.5;
