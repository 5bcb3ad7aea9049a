//! `POST /ingest/jobs/{job_id}/requeue`: another try for a job that was given up.

use crate::{
    json,
    operation::{Doc, Operation},
    problem::Problem,
    route::{ApiCall, HandlerResult},
};
use axum::http::{HeaderValue, StatusCode, header::LOCATION, header::RETRY_AFTER};
use gleaner_model::{Job, JobId};
use gleaner_store::RequeueOutcome;

/// Summary, tag, parameters and answers.
pub fn docs(doc: &mut Doc) -> Operation {
    Operation::new("requeueJob", "Ingest", "Queue a failed job anew")
        .about("A job that waits or runs is left alone. One that has succeeded, or whose content is gone, is refused.")
        .answers::<Job>(doc, 202, "It waits for a worker, or is with one.")
        .with_header(202, "Location", "The job.")
        .with_header(202, "Retry-After", "Seconds after which to ask for the job.")
}

/// `POST /ingest/jobs/{job_id}/requeue`
pub async fn handle(call: &mut ApiCall) -> HandlerResult {
    let id: JobId = call.id("job_id")?;
    let refused = |detail: &str| Err(Problem::invalid("/job_id", detail));
    let job = match call.app.ask(call.app.store.requeue(&call.caller.credential.tenant, id)).await? {
        RequeueOutcome::Queued(job) => job,
        RequeueOutcome::Succeeded(_) => {
            return refused("names a job that has succeeded; submit the item again instead");
        }
        RequeueOutcome::Gone(_) => return refused("names a job whose content is gone; submit the item again instead"),
        RequeueOutcome::NotFound => return Err(Problem::not_found()),
    };
    let mut response = json::answer(&job)?;
    *response.status_mut() = StatusCode::ACCEPTED;
    let headers = response.headers_mut();
    headers.insert(LOCATION, call.app.location(&format!("/ingest/jobs/{id}"))?);
    headers.insert(RETRY_AFTER, HeaderValue::from_static("1"));
    Ok(response)
}
