//! Tasks: read, recorded with the end of their job, edited.
//!
//! Every change is computed here from the record that was read, and applied by a script only while that record is
//! still as it was; where it is not, the change is computed anew, a few times at most.

use crate::{
    Error, Store,
    change::{Change, TaskChange, append_changes, append_list},
    index,
    jobs::value,
    keys::item_digest,
    script::{Call, LuaScript, QUEUE},
    search::hits::{CHUNK, Hits},
    stream::Claim,
};
use chrono::{DateTime, Utc};
use futures::try_join;
use gleaner_model::{ItemKey, JobId, Mention, Suppressed, TaskId, TaskPatch, TaskRecord, TenantId, Usage};
use redis::{Cmd, FromRedisValue, Value};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::LazyLock,
};
use uuid::Uuid;

/// What scripts share that read tasks.
pub(crate) const TASKS: &str = include_str!("scripts/lib/tasks.lua");
/// And those that change postings.
pub(crate) const POSTINGS: &str = include_str!("scripts/lib/postings.lua");
/// And those that change tasks.
pub(crate) const CHANGES: &str = include_str!("scripts/lib/changes.lua");

static CHANGE: LazyLock<LuaScript> =
    LazyLock::new(|| LuaScript::new(&[QUEUE, TASKS, POSTINGS, CHANGES, include_str!("scripts/change_tasks.lua")]));
static STAGE: LazyLock<LuaScript> =
    LazyLock::new(|| LuaScript::new(&[QUEUE, TASKS, POSTINGS, CHANGES, include_str!("scripts/stage.lua")]));
static COMPLETE: LazyLock<LuaScript> =
    LazyLock::new(|| LuaScript::new(&[QUEUE, TASKS, POSTINGS, CHANGES, include_str!("scripts/complete.lua")]));

/// How often a change is computed anew when others change the same task, or a call made again when something came first.
pub(crate) const TRIES: usize = 16;
/// Changes that one script makes when a job ends; of more, each so many are staged before.
const CHANGES_AT_ONCE: usize = 16;
/// Most records that [`Store::candidates`] answers besides the item's own.
const MOST_CANDIDATES: usize = 32;
/// Most links that tasks are looked for under.
const MOST_LINKS: usize = 4000;
/// Records that are read at once.
const RECORDS_AT_ONCE: usize = 64;
/// Most suppressed candidates that are kept with a job.
pub const MOST_SUPPRESSED: usize = 50;

/// A tenant's tasks. What comes first for them (an accepted erasure, an index of the layout before) is done by whoever meets
/// it, unless this is who does it.
#[derive(Clone, Copy)]
pub(crate) struct Tasks<'a> {
    pub(crate) store: &'a Store,
    pub(crate) tenant: &'a TenantId,
    pub(crate) settling: bool,
}

/// Where an item's tasks may be found.
pub(crate) struct Looked {
    pub(crate) now: DateTime<Utc>,
    /// The item's term.
    term: Vec<u8>,
    /// The tenant's chunks.
    chunks: Vec<u32>,
    /// The latest under each link, and behind them those under the item.
    rows: Vec<Vec<u8>>,
}

