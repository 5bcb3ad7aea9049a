//! What can be set. Every setting is a flag or a `GLEANER_*` environment variable.

use crate::uninstall;
use clap::Args;
use gleaner_crds::TokenLimits;
use gleaner_runtime::target::TargetConfig;
use std::time::Duration;

/// Settings of the controller.
#[derive(Args, Clone, Debug)]
pub struct ControllerConfig {
    /// Namespaces to watch, separated by commas; all of them when left out
    #[arg(long, env = "GLEANER_WATCH_NAMESPACES", value_delimiter = ',', value_name = "NAMESPACES")]
    pub watch_namespaces: Vec<String>,

    /// Namespace of the Lease by which controllers agree on a leader; the controller's own when left out
    #[arg(long, env = "GLEANER_LEASE_NAMESPACE", value_name = "NAMESPACE")]
    pub lease_namespace: Option<String>,

    /// Name of that Lease
    #[arg(long, env = "GLEANER_LEASE_NAME", default_value = "gleaner-controller", value_name = "NAME")]
    pub lease_name: String,

    /// Seconds after which another controller takes over from a leader that it does not hear of
    #[arg(long, env = "GLEANER_LEASE_TERM_S", default_value_t = 15, value_parser = clap::value_parser!(u64).range(2..=300), value_name = "SECONDS")]
    pub lease_term_s: u64,

    /// Name of this process among the controllers; made from the host's name when left out
    #[arg(long, env = "GLEANER_CONTROLLER_IDENTITY", value_name = "NAME")]
    pub controller_identity: Option<String>,

    /// Seconds between two comparisons of the whole store with all ApiTokens
    #[arg(long, env = "GLEANER_RESYNC_S", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..=86_400), value_name = "SECONDS")]
    pub resync_s: u64,

    /// Seconds between two looks whether the store is there and has lost nothing
    #[arg(long, env = "GLEANER_STORE_CHECK_S", default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=300), value_name = "SECONDS")]
    pub store_check_s: u64,

    /// Revoke every credential, release every ApiToken, and end: to be run before Gleaner is removed
    #[arg(long, env = "GLEANER_CONTROLLER_UNINSTALL")]
    pub uninstall: bool,

    /// ApiTokens that are worked on at the same time
    #[arg(long, env = "GLEANER_RECONCILE_CONCURRENCY", default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..), value_name = "COUNT")]
    pub reconcile_concurrency: u16,

    /// What tokens may be at most.
    #[command(flatten)]
    pub limits: TokenLimits,

    /// Webhooks that a namespace may have
    #[arg(long, env = "GLEANER_WEBHOOK_CAP", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub webhook_cap: u32,

    /// Where webhooks may go.
    #[command(flatten)]
    pub targets: TargetConfig,
}

impl ControllerConfig {
    pub(crate) fn lease_term(&self) -> Duration {
        if self.uninstall { uninstall::QUIET } else { Duration::from_secs(self.lease_term_s) }
    }

    pub(crate) fn resync(&self) -> Duration {
        Duration::from_secs(self.resync_s)
    }

    pub(crate) fn store_check(&self) -> Duration {
        Duration::from_secs(self.store_check_s)
    }

    /// This process's name, unlike that of any other run of it.
    pub(crate) fn identity(&self) -> String {
        let host = || std::fs::read_to_string("/proc/sys/kernel/hostname").ok().map(|name| name.trim().to_owned());
        let name = self.controller_identity.clone().or_else(host);
        format!("{}_{}", name.unwrap_or_else(|| "controller".to_owned()), uuid::Uuid::new_v4().simple())
    }
}
