//! What is known around an item: open tasks that it may speak of, and how people rated earlier findings.

use crate::question::short;
use chrono::NaiveDate;
use gleaner_model::{TaskId, TaskStatus};

/// What stands in the question beside the item.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Background {
    /// Tasks that the item may speak of; the answer names them by their place, from 1.
    pub known: Vec<KnownTask>,
    /// How people rated earlier findings.
    pub ratings: Vec<Rated>,
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

/// One earlier finding and what people made of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Rated {
    /// The task that was rated.
    pub task: TaskId,
    /// The words it rested on.
    pub quote: String,
    /// What was said of it.
    pub verdict: Judgement,
}

/// What people made of a finding.
#[derive(Clone, Debug, PartialEq)]
pub enum Judgement {
    /// No task at all.
    Rejected,
    /// A task, and of use.
    Welcome,
    /// A task that was overlooked, and what it is called.
    Missed(String),
    /// A task that people called or meant otherwise.
    Corrected(String),
}

impl Rated {
    /// As the question shows it.
    pub(crate) fn shown(&self) -> String {
        let quote = short(&self.quote);
        match &self.verdict {
            Judgement::Rejected => format!("rejected, no task: \"{quote}\""),
            Judgement::Welcome => format!("right: \"{quote}\""),
            Judgement::Missed(title) => format!("missed, it is a task: \"{quote}\" -> {}", short(title)),
            Judgement::Corrected(how) => format!("corrected: \"{quote}\" -> {}", short(how)),
        }
    }
}
