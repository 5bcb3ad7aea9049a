//! Which feedback moved a task: how much each lesson has to do with what was learnt of tasks that look like it.
//!
//! Each lesson's contribution is its residual (of importance: its rating) times its feature overlap with the task: the
//! dot product of both tasks' values over the features that have a weight. The shift of a task is shared out in
//! proportion.

use super::{Learnt, Lesson, TaskFeatures, VoteKind, effect, fit, learnt};
use crate::{FeedbackId, Reason, TaskId};
use chrono::{DateTime, Utc};
use std::collections::HashMap;

/// How every reason begins: whoever shows one may name the task.
pub const LIKE_A_TASK: &str = "like a task that ";
/// Most lessons that are named.
const MOST: usize = 5;
/// Least share that is named.
const LEAST: f64 = 0.01;
/// Most shared words that are named.
const MOST_WORDS: usize = 3;

/// For each feature, the lessons that have it, each with its value there times its residual (of importance: its
/// rating).
type Postings = HashMap<String, Vec<(usize, f64)>>;

/// The lessons behind what was learnt, in a form that tells quickly which of them moved a task.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Sources {
    lessons: Vec<NamedLesson>,
    log_odds: Postings,
    importance: Postings,
}

/// One lesson, as it is named.
#[derive(Clone, PartialEq, Debug)]
struct NamedLesson {
    task_id: TaskId,
    votes: Vec<(VoteKind, Option<FeedbackId>)>,
}

impl Sources {
    /// The lessons behind what was learnt of them.
    #[must_use]
    pub fn of(taught: &Learnt, lessons: &[Lesson], now: DateTime<Utc>) -> Self {
        let mut sources = Self::default();
        for (row, (lesson, said)) in lessons.iter().zip(fit::weigh_votes(lessons, now)).enumerate() {
            let shift = taught.shift(&lesson.features);
            let right = learnt::probability(lesson.features.log_odds + shift.log_odds);
            let (residual, rating) = (said.yes * (1.0 - right) - said.no * right, said.weight * said.importance);
            for (name, value) in learnt::feature_values(&lesson.features) {
                if taught.weights.contains_key(name) {
                    sources.log_odds.entry(name.to_owned()).or_default().push((row, value * residual));
                }
                if taught.importance.contains_key(name) {
                    sources.importance.entry(name.to_owned()).or_default().push((row, value * rating));
                }
            }
            let votes = lesson.votes.iter().map(|vote| (vote.kind, vote.feedback_id)).collect();
            sources.lessons.push(NamedLesson { task_id: lesson.task_id, votes });
        }
        sources
    }

    /// The tasks that people spoke of, newest first, each with what was said of it last.
    pub fn latest(&self) -> impl Iterator<Item = (TaskId, VoteKind)> {
        let mut tasks: Vec<_> =
            self.lessons.iter().filter_map(|lesson| Some((lesson.task_id, lesson.votes.last()?.0))).collect();
        tasks.sort_by_key(|(task, _)| std::cmp::Reverse(*task));
        tasks.into_iter()
    }

    /// What moved the log-odds of a task that looks like this by `shift`: at most five lessons, those that pulled that
    /// way, most telling first.
    #[must_use]
    pub fn of_log_odds(&self, features: &TaskFeatures, shift: f64) -> Vec<Reason> {
        self.shares(&self.log_odds, features, shift, |kind| {
            let against = matches!(kind, VoteKind::Down | VoteKind::Dismissed);
            against == (shift < 0.0) && kind != VoteKind::Duplicate
        })
    }

    /// What moved the importance of a task that looks like this by `shift`, likewise.
    #[must_use]
    pub fn of_importance(&self, features: &TaskFeatures, shift: f64) -> Vec<Reason> {
        self.shares(&self.importance, features, shift, |kind| match kind {
            VoteKind::NotImportant => shift < 0.0,
            VoteKind::Important | VoteKind::Up | VoteKind::Completed => shift > 0.0,
            _ => false,
        })
    }

    fn shares(
        &self,
        postings: &Postings,
        features: &TaskFeatures,
        shift: f64,
        telling: impl Fn(VoteKind) -> bool,
    ) -> Vec<Reason> {
        let mut contributions = vec![0.0; self.lessons.len()];
        for (name, value) in learnt::feature_values(features) {
            for (row, share) in postings.get(name).into_iter().flatten() {
                contributions[*row] += share * value;
            }
        }
        let mut contributions: Vec<(usize, f64)> =
            contributions.into_iter().enumerate().filter(|(_, part)| part * shift > 0.0).collect();
        let total: f64 = contributions.iter().map(|(_, part)| part).sum();
        contributions.sort_by(|one, other| other.1.abs().total_cmp(&one.1.abs()).then(one.0.cmp(&other.0)));
        let told = contributions.into_iter().filter_map(|(row, part)| {
            let NamedLesson { task_id, votes } = &self.lessons[row];
            let (kind, feedback_id) = *votes.iter().rfind(|(kind, _)| telling(*kind))?;
            Some((row, kind, feedback_id, *task_id, shift * part / total))
        });
        // The first is named however little it tells, as nothing is to move without a reason.
        let named = told.enumerate().filter(|(place, (.., weight))| *place == 0 || weight.abs() >= LEAST).take(MOST);
        let reason = |(_, (row, kind, feedback_id, task_id, weight))| {
            let text = text(kind, &Overlap::of(postings, features, row));
            Reason { text, weight, feedback_id, task_id: Some(task_id) }
        };
        named.map(reason).collect()
    }
}

/// What a task shares with one that was rated.
struct Overlap<'a> {
    words: Vec<&'a str>,
    titles: Vec<&'a str>,
}

impl<'a> Overlap<'a> {
    fn of(postings: &Postings, features: &'a TaskFeatures, row: usize) -> Self {
        let has = |name: &&String| postings.get(*name).is_some_and(|rows| rows.iter().any(|(other, _)| *other == row));
        let shared: Vec<&String> = features.feature_names.iter().filter(has).collect();
        let of_kind = |kind| shared.iter().filter_map(|name| name.strip_prefix(kind)).collect();
        Self { words: of_kind("w:"), titles: of_kind("t:") }
    }
}

fn text(kind: VoteKind, shared: &Overlap<'_>) -> String {
    let done = match kind {
        VoteKind::Up => "rated up",
        VoteKind::Important => "rated important",
        VoteKind::NotImportant => "rated not important",
        VoteKind::Down | VoteKind::Duplicate => "rated down",
        VoteKind::Corrected | VoteKind::Edited => "corrected",
        VoteKind::Completed => "completed by hand",
        VoteKind::Dismissed => "dismissed by hand",
        VoteKind::Missed => "reported as overlooked",
    };
    let list =
        |words: &[&str]| -> Vec<String> { words.iter().take(MOST_WORDS).map(|word| effect::word(word)).collect() };
    let told = |what: &str, words: &[&str]| match words {
        [] => String::new(),
        words => format!(" and {what} {}", list(words).join(", ")),
    };
    let (says, called) = (told("also says", &shared.words), told("its item’s title also says", &shared.titles));
    format!("{LIKE_A_TASK}was {done}{says}{called}")
}
