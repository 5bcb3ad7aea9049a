//! `POST /feeds`: a new feed, its address shown this once.

use super::{Feed, is_feed};
use crate::{
    json,
    operation::{Doc, Operation},
    problem::{Code, Problem},
    route::{ApiCall, HandlerResult},
    validation::{FieldErrors, MAX_NAME},
};
use axum::http::{StatusCode, header::LOCATION};
use chrono::Utc;
use gleaner_model::{PlainToken, Scope};
use gleaner_store::{Credential, Origin, WriteOutcome};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Most feeds of a tenant.
const MAX_FEEDS: usize = 1_000;

/// The feed that is wanted.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewFeed {
    /// What people call it.
    #[schemars(length(min = 1, max = 200), extend("pattern" = r"\S"))]
    name: String,
}

/// The new feed.
#[derive(Serialize, JsonSchema)]
pub struct CreatedFeed {
    /// The address to subscribe to, from the service's own on: shown now and never again.
    url: String,
    /// What may be shown of it later.
    #[serde(flatten)]
    feed: Feed,
}

/// Summary, tag, parameters and answers.
pub fn docs(doc: &mut Doc) -> Operation {
    Operation::new("createFeed", "Feeds", "Create a calendar feed")
        .about(
            "The address holds a token that reads tasks as a calendar and opens nothing else. It is in this answer and \
             nowhere else: only the token's hash is kept. It ends with the token that made it, and goes with it. Whoever has the address reads \
             the tasks, until it is revoked.",
        )
        .takes::<NewFeed>(doc, &["application/json"])
        .answers::<CreatedFeed>(doc, 201, "The feed, its address shown this once.")
        .with_header(201, "Location", "The feed's own address, for revoking it.")
}

/// `POST /feeds`
pub async fn handle(call: &mut ApiCall) -> HandlerResult {
    let taken = call.body(&["application/json"]).await?;
    let wanted: NewFeed = json::typed(&taken.bytes)?;
    let mut faults = FieldErrors::default();
    faults.line("/name", Some(&wanted.name), MAX_NAME);
    faults.into_result()?;
    let mine = &call.caller.credential;
    let known = call.app.ask(call.app.store.list_credentials(&mine.tenant)).await?;
    if known.iter().filter(|credential| is_feed(credential)).count() >= MAX_FEEDS {
        return Err(Problem::new(Code::InvalidRequest, "there are too many feeds; revoke one first"));
    }
    let token = PlainToken::mint().map_err(Problem::internal)?;
    let credential = Credential {
        hash: token.hash(),
        token_id: token.id(),
        name: Some(wanted.name.trim().to_owned()),
        scopes: [Scope::FeedRead].into_iter().collect(),
        created_at: Utc::now(),
        last_used_at: None,
        made_by: Some(mine.maker().to_owned()),
        origin: Origin::Store,
        ..(**mine).clone()
    };
    match call.app.ask(call.app.store.make_credential(&credential, &mine.hash, 0)).await? {
        WriteOutcome::Written => {}
        WriteOutcome::Orphaned => return Err(Problem::invalid_token()),
        _ => return Err(Problem::internal("a fresh feed was refused by the store")),
    }
    let location = call.app.location(&format!("/feeds/{}", credential.token_id))?;
    let url = format!("{}/tasks.ics?feed={}", call.app.config.path_prefix, token.expose());
    let mut response = json::answer(&CreatedFeed { url, feed: credential.into() })?;
    *response.status_mut() = StatusCode::CREATED;
    response.headers_mut().insert(LOCATION, location);
    Ok(response)
}
