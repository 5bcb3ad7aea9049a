//! Graceful, then forced shutdown: the first signal says "take nothing new, finish what you hold"; a second signal or the
//! deadline says "stop now".

use std::{future::Future, time::Duration};
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

/// How a process ends.
#[derive(clap::Args, Clone, Debug)]
pub struct ShutdownConfig {
    /// Seconds that unfinished work may take after SIGTERM before it is dropped
    #[arg(long, env = "GLEANER_SHUTDOWN_DEADLINE_S", default_value_t = 25, value_name = "SECONDS")]
    pub shutdown_deadline_s: u64,
    /// Seconds to go on as before after SIGTERM, but no longer ready, so that load balancers look elsewhere first
    #[arg(long, env = "GLEANER_DRAIN_SECONDS", default_value_t = 0, value_name = "SECONDS")]
    pub drain_seconds: u64,
}

/// Shared by everything that runs in a process; a clone means the same shutdown.
#[derive(Clone, Debug, Default)]
pub struct Shutdown {
    leaving: CancellationToken,
    soft: CancellationToken,
    hard: CancellationToken,
    tasks: TaskTracker,
}

impl Shutdown {
    /// A shutdown that only [`Shutdown::stop`] and [`Shutdown::abort`] set off.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A shutdown set off by SIGTERM or SIGINT, and hardened by a second one or by the deadline.
    ///
    /// # Errors
    /// When the operating system refuses the signal handlers.
    pub fn on_signals(config: &ShutdownConfig) -> std::io::Result<Self> {
        let shutdown = Self::new();
        let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
        let (this, deadline) = (shutdown.clone(), Duration::from_secs(config.shutdown_deadline_s));
        let drain = Duration::from_secs(config.drain_seconds);
        tokio::spawn(async move {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
                () = this.soft.cancelled() => {}
            }
            this.leave();
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
                () = this.soft.cancelled() => {}
                () = tokio::time::sleep(drain) => {}
            }
            tracing::info!(shutdown.deadline_s = deadline.as_secs(), "Stopping: finishing what is under way");
            this.stop();
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
                () = tokio::time::sleep(deadline) => {}
                () = this.tasks.wait() => {}
            }
            this.abort();
        });
        Ok(shutdown)
    }

    /// Announces the end: go on as before, but say so to whoever asks.
    pub fn leave(&self) {
        self.leaving.cancel();
    }

    /// Begins a graceful shutdown: take nothing new.
    pub fn stop(&self) {
        self.leaving.cancel();
        self.tasks.close();
        self.soft.cancel();
    }

    /// Forces it: drop what is left.
    pub fn abort(&self) {
        self.stop();
        self.hard.cancel();
    }

    /// Whether a graceful shutdown has begun.
    #[must_use]
    pub fn is_stopping(&self) -> bool {
        self.soft.is_cancelled()
    }

    /// Whether the end has been announced: nothing new should be sent here.
    #[must_use]
    pub fn is_leaving(&self) -> bool {
        self.leaving.is_cancelled()
    }

    /// Resolves when a graceful shutdown begins.
    pub async fn stopping(&self) {
        self.soft.cancelled().await;
    }

    /// Resolves when it is forced.
    pub async fn aborted(&self) {
        self.hard.cancelled().await;
    }

    /// Runs a task that [`Shutdown::finished`] waits for. A forced shutdown drops it.
    pub fn spawn<F>(&self, task: F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let hard = self.hard.clone();
        self.tasks.spawn(async move {
            let _ = hard.run_until_cancelled_owned(task).await;
        });
    }

    /// Resolves when a shutdown has begun and every spawned task has ended.
    pub async fn finished(&self) {
        self.soft.cancelled().await;
        self.tasks.wait().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    };

    #[tokio::test]
    async fn a_graceful_shutdown_lets_a_task_finish() {
        let (shutdown, done) = (Shutdown::new(), Arc::new(AtomicBool::new(false)));
        let (this, mark) = (shutdown.clone(), done.clone());
        shutdown.spawn(async move {
            this.stopping().await;
            tokio::task::yield_now().await;
            mark.store(true, Ordering::SeqCst);
        });
        shutdown.stop();
        shutdown.finished().await;
        assert!(done.load(Ordering::SeqCst));
    }

    #[tokio::test]
    async fn a_forced_shutdown_drops_a_task_that_never_ends() {
        let shutdown = Shutdown::new();
        shutdown.spawn(std::future::pending());
        shutdown.abort();
        shutdown.finished().await;
        assert!(shutdown.is_stopping());
    }
}
