//! The end of a job: what it found is recorded with it. Up to 16 changes of tasks are made by the script that ends the
//! job. Where there are more, all are staged before it, 16 a script, and land after it, before anybody reads the
//! tenant's tasks or events.

use crate::{
    Error, Store,
    candidates::WatchedLinks,
    change::{Change, TaskChange, append_changes},
    script::{LuaScript, QUEUE, append_list},
    stream::Claim,
    tasks::{CHANGES, POSTINGS, TASKS, changes_of},
};
use gleaner_model::{JobId, Suppressed, TaskId, TenantId, Usage};
use std::sync::LazyLock;

static STAGE: LazyLock<LuaScript> =
    LazyLock::new(|| LuaScript::new(&[QUEUE, TASKS, POSTINGS, CHANGES, include_str!("scripts/stage.lua")]));
static COMPLETE: LazyLock<LuaScript> =
    LazyLock::new(|| LuaScript::new(&[QUEUE, TASKS, POSTINGS, CHANGES, include_str!("scripts/complete.lua")]));

/// Changes that one script makes when a job ends; of more, each so many are staged before.
const CHANGES_AT_ONCE: usize = 16;
/// Most suppressed candidates that are kept with a job.
const MAX_SUPPRESSED: usize = 50;

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

impl Store {
    /// Ends a job with its tasks: all or none, and nobody sees some without the others. Up to 16 changes of tasks are
    /// made by the script that ends the job. Where there are more, all are staged before it, 16 a script, and land
    /// after it, before anybody reads the tenant's tasks or events.
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

    /// What a job left out because of what feedback has taught, while the job is kept; at most `MAX_SUPPRESSED`.
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
}

/// As the job keeps them; empty where there are none.
fn left_out(suppressed: &[Suppressed]) -> Result<Vec<u8>, Error> {
    if suppressed.is_empty() {
        return Ok(Vec::new());
    }
    let kept = &suppressed[..suppressed.len().min(MAX_SUPPRESSED)];
    serde_json::to_vec(kept).map_err(|error| Error::Refused(format!("what was left out cannot be written: {error}")))
}
