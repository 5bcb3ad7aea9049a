//! Erasing an item: its jobs first, so that nothing can bring it back, then what its tasks say because of it.

use crate::{
    Error, Store,
    keys::item_digest,
    script::{QUEUE, Script},
};
use gleaner_model::{ItemKey, TenantId};
use std::sync::LazyLock;

static ERASE_JOBS: LazyLock<Script> = LazyLock::new(|| Script::new(&[QUEUE, include_str!("scripts/erase_jobs.lua")]));

impl Store {
    /// Erases an item: its jobs, and the tasks that rest on it alone. False when it was not known.
    ///
    /// # Errors
    /// When the store cannot be asked; repeating the call finishes what was begun.
    pub async fn erase_item(&self, tenant: &TenantId, item: &ItemKey) -> Result<bool, Error> {
        self.erase_jobs(tenant, item).await
    }

    /// Ends the item's jobs without a trace of its content, and forgets their idempotency keys. Returns whether the
    /// item was known.
    async fn erase_jobs(&self, tenant: &TenantId, item: &ItemKey) -> Result<bool, Error> {
        self.tenant_call(&ERASE_JOBS, tenant).show(item_digest(item)).run(&self.0.connection).await
    }
}
