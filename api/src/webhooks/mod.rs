//! Webhooks: which endpoints are told what happens. The workers do the telling; here it is said who is told what.

pub mod create;
pub mod deliveries;
pub mod list;
pub mod patch;
pub mod remove;
pub mod rotate;
pub mod send;

use crate::{
    app::App,
    problem::{Code, Problem},
    validation::FieldErrors,
};
use chrono::{DateTime, SubsecRound as _, Utc};
use gleaner_model::{EventKind, PayloadForm, SignatureVersion, TenantId, Webhook, WebhookId, WebhookOrigin};
use gleaner_runtime::target::TargetRules;
use gleaner_store::{StoredWebhook, WebhookPut, WebhookWriteOutcome};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeSet;

/// Longest description, in characters.
const MAX_DESCRIPTION: usize = 500;
/// How often a change is tried again when others change the same endpoint meanwhile.
const MAX_ATTEMPTS: usize = 4;

/// How an endpoint stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "WebhookStatus")]
pub enum EndpointStatus {
    /// It is sent what happens.
    Active,
    /// It is, and the latest attempts failed.
    Failing,
    /// Nothing is sent: somebody wants it so.
    Paused,
    /// Nothing is sent any more: it failed for days, or answered 410.
    Disabled,
}

/// An endpoint without its secret: what may be shown of it.
#[derive(Serialize, JsonSchema)]
pub struct WebhookInfo {
    /// Its id.
    id: WebhookId,
    /// Where messages go.
    url: String,
    /// What it is told.
    events: BTreeSet<EventKind>,
    /// Whether a message holds the whole record, or its id alone.
    payload: PayloadForm,
    /// How messages are signed.
    signature: SignatureVersion,
    /// What `v1a` signatures are verified with; null of `v1`.
    public_key: Option<String>,
    /// What people say of it.
    description: Option<String>,
    /// Whether anything is sent to it.
    enabled: bool,
    /// How it stands.
    status: EndpointStatus,
    /// Why nothing is sent any more.
    disabled_reason: Option<String>,
    /// Since when nothing is sent any more.
    disabled_at: Option<DateTime<Utc>>,
    /// Since when every attempt failed.
    failing_since: Option<DateTime<Utc>>,
    /// When events were last forgotten before they could be sent: the receiver got a `webhook.missed`.
    missed_events_at: Option<DateTime<Utc>>,
    /// Until when messages are also signed with the secret before the last rotation.
    previous_secret_until: Option<DateTime<Utc>>,
    /// When it was made.
    created_at: DateTime<Utc>,
    /// The Webhook resource that it belongs to; null outside Kubernetes.
    resource: Option<String>,
}

impl From<StoredWebhook> for WebhookInfo {
    fn from(stored: StoredWebhook) -> Self {
        let StoredWebhook { webhook, state, .. } = stored;
        let status = match (webhook.enabled, &state.disabled, state.failures) {
            (_, Some(_), _) => EndpointStatus::Disabled,
            (false, ..) => EndpointStatus::Paused,
            (true, None, 0) => EndpointStatus::Active,
            (true, None, _) => EndpointStatus::Failing,
        };
        let (disabled_at, disabled_reason) = state.disabled.unzip();
        let now = Utc::now();
        Self {
            id: webhook.id,
            url: webhook.url,
            events: webhook.events,
            payload: webhook.payload,
            signature: webhook.secret.version(),
            public_key: webhook.secret.public_key(),
            description: webhook.description,
            enabled: webhook.enabled,
            status,
            disabled_reason,
            disabled_at,
            failing_since: state.failing_since,
            missed_events_at: state.missed_at,
            previous_secret_until: webhook.previous.map(|previous| previous.until).filter(|until| *until > now),
            created_at: webhook.created_at.trunc_subsecs(3),
            resource: match webhook.origin {
                WebhookOrigin::Api => None,
                WebhookOrigin::Resource { name, .. } => Some(name),
            },
        }
    }
}

/// The endpoint that the path names.
///
/// # Errors
/// 404 when the tenant has none.
async fn find(app: &App, tenant: &TenantId, id: WebhookId) -> Result<StoredWebhook, Problem> {
    app.ask(app.store.webhook(tenant, id)).await?.ok_or_else(Problem::not_found)
}

/// Changes an endpoint, and says how it is then. `change` says whether past failures are forgotten.
///
/// # Errors
/// 404; 405 where a resource says how it is.
async fn changed(
    app: &App,
    tenant: &TenantId,
    id: WebhookId,
    change: impl Fn(&mut Webhook) -> bool + Send,
) -> Result<StoredWebhook, Problem> {
    for _ in 0..MAX_ATTEMPTS {
        let found = find(app, tenant, id).await?;
        own(&found.webhook)?;
        let mut webhook = found.webhook;
        let reset = change(&mut webhook);
        let put = WebhookPut { rev: found.rev, most: app.config.webhook_cap, reset };
        if app.ask(app.store.put_webhook(tenant, &webhook, put)).await? == WebhookWriteOutcome::Written {
            return find(app, tenant, id).await;
        }
    }
    Err(Problem::overloaded("the webhook is being changed by others; try again"))
}

/// Whether the endpoint is changed here.
///
/// # Errors
/// 405 where a resource says how it is.
fn own(webhook: &Webhook) -> Result<(), Problem> {
    match &webhook.origin {
        WebhookOrigin::Api => Ok(()),
        WebhookOrigin::Resource { name, .. } => {
            let detail = format!("the webhook belongs to the Webhook resource {name}: change or delete that");
            Err(Problem::new(Code::MethodNotAllowed, detail))
        }
    }
}

/// Events of which none is named twice.
fn distinct<E: serde::de::Error>(named: Vec<EventKind>) -> Result<BTreeSet<EventKind>, E> {
    let count = named.len();
    let events: BTreeSet<EventKind> = named.into_iter().collect();
    if events.len() < count { Err(E::custom("names an event more than once")) } else { Ok(events) }
}

/// The same where there are any.
fn any_distinct<'de, D: Deserializer<'de>>(from: D) -> Result<Option<BTreeSet<EventKind>>, D::Error> {
    Option::<Vec<EventKind>>::deserialize(from)?.map(distinct).transpose()
}

/// The same where null is none.
fn given_distinct<'de, D: Deserializer<'de>>(from: D) -> Result<Option<BTreeSet<EventKind>>, D::Error> {
    distinct(Vec::deserialize(from)?).map(Some)
}

/// What is wrong with an endpoint's members.
fn check(app: &App, url: Option<&str>, events: Option<&BTreeSet<EventKind>>, description: Option<&str>) -> FieldErrors {
    let mut faults = FieldErrors::default();
    let rules = TargetRules::new(app.config.targets.clone());
    if let Some(Err(refused)) = url.map(|url| rules.check_url(url)) {
        faults.add("/url", refused.to_string());
    }
    if events.is_some_and(BTreeSet::is_empty) {
        faults.add("/events", "must name at least one event");
    }
    faults.at_most("/description", description, MAX_DESCRIPTION);
    if description.is_some_and(|text| text.chars().any(char::is_control)) {
        faults.add("/description", "must not hold control characters");
    }
    faults
}
