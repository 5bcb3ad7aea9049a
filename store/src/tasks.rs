//! Tasks: read and edited.
//!
//! Every change is computed here from the record that was read, and applied by a script only while that record is
//! still as it was; where it is not, the change is computed anew, a few times at most.

use crate::{
    Error, Store,
    change::{Change, TaskChange, append_changes},
    index::CHUNK,
    keys::item_digest,
    reply::{next_value, time},
    script::{Call, LuaScript, QUEUE},
};
use chrono::{DateTime, Utc};
use gleaner_model::{ItemKey, Mention, TaskId, TaskPatch, TaskRecord, TenantId};
use redis::{Cmd, FromRedisValue, Value};
use std::{collections::BTreeMap, sync::LazyLock};
use uuid::Uuid;

/// What scripts share that read tasks.
pub(crate) const TASKS: &str = include_str!("scripts/lib/tasks.lua");
/// And those that change postings.
pub(crate) const POSTINGS: &str = include_str!("scripts/lib/postings.lua");
/// And those that change tasks.
pub(crate) const CHANGES: &str = include_str!("scripts/lib/changes.lua");

static CHANGE: LazyLock<LuaScript> =
    LazyLock::new(|| LuaScript::new(&[QUEUE, TASKS, POSTINGS, CHANGES, include_str!("scripts/change_tasks.lua")]));

/// How often a change is computed anew when others change the same task, or a call made again when something came first.
pub(crate) const MAX_TRIES: usize = 16;
/// Records that are read at once.
const RECORDS_AT_ONCE: usize = 64;

/// A tenant's tasks. What comes first for them (an accepted erasure, an index of the layout before) is done by whoever meets
/// it, unless this is who does it.
#[derive(Clone, Copy)]
pub(crate) struct Tasks<'a> {
    pub(crate) store: &'a Store,
    pub(crate) tenant: &'a TenantId,
    pub(crate) settling: bool,
}

