//! Erasing an item: its jobs first, so that nothing can bring it back, then what its tasks say because of it.

use crate::{
    Error, Store, TaskChange,
    keys::item_digest,
    script::{QUEUE, Script},
    tasks::{TRIES, contended},
};
use gleaner_model::{ItemKey, TaskRecord, TenantId};
use std::sync::LazyLock;

static ERASE_JOBS: LazyLock<Script> = LazyLock::new(|| Script::new(&[QUEUE, include_str!("scripts/erase_jobs.lua")]));

/// Most tasks that one script erases from.
const AT_ONCE: usize = 50;

impl Store {
    /// Erases an item: its jobs, its evidence, and the tasks that rest on it alone. False when it was not known.
    ///
    /// # Errors
    /// When the store cannot be asked; repeating the call finishes what was begun.
    pub async fn erase_item(&self, tenant: &TenantId, item: &ItemKey) -> Result<bool, Error> {
        let known = self.erase_jobs(tenant, item).await?;
        Ok(self.erase_evidence(tenant, item).await? || known)
    }

    /// Takes what the item says out of every task. Returns whether any rested on it.
    async fn erase_evidence(&self, tenant: &TenantId, item: &ItemKey) -> Result<bool, Error> {
        let (mut known, mut tries) = (false, TRIES);
        while tries > 0 {
            let found = self.candidates(tenant, item, &[]).await?;
            if found.of_item.is_empty() {
                return Ok(known);
            }
            known = true;
            let changes: Vec<_> = found.of_item.into_iter().take(AT_ONCE).map(|task| without(task, item)).collect();
            if !self.change(tenant, &changes, found.now).await? {
                tries -= 1;
            }
        }
        Err(contended())
    }

    /// Ends the item's jobs without a trace of its content, and forgets their idempotency keys. Returns whether the
    /// item was known.
    async fn erase_jobs(&self, tenant: &TenantId, item: &ItemKey) -> Result<bool, Error> {
        self.tenant_call(&ERASE_JOBS, tenant).show(item_digest(item)).run(&self.0.connection).await
    }
}

/// A task without what an item says of it, or no task.
fn without(before: TaskRecord, item: &ItemKey) -> TaskChange {
    let mut after = before.clone();
    if after.drop_mention(item) { TaskChange::Update { before, after } } else { TaskChange::Remove(before) }
}
