//! What comes before anybody looks at a tenant's tasks or events: the many tasks of a job that has ended, an erasure that was
//! accepted, and the index of a layout before this one. Whoever meets it does it, in pieces, and goes on; after a crash the
//! next one does.

use crate::{
    Error, Store,
    change::append_list,
    index,
    script::{LuaScript, QUEUE},
    tasks::{CHANGES, POSTINGS, TASKS, Tasks},
    unindexed::Turn,
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

impl Store {
    /// Does what comes first for a tenant's tasks; one of a process at a time.
    pub(crate) fn settle<'a>(&'a self, tenant: &'a TenantId) -> BoxFuture<'a, Result<(), Error>> {
        async move {
            let _turn = self.0.settling[usize::from(self.0.keys.partition_of(tenant))].lock().await;
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
        self.tasks_of(tenant).index(Turn::Own).await
    }
}

impl Tasks<'_> {
    /// Brings in what jobs ended with, a piece at a time.
    async fn land(self) -> Result<(), Error> {
        loop {
            let (done, full): (bool, bool) = self.run(&self.call(&LAND)).await?;
            if full {
                self.index_soon();
            }
            if done {
                return Ok(());
            }
        }
    }

    /// Brings the index of a layout before into the present one.
    async fn upgrade(self) -> Result<(), Error> {
        let (keys, connection) = (&self.store.0.keys, &self.store.0.connection);
        // The chores of layout 3.
        while !self.run::<bool>(&self.call(&UPGRADE).arg("").show(0)).await? {}
        let chunks = keys.tenant(self.tenant, "chunks");
        for chunk in connection.query::<Vec<String>>(redis::cmd("HKEYS").arg(chunks)).await? {
            let index = keys.tenant(self.tenant, &format!("ix:{chunk}"));
            let terms: Vec<Vec<u8>> = connection.query(redis::cmd("HKEYS").arg(index)).await?;
            let (links, words): (Vec<_>, Vec<_>) =
                terms.into_iter().partition(|term| term.first() == Some(&index::LINKS_BEFORE));
            // Links last, one row at a time; then nothing, which ends the chunk.
            for piece in words.chunks(UPGRADED_AT_ONCE).chain(links.chunks(1)).chain([[].as_slice()]) {
                let call = append_list(self.call(&UPGRADE).arg(&chunk), piece);
                while !self.run::<bool>(&call).await? {}
            }
        }
        Ok(())
    }
}
