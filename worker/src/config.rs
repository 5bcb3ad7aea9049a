//! Settings of the worker.

use clap::ValueEnum;
use secrecy::SecretString;
use std::{num::NonZeroUsize, thread::available_parallelism, time::Duration};

/// How a worker works.
#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = "Worker")]
#[group(id = "worker")]
pub struct Config {
    /// What this worker is called in the store [default: the host's name and a random word]
    #[arg(long, env = "GLEANER_WORKER_NAME", value_name = "NAME")]
    pub worker_name: Option<String>,
    /// Threads that extract [default: one for each core]
    #[arg(long, env = "GLEANER_WORKER_THREADS", value_name = "N")]
    pub worker_threads: Option<NonZeroUsize>,
    /// Items read ahead at most
    #[arg(long, env = "GLEANER_BATCH_ENTRIES", default_value = "128", value_name = "N")]
    pub batch_entries: NonZeroUsize,
    /// Bytes of items read ahead: what is read waits for a thread, whoever's it is
    #[arg(long, env = "GLEANER_BATCH_BYTES", default_value = "262144", value_name = "BYTES")]
    pub batch_bytes: NonZeroUsize,
    /// Seconds after which the items of a silent worker are taken over
    #[arg(long, env = "GLEANER_TAKEOVER_S", default_value_t = 15, value_parser = clap::value_parser!(u64).range(2..=600))]
    pub takeover_s: u64,
    /// Attempts after which an item that its workers did not survive is given up
    #[arg(long, env = "GLEANER_MAX_DELIVERIES", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub max_deliveries: u32,
    /// Who extracts
    #[arg(long, env = "GLEANER_EXTRACTOR", value_enum, default_value_t = ExtractorKind::Builtin)]
    pub extractor: ExtractorKind,
    /// Where the language model is.
    #[command(flatten)]
    pub llm: LlmConfig,
}

/// Who extracts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ExtractorKind {
    /// The engine in this process: deterministic, without network
    Builtin,
    /// A language model behind an OpenAI-compatible endpoint; the builtin engine where it fails
    Llm,
}

/// Where the language model is.
#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = "Language model")]
pub struct LlmConfig {
    /// Base of an OpenAI-compatible API, e.g. http://127.0.0.1:11434/v1
    #[arg(long, env = "GLEANER_LLM_URL", value_name = "URL")]
    pub llm_url: Option<String>,
    /// Which model
    #[arg(long, env = "GLEANER_LLM_MODEL", value_name = "NAME")]
    pub llm_model: Option<String>,
    /// The API's key
    #[arg(long, env = "GLEANER_LLM_KEY", hide_env_values = true, value_name = "KEY")]
    pub llm_key: Option<SecretString>,
    /// Seconds that one answer may take
    #[arg(long, env = "GLEANER_LLM_TIMEOUT_S", default_value_t = 60, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub llm_timeout_s: u64,
}

impl Config {
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
