//! Mentions: what one item says of one task. A task's record is built of them, see [`crate::TaskRecord`].

use crate::{
    Due, Evidence, FeedbackId, ItemKey, JobId, Owner, Source, TaskId, TaskStatus, UnknownMembers, Urgency,
    learning::Signals,
};
use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What one item says of one task. An item speaks of a task once at most: several quotes stand in one mention.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Mention {
    /// The item that speaks.
    #[serde(flatten)]
    pub item: ItemKey,
    /// What people call the item.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item_title: Option<String>,
    /// When the item took place.
    pub occurred_at: DateTime<Utc>,
    /// The job that found it.
    pub job_id: JobId,
    /// SHA-256 (hex) of the transcript's UTF-8: which text the quotes' offsets mean.
    pub content_sha256: String,
    /// The task in a short imperative phrase.
    pub title: String,
    /// Who is to do it, where the item says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<Owner>,
    /// Whom "me" is waiting for, where the item says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiting_on: Option<String>,
    /// By when, where the item says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<Due>,
    /// Open, or completed where the item says that it is done.
    #[serde(default)]
    pub status: TaskStatus,
    /// How urgent the item says it is.
    #[serde(default)]
    pub urgency: Urgency,
    /// From 0 to 1.
    pub confidence: f64,
    /// Whether an explicit form declares it ("ACTION: …", "- [ ] …").
    #[serde(default)]
    pub explicit: bool,
    /// The words it rests on, in the order of the text; never empty.
    pub quotes: Vec<Quote>,
    /// Why it was taken for a task, strongest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<Reason>,
    /// Keys under which a later mention of the same task is found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<String>,
    /// What the engine saw of it, for learning.
    #[serde(default, rename = "looks", skip_serializing_if = "Signals::is_blank")]
    pub signals: Signals,
    /// How many days later than the engine read it the due date was taken to be, because people mean it so.
    #[serde(default, skip_serializing_if = "is_default")]
    pub moved_days: i64,
    /// Who reported it as overlooked, where the engine did not find it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reported: Option<MissedReport>,
    /// What a newer version wrote besides.
    #[serde(flatten)]
    pub unknown: UnknownMembers,
}

/// Whether a member says nothing that its absence would not.
pub(crate) fn is_default<T: Default + PartialEq>(member: &T) -> bool {
    *member == T::default()
}

/// A report that a task was overlooked.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MissedReport {
    /// The report's id, as that of a rating.
    pub feedback_id: FeedbackId,
    /// Who reported, as [`crate::Feedback::subject`].
    pub subject: String,
    /// When the report was taken in.
    pub at: DateTime<Utc>,
}

/// Words of a transcript.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Quote {
    /// The words, verbatim.
    pub text: String,
    /// First Unicode scalar.
    pub start: usize,
    /// One past the last.
    pub end: usize,
    /// Who said or wrote them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speaker: Option<String>,
    /// Seconds into the recording.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_s: Option<f64>,
}

/// One thing that spoke for or against a task.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Reason {
    /// In words, e.g. `first person promise ("I'll send")`.
    pub text: String,
    /// Its share of the score: positive speaks for a task.
    pub weight: f64,
    /// The rating of another task that says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feedback_id: Option<FeedbackId>,
    /// The other task of which somebody said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task_id: Option<TaskId>,
}

impl Reason {
    /// A reason that no rating gave.
    #[must_use]
    pub fn new(text: impl Into<String>, weight: f64) -> Self {
        Self { text: text.into(), weight, feedback_id: None, task_id: None }
    }
}

impl Mention {
    /// The item as the source of a task.
    #[must_use]
    pub fn source(&self) -> Source {
        Source {
            source_type: self.item.source_type.clone(),
            external_id: self.item.external_id.clone(),
            title: self.item_title.clone(),
            occurred_at: self.occurred_at,
            job_id: self.job_id,
            content_sha256: self.content_sha256.clone(),
        }
    }

    /// The quotes as evidence.
    pub fn evidence(&self) -> impl Iterator<Item = Evidence> {
        self.quotes.iter().map(|quote| Evidence {
            source_type: self.item.source_type.clone(),
            external_id: self.item.external_id.clone(),
            quote: quote.text.clone(),
            speaker: quote.speaker.clone(),
            start: quote.start,
            end: quote.end,
            at_s: quote.at_s,
            occurred_at: self.occurred_at,
        })
    }
}
