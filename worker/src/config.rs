//! Settings of the worker.

use chrono::TimeDelta;
use clap::ValueEnum;
use gleaner_llm::LlmConfig;
use gleaner_model::TenantId;
use gleaner_runtime::target::TargetConfig;
use std::{num::NonZeroUsize, thread::available_parallelism, time::Duration};

/// How a worker works.
#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = "Worker")]
#[group(id = "worker")]
pub struct WorkerConfig {
    /// What this worker is called in the store [default: the host's name and a random word]
    #[arg(long, env = "GLEANER_WORKER_NAME", value_name = "NAME")]
    pub worker_name: Option<String>,
    /// Threads that extract [default: one for each core]
    #[arg(long, env = "GLEANER_WORKER_THREADS", value_name = "N")]
    pub worker_threads: Option<NonZeroUsize>,
    /// Items read ahead at most; a tenant alone fills half of the room
    #[arg(long, env = "GLEANER_BATCH_ENTRIES", default_value = "128", value_name = "N")]
    pub batch_entries: NonZeroUsize,
    /// Bytes of items read ahead at most; a longer item counts as an eighth
    #[arg(long, env = "GLEANER_BATCH_BYTES", default_value = "262144", value_name = "BYTES")]
    pub batch_bytes: NonZeroUsize,
    /// Seconds after which the items of a silent worker are taken over
    #[arg(long, env = "GLEANER_TAKEOVER_S", default_value_t = 15, value_parser = clap::value_parser!(u64).range(2..=600))]
    pub takeover_s: u64,
    /// Attempts after which an item that its workers did not survive is given up
    #[arg(long, env = "GLEANER_MAX_DELIVERIES", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub max_deliveries: u32,
    /// Most tasks that an item gives, the likeliest; 0: any number
    #[arg(long, env = "GLEANER_MAX_TASKS_PER_ITEM", default_value_t = 200, value_name = "N")]
    pub max_tasks_per_item: usize,
    /// Who extracts
    #[arg(long, env = "GLEANER_EXTRACTOR", value_enum, default_value_t = ExtractorKind::Builtin)]
    pub extractor: ExtractorKind,
    /// Where the language model is.
    #[command(flatten)]
    pub llm: LlmConfig,
    /// How webhooks are sent.
    #[command(flatten)]
    pub webhooks: WebhookConfig,
    /// Where webhooks may go: said once for a process, whatever runs in it.
    #[arg(skip)]
    pub targets: TargetConfig,
    /// Tokens a minute that all workers together spend at most; 0: any number
    #[arg(
        long,
        env = "GLEANER_LLM_TOKENS_PER_MINUTE",
        default_value_t = 0,
        value_name = "N",
        help_heading = "Language model"
    )]
    pub llm_tokens_per_minute: u64,
    /// Tokens a minute that are spent for one tenant at most; 0: any number
    #[arg(
        long,
        env = "GLEANER_LLM_TENANT_TOKENS_PER_MINUTE",
        default_value_t = 0,
        value_name = "N",
        help_heading = "Language model"
    )]
    pub llm_tenant_tokens_per_minute: u64,
    /// Tenants whose items go to the model, comma separated; the builtin engine reads the others' [default: all]
    #[arg(
        long,
        env = "GLEANER_LLM_TENANTS",
        value_delimiter = ',',
        value_name = "NAMES",
        help_heading = "Language model"
    )]
    pub llm_tenants: Vec<TenantId>,
}

/// The extractor that reads the items of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExtractorKind {
    /// The engine in this process: deterministic, without network
    Builtin,
    /// A language model behind an OpenAI-compatible endpoint; the builtin engine where it fails
    Llm,
}

/// How webhooks are sent.
#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = "Webhooks")]
pub struct WebhookConfig {
    /// Seconds between the attempts to send a message; after the last, it is given up
    #[arg(
        long,
        env = "GLEANER_WEBHOOK_RETRY_S",
        value_delimiter = ',',
        default_value = "5,300,1800,7200,18000,36000,36000",
        value_name = "SECONDS"
    )]
    pub webhook_retry_s: Vec<u32>,
    /// Seconds that one attempt may take
    #[arg(long, env = "GLEANER_WEBHOOK_TIMEOUT_S", default_value_t = 15, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=60))]
    pub webhook_timeout_s: u64,
    /// Seconds of nothing but failures after which nothing more is sent to an endpoint
    #[arg(long, env = "GLEANER_WEBHOOK_DISABLE_AFTER_S", default_value_t = 432_000, value_name = "SECONDS")]
    pub webhook_disable_after_s: u32,
}

impl WebhookConfig {
    /// How long to wait after that many tries, up to a tenth longer so that not everybody comes back at once; `None` when
    /// it is to be given up.
    #[must_use]
    pub fn retry_after(&self, tries: usize) -> Option<TimeDelta> {
        let seconds = *self.webhook_retry_s.get(tries.checked_sub(1)?)?;
        let jitter = i64::from(seconds) * i64::from(rand::random_range(0..100_u32));
        Some(TimeDelta::milliseconds(i64::from(seconds) * 1000 + jitter))
    }

    /// How long an endpoint may fail before nothing more is sent to it.
    #[must_use]
    pub fn disable_after(&self) -> TimeDelta {
        TimeDelta::seconds(i64::from(self.webhook_disable_after_s))
    }

    /// How long one attempt may take.
    #[must_use]
    pub const fn timeout(&self) -> Duration {
        Duration::from_secs(self.webhook_timeout_s)
    }
}

impl WorkerConfig {
    /// How many threads extract.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.worker_threads.map_or_else(|| available_parallelism().map_or(1, usize::from), usize::from)
    }

    /// How long a worker may be silent before its items are taken over.
    #[must_use]
    pub fn takeover(&self) -> Duration {
        Duration::from_secs(self.takeover_s)
    }
}
