//! `GET /events`: what happens in a tenant, as server-sent events that a client can resume.

use crate::{
    app::App,
    auth::Caller,
    keyed_notify::Waiter,
    operation::{Doc, Operation},
    problem::{Code, Problem},
    route::{Access, ApiCall, HandlerResult},
};
use axum::{
    body::{Body, Bytes},
    http::{HeaderName, HeaderValue, header},
    response::Response,
};
use gleaner_model::{Event, TenantId};
use gleaner_runtime::shares::Share;
use serde_json::json;
use std::{fmt::Write as _, sync::Arc, time::Duration};
use tokio::time::Instant;

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
const ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// How often it is made sure that the caller may still listen.
const CHECK: Duration = Duration::from_millis(500);
/// How often the store is asked though nothing was notified.
const LOOK_AGAIN: Duration = Duration::from_secs(2);
/// Most events that are read at once.
const BATCH: usize = 100;

/// `GET /events` in the OpenAPI document.
pub fn docs(_: &mut Doc) -> Operation {
    Operation::new("listen", "Events", "Listen to what happens")
        .about(
            "Server-sent events: `job.succeeded`, `job.failed`, `task.created`, `task.updated`, `task.completed`, \
             `task.dismissed`; `data` is the job or task as JSON, a task with the evidence that is new (`GET /tasks/{id}` has all). Send the last `id` you saw as `Last-Event-ID` to go \
             on where you were (`0`: from the oldest that is kept). Events that quote an erased item are forgotten with it; \
             of its tasks a `task.dismissed` without their words remains. Comments come as heartbeats. The stream ends when the token is no longer valid.",
        )
        .takes_header(
            "Last-Event-ID",
            "The last event that was seen.",
            json!({"type": "string", "pattern": "^([0-9]{1,20}(-[0-9]{1,20})?)?$"}),
        )
        .answers_as(200, "The stream.", "text/event-stream", json!({"type": "string"}))
}

/// `GET /events`
pub async fn handle(call: &mut ApiCall) -> HandlerResult {
    let seat = call.app.listeners.take(&call.caller.holder());
    let seat = seat.map_err(|exceeded| {
        // Streams that are asked for again and again must not fill the connections instead.
        let close = HeaderValue::from_static("close");
        Problem::share_exceeded(exceeded, "event streams").with_header(header::CONNECTION, close)
    })?;
    let tenant = call.caller.credential.tenant.clone();
    let after = match call.headers.get(LAST_EVENT_ID).filter(|given| !given.is_empty()) {
        Some(given) => Some(resumable(given)?),
        None => call.app.ask(call.app.store.last_event_id(&tenant)).await?,
    };
    call.app.metrics.listeners.inc();
    let now = Instant::now();
    let listener = EventListener {
        waiter: call.app.events.wait_for(tenant.clone()),
        app: Arc::clone(&call.app),
        caller: call.caller.clone(),
        access: call.access,
        tenant,
        after,
        greeted: false,
        read_at: now.checked_sub(LOOK_AGAIN).unwrap_or(now),
        beat_at: now,
        _seat: seat,
    };
    let chunks = futures::stream::unfold(listener, |mut listener| async {
        let chunk = listener.next().await?;
        Some((Ok::<_, std::convert::Infallible>(chunk), listener))
    });
    let mut response = Response::new(Body::from_stream(chunks));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(ACCEL_BUFFERING, HeaderValue::from_static("no"));
    Ok(response)
}

/// The id as a position in the tenant's stream: two numbers, as every `id` that was sent has, or the first of them, which
/// is a time in milliseconds.
pub fn resumable(given: &HeaderValue) -> Result<String, Problem> {
    let number = |text: &str| (1..=20).contains(&text.len()) && text.parse::<u64>().is_ok();
    let position = |id: &&str| id.split_once('-').map_or(number(id), |(ms, seq)| number(ms) && number(seq));
    let known = given.to_str().ok().filter(position);
    known.map(str::to_owned).ok_or_else(|| Problem::invalid("/Last-Event-ID", "must be the id of an event"))
}

/// One open stream. It reads from the store only as fast as the client takes what it gets.
struct EventListener {
    app: Arc<App>,
    caller: Caller,
    access: Access,
    tenant: TenantId,
    after: Option<String>,
    waiter: Waiter<TenantId>,
    greeted: bool,
    read_at: Instant,
    beat_at: Instant,
    _seat: Share,
}

impl Drop for EventListener {
    fn drop(&mut self) {
        self.app.metrics.listeners.dec();
    }
}

impl EventListener {
    /// The next piece of the stream, or its end.
    async fn next(&mut self) -> Option<Bytes> {
        if !std::mem::replace(&mut self.greeted, true) {
            return Some(Bytes::from_static(b"retry: 2000\n: listening\n\n"));
        }
        let mut was_notified = false;
        while !self.app.shutdown.is_stopping() && self.may_listen().await {
            let notified = self.waiter.notified();
            if was_notified || self.read_at.elapsed() >= LOOK_AGAIN {
                let events = self.read().await;
                if let Some(last) = events.last() {
                    self.after = Some(last.id.clone());
                    // There may be more than one batch.
                    self.read_at -= LOOK_AGAIN;
                    return Some(written(&events));
                }
            }
            if self.beat_at.elapsed() >= self.app.config.heartbeat() {
                self.beat_at = Instant::now();
                return Some(Bytes::from_static(b": heartbeat\n\n"));
            }
            was_notified = tokio::select! {
                () = notified => true,
                () = tokio::time::sleep(CHECK) => false,
            };
        }
        None
    }

    /// Whether the token is still valid. While the store cannot be asked nothing is sent, so nothing leaks.
    async fn may_listen(&mut self) -> bool {
        match self.app.authenticator.revalidate(&self.caller).await {
            Ok(caller) => self.access.admit(&caller).is_ok(),
            Err(problem) => problem.code == Code::StoreUnavailable,
        }
    }

    async fn read(&mut self) -> Vec<Event> {
        self.read_at = Instant::now();
        let events = self.app.ask(self.app.store.events_after(&self.tenant, self.after.as_deref(), BATCH)).await;
        events.unwrap_or_else(|problem| {
            tracing::debug!(cause = problem.cause, "No events while the store is away");
            Vec::new()
        })
    }
}

fn written(events: &[Event]) -> Bytes {
    let mut out = String::new();
    for event in events {
        // Writing into a String cannot fail.
        let _ = write!(out, "id: {}\nevent: {}\ndata: {}\n\n", event.id, event.kind.as_str(), event.data);
    }
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_id_of_an_event_can_be_resumed() {
        assert!(resumable(&HeaderValue::from_static("1700000000000-0")).is_ok());
        assert!(resumable(&HeaderValue::from_static("1700000000000")).is_ok());
        for bad in ["", "a", "a-b", "-", "1-2-3", "99999999999999999999-0"] {
            assert!(resumable(&HeaderValue::from_static(bad)).is_err(), "{bad}");
        }
    }
}
