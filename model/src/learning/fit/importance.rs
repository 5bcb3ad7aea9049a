//! What is learnt of importance: of words and people alone, and only where enough tasks agree.
//!
//! The kind of a task, its owner and its date are part of the priority already. So a word or a person is weighed by
//! what tasks with it were called, against what the tenant calls its other tasks that are due, or are not, as they are.

use super::{Column, VoteSum};
use crate::learning::{features::DUE, learnt};
use std::collections::{BTreeMap, BTreeSet};

/// The least z score that counts: how far the mean rating of tasks with a feature must lie from that of others, in
/// standard errors for ratings of variance 1. Four that agree are enough where others are called neither.
const Z_THRESHOLD: f64 = 1.9;
/// In how many rated tasks a feature must be to be tested. Where many features are, the threshold is the z score that
/// the largest of so many reaches by chance: the root of twice the logarithm of their number.
const MIN_TASKS: usize = 4;
/// Pseudo-count: neutral ratings that are added to those of the other tasks, as few tell little of what is usual.
const USUAL_PSEUDO_COUNT: f64 = 4.0;
/// The prior: how many neutral ratings each feature begins with.
const NEUTRAL_PRIOR: f64 = 2.0;
/// What a feature of which everybody agrees says, for each part that a task has of it.
const MOST: f64 = 0.25;

/// What each feature says for or against the importance of a task.
pub(super) fn weights<'a>(said: &[VoteSum], columns: &BTreeMap<&'a str, Column>) -> BTreeMap<&'a str, f64> {
    let rows = |column: &'_ Column| -> Vec<usize> {
        column.iter().map(|(row, _)| *row).filter(|row| said[*row].weight > 0.0).collect()
    };
    let due: BTreeSet<usize> = columns.get(DUE).into_iter().flat_map(rows).collect();
    let votes = |rows: Vec<usize>| {
        let mut sides = [Votes::default(); 2];
        rows.into_iter().for_each(|row| sides[usize::from(due.contains(&row))].add(&said[row]));
        sides
    };
    let all = votes((0..said.len()).filter(|row| said[*row].weight > 0.0).collect());
    let tested: Vec<(&str, [Votes; 2])> = columns
        .iter()
        .filter(|(name, column)| learnt::is_special(name) && rows(column).len() >= MIN_TASKS)
        .map(|(name, column)| (*name, votes(rows(column))))
        .collect();
    let threshold = Z_THRESHOLD.max((2.0 * (tested.len().max(1) as f64).ln()).sqrt());
    tested.into_iter().filter_map(|(name, own)| Some((name, weight(own, all, threshold)?))).collect()
}

/// What a feature says, if its tasks' ratings tell it.
fn weight(own: [Votes; 2], all: [Votes; 2], threshold: f64) -> Option<f64> {
    let (mut beyond, mut weight, mut count) = (0.0, 0.0, 0.0);
    for (own, all) in own.iter().zip(all) {
        let usual = (all.importance - own.importance) / (all.weight - own.weight + USUAL_PSEUDO_COUNT);
        beyond += own.importance - own.weight * usual;
        weight += own.weight;
        count += own.count;
    }
    // Ratings that have faded weigh less, and prove as much.
    let z = beyond / weight * f64::sqrt(count);
    (z.abs() >= threshold).then(|| MOST * beyond / (weight + NEUTRAL_PRIOR))
}

/// What was said of the importance of some tasks.
#[derive(Clone, Copy, Default)]
struct Votes {
    count: f64,
    weight: f64,
    importance: f64,
}

impl Votes {
    fn add(&mut self, said: &VoteSum) {
        self.count += 1.0;
        self.weight += said.weight;
        self.importance += said.weight * said.importance;
    }
}
