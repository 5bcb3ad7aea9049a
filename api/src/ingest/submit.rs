//! `POST /ingest/items`: content comes in and becomes a job.

use super::idempotency;
use crate::{
    json,
    openapi::{Doc, Operation},
    problem::{Code, FieldProblem, Problem},
    rate::Kind,
    route::{Call, Outcome},
};
use axum::{
    http::{
        HeaderValue, StatusCode,
        header::{LOCATION, RETRY_AFTER},
    },
    response::{IntoResponse, Response},
};
use chrono::Utc;
use gleaner_model::{InvalidItem, Item, Job, JobId, JobStatus, Submission};
use gleaner_runtime::{otlp, trace::TraceParent};
use gleaner_store::{Accepted, Admission, Admitted};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

/// The answer: the submission is in the store.
#[derive(Serialize, JsonSchema)]
pub struct Receipt {
    /// The job to poll.
    job_id: JobId,
    /// Always `accepted`: this is about the submission. The job says where it stands now.
    status: JobStatus,
    /// The key under which a repetition is recognised for 24 hours: the client's, or a derived one.
    idempotency_key: String,
    /// What happens next, in words.
    message: &'static str,
    /// Members of the body that nobody knows, and that were ignored.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

/// What is said of it.
pub fn docs(doc: &mut Doc) -> Operation {
    Operation::new("submitItem", "Ingest", "Submit an item")
        .about(
            "The answer 202 means that the submission is in the store and survives the crash of any process. The same \
             content sent again within 24 hours is answered with the first job's id and `Idempotent-Replayed: true`. \
             Other content under the same `source_type` and `external_id` is a new job that updates the item.",
        )
        .takes_header(
            "Idempotency-Key",
            "Recognises a repetition: 8 to 255 visible characters, quoted or bare. Absent: derived from the content.",
            json!({"type": "string", "pattern": "^[!-~]{8,255}$"}),
        )
        .takes::<Submission>(doc, &["application/json"])
        .answers::<Receipt>(doc, 202, "It is in the store.")
        .with_header(202, "Location", "The job.")
        .with_header(202, "Retry-After", "Seconds after which to ask for the job.")
        .with_header(202, "Idempotent-Replayed", "`true` where nothing new was queued.")
}

/// `POST /ingest/items`
pub async fn handle(call: &mut Call) -> Outcome {
    let client_key = idempotency::key(&call.headers)?;
    let (admission, unknown) = admission(call, client_key).await?;
    let Admitted { outcome, rate } = call.app.ask(call.app.store.accept(&admission)).await?;
    let mut response = match outcome {
        Accepted::Queued { job } => accepted(call, job, unknown, false)?,
        Accepted::Replayed { job } => accepted(call, job, unknown, true)?,
        Accepted::KeyReused => key_reused().into_response(),
        Accepted::RateLimited { retry_after_s } => {
            call.app.metrics.rate_limited.inc();
            Kind::Submissions.exceeded(retry_after_s).into_response()
        }
        Accepted::Backlog { retry_after_s } => {
            let problem = Problem::new(Code::Overloaded, "too many jobs of this tenant are waiting; try again later");
            problem.retry_after(retry_after_s.into()).into_response()
        }
    };
    if let Some(rate) = rate {
        call.app.rates.of(Kind::Submissions).write(response.headers_mut(), rate.remaining, rate.reset_s.into());
    }
    Ok(response)
}

/// Reads and checks the body. Returns the names of members that nobody knows as well.
async fn admission(call: &mut Call, client_key: Option<String>) -> Result<(Admission, Vec<String>), Problem> {
    let taken = call.body(&["application/json"]).await?;
    let members = json::object(&taken.bytes)?;
    drop(taken);
    let occurred_at_given = members.get("occurred_at").is_some_and(|value| !value.is_null());
    let (item, unknown) =
        Item::from_json(members, Utc::now(), call.app.config.max_transcript_chars).map_err(refused)?;
    let credential = &call.caller.credential;
    let admission = Admission {
        job_id: JobId::new(),
        tenant: credential.tenant.clone(),
        token_id: credential.token_id.clone(),
        subject: credential.subject.clone(),
        item,
        occurred_at_given,
        client_key,
        rate: call.app.rates.of(Kind::Submissions).limit,
        backlog_cap: call.app.config.backlog_cap,
        request_id: call.request_id.as_str().to_owned(),
        traceparent: trace(call).map(|place| place.to_string()),
    };
    Ok((admission, unknown))
}

/// Where the worker's span goes on: after this request's, or after the caller's where no spans are recorded.
fn trace(call: &Call) -> Option<TraceParent> {
    otlp::place(&tracing::Span::current()).or_else(|| call.header("traceparent").and_then(TraceParent::parse))
}

fn accepted(call: &Call, job: Job, unknown: Vec<String>, replayed: bool) -> Outcome {
    let location = call.app.location(&format!("/ingest/jobs/{}", job.job_id))?;
    let message =
        if replayed { "This was submitted before; here is its job." } else { "The item is queued for processing." };
    let receipt = Receipt {
        job_id: job.job_id,
        status: JobStatus::Accepted,
        idempotency_key: job.idempotency_key,
        message,
        warnings: unknown.into_iter().map(|name| warning(&name)).collect(),
    };
    let mut response: Response = json::answer(&receipt)?;
    *response.status_mut() = StatusCode::ACCEPTED;
    let headers = response.headers_mut();
    headers.insert(LOCATION, location);
    headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
    if replayed {
        headers.insert(idempotency::REPLAYED, HeaderValue::from_static("true"));
        call.app.metrics.replayed.inc();
    } else {
        call.app.metrics.accepted.inc();
    }
    Ok(response)
}

/// Longest part of a member's name that is repeated.
const SHOWN: usize = 100;

fn warning(name: &str) -> String {
    format!("unknown member ignored: {}", name.chars().take(SHOWN).collect::<String>())
}

fn key_reused() -> Problem {
    let detail = "this Idempotency-Key was used for other content within 24 hours; choose a new one";
    Problem::new(Code::IdempotencyKeyReused, detail)
}

/// Too much of something that is otherwise right is 413; everything else that breaks a rule is 422.
fn refused(InvalidItem(fields): InvalidItem) -> Problem {
    let too_large = fields.iter().all(|field| field.too_large);
    let code = if too_large { Code::ContentTooLarge } else { Code::InvalidRequest };
    let errors: Vec<_> =
        fields.into_iter().map(|field| FieldProblem { pointer: field.pointer, detail: field.detail }).collect();
    let detail = errors.iter().map(|field| format!("{} {}", field.pointer, field.detail)).collect::<Vec<_>>();
    Problem::new(code, detail.join("; ")).at(errors)
}
