//! What a model is told beside an item: open tasks that it may speak of, and how people rated earlier findings.

use crate::question::short;
use chrono::NaiveDate;
use gleaner_model::{TaskId, TaskStatus};

/// What stands in the question beside the item.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PromptContext {
    /// Tasks that the item may speak of; the answer names them by their place, from 1.
    pub known: Vec<KnownTask>,
    /// How people rated earlier findings.
    pub ratings: Vec<RatedExample>,
}

/// A task that an item may speak of.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownTask {
    /// The task.
    pub id: TaskId,
    /// What it is called.
    pub title: String,
    /// Who is to do it.
    pub owner: Option<String>,
    /// By when.
    pub due: Option<NaiveDate>,
    /// Where it stands.
    pub status: TaskStatus,
    /// Keys under which it is found again.
    pub links: Vec<String>,
}

impl KnownTask {
    /// As the question shows it.
    pub(crate) fn shown(&self) -> String {
        let owner = self.owner.as_deref().map_or_else(|| "nobody named".to_owned(), short);
        let due = self.due.map(|due| format!(", due {due}")).unwrap_or_default();
        format!("{} ({owner}{due}, {})", short(&self.title), self.status.as_str())
    }
}

/// An earlier finding and what people made of it, as an example of what they want.
#[derive(Clone, Debug, PartialEq)]
pub struct RatedExample {
    /// The task that was rated.
    pub task: TaskId,
    /// The words it rested on.
    pub quote: String,
    /// What was said of it.
    pub verdict: FeedbackVerdict,
}

/// What people made of a finding.
#[derive(Clone, Debug, PartialEq)]
pub enum FeedbackVerdict {
    /// No task at all.
    Rejected,
    /// A task, and of use.
    Welcome,
    /// A task that was overlooked, and what it is called.
    Missed(String),
    /// A task that people called or meant otherwise.
    Corrected(String),
}

impl RatedExample {
    /// As the question shows it.
    pub(crate) fn shown(&self) -> String {
        let quote = short(&self.quote);
        match &self.verdict {
            FeedbackVerdict::Rejected => format!("rejected, no task: \"{quote}\""),
            FeedbackVerdict::Welcome => format!("right: \"{quote}\""),
            FeedbackVerdict::Missed(title) => format!("missed, it is a task: \"{quote}\" -> {}", short(title)),
            FeedbackVerdict::Corrected(how) => format!("corrected: \"{quote}\" -> {}", short(how)),
        }
    }
}
