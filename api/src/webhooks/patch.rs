//! `PATCH /webhooks/{webhook_id}`: another URL, other events, a pause (JSON Merge Patch, RFC 7396).

use super::{WebhookInfo, changed, check, given_distinct};
use crate::{
    json,
    merge_patch::{MEDIA_TYPES, given},
    operation::{Doc, Operation},
    route::{ApiCall, HandlerResult},
};
use gleaner_model::{EventKind, PayloadForm};
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeSet;

/// What may be set. A member that is absent stays as it is.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct WebhookPatch {
    /// Where messages go.
    #[serde(deserialize_with = "given")]
    #[schemars(with = "String", length(max = 2048))]
    url: Option<String>,
    /// What to send.
    #[serde(deserialize_with = "given_distinct")]
    #[schemars(with = "BTreeSet<EventKind>", length(min = 1))]
    events: Option<BTreeSet<EventKind>>,
    /// Whether a message holds the whole record, or its id alone.
    #[serde(deserialize_with = "given")]
    #[schemars(with = "PayloadForm")]
    payload: Option<PayloadForm>,
    /// What people say of it; null: nothing.
    #[serde(deserialize_with = "given")]
    #[schemars(with = "Option<String>", length(max = 500))]
    description: Option<Option<String>>,
    /// False: nothing is sent, and what happens waits. True: it is sent, also after it was disabled.
    #[serde(deserialize_with = "given")]
    #[schemars(with = "bool")]
    enabled: Option<bool>,
}

/// Summary, tag, parameters and answers.
pub fn docs(doc: &mut Doc) -> Operation {
    Operation::new("editWebhook", "Webhooks", "Edit a webhook")
        .about(
            "A JSON Merge Patch (RFC 7396). Another `url`, and `enabled: true`, forget past failures: what waits is sent at \
             once.",
        )
        .takes::<WebhookPatch>(doc, &MEDIA_TYPES)
        .answers::<WebhookInfo>(doc, 200, "The endpoint as it is now.")
}

/// `PATCH /webhooks/{webhook_id}`
pub async fn handle(call: &mut ApiCall) -> HandlerResult {
    let taken = call.body(&MEDIA_TYPES).await?;
    let patch: WebhookPatch = json::typed(&taken.bytes)?;
    let description = patch.description.as_ref().and_then(Option::as_deref);
    check(&call.app, patch.url.as_deref(), patch.events.as_ref(), description).into_result()?;
    let tenant = &call.caller.credential.tenant;
    let now = changed(&call.app, tenant, call.id("webhook_id")?, |webhook| {
        let reset = patch.enabled == Some(true) || patch.url.as_ref().is_some_and(|url| *url != webhook.url);
        if let Some(url) = &patch.url {
            webhook.url.clone_from(url);
        }
        if let Some(events) = &patch.events {
            webhook.events.clone_from(events);
        }
        if let Some(description) = &patch.description {
            webhook.description = description.clone().filter(|text| !text.trim().is_empty());
        }
        webhook.payload = patch.payload.unwrap_or(webhook.payload);
        webhook.enabled = patch.enabled.unwrap_or(webhook.enabled);
        reset
    });
    json::answer(&WebhookInfo::from(now.await?))
}
