//! Waiting for what comes by itself.

use std::{
    future::Future,
    thread,
    time::{Duration, Instant},
};
use tokio::time::{sleep, timeout};

/// Longest wait for anything: only what hangs takes as long.
pub const LIMIT: Duration = Duration::from_secs(300);
/// Pauses between questions: what takes long is asked less often.
const PAUSES: [Duration; 2] = [Duration::from_millis(20), Duration::from_millis(100)];

/// Asks again until there is an answer.
pub async fn until<T, F, Fut>(what: &str, ask: F) -> T
where
    F: FnMut() -> Fut,
    Fut: Future<Output = Option<T>>,
{
    within(LIMIT, ask).await.unwrap_or_else(|| panic!("waited in vain for {what}"))
}

/// Asks again until there is an answer, or the time is over.
pub async fn within<T, F, Fut>(time: Duration, mut ask: F) -> Option<T>
where
    F: FnMut() -> Fut,
    Fut: Future<Output = Option<T>>,
{
    let asked = async {
        let mut pauses = pauses();
        loop {
            if let Some(answer) = ask().await {
                return answer;
            }
            sleep(pauses()).await;
        }
    };
    timeout(time, asked).await.ok()
}

/// [`until`] for tests without a runtime.
#[track_caller]
pub fn until_blocking<T>(what: &str, ask: impl Fn() -> Option<T>) -> T {
    let (begun, mut pauses) = (Instant::now(), pauses());
    while begun.elapsed() < LIMIT {
        if let Some(answer) = ask() {
            return answer;
        }
        thread::sleep(pauses());
    }
    panic!("waited in vain for {what}");
}

/// Each pause is half as long again as the one before.
fn pauses() -> impl FnMut() -> Duration {
    let [first, longest] = PAUSES;
    let mut next = first;
    move || {
        let pause = next;
        next = (next * 3 / 2).min(longest);
        pause
    }
}
