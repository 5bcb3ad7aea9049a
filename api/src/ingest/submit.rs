//! `POST /ingest/items`: content comes in and becomes a job.

use super::{file, idempotency};
use crate::{
    json,
    operation::{Doc, Operation},
    problem::{Code, FieldProblem, MAX_NAMED, Problem, is_zero},
    rate::RateKind,
    route::{ApiCall, HandlerResult},
};
use axum::{
    http::{
        HeaderValue, StatusCode,
        header::{LOCATION, RETRY_AFTER},
    },
    response::{IntoResponse, Response},
};
use chrono::Utc;
use gleaner_model::{InvalidSubmission, Item, Job, JobId, JobStatus, Submission};
use gleaner_runtime::{otlp, trace::TraceParent};
use gleaner_store::{AcceptOutcome, Admission, Admitted};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

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
    /// What of the body was left out, such as members that nobody knows: at most 20.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = MAX_NAMED))]
    warnings: Vec<String>,
    /// How many more there are than `warnings` names.
    #[serde(skip_serializing_if = "is_zero")]
    #[schemars(extend("default" = 0))]
    more_warnings: usize,
}

/// Summary, tag, parameters and answers.
pub fn docs(doc: &mut Doc) -> Operation {
    Operation::new("submitItem", "Ingest", "Submit an item")
        .about(
            "The answer 202 means that the submission is in the store and survives the crash of any process. The same \
             content sent again within 24 hours is answered with the first job's id and `Idempotent-Replayed: true`. \
             Other content under the same `source_type` and `external_id` is a new job that updates the item.\n\nA file may \
             be sent as it is, under its own media type: its text is the transcript, in the charset that `Content-Type` \
             names or in UTF-8, and the query says the rest. Of a mail (`message/rfc822`) the transcript is made of its \
             head and its text parts, of a Word document (.docx) of its paragraphs, \
             of a PDF of its lines. With JSON the query is empty.",
        )
        .takes_header(
            "Idempotency-Key",
            "Recognises a repetition: 8 to 255 visible characters, quoted or bare. Absent: derived from the content.",
            json!({"type": "string", "pattern": "^[!-~]{8,255}$"}),
        )
        .takes::<Submission>(doc, &[file::JSON])
        .takes_files(file::FILES)
        .answers::<Receipt>(doc, 202, "It is in the store.")
        .with_header(202, "Location", "The job.")
        .with_header(202, "Retry-After", "Seconds after which to ask for the job.")
        .with_header(202, "Idempotent-Replayed", "`true` where nothing new was queued.")
}

/// `POST /ingest/items`
pub async fn handle(call: &mut ApiCall) -> HandlerResult {
    let client_key = idempotency::key(&call.headers)?;
    let (admission, warnings) = admission(call, client_key).await?;
    let Admitted { outcome, rate } = call.app.ask(call.app.store.accept(&admission)).await?;
    let mut response = match outcome {
        AcceptOutcome::Queued { job } => accepted(call, job, warnings, false)?,
        AcceptOutcome::Replayed { job } => accepted(call, job, warnings, true)?,
        AcceptOutcome::KeyReused => key_reused().into_response(),
        AcceptOutcome::RateLimited { retry_after_s } => {
            call.app.metrics.rate_limited.inc();
            RateKind::Submissions.exceeded(retry_after_s).into_response()
        }
        AcceptOutcome::Backlog { retry_after_s } => {
            overloaded("too many jobs of this tenant are waiting; try again later", retry_after_s)
        }
        AcceptOutcome::MemoryShareExceeded { retry_after_s } => overloaded(
            "this tenant holds more of the store than is free: erase items, or ask the admin for more memory",
            retry_after_s,
        ),
    };
    if let Some(rate) = rate {
        call.app.rates.of(RateKind::Submissions).write(response.headers_mut(), rate.remaining, rate.reset_s.into());
    }
    Ok(response)
}

fn overloaded(why: &'static str, retry_after_s: u32) -> Response {
    Problem::new(Code::Overloaded, why).retry_after(retry_after_s.into()).into_response()
}

/// Reads and checks the body. Returns what was left out of it as well, in words.
async fn admission(call: &mut ApiCall, client_key: Option<String>) -> Result<(Admission, Vec<String>), Problem> {
    let members = members(call).await?;
    let occurred_at_given = members.get("occurred_at").is_some_and(|value| !value.is_null());
    let config = &call.app.config;
    let (mut item, mut warnings) =
        Item::from_json(members, Utc::now(), config.max_transcript_chars).map_err(refused)?;
    if item.keep_participants(config.max_participants) {
        warnings
            .insert(0, format!("/metadata/participants: only the first {} names are used", config.max_participants));
    }
    let credential = &call.caller.credential;
    let admission = Admission {
        job_id: JobId::new(),
        tenant: credential.tenant.clone(),
        token_id: credential.token_id.clone(),
        subject: credential.subject.clone(),
        item,
        occurred_at_given,
        client_key,
        rate: call.app.rates.of(RateKind::Submissions).limit,
        tenant_rate: call.app.rates.of(RateKind::Submissions).tenant,
        backlog_cap: call.app.config.backlog_cap,
        request_id: call.request_id.as_str().to_owned(),
        traceparent: trace(call).map(|parent| parent.to_string()),
    };
    Ok((admission, warnings))
}

/// The members of the submission: of a JSON body, or what a file and the query say.
async fn members(call: &mut ApiCall) -> Result<Map<String, Value>, Problem> {
    let taken = call.body(file::MEDIA_TYPES).await?;
    if file::is_sent(&call.headers) {
        return file::members((&call.app.pdf, &call.caller.holder()), &call.headers, &call.query, &taken.bytes).await;
    }
    match call.query.pairs().next() {
        None => json::object(&taken.bytes),
        Some((name, _)) => {
            Err(Problem::invalid(format!("/{name}"), "is a parameter of files alone; in JSON it is a member"))
        }
    }
}

/// Where the worker's span goes on: after this request's, or after the caller's where no spans are recorded.
fn trace(call: &ApiCall) -> Option<TraceParent> {
    otlp::trace_context(&tracing::Span::current()).or_else(|| call.header("traceparent").and_then(TraceParent::parse))
}

fn accepted(call: &ApiCall, job: Job, mut warnings: Vec<String>, replayed: bool) -> HandlerResult {
    let location = call.app.location(&format!("/ingest/jobs/{}", job.job_id))?;
    let message =
        if replayed { "This was submitted before; here is its job." } else { "The item is queued for processing." };
    let more_warnings = warnings.len().saturating_sub(MAX_NAMED);
    warnings.truncate(MAX_NAMED);
    let receipt = Receipt {
        job_id: job.job_id,
        status: JobStatus::Accepted,
        idempotency_key: job.idempotency_key,
        message,
        warnings,
        more_warnings,
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

fn key_reused() -> Problem {
    let detail = "this Idempotency-Key was used for other content within 24 hours; choose a new one";
    Problem::new(Code::IdempotencyKeyReused, detail)
}

/// Too much of something that is otherwise right is 413; everything else that breaks a rule is 422.
pub fn refused(InvalidSubmission(fields): InvalidSubmission) -> Problem {
    let too_large = fields.iter().all(|field| field.too_large);
    let code = if too_large { Code::ContentTooLarge } else { Code::InvalidRequest };
    let fields = fields.into_iter().map(|field| FieldProblem { pointer: field.pointer, detail: field.detail });
    Problem::broken(code, fields.collect())
}
