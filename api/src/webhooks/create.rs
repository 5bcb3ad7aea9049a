//! `POST /webhooks`: a new endpoint, and the secret that its messages are signed with.

use super::{WebhookInfo, any_distinct, check, find};
use crate::{
    json,
    operation::{Doc, Operation},
    problem::Problem,
    route::{ApiCall, HandlerResult},
};
use axum::http::{StatusCode, header::LOCATION};
use chrono::Utc;
use gleaner_model::{EventKind, PayloadForm, SignatureVersion, SigningSecret, Webhook, WebhookId, WebhookOrigin};
use gleaner_store::{WebhookPut, WebhookWriteOutcome};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// An endpoint as somebody wants it.
#[derive(Deserialize, JsonSchema)]
pub struct NewWebhook {
    /// Where messages go: `https://`, at a public address unless an admin allows others.
    #[schemars(length(max = 2048))]
    url: String,
    /// What to send; absent or null: everything.
    #[serde(default, deserialize_with = "any_distinct")]
    #[schemars(length(min = 1))]
    events: Option<BTreeSet<EventKind>>,
    /// Whether a message holds the whole record (`full`), or its id alone (`thin`).
    #[serde(default)]
    payload: PayloadForm,
    /// How messages are signed: with a secret that the receiver holds too (`v1`, HMAC-SHA256), or with a key whose public half
    /// it holds (`v1a`, Ed25519).
    #[serde(default)]
    signature: SignatureVersion,
    /// What people say of it.
    #[serde(default)]
    #[schemars(length(max = 500))]
    description: Option<String>,
}

/// An endpoint, and its secret this once.
#[derive(Serialize, JsonSchema)]
pub struct WebhookWithSecret {
    /// What the receiver verifies messages with. Of `v1` the secret, `whsec_` and Base64: it is never shown again. Of `v1a` the
    /// public key, `whpk_` and Base64, that `public_key` shows too.
    pub secret: String,
    /// What may be shown of it later.
    #[serde(flatten)]
    pub info: WebhookInfo,
}

impl WebhookWithSecret {
    /// An endpoint with what its receiver verifies with: a private key is nobody's but ours.
    pub fn new(secret: &SigningSecret, info: WebhookInfo) -> Self {
        Self { secret: secret.public_key().unwrap_or_else(|| secret.expose()), info }
    }
}

/// Summary, tag, parameters and answers.
pub fn docs(doc: &mut Doc) -> Operation {
    Operation::new("createWebhook", "Webhooks", "Create a webhook")
        .about(
            "From now on the endpoint is sent what happens, as [Standard Webhooks](https://www.standardwebhooks.com) has it: \
             `POST` of `{type, timestamp, data}` with the headers `webhook-id` (the same at each attempt), \
             `webhook-timestamp` and `webhook-signature` (`v1,` and the Base64 of HMAC-SHA256, or `v1a,` and that of Ed25519, over \
             `id.timestamp.body`). \
             Any 2xx is success. Else it is tried again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h. Messages of one \
             task or job come in order, each at least once. 410 disables the endpoint, and so do five days of failures. \
             Where events are forgotten before they could be sent, a `webhook.missed` comes in their place.",
        )
        .takes::<NewWebhook>(doc, &["application/json"])
        .answers::<WebhookWithSecret>(doc, 201, "The endpoint, with its secret shown this once.")
        .with_header(201, "Location", "The endpoint's address.")
}

/// `POST /webhooks`
pub async fn handle(call: &mut ApiCall) -> HandlerResult {
    let taken = call.body(&["application/json"]).await?;
    let wanted: NewWebhook = json::typed(&taken.bytes)?;
    let description = wanted.description.filter(|text| !text.trim().is_empty());
    check(&call.app, Some(&wanted.url), wanted.events.as_ref(), description.as_deref()).into_result()?;
    let webhook = Webhook {
        id: WebhookId::new(),
        url: wanted.url,
        events: wanted.events.unwrap_or_else(|| EventKind::ALL.into_iter().collect()),
        payload: wanted.payload,
        description,
        enabled: true,
        secret: SigningSecret::mint(wanted.signature).map_err(Problem::internal)?,
        previous: None,
        created_at: Utc::now(),
        origin: WebhookOrigin::Api,
    };
    let (app, tenant) = (&call.app, &call.caller.credential.tenant);
    let put = WebhookPut { rev: 0, most: app.config.webhook_cap, reset: false };
    match app.ask(app.store.put_webhook(tenant, &webhook, put)).await? {
        // Of an id that was made just now: the answer to the first try was lost.
        WebhookWriteOutcome::Written | WebhookWriteOutcome::Conflict => {}
        WebhookWriteOutcome::Full => {
            let most = app.config.webhook_cap;
            return Err(Problem::invalid("", format!("the tenant has {most} webhooks, as many as it may have")));
        }
    }
    let info = find(app, tenant, webhook.id).await?.into();
    let mut response = json::answer(&WebhookWithSecret::new(&webhook.secret, info))?;
    *response.status_mut() = StatusCode::CREATED;
    response.headers_mut().insert(LOCATION, app.location(&format!("/webhooks/{}", webhook.id))?);
    Ok(response)
}
