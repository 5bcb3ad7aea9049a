//! What comes before anybody looks at a tenant's tasks or events: an erasure that was accepted, and the index of the layout
//! before this one. Whoever meets it does it, in pieces, and goes on; after a crash the next one does. Also the large
//! changes of the index that are made ahead of the step that they belong to, or after it.

use crate::{
    Error, Store,
    change::{Change, append_list},
    index,
    script::{QUEUE, Script},
    tasks::{TASKS, Tasks},
};
use futures::{FutureExt as _, future::BoxFuture};
use gleaner_model::TenantId;
use std::sync::LazyLock;

static UPGRADE: LazyLock<Script> = LazyLock::new(|| Script::new(&[QUEUE, TASKS, include_str!("scripts/upgrade.lua")]));
static STAGE: LazyLock<Script> = LazyLock::new(|| Script::new(&[QUEUE, TASKS, include_str!("scripts/stage.lua")]));
static TIDY: LazyLock<Script> = LazyLock::new(|| Script::new(&[QUEUE, TASKS, include_str!("scripts/tidy.lua")]));

/// Terms that one script adds or removes.
const TERMS_AT_ONCE: usize = 500;
/// Postings that one script brings up to date.
const UPGRADED_AT_ONCE: usize = 250;
/// Most pieces of what was put off that are done in a row.
const PIECES: usize = 100_000;

impl Store {
    /// Does what comes first for a tenant's tasks; one of a process at a time.
    pub(crate) fn settle<'a>(&'a self, tenant: &'a TenantId) -> BoxFuture<'a, Result<(), Error>> {
        async move {
            let _turn = self.0.settling[usize::from(self.0.keys.partition_of(tenant))].lock().await;
            let tasks = Tasks { settling: true, ..self.tasks_of(tenant) };
            tasks.upgrade().await?;
            tasks.erase_all().await
        }
        .boxed()
    }

    /// Does what was put off for a tenant: for after a crash.
    pub(crate) async fn catch_up(&self, tenant: &TenantId) -> Result<(), Error> {
        self.settle(tenant).await?;
        Tasks { settling: true, ..self.tasks_of(tenant) }.tidy().await
    }
}

impl Tasks<'_> {
    /// Brings the index of the layout before into the present one.
    async fn upgrade(self) -> Result<(), Error> {
        let (keys, connection) = (&self.store.0.keys, &self.store.0.connection);
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

    /// Puts new tasks of a large plan under their terms ahead of time. What the step still has to do, and what was done.
    pub(crate) async fn stage(self, mut changes: Vec<Change>) -> Result<(Vec<Change>, Vec<Staged>), Error> {
        let mut staged = Vec::new();
        if changes.iter().map(|change| change.added.len()).sum::<usize>() <= TERMS_AT_ONCE {
            return Ok((changes, staged));
        }
        let mut new: Vec<&mut Change> = changes.iter_mut().filter(|change| change.is_new()).collect();
        let mut rest = new.as_mut_slice();
        while !rest.is_empty() {
            let mut terms = 0;
            let fits = rest.iter().position(|change| {
                terms += change.added.len();
                terms > TERMS_AT_ONCE
            });
            let (piece, others) = rest.split_at_mut(fits.unwrap_or(rest.len()).max(1));
            let ahead: Vec<_> = piece.iter_mut().map(|change| change.take_added()).collect();
            let call = ahead.iter().fold(self.call(&STAGE), |call, terms| append_list(call.arg(""), terms));
            let ordinals: Vec<u32> = self.run(&call).await?;
            for ((change, terms), ordinal) in piece.iter_mut().zip(ahead).zip(ordinals) {
                change.ordinal = Some(ordinal);
                staged.push(Staged { ordinal, terms });
            }
            rest = others;
        }
        Ok((changes, staged))
    }

    /// Takes back what was staged for a step that was not made.
    pub(crate) async fn unstage(self, staged: &[Staged]) -> Result<(), Error> {
        for Staged { ordinal, terms } in staged {
            let number = ordinal.to_string().into_bytes();
            let chore: Vec<&[u8]> = [number.as_slice()].into_iter().chain(terms.iter().map(Vec::as_slice)).collect();
            let _left: u64 = self.run(&append_list(self.call(&TIDY), &chore)).await?;
        }
        Ok(())
    }

    /// Sees to what a step may have put off.
    pub(crate) fn tidy_after(self, changes: &[Change]) {
        if changes.iter().map(|change| change.removed.len()).sum::<usize>() > TERMS_AT_ONCE {
            let (store, tenant) = (self.store.clone(), self.tenant.clone());
            tokio::spawn(async move {
                let tasks = Tasks { settling: true, ..store.tasks_of(&tenant) };
                if let Err(error) = tasks.tidy().await {
                    tracing::warn!(error = %error, "Leaving some of the index for the next sweep");
                }
            });
        }
    }

    async fn tidy(self) -> Result<(), Error> {
        for _ in 0..PIECES {
            if self.run::<u64>(&self.call(&TIDY).show(0)).await? == 0 {
                break;
            }
        }
        Ok(())
    }
}

/// A new task's terms that the index has ahead of its record.
pub(crate) struct Staged {
    ordinal: u32,
    terms: Vec<Vec<u8>>,
}
