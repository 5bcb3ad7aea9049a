//! `GET /ingest/jobs`: the tenant's jobs, newest first.

use crate::{
    openapi::{Doc, Operation},
    page::{self, Listed},
    query::{CURSOR, Kind, LIMIT, Param},
    route::{Call, Outcome},
};
use gleaner_model::{Job, JobStatus};

/// What it takes.
pub const QUERY: &[Param] = &[
    Param {
        name: "status",
        description: "Only jobs that stand there.",
        kind: Kind::Choice(&["accepted", "running", "succeeded", "failed"], false),
    },
    LIMIT,
    CURSOR,
];

/// What is said of it.
pub fn docs(doc: &mut Doc) -> Operation {
    Operation::new("listJobs", "Ingest", "List jobs")
        .about("Newest first. A job is kept for seven days after its end.")
        .answers::<Listed<Job>>(doc, 200, "A page of jobs.")
        .with_header(200, "Link", "The next page, as `rel=\"next\"`; absent on the last one.")
}

/// `GET /ingest/jobs`
pub async fn handle(call: &mut Call) -> Outcome {
    let status = JobStatus::ALL.into_iter().find(|status| Some(status.as_str()) == call.query.text("status"));
    let (limit, cursor) = (call.query.limit(), call.query.text("cursor"));
    let tenant = &call.caller.credential.tenant;
    let found = call.app.ask(call.app.store.jobs(tenant, status, limit, cursor)).await?;
    page::answer(call, "/ingest/jobs", &Listed { items: found.items, next_cursor: found.next_cursor })
}
