//! What people say of a task.

use crate::{FeedbackId, TaskId, input};
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
    #[serde(deserialize_with = "input::owner", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<input::OwnerInput>")]
    pub owner: Option<String>,
    /// By when: the day, or a due date as a task shows one.
    #[serde(deserialize_with = "input::due", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<input::DueInput>")]
    pub due: Option<NaiveDate>,
    /// Whether `owner` is the rater: whoever takes the rating in says so.
    #[serde(skip)]
    pub owner_is_me: bool,
}

/// The body of `POST /tasks/{id}/feedback`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FeedbackRequest {
    /// Thumb up or down.
    pub rating: Rating,
    /// What is wrong with it, or how much it matters.
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
    /// The rating's own id, by which reasons name it.
    pub feedback_id: FeedbackId,
    /// The task that was rated.
    pub task_id: TaskId,
    /// Who rated: [`crate::Subject::key`], or the token's id where the subject has neither name nor address.
    pub subject: String,
    /// What was said, as the request had it.
    #[serde(flatten)]
    pub request: FeedbackRequest,
    /// When it was recorded.
    pub created_at: DateTime<Utc>,
    /// How many items spoke of the task then.
    #[serde(default)]
    pub items: usize,
    /// When the subject had rejected the task before, each time before another item spoke of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<DateTime<Utc>>,
    /// Whether the owner that it names is the rater.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub owner_is_me: bool,
}

/// Most earlier rejections that are remembered.
const MOST_EARLIER: usize = 7;

impl Feedback {
    /// A rating that is given now.
    #[must_use]
    pub fn new(
        feedback_id: FeedbackId,
        task_id: TaskId,
        subject: &str,
        request: FeedbackRequest,
        now: DateTime<Utc>,
    ) -> Self {
        let subject = subject.to_owned();
        let owner_is_me = request.correction.as_ref().is_some_and(|correction| correction.owner_is_me);
        Self { feedback_id, task_id, subject, request, created_at: now, items: 0, earlier: Vec::new(), owner_is_me }
    }

    /// Whether it says that this is no task.
    #[must_use]
    pub fn rejects(&self) -> bool {
        let reason = self.request.reason;
        self.request.rating == Rating::Down && matches!(reason, None | Some(FeedbackReason::NotATask))
    }

    /// The rating of a task of which so many items speak, in place of the subject's last one. To reject a task once more says
    /// more only where another item has spoken of it since.
    #[must_use]
    pub fn in_place_of(self, last: Option<&Self>, items: usize) -> Self {
        let mut earlier = Vec::new();
        if let Some(last) = last.filter(|last| last.rejects() && self.rejects()) {
            earlier.clone_from(&last.earlier);
            earlier.extend((items > last.items).then_some(last.created_at));
        }
        earlier.drain(..earlier.len().saturating_sub(MOST_EARLIER));
        Self { items, earlier, ..self }
    }
}
