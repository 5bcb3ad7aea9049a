//! Jobs: one submission of an item on its way through a worker.

use crate::{ExternalId, JobId, SourceType, TaskId};
use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `accepted → running → succeeded | failed`, and `running → accepted` again when a worker was lost.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum JobStatus {
    /// In the store, waiting for a worker.
    Accepted,
    /// A worker has it.
    Running,
    /// Its tasks are recorded.
    Succeeded,
    /// Given up; `error` says why. It can be requeued.
    Failed,
}

impl JobStatus {
    /// Every status, in the order in which a job can have them.
    pub const ALL: [Self; 4] = [Self::Accepted, Self::Running, Self::Succeeded, Self::Failed];

    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Running => "running",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
        }
    }

    /// Whether the job has ended.
    #[must_use]
    pub const fn is_final(self) -> bool {
        matches!(self, Self::Succeeded | Self::Failed)
    }
}

/// Why a job failed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct JobFailure {
    /// A stable word for the reason, e.g. `delivery-limit`.
    pub code: String,
    /// The reason in a sentence.
    pub message: String,
}

/// What a language model was asked, in its own tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Usage {
    /// Tokens of the questions.
    pub input_tokens: u64,
    /// Tokens of the answers.
    pub output_tokens: u64,
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.input_tokens += other.input_tokens;
        self.output_tokens += other.output_tokens;
    }
}

/// One submission of an item.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Job {
    /// The job's id.
    pub job_id: JobId,
    /// Where it stands.
    pub status: JobStatus,
    /// Kind of the item.
    pub source_type: SourceType,
    /// The item's id in the client's own system.
    pub external_id: ExternalId,
    /// The key under which a repetition is recognised.
    pub idempotency_key: String,
    /// How often a worker has begun it.
    pub attempts: u32,
    /// How many tasks the item holds; null until the job has succeeded.
    pub tasks_extracted: Option<u32>,
    /// How many more the text holds, less likely ones, beyond the most that an item may give.
    #[serde(default)]
    pub tasks_over_cap: u32,
    /// Those tasks.
    pub task_ids: Vec<TaskId>,
    /// How many candidates were left out because of what feedback has taught.
    pub suppressed: u32,
    /// Engine and model revision, e.g. `builtin/1+r12`.
    pub extractor: Option<String>,
    /// What the language model cost; null where none was asked.
    #[serde(default)]
    pub usage: Option<Usage>,
    /// When it was accepted.
    pub accepted_at: DateTime<Utc>,
    /// When a worker last began it.
    #[serde(default)]
    pub started_at: Option<DateTime<Utc>>,
    /// When it ended.
    #[serde(default)]
    pub finished_at: Option<DateTime<Utc>>,
    /// Why it failed.
    pub error: Option<JobFailure>,
}
