//! What was sent to one endpoint, each attempt with what was answered; and sending it again.

use super::{ListedWebhook, PATH, WebhookView, api, view};
use crate::web::{
    PageError, address, date_words,
    flash::Flash,
    forms::FormFields,
    frame::{self, NavLink, PageFrame},
    visit::Visit,
};
use askama::Template;
use axum::{
    extract::{Path, Query},
    http::Method,
    response::Response,
};
use bytes::Bytes;
use chrono::{DateTime, TimeDelta, Utc};
use gleaner_model::Page;
use serde::Deserialize;
use serde_json::json;

/// From when on everything can be sent again: in hours, and in words.
const SPANS: [(i64, &str); 4] =
    [(1, "the last hour"), (6, "the last 6 hours"), (24, "the last day"), (168, "the last 7 days")];

#[derive(Deserialize)]
struct ListedDelivery {
    id: String,
    #[serde(rename = "type")]
    kind: String,
    status: String,
    timestamp: DateTime<Utc>,
    attempts: Vec<ListedAttempt>,
    next_attempt_at: Option<DateTime<Utc>>,
}

#[derive(Deserialize)]
struct ListedAttempt {
    at: DateTime<Utc>,
    status: Option<u16>,
    latency_ms: u64,
    error: Option<String>,
    response: Option<String>,
}

struct DeliveryView {
    id: String,
    kind: String,
    when: String,
    status: &'static str,
    bad: bool,
    /// What was answered last.
    answer: String,
    /// When it is tried next.
    again: Option<String>,
    attempts: Vec<AttemptView>,
}

struct AttemptView {
    at: String,
    answer: String,
    /// The first bytes of the answer.
    said: Option<String>,
}

#[derive(Template)]
#[template(path = "deliveries.html")]
struct DeliveriesPage {
    frame: PageFrame,
    tabs: Vec<NavLink>,
    webhook: WebhookView,
    deliveries: Vec<DeliveryView>,
    spans: [(i64, &'static str); 4],
    next: Option<String>,
}

#[derive(Deserialize, Default)]
pub struct DeliveriesQuery {
    cursor: Option<String>,
}

/// `GET /app/settings/webhooks/{id}/deliveries`
pub async fn list(
    visit: Visit,
    Path(id): Path<String>,
    Query(place): Query<DeliveriesQuery>,
) -> Result<Response, PageError> {
    let webhook: ListedWebhook = visit.get(&api(&id)).await?;
    let cursor = place.cursor.unwrap_or_default();
    let parameters: &[(&str, &str)] = if cursor.is_empty() { &[] } else { &[("cursor", &cursor)] };
    let path = address::with_query(&format!("{}/deliveries", api(&id)), parameters);
    let list: Page<ListedDelivery> = visit.get(&path).await?;
    let here = format!("{PATH}/{}/deliveries", webhook.id);
    let page = DeliveriesPage {
        frame: visit.frame(),
        tabs: frame::settings(&visit.me.scopes, PATH),
        next: list.next_cursor.map(|cursor| visit.address(&here, &[("cursor", &cursor)])),
        webhook: view(webhook),
        deliveries: list.items.into_iter().map(delivery).collect(),
        spans: SPANS,
    };
    visit.show(&page)
}

fn delivery(delivery: ListedDelivery) -> DeliveryView {
    let (status, bad) = match (delivery.status.as_str(), delivery.attempts.len()) {
        ("delivered", _) => ("delivered", false),
        ("failed", _) => ("given up", true),
        (_, 0) => ("waiting", false),
        _ => ("to be tried again", true),
    };
    let attempts: Vec<_> = delivery.attempts.into_iter().map(attempt).collect();
    DeliveryView {
        when: date_words::ago(delivery.timestamp, Utc::now()),
        answer: attempts.last().map_or_else(|| "not sent yet".to_owned(), |last| last.answer.clone()),
        again: delivery.next_attempt_at.map(|at| at.format("%Y-%m-%d %H:%M UTC").to_string()),
        attempts,
        id: delivery.id,
        kind: delivery.kind,
        status,
        bad,
    }
}

fn attempt(attempt: ListedAttempt) -> AttemptView {
    let ListedAttempt { at, status, latency_ms, error, response } = attempt;
    let said = status.map(|status| status.to_string()).or(error).unwrap_or_else(|| "no answer".to_owned());
    AttemptView {
        at: at.format("%Y-%m-%d %H:%M:%S UTC").to_string(),
        answer: format!("{said} in {latency_ms} ms"),
        said: response.filter(|text| !text.trim().is_empty()),
    }
}

/// `POST /app/settings/webhooks/{id}/redeliver`: the field `delivery` says which, or `hours` since when.
pub async fn redeliver(visit: Visit, Path(id): Path<String>, body: Bytes) -> Result<Response, PageError> {
    let fields = FormFields::read(&body);
    let hours = fields.one("hours").parse::<i64>().ok();
    if let Some(hours) = hours.filter(|hours| SPANS.iter().any(|(known, _)| known == hours)) {
        let since = Utc::now() - TimeDelta::hours(hours);
        visit.send(Method::POST, &format!("{}/redeliver", api(&id)), Some(json!({"since": since}))).await?;
        return Ok(back(visit, &id, "Everything since then is on its way again."));
    }
    let which = address::segment(fields.one("delivery"));
    visit.send(Method::POST, &format!("{}/deliveries/{which}/redeliver", api(&id)), None).await?;
    Ok(back(visit, &id, "It is on its way again."))
}

/// To this page, with word of what was done.
pub fn back(visit: Visit, id: &str, said: &str) -> Response {
    let to = visit.address(&format!("{PATH}/{}/deliveries", address::segment(id)), &[]);
    visit.back(&to, Flash::said(said))
}