impl<'a> Tasks<'a> {
    pub(crate) fn call(self, script: &'a LazyLock<LuaScript>) -> Call<'a> {
        self.store.tenant_call(script, self.tenant).arg(if self.settling { "settling" } else { "" })
    }

    pub(crate) async fn run<T: FromRedisValue>(self, call: &Call<'_>) -> Result<T, Error> {
        self.store.once_settled(self.tenant, call).await
    }

    /// Makes reads in a row, once nothing comes first; the first answer is the store's time.
    async fn read(self, reads: &[Cmd]) -> Result<(DateTime<Utc>, std::vec::IntoIter<Value>), Error> {
        for _ in 0..TRIES {
            let mut first = redis::cmd("EXISTS");
            first.arg(&["landing", "erasing", "chunks", "chores"].map(|name| self.key(name)));
            let row = [&[first, redis::cmd("TIME")], reads].concat();
            let mut answers = self.store.0.connection.read_all(row).await?.into_iter();
            let unsettled = value::<u8>(&mut answers)? > 0;
            let [seconds, micros]: [i64; 2] = value(&mut answers)?;
            if self.settling || !unsettled {
                return Ok((time(seconds * 1000 + micros / 1000)?, answers));
            }
            self.store.settle(self.tenant).await?;
        }
        Err(contended())
    }

    pub(crate) async fn look(self, item: &ItemKey, links: &[index::Link]) -> Result<Looked, Error> {
        let term = index::external_id(&item.external_id);
        let mut chunks = redis::cmd("HKEYS");
        chunks.arg(self.key("counts"));
        let mut rows = redis::cmd("HMGET");
        rows.arg(self.key("linked"));
        links.iter().map(|link| link.as_slice()).chain([term.as_slice()]).for_each(|term| {
            rows.arg(term);
        });
        let (now, mut answers) = self.read(&[chunks, rows]).await?;
        let chunks = value(&mut answers)?;
        let rows: Vec<Option<Vec<u8>>> = value(&mut answers)?;
        Ok(Looked { now, term, chunks, rows: rows.into_iter().map(Option::unwrap_or_default).collect() })
    }

    /// The tasks under the item's term.
    pub(crate) async fn own(self, looked: &Looked) -> Result<Vec<u32>, Error> {
        let term = String::from_utf8_lossy(&looked.term);
        let posting = |chunk| redis::cmd("GET").arg(self.key(&format!("post:{chunk}:{term}"))).to_owned();
        let reads = looked.chunks.iter().map(posting).collect();
        let mut answers = self.store.0.connection.read_all(reads).await?.into_iter();
        let mut own = Hits::default();
        for chunk in &looked.chunks {
            if let Some(posting) = value::<Option<Vec<u8>>>(&mut answers)? {
                own.add(*chunk, &posting)?;
            }
        }
        Ok(own.ordinals())
    }

    /// The records of some tasks, none where one is gone. Asked for an item, they tell whether it is counted.
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
        let reads = chunks.iter().map(|(chunk, places)| {
            let mut cmd = redis::cmd("BITFIELD_RO");
            cmd.arg(self.key(&format!("ids:{chunk}")));
            for half in places.iter().map(|at| ordinals[*at] % CHUNK * 2).flat_map(|first| [first, first + 1]) {
                cmd.arg("GET").arg("i64").arg(format!("#{half}"));
            }
            cmd
        });
        let mut answers = self.store.0.connection.read_all(reads.collect()).await?.into_iter();
        let mut ids = vec![Uuid::nil(); ordinals.len()];
        for places in chunks.values() {
            let halves: Vec<i64> = value(&mut answers)?;
            for (at, pair) in places.iter().zip(halves.chunks_exact(2)) {
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
        let heads: Vec<Option<Vec<u8>>> = value(&mut answers)?;
        let mut records =
            heads.iter().map(|head| head.as_deref().map(read).transpose()).collect::<Result<Vec<_>, _>>()?;
        for (record, item) in records.iter_mut().zip(item.into_iter().cycle()) {
            if value::<bool>(&mut answers)?
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
            for json in value::<Vec<Vec<u8>>>(&mut answers)? {
                let mention: Mention = parsed(&json)?;
                if record.mention_of(&mention.item).is_none() {
                    record.mentions.push(mention);
                }
            }
            record.mentions.sort_by(|one, other| (one.occurred_at, &one.item).cmp(&(other.occurred_at, &other.item)));
        }
        Ok(())
    }

    fn key(self, name: &str) -> String {
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

/// Those that share most links with what is looked for, newest first among equals. A link counts for the less the more tasks
/// are under it.
fn likeliest(looked: &Looked) -> Vec<u32> {
    let mut shared: HashMap<u32, f64> = HashMap::new();
    let entries = |row: &[u8]| -> Vec<u32> {
        row.chunks_exact(4).map(|entry| u32::from_be_bytes([entry[0], entry[1], entry[2], entry[3]])).collect()
    };
    let Some((own, rows)) = looked.rows.split_last() else { return Vec::new() };
    for row in rows {
        let weight = 4.0 / row.len() as f64;
        entries(row).into_iter().for_each(|ordinal| *shared.entry(ordinal).or_default() += weight);
    }
    let own = entries(own);
    shared.retain(|ordinal, _| !own.contains(ordinal));
    let mut order: Vec<_> = shared.into_iter().collect();
    order.sort_unstable_by(|one, other| other.1.total_cmp(&one.1).then(other.0.cmp(&one.0)));
    order.truncate(MOST_CANDIDATES);
    order.into_iter().map(|(ordinal, _)| ordinal).collect()
}

/// The tasks that an item may speak of.
#[derive(Clone, PartialEq, Debug)]
pub struct Candidates {
    /// Those that the item speaks of already, in words that are kept.
    pub of_item: Vec<TaskRecord>,
    /// Those that count the item among the ones whose words are no longer kept, then others that share a link key, those
    /// that share most first.
    pub related: Vec<TaskRecord>,
    /// The store's time.
    pub now: DateTime<Utc>,
    /// What [`Store::complete`] needs to notice that somebody recorded the same task meanwhile.
    pub look: WatchedLinks,
}

/// What was looked for, and when.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WatchedLinks {
    /// Links and the item, each with the latest task under it.
    watched: Vec<[Vec<u8>; 2]>,
    now: DateTime<Utc>,
}

impl WatchedLinks {
    /// The same, where a task that came meanwhile is a conflict only under these of the links that were looked under. The
    /// item's own tasks count in any case.
    #[must_use]
    pub fn watching(mut self, links: &[String]) -> Self {
        let watched: BTreeSet<Vec<u8>> = links.iter().map(|key| index::link(key).to_vec()).collect();
        self.watched.retain(|[term, _]| term.len() != index::LINK || watched.contains(term));
        self
    }
}

/// What a job found, to be recorded.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// What the plan was made from.
    pub look: WatchedLinks,
    /// What becomes of tasks.
    pub changes: Vec<TaskChange>,
    /// The item's tasks once the changes are made.
    pub task_ids: Vec<TaskId>,
    /// How many tasks were left out because the item has more than it may give.
    pub over_cap: u32,
    /// The candidates that were left out because of what feedback has taught.
    pub suppressed: Vec<Suppressed>,
    /// Engine and model revision.
    pub extractor: String,
    /// What a language model was asked for it.
    pub usage: Option<Usage>,
}

/// What became of a plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Completion {
    /// Tasks, job, entry and events are as planned.
    Applied,
    /// The job has succeeded without tasks: a later submission of the item decides.
    Superseded,
    /// The job is somebody else's by now; nothing changed.
    Stale,
    /// Somebody changed one of the tasks, or recorded one alike; nothing changed. Look again, plan again.
    Conflict,
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

    /// Stands for all tasks of the tenant as they are now: another one after each change, and none that was there before.
    ///
    /// # Errors
    /// When the store cannot be asked.
    pub async fn tasks_version(&self, tenant: &TenantId) -> Result<String, Error> {
        let tasks = self.tasks_of(tenant);
        let mut numbers = redis::cmd("MGET");
        numbers.arg(&["ordinals", "changed"].map(|name| tasks.key(name)));
        let numbers: [Option<u64>; 2] = value(&mut tasks.read(&[numbers]).await?.1)?;
        // An emptied store has no last change, as one of before this release; how many there were tells them apart.
        Ok(numbers.map(|number| number.unwrap_or_default().to_string()).join("."))
    }

    /// The tasks that an item speaks of, and others that share a link key with what it says.
    ///
    /// # Errors
    /// As [`Store::task`].
    pub async fn candidates(&self, tenant: &TenantId, item: &ItemKey, links: &[String]) -> Result<Candidates, Error> {
        let links: Vec<_> = links.iter().take(MOST_LINKS).map(|key| index::link(key)).collect();
        let tasks = self.tasks_of(tenant);
        let looked = tasks.look(item, &links).await?;
        let of_term = async { tasks.records(&tasks.own(&looked).await?, Some(item)).await };
        let likely = likeliest(&looked);
        let (own, likely) = try_join!(of_term, tasks.records(&likely, None))?;
        let known: BTreeSet<_> = own.iter().flatten().map(|record| record.id).collect();
        let (of_item, others): (Vec<_>, Vec<_>) =
            own.into_iter().flatten().partition(|record| record.mention_of(item).is_some());
        let (mut related, namesakes): (Vec<_>, Vec<_>) = others.into_iter().partition(|record| record.is_of(item));
        related.extend(likely.into_iter().flatten().filter(|record| !known.contains(&record.id)));
        // Items of another kind with the same id share the item's term.
        related.extend(namesakes.into_iter().filter(|record| shares(record, &links)));
        let terms = links.iter().map(|link| link.to_vec()).chain([looked.term]);
        let latest = looked.rows.iter().map(|row| row[row.len().saturating_sub(4)..].to_vec());
        let look =
            WatchedLinks { watched: terms.zip(latest).map(|(term, last)| [term, last]).collect(), now: looked.now };
        Ok(Candidates { of_item, related, now: looked.now, look })
    }

    /// The tasks that an item speaks of.
    ///
    /// # Errors
    /// As [`Store::task`].
    pub async fn tasks_of_item(&self, tenant: &TenantId, item: &ItemKey) -> Result<Vec<TaskRecord>, Error> {
        let tasks = self.tasks_of(tenant);
        let looked = tasks.look(item, &[]).await?;
        let records = tasks.records(&tasks.own(&looked).await?, Some(item)).await?;
        Ok(records.into_iter().flatten().filter(|record| record.is_of(item)).collect())
    }

    /// Ends a job with its tasks, in one step.
    ///
    /// # Errors
    /// When the store cannot be asked.
    pub async fn complete(&self, claim: &Claim, plan: &Plan) -> Result<Completion, Error> {
        let tasks = self.tasks_of(&claim.tenant);
        let changes = changes_of(&plan.changes, plan.look.now)?;
        let ids = serde_json::to_string(&plan.task_ids).map_err(Error::corrupt)?;
        let left = left_out(&plan.suppressed)?;
        let numbers = [plan.task_ids.len(), plan.over_cap as usize, plan.suppressed.len()].map(|n| n.to_string());
        let mut fields = vec!["task_ids", &ids, "extractor", &plan.extractor];
        for (name, number) in ["tasks_extracted", "tasks_over_cap", "suppressed"].iter().zip(&numbers) {
            if *name == "tasks_extracted" || number != "0" {
                fields.extend([*name, number.as_str()]);
            }
        }
        let usage = plan.usage.map(|usage| serde_json::to_string(&usage)).transpose().map_err(Error::corrupt)?;
        fields.extend(usage.iter().flat_map(|usage| ["usage", usage]));
        let watched = plan.look.watched.concat();
        let named = |script| tasks.call(script).show(claim.job_id).arg(&claim.entry).show(claim.attempt);
        let staged: &[Change] = if changes.len() > CHANGES_AT_ONCE { &changes } else { &[] };
        let pieces = staged.chunks(CHANGES_AT_ONCE);
        for (number, piece) in pieces.clone().enumerate() {
            tasks.run::<()>(&append_changes(named(&STAGE).show(number), piece)).await?;
        }
        let revisions: Vec<String> = staged.iter().flat_map(Change::revision).collect();
        let call = append_list(append_list(named(&COMPLETE), &watched), &fields).arg(&left);
        let call = append_list(call.show(pieces.len()), &revisions);
        let call = append_changes(call, if staged.is_empty() { &changes } else { &[] });
        let (verdict, full): (String, bool) = tasks.run(&call).await?;
        if full {
            tasks.index_soon();
        }
        if verdict == "ok" && !staged.is_empty() {
            self.settle_or_leave(&claim.tenant).await;
        }
        Ok(match verdict.as_str() {
            "ok" | "done" => Completion::Applied,
            "superseded" => Completion::Superseded,
            "conflict" => Completion::Conflict,
            _ => Completion::Stale,
        })
    }

    /// What a job left out because of what feedback has taught, while the job is kept; at most `MOST_SUPPRESSED`.
    ///
    /// # Errors
    /// As [`Store::task`].
    pub async fn suppressed(&self, tenant: &TenantId, job: JobId) -> Result<Vec<Suppressed>, Error> {
        let key = self.0.keys.tenant(tenant, &format!("left:{job}"));
        let found: Option<Vec<u8>> = self.0.connection.query(redis::cmd("GET").arg(key)).await?;
        let read = |json: Vec<u8>| serde_json::from_slice(&json);
        // The reader's own words could quote the text.
        found
            .map(read)
            .transpose()
            .map(Option::unwrap_or_default)
            .map_err(|e| Error::corrupt(format!("what job {job} left out, line {}, column {}", e.line(), e.column())))
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
        for _ in 0..TRIES {
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

    /// The store's time, as [`Store::load`] gives it.
    pub(crate) async fn now(&self, tenant: &TenantId) -> Result<DateTime<Utc>, Error> {
        let tasks = self.tasks_of(tenant);
        let mut forgotten = redis::cmd("HGET");
        forgotten.arg(tasks.key("learning")).arg("forgotten");
        let (now, mut answers) = tasks.read(&[forgotten]).await?;
        // Later than that, also within its millisecond and where the server's clock was set back since.
        Ok(value::<Option<i64>>(&mut answers)?.map_or(Ok(now), |ms| time(ms + 1))?.max(now))
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
        for _ in 0..TRIES {
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

fn changes_of(changes: &[TaskChange], now: DateTime<Utc>) -> Result<Vec<Change>, Error> {
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

/// As the job keeps them; empty where there are none.
fn left_out(suppressed: &[Suppressed]) -> Result<Vec<u8>, Error> {
    if suppressed.is_empty() {
        return Ok(Vec::new());
    }
    let kept = &suppressed[..suppressed.len().min(MOST_SUPPRESSED)];
    serde_json::to_vec(kept).map_err(|error| Error::Refused(format!("what was left out cannot be written: {error}")))
}

fn shares(record: &TaskRecord, links: &[index::Link]) -> bool {
    record.mentions.iter().flat_map(|mention| &mention.links).any(|key| links.contains(&index::link(key)))
}

pub(crate) fn time(ms: i64) -> Result<DateTime<Utc>, Error> {
    DateTime::from_timestamp_millis(ms).ok_or_else(|| Error::corrupt("the store's time is out of range"))
}
