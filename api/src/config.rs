//! What can be set. Every setting is a flag or a `GLEANER_*` environment variable. 0 turns a limit off where the
//! setting's own words say "(0: no limit)"; elsewhere it is out of range.

use crate::tokens::issuer::TokenIssuer;
use axum::http::HeaderName;
use clap::Args;
use gleaner_crds::TokenLimits;
use gleaner_model::{MAX_PARTICIPANTS, MAX_TRANSCRIPT};
use gleaner_runtime::{connections::ConnectionLimits, shares::ShareLimits, target::TargetConfig};
use secrecy::SecretString;
use std::{net::SocketAddr, path::PathBuf, time::Duration};

/// Settings of the HTTP side.
#[derive(Args, Clone, Debug)]
pub struct ApiConfig {
    /// The binary that reads PDFs when it is started with [`crate::pdf::COMMAND`]; `None`: they are not taken.
    #[arg(skip)]
    pub pdf_reader: Option<PathBuf>,

    /// Address to serve on
    #[arg(long, env = "GLEANER_LISTEN", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,

    /// Path under which a proxy publishes this service, e.g. /gleaner
    #[arg(long, env = "GLEANER_PATH_PREFIX", default_value = "", value_parser = path_prefix)]
    pub path_prefix: String,

    /// Secret that seals the sessions of the web app: at least 32 characters, the same for all processes. Without it,
    /// each process makes its own, and a restart signs everybody out
    #[arg(long, env = "GLEANER_SESSION_KEY", hide_env_values = true, value_parser = long_secret)]
    pub session_key: Option<SecretString>,

    /// Header in which a proxy that signs people in says who it is, e.g. X-Forwarded-Email. Off unless this, the
    /// secret and the token are set
    #[arg(long, env = "GLEANER_PROXY_USER_HEADER", requires_all = ["proxy_secret", "proxy_token"])]
    pub proxy_user_header: Option<HeaderName>,

    /// Secret that the proxy sends in the header X-Gleaner-Proxy-Secret: at least 32 characters
    #[arg(long, env = "GLEANER_PROXY_SECRET", hide_env_values = true, value_parser = long_secret)]
    pub proxy_secret: Option<SecretString>,

    /// API token whose tenant and scopes they have who come through the proxy
    #[arg(long, env = "GLEANER_PROXY_TOKEN", hide_env_values = true)]
    pub proxy_token: Option<SecretString>,

    /// Where tokens made over HTTP are registered
    #[arg(long, env = "GLEANER_TOKEN_ISSUER", value_enum, default_value_t = TokenIssuer::Store)]
    pub token_issuer: TokenIssuer,

    /// What tokens made over HTTP may be at most.
    #[command(flatten)]
    pub token_limits: TokenLimits,

    /// Submissions a minute that one token may make in the long run, over all processes (0: no limit)
    #[arg(long, env = "GLEANER_RATE_LIMIT_PER_MINUTE", default_value_t = 120)]
    pub rate_limit_per_minute: u32,

    /// Submissions that one token may make at once (0: no limit)
    #[arg(long, env = "GLEANER_RATE_LIMIT_BURST", default_value_t = 300)]
    pub rate_limit_burst: u32,

    /// Submissions a minute that all tokens of one tenant may make together in the long run (0: no limit); ten times a
    /// token's when left out
    #[arg(long, env = "GLEANER_TENANT_RATE_LIMIT_PER_MINUTE")]
    pub tenant_rate_limit_per_minute: Option<u32>,

    /// Submissions that all tokens of one tenant may make at once (0: no limit); ten times a token's when left out
    #[arg(long, env = "GLEANER_TENANT_RATE_LIMIT_BURST")]
    pub tenant_rate_limit_burst: Option<u32>,

    /// Ratings and reports of overlooked tasks a minute that one token may give in the long run, over all processes (0: no
    /// limit)
    #[arg(long, env = "GLEANER_FEEDBACK_LIMIT_PER_MINUTE", default_value_t = 120)]
    pub feedback_limit_per_minute: u32,

    /// Ratings and reports of overlooked tasks that one token may give at once (0: no limit)
    #[arg(long, env = "GLEANER_FEEDBACK_LIMIT_BURST", default_value_t = 600)]
    pub feedback_limit_burst: u32,

