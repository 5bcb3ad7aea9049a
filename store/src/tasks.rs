//! Tasks: read, recorded with the end of their job, edited.
//!
//! Every change is computed here from the record that was read, and applied by a script only while that record is
//! still as it was; where it is not, the change is computed anew, a few times at most.

use crate::{
    Error, Store,
    change::{Change, TaskChange, append_changes, append_list},
    index,
    jobs::value,
    script::{QUEUE, Script},
    stream::Claim,
};
use chrono::{DateTime, Utc};
use gleaner_model::{ItemKey, JobId, Mention, Suppressed, TaskId, TaskPatch, TaskRecord, TenantId};
use redis::Value;
use std::{collections::BTreeSet, sync::LazyLock};

/// What scripts share that touch tasks.
pub(crate) const TASKS: &str = include_str!("scripts/lib/tasks.lua");

static LOAD: LazyLock<Script> = LazyLock::new(|| Script::new(&[QUEUE, TASKS, include_str!("scripts/load_tasks.lua")]));
static CHANGE: LazyLock<Script> =
    LazyLock::new(|| Script::new(&[QUEUE, TASKS, include_str!("scripts/change_tasks.lua")]));
static CANDIDATES: LazyLock<Script> =
    LazyLock::new(|| Script::new(&[QUEUE, TASKS, include_str!("scripts/candidates.lua")]));
static COMPLETE: LazyLock<Script> =
    LazyLock::new(|| Script::new(&[QUEUE, TASKS, include_str!("scripts/complete.lua")]));

/// How often a change is computed anew when others change the same task.
pub(crate) const TRIES: usize = 16;
/// Most records that [`Store::candidates`] answers besides the item's own.
const MOST_CANDIDATES: usize = 64;
/// Most suppressed candidates that are kept with a job.
pub const MOST_SUPPRESSED: usize = 50;

/// The tasks that an item may speak of.
#[derive(Clone, PartialEq, Debug)]
pub struct Candidates {
    /// Those that the item speaks of already.
    pub of_item: Vec<TaskRecord>,
    /// Others that share a link key, newest and most alike first.
    pub related: Vec<TaskRecord>,
    /// The store's time.
    pub now: DateTime<Utc>,
    /// What [`Store::complete`] needs to notice that somebody recorded the same task meanwhile.
    pub look: Look,
}

/// What was looked for, and when.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Look {
    horizon: String,
    terms: Vec<Vec<u8>>,
    now: DateTime<Utc>,
}

impl Look {
    /// The same, where a task that came meanwhile is a conflict only under these of the links that were looked under. The
    /// item's own tasks count in any case.
    #[must_use]
    pub fn watching(mut self, links: &[String]) -> Self {
        let watched: BTreeSet<Vec<u8>> = links.iter().map(|key| index::link(key).to_vec()).collect();
        self.terms.retain(|term| term.len() != size_of::<index::Link>() || watched.contains(term));
        self
    }
}

