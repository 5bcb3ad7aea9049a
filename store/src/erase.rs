//! Erasing an item: taken on in one step, from which on nobody sees the tenant's tasks and events before it is done; then done
//! in pieces, by the process that took it on or by whoever looks first. A crash leaves it taken on.

use crate::{
    Error, Store, TaskChange,
    events::StoredEvent,
    index,
    keys::item_digest,
    script::{LuaScript, QUEUE, append_list},
    settle::{MAX_PIECES, unfinished},
    tasks::{MAX_TRIES, POSTINGS, TASKS, Tasks, contended},
    unindexed::TakeLease,
};
use gleaner_model::{Evidence, ItemKey, Task, TaskId, TaskRecord, TenantId};
use std::{collections::BTreeSet, sync::LazyLock};

const JOBS: &str = include_str!("scripts/lib/erase.lua");
static ERASE: LazyLock<LuaScript> = LazyLock::new(|| LuaScript::new(&[QUEUE, JOBS, include_str!("scripts/erase.lua")]));
static ERASED: LazyLock<LuaScript> =
    LazyLock::new(|| LuaScript::new(&[QUEUE, JOBS, TASKS, POSTINGS, include_str!("scripts/erased.lua")]));

/// Tasks that one script erases from.
const TASKS_AT_ONCE: usize = 4;
/// Most events that are looked at or forgotten in one go.
const EVENTS_AT_ONCE: usize = 250;

impl Store {
    /// Erases an item: its jobs, its evidence, and the tasks that rest on it alone. False when it was not known. From the
    /// answer on nothing of it is shown; the rest is done behind it.
    ///
    /// # Errors
    /// When the store cannot be asked; nothing was erased then, or the answer was lost: the call may be repeated.
    pub async fn erase_item(&self, tenant: &TenantId, item: &ItemKey) -> Result<bool, Error> {
        let json = serde_json::to_string(item).map_err(Error::corrupt)?;
        let digest = item_digest(item);
        let call = |has_tasks: u8| self.tenant_call(&ERASE, tenant).arg(&digest).arg(&json).show(has_tasks);
        let mut known: bool = self.once_settled(tenant, &call(0)).await?;
        if !known && !self.tasks_of_item(tenant, item).await?.is_empty() {
            known = self.once_settled(tenant, &call(1)).await?;
        }
        if known {
            let (store, tenant) = (self.clone(), tenant.clone());
            tokio::spawn(async move { store.settle_or_leave(&tenant).await });
        }
        Ok(known)
    }
}

/// An erasure that was taken on.
struct Erasure {
    digest: String,
    /// As it is kept: order of acceptance up to which jobs are meant, last event, item.
    kept: String,
    last_event: (u64, u64),
    item: ItemKey,
}

impl Erasure {
    fn read((digest, kept): (String, String)) -> Result<Self, Error> {
        let mut parts = kept.splitn(3, ' ').skip(1);
        let (Some(event), Some(json)) = (parts.next(), parts.next()) else {
            return Err(Error::corrupt("an erasure that cannot be read"));
        };
        let (ms, number) = event.split_once('-').unwrap_or((event, "0"));
        let last_event = (ms.parse().map_err(Error::corrupt)?, number.parse().map_err(Error::corrupt)?);
        let item = serde_json::from_str(json).map_err(Error::corrupt)?;
        Ok(Self { digest, kept, last_event, item })
    }
}

