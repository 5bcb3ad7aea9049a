//! What people set by hand.

use super::UnknownMembers;
use crate::{Due, Owner, TaskStatus};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// A value that a person set, and when.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Edit<T> {
    /// The value; of a member that can be cleared, an `Option`.
    pub value: T,
    /// When it was set.
    pub at: DateTime<Utc>,
}

/// What people set by hand: it stands above what items say.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Edits {
    /// Where the task stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<Edit<TaskStatus>>,
    /// What it is called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<Edit<String>>,
    /// By when; a value of `None` says that there is no due date.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub due: Option<Edit<Option<Due>>>,
    /// Who is to do it; a value of `None` says that it is nobody's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<Edit<Option<Owner>>>,
    /// Whom "me" is waiting for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waiting_on: Option<Edit<Option<String>>>,
    /// What people set in a newer version besides.
    #[serde(flatten)]
    pub unknown: UnknownMembers,
}

/// A change by hand: the members that are `Some` are set. Inner `None` clears.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TaskPatch {
    /// Where the task stands.
    pub status: Option<TaskStatus>,
    /// What it is called.
    pub title: Option<String>,
    /// By when; `Some(None)` takes the due date away.
    pub due: Option<Option<Due>>,
    /// Who is to do it.
    pub owner: Option<Option<Owner>>,
    /// Whom "me" is waiting for.
    pub waiting_on: Option<Option<String>>,
}

impl Edits {
    /// Whether nobody set anything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Takes over the members that the patch sets.
    pub fn apply(&mut self, patch: TaskPatch, at: DateTime<Utc>) {
        let TaskPatch { status, title, due, owner, waiting_on } = patch;
        set(&mut self.status, status, at);
        set(&mut self.title, title, at);
        set(&mut self.due, due, at);
        set(&mut self.owner, owner, at);
        set(&mut self.waiting_on, waiting_on, at);
    }
}

fn set<T>(slot: &mut Option<Edit<T>>, value: Option<T>, at: DateTime<Utc>) {
    if let Some(value) = value {
        *slot = Some(Edit { value, at });
    }
}
