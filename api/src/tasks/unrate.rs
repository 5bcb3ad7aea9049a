//! `DELETE /tasks/{task_id}/feedback`: takes one's own rating back, with all that it did.

use crate::{
    operation::{Doc, Operation},
    problem::Problem,
    route::{ApiCall, HandlerResult, gone},
};
use gleaner_model::TaskId;

/// Summary, tag, parameters and answers.
pub fn docs(_: &mut Doc) -> Operation {
    Operation::new("unrateTask", "Learning", "Take a rating back")
        .about("Takes the caller's own rating back, with all that it did to the task and taught of others.")
        .answers_empty(204, "It is taken back.")
}

/// `DELETE /tasks/{task_id}/feedback`
pub async fn handle(call: &mut ApiCall) -> HandlerResult {
    let id: TaskId = call.id("task_id")?;
    let (tenant, rater) = (&call.caller.credential.tenant, call.caller.rater());
    let taken = call.app.ask(call.app.store.unrate_task(tenant, id, &rater)).await?;
    taken.ok_or_else(Problem::not_found)?;
    call.app.rank_soon(tenant);
    gone(true)
}
