//! Keeps the store a true copy: puts back what it lost, corrects what differs, removes what no ApiToken or Webhook accounts for.
//!
//! A cheap look every few seconds asks whether a mark is still there that was set when all was last compared. When it is
//! not, when the store could not be asked for a while, or when the period is over, every ApiToken is reconciled and
//! every credential is looked at.

use crate::{Error, context::ControllerContext};
use gleaner_crds::{ApiToken, Webhook};
use gleaner_model::{Scope, TenantId, TokenHash, WebhookId, WebhookOrigin};
use gleaner_store::{Credential, Origin};
use kube::{Api, api::ListParams, runtime::reflector::Store as Cache};
use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
    time::Duration,
};
use tokio::{
    sync::watch,
    time::{Instant, interval},
};

/// Shortest time between two looks at everything for no better reason than that the store was away for a moment: a store
/// that is merely slow must not be asked for everything again and again.
const DOUBT_PAUSE: Duration = Duration::from_secs(30);
/// Credentials asked for at once.
const PAGE: usize = 500;

/// When the store is looked at, and as a whole.
pub(crate) struct ResyncIntervals {
    pub(crate) check: Duration,
    pub(crate) whole: Duration,
}

/// What looking after the store takes.
pub(crate) struct Resync {
    pub(crate) context: Arc<ControllerContext>,
    pub(crate) caches: Vec<Cache<ApiToken>>,
    pub(crate) webhooks: Vec<Api<Webhook>>,
    /// Those that are watched; empty: all.
    pub(crate) namespaces: HashSet<String>,
    /// Told a new number each time that every ApiToken is to be reconciled.
    pub(crate) resync_all: watch::Sender<u64>,
    pub(crate) intervals: ResyncIntervals,
}

/// Looks after the store for as long as it is polled.
pub(crate) async fn run_resync(resync: Resync) {
    let Resync { context, caches, webhooks, namespaces, resync_all, intervals } = resync;
    for cache in &caches {
        if cache.wait_until_ready().await.is_err() {
            return;
        }
    }
    let mut guard =
        StoreResync { context, caches, webhooks, namespaces, mark: None, store_was_away: false, last: Instant::now() };
    let mut ticks = interval(intervals.check);
    loop {
        ticks.tick().await;
        guard.context.metrics.api_tokens.set(guard.known());
        if let Err(error) = guard.check_store(intervals.whole, &resync_all).await {
            if !guard.store_was_away {
                tracing::warn!(%error, "The store cannot be looked after; everything is compared when it is back");
            }
            guard.store_was_away = true;
        }
    }
}

struct StoreResync {
    context: Arc<ControllerContext>,
    caches: Vec<Cache<ApiToken>>,
    webhooks: Vec<Api<Webhook>>,
    /// Those that are watched; empty: all.
    namespaces: HashSet<String>,
    /// What was written into the store when all was last compared; `None`: it was not yet.
    mark: Option<String>,
    /// Whether the store was away since everything was compared.
    store_was_away: bool,
    last: Instant,
}

impl StoreResync {
    async fn check_store(&mut self, period: Duration, resync_all: &watch::Sender<u64>) -> Result<(), Error> {
        let found = self.context.store.credentials_mark().await?;
        let lost = found != self.mark;
        let age = self.last.elapsed();
        let due = age >= period || (self.store_was_away && age >= DOUBT_PAUSE);
        if self.mark.is_some() && !lost && !due {
            return Ok(());
        }
        if self.mark.is_some() && lost {
            tracing::warn!("The store has lost what it held; putting everything back");
        }
        self.store_was_away = false;
        self.last = Instant::now();
        self.context.metrics.resyncs.inc();
        // Before anything is put back, so that what is lost meanwhile is noticed at the next look.
        self.context.leadership.check()?;
        let mark = uuid::Uuid::new_v4().to_string();
        self.context.store.mark_credentials(&mark).await?;
        self.mark = Some(mark);
        resync_all.send_modify(|times| *times += 1);
        self.sweep().await?;
        if let Err(error) = self.sweep_webhooks().await {
            tracing::warn!(error = %error, "Cannot compare the endpoints with their Webhooks; trying again after the period");
        }
        Ok(())
    }

    fn known(&self) -> i64 {
        self.caches.iter().map(|cache| i64::try_from(cache.len()).unwrap_or(i64::MAX)).sum()
    }

    /// Removes every credential that no ApiToken accounts for.
    async fn sweep(&self) -> Result<(), Error> {
        let expected = self.expected();
        let mut after = None;
        loop {
            let (page, next) = self.context.store.all_credentials(after.as_ref(), PAGE).await?;
            for credential in page.iter().filter(|one| self.is_watched(&one.tenant)) {
                if !is_expected(&expected, credential) {
                    self.remove_orphan(credential).await?;
                }
            }
            match next {
                Some(hash) => after = Some(hash),
                None => return Ok(()),
            }
        }
    }

