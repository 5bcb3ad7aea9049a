//! `GET /ingest/jobs/{job_id}`: where a submission stands; `Prefer: wait=N` holds the answer until it ends.

use crate::{
    app::App,
    json,
    operation::{Doc, Operation},
    problem::Problem,
    query::{Param, ParamKind},
    route::{ApiCall, HandlerResult},
};
use axum::{
    http::{HeaderMap, HeaderName, HeaderValue, header::RETRY_AFTER},
    response::Response,
};
use gleaner_model::{Job, JobId, Suppressed, TenantId, learning::Signals};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use std::time::Duration;
use tokio::time::Instant;

const PREFER: HeaderName = HeaderName::from_static("prefer");
const PREFERENCE_APPLIED: HeaderName = HeaderName::from_static("preference-applied");

/// Longest wait, in seconds.
const MAX_WAIT_S: u64 = 30;
/// How often the store is asked though nothing was notified.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// Query parameters of this route.
pub const QUERY: &[Param] = &[Param {
    name: "include",
    description: "`suppressed`: also list what was left out because of what feedback has taught.",
    kind: ParamKind::Choice(&["suppressed"], false),
}];

/// A job, with what it left out where that was asked for.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Shown")]
pub struct JobAnswer {
    #[serde(flatten)]
    job: Job,
    /// What was left out because of what feedback has taught, at most 50; with `include=suppressed` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    suppressed_tasks: Option<Vec<Suppressed>>,
}

/// Summary, tag, parameters and answers.
pub fn docs(doc: &mut Doc) -> Operation {
    Operation::new("getJob", "Ingest", "Poll a job")
        .about(
            "`accepted`, `running`, then `succeeded` or `failed`; `running` goes back to `accepted` when a worker was \
             lost. `Prefer: wait=N` holds the answer until the job ends or N seconds (at most 30) are over; where the \
             token has too many such requests under way the answer comes at once, without `Preference-Applied`.",
        )
        .takes_header(
            "Prefer",
            "`wait=N`: hold the answer until the job ends, at most N seconds, at most 30.",
            json!({"type": "string", "examples": ["wait=20"]}),
        )
        .answers::<JobAnswer>(doc, 200, "The job.")
        .with_header(200, "Retry-After", "Seconds after which to ask again; absent when the job has ended.")
        .with_header(200, "Preference-Applied", "The wait that was granted.")
}

/// `GET /ingest/jobs/{job_id}`
pub async fn handle(call: &mut ApiCall) -> HandlerResult {
    let id: JobId = call.id("job_id")?;
    // A wait is a preference: where there are too many the answer comes at once.
    let wait =
        wait_of(&call.headers).and_then(|seconds| Some((seconds, call.app.waits.take(&call.caller.holder()).ok()?)));
    let tenant = call.caller.credential.tenant.clone();
    let job = match &wait {
        None => call.app.ask(call.app.store.job(&tenant, id)).await?,
        Some((seconds, _)) => {
            let job = ended(&call.app, &tenant, id, Duration::from_secs(*seconds)).await?;
            // A token may have been revoked in the meantime, or may do less.
            call.access.admit(&call.app.authenticator.revalidate(&call.caller).await?)?;
            job
        }
    };
    let job = job.ok_or_else(Problem::not_found)?;
    let unfinished = !job.status.is_final();
    let mut response = json::answer(&shown(&call.app, &tenant, job, call.query.text("include").is_some()).await?)?;
    if unfinished {
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
    }
    if let Some((seconds, _)) = wait {
        applied(&mut response, seconds)?;
    }
    Ok(response)
}

/// The job with what was asked for.
async fn shown(app: &App, tenant: &TenantId, job: Job, all: bool) -> Result<JobAnswer, Problem> {
    if !all {
        return Ok(JobAnswer { job, suppressed_tasks: None });
    }
    let mut left_out = app.ask(app.store.suppressed(tenant, job.job_id)).await?;
    left_out.iter_mut().for_each(|task| task.signals = Signals::default());
    Ok(JobAnswer { job, suppressed_tasks: Some(left_out) })
}

fn applied(response: &mut Response, seconds: u64) -> Result<(), Problem> {
    let value = HeaderValue::from_str(&format!("wait={seconds}")).map_err(Problem::internal)?;
    response.headers_mut().insert(PREFERENCE_APPLIED, value);
    Ok(())
}

/// The job when it has ended, or as it stands when the time is over.
async fn ended(app: &App, tenant: &TenantId, id: JobId, wait: Duration) -> Result<Option<Job>, Problem> {
    let deadline = Instant::now() + wait;
    let waiter = app.jobs.wait_for(id);
    loop {
        let notified = waiter.notified();
        let job = app.ask(app.store.job(tenant, id)).await?;
        let unfinished = job.as_ref().is_some_and(|job| !job.status.is_final());
        let left = deadline.saturating_duration_since(Instant::now());
        if !unfinished || left.is_zero() || app.shutdown.is_stopping() {
            return Ok(job);
        }
        tokio::select! {
            () = notified => {}
            () = tokio::time::sleep(left.min(LOOK_AGAIN)) => {}
        }
    }
}

/// The wait that a client prefers (RFC 7240), in seconds; what cannot be understood counts as absent.
fn wait_of(headers: &HeaderMap) -> Option<u64> {
    let preferences = headers.get_all(PREFER).iter().filter_map(|value| value.to_str().ok());
    let mut parts = preferences.flat_map(|value| value.split(',')).filter_map(|part| {
        let (name, value) = part.split(';').next()?.split_once('=')?;
        name.trim().eq_ignore_ascii_case("wait").then(|| value.trim().trim_matches('"'))
    });
    parts.next()?.parse().ok().map(|seconds: u64| seconds.min(MAX_WAIT_S))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(value: &str) -> Option<u64> {
        wait_of(&HeaderMap::from_iter([(PREFER, value.parse().unwrap())]))
    }

    #[test]
    fn a_wait_is_found_among_preferences_and_bounded() {
        assert_eq!(read("wait=5"), Some(5));
        assert_eq!(read("respond-async, Wait=\"7\""), Some(7));
        assert_eq!(read("wait=999"), Some(30));
        for other in ["return=minimal", "wait", "wait=soon", "wait=-1"] {
            assert_eq!(read(other), None, "{other}");
        }
    }
}
