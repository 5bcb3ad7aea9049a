//! Erasing an item: its jobs first, so that nothing can bring it back, then what its tasks say because of it, then what
//! the tenant's events quote of it.

use crate::{
    Error, Store, TaskChange,
    keys::item_digest,
    script::{QUEUE, Script},
    tasks::{TRIES, contended},
};
use gleaner_model::{Event, Evidence, ItemKey, Task, TaskRecord, TenantId};
use std::sync::LazyLock;

static ERASE_JOBS: LazyLock<Script> = LazyLock::new(|| Script::new(&[QUEUE, include_str!("scripts/erase_jobs.lua")]));

/// Most tasks that one script erases from.
const AT_ONCE: usize = 50;
/// Most events that are looked at in one go.
const EVENTS_AT_ONCE: usize = 500;

impl Store {
    /// Erases an item: its jobs, its evidence, and the tasks that rest on it alone. False when it was not known.
    ///
    /// # Errors
    /// When the store cannot be asked; repeating the call finishes what was begun.
    pub async fn erase_item(&self, tenant: &TenantId, item: &ItemKey) -> Result<bool, Error> {
        let known = self.erase_jobs(tenant, item).await?;
        let known = self.erase_evidence(tenant, item).await? || known;
        if known {
            self.erase_events(tenant, item).await?;
        }
        Ok(known)
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

    /// Forgets the events that quote the item. A client that resumes behind one of them goes on with the next.
    async fn erase_events(&self, tenant: &TenantId, item: &ItemKey) -> Result<(), Error> {
        let Some(last) = self.last_event_id(tenant).await? else { return Ok(()) };
        let mut after: Option<String> = None;
        while after.as_ref().is_none_or(|after| *after != last) {
            let page = self.events_after(tenant, after.as_deref(), EVENTS_AT_ONCE).await?;
            let Some(end) = page.last() else { return Ok(()) };
            after = Some(end.id.clone());
            let told: Vec<&str> =
                page.iter().filter(|event| quotes(event, item)).map(|event| event.id.as_str()).collect();
            self.forget_events(tenant, &told).await?;
        }
        Ok(())
    }

    /// Ends the item's jobs without a trace of its content, and forgets their idempotency keys. Returns whether the
    /// item was known.
    async fn erase_jobs(&self, tenant: &TenantId, item: &ItemKey) -> Result<bool, Error> {
        self.tenant_call(&ERASE_JOBS, tenant).show(item_digest(item)).run(&self.0.connection).await
    }
}

/// Whether an event's task rests on the item. What cannot be read as a task is a job, which quotes nothing.
fn quotes(event: &Event, item: &ItemKey) -> bool {
    let task = serde_json::from_str::<Task>(&event.data);
    task.is_ok_and(|task| task.evidence.iter().any(|said| is_of(said, item)))
}

fn is_of(said: &Evidence, item: &ItemKey) -> bool {
    said.source_type == item.source_type && said.external_id == item.external_id
}

/// A task without what an item says of it, or no task.
fn without(before: TaskRecord, item: &ItemKey) -> TaskChange {
    let mut after = before.clone();
    if after.drop_mention(item) { TaskChange::Update { before, after } } else { TaskChange::Erase(before) }
}
