//! `GET /tasks.ics`: the tasks as a calendar, for a client that subscribes to it.
//!
//! The tag is made of what is sent, so it is known only at the end: the list is read once for it. What is short is kept
//! meanwhile and sent; what is long is read again as it is sent.

use crate::{
    export::{ExportFormat, ExportWriter, ListWalk, calendar::Component, response, with_headers},
    openapi::{Doc, Operation},
    problem::Problem,
    query::{Param, ParamKind},
    route::{ApiCall, HandlerResult},
    tasks::{etag, list},
};
use axum::{
    body::Body,
    http::{HeaderValue, StatusCode, header},
    response::IntoResponse,
};
use serde_json::json;
use sha2::{Digest as _, Sha256};

/// Longest calendar that is kept in memory, in bytes.
const MAX_KEPT: usize = 1 << 20;

/// What it takes.
pub const QUERY: &[Param] = &[
    Param {
        name: "feed",
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

/// The route in the OpenAPI document.
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
    let form = ExportFormat::Calendar(component);
    let (hash, kept) = read(ExportWriter::new(form, walk(call), None)).await?;
    let tag = format!("\"{hash}\"");
    let mut response = if etag::is_known(&call.headers, &tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        match kept {
            Some(text) => with_headers(form, Body::from(text)),
            None => {
                let mut walk = walk(call);
                let first = walk.next().await?;
                response(form, ExportWriter::new(form, walk, first))
            }
        }
    };
    let headers = response.headers_mut();
    // Weak: what is long is read again as it is sent, and may have changed.
    headers.insert(header::ETAG, HeaderValue::from_str(&format!("W/{tag}")).map_err(Problem::internal)?);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    Ok(response)
}

fn walk(call: &ApiCall) -> ListWalk {
    ListWalk::new(call, list::wanted(&call.query))
}

/// Reads to the end: the hash of all, and the text where it is short.
async fn read(mut writing: ExportWriter) -> Result<(String, Option<String>), Problem> {
    let (mut hash, mut kept) = (Sha256::new(), Some(String::new()));
    while let Some(piece) = writing.next().await? {
        hash.update(piece.as_bytes());
        kept = kept.filter(|kept| kept.len() + piece.len() <= MAX_KEPT);
        if let Some(kept) = &mut kept {
            kept.push_str(&piece);
        }
    }
    let hash = hash.finalize();
    Ok((hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect(), kept))
}
