//! Finishes work that must precede any read of a tenant's tasks or events: staged changes, erasures, the index of a
//! layout before. Whoever meets it does it, in pieces, and goes on; after a crash the next one does. No call here is
//! repeated more than [`MAX_PIECES`] times: whoever comes next goes on then.

use crate::{
    Error, Store, index,
    script::{Call, LuaScript, QUEUE, append_list},
    tasks::{CHANGES, POSTINGS, TASKS, Tasks},
    unindexed::TakeLease,
};
use futures::{FutureExt as _, future::BoxFuture};
use gleaner_model::TenantId;
use std::sync::LazyLock;

static UPGRADE: LazyLock<LuaScript> =
    LazyLock::new(|| LuaScript::new(&[QUEUE, TASKS, POSTINGS, CHANGES, include_str!("scripts/upgrade.lua")]));
static LAND: LazyLock<LuaScript> =
    LazyLock::new(|| LuaScript::new(&[QUEUE, TASKS, POSTINGS, CHANGES, include_str!("scripts/land.lua")]));

/// Postings that one script brings up to date.
const UPGRADED_AT_ONCE: usize = 250;
/// Most scripts in a row that finish one thing: far more than any takes.
pub(crate) const MAX_PIECES: usize = 100_000;

impl Store {
    /// Does what comes first for a tenant's tasks; one of a process at a time.
    pub(crate) fn settle<'a>(&'a self, tenant: &'a TenantId) -> BoxFuture<'a, Result<(), Error>> {
        async move {
            let _lock = self.0.settling[usize::from(self.0.keys.partition_of(tenant))].lock().await;
            let tasks = Tasks { settling: true, ..self.tasks_of(tenant) };
            tasks.upgrade().await?;
            tasks.land().await?;
            tasks.erase_all().await
        }
        .boxed()
    }

    /// The same, where nobody waits for it.
    pub(crate) async fn settle_or_leave(&self, tenant: &TenantId) {
        if let Err(error) = self.settle(tenant).await {
            tracing::warn!(error = %error, "Leaving what comes first for a tenant's tasks to whoever looks next");
        }
    }

    /// Does what was put off for a tenant: for after a crash.
    pub(crate) async fn catch_up(&self, tenant: &TenantId) -> Result<(), Error> {
        self.settle(tenant).await?;
        self.tasks_of(tenant).index(TakeLease::IfFree).await
    }
}

impl Tasks<'_> {
    /// Brings in what jobs ended with, a piece at a time.
    async fn land(self) -> Result<(), Error> {
        for _ in 0..MAX_PIECES {
            let (done, full): (bool, bool) = self.run(&self.call(&LAND)).await?;
            if full {
                self.index_soon();
            }
            if done {
                return Ok(());
            }
        }
        Err(unfinished())
    }

    /// Makes a call until it answers that nothing is left to do.
    async fn until_done(self, call: &Call<'_>) -> Result<(), Error> {
        for _ in 0..MAX_PIECES {
            if self.run::<bool>(call).await? {
                return Ok(());
            }
        }
        Err(unfinished())
    }

    /// Brings the index of a layout before into the present one.
    async fn upgrade(self) -> Result<(), Error> {
        let (keys, connection) = (&self.store.0.keys, &self.store.0.connection);
        // The chores of layout 3.
        self.until_done(&self.call(&UPGRADE).arg("").show(0)).await?;
        let chunks = keys.tenant(self.tenant, "chunks");
        for chunk in connection.query::<Vec<String>>(redis::cmd("HKEYS").arg(chunks)).await? {
            let index = keys.tenant(self.tenant, &format!("ix:{chunk}"));
            let terms: Vec<Vec<u8>> = connection.query(redis::cmd("HKEYS").arg(index)).await?;
            let (links, words): (Vec<_>, Vec<_>) =
                terms.into_iter().partition(|term| term.first() == Some(&index::LINKS_BEFORE));
            // Links last, one row at a time; then nothing, which ends the chunk.
            for piece in words.chunks(UPGRADED_AT_ONCE).chain(links.chunks(1)).chain([[].as_slice()]) {
                self.until_done(&append_list(self.call(&UPGRADE).arg(&chunk), piece)).await?;
            }
        }
        Ok(())
    }
}

/// Whoever comes next goes on with it: the caller may try again.
pub(crate) fn unfinished() -> Error {
    Error::Unavailable("what comes first for the tenant's tasks is still being finished".to_owned())
}
