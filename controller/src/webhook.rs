//! Brings one Webhook to what its spec says: an endpoint in the store under the resource's uid, with the secret that its
//! Secret holds.
//!
//! The resource and its Secret say everything, so nothing is remembered between passes: a store that lost all gets it back
//! at the next one. Secrets are not watched, so each is read again after a while.

mod status;

use crate::{
    Error,
    context::{ControllerContext, namespaced_name},
    failpoint,
};
use chrono::{DateTime, TimeDelta, Utc};
use gleaner_crds::{FINALIZER, Webhook as Resource};
use gleaner_model::{EventKind, InvalidSecret, SigningSecret, TenantId, Webhook, WebhookId, WebhookOrigin};
use gleaner_store::{StoredWebhook, WebhookPut, WebhookWriteOutcome};
use k8s_openapi::api::core::v1::Secret;
use kube::{Api, ResourceExt as _, runtime::controller::Action};
use serde_json::json;
use status::WebhookReadiness;
use std::{sync::Arc, time::Duration};

/// How often a Secret is read again, and the endpoint's state shown anew.
const LOOK_AGAIN: Duration = Duration::from_secs(30);
/// How long the secret before still signs.
const OVERLAP: TimeDelta = TimeDelta::hours(24);
/// How often a change is tried again when a worker or somebody else changes the endpoint meanwhile.
const MAX_TRIES: usize = 4;

/// One pass over one Webhook. Safe to break off anywhere, and to repeat.
pub(crate) async fn reconcile(resource: Arc<Resource>, context: Arc<ControllerContext>) -> Result<Action, Error> {
    context.leadership.check()?;
    context.metrics.reconciles.inc();
    let action = if resource.metadata.deletion_timestamp.is_some() {
        release(&context, &resource).await.map(|()| Action::await_change())
    } else {
        reconcile_live(&context, &resource).await
    }?;
    context.succeeded(resource.metadata.uid.as_deref());
    Ok(action)
}

/// What to do after a pass that failed.
pub(crate) fn on_error(resource: Arc<Resource>, error: &Error, context: Arc<ControllerContext>) -> Action {
    let times = context.failed(resource.metadata.uid.as_deref());
    if !matches!(error, Error::Outdated | Error::NotLeader) {
        context.metrics.failures.inc();
        tracing::warn!(
            %error, webhook.namespace = resource.namespace().unwrap_or_default(), webhook.name = resource.name_any(),
            attempt = times + 1, "A pass failed"
        );
    }
    error.pause(times).map_or_else(Action::await_change, Action::requeue)
}

/// Ends the endpoint, then lets the resource go. Also the end of an installation.
pub(crate) async fn release(context: &ControllerContext, resource: &Resource) -> Result<(), Error> {
    if !resource.finalizers().iter().any(|one| one == FINALIZER) {
        return Ok(());
    }
    context.store.remove_webhook(&tenant(resource)?, id(resource)?).await?;
    context.metrics.store_writes.inc();
    failpoint::reached("before-release");
    match set_finalizers(context, resource, &[]).await {
        // Gone already: another pass let it go.
        Ok(()) | Err(Error::Outdated) => Ok(()),
        Err(error) => Err(error),
    }
}

async fn reconcile_live(context: &ControllerContext, resource: &Resource) -> Result<Action, Error> {
    if !resource.finalizers().iter().any(|one| one == FINALIZER) {
        set_finalizers(context, resource, &[FINALIZER]).await?;
        // The version with the finalizer is on its way.
        return Ok(Action::await_change());
    }
    let outcome = match wanted(context, resource).await? {
        Ok((url, secret)) => {
            register(context, resource, url, secret).await.map(|stored| WebhookReadiness::of(stored.as_ref()))
        }
        // What was registered before goes on until the spec, or the Secret, is mended: as a token does.
        Err(verdict) => suspend(context, resource).await.map(|()| verdict),
    };
    let verdict = match outcome {
        Ok(verdict) => verdict,
        Err(Error::Store(error)) => {
            update_status(context, resource, &WebhookReadiness::StoreUnavailable(error.to_string())).await?;
            return Err(Error::Store(error));
        }
        Err(error) => return Err(error),
    };
    update_status(context, resource, &verdict).await?;
    Ok(Action::requeue(LOOK_AGAIN))
}

