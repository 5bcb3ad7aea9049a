//! `GET /tasks/{task_id}`: one task, and whether the client has it already.

use super::etag;
use crate::{
    json,
    operation::{Doc, Operation},
    problem::Problem,
    route::{ApiCall, HandlerResult},
};
use axum::{
    http::{HeaderValue, StatusCode, header},
    response::IntoResponse,
};
use chrono::Utc;
use gleaner_model::{Task, TaskId, TaskRecord};
use serde_json::json;

/// Summary, tag, parameters and answers.
pub fn docs(doc: &mut Doc) -> Operation {
    Operation::new("getTask", "Tasks", "Get a task")
        .takes_header("If-None-Match", "`ETag` of the answer that is there already.", json!({"type": "string"}))
        .answers::<Task>(doc, 200, "The task.")
        .with_header(200, "ETag", "The task's version.")
        .answers_empty(304, "The task is as it was.")
        .with_header(304, "ETag", "The task's version.")
}

/// `GET /tasks/{task_id}`
pub async fn handle(call: &mut ApiCall) -> HandlerResult {
    let record = find(call).await?;
    let task = view(&record)?;
    if !etag::is_known(&call.headers, &etag::tag(&record, &task)) {
        return answer(&record, &task);
    }
    let mut response = StatusCode::NOT_MODIFIED.into_response();
    response.headers_mut().insert(header::ETAG, etag::header(&record, &task)?);
    Ok(response)
}

/// The record that the path names.
///
/// # Errors
/// 404 where there is none in this tenant.
pub async fn find(call: &mut ApiCall) -> Result<TaskRecord, Problem> {
    let id: TaskId = call.id("task_id")?;
    let found = call.app.ask(call.app.store.task(&call.caller.credential.tenant, id)).await?;
    found.ok_or_else(Problem::not_found)
}

/// The task as it is seen now.
pub fn view(record: &TaskRecord) -> Result<Task, Problem> {
    record.view(Utc::now()).ok_or_else(|| Problem::internal("a task without a mention"))
}

/// Answers a task with its version.
pub fn answer(record: &TaskRecord, task: &Task) -> HandlerResult {
    let mut response = json::answer(task)?;
    response.headers_mut().insert(header::ETAG, etag::header(record, task)?);
    // The client may keep it, and asks each time whether it is still right.
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    Ok(response)
}
