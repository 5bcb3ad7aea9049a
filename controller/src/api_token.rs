//! Brings one ApiToken to what its spec says: observe, plan, apply, say how it went.

mod apply;
mod cleanup;
mod observe;
mod plan;
mod release;
mod status;

use crate::{
    Error,
    context::{ControllerContext, namespaced_name},
    failpoint,
};
use apply::origin;
use chrono::{DateTime, TimeDelta, Utc};
use gleaner_crds::{ApiToken, ApiTokenStatus, DesiredToken, Expiry, FINALIZER, Rotation};
use gleaner_model::{ScopeSet, Subject, TenantId};
use kube::{Api, ResourceExt as _, runtime::controller::Action};
use plan::{CredentialSpec, Issue, Registration};
use status::TokenReadiness;
use std::{sync::Arc, time::Duration};

pub(crate) use release::release;
pub(crate) use status::condition;

/// Shortest and longest wait before a Secret in the way is looked at again.
const CONFLICT_PAUSE: (Duration, Duration) = (Duration::from_secs(2), Duration::from_secs(300));
/// Longest wait for a deadline, lest a clock that jumps be missed for long.
const MAX_WAIT: Duration = Duration::from_secs(6 * 3600);

/// One pass over one ApiToken. Safe to break off anywhere, and to repeat.
pub(crate) async fn reconcile(token: Arc<ApiToken>, context: Arc<ControllerContext>) -> Result<Action, Error> {
    context.leadership.check()?;
    if context.is_behind(&token) {
        return Ok(Action::await_change());
    }
    context.metrics.reconciles.inc();
    let now = Utc::now();
    let action = if token.metadata.deletion_timestamp.is_some() {
        cleanup::cleanup(&context, &token, now).await
    } else {
        reconcile_live(&context, &token, now).await
    }?;
    context.succeeded(token.metadata.uid.as_deref());
    Ok(action)
}

/// What to do after a pass that failed.
pub(crate) fn on_error(token: Arc<ApiToken>, error: &Error, context: Arc<ControllerContext>) -> Action {
    let times = context.failed(token.metadata.uid.as_deref());
    if !matches!(error, Error::Outdated | Error::NotLeader) {
        context.metrics.failures.inc();
        tracing::warn!(
            %error, apitoken.namespace = token.namespace().unwrap_or_default(), apitoken.name = token.name_any(),
            attempt = times + 1, "A pass failed"
        );
    }
    error.pause(times).map_or_else(Action::await_change, Action::requeue)
}

/// One pass over one ApiToken as it stands in the cluster.
struct Pass<'p> {
    context: &'p ControllerContext,
    token: &'p ApiToken,
    now: DateTime<Utc>,
}

async fn reconcile_live(context: &ControllerContext, token: &ApiToken, now: DateTime<Utc>) -> Result<Action, Error> {
    let wanted = match DesiredToken::read(&token.spec) {
        Ok(wanted) => wanted,
        Err(invalid) => {
            let (pass, verdict) = (Pass { context, token, now }, TokenReadiness::InvalidSpec(invalid.to_string()));
            if token.spec.suspend && recorded(token).token_hash.is_some() {
                return pass.register(&suspended(token), Some(verdict)).await;
            }
            pass.update_status(None, &verdict, recorded(token)).await?;
            return Ok(Action::await_change());
        }
    };
    let token = ensure_finalizer(context, token).await?;
    let pass = Pass { context, token: &token, now };
    if let Some(maker) = gone_maker(context, &token).await? {
        // Kubernetes removes it, since its owner is gone. Until then it is refused.
        let held = DesiredToken { suspend: true, ..wanted };
        return pass.register(&held, Some(TokenReadiness::MakerGone(maker))).await;
    }
    if let Some(excess) = context.limits.excess(&wanted, recorded(&token).issued_at.unwrap_or(now)) {
        // As if suspended: nothing is issued, and what was issued before is refused until the spec fits again.
        let held = DesiredToken { suspend: true, ..wanted };
        return pass.register(&held, Some(TokenReadiness::LimitsExceeded(excess))).await;
    }
    match plan::required_issue(&token, &wanted, now) {
        None => pass.register(&wanted, None).await,
        Some(issue) => match pass.issue(&wanted, &issue).await? {
            Ok(issued) => Pass { token: &issued, ..pass }.register(&wanted, None).await,
            Err(verdict) => pass.register(&wanted, Some(verdict)).await,
        },
    }
}

/// What an ApiToken that is suspended asks for where the rest of its spec cannot be read: whoever suspends a token that
/// leaked does not wait for that. What was issued keeps its end.
fn suspended(token: &ApiToken) -> DesiredToken {
    DesiredToken {
        scopes: ScopeSet::named(&token.spec.scopes),
        subject: Subject::default(),
        expiry: recorded(token).expires_at.map_or(Expiry::Never, Expiry::At),
        rotation: Rotation { every: None, overlap: TimeDelta::zero() },
        suspend: true,
        imported: None,
    }
}

/// Makes sure that the resource cannot go before its token is revoked.
async fn ensure_finalizer(context: &ControllerContext, token: &ApiToken) -> Result<ApiToken, Error> {
    if token.finalizers().iter().any(|one| one == FINALIZER) {
        return Ok(token.clone());
    }
    let held = context.set_finalizers(token, &[FINALIZER]).await?;
    failpoint::reached("after-finalizer");
    Ok(held)
}

