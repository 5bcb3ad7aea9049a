//! `DELETE /feeds/{feed_id}`: the address leads nowhere from now on, by every process within two seconds.

use super::is_for;
use crate::{
    operation::{Doc, Operation},
    problem::Problem,
    route::{ApiCall, HandlerResult, gone},
};
use gleaner_model::TokenId;

/// Summary, tag, parameters and answers.
pub fn docs(_: &mut Doc) -> Operation {
    Operation::new("revokeFeed", "Feeds", "Revoke a calendar feed")
        .about("Every process refuses its address within two seconds.")
        .answers_empty(204, "It is revoked.")
}

/// `DELETE /feeds/{feed_id}`
pub async fn handle(call: &mut ApiCall) -> HandlerResult {
    let id: TokenId = call.id("feed_id")?;
    let mine = &call.caller.credential;
    let known = call.app.ask(call.app.store.list_credentials(&mine.tenant)).await?;
    let feed = known.iter().find(|credential| credential.token_id == id && is_for(credential, mine));
    let feed = feed.ok_or_else(Problem::not_found)?;
    call.app.ask(call.app.store.remove_token(&mine.tenant, &id)).await?;
    call.app.authenticator.forget(&feed.hash);
    gone(true)
}
