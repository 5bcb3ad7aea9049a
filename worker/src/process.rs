//! One delivery, from its beginning to its outcome.

use crate::{
    IsolationTurn, Worker,
    extractor::{self, ExtractError, Extracted, ModelOutcome},
    findings::ItemFindings,
    learning,
    metrics::JobOutcome,
    prefetch::QueueKind,
    reconcile::{Decision, Situation, reconcile},
    retry::retry_transient,
};
use gleaner_model::JobFailure;
use gleaner_runtime::low_priority::WorkError;
use gleaner_store::{Claim, Completion, Delivery, Error, LearningState, Payload, Plan};
use std::{sync::Arc, time::Instant};
use tracing::Instrument as _;

/// How often a plan is made anew because somebody changed one of its tasks.
const MAX_PLANS: u32 = 50;

/// Processes one delivery; says how it ended.
pub async fn process(worker: &Worker, delivery: Arc<Delivery>) -> JobOutcome {
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
                JobOutcome::Left
            }
        };
        worker.metrics.ended(outcome);
        outcome
    }
    .instrument(span)
    .await
}

async fn attempt(worker: &Worker, delivery: &Arc<Delivery>) -> Result<JobOutcome, Error> {
    // What a worker may not have survived runs alone, and is counted only when its turn has come: so no other
    // job fails with it, or is counted with it.
    let turn = worker.isolation_turn(delivery).await;
    let Some(claim) = retry_transient(&worker.metrics, || worker.store.begin(delivery)).await? else {
        return Ok(JobOutcome::Stale);
    };
    let begun = Instant::now();
    let Some(payload) = parse_payload(delivery).await else {
        return fail(worker, &claim, "unreadable", "the stored item cannot be read").await;
    };
    let payload = Arc::new(payload);
    let taught = learning::state(worker, &claim).await?;
    let outcome = match extract(worker, delivery, turn, &claim, &payload, &taught).await {
        Ok(extracted) => record(worker, &claim, payload, taught, extracted).await?,
        Err(ExtractError::GaveUp) => {
            fail(worker, &claim, "extraction-failed", "the engine could not read this text").await?
        }
        Err(ExtractError::Ending) => JobOutcome::Left,
        Err(ExtractError::Store(error)) => return Err(error),
    };
    let took = begun.elapsed();
    worker.metrics.seconds.observe(took.as_secs_f64());
    tracing::debug!(job.outcome = ?outcome, duration_ms = took.as_millis(), "Finished a job");
    Ok(outcome)
}

/// Asks the model where there is one, and reads with the engine where there is none or where it gave no good answer. Whoever
/// waits for a model does so without a turn: that nobody waits with it.
async fn extract(
    worker: &Worker,
    delivery: &Delivery,
    turn: IsolationTurn<'_>,
    claim: &Claim,
    payload: &Arc<Payload>,
    taught: &Arc<LearningState>,
) -> Result<Extracted, ExtractError> {
    if worker.extractor.queue(&claim.tenant) == QueueKind::Engine {
        let extracted = extractor::run_engine(worker, &claim.tenant, payload.clone(), taught.clone()).await?;
        return Ok(Extracted { engine: extractor::named(extracted.engine, taught), ..extracted });
    }
    drop(turn);
    match extractor::ask(worker, claim, payload, taught).await? {
        ModelOutcome::Answered(extracted) => Ok(*extracted),
        ModelOutcome::NoAnswer(usage) => {
            let _turn = worker.isolation_turn(delivery).await;
            let extracted = extractor::run_engine(worker, &claim.tenant, payload.clone(), taught.clone()).await?;
            let engine = extractor::named(format!("{} (llm unavailable)", extracted.engine), taught);
            Ok(Extracted { engine, usage: Some(usage), ..extracted })
        }
    }
}

/// The stored item; `None` when it cannot be parsed. A long transcript takes a while to parse, so not on this thread.
async fn parse_payload(delivery: &Arc<Delivery>) -> Option<Payload> {
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

async fn fail(worker: &Worker, claim: &Claim, code: &str, message: &str) -> Result<JobOutcome, Error> {
    let failure = JobFailure { code: code.to_owned(), message: message.to_owned() };
    let failed = retry_transient(&worker.metrics, || worker.store.fail(claim, &failure)).await?;
    tracing::warn!(job.error = code, "Gave up a job");
    Ok(if failed { JobOutcome::Failed } else { JobOutcome::Stale })
}

/// Records what was found, looking again as often as somebody else was faster.
async fn record(
    worker: &Worker,
    claim: &Claim,
    payload: Arc<Payload>,
    taught: Arc<LearningState>,
    mut extracted: Extracted,
) -> Result<JobOutcome, Error> {
    let (item, bytes) = (payload.item.key.clone(), payload.item.transcript.len());
    let over_cap = extracted.keep_likeliest(worker.max_tasks);
    let (engine, usage) = (extracted.engine.clone(), extracted.usage);
    let (job, taught_then) = (claim.job_id, taught.clone());
    let findings = move || ItemFindings::of(&payload.item, &payload.subject, job, &taught_then, extracted);
    let said = worker.cpu.work(&claim.tenant, bytes, findings);
    let said = Arc::new(said.await.map_err(undecided)?);
    let gate = worker.conflict_gate(&claim.tenant);
    let mut gate_guard = gate.enter().await;
    for _ in 0..MAX_PLANS {
        let look =
            retry_transient(&worker.metrics, || worker.store.candidates(&claim.tenant, &item, &said.links)).await?;
        let (item, said, taught, extractor) = (item.clone(), said.clone(), taught.clone(), engine.clone());
        let plan = worker.cpu.work(&claim.tenant, bytes, move || {
            let (found, suppressed) = said.sides(&look.of_item);
            let Decision { mut changes, tasks: task_ids } = reconcile(Situation {
                item,
                existing: look.of_item,
                candidates: look.related,
                found,
                meant: said.meant.clone(),
                done_mentions: said.done_mentions.clone(),
                people: said.people.clone(),
                now: look.now,
            });
            learning::rank(&mut changes, &taught.learnt);
            let look = look.look.watching(&said.telling);
            Plan { look, changes, task_ids, over_cap, suppressed, extractor, usage }
        });
        let plan = plan.await.map_err(undecided)?;
        match retry_transient(&worker.metrics, || worker.store.complete(claim, &plan)).await? {
            Completion::Applied => {
                worker.metrics.tasks.observe(plan.task_ids.len() as f64);
                return Ok(JobOutcome::Succeeded);
            }
            Completion::Superseded => return Ok(JobOutcome::Succeeded),
            Completion::Stale => return Ok(JobOutcome::Stale),
            Completion::Conflict => worker.metrics.conflicts.inc(),
        };
        if gate_guard.is_none() {
            gate_guard = Some(gate.after_conflict().await);
        } else {
            gate.conflict();
        }
    }
    Err(Error::Unavailable("others keep changing the tasks of this item".to_owned()))
}

/// What an item says could not be made sense of; the next attempt begins anew.
fn undecided(error: WorkError) -> Error {
    Error::Unavailable(format!("what an item means for the tasks could not be decided: {error}"))
}
