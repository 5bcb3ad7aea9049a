//! `DELETE /webhooks/{webhook_id}`: nothing is sent any more, and what was sent is forgotten.

use super::{find, own};
use crate::{
    operation::{Doc, Operation},
    route::{ApiCall, HandlerResult, gone},
};
use gleaner_model::WebhookId;

/// Summary, tag, parameters and answers.
pub fn docs(_: &mut Doc) -> Operation {
    Operation::new("deleteWebhook", "Webhooks", "Delete a webhook")
        .about("With all that is kept of what was sent to it. What is under way at this moment may still arrive.")
        .answers_empty(204, "It is gone.")
}

/// `DELETE /webhooks/{webhook_id}`
pub async fn handle(call: &mut ApiCall) -> HandlerResult {
    let id: WebhookId = call.id("webhook_id")?;
    let (app, tenant) = (&call.app, &call.caller.credential.tenant);
    own(&find(app, tenant, id).await?.webhook)?;
    gone(app.ask(app.store.remove_webhook(tenant, id)).await?)
}
