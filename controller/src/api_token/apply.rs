//! Carries out what was planned: the Secret first, then the record in the status, then the store.
//!
//! - A crash after the Secret is healed by reading the token back from it.
//! - Nothing is in the store that the status does not know of, so that nothing can be forgotten there.

use super::{
    observe::{self, MARK, SecretState, TOKEN_ID_KEY, TOKEN_KEY},
    plan::{self, Cause, Issue, Issued, Registration, SecretAction},
    status::{self, TokenReadiness},
};
use crate::{
    Error,
    context::{ControllerContext, namespaced_name},
    failpoint,
};
use chrono::{DateTime, Utc};
use gleaner_crds::{ApiToken, DesiredToken};
use gleaner_model::PlainToken;
use gleaner_store::{Credential, Origin, WriteOutcome};
use k8s_openapi::{ByteString, api::core::v1::Secret};
use kube::{Resource as _, api::ObjectMeta};
use std::collections::BTreeMap;

/// Issues a token and records it.
pub(crate) async fn issue(
    context: &ControllerContext,
    token: &ApiToken,
    wanted: &DesiredToken,
    issue: &Issue,
    now: DateTime<Utc>,
) -> Result<Result<ApiToken, TokenReadiness>, Error> {
    let issued = match issue {
        Issue::Import(hash) => Issued::imported(token, *hash).ok_or(Error::Malformed("a token id"))?,
        Issue::Mint(cause) => match deliver(context, token, cause).await? {
            Ok(minted) => Issued::minted(&minted, token.secret_name()),
            Err(verdict) => return Ok(Err(verdict)),
        },
    };
    failpoint::reached("after-secret");
    forget_oldest(context, token).await?;
    let recorded = plan::record(token, wanted, issued, now);
    let recorded = status::after(recorded, Some(wanted), &TokenReadiness::Registering, token.metadata.generation, now);
    let token = context.set_status(token, &recorded).await?;
    failpoint::reached("after-record");
    announce(context, &token, issue).await;
    Ok(Ok(token))
}

/// The record has room for one previous token: the one before it ends when another is issued.
async fn forget_oldest(context: &ControllerContext, token: &ApiToken) -> Result<(), Error> {
    if let Some(oldest) = token.status.as_ref().and_then(|status| status.previous.as_ref()) {
        let made = Registration { remove: vec![oldest.token_hash], keep: Vec::new() };
        register(context, token, &made).await?;
    }
    Ok(())
}

/// Mints a token and writes it to the Secret, or takes the one that was written before a crash.
async fn deliver(
    context: &ControllerContext,
    token: &ApiToken,
    cause: &Cause,
) -> Result<Result<PlainToken, TokenReadiness>, Error> {
    let (namespace, name) = (namespaced_name(token)?.0, token.secret_name());
    if token.status.is_none() {
        // Nothing was done for it yet, so that there is hardly a Secret: making it tells, without a look before.
        match create(context, token, cause, namespace).await {
            Err(Error::Outdated) => {}
            written => return outcome(written),
        }
    }
    let found = observe::secret(context, namespace, token).await?;
    outcome(match plan::secret_action(cause, &found) {
        SecretAction::Conflict => return Ok(Err(TokenReadiness::SecretConflict(name))),
        SecretAction::Adopt(minted) => return Ok(Ok(minted)),
        SecretAction::Create => create(context, token, cause, namespace).await,
        SecretAction::Replace => {
            let SecretState::Ours { version, .. } = found else { return Err(Error::Outdated) };
            let minted = mint(context)?;
            let secret = secret(token, &minted, cause, version);
            context.replace_secret(namespace, &name, &secret).await.map(|()| minted)
        }
    })
}

async fn create(
    context: &ControllerContext,
    token: &ApiToken,
    cause: &Cause,
    namespace: &str,
) -> Result<PlainToken, Error> {
    let minted = mint(context)?;
    context.create_secret(namespace, &secret(token, &minted, cause, None)).await.map(|()| minted)
}

/// What became of a write of the Secret: what the API server refuses for good is for the tenant to know.
fn outcome(written: Result<PlainToken, Error>) -> Result<Result<PlainToken, TokenReadiness>, Error> {
    match written {
        Ok(minted) => Ok(Ok(minted)),
        Err(Error::Kubernetes(refused)) if is_refusal(&refused) => {
            Ok(Err(TokenReadiness::SecretRefused(Error::Kubernetes(refused).to_string())))
        }
        Err(error) => Err(error),
    }
}

fn mint(context: &ControllerContext) -> Result<PlainToken, Error> {
    context.metrics.minted.inc();
    PlainToken::mint().map_err(Error::Mint)
}

/// The API server understood and said no: a quota, an immutable Secret, a policy, a missing right.
fn is_refusal(error: &kube::Error) -> bool {
    matches!(error, kube::Error::Api(status) if matches!(status.code, 400 | 403 | 422))
}

