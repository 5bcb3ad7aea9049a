//! Work that nobody waits for by the second: it takes the processors that nobody else wants.

use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;
use tokio::sync::oneshot;

/// By how much a low-priority thread is nicer than the others: beside a busy one of those it gets a tenth.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// Runs `work` on a thread of its own that yields to all others of this process and its neighbours. Of its own, because
/// no thread may raise what it has lowered. `None` when it panicked, or there is no thread to be had.
pub async fn run<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let (done, result) = oneshot::channel();
    let thread = std::thread::Builder::new().name("low-priority".to_owned());
    let started = thread.spawn(move || {
        lower_priority();
        // Nobody hears it any more where the wait was given up.
        let _ = done.send(work());
    });
    if let Err(error) = started {
        tracing::error!(error = %error, "Cannot start a thread");
    }
    result.await.ok()
}

/// The processor time that this thread has had since it began, on Linux and macOS alike.
#[must_use]
pub fn thread_cpu_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}

/// To Linux, niceness is the thread's alone.
#[cfg(target_os = "linux")]
fn lower_priority() {
    if let Err(error) = rustix::process::nice(NICENESS) {
        tracing::debug!(error = %error, "A low-priority thread runs at the priority of all others");
    }
}

/// Elsewhere it is that of the whole process.
#[cfg(not(target_os = "linux"))]
fn lower_priority() {}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn what_runs_at_a_low_priority_yields_to_what_does_not() {
        let niceness = || rustix::process::getpriority_process(None).unwrap();
        let before = niceness();
        assert_eq!(run(niceness).await, Some((before + NICENESS).min(19)));
        assert_eq!(niceness(), before, "and nothing else does");
    }

    #[tokio::test]
    async fn what_panics_has_no_result() {
        assert_eq!(run(|| assert!(std::hint::black_box(false), "for the test")).await, None);
    }
}
