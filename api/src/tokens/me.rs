//! `GET /tokens/me`: what the token in hand is.

use super::TokenInfo;
use crate::{
    json,
    operation::{Doc, Operation},
    problem::Problem,
    route::{ApiCall, HandlerResult},
};

/// Summary, tag, parameters and answers.
pub fn docs(doc: &mut Doc) -> Operation {
    Operation::new("getOwnToken", "Tokens", "Describe the token in hand").answers::<TokenInfo>(doc, 200, "The token.")
}

/// `GET /tokens/me`
pub async fn handle(call: &mut ApiCall) -> HandlerResult {
    // Asked anew: what is remembered of a credential does not say when it was last used.
    let found = call.app.ask(call.app.store.find_credential(&call.caller.hash)).await?;
    json::answer(&TokenInfo::from(found.ok_or_else(Problem::invalid_token)?))
}
