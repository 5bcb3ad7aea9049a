//! Submissions are accepted: rate, idempotency, backlog, job and stream entry in one step, or nothing.

use crate::{
    AcceptOutcome, Admission, Admitted, Error, RateState, Store,
    jobs::named_job,
    keys::item_digest,
    rate::RATE,
    reply::{Fields, next_value},
    script::{LuaScript, QUEUE},
};
use chrono::DateTime;
use gleaner_model::{Item, Job, JobStatus, Subject};
use redis::Value;
use serde::Serialize;
use std::sync::LazyLock;

static ACCEPT: LazyLock<LuaScript> =
    LazyLock::new(|| LuaScript::new(&[QUEUE, RATE, include_str!("scripts/accept.lua")]));

/// How long a repetition is recognised: 24 hours, in milliseconds.
const IDEMPOTENCY_MS: u32 = 24 * 3600 * 1000;

/// What accept.lua takes for one submission.
const ARGUMENTS: usize = 16;

/// One submission as the script takes it.
pub(crate) type SubmissionArguments = [Vec<u8>; ARGUMENTS];

impl Store {
    /// Accepts a submission in one step: rate, idempotency, backlog, job and stream entry, all or nothing.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] and [`Error::Unavailable`]: nothing was accepted, or the answer was lost; repeating the
    /// call with the same [`Admission::job_id`] accepts it once either way.
    pub async fn accept(&self, admission: &Admission) -> Result<Admitted, Error> {
        // It stands for item and content, so it is what a repeated client's key is compared by as well.
        let derived = admission.derived_key(&admission.fingerprint());
        let submission = submission(admission, &derived)?;
        let answer = self.submit_batched(self.0.keys.partition_of(&admission.tenant), submission).await?;
        admitted(admission, admission.client_key.as_ref().unwrap_or(&derived), answer)
    }

    /// Accepts submissions of one partition in one call; an answer for each.
    pub(crate) async fn accept_all(
        &self,
        partition: u16,
        submissions: impl Iterator<Item = &SubmissionArguments>,
    ) -> Result<Vec<Result<Vec<Value>, Error>>, Error> {
        let mut call = self.partition_call(&ACCEPT, partition).show(IDEMPOTENCY_MS);
        for argument in submissions.flatten() {
            call = call.arg(argument);
        }
        let answers: Vec<Vec<Value>> = call.run(&self.0.accepting).await?;
        Ok(answers.into_iter().map(met_no_error).collect())
    }
}

/// A submission's answer, unless it is the server's error.
fn met_no_error(answer: Vec<Value>) -> Result<Vec<Value>, Error> {
    match answer.as_slice() {
        [Value::BulkString(outcome), Value::BulkString(words)] if outcome == b"error" => {
            Err(Error::of_script(&String::from_utf8_lossy(words)))
        }
        _ => Ok(answer),
    }
}

/// The arguments in the order that accept.lua names them.
fn submission(admission: &Admission, derived: &str) -> Result<SubmissionArguments, Error> {
    let item = &admission.item.key;
    let text = |text: &str| text.as_bytes().to_vec();
    let number = |number: u64| number.to_string().into_bytes();
    // A client that sends back the key that it was told means that submission.
    let client_key = admission.client_key.as_deref().filter(|key| *key != derived);
    Ok([
        text(admission.tenant.as_str()),
        admission.job_id.to_string().into_bytes(),
        text(admission.token_id.as_str()),
        number(admission.rate.per_minute.into()),
        number(admission.rate.burst.into()),
        number(admission.tenant_rate.per_minute.into()),
        number(admission.tenant_rate.burst.into()),
        number(admission.backlog_cap),
        text(client_key.unwrap_or_default()),
        text(derived),
        item_digest(item).into_bytes(),
        text(item.source_type.as_str()),
        text(item.external_id.as_str()),
        text(&admission.request_id),
        text(admission.traceparent.as_deref().unwrap_or_default()),
        body_of(admission)?,
    ])
}

/// The entry's body: a [`crate::Payload`] as JSON.
fn body_of(admission: &Admission) -> Result<Vec<u8>, Error> {
    // Escapes make it a little longer than the transcript; growing would copy it.
    let mut body = Vec::with_capacity(admission.item.transcript.len() * 9 / 8 + 1024);
    serde_json::to_writer(&mut body, &PayloadRef { item: &admission.item, subject: &admission.subject })
        .map_err(|error| Error::Refused(format!("the item cannot be written: {error}")))?;
    Ok(body)
}

/// [`crate::Payload`] without owning it.
#[derive(Serialize)]
struct PayloadRef<'a> {
    item: &'a Item,
    subject: &'a Subject,
}

/// Reads what accept.lua answers to one submission.
fn admitted(admission: &Admission, key: &str, answer: Vec<Value>) -> Result<Admitted, Error> {
    let mut values = answer.into_iter();
    let outcome: String = next_value(&mut values)?;
    let (remaining, reset_s): (i64, u32) = (next_value(&mut values)?, next_value(&mut values)?);
    let mut retry_after_s = 0;
    let outcome = match outcome.as_str() {
        "queued" => {
            let id: String = next_value(&mut values)?;
            let job = queued_job(admission, key, &id, next_value(&mut values)?)?;
            AcceptOutcome::Queued { job }
        }
        "known" => AcceptOutcome::Queued { job: earlier_job(&mut values)? },
        "replayed" => AcceptOutcome::Replayed { job: earlier_job(&mut values)? },
        "reused" => AcceptOutcome::KeyReused,
        "limited" => {
            retry_after_s = next_value(&mut values)?;
            AcceptOutcome::RateLimited { retry_after_s }
        }
        "backlog" => AcceptOutcome::Backlog { retry_after_s: next_value(&mut values)? },
        "crowding" => AcceptOutcome::MemoryShareExceeded { retry_after_s: next_value(&mut values)? },
        other => return Err(Error::corrupt(format!("accept answered {other:?}"))),
    };
    let limit = admission.rate;
    let rate = u32::try_from(remaining).ok().map(|remaining| RateState { limit, remaining, reset_s, retry_after_s });
    Ok(Admitted { outcome, rate })
}

fn earlier_job(values: &mut impl Iterator<Item = Value>) -> Result<Job, Error> {
    named_job(&next_value::<String>(values)?, &next_value::<Fields>(values)?)
}

/// The job as accept.lua has just written it.
fn queued_job(admission: &Admission, key: &str, id: &str, accepted_ms: i64) -> Result<Job, Error> {
    let item = &admission.item.key;
    Ok(Job {
        job_id: id.parse().map_err(Error::corrupt)?,
        status: JobStatus::Accepted,
        source_type: item.source_type.clone(),
        external_id: item.external_id.clone(),
        idempotency_key: key.to_owned(),
        attempts: 0,
        tasks_extracted: None,
        tasks_over_cap: 0,
        task_ids: Vec::new(),
        suppressed: 0,
        usage: None,
        extractor: None,
        accepted_at: DateTime::from_timestamp_millis(accepted_ms).ok_or_else(|| Error::corrupt("the store's clock"))?,
        started_at: None,
        finished_at: None,
        error: None,
    })
}