/// The Secret that hands the token over.
fn secret(token: &ApiToken, minted: &PlainToken, cause: &Cause, version: Option<String>) -> Secret {
    let data = [(TOKEN_KEY, minted.expose().to_owned()), (TOKEN_ID_KEY, minted.id().to_string())];
    Secret {
        metadata: ObjectMeta {
            name: Some(token.secret_name()),
            namespace: token.metadata.namespace.clone(),
            resource_version: version,
            labels: Some(BTreeMap::from([("app.kubernetes.io/managed-by".to_owned(), "gleaner".to_owned())])),
            annotations: Some(BTreeMap::from([(MARK.to_owned(), cause.mark())])),
            owner_references: Some(token.controller_owner_ref(&()).into_iter().collect()),
            ..ObjectMeta::default()
        },
        type_: Some("Opaque".to_owned()),
        data: Some(data.map(|(key, text)| (key.to_owned(), ByteString(text.into_bytes()))).into()),
        ..Secret::default()
    }
}

async fn announce(context: &ControllerContext, token: &ApiToken, issue: &Issue) {
    let id = token.status.as_ref().and_then(|status| status.token_id.as_ref()).map(ToString::to_string);
    let id = id.unwrap_or_default();
    let secret = token.secret_name();
    let (reason, note) = match issue {
        Issue::Mint(Cause::First) => ("Issued", format!("Token {id} was written to the Secret {secret}")),
        Issue::Mint(Cause::Asked(_)) => ("Rotated", format!("Token {id} was written to the Secret {secret}, as asked")),
        Issue::Mint(Cause::Due(_)) => {
            ("Rotated", format!("Token {id} was written to the Secret {secret}, as scheduled"))
        }
        // People may watch for this reason, so it stays.
        Issue::Import(_) => ("Taken", format!("Token {id} was imported by its hash")),
    };
    context.publish_event(token, false, reason, note).await;
}

/// What the store said of a registration.
#[derive(Debug, Default)]
pub(crate) struct Registered {
    /// Another ApiToken holds the hash.
    pub(crate) taken: bool,
    /// When the present token was last used.
    pub(crate) last_used_at: Option<DateTime<Utc>>,
    /// The token before was revoked over HTTP.
    pub(crate) previous_revoked: bool,
}

/// Brings the store to what was planned; what is right already is only read.
pub(crate) async fn register(
    context: &ControllerContext,
    token: &ApiToken,
    plan: &Registration,
) -> Result<Registered, Error> {
    let mut outcome = Registered::default();
    // The token before comes first, here and below: where it alone is missing, somebody revoked it.
    let mut found = Vec::with_capacity(plan.keep.len());
    for wanted in plan.keep.iter().rev() {
        found.push(context.store.find_credential(&wanted.hash).await?);
    }
    outcome.last_used_at = found.last().and_then(|present| present.as_ref()?.last_used_at);
    outcome.previous_revoked = matches!(found[..], [None, Some(_)]);
    for (wanted, found) in plan.keep.iter().rev().zip(found).skip(usize::from(outcome.previous_revoked)) {
        // A suspended one may have been written by a release that did not refuse what it made.
        if !wanted.suspended && found.is_some_and(|found| is_up_to_date(&found, wanted)) {
            continue;
        }
        outcome.taken |= put(context, wanted).await?;
        failpoint::reached("after-register");
    }
    for hash in &plan.remove {
        context.leadership.check()?;
        if context.store.remove_credential_of(hash, &origin(token)?).await? {
            context.metrics.store_writes.inc();
        }
        failpoint::reached("after-revoke");
    }
    Ok(outcome)
}

/// Writes a credential; whether another ApiToken holds its hash.
async fn put(context: &ControllerContext, wanted: &Credential) -> Result<bool, Error> {
    context.leadership.check()?;
    match context.store.put_credential(wanted).await? {
        WriteOutcome::Stale => Err(Error::Outdated),
        WriteOutcome::Taken | WriteOutcome::Full | WriteOutcome::Orphaned => Ok(true),
        WriteOutcome::Written | WriteOutcome::Unchanged => {
            context.metrics.store_writes.inc();
            Ok(false)
        }
    }
}

/// Whether a credential reads as wanted, whatever revision wrote it and whenever it was used.
fn is_up_to_date(found: &Credential, wanted: &Credential) -> bool {
    let same_origin = match (&found.origin, &wanted.origin) {
        (Origin::Resource { uid, name, .. }, Origin::Resource { uid: wanted_uid, name: wanted_name, .. }) => {
            uid == wanted_uid && name == wanted_name
        }
        (one, other) => one == other,
    };
    let rest = Credential { origin: wanted.origin.clone(), last_used_at: wanted.last_used_at, ..found.clone() };
    same_origin && rest == *wanted
}

/// What the store is told of where a write comes from. The resource version grows with every change of the resource,
/// also where the generation of its spec does not, so a write that was decided upon an older state never undoes a newer one.
pub(crate) fn origin(token: &ApiToken) -> Result<Origin, Error> {
    let metadata = &token.metadata;
    let version = metadata.resource_version.as_deref().and_then(|version| version.parse().ok());
    Ok(Origin::Resource {
        uid: metadata.uid.clone().ok_or(Error::Malformed("a uid"))?,
        name: metadata.name.clone().ok_or(Error::Malformed("a name"))?,
        resource_version: version.ok_or(Error::Malformed("a resource version"))?,
    })
}
