//! Work that nobody waits for by the second: it takes the processors that nobody else wants.

use rustix::time::{ClockId, clock_gettime};
use std::{thread::Builder, time::Duration};
use tokio::sync::oneshot;

/// By how much a low-priority thread is nicer than the others: beside a busy one of those it gets a tenth.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
pub enum WorkError {
    /// The work panicked.
    #[error("the work panicked")]
    Panicked,
    /// There is no thread to be had just now.
    #[error("cannot start a thread: {0}")]
    NoThread(#[source] std::io::Error),
}

/// Runs `work` on a thread of its own that yields to all others of this process and its neighbours. Of its own, because
/// no thread may raise what it has lowered.
///
/// # Errors
/// When it panicked, or there is no thread to be had.
pub async fn run<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, WorkError> {
    run_on(Builder::new(), work).await
}

async fn run_on<T: Send + 'static>(thread: Builder, work: impl FnOnce() -> T + Send + 'static) -> Result<T, WorkError> {
    let (done, result) = oneshot::channel();
    let started = thread.name("low-priority".to_owned()).spawn(move || {
        lower_priority();
        // Nobody hears it any more where the wait was given up.
        let _ = done.send(work());
    });
    started.map_err(WorkError::NoThread)?;
    result.await.map_err(|_| WorkError::Panicked)
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
        assert_eq!(run(niceness).await.unwrap(), (before + NICENESS).min(19));
        assert_eq!(niceness(), before, "and nothing else does");
    }

    #[tokio::test]
    async fn what_panics_has_no_result() {
        let panics = run(|| assert!(std::hint::black_box(false), "for the test")).await;
        assert!(matches!(panics, Err(WorkError::Panicked)), "{panics:?}");
    }

    #[tokio::test]
    async fn a_thread_that_cannot_be_started_is_told_from_work_that_panicked() {
        // More than there are addresses for.
        let refused = run_on(Builder::new().stack_size(1 << 50), || ()).await;
        assert!(matches!(refused, Err(WorkError::NoThread(_))), "{refused:?}");
    }
}
