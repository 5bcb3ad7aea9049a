//! `DELETE /learning`: forgets what the tenant's feedback has taught.

use crate::{
    operation::{Doc, Operation},
    route::{ApiCall, HandlerResult, gone},
};

/// Summary, tag, parameters and answers.
pub fn docs(_: &mut Doc) -> Operation {
    Operation::new("forgetLearning", "Learning", "Forget what feedback has taught")
        .about("Ratings stay with their tasks. What is said from now on teaches again.")
        .answers_empty(204, "It is forgotten.")
}

/// `DELETE /learning`
pub async fn handle(call: &mut ApiCall) -> HandlerResult {
    call.app.ask(call.app.store.forget_learning(&call.caller.credential.tenant)).await?;
    call.app.rank_soon(&call.caller.credential.tenant);
    gone(true)
}
