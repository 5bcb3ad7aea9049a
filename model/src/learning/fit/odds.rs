//! What each trait says for or against a task: a logistic regression on top of what the engine thought, which takes ratings
//! for what people say who err now and then, and learns only what lies beyond chance.
//!
//! That people err matters most where the engine is sure: a few slips among a hundred good tasks are no reason to doubt the
//! rest. What lies beyond chance is measured at the score, the slope of the likelihood: so many of its deviations are taken
//! off, and a trait whose score is smaller says nothing.

use super::{Column, Said};
use crate::learning::{Lesson, learnt};
use std::collections::{BTreeMap, BTreeSet};

/// How many tasks must be rejected before what they look like speaks against others. A task counts once, however many items
/// speak of it, and once more for each item of which somebody said so again.
const FIRST: usize = 5;
/// How many of them must share a trait; of a word or a person, how many more than tasks that were kept.
const REPEATED: usize = 2;
/// Rounds over all weights, at most.
const ROUNDS: usize = 60;
/// Change below which a weight rests.
const STILL: f64 = 1e-3;
/// The furthest that a weight moves in a round.
const STEP: f64 = 1.0;

/// The share of ratings that are taken for slips.
const SLIPS: f64 = 0.2;
/// How many deviations of chance are taken off for words, people and titles: who rejects the same words five times means
/// them.
const SPECIAL: f64 = 1.3;
/// And for general traits, which nearly everything has.
const GENERAL: f64 = 1.8;

/// Slope and expected curvature of a row's loss at a sum of log-odds; the latter for each vote that it heard.
fn loss(said: &Said, sum: f64) -> (f64, f64) {
    let right = learnt::probability(sum);
    let kept = SLIPS + (1.0 - 2.0 * SLIPS) * right;
    let change = (1.0 - 2.0 * SLIPS) * right * (1.0 - right);
    (said.no * change / (1.0 - kept) - said.yes * change / kept, change * change / (kept * (1.0 - kept)))
}

/// What each trait says, beside what the engine thought.
pub(super) fn weights<'a>(
    lessons: &[Lesson],
    said: &[Said],
    columns: &BTreeMap<&'a str, Column>,
) -> BTreeMap<&'a str, f64> {
    let mut sums: Vec<f64> = lessons.iter().map(|lesson| lesson.portrait.odds).collect();
    let may_reject = rejecting(lessons, said, columns);
    let mut weights: Vec<(&str, &Column, f64)> = columns.iter().map(|(name, column)| (*name, column, 0.0)).collect();
    for _ in 0..ROUNDS {
        let mut furthest = 0.0_f64;
        for (name, column, weight) in &mut weights {
            let best = best(name, column, *weight, said, &sums);
            let least = if may_reject.contains(name) { f64::MIN } else { 0.0 };
            let step = best.clamp(*weight - STEP, *weight + STEP).max(least) - *weight;
            *weight += step;
            column.iter().for_each(|(row, value)| sums[*row] += step * value);
            furthest = furthest.max(step.abs());
        }
        if furthest < STILL {
            break;
        }
    }
    weights.into_iter().map(|(name, _, weight)| (name, weight)).collect()
}

/// The weight with the least loss while all others stay. It costs half its square, and what chance may have made of it.
fn best(name: &str, column: &Column, weight: f64, said: &[Said], sums: &[f64]) -> f64 {
    let (mut slope, mut bend, mut chance) = (weight, 1.0, 0.0);
    for (row, value) in column {
        let (down, curve) = loss(&said[*row], sums[*row]);
        let heard = said[*row].yes + said[*row].no;
        slope += down * value;
        bend += heard * curve * value * value;
        // Ratings that have faded weigh less, and prove as much.
        chance += heard * heard * curve * value * value;
    }
    let proof = if learnt::is_special(name) { SPECIAL } else { GENERAL };
    let (best, off) = (weight - slope / bend, proof * chance.sqrt() / bend);
    best.signum() * (best.abs() - off).max(0.0)
}

/// The traits that may speak against tasks: those that enough rejected tasks share.
fn rejecting<'a>(lessons: &[Lesson], said: &[Said], columns: &BTreeMap<&'a str, Column>) -> BTreeSet<&'a str> {
    let is_rejected = |row: usize| said[row].no > said[row].yes;
    let rejected = |row: usize| if is_rejected(row) { lessons[row].rejections() } else { 0 };
    if (0..said.len()).map(rejected).sum::<usize>() < FIRST {
        return BTreeSet::new();
    }
    let against = |(name, column): (&&'a str, &Column)| {
        let against: usize = column.iter().map(|(row, _)| rejected(*row)).sum();
        let kept = column.iter().filter(|(row, _)| !is_rejected(*row)).count();
        let least = if learnt::is_special(name) { kept + REPEATED } else { REPEATED };
        (against >= least).then_some(*name)
    };
    columns.iter().filter_map(against).collect()
}
