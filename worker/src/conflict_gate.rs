//! Jobs of one tenant that were in each other's way, one after another.
//!
//! Two jobs whose texts are alike look at the same tasks; whoever records first makes the other look again. Where that
//! happens often, it costs less to wait for the pass before the first look than to look in vain.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use tokio::sync::{Mutex, MutexGuard};

/// Jobs after a conflict that wait for the pass before they look.
const CAREFUL: u32 = 64;

/// A gate: open to all at once while nobody is in another's way.
#[derive(Default)]
pub struct ConflictGate {
    /// Whoever holds it looks and records alone among the careful.
    pass: Mutex<()>,
    careful: AtomicU32,
}

impl ConflictGate {
    /// Waits for the pass if there was a conflict lately; `None` means that one goes without.
    pub async fn enter(&self) -> Option<MutexGuard<'_, ()>> {
        let count_down = |left: u32| left.checked_sub(1);
        self.careful.fetch_update(Relaxed, Relaxed, count_down).ok()?;
        Some(self.pass.lock().await)
    }

    /// Waits for the pass after a conflict.
    pub async fn after_conflict(&self) -> MutexGuard<'_, ()> {
        self.conflict();
        self.pass.lock().await
    }

    /// Notes a conflict: with a job of another process, where one had the pass here.
    pub fn conflict(&self) {
        self.careful.store(CAREFUL, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_conflict_makes_the_next_jobs_wait_for_the_pass_and_others_go_freely_again_later() {
        let gate = ConflictGate::default();
        assert!(gate.enter().await.is_none(), "nobody was in another's way");
        drop(gate.after_conflict().await);
        for _ in 0..CAREFUL {
            assert!(gate.enter().await.is_some());
        }
        assert!(gate.enter().await.is_none(), "the conflict is long ago");
    }
}
