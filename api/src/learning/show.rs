//! `GET /learning`: what the tenant's feedback has taught.

use crate::{
    json,
    operation::{Doc, Operation},
    route::{ApiCall, HandlerResult},
};
use gleaner_model::learning::{Effect, effects};
use schemars::JsonSchema;
use serde::Serialize;

/// What feedback has taught.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Learning {
    /// Counts changes of what was taught; jobs name the one that they ran with: `builtin/1+r12`.
    revision: u64,
    /// Ratings up that it rests on.
    up: u32,
    /// Ratings down that it rests on.
    down: u32,
    /// What was learnt, strongest first; at most 20 of each kind.
    effects: Vec<Effect>,
}

/// Summary, tag, parameters and answers.
pub fn docs(doc: &mut Doc) -> Operation {
    Operation::new("getLearning", "Learning", "See what feedback has taught")
        .about(
            "What ratings, corrections, edits, completions and dismissals have taught: which tasks are found more or \
             less, which matter more or less, what is called or meant otherwise.",
        )
        .answers::<Learning>(doc, 200, "What was learnt.")
}

/// `GET /learning`
pub async fn handle(call: &mut ApiCall) -> HandlerResult {
    let learnt = call.app.ask(call.app.store.learnt(&call.caller.credential.tenant)).await?;
    json::answer(&Learning { revision: learnt.revision, up: learnt.up, down: learnt.down, effects: effects(&learnt) })
}
