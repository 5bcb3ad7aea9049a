//! Where the store is and how long to wait for it.

use clap::Args;
use secrecy::SecretString;
use std::{path::PathBuf, time::Duration};

/// The settings that every process with a store shares.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Store")]
pub struct StoreConfig {
    /// Redis or Valkey ≥ 6.2: `redis://[user[:password]@]host[:port][/db]`, `rediss://` for TLS,
    /// `redis+cluster://host:port,host:port`, `redis+sentinel://host:port,host:port/master[/db]` (`rediss+…` for TLS).
    #[arg(
        long = "redis-url",
        env = "GLEANER_REDIS_URL",
        default_value = "redis://127.0.0.1:6379",
        hide_env_values = true
    )]
    pub url: SecretString,
    /// User of the store, where the URL names none.
    #[arg(long = "redis-username", env = "GLEANER_REDIS_USERNAME")]
    pub username: Option<String>,
    /// Password of the store, where the URL names none.
    #[arg(long = "redis-password", env = "GLEANER_REDIS_PASSWORD", hide_env_values = true)]
    pub password: Option<SecretString>,
    /// Password of the Sentinels, where they ask for one.
    #[arg(long = "redis-sentinel-password", env = "GLEANER_REDIS_SENTINEL_PASSWORD", hide_env_values = true)]
    pub sentinel_password: Option<SecretString>,
    /// PEM file of the authority that signed the store's certificate; absent: the system's authorities.
    #[arg(long = "redis-ca-file", env = "GLEANER_REDIS_CA_FILE")]
    pub ca_file: Option<PathBuf>,
    /// First word of every key and channel, so that several installations can share a store.
    #[arg(long = "redis-prefix", env = "GLEANER_REDIS_PREFIX", default_value = "gleaner")]
    pub prefix: String,
    /// Partitions of the queue, 1–1024. Fixed when the store is first used.
    #[arg(long = "redis-partitions", env = "GLEANER_REDIS_PARTITIONS", default_value_t = 16)]
    pub partitions: u16,
    /// Longest wait for a connection, in milliseconds.
    #[arg(long = "redis-connect-timeout-ms", env = "GLEANER_REDIS_CONNECT_TIMEOUT_MS", default_value_t = 1000)]
    pub connect_timeout_ms: u64,
    /// Longest wait for a store that answers slowly, in milliseconds.
    #[arg(long = "redis-response-timeout-ms", env = "GLEANER_REDIS_RESPONSE_TIMEOUT_MS", default_value_t = 10_000)]
    pub response_timeout_ms: u64,
    /// How long the store may refuse, or be silent to every request, before it counts as away, in milliseconds.
    #[arg(long = "redis-timeout-ms", env = "GLEANER_REDIS_TIMEOUT_MS", default_value_t = 2500)]
    pub timeout_ms: u64,
    /// Replicas that must have a submission before it counts as accepted. With all of them it survives the loss of the
    /// master; while fewer answer, nothing is accepted.
    #[arg(long = "redis-wait-replicas", env = "GLEANER_REDIS_WAIT_REPLICAS", default_value_t = 0)]
    pub wait_replicas: u8,
    /// How long a finished job is kept, in hours.
    #[arg(long = "job-retention-hours", env = "GLEANER_JOB_RETENTION_HOURS", default_value_t = 168)]
    pub job_retention_hours: u64,
    /// Events kept for each tenant, for clients that resume.
    #[arg(long = "events-kept", env = "GLEANER_EVENTS_KEPT", default_value_t = 10_000)]
    pub events_kept: u64,
    /// Bytes of events kept for each tenant.
    #[arg(long = "events-kept-bytes", env = "GLEANER_EVENTS_KEPT_BYTES", default_value_t = 8 * 1024 * 1024)]
    pub events_kept_bytes: u64,
}

impl StoreConfig {
    /// The settings of a store at `url`, everything else as it comes.
    #[must_use]
    pub fn at(url: impl Into<String>) -> Self {
        Self {
            url: SecretString::from(url.into()),
            username: None,
            password: None,
            sentinel_password: None,
            ca_file: None,
            prefix: "gleaner".to_owned(),
            partitions: 16,
            connect_timeout_ms: 1000,
            response_timeout_ms: 10_000,
            timeout_ms: 2500,
            wait_replicas: 0,
            job_retention_hours: 168,
            events_kept: 10_000,
            events_kept_bytes: 8 * 1024 * 1024,
        }
    }

    /// Longest wait for a connection.
    #[must_use]
    pub const fn connect_timeout(&self) -> Duration {
        Duration::from_millis(self.connect_timeout_ms)
    }

    /// Longest wait for a store that answers others.
    #[must_use]
    pub const fn response_timeout(&self) -> Duration {
        Duration::from_millis(self.response_timeout_ms)
    }

    /// Longest wait for a store that answers nobody.
    #[must_use]
    pub const fn timeout(&self) -> Duration {
        Duration::from_millis(self.timeout_ms)
    }

    /// How long a finished job is kept.
    #[must_use]
    pub const fn job_retention(&self) -> Duration {
        Duration::from_secs(self.job_retention_hours * 3600)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use secrecy::ExposeSecret;

    #[derive(Parser)]
    struct Probe {
        #[command(flatten)]
        store: StoreConfig,
    }

    #[test]
    fn the_command_lines_defaults_are_those_of_the_library() {
        let parsed = Probe::parse_from(["probe", "--redis-url", "redis://h"]).store;
        let built = StoreConfig::at("redis://h");
        assert_eq!(parsed.url.expose_secret(), built.url.expose_secret());
        assert_eq!(format!("{parsed:?}"), format!("{built:?}"));
    }

    #[test]
    fn secrets_are_not_printed() {
        let config = StoreConfig::at("redis://:hunter2@h");
        assert!(!format!("{config:?}").contains("hunter2"));
    }
}