    /// Tokens made over HTTP that one tenant may hold (0: no limit)
    #[arg(long, env = "GLEANER_MAX_TOKENS", default_value_t = 100)]
    pub max_tokens: u32,

    /// Tokens a minute that one tenant may make over HTTP in the long run; five times as many at once (0: no limit)
    #[arg(long, env = "GLEANER_TOKEN_LIMIT_PER_MINUTE", default_value_t = 30)]
    pub token_limit_per_minute: u32,

    /// Times a minute that one token may be signed in with in the long run; four times as many at once (0: no limit)
    #[arg(long, env = "GLEANER_SIGN_IN_LIMIT_PER_MINUTE", default_value_t = 30)]
    pub sign_in_limit_per_minute: u32,

    /// Jobs of one tenant that may wait before more are refused with 503 (0: no limit)
    #[arg(long, env = "GLEANER_BACKLOG_CAP", default_value_t = 100_000)]
    pub backlog_cap: u64,

    /// Longest request body, in bytes (0: no limit)
    #[arg(long, env = "GLEANER_MAX_BODY_BYTES", default_value_t = 1 << 20)]
    pub max_body_bytes: usize,

    /// Longest transcript, in characters (0: no limit)
    #[arg(long, env = "GLEANER_MAX_TRANSCRIPT_CHARS", default_value_t = MAX_TRANSCRIPT)]
    pub max_transcript_chars: usize,

    /// Names in the metadata `participants` that are used; further ones are left out, with a warning (0: no limit)
    #[arg(long, env = "GLEANER_MAX_PARTICIPANTS", default_value_t = MAX_PARTICIPANTS)]
    pub max_participants: usize,

    /// Longest form for signing in and for choosing a theme, which take no token, in bytes (0: no limit)
    #[arg(long, env = "GLEANER_MAX_FORM_BYTES", default_value_t = 8 << 10)]
    pub max_form_bytes: usize,

    /// Longest form with content to add: all its files together, in bytes (0: no limit)
    #[arg(long, env = "GLEANER_MAX_UPLOAD_BYTES", default_value_t = 16 << 20)]
    pub max_upload_bytes: usize,

    /// Memory that unfinished request bodies may take together, in MiB (0: no limit)
    #[arg(long, env = "GLEANER_BODY_MEMORY_MIB", default_value_t = 128)]
    pub body_memory_mib: usize,

    /// Webhooks that a tenant may have
    #[arg(long, env = "GLEANER_WEBHOOK_CAP", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub webhook_cap: u32,

    /// Where webhooks may go.
    #[command(flatten)]
    pub targets: TargetConfig,

    /// Connections served at once; beyond, the oldest that brought no token gives way, else new ones wait (0: no limit)
    #[arg(long, env = "GLEANER_MAX_CONNECTIONS", default_value_t = 10_000)]
    pub max_connections: usize,

    /// Connections of one client address served at once; beyond, its oldest that brought no token gives way, else new ones
    /// are closed. Behind a proxy all clients have its address (0: no limit)
    #[arg(long, env = "GLEANER_MAX_CONNECTIONS_PER_CLIENT", default_value_t = 2_000)]
    pub max_connections_per_client: usize,

    /// Connections of one tenant served at once (0: no limit)
    #[arg(long, env = "GLEANER_MAX_CONNECTIONS_PER_TENANT", default_value_t = 2_000)]
    pub max_connections_per_tenant: usize,

    /// Connections of one token served at once (0: no limit)
    #[arg(long, env = "GLEANER_MAX_CONNECTIONS_PER_TOKEN", default_value_t = 1_000)]
    pub max_connections_per_token: usize,

    /// Event streams served at once (0: no limit)
    #[arg(long, env = "GLEANER_MAX_LISTENERS", default_value_t = 1_000)]
    pub max_listeners: usize,

    /// Event streams of one tenant served at once (0: no limit)
    #[arg(long, env = "GLEANER_MAX_LISTENERS_PER_TENANT", default_value_t = 200)]
    pub max_listeners_per_tenant: usize,

    /// Event streams of one token served at once (0: no limit)
    #[arg(long, env = "GLEANER_MAX_LISTENERS_PER_TOKEN", default_value_t = 100)]
    pub max_listeners_per_token: usize,

