//! Settings → Webhooks: who is told what happens, and what was sent.

use super::{
    PageError, address, date_words,
    flash::Flash,
    frame::{self, NavLink, PageFrame},
    visit::Visit,
};
use crate::list_page::ListPage;
use askama::Template;
use axum::{
    extract::Path,
    http::{Method, StatusCode},
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use chrono::{DateTime, Utc};
use gleaner_model::EventKind;
use serde::Deserialize;
use serde_json::{Value, json};

/// Where these pages stand.
const PATH: &str = "/app/settings/webhooks";

#[derive(Deserialize)]
struct ListedWebhook {
    id: String,
    url: String,
    events: Vec<String>,
    payload: String,
    description: Option<String>,
    enabled: bool,
    status: String,
    disabled_reason: Option<String>,
    failing_since: Option<DateTime<Utc>>,
    missed_events_at: Option<DateTime<Utc>>,
    resource: Option<String>,
}

#[derive(Deserialize)]
struct ListedDelivery {
    id: String,
    #[serde(rename = "type")]
    kind: String,
    status: String,
    timestamp: DateTime<Utc>,
    attempts: Vec<ListedAttempt>,
    latency_ms: Option<u64>,
    last_status: Option<u16>,
    next_attempt_at: Option<DateTime<Utc>>,
}

#[derive(Deserialize)]
struct ListedAttempt {
    error: Option<String>,
    response: Option<String>,
}

struct WebhookView {
    id: String,
    url: String,
    events: String,
    thin: bool,
    description: Option<String>,
    status: &'static str,
    bad: bool,
    why: Option<String>,
    /// Whether nothing is sent.
    still: bool,
    resource: Option<String>,
}

struct DeliveryView {
    id: String,
    kind: String,
    when: String,
    status: &'static str,
    bad: bool,
    answer: String,
    tries: usize,
    said: Option<String>,
}

/// A secret that is shown this once.
pub struct ShownSecret(String);

#[derive(Template)]
#[template(path = "webhooks.html")]
struct WebhooksPage {
    frame: PageFrame,
    secret: Option<ShownSecret>,
    problem: Option<String>,
    tabs: Vec<NavLink>,
    webhooks: Vec<WebhookView>,
    events: [&'static str; 6],
}

#[derive(Template)]
#[template(path = "deliveries.html")]
struct DeliveriesPage {
    frame: PageFrame,
    tabs: Vec<NavLink>,
    webhook: WebhookView,
    deliveries: Vec<DeliveryView>,
    next: Option<String>,
}

/// `GET /app/settings/webhooks`
pub async fn list(visit: Visit) -> Result<Response, PageError> {
    show(visit, None, None).await
}

async fn show(visit: Visit, secret: Option<ShownSecret>, problem: Option<String>) -> Result<Response, PageError> {
    let list: ListPage<ListedWebhook> = visit.get("/webhooks").await?;
    let page = WebhooksPage {
        frame: visit.frame(),
        secret,
        problem,
        tabs: frame::settings(&visit.me.scopes, PATH),
        webhooks: list.items.into_iter().map(view).collect(),
        events: EventKind::ALL.map(EventKind::as_str),
    };
    visit.show(&page)
}

fn view(webhook: ListedWebhook) -> WebhookView {
    let now = Utc::now();
    let (status, bad) = match webhook.status.as_str() {
        "active" => ("active", false),
        "failing" => ("failing", true),
        "paused" => ("paused", false),
        _ => ("disabled", true),
    };
    let failing = webhook.failing_since.map(|since| format!("fails since {}", date_words::ago(since, now)));
    let missed = webhook.missed_events_at.map(|at| format!("missed events {}", date_words::ago(at, now)));
    WebhookView {
        id: webhook.id,
        url: webhook.url,
        events: if webhook.events.len() == EventKind::ALL.len() {
            "everything".to_owned()
        } else {
            webhook.events.join(", ")
        },
        thin: webhook.payload == "thin",
        description: webhook.description,
        status,
        bad,
        why: webhook.disabled_reason.or(failing).or(missed),
        still: !webhook.enabled || webhook.status == "disabled",
        resource: webhook.resource,
    }
}

/// `POST /app/settings/webhooks`. The page with the secret answers the form itself: no address leads to it again.
pub async fn create(visit: Visit, body: Bytes) -> Result<Response, PageError> {
    let fields: Vec<(String, String)> = form_urlencoded::parse(&body).into_owned().collect();
    let all = |name: &str| {
        fields.iter().filter(|(known, _)| known == name).map(|(_, value)| value.trim().to_owned()).collect::<Vec<_>>()
    };
    let events = all("events");
    let mut wanted = json!({"url": all("url").pop().unwrap_or_default(), "description": all("description").pop()});
    if !events.is_empty() {
        wanted["events"] = json!(events);
    }
    if !all("thin").is_empty() {
        wanted["payload"] = json!("thin");
    }
    let made = visit.send(Method::POST, "/webhooks", Some(wanted)).await;
    with_secret(visit, made).await
}

/// `POST /app/settings/webhooks/{id}/rotate`
pub async fn rotate(visit: Visit, Path(id): Path<String>) -> Result<Response, PageError> {
    let made = visit.send(Method::POST, &format!("{}/rotate", api(&id)), None).await;
    with_secret(visit, made).await
}

async fn with_secret(visit: Visit, made: Result<Value, super::client::ApiRefusal>) -> Result<Response, PageError> {
    match made {
        Ok(made) => {
            let secret = made["secret"].as_str().unwrap_or_default().to_owned();
            show(visit, Some(ShownSecret(secret)), None).await
        }
        Err(refusal) if refusal.status == StatusCode::UNAUTHORIZED => Err(PageError::SignIn),
        Err(refusal) => {
            let status = refusal.status;
            Ok((status, show(visit, None, Some(refusal.detail)).await?).into_response())
        }
    }
}

/// `POST /app/settings/webhooks/{id}/enable`: the field `to` says whether anything is sent.
pub async fn enable(visit: Visit, Path(id): Path<String>, body: Bytes) -> Result<Response, PageError> {
    let on = form_urlencoded::parse(&body).any(|(name, value)| name == "to" && value == "on");
    visit.send(Method::PATCH, &api(&id), Some(json!({"enabled": on}))).await?;
    let to = visit.address(PATH, &[]);
    Ok(visit
        .back(&to, Flash::said(if on { "On again. What waited is sent now." } else { "Paused. What happens waits." })))
}

/// `POST /app/settings/webhooks/{id}/delete`
pub async fn delete(visit: Visit, Path(id): Path<String>) -> Result<Response, PageError> {
    visit.send(Method::DELETE, &api(&id), None).await?;
    let to = visit.address(PATH, &[]);
    Ok(visit.back(&to, Flash::said("Deleted. Nothing more is sent there.")))
}

/// `POST /app/settings/webhooks/{id}/test`
pub async fn test(visit: Visit, Path(id): Path<String>) -> Result<Response, PageError> {
    visit.send(Method::POST, &format!("{}/test", api(&id)), None).await?;
    Ok(to_deliveries(visit, &id, "A test is on its way. Load this page again to see what became of it."))
}

/// `POST /app/settings/webhooks/{id}/redeliver`: the field `delivery` says which.
pub async fn redeliver(visit: Visit, Path(id): Path<String>, body: Bytes) -> Result<Response, PageError> {
    let which = form_urlencoded::parse(&body).find(|(name, _)| name == "delivery").map(|(_, value)| value.into_owned());
    let which = address::segment(&which.unwrap_or_default());
    visit.send(Method::POST, &format!("{}/deliveries/{which}/redeliver", api(&id)), None).await?;
    Ok(to_deliveries(visit, &id, "It is on its way again."))
}

fn to_deliveries(visit: Visit, id: &str, said: &str) -> Response {
    let to = visit.address(&format!("{PATH}/{}/deliveries", address::segment(id)), &[]);
    visit.back(&to, Flash::said(said))
}

#[derive(Deserialize, Default)]
pub struct DeliveriesQuery {
    cursor: Option<String>,
}

/// `GET /app/settings/webhooks/{id}/deliveries`
pub async fn deliveries(
    visit: Visit,
    Path(id): Path<String>,
    axum::extract::Query(place): axum::extract::Query<DeliveriesQuery>,
) -> Result<Response, PageError> {
    let webhook: ListedWebhook = visit.get(&api(&id)).await?;
    let cursor = place.cursor.unwrap_or_default();
    let parameters: &[(&str, &str)] = if cursor.is_empty() { &[] } else { &[("cursor", &cursor)] };
    let path = address::with_query(&format!("{}/deliveries", api(&id)), parameters);
    let list: ListPage<ListedDelivery> = visit.get(&path).await?;
    let here = format!("{PATH}/{}/deliveries", webhook.id);
    let page = DeliveriesPage {
        frame: visit.frame(),
        tabs: frame::settings(&visit.me.scopes, PATH),
        next: list.next_cursor.map(|cursor| visit.address(&here, &[("cursor", &cursor)])),
        webhook: view(webhook),
        deliveries: list.items.into_iter().map(delivery).collect(),
    };
    visit.show(&page)
}

fn delivery(delivery: ListedDelivery) -> DeliveryView {
    let now = Utc::now();
    let (status, bad) = match (delivery.status.as_str(), delivery.attempts.len()) {
        ("delivered", _) => ("delivered", false),
        ("failed", _) => ("given up", true),
        (_, 0) => ("waiting", false),
        _ => ("to be tried again", true),
    };
    let last = delivery.attempts.last();
    let took = delivery.latency_ms.map(|ms| format!(" in {ms} ms")).unwrap_or_default();
    let answer = match (delivery.last_status, last) {
        (Some(status), _) => format!("{status}{took}"),
        (None, Some(attempt)) => attempt.error.clone().unwrap_or_else(|| "no answer".to_owned()),
        (None, None) => "not sent yet".to_owned(),
    };
    let again = delivery.next_attempt_at.map(|at| format!("; again {}", at.format("%Y-%m-%d %H:%M UTC")));
    DeliveryView {
        when: date_words::ago(delivery.timestamp, now),
        said: last.and_then(|attempt| attempt.response.clone()).filter(|text| !text.trim().is_empty()),
        answer: answer + &again.unwrap_or_default(),
        tries: delivery.attempts.len(),
        id: delivery.id,
        kind: delivery.kind,
        status,
        bad,
    }
}

fn api(id: &str) -> String {
    format!("/webhooks/{}", address::segment(id))
}