    fn is_watched(&self, tenant: &TenantId) -> bool {
        self.namespaces.is_empty() || self.namespaces.contains(tenant.as_str())
    }

    /// Removes every endpoint whose Webhook is gone. The store is asked first: what is registered after that is not looked at.
    async fn sweep_webhooks(&self) -> Result<(), Error> {
        let mut endpoints = self.context.store.all_webhooks().await?;
        endpoints.retain(|(tenant, _)| self.is_watched(tenant));
        if endpoints.is_empty() {
            return Ok(());
        }
        let mut uids = HashSet::new();
        for api in &self.webhooks {
            match api.list_metadata(&ListParams::default()).await {
                Ok(found) => uids.extend(found.items.into_iter().filter_map(|one| one.metadata.uid)),
                // Of an installation that never had the definition.
                Err(kube::Error::Api(status)) if status.code == 404 => return Ok(()),
                Err(error) => return Err(error.into()),
            }
        }
        for (tenant, id) in endpoints {
            if !uids.contains(&id.to_string()) {
                self.remove_webhook(&tenant, id).await?;
            }
        }
        Ok(())
    }

    /// Removes an endpoint, unless it was made over HTTP, or cannot be read.
    async fn remove_webhook(&self, tenant: &TenantId, id: WebhookId) -> Result<(), Error> {
        match self.context.store.webhook(tenant, id).await {
            Ok(Some(found)) if matches!(found.webhook.origin, WebhookOrigin::Resource { .. }) => {}
            Ok(_) | Err(gleaner_store::Error::Corrupt(_)) => return Ok(()),
            Err(error) => return Err(error.into()),
        }
        self.context.leadership.check()?;
        self.context.store.remove_webhook(tenant, id).await?;
        self.context.metrics.store_writes.inc();
        tracing::warn!(%tenant, webhook.id = %id, "Removed an endpoint whose Webhook is gone");
        Ok(())
    }

    /// Every hash that an ApiToken knows of, with the uids of those that do.
    fn expected(&self) -> HashMap<TokenHash, Vec<String>> {
        let mut all = HashMap::<TokenHash, Vec<String>>::new();
        for token in self.caches.iter().flat_map(Cache::state) {
            let uid = token.metadata.uid.clone().unwrap_or_default();
            for hash in hashes(&token) {
                all.entry(hash).or_default().push(uid.clone());
            }
        }
        all
    }

    /// The cache may be a moment behind, so the API server has the last word.
    async fn remove_orphan(&self, credential: &Credential) -> Result<(), Error> {
        if self.is_known_by_now(credential).await? {
            return Ok(());
        }
        self.context.leadership.check()?;
        let removed = match &credential.origin {
            Origin::Store => self.context.store.remove_credential(&credential.hash).await?,
            resource @ Origin::Resource { .. } => {
                self.context.store.remove_credential_of(&credential.hash, resource).await?
            }
        };
        if removed {
            self.context.metrics.store_writes.inc();
            self.context.metrics.orphans.inc();
            let (tenant, id) = (&credential.tenant, &credential.token_id);
            tracing::warn!(%tenant, token.id = %id, "Removed a credential that no ApiToken accounts for");
        }
        Ok(())
    }

    async fn is_known_by_now(&self, credential: &Credential) -> Result<bool, Error> {
        let Origin::Resource { name, uid, .. } = &credential.origin else { return Ok(false) };
        let api = Api::<ApiToken>::namespaced(self.context.client.clone(), credential.tenant.as_str());
        let live = api.get_opt(name).await?;
        Ok(live.is_some_and(|token| {
            token.metadata.uid.as_ref() == Some(uid) && hashes(&token).any(|hash| hash == credential.hash)
        }))
    }
}

fn is_expected(expected: &HashMap<TokenHash, Vec<String>>, credential: &Credential) -> bool {
    // A feed is no resource; it goes with the token that made it.
    if credential.scopes.allows(Scope::FeedRead) {
        return true;
    }
    let Some(uids) = expected.get(&credential.hash) else { return false };
    match &credential.origin {
        // The pass over its ApiToken takes it over.
        Origin::Store => true,
        Origin::Resource { uid, .. } => uids.contains(uid),
    }
}

/// The hashes that an ApiToken knows of.
pub(crate) fn hashes(token: &ApiToken) -> impl Iterator<Item = TokenHash> {
    let status = token.status.as_ref();
    let present = status.and_then(|status| status.token_hash);
    let previous = status.and_then(|status| status.previous.as_ref()).map(|old| old.token_hash);
    let imported = token.spec.token_hash.as_ref().and_then(|text| text.parse().ok());
    [present, previous, imported].into_iter().flatten()
}
