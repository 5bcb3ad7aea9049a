//! Asking the store again while it is away.

use crate::metrics::WorkerMetrics;
use gleaner_store::Error;
use std::{future::Future, time::Duration};

/// First and longest delay between two tries.
const BACKOFF: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(2));
/// Tries before a question is given up: about four minutes of delays.
const MAX_TRIES: u32 = 120;

/// Asks until the store answers, or says something that time does not change.
///
/// # Errors
/// The last error.
pub async fn retry_transient<T, F>(metrics: &WorkerMetrics, ask: impl Fn() -> F) -> Result<T, Error>
where
    F: Future<Output = Result<T, Error>>,
{
    let mut delay = BACKOFF.0;
    for _ in 1..MAX_TRIES {
        match ask().await {
            Err(error) if error.is_transient() => {
                metrics.store_errors.inc();
                tokio::time::sleep(delay).await;
                delay = (delay * 2).min(BACKOFF.1);
            }
            answer => return answer,
        }
    }
    ask().await
}