/// The name of the ApiToken whose token made this one, where it is gone or going.
async fn gone_maker(context: &ControllerContext, token: &ApiToken) -> Result<Option<String>, Error> {
    let Some(maker) = token.maker() else { return Ok(None) };
    let api = Api::<ApiToken>::namespaced(context.client.clone(), namespaced_name(token)?.0);
    let there = api.get_opt(&maker.name).await?.is_some_and(|found| {
        found.metadata.uid.as_ref() == Some(&maker.uid) && found.metadata.deletion_timestamp.is_none()
    });
    Ok((!there).then(|| maker.name.clone()))
}

impl Pass<'_> {
    /// Issues a token; a store that cannot be asked is said so on the resource.
    async fn issue(&self, wanted: &DesiredToken, issue: &Issue) -> Result<Result<ApiToken, TokenReadiness>, Error> {
        match apply::issue(self.context, self.token, wanted, issue, self.now).await {
            Err(Error::Store(why)) => Err(self.store_unavailable(wanted, recorded(self.token), why).await?),
            other => other,
        }
    }

    /// Registers what is recorded, and says how it went.
    async fn register(&self, wanted: &DesiredToken, trouble: Option<TokenReadiness>) -> Result<Action, Error> {
        let mut status = recorded(self.token);
        let planned = planned(self.token, wanted, &status, self.now)?;
        let registered = match apply::register(self.context, self.token, &planned).await {
            Ok(registered) => registered,
            Err(Error::Store(why)) => return Err(self.store_unavailable(wanted, status, why).await?),
            Err(error) => return Err(error),
        };
        status.last_used_at = status::last_used(status.last_used_at, registered.last_used_at);
        status.previous =
            status.previous.filter(|old| !registered.previous_revoked && !planned.remove.contains(&old.token_hash));
        let verdict = trouble.unwrap_or_else(|| verdict(&planned, &status, wanted, registered.taken));
        let wait = self.wait_for(&verdict, &status, wanted);
        self.update_status(Some(wanted), &verdict, status).await?;
        Ok(wait.map_or_else(Action::await_change, Action::requeue))
    }

    /// Says on the resource that the store cannot be asked; the error with which the pass ends.
    async fn store_unavailable(
        &self,
        wanted: &DesiredToken,
        status: ApiTokenStatus,
        why: gleaner_store::Error,
    ) -> Result<Error, Error> {
        let verdict = TokenReadiness::StoreUnavailable(why.to_string());
        self.update_status(Some(wanted), &verdict, status).await?;
        Ok(Error::Store(why))
    }
}

fn planned(
    token: &ApiToken,
    wanted: &DesiredToken,
    status: &ApiTokenStatus,
    now: DateTime<Utc>,
) -> Result<Registration, Error> {
    let (namespace, _) = namespaced_name(token)?;
    let tenant = TenantId::new(namespace).map_err(|_| Error::Malformed("a namespace that can be a tenant"))?;
    let origin = origin(token)?;
    Ok(CredentialSpec { tenant: &tenant, token, wanted, status, origin }.registration(now))
}

fn verdict(planned: &Registration, status: &ApiTokenStatus, wanted: &DesiredToken, taken: bool) -> TokenReadiness {
    match status.token_hash {
        Some(_) if taken => TokenReadiness::HashTaken,
        Some(hash) if planned.remove.contains(&hash) => TokenReadiness::Expired,
        _ if wanted.suspend => TokenReadiness::Suspended,
        _ => TokenReadiness::Registered,
    }
}

fn recorded(token: &ApiToken) -> ApiTokenStatus {
    token.status.clone().unwrap_or_default()
}

impl Pass<'_> {
    /// How long to wait when nothing changes: until the next deadline, or for a Secret in the way as long as it has stood
    /// there, within bounds. Nobody tells the controller of Secrets that are not its own.
    fn wait_for(&self, verdict: &TokenReadiness, status: &ApiTokenStatus, wanted: &DesiredToken) -> Option<Duration> {
        let now = self.now;
        let deadline = plan::next_deadline(status, wanted, now).and_then(|at| (at - now).to_std().ok());
        let wait = match verdict {
            TokenReadiness::SecretConflict(_) | TokenReadiness::SecretRefused(_) | TokenReadiness::HashTaken => {
                let since = status::ready(self.token.status.as_ref())
                    .map_or(0, |ready| ready.last_transition_time.0.as_second());
                let stood = Duration::from_secs(u64::try_from(now.timestamp() - since).unwrap_or(0));
                let again = stood.clamp(CONFLICT_PAUSE.0, CONFLICT_PAUSE.1);
                Some(deadline.map_or(again, |deadline| deadline.min(again)))
            }
            TokenReadiness::LimitsExceeded(_) if status.issued_at.is_none() => {
                self.context.limits.allowed_from(wanted.expiry).and_then(|from| (from - now).to_std().ok())
            }
            _ => deadline,
        };
        // A hair past the deadline, so that it is over when the pass begins.
        wait.map(|wait| wait.min(MAX_WAIT) + Duration::from_millis(5))
    }

    /// Writes the status if it reads differently, and an event if `Ready` has another reason.
    async fn update_status(
        &self,
        wanted: Option<&DesiredToken>,
        verdict: &TokenReadiness,
        status: ApiTokenStatus,
    ) -> Result<(), Error> {
        let Self { context, token, now } = *self;
        let after = status::after(status, wanted, verdict, token.metadata.generation, now);
        if token.status.as_ref() == Some(&after) {
            return Ok(());
        }
        context.set_status(token, &after).await?;
        failpoint::reached("after-status");
        let before = status::ready(token.status.as_ref()).map(|ready| ready.reason.clone());
        let (_, reason, note) = verdict.ready();
        let expected =
            matches!(before.as_deref(), None | Some("Registering")) && *verdict == TokenReadiness::Registered;
        if before.as_deref() != Some(reason) && !expected {
            context.publish_event(token, verdict.is_trouble(), reason, note).await;
        }
        Ok(())
    }
}
