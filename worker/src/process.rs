//! One delivery, from its beginning to its outcome.

use crate::{
    Worker, alike,
    extractor::{Extracted, GaveUp},
    learning,
    mention::{mention, report, suppressed},
    metrics::Outcome,
    patience::persist,
    reconcile::{Decision, Situation, reconcile},
};
use gleaner_extract::Found;
use gleaner_model::{JobFailure, JobId, Mention, Reason, Suppressed, TaskRecord};
use gleaner_store::{Claim, Completion, Delivery, Error, Payload, Plan, Taught};
use std::{collections::BTreeSet, sync::Arc, time::Instant};
use tracing::Instrument as _;

/// How often a plan is made anew because somebody changed one of its tasks.
const PLANS: u32 = 50;

/// Processes one delivery; says how it ended.
pub async fn process(worker: &Worker, delivery: Arc<Delivery>) -> Outcome {
    let trace = delivery.traceparent.as_deref().unwrap_or_default();
    let span = tracing::info_span!(
        "job",
        job.id = %delivery.job_id,
        tenant = %delivery.tenant,
        request.id = delivery.request_id,
        trace.parent = trace,
    );
    async {
        let outcome = match attempt(worker, &delivery).await {
            Ok(outcome) => outcome,
            Err(error) => {
                worker.metrics.store_errors.inc();
                tracing::error!(error = %error, "Leaving a job for another attempt: its result could not be recorded");
                Outcome::Left
            }
        };
        worker.metrics.ended(outcome);
        outcome
    }
    .instrument(span)
    .await
}

async fn attempt(worker: &Worker, delivery: &Arc<Delivery>) -> Result<Outcome, Error> {
    // What a worker may not have survived runs alone, and is counted only when its turn has come: so it takes no
    // companion with it, and none is counted with it.
    let (_alone, _together);
    if delivery.attempts > 0 {
        _alone = worker.turn.write().await
    } else {
        _together = worker.turn.read().await
    }
    let Some(claim) = persist(&worker.metrics, || worker.store.begin(delivery)).await? else {
        return Ok(Outcome::Stale);
    };
    let begun = Instant::now();
    let Some(payload) = read(delivery).await else {
        return fail(worker, &claim, "unreadable", "the stored item cannot be read").await;
    };
    let payload = Arc::new(payload);
    let taught = learning::taught(worker, &claim).await?;
    let outcome = match worker.extractor.extract(payload.clone(), taught.clone(), &worker.metrics).await {
        Ok(extracted) => record(worker, &claim, &payload, &taught, extracted).await?,
        Err(GaveUp) => fail(worker, &claim, "extraction-failed", "the engine could not read this text").await?,
    };
    let took = begun.elapsed();
    worker.metrics.seconds.observe(took.as_secs_f64());
    tracing::debug!(job.outcome = ?outcome, duration_ms = took.as_millis(), "Finished a job");
    Ok(outcome)
}

/// A long transcript takes a while to read, so not on this thread.
async fn read(delivery: &Arc<Delivery>) -> Option<Payload> {
    let delivery = delivery.clone();
    match tokio::task::spawn_blocking(move || delivery.payload()).await {
        Ok(Ok(payload)) => Some(payload),
        Ok(Err(error)) => {
            tracing::error!(error = %error, "Cannot read an item");
            None
        }
        Err(_) => None,
    }
}

async fn fail(worker: &Worker, claim: &Claim, code: &str, message: &str) -> Result<Outcome, Error> {
    let failure = JobFailure { code: code.to_owned(), message: message.to_owned() };
    let failed = persist(&worker.metrics, || worker.store.fail(claim, &failure)).await?;
    tracing::warn!(job.error = code, "Gave up a job");
    Ok(if failed { Outcome::Failed } else { Outcome::Stale })
}

