//! What is learnt of importance: of words and people alone, and only where enough tasks agree.
//!
//! The kind of a task, its owner and its date are part of the priority already. So a word or a person is weighed by what
//! tasks with it were called, against what the tenant calls its other tasks that are due, or are not, as they are.

use super::{Column, VoteSum};
use crate::learning::{features::DUE, learnt};
use std::collections::{BTreeMap, BTreeSet};

/// How far the ratings of tasks with a trait must lie from those of others at least, in deviations of chance: four that
/// agree are enough where others are called neither.
const TELLING: f64 = 1.9;
/// In how many tasks a trait must be to be looked at. The more are looked at, the further one lies off by chance.
const LOOKED_AT: usize = 4;
/// How many ratings the others count as that nobody gave: few tell little of what is usual.
const UNSAID: f64 = 4.0;
/// How many neutral ratings each trait begins with.
const NEUTRAL: f64 = 2.0;
/// What a trait of which everybody agrees says, for each part that a task has of it.
const MOST: f64 = 0.25;

/// What each trait says for or against the importance of a task.
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
    let looked_at: Vec<(&str, [Votes; 2])> = columns
        .iter()
        .filter(|(name, column)| learnt::is_special(name) && rows(column).len() >= LOOKED_AT)
        .map(|(name, column)| (*name, votes(rows(column))))
        .collect();
    let telling = TELLING.max((2.0 * (looked_at.len().max(1) as f64).ln()).sqrt());
    looked_at.into_iter().filter_map(|(name, own)| Some((name, weight(own, all, telling)?))).collect()
}

/// What a trait says, if its tasks' ratings tell it.
fn weight(own: [Votes; 2], all: [Votes; 2], telling: f64) -> Option<f64> {
    let (mut beyond, mut weight, mut count) = (0.0, 0.0, 0.0);
    for (own, all) in own.iter().zip(all) {
        let usual = (all.worth - own.worth) / (all.weight - own.weight + UNSAID);
        beyond += own.worth - own.weight * usual;
        weight += own.weight;
        count += own.count;
    }
    // Ratings that have faded weigh less, and prove as much.
    let proof = beyond / weight * f64::sqrt(count);
    (proof.abs() >= telling).then(|| MOST * beyond / (weight + NEUTRAL))
}

/// What was said of the importance of some tasks.
#[derive(Clone, Copy, Default)]
struct Votes {
    count: f64,
    weight: f64,
    worth: f64,
}

impl Votes {
    fn add(&mut self, said: &VoteSum) {
        self.count += 1.0;
        self.weight += said.weight;
        self.worth += said.weight * said.worth;
    }
}
