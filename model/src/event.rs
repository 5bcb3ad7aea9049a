//! What the tenant's event stream tells.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What happened.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, JsonSchema)]
pub enum EventKind {
    /// A job's tasks are recorded.
    #[serde(rename = "job.succeeded")]
    JobSucceeded,
    /// A job was given up.
    #[serde(rename = "job.failed")]
    JobFailed,
    /// A task was found.
    #[serde(rename = "task.created")]
    TaskCreated,
    /// A task changed.
    #[serde(rename = "task.updated")]
    TaskUpdated,
    /// A task was completed.
    #[serde(rename = "task.completed")]
    TaskCompleted,
    /// A task was dismissed, or disappeared.
    #[serde(rename = "task.dismissed")]
    TaskDismissed,
}

impl EventKind {
    /// Every kind, in the order of the enum.
    pub const ALL: [Self; 6] = [
        Self::JobSucceeded,
        Self::JobFailed,
        Self::TaskCreated,
        Self::TaskUpdated,
        Self::TaskCompleted,
        Self::TaskDismissed,
    ];

    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::JobSucceeded => "job.succeeded",
            Self::JobFailed => "job.failed",
            Self::TaskCreated => "task.created",
            Self::TaskUpdated => "task.updated",
            Self::TaskCompleted => "task.completed",
            Self::TaskDismissed => "task.dismissed",
        }
    }
}

/// One event: its position in the stream, what happened, and the record it happened to.
#[derive(Clone, PartialEq, Debug)]
pub struct Event {
    /// Position in the tenant's stream, resumable with `Last-Event-ID`.
    pub id: String,
    /// What happened to the job or task.
    pub kind: EventKind,
    /// The job or task as JSON, as the API would answer it.
    pub data: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_the_type_is_listed_under_its_name_on_the_wire() {
        let schema = serde_json::to_string(&schemars::schema_for!(EventKind)).unwrap();
        // The derived schema has an entry for each variant, whatever the list says.
        assert_eq!(schema.matches("\"const\"").count(), EventKind::ALL.len());
        assert!(EventKind::ALL.into_iter().all(|kind| serde_json::to_value(kind).unwrap() == kind.as_str()));
    }
}
