//! `GET /tasks.ics`: the tasks as a calendar, for a client that subscribes to it.
//!
//! Its tag comes from the store, which knows when a task last changed: a client that looks every quarter of an hour costs no look
//! at any task while nothing changes. Nothing in a calendar may depend on the time at which it is read.

use crate::{
    export::{self, ExportFormat, ListWalk, calendar::Component},
    operation::{Doc, Operation},
    problem::Problem,
    query::{Param, ParamKind},
    route::{ApiCall, HandlerResult},
    tasks::{etag, list},
};
use axum::{
    http::{HeaderValue, StatusCode, header},
    response::IntoResponse,
};
use serde_json::json;
use sha2::{Digest as _, Sha256};

/// The parameter that holds the feed's token.
pub const FEED: &str = "feed";

/// Query parameters of this route.
pub const QUERY: &[Param] = &[
    Param {
        name: FEED,
        description: "The feed's token: opens this and nothing else. Without it the header counts, as everywhere.",
        kind: ParamKind::Text,
    },
    Param {
        name: "as",
        description: "`todos`: every task as a VTODO. `events`: tasks with a due date as all-day VEVENTs.",
        kind: ParamKind::Choice(&["todos", "events"], true),
    },
    list::STATUS,
    list::WAITING_ON,
    list::OWNER,
    list::SOURCE_TYPE,
    list::Q,
    list::DUE_BEFORE,
    list::EXTERNAL_ID,
];

/// Summary, tag, parameters and answers.
pub fn docs(_: &mut Doc) -> Operation {
    Operation::new("getCalendar", "Feeds", "Get tasks as a calendar")
        .about(
            "iCalendar (RFC 5545), all pages. A task's `UID` stays and its `SEQUENCE` grows with each change. Subscribe to it \
             with the address of a feed, or read it with a token that reads tasks.",
        )
        .takes_header("If-None-Match", "`ETag` of the answer that is there already.", json!({"type": "string"}))
        .answers_as(200, "The calendar.", "text/calendar", json!({"type": "string"}))
        .with_header(200, "ETag", "The calendar's version.")
        .answers_empty(304, "The calendar is as it was.")
        .with_header(304, "ETag", "The calendar's version.")
}

/// `GET /tasks.ics`
pub async fn handle(call: &mut ApiCall) -> HandlerResult {
    let component = if call.query.text("as") == Some("events") { Component::Event } else { Component::Todo };
    // Before the list is read: what changes meanwhile makes another tag.
    let version = call.app.ask(call.app.store.tasks_version(&call.caller.credential.tenant)).await?;
    let tag = tag(call, component, &version);
    let mut response = if etag::is_known(&call.headers, &tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let walk = ListWalk::new(call, list::wanted(&call.query));
        export::answer(walk, ExportFormat::Calendar(component)).await?
    };
    let headers = response.headers_mut();
    // Weak: the list may change while it is sent.
    headers.insert(header::ETAG, HeaderValue::from_str(&format!("W/{tag}")).map_err(Problem::internal)?);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    Ok(response)
}

/// Stands for the calendar: whose it is, its tasks as they are, which of them, and how this release writes them.
fn tag(call: &ApiCall, component: Component, version: &str) -> String {
    let chosen: Vec<_> = call.query.pairs().filter(|(name, _)| *name != FEED).collect();
    let tenant = call.caller.credential.tenant.as_str();
    let parts = format!("{:?}", (env!("CARGO_PKG_VERSION"), tenant, version, component, chosen));
    format!("\"{}\"", &format!("{:x}", Sha256::digest(parts))[..32])
}
