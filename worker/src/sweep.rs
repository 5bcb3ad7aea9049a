//! Housekeeping: forgets what is past its time, and goes on with what was put off by a process that did not live to do it.

use crate::metrics::WorkerMetrics;
use gleaner_runtime::Shutdown;
use gleaner_store::Store;
use std::time::Duration;

/// Between two sweeps, and how much longer it may be, so that workers that started together do not sweep together.
const EVERY: Duration = Duration::from_secs(60);
const JITTER_MS: u64 = 10_000;

/// Sweeps until the process is to end. Every worker does: who comes second finds nothing due.
pub async fn sweep(store: Store, metrics: WorkerMetrics, shutdown: Shutdown) {
    let rounds = async {
        loop {
            match store.sweep().await {
                Ok(0) => {}
                Ok(jobs) => tracing::debug!(jobs, "Forgot finished jobs"),
                Err(error) => {
                    metrics.store_errors.inc();
                    tracing::warn!(error = %error, "Cannot forget what is past its time; tries again in a minute");
                }
            }
            tokio::time::sleep(EVERY + Duration::from_millis(rand::random_range(0..JITTER_MS))).await;
        }
    };
    tokio::select! {
        () = rounds => {}
        () = shutdown.stopping() => {}
    }
}
