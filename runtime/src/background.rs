//! Work that nobody waits for by the second: it takes the processors that nobody else wants.

use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;
use tokio::sync::oneshot;

/// How much less a background thread matters to the scheduler: beside a busy thread of the others it gets a tenth.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// Runs `work` on a thread of its own that yields to all others of this process and its neighbours. Of its own, because no
/// thread may raise what it has lowered. `None` when it panicked, or there is no thread to be had.
pub async fn compute<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let (done, result) = oneshot::channel();
    let thread = std::thread::Builder::new().name("background".to_owned());
    let started = thread.spawn(move || {
        yield_to_others();
        // Nobody hears it any more where the wait was given up.
        let _ = done.send(work());
    });
    if let Err(error) = started {
        tracing::error!(error = %error, "Cannot start a thread");
    }
    result.await.ok()
}

/// The processor time that this thread has had since it began.
#[must_use]
pub fn thread_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}

/// To Linux, niceness is the thread's alone.
#[cfg(target_os = "linux")]
fn yield_to_others() {
    if let Err(error) = rustix::process::nice(NICENESS) {
        tracing::debug!(error = %error, "A background thread computes at the priority of all others");
    }
}

/// Elsewhere it is that of the whole process.
#[cfg(not(target_os = "linux"))]
fn yield_to_others() {}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn what_computes_in_the_background_yields_to_what_does_not() {
        let niceness = || rustix::process::getpriority_process(None).unwrap();
        let before = niceness();
        assert_eq!(compute(niceness).await, Some((before + NICENESS).min(19)));
        assert_eq!(niceness(), before, "and nothing else does");
    }

    #[tokio::test]
    async fn what_panics_has_no_result() {
        assert_eq!(compute(|| assert!(std::hint::black_box(false), "for the test")).await, None);
    }
}
