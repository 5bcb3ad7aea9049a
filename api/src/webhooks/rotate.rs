//! `POST /webhooks/{webhook_id}/rotate`: a new secret, and a day to bring it to the receiver.

use super::{changed, create::WebhookWithSecret};
use crate::{
    json,
    openapi::{Doc, Operation},
    problem::Problem,
    route::{ApiCall, HandlerResult},
};
use chrono::{TimeDelta, Utc};
use gleaner_model::SigningSecret;

/// How long the secret until now still signs.
const OVERLAP: TimeDelta = TimeDelta::hours(24);

/// The route in the OpenAPI document.
pub fn docs(doc: &mut Doc) -> Operation {
    Operation::new("rotateWebhookSecret", "Webhooks", "Give a webhook a new secret")
        .about(
            "For 24 hours each message has two signatures, one with each secret, so that the receiver can change over \
             without losing any. The new secret is shown this once.",
        )
        .answers::<WebhookWithSecret>(doc, 200, "The endpoint, with its new secret.")
}

/// `POST /webhooks/{webhook_id}/rotate`
pub async fn handle(call: &mut ApiCall) -> HandlerResult {
    let (secret, until) = (SigningSecret::mint().map_err(Problem::internal)?, Utc::now() + OVERLAP);
    let tenant = &call.caller.credential.tenant;
    let now = changed(&call.app, tenant, call.id("webhook_id")?, |webhook| {
        // The answer to a try may have been lost: the secret until now is still the one before.
        if webhook.secret != secret {
            webhook.rotate(secret.clone(), until);
        }
        false
    });
    let info = now.await?.into();
    json::answer(&WebhookWithSecret { secret: secret.expose(), info })
}
