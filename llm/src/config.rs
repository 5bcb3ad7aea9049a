//! Settings of the language model.

use secrecy::SecretString;

/// Where the language model is, and how it may be asked.
#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = "Language model")]
#[group(id = "llm")]
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
    /// Tokens that the model takes in and gives out together; longer texts are asked of in windows
    #[arg(long, env = "GLEANER_LLM_CONTEXT_TOKENS", default_value_t = 16_384, value_name = "N", value_parser = clap::value_parser!(u32).range(2048..=2_000_000))]
    pub llm_context_tokens: u32,
    /// Tokens that one answer may have
    #[arg(long, env = "GLEANER_LLM_MAX_TOKENS", default_value_t = 4096, value_name = "N", value_parser = clap::value_parser!(u32).range(64..=200_000))]
    pub llm_max_tokens: u32,
    /// Seconds that one answer may take
    #[arg(long, env = "GLEANER_LLM_TIMEOUT_S", default_value_t = 60, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub llm_timeout_s: u64,
    /// Requests under way at once, over all workers
    #[arg(long, env = "GLEANER_LLM_CONCURRENCY", default_value_t = 4, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub llm_concurrency: u32,
    /// PEM file of the authority that signed the endpoint's certificate, besides the usual ones
    #[arg(long, env = "GLEANER_LLM_CA_FILE", value_name = "FILE")]
    pub llm_ca_file: Option<std::path::PathBuf>,
    /// Headers of each request, one `Name: value` a line, e.g. for a gateway
    #[arg(long, env = "GLEANER_LLM_EXTRA_HEADERS", hide_env_values = true, value_name = "HEADERS")]
    pub llm_extra_headers: Option<SecretString>,
}
