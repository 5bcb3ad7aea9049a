//! `GET /feeds`: the caller's calendar feeds, oldest first.

use super::{Feed, is_for};
use crate::{
    json,
    operation::{Doc, Operation},
    route::{ApiCall, HandlerResult},
};
use schemars::JsonSchema;
use serde::Serialize;

/// Calendar feeds.
#[derive(Serialize, JsonSchema)]
pub struct Feeds {
    /// Oldest first.
    items: Vec<Feed>,
}

/// Summary, tag, parameters and answers.
pub fn docs(doc: &mut Doc) -> Operation {
    Operation::new("listFeeds", "Feeds", "List calendar feeds")
        .about("Those of the token's subject; with `tokens:write` those of all.")
        .answers::<Feeds>(doc, 200, "The feeds.")
}

/// `GET /feeds`
pub async fn handle(call: &mut ApiCall) -> HandlerResult {
    let mine = &call.caller.credential;
    let found = call.app.ask(call.app.store.list_credentials(&mine.tenant)).await?;
    let feeds = found.into_iter().filter(|credential| is_for(credential, mine));
    json::answer(&Feeds { items: feeds.map(Feed::from).collect() })
}
