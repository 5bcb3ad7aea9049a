//! `GET /webhooks/{webhook_id}/deliveries`: what was sent, when, and what was answered.

use crate::{
    list_page,
    operation::{Doc, Operation},
    problem::Problem,
    query::{CURSOR, LIMIT, Param},
    route::{ApiCall, HandlerResult},
};
use chrono::{DateTime, SubsecRound as _, Utc};
use gleaner_model::{DeliveryStatus, Page, WebhookAttempt, WebhookId};
use gleaner_store::LoggedDelivery;
use schemars::JsonSchema;
use serde::Serialize;

/// Query parameters of this route.
pub const QUERY: &[Param] = &[LIMIT, CURSOR];

/// One message to an endpoint.
#[derive(Serialize, JsonSchema)]
pub struct DeliveryInfo {
    /// Its `webhook-id`.
    id: String,
    /// What it tells.
    #[serde(rename = "type")]
    kind: String,
    /// The job or task that it is of.
    subject: String,
    /// When that happened.
    timestamp: DateTime<Utc>,
    /// How far it has come.
    status: DeliveryStatus,
    /// The latest attempts, oldest first.
    attempts: Vec<WebhookAttempt>,
    /// The status that was answered last; null where nothing was.
    last_status: Option<u16>,
    /// How long that took, in milliseconds.
    latency_ms: Option<u64>,
    /// When it is tried next; null where it is not, or as soon as those before it are through.
    next_attempt_at: Option<DateTime<Utc>>,
}

impl DeliveryInfo {
    /// As it is shown.
    pub fn new(webhook: WebhookId, logged: LoggedDelivery) -> Self {
        let LoggedDelivery { place, mut message } = logged;
        message.attempts.iter_mut().for_each(|attempt| attempt.at = attempt.at.trunc_subsecs(3));
        let last = message.attempts.last();
        Self {
            id: place.message_id(webhook),
            kind: message.kind,
            subject: message.subject,
            timestamp: message.timestamp.trunc_subsecs(3),
            status: message.status,
            last_status: last.and_then(|attempt| attempt.status),
            latency_ms: last.map(|attempt| attempt.latency_ms),
            next_attempt_at: DateTime::from_timestamp_millis(message.due_ms).filter(|_| message.due_ms > 0),
            attempts: message.attempts,
        }
    }
}

/// Summary, tag, parameters and answers.
pub fn docs(doc: &mut Doc) -> Operation {
    Operation::new("listDeliveries", "Webhooks", "List what was sent to a webhook")
        .about("The last first. Of each endpoint the 500 last are kept, and whatever is still to be sent again.")
        .answers_page::<DeliveryInfo>(doc, "A page of messages.")
}

/// `GET /webhooks/{webhook_id}/deliveries`
pub async fn handle(call: &mut ApiCall) -> HandlerResult {
    let id: WebhookId = call.id("webhook_id")?;
    let (limit, cursor) = (call.query.limit(), call.query.text("cursor"));
    let tenant = &call.caller.credential.tenant;
    let found = call.app.ask(call.app.store.webhook_deliveries(tenant, id, limit, cursor)).await?;
    let found = found.ok_or_else(Problem::not_found)?;
    let items = found.items.into_iter().map(|logged| DeliveryInfo::new(id, logged)).collect();
    list_page::answer(call, &format!("/webhooks/{id}/deliveries"), &Page { items, next_cursor: found.next_cursor })
}
