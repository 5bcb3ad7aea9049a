//! Lets go of an ApiToken that stays: its credentials and its Secret go, its status forgets them.

use super::{
    apply,
    cleanup::everything,
    observe::{self, SecretState},
    status::{self, TokenReadiness},
};
use crate::{
    Error,
    context::{ControllerContext, namespaced_name},
    failpoint,
};
use chrono::Utc;
use gleaner_crds::{ApiToken, ApiTokenStatus};

/// Revokes, deletes the Secret, and leaves an ApiToken that a later controller issues anew. A store that cannot be asked
/// does not hold it up: it goes with the installation, or was gone before.
pub(crate) async fn release(context: &ControllerContext, token: &ApiToken) -> Result<(), Error> {
    if let Err(error) = apply::register(context, token, &everything(token)).await {
        let Error::Store(error) = error else { return Err(error) };
        tracing::warn!(%error, "Releasing an ApiToken that could not be revoked");
    }
    let (namespace, _) = namespaced_name(token)?;
    if let SecretState::Ours { version, .. } = observe::secret(context, namespace, token).await? {
        context.delete_secret(namespace, &token.secret_name(), version).await?;
        failpoint::reached("after-secret-deleted");
    }
    let bare = ApiTokenStatus::default();
    let bare = status::after(bare, None, &TokenReadiness::Uninstalled, token.metadata.generation, Utc::now());
    let token = context.set_status(token, &bare).await?;
    failpoint::reached("after-status");
    context.set_finalizers(&token, &[]).await.map(drop)
}