/// What an item says, in the terms of tasks' records.
struct Said {
    found: Vec<Mention>,
    /// What feedback spoke against, as it would be recorded and as the job tells of it.
    suppressed: Vec<(Mention, Suppressed)>,
    reports: Vec<Mention>,
    /// Keys under which tasks stand that may be meant.
    links: Vec<String>,
}

impl Said {
    fn of(payload: &Payload, job: JobId, taught: &Taught, extracted: Extracted) -> Self {
        let item = &payload.item;
        let (content, at) = (item.content_sha256(), item.occurred_at.time.to_utc());
        let because = |found: &Found| learning::because(found, item.key.source_type.as_str(), taught);
        let record = |found: Found, because: Vec<Reason>| {
            let mut mention = mention(item, &content, job, found);
            mention.reasons.extend(because);
            mention
        };
        let recorded = |found: Found| {
            let because = because(&found);
            record(found, because)
        };
        let found: Vec<_> = extracted.found.into_iter().map(recorded).collect();
        let left_out = extracted.suppressed.into_iter().filter_map(|found| {
            let because = because(&found);
            Some((record(found.clone(), because.clone()), suppressed(found, because)?))
        });
        let suppressed = left_out.collect();
        let reports: Vec<_> = extracted.reports.into_iter().map(|said| report(item, &content, job, said)).collect();
        let meant = reports.iter().flat_map(|report| &report.quotes).flat_map(|said| alike::report_keys(said, at));
        let links: BTreeSet<_> = found.iter().flat_map(|mention| mention.links.clone()).chain(meant).collect();
        Self { found, suppressed, reports, links: links.into_iter().collect() }
    }

    /// What is to be recorded, and what is left out. What people have decided on stays: a suppressed candidate that
    /// means a task of this item which somebody edited or rated is recorded as before.
    fn sides(&self, existing: &[TaskRecord]) -> (Vec<Mention>, Vec<Suppressed>) {
        let (mut found, mut left_out) = (self.found.clone(), Vec::new());
        for (mention, suppressed) in &self.suppressed {
            let means = |record: &TaskRecord| {
                let before = record.mention_of(&mention.item);
                record.is_touched() && before.is_some_and(|before| alike::again(mention, before).is_some())
            };
            if existing.iter().any(means) {
                found.push(mention.clone());
            } else {
                left_out.push(suppressed.clone());
            }
        }
        (found, left_out)
    }
}

/// Records what was found, looking again as often as somebody else was faster.
async fn record(
    worker: &Worker,
    claim: &Claim,
    payload: &Payload,
    taught: &Taught,
    extracted: Extracted,
) -> Result<Outcome, Error> {
    let item = &payload.item.key;
    let engine = extracted.engine.clone();
    let said = Said::of(payload, claim.job_id, taught, extracted);
    let mut lane = None;
    for _ in 0..PLANS {
        let look = persist(&worker.metrics, || worker.store.candidates(&claim.tenant, item, &said.links)).await?;
        let (found, left_out) = said.sides(&look.of_item);
        let Decision { mut changes, tasks } = reconcile(Situation {
            item: item.clone(),
            existing: look.of_item,
            candidates: look.related,
            found,
            reports: said.reports.clone(),
            now: look.now,
        });
        learning::rank(&mut changes, &taught.learnt);
        let plan = Plan { look: look.look, changes, task_ids: tasks, suppressed: left_out, extractor: engine.clone() };
        match persist(&worker.metrics, || worker.store.complete(claim, &plan)).await? {
            Completion::Applied => {
                worker.metrics.tasks.observe(plan.task_ids.len() as f64);
                return Ok(Outcome::Succeeded);
            }
            Completion::Superseded => return Ok(Outcome::Succeeded),
            Completion::Stale => return Ok(Outcome::Stale),
            Completion::Conflict => worker.metrics.conflicts.inc(),
        };
        // Jobs of one tenant that are in each other's way go one after another from here on.
        if lane.is_none() {
            lane = Some(worker.lane(&claim.tenant).lock().await);
        }
    }
    Err(Error::Unavailable("others keep changing the tasks of this item".to_owned()))
}
