//! `POST /webhooks/{webhook_id}/rotate`: a new secret, and a day to bring it to the receiver.

use super::{changed, create::WebhookWithSecret, find};
use crate::{
    json,
    operation::{Doc, Operation},
    problem::Problem,
    route::{ApiCall, HandlerResult},
};
use chrono::{TimeDelta, Utc};
use gleaner_model::{SigningSecret, WebhookId};

/// How long the secret until now still signs.
const OVERLAP: TimeDelta = TimeDelta::hours(24);

/// Summary, tag, parameters and answers.
pub fn docs(doc: &mut Doc) -> Operation {
    Operation::new("rotateWebhookSecret", "Webhooks", "Give a webhook a new secret")
        .about(
            "For 24 hours each message has two signatures, one with each secret, so that the receiver can change over \
             without losing any. The new secret is shown this once, and signs as the one before did.",
        )
        .answers::<WebhookWithSecret>(doc, 200, "The endpoint, with its new secret.")
}

/// `POST /webhooks/{webhook_id}/rotate`
pub async fn handle(call: &mut ApiCall) -> HandlerResult {
    let (app, tenant) = (&call.app, &call.caller.credential.tenant);
    let id: WebhookId = call.id("webhook_id")?;
    let version = find(app, tenant, id).await?.webhook.secret.version();
    let (secret, until) = (SigningSecret::mint(version).map_err(Problem::internal)?, Utc::now() + OVERLAP);
    let now = changed(app, tenant, id, |webhook| {
        // The answer to a try may have been lost: the secret until now is still the one before.
        if webhook.secret != secret {
            webhook.rotate(secret.clone(), until);
        }
        false
    });
    let info = now.await?.into();
    json::answer(&WebhookWithSecret::new(&secret, info))
}
