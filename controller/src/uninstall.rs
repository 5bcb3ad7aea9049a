//! The last act of an installation: every credential is revoked, every Secret goes, every ApiToken and Webhook is released, so that
//! nothing waits for a controller that will not come. They stay, and a new installation issues them anew.

use crate::{ControllerConfig, Error, api_token, context::ControllerContext, lease::Elector, webhook};
use futures::{TryStreamExt as _, stream};
use gleaner_crds::{ApiToken, Webhook};
use kube::{Api, api::ListParams};
use serde::de::DeserializeOwned;
use std::{future::Future, time::Duration};

/// For how long no controller takes over after the end: Helm removes them within this time.
pub(crate) const QUIET: Duration = Duration::from_secs(60);
/// Resources asked for at once.
const PAGE: u32 = 500;
/// How often an ApiToken that changes meanwhile is tried.
const MAX_ATTEMPTS: u32 = 5;

/// Takes the leadership away from whoever has it, and releases everything.
pub(crate) async fn uninstall(
    context: &ControllerContext,
    elector: &mut Elector,
    config: &ControllerConfig,
) -> Result<(), Error> {
    let former = elector.seize().await?;
    let work = async {
        // Until then the former leader may still believe that it leads.
        tokio::time::sleep(former).await;
        let at_once = usize::from(config.reconcile_concurrency);
        for api in context.apis::<ApiToken>(config) {
            release_all(&api, at_once, |token| release(context, token)).await?;
        }
        for api in context.apis::<Webhook>(config) {
            release_all(&api, at_once, |hook: Webhook| async move { webhook::release(context, &hook).await }).await?;
        }
        Ok(())
    };
    tokio::select! {
        done = work => done,
        () = elector.hold() => Err(Error::NotLeader),
    }
}

/// Releases all that the API server lists, a page at a time.
async fn release_all<K, F>(api: &Api<K>, at_once: usize, release: impl Fn(K) -> F) -> Result<(), Error>
where
    K: Clone + DeserializeOwned + std::fmt::Debug,
    F: Future<Output = Result<(), Error>>,
{
    let mut page = ListParams::default().limit(PAGE);
    loop {
        let found = match api.list(&page).await {
            // Of an installation that never had the definition.
            Err(kube::Error::Api(status)) if status.code == 404 => return Ok(()),
            found => found?,
        };
        let count = found.items.len();
        stream::iter(found.items.into_iter().map(Ok)).try_for_each_concurrent(at_once, &release).await?;
        tracing::info!(resources = count, "Released a page of resources");
        match found.metadata.continue_.filter(|next| !next.is_empty()) {
            Some(next) => page = page.continue_token(&next),
            None => return Ok(()),
        }
    }
}

/// Releases one ApiToken, again when it has changed meanwhile.
async fn release(context: &ControllerContext, token: ApiToken) -> Result<(), Error> {
    let (namespace, name) = crate::context::namespaced_name(&token)?;
    let api = Api::<ApiToken>::namespaced(context.client.clone(), namespace);
    let mut latest = Some(token.clone());
    for _ in 0..MAX_ATTEMPTS {
        let Some(token) = latest else { return Ok(()) };
        match api_token::release(context, &token).await {
            Err(Error::Outdated) => latest = api.get_opt(name).await?,
            other => return other,
        }
    }
    Err(Error::Outdated)
}
