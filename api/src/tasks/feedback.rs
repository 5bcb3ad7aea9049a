//! `POST /tasks/{task_id}/feedback`: a rating, one per subject and task; a second replaces the first.

use super::owner_named;
use crate::{
    json,
    operation::{Doc, Operation},
    problem::Problem,
    route::{ApiCall, HandlerResult},
    validation::{FieldErrors, MAX_NAME},
};
use axum::http::StatusCode;
use gleaner_model::{FeedbackReason, FeedbackReceipt, FeedbackRequest, MAX_TITLE, TaskId};

/// Longest comment, in characters.
const MAX_COMMENT: usize = 2_000;

/// Summary, tag, parameters and answers.
pub fn docs(doc: &mut Doc) -> Operation {
    Operation::new("rateTask", "Learning", "Rate a task")
        .about(
            "One rating per subject and task: a second replaces the first. `down` with `not_a_task`, or without a \
             reason, dismisses the task. Later extraction and ranking learn from it.",
        )
        .takes::<FeedbackRequest>(doc, &["application/json"])
        .answers::<FeedbackReceipt>(doc, 201, "The rating is recorded.")
}

/// `POST /tasks/{task_id}/feedback`
pub async fn handle(call: &mut ApiCall) -> HandlerResult {
    let id: TaskId = call.id("task_id")?;
    let taken = call.body(&["application/json"]).await?;
    let mut request: FeedbackRequest = json::typed(&taken.bytes)?;
    check(&request)?;
    if let Some(correction) = &mut request.correction
        && let Some(name) = &correction.owner
    {
        correction.owner_is_me = owner_named(name, None, &call.caller.credential.subject).is_me;
    }
    let rater = call.caller.rater();
    let tenant = &call.caller.credential.tenant;
    let rated = call.app.ask(call.app.store.rate_task(tenant, id, &rater, &request)).await?;
    let (feedback, _) = rated.ok_or_else(Problem::not_found)?;
    if matches!(request.reason, Some(FeedbackReason::Important | FeedbackReason::NotImportant)) {
        call.app.rank_soon(tenant);
    }
    let mut response = json::answer(&FeedbackReceipt {
        feedback_id: feedback.feedback_id,
        task_id: id,
        rating: feedback.request.rating,
        created_at: feedback.created_at,
    })?;
    *response.status_mut() = StatusCode::CREATED;
    Ok(response)
}

fn check(request: &FeedbackRequest) -> Result<(), Problem> {
    let mut faults = FieldErrors::default();
    faults.at_most("/comment", request.comment.as_deref(), MAX_COMMENT);
    if let Some(correction) = &request.correction {
        faults.line("/correction/title", correction.title.as_deref(), MAX_TITLE);
        faults.line("/correction/owner", correction.owner.as_deref(), MAX_NAME);
    }
    faults.into_result()
}
