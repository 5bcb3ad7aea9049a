//! What people say of a task.

use crate::{FeedbackId, TaskId, given};
use chrono::{DateTime, NaiveDate, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Thumb up or down.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Rating {
    /// Right and useful.
    Up,
    /// Wrong, or of no use.
    Down,
}

/// Why somebody rated as they did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FeedbackReason {
    /// There is nothing to do.
    NotATask,
    /// Somebody else is to do it.
    WrongOwner,
    /// The date is wrong.
    WrongDue,
    /// The same task is there already.
    Duplicate,
    /// True, but it does not matter.
    NotImportant,
    /// It matters more than most.
    Important,
}

impl FeedbackReason {
    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NotATask => "not_a_task",
            Self::WrongOwner => "wrong_owner",
            Self::WrongDue => "wrong_due",
            Self::Duplicate => "duplicate",
            Self::NotImportant => "not_important",
            Self::Important => "important",
        }
    }
}

/// What is right instead.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Correction {
    /// The right title.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 500))]
    pub title: Option<String>,
    /// Who is to do it: the name, or an owner as a task shows one.
    #[serde(deserialize_with = "given::owner", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<given::GivenOwner>")]
    pub owner: Option<String>,
    /// By when: the day, or a due date as a task shows one.
    #[serde(deserialize_with = "given::due", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<given::GivenDue>")]
    pub due: Option<NaiveDate>,
}

/// The body of `POST /tasks/{id}/feedback`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FeedbackRequest {
    /// Thumb up or down.
    pub rating: Rating,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<FeedbackReason>,
    /// In your own words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 2000))]
    pub comment: Option<String>,
    /// What is right instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correction: Option<Correction>,
}

/// The answer: the rating is recorded.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FeedbackReceipt {
    /// The rating's id.
    pub feedback_id: FeedbackId,
    /// The task rated.
    pub task_id: TaskId,
    /// Thumb up or down.
    pub rating: Rating,
    /// When it was recorded.
    pub created_at: DateTime<Utc>,
}

/// A recorded rating: one per subject and task, a second replaces the first.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Feedback {
    /// The rating's id.
    pub feedback_id: FeedbackId,
    /// The task rated.
    pub task_id: TaskId,
    /// Who rated: [`crate::Subject::key`], or the token's id where the subject has neither name nor address.
    pub subject: String,
    /// What was said.
    #[serde(flatten)]
    pub request: FeedbackRequest,
    /// When it was recorded.
    pub created_at: DateTime<Utc>,
}
