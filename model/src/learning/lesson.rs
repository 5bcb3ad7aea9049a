//! A lesson: what people said of one task, with what the task looks like.
//!
//! It is a pure function of the task's record. So whatever changes a record changes its lesson in the same step, and a
//! rating that is replaced or taken back, or a task that is erased, takes its effect back exactly.

use super::{Alias, Convention, TaskFeatures, convention, wording};
use crate::{Edits, Feedback, FeedbackId, FeedbackReason, Mention, Rating, TaskId, TaskRecord, TaskStatus};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// What one person, or one edit, says of a task.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VoteKind {
    /// Rated up.
    Up,
    /// Rated down: it is no task.
    Down,
    /// Rated down as one that is there already.
    Duplicate,
    /// It is a task, and something of it was wrong.
    Corrected,
    /// It matters more than most.
    Important,
    /// It does not matter.
    NotImportant,
    /// Marked done by hand.
    Completed,
    /// Dismissed by hand.
    Dismissed,
    /// Edited by hand.
    Edited,
    /// Reported as overlooked.
    Missed,
}

/// What one subject said of a task in one way, however often.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Vote {
    /// What it says of the task.
    pub kind: VoteKind,
    /// Who rated; absent for edits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// The rating; absent for edits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feedback_id: Option<FeedbackId>,
    /// When it was given.
    pub at: DateTime<Utc>,
    /// When it was given before, each time before another item spoke of the task.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<DateTime<Utc>>,
}

impl Vote {
    /// When it was given: now and before, which counts for rejections alone.
    pub(super) fn times(&self) -> impl Iterator<Item = DateTime<Utc>> {
        let before = self.is_rejection().then_some(&self.earlier);
        before.into_iter().flatten().copied().chain([self.at])
    }

    const fn is_rejection(&self) -> bool {
        matches!(self.kind, VoteKind::Down | VoteKind::Dismissed)
    }
}

/// What people said of one task.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Lesson {
    /// The task that was spoken of.
    pub task_id: TaskId,
    /// What it looks like.
    // The name in what is stored already.
    #[serde(rename = "portrait")]
    pub features: TaskFeatures,
    /// What was said of it.
    pub votes: Vec<Vote>,
    /// What is called something else.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<Alias>,
    /// What is meant by words for a day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub convention: Option<Convention>,
}

/// Most votes of one task that count: the latest.
const MOST_VOTES: usize = 8;

impl Lesson {
    /// What people said of a task, if anybody did.
    #[must_use]
    pub fn of(record: &TaskRecord) -> Option<Self> {
        let seen = record.mentions.iter().find(|mention| !mention.title.is_empty())?;
        let mut votes: Vec<Vote> =
            record.feedback.iter().map(rating).chain(edits(record)).chain(missed(seen)).collect();
        // What was said of an item that was erased goes with it.
        votes.iter_mut().for_each(|vote| vote.earlier.truncate(record.mention_count() - 1));
        votes.sort_by_key(|vote| vote.at);
        votes.drain(..votes.len().saturating_sub(MOST_VOTES));
        let last = votes.last()?.at;
        Some(Self {
            task_id: record.id,
            features: TaskFeatures::of_mention(seen),
            votes,
            aliases: wording::aliases(record, seen, last),
            convention: convention::taught(record, last),
        })
    }

    /// How often the task was rejected: by somebody who did, once, and once more for each further item of which they
    /// said so.
    #[must_use]
    pub fn rejections(&self) -> usize {
        self.votes.iter().filter(|vote| vote.is_rejection()).map(|vote| vote.times().count()).max().unwrap_or_default()
    }

    /// The lesson without what was said up to a moment; `None` where nothing is left.
    #[must_use]
    pub fn since(mut self, moment: Option<DateTime<Utc>>) -> Option<Self> {
        let Some(moment) = moment else { return Some(self) };
        self.votes.retain(|vote| vote.at > moment);
        self.votes.iter_mut().for_each(|vote| vote.earlier.retain(|at| *at > moment));
        self.aliases.retain(|alias| alias.at > moment);
        self.convention = self.convention.filter(|convention| convention.at > moment);
        (!self.votes.is_empty()).then_some(self)
    }
}

fn rating(feedback: &Feedback) -> Vote {
    let kind = match (feedback.request.rating, feedback.request.reason) {
        (_, Some(FeedbackReason::Important)) => VoteKind::Important,
        (_, Some(FeedbackReason::NotImportant)) => VoteKind::NotImportant,
        (_, Some(FeedbackReason::WrongOwner | FeedbackReason::WrongDue)) => VoteKind::Corrected,
        (Rating::Up, _) => VoteKind::Up,
        (Rating::Down, Some(FeedbackReason::Duplicate)) => VoteKind::Duplicate,
        (Rating::Down, _) => VoteKind::Down,
    };
    let (subject, feedback_id) = (Some(feedback.subject.clone()), Some(feedback.feedback_id));
    Vote { kind, subject, feedback_id, at: feedback.created_at, earlier: feedback.earlier.clone() }
}

/// What edits by hand say: each kind of edit once, as it stands.
fn edits(record: &TaskRecord) -> Vec<Vote> {
    // Who else is waited for says nothing of whether it is a task.
    let Edits { status, title, due, owner, waiting_on: _, unknown: _ } = &record.edits;
    let vote = |kind, at| Vote { kind, subject: None, feedback_id: None, at, earlier: Vec::new() };
    let status = status.as_ref().and_then(|edit| match edit.value {
        TaskStatus::Completed => Some(vote(VoteKind::Completed, edit.at)),
        TaskStatus::Dismissed => Some(vote(VoteKind::Dismissed, edit.at)),
        TaskStatus::Open => None,
    });
    let times =
        [title.as_ref().map(|edit| edit.at), due.as_ref().map(|edit| edit.at), owner.as_ref().map(|edit| edit.at)];
    let edited = times.into_iter().flatten().max().map(|at| vote(VoteKind::Edited, at));
    status.into_iter().chain(edited).collect()
}

/// A report of the task as overlooked.
fn missed(seen: &Mention) -> Option<Vote> {
    seen.reported.as_ref().map(|report| Vote {
        kind: VoteKind::Missed,
        subject: Some(report.subject.clone()),
        feedback_id: Some(report.feedback_id),
        at: report.at,
        earlier: Vec::new(),
    })
}