impl<'a> Tasks<'a> {
    pub(crate) fn call(self, script: &'a LazyLock<LuaScript>) -> Call<'a> {
        self.store.tenant_call(script, self.tenant).arg(if self.settling { "settling" } else { "" })
    }

    pub(crate) async fn run<T: FromRedisValue>(self, call: &Call<'_>) -> Result<T, Error> {
        self.store.once_settled(self.tenant, call).await
    }

    /// Makes reads in a row, once nothing comes first; the first answer is the store's time.
    pub(crate) async fn read(self, reads: &[Cmd]) -> Result<(DateTime<Utc>, std::vec::IntoIter<Value>), Error> {
        for _ in 0..MAX_TRIES {
            let mut first = redis::cmd("EXISTS");
            first.arg(&["landing", "erasing", "chunks", "chores"].map(|name| self.key(name)));
            let row = [&[first, redis::cmd("TIME")], reads].concat();
            let mut answers = self.store.0.connection.read_all(row).await?.into_iter();
            let unsettled = next_value::<u8>(&mut answers)? > 0;
            let [seconds, micros]: [i64; 2] = next_value(&mut answers)?;
            if self.settling || !unsettled {
                return Ok((time(seconds * 1000 + micros / 1000)?, answers));
            }
            self.store.settle(self.tenant).await?;
        }
        Err(contended())
    }

    /// The records of some tasks, `None` where one is gone. Asked for an item, they tell whether it is counted.
    pub(crate) async fn records(
        self,
        ordinals: &[u32],
        item: Option<&ItemKey>,
    ) -> Result<Vec<Option<TaskRecord>>, Error> {
        let mut records = Vec::new();
        for part in ordinals.chunks(RECORDS_AT_ONCE) {
            let ids = self.ids(part).await?;
            records.extend(self.records_of(&ids, item).await?);
        }
        Ok(records)
    }

    /// The ids that tasks have by their numbers; nil where there is none any more.
    async fn ids(self, ordinals: &[u32]) -> Result<Vec<Uuid>, Error> {
        let mut chunks: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (at, ordinal) in ordinals.iter().enumerate() {
            chunks.entry(ordinal / CHUNK).or_default().push(at);
        }
        // An id is two numbers of 64 bits: one command reads all of a chunk.
        let reads = chunks.iter().map(|(chunk, positions)| {
            let mut cmd = redis::cmd("BITFIELD_RO");
            cmd.arg(self.key(&format!("ids:{chunk}")));
            for half in positions.iter().map(|at| ordinals[*at] % CHUNK * 2).flat_map(|first| [first, first + 1]) {
                cmd.arg("GET").arg("i64").arg(format!("#{half}"));
            }
            cmd
        });
        let mut answers = self.store.0.connection.read_all(reads.collect()).await?.into_iter();
        let mut ids = vec![Uuid::nil(); ordinals.len()];
        for positions in chunks.values() {
            let halves: Vec<i64> = next_value(&mut answers)?;
            for (at, pair) in positions.iter().zip(halves.chunks_exact(2)) {
                ids[*at] = Uuid::from_u64_pair(pair[0].cast_unsigned(), pair[1].cast_unsigned());
            }
        }
        Ok(ids)
    }

    async fn records_of(self, ids: &[Uuid], item: Option<&ItemKey>) -> Result<Vec<Option<TaskRecord>>, Error> {
        let mut heads = redis::cmd("MGET");
        ids.iter().for_each(|id| {
            heads.arg(self.key(&format!("task:{id}")));
        });
        let mut reads = vec![heads];
        if let Some(item) = item {
            let counted =
                |id| redis::cmd("HEXISTS").arg(self.key(&format!("others:{id}"))).arg(item_digest(item)).to_owned();
            reads.extend(ids.iter().map(counted));
        }
        let mut answers = self.store.0.connection.read_all(reads).await?.into_iter();
        let heads: Vec<Option<Vec<u8>>> = next_value(&mut answers)?;
        let mut records =
            heads.iter().map(|head| head.as_deref().map(read).transpose()).collect::<Result<Vec<_>, _>>()?;
        for (record, item) in records.iter_mut().zip(item.into_iter().cycle()) {
            if next_value::<bool>(&mut answers)?
                && let Some(record) = record
            {
                record.counted.insert(item.clone());
            }
        }
        self.add_mentions(records.iter_mut().flatten().filter(|record| record.version > 0).collect()).await?;
        Ok(records)
    }

    /// Reads the mentions that are kept apart from records.
    async fn add_mentions(self, records: Vec<&mut TaskRecord>) -> Result<(), Error> {
        let said = |id| redis::cmd("HVALS").arg(self.key(&format!("said:{id}"))).to_owned();
        let reads = records.iter().map(|record| said(record.id)).collect();
        let mut answers = self.store.0.connection.read_all(reads).await?.into_iter();
        for record in records {
            for json in next_value::<Vec<Vec<u8>>>(&mut answers)? {
                let mention: Mention = parsed(&json)?;
                if record.mention_of(&mention.item).is_none() {
                    record.mentions.push(mention);
                }
            }
            record.mentions.sort_by(|one, other| (one.occurred_at, &one.item).cmp(&(other.occurred_at, &other.item)));
        }
        Ok(())
    }

    pub(crate) fn key(self, name: &str) -> String {
        self.store.0.keys.tenant(self.tenant, name)
    }

    /// Makes changes, all or none. False when one of the records has changed since it was read.
    pub(crate) async fn change(self, changes: &[TaskChange], now: DateTime<Utc>) -> Result<bool, Error> {
        let changes = changes_of(changes, now)?;
        let (done, full): (bool, bool) = self.run(&append_changes(self.call(&CHANGE), &changes)).await?;
        if full {
            self.index_soon();
        }
        Ok(done)
    }
}

/// What became of an edit.
#[derive(Clone, PartialEq, Debug)]
#[expect(clippy::large_enum_variant, reason = "it is taken apart as soon as it is returned")]
pub enum Patched {
    /// The task as it is now.
    Done(TaskRecord),
    /// There is no such task.
    NotFound,
    /// The task has another revision than expected.
    Conflict,
}

impl Store {
    /// One task of the tenant.
    ///
    /// # Errors
    /// When the store cannot be asked, or the record cannot be read.
    pub async fn task(&self, tenant: &TenantId, id: TaskId) -> Result<Option<TaskRecord>, Error> {
        Ok(self.load(tenant, id).await?.0)
    }

    /// An opaque version of the tenant's tasks that changes with every task change, and never comes back (for ETags).
    ///
    /// # Errors
    /// When the store cannot be asked.
    pub async fn tasks_version(&self, tenant: &TenantId) -> Result<String, Error> {
        let tasks = self.tasks_of(tenant);
        let mut numbers = redis::cmd("MGET");
        numbers.arg(&["ordinals", "changed"].map(|name| tasks.key(name)));
        let numbers: [Option<u64>; 2] = next_value(&mut tasks.read(&[numbers]).await?.1)?;
        // An emptied store has no last change, as one of before this release; how many there were tells them apart.
        Ok(numbers.map(|number| number.unwrap_or_default().to_string()).join("."))
    }

