//! Jobs of one tenant that were in each other's way, one after another.
//!
//! Two jobs whose texts are alike look at the same tasks; whoever records first makes the other look again. Where that
//! happens often, it costs less to wait for a lock before the first look than to look in vain.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use tokio::sync::{Mutex, MutexGuard};

/// Jobs after a conflict that go one at a time.
const EXCLUSIVE_JOBS: u32 = 64;

/// A gate: open to all at once while nobody is in another's way.
#[derive(Default)]
pub struct ConflictGate {
    /// Whoever holds it looks and records alone among the jobs that go one at a time.
    lock: Mutex<()>,
    /// Jobs that are still to go one at a time.
    exclusive: AtomicU32,
}

impl ConflictGate {
    /// Waits for the lock if there was a conflict lately; `None` means that one goes without.
    pub async fn enter(&self) -> Option<MutexGuard<'_, ()>> {
        let count_down = |left: u32| left.checked_sub(1);
        self.exclusive.fetch_update(Relaxed, Relaxed, count_down).ok()?;
        Some(self.lock.lock().await)
    }

    /// Waits for the lock after a conflict.
    pub async fn after_conflict(&self) -> MutexGuard<'_, ()> {
        self.conflict();
        self.lock.lock().await
    }

    /// Notes a conflict: with a job of another process, where one had the lock here.
    pub fn conflict(&self) {
        self.exclusive.store(EXCLUSIVE_JOBS, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_conflict_makes_the_next_jobs_wait_for_the_lock_and_others_go_freely_again_later() {
        let gate = ConflictGate::default();
        assert!(gate.enter().await.is_none(), "nobody was in another's way");
        drop(gate.after_conflict().await);
        for _ in 0..EXCLUSIVE_JOBS {
            assert!(gate.enter().await.is_some());
        }
        assert!(gate.enter().await.is_none(), "the conflict is long ago");
    }
}
