//! The weight of each feature in a task's log-odds: a logistic regression on top of what the engine thought, which
//! takes some ratings for label noise, and learns only what lies beyond chance. It is fitted by proximal coordinate
//! descent.
//!
//! Label noise matters most where the engine is sure: a few among a hundred good tasks are no reason to doubt the rest.
//! What lies beyond chance is measured at the score, the gradient of the log-likelihood: so many of its standard errors
//! are taken off, and a feature whose score is smaller says nothing.
//!
//! Words, people and titles come first, so that five rejections of one thing speak against that thing alone; general
//! features explain what is left.

use super::{Column, VoteSum};
use crate::learning::{Learnt, Lesson, learnt};
use std::collections::BTreeMap;

/// Rounds over all weights, at most.
const ROUNDS: usize = 60;
/// Largest change of a weight in a round at which the descent has converged.
const TOLERANCE: f64 = 1e-3;
/// The furthest that a weight moves in a round.
const MAX_STEP: f64 = 1.0;

/// What is asked of ratings before they teach something of one kind of features.
struct FeatureRule {
    is_special: bool,
    /// How many tasks must be rejected before what they look like speaks against others. A task counts once, however
    /// many items speak of it, and once more for each item of which somebody said so again.
    first: usize,
    /// How many of them must share a feature; of special ones, how many more than tasks that were kept.
    shared: usize,
    /// The share of ratings that are taken for label noise.
    noise: f64,
    /// The L1 penalty, in standard errors of the score.
    l1: f64,
}

/// Words, people and titles: who rejects the same thing five times means it.
const SPECIAL: FeatureRule = FeatureRule { is_special: true, first: 5, shared: 3, noise: 0.1, l1: 0.5 };
/// General features, which nearly everything has.
const GENERAL: FeatureRule = FeatureRule { is_special: false, first: 10, shared: 2, noise: 0.2, l1: 1.2 };

impl FeatureRule {
    /// Gradient of the negative log-likelihood of a lesson's votes, and Fisher information per vote, at log-odds `sum`.
    fn gradient_and_information(&self, said: &VoteSum, sum: f64) -> (f64, f64) {
        let right = learnt::probability(sum);
        let kept = self.noise + (1.0 - 2.0 * self.noise) * right;
        let change = (1.0 - 2.0 * self.noise) * right * (1.0 - right);
        (said.no * change / (1.0 - kept) - said.yes * change / kept, change * change / (kept * (1.0 - kept)))
    }
}

/// The lessons, each with the weight of its votes.
#[derive(Clone, Copy)]
pub(super) struct WeightedLessons<'l> {
    pub lessons: &'l [Lesson],
    pub said: &'l [VoteSum],
}

/// What each feature says, beside what the engine thought.
pub(super) fn weights<'a>(
    weighted: WeightedLessons<'_>,
    columns: &BTreeMap<&'a str, Column>,
) -> BTreeMap<&'a str, f64> {
    let mut sums: Vec<f64> = weighted.lessons.iter().map(|lesson| lesson.features.log_odds).collect();
    let mut weights = weighted.weights(&SPECIAL, columns, sums.clone());
    let special = Learnt { weights: super::kept(weights.clone()), ..Learnt::default() };
    sums.iter_mut().zip(weighted.lessons).for_each(|(sum, lesson)| *sum += special.special(&lesson.features));
    weights.extend(weighted.weights(&GENERAL, columns, sums));
    weights
}

impl WeightedLessons<'_> {
    /// What the features of one kind say on top of these sums of log-odds.
    fn weights<'a>(
        self,
        kind: &FeatureRule,
        columns: &BTreeMap<&'a str, Column>,
        mut sums: Vec<f64>,
    ) -> BTreeMap<&'a str, f64> {
        let own = columns.iter().filter(|(name, _)| learnt::is_special(name) == kind.is_special);
        let enough = (0..self.said.len()).map(|row| self.rejections(row)).sum::<usize>() >= kind.first;
        let least = |column| if enough && self.is_against(kind, column) { f64::MIN } else { 0.0 };
        let mut weights: Vec<_> = own.map(|(name, column)| (*name, column, least(column), 0.0)).collect();
        for _ in 0..ROUNDS {
            let mut furthest = 0.0_f64;
            for (_, column, least, weight) in &mut weights {
                let target = self.coordinate_update(kind, column, *weight, &sums);
                let step = target.clamp(*weight - MAX_STEP, *weight + MAX_STEP).max(*least) - *weight;
                *weight += step;
                column.iter().for_each(|(row, value)| sums[*row] += step * value);
                furthest = furthest.max(step.abs());
            }
            if furthest < TOLERANCE {
                break;
            }
        }
        weights.into_iter().map(|(name, _, _, weight)| (name, weight)).collect()
    }

    /// One coordinate update: Newton step on ridge loss (a weight costs half its square), then soft-threshold by `l1`
    /// standard errors of the score.
    fn coordinate_update(self, kind: &FeatureRule, column: &Column, weight: f64, sums: &[f64]) -> f64 {
        let (mut gradient, mut curvature, mut variance) = (weight, 1.0, 0.0);
        for (row, value) in column {
            let said = &self.said[*row];
            let (slope, information) = kind.gradient_and_information(said, sums[*row]);
            gradient += slope * value;
            curvature += (said.yes + said.no) * information * value * value;
            // Ratings that have faded weigh less, and prove as much.
            variance += said.squares * information * value * value;
        }
        let (newton, shrinkage) = (weight - gradient / curvature, kind.l1 * variance.sqrt() / curvature);
        newton.signum() * (newton.abs() - shrinkage).max(0.0)
    }

    /// Whether enough rejected tasks share a feature for it to speak against others.
    fn is_against(self, kind: &FeatureRule, column: &Column) -> bool {
        let against: usize = column.iter().map(|(row, _)| self.rejections(*row)).sum();
        let kept = column.iter().filter(|(row, _)| !self.is_rejected(*row)).count();
        against >= kind.shared + if kind.is_special { kept } else { 0 }
    }

    fn is_rejected(self, row: usize) -> bool {
        self.said[row].no > self.said[row].yes
    }

    fn rejections(self, row: usize) -> usize {
        if self.is_rejected(row) { self.lessons[row].rejections() } else { 0 }
    }
}
