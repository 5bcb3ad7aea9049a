//! Lists of tasks: filters and text, two orders, cursors.
//!
//! A page is found in three steps: postings give the hits ([`hits`]), columns and sorted lists give their order
//! ([`walk`]), and each record is compared with the query itself before it is shown ([`filter`]). A day before which tasks
//! are due has no posting: [`page`] cuts the hits down to what the sorted list of due days holds until then.

pub(crate) mod cursor;
pub(crate) mod filter;
pub(crate) mod hits;
pub(crate) mod order;
mod page;
mod reads;
mod walk;
pub(crate) mod words;

#[cfg(test)]
mod tests;

use chrono::NaiveDate;
use gleaner_model::{ExternalId, SourceType, TaskStatus};

/// Which tasks to list, and how. The default is the first page of 50 open tasks, latest mention first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TaskQuery {
    /// Where they stand.
    pub status: TaskStatus,
    /// Whether somebody else owes them to "me".
    pub waiting_on: Option<bool>,
    /// Words that must all begin a word of title, evidence or owner. Without any letter or digit it finds nothing;
    /// blank counts as absent.
    pub q: Option<String>,
    /// Whole words of the owner's name, or `me`.
    pub owner: Option<String>,
    /// Due earlier than that day.
    pub due_before: Option<NaiveDate>,
    /// Mentioned in an item of that kind.
    pub source_type: Option<SourceType>,
    /// Mentioned in an item of that id; with `source_type` in that very item.
    pub external_id: Option<ExternalId>,
    /// The order.
    pub sort: Sort,
    /// Most tasks on the page.
    pub limit: usize,
    /// `next_cursor` of the page before.
    pub cursor: Option<String>,
}

impl Default for TaskQuery {
    fn default() -> Self {
        Self {
            status: TaskStatus::Open,
            waiting_on: None,
            q: None,
            owner: None,
            due_before: None,
            source_type: None,
            external_id: None,
            sort: Sort::Recent,
            limit: 50,
            cursor: None,
        }
    }
}

/// The order of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Sort {
    /// Latest mention first.
    #[default]
    Recent,
    /// Highest priority first.
    Priority,
}
