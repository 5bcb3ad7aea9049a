//! Asking the store again while it is away.

use crate::metrics::WorkerMetrics;
use gleaner_store::Error;
use std::{future::Future, time::Duration};

/// First and longest pause between two tries.
const PAUSES: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(2));
/// Tries before a question is given up: about four minutes of pauses.
const TRIES: u32 = 120;

/// Asks until the store answers, or says something that time does not change.
///
/// # Errors
/// The last error.
pub async fn retry_transient<T, F>(metrics: &WorkerMetrics, ask: impl Fn() -> F) -> Result<T, Error>
where
    F: Future<Output = Result<T, Error>>,
{
    let mut pause = PAUSES.0;
    for _ in 1..TRIES {
        match ask().await {
            Err(error) if error.is_transient() => {
                metrics.store_errors.inc();
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(PAUSES.1);
            }
            answer => return answer,
        }
    }
    ask().await
}
