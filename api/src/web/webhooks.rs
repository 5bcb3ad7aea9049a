//! Settings → Webhooks: who is told what happens.

pub mod deliveries;

use super::{
    PageError, address, date_words,
    flash::Flash,
    forms::FormFields,
    frame::{self, NavLink, PageFrame},
    visit::Visit,
};
use askama::Template;
use axum::{
    extract::Path,
    http::Method,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use chrono::{DateTime, Utc};
use gleaner_model::{EventKind, Page};
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
    public_key: Option<String>,
    description: Option<String>,
    enabled: bool,
    status: String,
    disabled_reason: Option<String>,
    failing_since: Option<DateTime<Utc>>,
    missed_events_at: Option<DateTime<Utc>>,
    resource: Option<String>,
}

struct WebhookView {
    id: String,
    url: String,
    events: String,
    thin: bool,
    public_key: Option<String>,
    description: Option<String>,
    status: &'static str,
    bad: bool,
    why: Option<String>,
    /// Whether nothing is sent.
    still: bool,
    resource: Option<String>,
}

/// What a receiver verifies with.
enum Shown {
    /// Shown this once.
    Secret(String),
    /// Shown again wherever the endpoint is.
    PublicKey(String),
}

#[derive(Template)]
#[template(path = "webhooks.html")]
struct WebhooksPage {
    frame: PageFrame,
    shown: Option<Shown>,
    problem: Option<String>,
    tabs: Vec<NavLink>,
    webhooks: Vec<WebhookView>,
    events: [&'static str; 6],
}

/// `GET /app/settings/webhooks`
pub async fn list(visit: Visit) -> Result<Response, PageError> {
    show(visit, None, None).await
}

async fn show(visit: Visit, shown: Option<Shown>, problem: Option<String>) -> Result<Response, PageError> {
    let list: Page<ListedWebhook> = visit.get("/webhooks").await?;
    let page = WebhooksPage {
        frame: visit.frame(),
        shown,
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
        public_key: webhook.public_key,
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
    let fields = FormFields::read(&body);
    let events: Vec<_> = fields.all("events").map(str::trim).collect();
    let description = fields.all("description").next().map(str::trim);
    let mut wanted = json!({"url": fields.one("url").trim(), "description": description});
    if !events.is_empty() {
        wanted["events"] = json!(events);
    }
    if fields.all("thin").next().is_some() {
        wanted["payload"] = json!("thin");
    }
    if fields.all("v1a").next().is_some() {
        wanted["signature"] = json!("v1a");
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
            let shown = if made["signature"] == "v1a" { Shown::PublicKey(secret) } else { Shown::Secret(secret) };
            show(visit, Some(shown), None).await
        }
        Err(refusal) => match PageError::from(refusal) {
            PageError::Refused(status, detail) => Ok((status, show(visit, None, Some(detail)).await?).into_response()),
            error => Err(error),
        },
    }
}

/// `POST /app/settings/webhooks/{id}/enable`: the field `to` says whether anything is sent.
pub async fn enable(visit: Visit, Path(id): Path<String>, body: Bytes) -> Result<Response, PageError> {
    let on = FormFields::read(&body).one("to") == "on";
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
    Ok(deliveries::back(visit, &id, "A test is on its way. Load this page again to see what became of it."))
}

fn api(id: &str) -> String {
    format!("/webhooks/{}", address::segment(id))
}
