//! Consumes submissions, extracts their tasks, and records the result; sends webhooks.
//!
//! A reader (`consumer`) takes entries from the queue ahead of need; a few tasks `process` them side by side; pure
//! functions decide what a finding means ([`reconcile`]). Everything that lasts is in the store: a worker may be killed
//! at any moment, and any number of them may run.

mod candidates;
mod config;
mod conflict_gate;
mod consumer;
mod cpu;
mod extractor;
mod fair_shares;
pub mod findings;
mod learning;
mod mention;
mod metrics;
mod prefetch;
mod process;
pub mod reconcile;
mod retry;
mod similarity;
mod sweep;
mod webhooks;

pub use config::{ExtractorKind, WebhookConfig, WorkerConfig};
pub use extractor::Extracted;
pub use mention::mention;
pub use metrics::WorkerMetrics;

use conflict_gate::ConflictGate;
use cpu::CpuShares;
use extractor::Extractor;
use gleaner_llm::InvalidSettings;
use gleaner_model::TenantId;
use gleaner_runtime::Shutdown;
use gleaner_store::{Delivery, Room, Store, Takeover};
use prefetch::{Prefetch, QueueKind};
use std::{
    hash::{DefaultHasher, Hash as _, Hasher as _},
    sync::Arc,
    time::Duration,
};
use tokio::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};

/// What the parts of a worker share.
struct Worker {
    store: Store,
    extractor: Extractor,
    metrics: WorkerMetrics,
    prefetch: Prefetch,
    cpu: CpuShares,
    /// The silence after which others take over what is held here.
    takeover: Duration,
    /// The end of the process.
    shutdown: Shutdown,
    /// Most tasks of an item; 0: any number.
    max_tasks: usize,
    /// Read by those who process side by side; written by one that runs alone.
    isolation: RwLock<()>,
    conflict_gates: [ConflictGate; CONFLICT_GATES],
    /// What feedback has taught, as far as this process has asked.
    learning: learning::LearningCache,
}

/// Locks that tenants share by chance: enough that few do.
const CONFLICT_GATES: usize = 64;

/// A delivery's turn to run, until it is dropped: with others, or isolated from them.
enum IsolationTurn<'w> {
    /// Nobody else has one.
    Alone { _turn: RwLockWriteGuard<'w, ()> },
    /// Together with others.
    Together { _turn: RwLockReadGuard<'w, ()> },
}

impl Worker {
    /// The turn of a delivery: alone if a worker may not have survived it.
    async fn isolation_turn(&self, delivery: &Delivery) -> IsolationTurn<'_> {
        if delivery.attempts > 0 {
            IsolationTurn::Alone { _turn: self.isolation.write().await }
        } else {
            IsolationTurn::Together { _turn: self.isolation.read().await }
        }
    }

    /// The conflict gate of a tenant's jobs.
    fn conflict_gate(&self, tenant: &TenantId) -> &ConflictGate {
        let mut hash = DefaultHasher::new();
        tenant.hash(&mut hash);
        // Below the number of gates, so nothing is cut off.
        &self.conflict_gates[(hash.finish() % CONFLICT_GATES as u64) as usize]
    }
}

/// Why a worker did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The settings contradict themselves.
    #[error(transparent)]
    Settings(#[from] InvalidSettings),
    /// The store cannot be asked.
    #[error(transparent)]
    Store(#[from] gleaner_store::Error),
    /// The HTTP client of webhooks does not start.
    #[error("cannot start an HTTP client: {0}")]
    Client(#[from] reqwest::Error),
}

/// Starts the parts of a worker; they end with `shutdown`.
///
/// # Errors
/// When the settings contradict themselves, or the store cannot be asked.
pub async fn start(
    config: &WorkerConfig,
    store: Store,
    metrics: WorkerMetrics,
    shutdown: &Shutdown,
) -> Result<(), StartError> {
    let extractor = Extractor::new(config)?;
    let takeover = Takeover { idle: config.takeover(), attempts: config.max_deliveries };
    let name = name(config);
    let consumer = retry::retry_transient(&metrics, || store.consumer(&name, takeover)).await?;
    let context = webhooks::WebhookContext::new(config, &store, &metrics)?;
    shutdown.spawn(webhooks::dispatch(context, shutdown.clone()));
    shutdown.spawn(sweep::sweep(store.clone(), metrics.clone(), shutdown.clone()));
    let room = Room { entries: config.batch_entries.get(), bytes: config.batch_bytes.get() };
    // Of which a tenant alone has two for each thread: while one extracts, another talks to the store.
    let slots = config.threads() * 4;
    let worker = Arc::new(Worker {
        store,
        metrics,
        prefetch: Prefetch::new(room, slots, extractor.only_model()),
        cpu: CpuShares::new(),
        extractor,
        shutdown: shutdown.clone(),
        takeover: config.takeover(),
        max_tasks: config.max_tasks_per_item,
        isolation: RwLock::new(()),
        conflict_gates: std::array::from_fn(|_| ConflictGate::default()),
        learning: learning::LearningCache::default(),
    });
    for _ in 0..slots {
        shutdown.spawn(consumer::work(worker.clone(), QueueKind::Engine));
    }
    // What waits for a model takes no thread from what does not.
    for _ in 0..worker.extractor.at_once() {
        shutdown.spawn(consumer::work(worker.clone(), QueueKind::Model));
    }
    shutdown.spawn(consumer::keep(worker.clone(), shutdown.clone()));
    shutdown.spawn(consumer::fetch_loop(worker, consumer, shutdown.clone()));
    Ok(())
}

/// Works until the process ends.
///
/// # Errors
/// As [`start`].
pub async fn run(
    config: WorkerConfig,
    store: Store,
    metrics: WorkerMetrics,
    shutdown: Shutdown,
) -> Result<(), StartError> {
    start(&config, store, metrics, &shutdown).await?;
    tracing::info!(worker.threads = config.threads(), "Working");
    shutdown.finished().await;
    Ok(())
}

/// No two workers may have the same name, not even one and its own successor: each owns what it holds.
fn name(config: &WorkerConfig) -> String {
    let host = || std::env::var("HOSTNAME").ok().filter(|host| !host.is_empty());
    let base = config.worker_name.clone().or_else(host).unwrap_or_else(|| "worker".to_owned());
    format!("{base}-{:08x}", rand::random::<u32>())
}