    /// Edits a task by hand. With `expected`, only while it has that revision.
    ///
    /// # Errors
    /// As [`Store::task`].
    pub async fn patch_task(
        &self,
        tenant: &TenantId,
        id: TaskId,
        expected: Option<u64>,
        patch: &TaskPatch,
    ) -> Result<Patched, Error> {
        for _ in 0..MAX_TRIES {
            let (record, now) = self.load(tenant, id).await?;
            let Some(before) = record else { return Ok(Patched::NotFound) };
            if expected.is_some_and(|rev| rev != before.rev) {
                return Ok(Patched::Conflict);
            }
            let mut after = before.clone();
            after.edits.apply(news(patch, &before), now);
            if self.update(tenant, before, after, now).await? {
                return Ok(self.task(tenant, id).await?.map_or(Patched::NotFound, Patched::Done));
            }
        }
        Err(contended())
    }

    /// Records a task that the engine overlooked. The report bears the store's time, whatever time it came with.
    ///
    /// # Errors
    /// As [`Store::task`].
    pub async fn add_missed(&self, tenant: &TenantId, mut mention: Mention) -> Result<TaskRecord, Error> {
        let id = TaskId::new();
        let now = self.now(tenant).await?;
        mention.reported.iter_mut().for_each(|report| report.at = now);
        let record = TaskRecord::new(id, mention, now);
        match self.tasks_of(tenant).change(&[TaskChange::Create(record.clone())], now).await? {
            true => Ok(record),
            false => Err(contended()),
        }
    }

    /// A task, if it is there, and the store's time: later than the tenant's last forgetting.
    pub(crate) async fn load(
        &self,
        tenant: &TenantId,
        id: TaskId,
    ) -> Result<(Option<TaskRecord>, DateTime<Utc>), Error> {
        let now = self.now(tenant).await?;
        let record = self.tasks_of(tenant).records_of(&[id.0], None).await?.pop().flatten();
        Ok((record, now))
    }

    /// Redis time, at least 1 ms after the tenant's last forgetting.
    pub(crate) async fn now(&self, tenant: &TenantId) -> Result<DateTime<Utc>, Error> {
        let tasks = self.tasks_of(tenant);
        let mut forgotten = redis::cmd("HGET");
        forgotten.arg(tasks.key("learning")).arg("forgotten");
        let (now, mut answers) = tasks.read(&[forgotten]).await?;
        // Later than that, also within its millisecond and where the server's clock was set back since.
        Ok(next_value::<Option<i64>>(&mut answers)?.map_or(Ok(now), |ms| time(ms + 1))?.max(now))
    }

    /// Replaces a record. False when it has changed since it was read.
    pub(crate) async fn update(
        &self,
        tenant: &TenantId,
        before: TaskRecord,
        after: TaskRecord,
        now: DateTime<Utc>,
    ) -> Result<bool, Error> {
        self.tasks_of(tenant).change(&[TaskChange::Update { before, after }], now).await
    }

    /// Makes a call, and what comes first for the tenant's tasks before it.
    pub(crate) async fn once_settled<T: FromRedisValue>(&self, tenant: &TenantId, call: &Call<'_>) -> Result<T, Error> {
        for _ in 0..MAX_TRIES {
            match call.run(&self.0.connection).await {
                Err(Error::Unsettled) => self.settle(tenant).await?,
                answer => return answer,
            }
        }
        Err(contended())
    }

    pub(crate) const fn tasks_of<'a>(&'a self, tenant: &'a TenantId) -> Tasks<'a> {
        Tasks { store: self, tenant, settling: false }
    }
}

/// The patch without a status that a person has set already and that still holds: it was completed when it was.
fn news(patch: &TaskPatch, record: &TaskRecord) -> TaskPatch {
    let set = record.edits.status.as_ref().map(|edit| edit.value);
    let stands = patch.status == set && set == Some(record.status());
    TaskPatch { status: patch.status.filter(|_| !stands), ..patch.clone() }
}

/// Others changed the same task each time: the caller may try again.
pub(crate) fn contended() -> Error {
    Error::Unavailable("others keep changing the same task".to_owned())
}

/// What changes come to, without those that change nothing.
pub(crate) fn changes_of(changes: &[TaskChange], now: DateTime<Utc>) -> Result<Vec<Change>, Error> {
    let idle = |change: &&TaskChange| matches!(change, TaskChange::Update { before, after } if before == after);
    changes.iter().filter(|change| !idle(change)).map(|change| Change::of(change, now)).collect()
}

/// Reads a record as scripts keep it, `<rev> <ordinal> <json>`: without the mentions that are kept apart from it.
fn read(head: &[u8]) -> Result<TaskRecord, Error> {
    parsed(head.splitn(3, |byte| *byte == b' ').nth(2).ok_or_else(|| Error::corrupt("a task without its head"))?)
}

fn parsed<T: serde::de::DeserializeOwned>(json: &[u8]) -> Result<T, Error> {
    // The reader's own words could quote the evidence.
    serde_json::from_slice(json)
        .map_err(|e| Error::corrupt(format!("a task, line {}, column {}", e.line(), e.column())))
}