impl Tasks<'_> {
    /// Does all erasures that were taken on: tasks first, then events, which are looked through once for all, then jobs.
    pub(crate) async fn erase_all(self) -> Result<(), Error> {
        let key = self.store.0.keys.tenant(self.tenant, "erasing");
        let found: Vec<(String, String)> = self.store.0.connection.query(redis::cmd("HGETALL").arg(key)).await?;
        let erasures: Vec<Erasure> = found.into_iter().map(Erasure::read).collect::<Result<_, _>>()?;
        let (mut touched, mut dead) = (BTreeSet::new(), Vec::new());
        for erasure in &erasures {
            dead.push(self.erase_evidence(&erasure.item, &mut touched).await?);
        }
        // No word of what was erased is to be found in the index either.
        if !erasures.is_empty() {
            self.index(TakeLease::EvenIfHeld).await?;
        }
        let mut events = self.events_of(&erasures, &touched).await?;
        for (erasure, dead) in erasures.iter().zip(dead) {
            self.finish_erasure(erasure, &dead, &std::mem::take(&mut events)).await?;
        }
        Ok(())
    }

    async fn finish_erasure(self, erasure: &Erasure, dead: &[u8], events: &[String]) -> Result<(), Error> {
        let term = index::external_id(&erasure.item.external_id);
        let (mut events, mut dead) = (events.chunks(EVENTS_AT_ONCE), dead.chunks(4 * EVENTS_AT_ONCE));
        for _ in 0..MAX_PIECES {
            let (events, dead) = (events.next().unwrap_or_default(), dead.next().unwrap_or_default());
            let call = self.call(&ERASED).arg(&erasure.digest).arg(&erasure.kept).arg(&term).arg(dead);
            if self.run::<bool>(&append_list(call, events)).await? {
                return Ok(());
            }
        }
        Err(unfinished())
    }

    /// Takes what an item says out of every task, and adds those to `touched`. Returns what stands under the item and leads to
    /// no task.
    async fn erase_evidence(self, item: &ItemKey, touched: &mut BTreeSet<TaskId>) -> Result<Vec<u8>, Error> {
        for _ in 0..MAX_TRIES {
            let looked = self.look(item, &[]).await?;
            let (mut left, mut dead) = (false, Vec::new());
            for part in self.own(&looked).await?.chunks(TASKS_AT_ONCE) {
                let records = self.records(part, Some(item)).await?;
                let gone = part.iter().zip(&records).filter(|(_, record)| record.is_none());
                dead.extend(gone.flat_map(|(ordinal, _)| ordinal.to_be_bytes()));
                let of_item: Vec<_> = records.into_iter().flatten().filter(|record| record.is_of(item)).collect();
                touched.extend(of_item.iter().map(|record| record.id));
                let changes: Vec<_> = of_item.into_iter().map(|task| without(task, item)).collect();
                left |= !changes.is_empty() && !self.change(&changes, looked.now).await?;
            }
            if !left {
                return Ok(dead);
            }
        }
        Err(contended())
    }

    /// The events of those tasks, and what else quotes the items. A client that resumes behind one of them goes on with the
    /// next.
    async fn events_of(self, erasures: &[Erasure], touched: &BTreeSet<TaskId>) -> Result<Vec<String>, Error> {
        let (mut after, mut found) = (None, Vec::new());
        let Some(last) = erasures.iter().map(|erasure| erasure.last_event).max() else { return Ok(found) };
        let last = format!("{}-{}", last.0, last.1);
        loop {
            let page = self.store.events_between(self.tenant, after.as_deref(), &last, EVENTS_AT_ONCE).await?;
            let Some(end) = page.last() else { return Ok(found) };
            after = Some(end.id.clone());
            found.extend(page.into_iter().filter(|event| quotes(event, erasures, touched)).map(|event| event.id));
        }
    }
}

/// Whether an event tells of a task that rested on the item. What cannot be read as a task is a job, which quotes nothing.
fn quotes(event: &StoredEvent, erasures: &[Erasure], touched: &BTreeSet<TaskId>) -> bool {
    let is =
        |item: &ItemKey, said: &Evidence| said.source_type == item.source_type && said.external_id == item.external_id;
    let is_of = |said: &Evidence| erasures.iter().any(|erasure| is(&erasure.item, said));
    serde_json::from_str::<Task>(&event.data)
        .is_ok_and(|task| touched.contains(&task.id) || task.evidence.iter().any(is_of))
}

/// A task without what an item says of it, or no task.
fn without(before: TaskRecord, item: &ItemKey) -> TaskChange {
    let mut after = before.clone();
    if after.drop_mention(item) { TaskChange::Update { before, after } } else { TaskChange::Erase(before) }
}