/// The URL and the secret, or why there is none to be used.
async fn wanted(
    context: &ControllerContext,
    resource: &Resource,
) -> Result<Result<(String, SigningSecret), WebhookReadiness>, Error> {
    let spec = &resource.spec;
    if let Err(refused) = context.targets.check_url(&spec.url) {
        return Ok(Err(WebhookReadiness::UrlRefused(refused.to_string())));
    }
    let (namespace, _) = namespaced_name(resource)?;
    let (name, key) = (&spec.secret_ref.name, &spec.secret_ref.key);
    let api = Api::<Secret>::namespaced(context.client.clone(), namespace);
    let found = api.get_opt(name).await?.and_then(|secret| secret.data?.remove(key));
    let Some(bytes) = found else {
        return Ok(Err(WebhookReadiness::SecretMissing(format!("there is no key {key} in a Secret {name}"))));
    };
    let read = std::str::from_utf8(&bytes.0).ok().map(|text| SigningSecret::parse(text.trim()));
    Ok(match read {
        Some(Ok(secret)) => Ok((spec.url.clone(), secret)),
        _ => Err(WebhookReadiness::SecretInvalid(format!("the key {key} of the Secret {name} {InvalidSecret}"))),
    })
}

/// Has what was registered before send nothing where the spec says so, whatever else of it cannot be used.
async fn suspend(context: &ControllerContext, resource: &Resource) -> Result<(), Error> {
    if !resource.spec.suspend {
        return Ok(());
    }
    match context.store.webhook(&tenant(resource)?, id(resource)?).await? {
        Some(StoredWebhook { webhook: Webhook { url, secret, .. }, .. }) => {
            register(context, resource, url, secret).await.map(drop)
        }
        None => Ok(()),
    }
}

/// Writes the endpoint where it reads differently; `None` when the tenant has as many as it may have.
async fn register(
    context: &ControllerContext,
    resource: &Resource,
    url: String,
    secret: SigningSecret,
) -> Result<Option<StoredWebhook>, Error> {
    let (tenant, id) = (tenant(resource)?, id(resource)?);
    for _ in 0..MAX_TRIES {
        let known = context.store.webhook(&tenant, id).await?;
        let before = known.as_ref().map(|stored| &stored.webhook);
        let after = desired(resource, url.clone(), secret.clone(), before, Utc::now())?;
        if before == Some(&after) {
            return Ok(known);
        }
        context.leadership.check()?;
        // Whoever mends the spec or the secret has mended what failed.
        let put =
            WebhookPut { rev: known.as_ref().map_or(0, |stored| stored.rev), most: context.webhook_cap, reset: true };
        context.metrics.store_writes.inc();
        if context.store.put_webhook(&tenant, &after, put).await? == WebhookWriteOutcome::Full {
            return Ok(None);
        }
    }
    Err(Error::Outdated)
}

/// The endpoint as the resource says it; what was signed with another secret before is signed with both for a day.
fn desired(
    resource: &Resource,
    url: String,
    secret: SigningSecret,
    before: Option<&Webhook>,
    now: DateTime<Utc>,
) -> Result<Webhook, Error> {
    let (_, name) = namespaced_name(resource)?;
    let spec = &resource.spec;
    let named = |kind: &EventKind| spec.events.is_empty() || spec.events.iter().any(|event| event == kind.as_str());
    let mut webhook = Webhook {
        id: id(resource)?,
        url,
        events: EventKind::ALL.into_iter().filter(named).collect(),
        payload: spec.payload,
        description: None,
        enabled: !spec.suspend,
        secret: before.map_or_else(|| secret.clone(), |before| before.secret.clone()),
        previous: before.and_then(|before| before.previous.clone()),
        created_at: before.map_or(now, |before| before.created_at),
        origin: WebhookOrigin::Resource {
            uid: resource.metadata.uid.clone().unwrap_or_default(),
            name: name.to_owned(),
            generation: resource.metadata.generation.unwrap_or(1),
        },
    };
    if webhook.secret != secret {
        webhook.rotate(secret, now + OVERLAP);
    }
    Ok(webhook)
}

async fn set_finalizers(context: &ControllerContext, resource: &Resource, finalizers: &[&str]) -> Result<(), Error> {
    context.apply(resource, json!({"metadata": {"finalizers": finalizers}}), false).await.map(drop)
}

/// Writes the status if it reads differently.
async fn update_status(
    context: &ControllerContext,
    resource: &Resource,
    verdict: &WebhookReadiness,
) -> Result<(), Error> {
    let after = status::after(resource.status.as_ref(), verdict, resource.metadata.generation, Utc::now());
    if resource.status.as_ref() == Some(&after) {
        return Ok(());
    }
    context.apply(resource, json!({"metadata": {}, "status": after}), true).await.map(drop)
}

/// The endpoint's id is the resource's uid.
fn id(resource: &Resource) -> Result<WebhookId, Error> {
    let uid = resource.metadata.uid.as_deref().and_then(|uid| uid.parse().ok());
    uid.ok_or(Error::Malformed("a uid"))
}

fn tenant(resource: &Resource) -> Result<TenantId, Error> {
    TenantId::new(namespaced_name(resource)?.0).map_err(|_| Error::Malformed("a namespace that can be a tenant"))
}
