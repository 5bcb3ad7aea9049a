//! `gleaner api | worker | controller`: the processes, each with its logs, admin port and shutdown.

use crate::failure::{CliError, CliResult};
use clap::Args;
use gleaner_runtime::{
    Shutdown, ShutdownConfig,
    admin::{self, AdminConfig, ReadinessProbe},
    log::{self, LogConfig},
    target::TargetConfig,
};
use gleaner_store::{Store, StoreConfig};
use prometheus_client::registry::Registry;
use std::{
    future::Future,
    sync::{Arc, OnceLock},
    time::{Duration, Instant},
};

/// Pause between two tries to reach the store at the start.
const PAUSE: Duration = Duration::from_secs(1);
/// How long an uninstallation waits for the store: Helm tries it three times in two minutes.
const UNINSTALL_TIMEOUT: Duration = Duration::from_secs(30);
/// What it leaves where it waited in vain.
const NOT_UNINSTALLED: &str = "nothing was revoked or released: every ApiToken and Webhook keeps its finalizer, for which \
    the end of a namespace waits; start the store and uninstall again, or see Uninstall in docs/admins.md";
/// How long threads that still extract may delay the end.
const LAST: Duration = Duration::from_secs(1);

/// What every process has.
#[derive(Args, Debug)]
pub struct Common {
    #[command(flatten)]
    pub store: StoreConfig,
    #[command(flatten)]
    pub admin: AdminConfig,
    #[command(flatten)]
    pub shutdown: ShutdownConfig,
    #[command(flatten)]
    pub log: LogConfig,
}

/// Serves HTTP.
#[derive(Args, Debug)]
pub struct ApiArgs {
    #[command(flatten)]
    config: gleaner_api::ApiConfig,
    #[command(flatten)]
    common: Common,
}

/// Extracts.
#[derive(Args, Debug)]
pub struct WorkerArgs {
    #[command(flatten)]
    config: gleaner_worker::WorkerConfig,
    #[command(flatten)]
    targets: TargetConfig,
    #[command(flatten)]
    common: Common,
}

/// Reconciles.
#[derive(Args, Debug)]
pub struct ControllerArgs {
    #[command(flatten)]
    config: gleaner_controller::ControllerConfig,
    #[command(flatten)]
    common: Common,
}

/// Serves the API until the process is told to end.
pub fn api(mut args: ApiArgs) -> CliResult {
    args.config.pdf_reader = std::env::current_exe().ok();
    let (mut registry, metrics) = (Registry::default(), gleaner_api::ApiMetrics::default());
    metrics.register(&mut registry);
    process("gleaner-api", &args.common, registry, None, None, |store, shutdown| {
        gleaner_api::run(args.config, store, metrics, shutdown)
    })
}

/// Consumes submissions and sends webhooks until the process is told to end.
pub fn worker(mut args: WorkerArgs) -> CliResult {
    args.config.targets = args.targets;
    let (mut registry, metrics) = (Registry::default(), gleaner_worker::WorkerMetrics::default());
    metrics.register(&mut registry);
    let queue = Some(metrics.clone());
    process("gleaner-worker", &args.common, registry, queue, None, |store, shutdown| {
        gleaner_worker::run(args.config, store, metrics, shutdown)
    })
}

/// Reconciles ApiTokens and Webhooks until the process is told to end.
pub fn controller(args: ControllerArgs) -> CliResult {
    let (mut registry, metrics) = (Registry::default(), gleaner_controller::ControllerMetrics::default());
    metrics.register(&mut registry);
    let timeout = args.config.uninstall.then_some(UNINSTALL_TIMEOUT);
    process("gleaner-controller", &args.common, registry, None, timeout, |store, shutdown| {
        gleaner_controller::run(args.config, store, metrics, shutdown)
    })
}

/// What the admin port asks: whether the store is there, and how much is queued.
pub struct StoreProbe {
    store: Arc<OnceLock<Store>>,
    queue: Option<gleaner_worker::WorkerMetrics>,
}