/// What a job found, to be recorded.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    /// What the plan was made from.
    pub look: Look,
    /// What becomes of tasks.
    pub changes: Vec<TaskChange>,
    /// The item's tasks once the changes are made.
    pub task_ids: Vec<TaskId>,
    /// The candidates that were left out because of what feedback has taught.
    pub suppressed: Vec<Suppressed>,
    /// Engine and model revision.
    pub extractor: String,
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

    /// The tasks that an item speaks of, and others that share a link key with what it says.
    ///
    /// # Errors
    /// As [`Store::task`].
    pub async fn candidates(&self, tenant: &TenantId, item: &ItemKey, links: &[String]) -> Result<Candidates, Error> {
        let own = index::external_id(&item.external_id);
        let links: Vec<_> = links.iter().map(|key| index::link(key)).collect();
        let call = self.tenant_call(&CANDIDATES, tenant).show(MOST_CANDIDATES).arg(&own);
        let (horizon, ms, of_item, related): (String, i64, Vec<Vec<u8>>, Vec<Vec<u8>>) =
            append_list(call, &links).run(&self.0.connection).await?;
        let now = time(ms)?;
        let (of_item, namesakes): (Vec<_>, Vec<_>) =
            read_all(&of_item)?.into_iter().partition(|record| record.mention_of(item).is_some());
        let mut related = read_all(&related)?;
        // Items of another kind with the same id share the item's term.
        related.extend(namesakes.into_iter().filter(|record| shares(record, &links)));
        let terms = links.iter().map(|link| link.to_vec()).chain([own]).collect();
        Ok(Candidates { of_item, related, now, look: Look { horizon, terms, now } })
    }

    /// The tasks that an item speaks of.
    ///
    /// # Errors
    /// As [`Store::task`].
    pub async fn tasks_of_item(&self, tenant: &TenantId, item: &ItemKey) -> Result<Vec<TaskRecord>, Error> {
        Ok(self.candidates(tenant, item, &[]).await?.of_item)
    }

    /// Ends a job with its tasks in one step: records, index, job, entry, events.
    ///
    /// # Errors
    /// When the store cannot be asked. Repeating the call records it once.
    pub async fn complete(&self, claim: &Claim, plan: &Plan) -> Result<Completion, Error> {
        let changes = changes_of(&plan.changes, plan.look.now)?;
        let ids = serde_json::to_string(&plan.task_ids).map_err(Error::corrupt)?;
        let (count, suppressed) = (plan.task_ids.len().to_string(), plan.suppressed.len().to_string());
        let left = left_out(&plan.suppressed)?;
        let fields = [
            "tasks_extracted",
            &count,
            "task_ids",
            &ids,
            "suppressed",
            &suppressed,
            "extractor",
            plan.extractor.as_str(),
        ];
        let call = self
            .tenant_call(&COMPLETE, &claim.tenant)
            .show(claim.job_id)
            .arg(&claim.entry)
            .show(claim.attempt)
            .arg(&plan.look.horizon);
        let call = append_list(append_list(call, &plan.look.terms), &fields).arg(&left);
        let verdict: String = append_changes(call, &changes).run(&self.0.connection).await?;
        Ok(match verdict.as_str() {
            "ok" | "done" => Completion::Applied,
            "superseded" => Completion::Superseded,
            "conflict" => Completion::Conflict,
            _ => Completion::Stale,
        })
    }

    /// What a job left out because of what feedback has taught, while the job is kept; at most [`MOST_SUPPRESSED`].
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
        match self.change(tenant, &[TaskChange::Create(record.clone())], now).await? {
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
        let mut answer =
            self.tenant_call(&LOAD, tenant).show(1).show(id).run::<Vec<Value>>(&self.0.connection).await?.into_iter();
        let now = time(value(&mut answer)?)?;
        let record: Option<Vec<u8>> = value(&mut answer)?;
        Ok((record.as_deref().map(read).transpose()?, now))
    }

    /// The store's time, as [`Store::load`] gives it.
    pub(crate) async fn now(&self, tenant: &TenantId) -> Result<DateTime<Utc>, Error> {
        let mut answer =
            self.tenant_call(&LOAD, tenant).show(0).run::<Vec<Value>>(&self.0.connection).await?.into_iter();
        time(value(&mut answer)?)
    }

    /// Replaces a record. False when it has changed since it was read.
    pub(crate) async fn update(
        &self,
        tenant: &TenantId,
        before: TaskRecord,
        after: TaskRecord,
        now: DateTime<Utc>,
    ) -> Result<bool, Error> {
        self.change(tenant, &[TaskChange::Update { before, after }], now).await
    }

    /// Makes changes, all or none. False when one of the records has changed since it was read.
    pub(crate) async fn change(
        &self,
        tenant: &TenantId,
        changes: &[TaskChange],
        now: DateTime<Utc>,
    ) -> Result<bool, Error> {
        let changes = changes_of(changes, now)?;
        let call = append_changes(self.tenant_call(&CHANGE, tenant), &changes);
        Ok(call.run::<String>(&self.0.connection).await? == "ok")
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

/// Reads a record as scripts write it: `<rev> <ordinal> <json>`.
pub(crate) fn read(bytes: &[u8]) -> Result<TaskRecord, Error> {
    let json = bytes.splitn(3, |byte| *byte == b' ').nth(2).ok_or_else(|| Error::corrupt("a task without its head"))?;
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

fn read_all(records: &[Vec<u8>]) -> Result<Vec<TaskRecord>, Error> {
    records.iter().map(|bytes| read(bytes)).collect()
}

pub(crate) fn time(ms: i64) -> Result<DateTime<Utc>, Error> {
    DateTime::from_timestamp_millis(ms).ok_or_else(|| Error::corrupt("the store's time is out of range"))
}