    /// Answers held at once until a job ends (`Prefer: wait`); beyond, the answer comes at once (0: no limit)
    #[arg(long, env = "GLEANER_MAX_WAITS", default_value_t = 1_000)]
    pub max_waits: usize,

    /// Such answers held at once for one tenant (0: no limit)
    #[arg(long, env = "GLEANER_MAX_WAITS_PER_TENANT", default_value_t = 200)]
    pub max_waits_per_tenant: usize,

    /// Such answers held at once for one token (0: no limit)
    #[arg(long, env = "GLEANER_MAX_WAITS_PER_TOKEN", default_value_t = 50)]
    pub max_waits_per_token: usize,

    /// Seconds that a request's header may take, and that a connection may rest before its next request
    #[arg(long, env = "GLEANER_HEADER_TIMEOUT_S", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    pub header_timeout_s: u64,

    /// Seconds within which a request's body must have arrived
    #[arg(long, env = "GLEANER_BODY_TIMEOUT_S", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..))]
    pub body_timeout_s: u64,

    /// Seconds between two heartbeats of an event stream
    #[arg(long, env = "GLEANER_HEARTBEAT_S", default_value_t = 15, value_parser = clap::value_parser!(u64).range(1..))]
    pub heartbeat_s: u64,
}

impl ApiConfig {
    /// How long a request's header may take, and a connection rest before its next request.
    pub fn header_timeout(&self) -> Duration {
        Duration::from_secs(self.header_timeout_s)
    }

    /// How many connections are served at once.
    pub fn connections(&self) -> ConnectionLimits {
        ConnectionLimits {
            total: or_unlimited(self.max_connections),
            per_client: or_unlimited(self.max_connections_per_client),
            per_tenant: or_unlimited(self.max_connections_per_tenant),
            per_token: or_unlimited(self.max_connections_per_token),
        }
    }

    /// How many event streams are served at once.
    pub fn listeners(&self) -> ShareLimits {
        ShareLimits {
            total: or_unlimited(self.max_listeners),
            per_tenant: or_unlimited(self.max_listeners_per_tenant),
            per_token: or_unlimited(self.max_listeners_per_token),
        }
    }

    /// How many answers are held at once until a job ends.
    pub fn waits(&self) -> ShareLimits {
        ShareLimits {
            total: or_unlimited(self.max_waits),
            per_tenant: or_unlimited(self.max_waits_per_tenant),
            per_token: or_unlimited(self.max_waits_per_token),
        }
    }

    /// Within which a request's body must have arrived.
    pub fn body_timeout(&self) -> Duration {
        Duration::from_secs(self.body_timeout_s)
    }

    /// Time between two heartbeats of an event stream.
    pub fn heartbeat(&self) -> Duration {
        Duration::from_secs(self.heartbeat_s)
    }
}

/// A secret that can be guessed opens every session.
fn long_secret(text: &str) -> Result<SecretString, String> {
    if text.len() < 32 { Err("the secret has at least 32 characters".to_owned()) } else { Ok(text.into()) }
}

/// A prefix begins with a slash and ends without one; the root is written as nothing.
fn path_prefix(text: &str) -> Result<String, String> {
    let prefix = text.trim_end_matches('/');
    let plain = |c: char| c.is_ascii_alphanumeric() || "/-._~".contains(c);
    if prefix.is_empty() || (prefix.starts_with('/') && !prefix.contains("//") && prefix.chars().all(plain)) {
        Ok(prefix.to_owned())
    } else {
        Err("a prefix is a path such as /gleaner".to_owned())
    }
}

/// Where 0 means "no limit": the limit, or the largest number there is.
pub fn or_unlimited(limit: usize) -> usize {
    if limit == 0 { usize::MAX } else { limit }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_is_a_path_without_a_slash_at_the_end() {
        assert_eq!(path_prefix("/gleaner/").as_deref(), Ok("/gleaner"));
        assert_eq!(path_prefix("/").as_deref(), Ok(""));
        for bad in ["gleaner", "//evil", "/a?b", "/ä"] {
            assert!(path_prefix(bad).is_err(), "{bad}");
        }
    }
}
