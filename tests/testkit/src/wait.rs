//! Waiting for what comes by itself.

use std::{future::Future, time::Duration};
use tokio::time::{sleep, timeout};

/// Longest wait for anything: only what hangs takes as long.
const LIMIT: Duration = Duration::from_secs(180);

/// Asks again until there is an answer.
pub async fn until<T, F, Fut>(what: &str, mut ask: F) -> T
where
    F: FnMut() -> Fut,
    Fut: Future<Output = Option<T>>,
{
    let asked = async {
        loop {
            if let Some(answer) = ask().await {
                return answer;
            }
            sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(LIMIT, asked).await.unwrap_or_else(|_| panic!("waited in vain for {what}"))
}
