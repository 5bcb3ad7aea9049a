//! `GET /ingest/jobs`: the tenant's jobs, newest first.

use crate::{
    list_page,
    operation::{Doc, Operation},
    query::{CURSOR, LIMIT, Param, ParamKind},
    route::{ApiCall, HandlerResult},
};
use gleaner_model::{Job, JobStatus};

/// Query parameters of this route.
pub const QUERY: &[Param] = &[
    Param {
        name: "status",
        description: "Only jobs that stand there.",
        kind: ParamKind::Choice(&["accepted", "running", "succeeded", "failed"], false),
    },
    LIMIT,
    CURSOR,
];

/// Summary, tag, parameters and answers.
pub fn docs(doc: &mut Doc) -> Operation {
    Operation::new("listJobs", "Ingest", "List jobs")
        .about("Newest first. A job is kept for seven days after its end.")
        .answers_page::<Job>(doc, "A page of jobs.")
}

/// `GET /ingest/jobs`
pub async fn handle(call: &mut ApiCall) -> HandlerResult {
    let status = JobStatus::ALL.into_iter().find(|status| Some(status.as_str()) == call.query.text("status"));
    let (limit, cursor) = (call.query.limit(), call.query.text("cursor"));
    let tenant = &call.caller.credential.tenant;
    let found = call.app.ask(call.app.store.jobs(tenant, status, limit, cursor)).await?;
    list_page::answer(call, "/ingest/jobs", &found)
}
