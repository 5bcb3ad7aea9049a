//! From lessons to what is learnt.
//!
//! Everything is bounded: a subject's voice, a task's votes, a feature's weight. Lessons fade by half in half a year.
//! The same lessons give the same weights.

mod importance;
mod log_odds;

use super::{Learnt, Lesson, VoteKind, convention, learnt, wording};
use chrono::{DateTime, Utc};
use log_odds::WeightedLessons;
use std::collections::{BTreeMap, BTreeSet};

/// After how many days a lesson counts half.
const HALF_LIFE_DAYS: f64 = 180.0;
/// How many votes one subject's voice amounts to at most.
const LOUDEST: f64 = 150.0;
/// How much the votes on one task amount to at most.
const MOST_OF_A_TASK: f64 = 2.0;
/// How often at most a task counts as rejected whose rejection was repeated after other items had spoken of it.
const MOST_TIMES: usize = 5;
/// Most weights that are kept, the largest.
const MOST_WEIGHTS: usize = 400;
/// Least weight that is kept.
const LEAST: f32 = 0.01;

/// What the votes on one task come to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct VoteSum {
    /// Weight of the votes for its being a task.
    pub yes: f64,
    /// Weight of those against it.
    pub no: f64,
    /// The sum of the squares of both, vote by vote: how far chance can move them.
    pub squares: f64,
    /// How much is said of its importance.
    pub weight: f64,
    /// What is said of it: from -1 to 1.
    pub importance: f64,
}

/// Works out what lessons of one revision teach on a day.
#[must_use]
pub fn fit(lessons: &[Lesson], revision: u64, now: DateTime<Utc>) -> Learnt {
    let said = weigh_votes(lessons, now);
    let rows: Vec<Vec<(&str, f64)>> =
        lessons.iter().map(|lesson| learnt::feature_values(&lesson.features).collect()).collect();
    let columns = columns(&rows);
    let weights = log_odds::weights(WeightedLessons { lessons, said: &said }, &columns);
    let count = |kinds: &[VoteKind]| {
        let votes = lessons.iter().flat_map(|lesson| &lesson.votes);
        u32::try_from(votes.filter(|vote| kinds.contains(&vote.kind)).count()).unwrap_or(u32::MAX)
    };
    Learnt {
        revision,
        day: now.timestamp().div_euclid(86_400),
        up: count(&[VoteKind::Up, VoteKind::Important]),
        down: count(&[VoteKind::Down, VoteKind::Duplicate, VoteKind::Corrected, VoteKind::NotImportant]),
        raising: kept(raising(lessons, &weights)),
        weights: kept(weights),
        importance: kept(importance::weights(&said, &columns)),
        aliases: wording::counted(lessons.iter().flat_map(|lesson| &lesson.aliases)),
        conventions: convention::counted(lessons.iter().filter_map(|lesson| lesson.convention.as_ref())),
    }
}

/// The votes on each lesson, weighed: faded by age, no subject louder than others can be, no task more than its share.
pub(super) fn weigh_votes(lessons: &[Lesson], now: DateTime<Utc>) -> Vec<VoteSum> {
    let mut voices: BTreeMap<&str, f64> = BTreeMap::new();
    for vote in lessons.iter().flat_map(|lesson| &lesson.votes) {
        *voices.entry(vote.subject.as_deref().unwrap_or_default()).or_default() += vote.times().count() as f64;
    }
    let hear = |lesson: &Lesson| {
        let mut said = VoteSum::default();
        for vote in &lesson.votes {
            let voice = voices.get(vote.subject.as_deref().unwrap_or_default()).copied().unwrap_or(1.0);
            for at in vote.times() {
                let days = (now - at).num_days().max(0) as f64;
                said.add(vote.kind, 0.5_f64.powf(days / HALF_LIFE_DAYS) * (LOUDEST / voice).min(1.0));
            }
        }
        said.bounded(lesson.rejections())
    };
    lessons.iter().map(hear).collect()
}

impl VoteSum {
    fn add(&mut self, kind: VoteKind, weight: f64) {
        let (yes, no, importance) = match kind {
            VoteKind::Up => (1.0, 0.0, Some(0.2)),
            VoteKind::Down => (0.0, 1.0, None),
            VoteKind::Duplicate => (0.0, 0.0, None),
            VoteKind::Corrected | VoteKind::Edited => (0.5, 0.0, None),
            VoteKind::Important => (1.0, 0.0, Some(1.0)),
            VoteKind::NotImportant => (0.25, 0.0, Some(-1.0)),
            VoteKind::Completed => (0.5, 0.0, Some(0.2)),
            VoteKind::Dismissed => (0.0, 0.7, None),
            VoteKind::Missed => (1.0, 0.0, None),
        };
        self.yes += yes * weight;
        self.no += no * weight;
        self.squares += ((yes + no) * weight).powi(2);
        if let Some(importance) = importance {
            self.weight += weight;
            self.importance += importance * weight;
        }
    }

    fn bounded(self, rejections: usize) -> Self {
        let part = |total: f64, most: f64| if total > most { most / total } else { 1.0 };
        let most = MOST_OF_A_TASK.max(rejections.min(MOST_TIMES) as f64);
        let (votes, weight) = (part(self.yes + self.no, most), part(self.weight, MOST_OF_A_TASK));
        let importance = if self.weight > 0.0 { self.importance / self.weight } else { 0.0 };
        let squares = self.squares * votes * votes;
        Self { yes: self.yes * votes, no: self.no * votes, squares, weight: self.weight * weight, importance }
    }
}

/// One feature: which lessons have it, and how much of it.
type Column = Vec<(usize, f64)>;

fn columns<'a>(rows: &[Vec<(&'a str, f64)>]) -> BTreeMap<&'a str, Column> {
    let mut columns: BTreeMap<&str, Column> = BTreeMap::new();
    for (row, features) in rows.iter().enumerate() {
        for (name, value) in features {
            columns.entry(name).or_default().push((row, *value));
        }
    }
    columns
}

/// The words and people that speak for tasks because somebody reported one with them as overlooked. What people like of
/// the tasks that they see says nothing of those that they don't see.
fn raising<'a>(lessons: &[Lesson], weights: &BTreeMap<&'a str, f64>) -> BTreeMap<&'a str, f64> {
    let overlooked = |lesson: &&Lesson| lesson.votes.iter().any(|vote| vote.kind == VoteKind::Missed);
    let names: BTreeSet<&str> = lessons
        .iter()
        .filter(overlooked)
        .flat_map(|lesson| &lesson.features.feature_names)
        .map(String::as_str)
        .collect();
    let raises = |name: &str, weight: f64| {
        weight > 0.0 && !name.starts_with("t:") && learnt::is_special(name) && names.contains(name)
    };
    weights.iter().filter(|(name, weight)| raises(name, **weight)).map(|(name, weight)| (*name, *weight)).collect()
}

/// The largest weights, rounded.
fn kept(weights: BTreeMap<&str, f64>) -> BTreeMap<String, f32> {
    let mut weights: Vec<(&str, f32)> =
        weights.into_iter().map(|(name, weight)| (name, (weight * 1e3).round() as f32 / 1e3)).collect();
    weights.retain(|(_, weight)| weight.abs() >= LEAST);
    weights.sort_by(|one, other| other.1.abs().total_cmp(&one.1.abs()).then(one.0.cmp(other.0)));
    weights.truncate(MOST_WEIGHTS);
    weights.into_iter().map(|(name, weight)| (name.to_owned(), weight)).collect()
}

#[cfg(test)]
mod tests;
