//! What somebody wants to be sent: a test, a message once more, everything since a time. A worker sends it.

use super::deliveries::DeliveryInfo;
use crate::{
    app::App,
    json,
    operation::{Doc, Operation},
    problem::Problem,
    route::{ApiCall, HandlerResult},
};
use axum::http::StatusCode;
use chrono::{DateTime, Utc};
use gleaner_model::{DeliveryRef, TenantId, WebhookDelivery, WebhookId, day};
use gleaner_store::{LoggedDelivery, QueueOutcome};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a test is called.
const TEST: &str = "webhook.test";

/// The test in the OpenAPI document.
pub fn test_docs(doc: &mut Doc) -> Operation {
    Operation::new("testWebhook", "Webhooks", "Send a test to a webhook")
        .about("A message of the type `webhook.test`, signed and tried as any other. The list of deliveries shows what became of it.")
        .answers::<DeliveryInfo>(doc, 202, "It will be sent in a moment.")
}

/// `POST /webhooks/{webhook_id}/test`
pub async fn test(call: &mut ApiCall) -> HandlerResult {
    let place = DeliveryRef::Own(WebhookId::new().0);
    let message = WebhookDelivery::new(TEST, place.to_string(), Utc::now());
    put_in(&call.app, &call.caller.credential.tenant, call.id("webhook_id")?, place, message).await
}

/// Sending again, in the OpenAPI document.
pub fn redeliver_docs(doc: &mut Doc) -> Operation {
    Operation::new("redeliver", "Webhooks", "Send a message to a webhook once more")
        .about("Under the same `webhook-id`, and tried again as if it had never been sent. What it tells must still be kept.")
        .answers::<DeliveryInfo>(doc, 202, "It will be sent in a moment.")
}

/// `POST /webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver`
pub async fn redeliver(call: &mut ApiCall) -> HandlerResult {
    let webhook: WebhookId = call.id("webhook_id")?;
    let name: String = call.id("delivery_id")?;
    let place = DeliveryRef::of_message(webhook, &name).ok_or_else(Problem::not_found)?;
    let tenant = &call.caller.credential.tenant;
    let found = call.app.ask(call.app.store.webhook_delivery(tenant, webhook, place)).await?;
    put_in(&call.app, tenant, webhook, place, found.ok_or_else(Problem::not_found)?.reset_for_redelivery()).await
}

async fn put_in(
    app: &App,
    tenant: &TenantId,
    webhook: WebhookId,
    place: DeliveryRef,
    message: WebhookDelivery,
) -> HandlerResult {
    is_queued(app.ask(app.store.send_to_webhook(tenant, webhook, place, &message)).await?)?;
    accepted(&DeliveryInfo::new(webhook, LoggedDelivery { place, message }))
}

/// Since when.
#[derive(Deserialize, JsonSchema)]
pub struct Replay {
    /// What happened from then on is sent again.
    #[serde(deserialize_with = "day::time")]
    since: DateTime<Utc>,
}

/// Sending everything again, in the OpenAPI document.
pub fn replay_docs(doc: &mut Doc) -> Operation {
    Operation::new("redeliverSince", "Webhooks", "Send everything since a time to a webhook again")
        .about(
            "Everything that has happened since then and is still kept, delivered before or not, each under the \
             `webhook-id` that it had.",
        )
        .takes::<Replay>(doc, &["application/json"])
        .answers::<Replayed>(doc, 202, "It will be sent from now on.")
}

/// From when on everything is sent again.
#[derive(Serialize, JsonSchema)]
pub struct Replayed {
    /// As it was asked for.
    since: DateTime<Utc>,
}

/// `POST /webhooks/{webhook_id}/redeliver`
pub async fn replay(call: &mut ApiCall) -> HandlerResult {
    let webhook: WebhookId = call.id("webhook_id")?;
    let taken = call.body(&["application/json"]).await?;
    let Replay { since } = json::typed(&taken.bytes)?;
    let tenant = &call.caller.credential.tenant;
    is_queued(call.app.ask(call.app.store.replay_to_webhook(tenant, webhook, since)).await?)?;
    accepted(&Replayed { since })
}

fn is_queued(queued: QueueOutcome) -> Result<(), Problem> {
    match queued {
        QueueOutcome::Queued => Ok(()),
        QueueOutcome::Missing => Err(Problem::not_found()),
        QueueOutcome::Disabled => {
            Err(Problem::invalid("/webhook_id", "names a webhook to which nothing is sent; set its enabled to true"))
        }
        QueueOutcome::Full => Err(Problem::overloaded("too much waits to be sent to this webhook; try again later")),
    }
}

fn accepted<T: Serialize>(body: &T) -> HandlerResult {
    let mut response = json::answer(body)?;
    *response.status_mut() = StatusCode::ACCEPTED;
    Ok(response)
}
