//! `GET /webhooks` and `GET /webhooks/{webhook_id}`.

use super::{WebhookInfo, find};
use crate::{
    json,
    operation::{Doc, Operation},
    route::{ApiCall, HandlerResult},
};
use gleaner_model::Page;

/// The list in the OpenAPI document.
pub fn docs(doc: &mut Doc) -> Operation {
    Operation::new("listWebhooks", "Webhooks", "List webhooks")
        .about("All of them, oldest first.")
        .answers::<Page<WebhookInfo>>(doc, 200, "The tenant's endpoints.")
}

/// `GET /webhooks`
pub async fn handle(call: &mut ApiCall) -> HandlerResult {
    let found = call.app.ask(call.app.store.webhooks(&call.caller.credential.tenant)).await?;
    let items = found.into_iter().map(WebhookInfo::from).collect();
    json::answer(&Page { items, next_cursor: None })
}

/// One of them in the OpenAPI document.
pub fn one_docs(doc: &mut Doc) -> Operation {
    Operation::new("getWebhook", "Webhooks", "Get a webhook").answers::<WebhookInfo>(doc, 200, "The endpoint.")
}

/// `GET /webhooks/{webhook_id}`
pub async fn one(call: &mut ApiCall) -> HandlerResult {
    let found = find(&call.app, &call.caller.credential.tenant, call.id("webhook_id")?).await?;
    json::answer(&WebhookInfo::from(found))
}