impl StoreProbe {
    /// Asks that store, once it is there; `queue` shows how much is queued.
    pub fn new(store: Arc<OnceLock<Store>>, queue: Option<gleaner_worker::WorkerMetrics>) -> Self {
        Self { store, queue }
    }
}

impl ReadinessProbe for StoreProbe {
    async fn ready(&self) -> Result<(), String> {
        let store = self.store.get().ok_or("the store has not been reached yet")?;
        store.ping().await.map_err(|error| error.to_string())
    }

    async fn refresh(&self) {
        if let (Some(metrics), Some(store)) = (&self.queue, self.store.get()) {
            match store.depth().await {
                Ok(depths) => metrics.show(&depths),
                Err(error) => tracing::warn!(error = %error, "Cannot count what is queued"),
            }
        }
    }
}

/// The threads that everything asynchronous runs on.
pub fn threads() -> Result<tokio::runtime::Runtime, CliError> {
    tokio::runtime::Runtime::new().map_err(|error| CliError::failed(format!("cannot start threads: {error}")))
}

/// Runs one process from its first log line to its end.
fn process<F, E>(
    service: &str,
    common: &Common,
    registry: Registry,
    queue: Option<gleaner_worker::WorkerMetrics>,
    timeout: Option<Duration>,
    run: impl FnOnce(Store, Shutdown) -> F,
) -> CliResult
where
    F: Future<Output = Result<(), E>>,
    E: std::fmt::Display,
{
    let exporter = log::init(&common.log, service).map_err(|error| CliError::usage(error.to_string()))?;
    let threads = threads()?;
    let outcome = threads.block_on(async {
        let shutdown = Shutdown::on_signals(&common.shutdown)
            .map_err(|error| CliError::failed(format!("cannot listen for signals: {error}")))?;
        if let Some(exporter) = exporter {
            shutdown.spawn(exporter.run(shutdown.clone()));
        }
        let place = Arc::new(OnceLock::new());
        let probe = StoreProbe::new(place.clone(), queue);
        let address = admin::start(&common.admin, Arc::new(registry), probe, &shutdown).await.map_err(|error| {
            CliError::failed(format!("cannot listen on {}: {error}; set --admin-listen", common.admin.admin_listen))
        })?;
        tracing::info!(address = %address, "Serving the admin port");
        let Some(store) = connect(&common.store, timeout, &shutdown).await? else { return Ok(()) };
        let store = place.get_or_init(|| store).clone();
        run(store, shutdown).await.map_err(|error| CliError::failed(error.to_string()))
    });
    threads.shutdown_timeout(LAST);
    outcome
}

/// Reaches the store, however long it takes to appear unless there is a timeout; `None` when the process is to end before.
async fn connect(
    config: &StoreConfig,
    timeout: Option<Duration>,
    shutdown: &Shutdown,
) -> Result<Option<Store>, CliError> {
    let begun = Instant::now();
    loop {
        let tried = tokio::select! {
            tried = Store::connect(config) => tried,
            () = shutdown.stopping() => return Ok(None),
        };
        match tried {
            Ok(store) => return Ok(Some(store)),
            Err(error) if error.is_transient() && timeout.is_none_or(|timeout| begun.elapsed() < timeout) => {
                tracing::warn!(error = %error, "Cannot reach the store; trying again");
                tokio::time::sleep(PAUSE).await;
            }
            Err(error) if timeout.is_some() => return Err(CliError::failed(format!("{error}; {NOT_UNINSTALLED}"))),
            Err(error) => return Err(CliError::failed(format!("{error}; check --redis-url and the store's settings"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn an_uninstallation_gives_up_on_a_store_that_is_gone_and_says_what_is_left() {
        let mut gone = StoreConfig::at("redis://127.0.0.1:1");
        gone.timeout_ms = gone.connect_timeout_ms;
        let error = connect(&gone, Some(Duration::ZERO), &Shutdown::new()).await.err().unwrap();
        assert!(error.to_string().contains("every ApiToken and Webhook keeps its finalizer"), "{error}");
    }
}
