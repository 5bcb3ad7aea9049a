//! The end of an ApiToken: its credentials go first, then the finalizer.

use super::{
    apply,
    plan::Registration,
    status::{self, TokenReadiness},
};
use crate::{
    Error,
    context::{ControllerContext, namespaced_name},
    failpoint,
    resync::hashes,
};
use chrono::{DateTime, Utc};
use gleaner_crds::{ApiToken, FINALIZER};
use kube::runtime::controller::Action;

/// Revokes, then lets the resource go. When the store cannot be asked, the resource waits and says why.
pub(crate) async fn cleanup(
    context: &ControllerContext,
    token: &ApiToken,
    now: DateTime<Utc>,
) -> Result<Action, Error> {
    let ours = token.metadata.finalizers.as_ref().is_some_and(|all| all.iter().any(|one| one == FINALIZER));
    if !ours {
        return Ok(Action::await_change());
    }
    if let Err(error) = revoke(context, token).await {
        if let Error::Store(why) = &error {
            report_waiting(context, token, why.to_string(), now).await?;
        }
        return Err(error);
    }
    failpoint::reached("before-release");
    context.publish_event(token, false, "Revoked", "The token was revoked".to_owned()).await;
    match context.set_finalizers(token, &[]).await {
        // Gone already: another pass let it go.
        Ok(_) | Err(Error::Outdated) => Ok(Action::await_change()),
        Err(error) => Err(error),
    }
}

/// Takes the ApiToken's credentials away, and those that its tokens made.
async fn revoke(context: &ControllerContext, token: &ApiToken) -> Result<(), Error> {
    apply::register(context, token, &everything(token)).await?;
    let (Some(uid), Ok(tenant)) = (token.metadata.uid.as_ref(), namespaced_name(token)?.0.parse()) else {
        return Ok(());
    };
    context.leadership.check()?;
    let made = context.store.remove_made_by(&tenant, uid).await?;
    context.metrics.store_writes.inc_by(made.len() as u64);
    Ok(())
}

/// Every credential that the ApiToken may have registered.
pub(crate) fn everything(token: &ApiToken) -> Registration {
    Registration { keep: Vec::new(), remove: hashes(token).collect() }
}

async fn report_waiting(
    context: &ControllerContext,
    token: &ApiToken,
    why: String,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    let verdict = TokenReadiness::RevocationWaits(why);
    let before = token.status.clone().unwrap_or_default();
    let after = status::after(before, None, &verdict, token.metadata.generation, now);
    let (_, reason, note) = verdict.ready();
    if status::ready(token.status.as_ref()).is_none_or(|ready| ready.reason != reason) {
        context.set_status(token, &after).await?;
        context.publish_event(token, true, reason, note).await;
    }
    Ok(())
}
