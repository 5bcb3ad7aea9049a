//! Tells tenants' endpoints what happened.
//!
//! Nothing of it waits for anything else: each endpoint has a cursor of its own in the tenant's events, a sender of its
//! own ([`endpoint`]) while there is something to be sent, and a lease so that no two workers send to it at once. A sender
//! that dies is replaced when its lease is over, and its heir sends again what was not written down as sent.

mod endpoint;
pub mod message;
mod outbox;
mod sender;

use crate::{WebhookConfig, WorkerConfig, metrics::WorkerMetrics};
use endpoint::{EndpointSender, NextLease};
use gleaner_model::{TenantId, WebhookId};
use gleaner_runtime::{Shutdown, target::TargetRules};
use gleaner_store::{Error, Notice, Store};
use sender::WebhookSender;
use std::{
    collections::HashMap,
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::{
    sync::{Notify, broadcast::error::RecvError},
    task::JoinSet,
    time::{MissedTickBehavior, interval},
};

/// Endpoints that one worker sends to at once.
const MAX_SENDERS: usize = 256;
/// How often it is asked which endpoints are due.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);
/// For how long a tenant of whom no endpoint could be leased is not asked about again when something happens: what its
/// endpoints then have to send is found by the regular look, at most three seconds later (of one that fails, when its
/// next attempt is due).
const QUIET: Duration = Duration::from_secs(10);
/// Tenants of whom that is remembered.
const MAX_QUIET_TENANTS: usize = 10_000;

/// What the senders of all endpoints share.
pub struct WebhookContext {
    store: Store,
    sender: WebhookSender,
    config: WebhookConfig,
    metrics: WorkerMetrics,
}

impl WebhookContext {
    /// # Errors
    /// When the HTTP client does not start.
    pub fn new(config: &WorkerConfig, store: &Store, metrics: &WorkerMetrics) -> Result<Arc<Self>, reqwest::Error> {
        let sender = WebhookSender::new(TargetRules::new(config.targets.clone()), config.webhooks.timeout())?;
        Ok(Arc::new(Self { store: store.clone(), sender, config: config.webhooks.clone(), metrics: metrics.clone() }))
    }

    fn trouble(&self, error: &Error) {
        self.metrics.store_errors.inc();
        tracing::warn!(error = %error, "Cannot look after a webhook; trying again");
    }
}

/// An endpoint of a tenant.
type EndpointKey = (TenantId, WebhookId);

/// Leases endpoints that have something due, and keeps a sender for each.
struct Dispatcher {
    context: Arc<WebhookContext>,
    shutdown: Shutdown,
    senders: JoinSet<(EndpointKey, Arc<Notify>, NextLease)>,
    wakeups: HashMap<TenantId, HashMap<WebhookId, Arc<Notify>>>,
    quiet: HashMap<TenantId, Instant>,
}

/// Sends to whichever endpoints are due, until the graceful shutdown; then lets what is under way end.
pub async fn dispatch(context: Arc<WebhookContext>, shutdown: Shutdown) {
    let mut notices = context.store.notices();
    let mut ticks = interval(LOOK_INTERVAL);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut dispatcher = Dispatcher {
        context,
        shutdown: shutdown.clone(),
        senders: JoinSet::new(),
        wakeups: HashMap::new(),
        quiet: HashMap::new(),
    };
    loop {
        tokio::select! {
            _ = ticks.tick() => {
                dispatcher.lease(None).await;
            }
            notice = notices.recv() => match notice {
                Ok(Notice::Events(tenant) | Notice::Job(tenant, _)) => dispatcher.wake(tenant).await,
                Ok(Notice::Credential(_)) => {}
                Ok(Notice::Missed) | Err(RecvError::Lagged(_)) => dispatcher.wake_all(),
                // The store is dropped with the process only.
                Err(RecvError::Closed) => break,
            },
            Some(ended) = dispatcher.senders.join_next() => dispatcher.ended(ended).await,
            () = shutdown.stopping() => break,
        }
    }
    while dispatcher.senders.join_next().await.is_some() {}
}

impl Dispatcher {
    /// Takes endpoints on that are due: the tenant's, or anybody's. Whether there were any.
    async fn lease(&mut self, tenant: Option<&TenantId>) -> bool {
        let room = MAX_SENDERS - self.senders.len().min(MAX_SENDERS);
        if room == 0 {
            return false;
        }
        let leased_at = Instant::now();
        match self.context.store.lease_webhooks(tenant, room).await {
            Ok(leases) => {
                let any = !leases.is_empty();
                for lease in leases {
                    let name = (lease.tenant.clone(), lease.stored.webhook.id);
                    let wakeup = Arc::new(Notify::new());
                    self.wakeups.entry(name.0.clone()).or_default().insert(name.1, wakeup.clone());
                    let endpoint_sender = EndpointSender::new(self.context.clone(), lease, leased_at);
                    let shutdown = self.shutdown.clone();
                    self.senders.spawn(async move {
                        let next_lease = endpoint_sender.run(wakeup.clone(), shutdown).await;
                        (name, wakeup, next_lease)
                    });
                }
                any
            }
            Err(error) => {
                self.context.trouble(&error);
                false
            }
        }
    }

    /// Something happened in a tenant: whoever sends for it is told, and endpoints that nobody looks after are taken on.
    async fn wake(&mut self, tenant: TenantId) {
        for wakeup in self.wakeups.get(&tenant).into_iter().flat_map(HashMap::values) {
            wakeup.notify_one();
        }
        let now = Instant::now();
        if self.quiet.get(&tenant).is_some_and(|until| now < *until) {
            return;
        }
        if self.lease(Some(&tenant)).await {
            return;
        }
        if self.quiet.len() >= MAX_QUIET_TENANTS {
            self.quiet.clear();
        }
        self.quiet.insert(tenant, now + QUIET);
    }

    fn wake_all(&mut self) {
        self.quiet.clear();
        for wakeup in self.wakeups.values().flat_map(HashMap::values) {
            wakeup.notify_one();
        }
    }

    /// A sender has come back.
    async fn ended(&mut self, ended: Result<(EndpointKey, Arc<Notify>, NextLease), tokio::task::JoinError>) {
        match ended {
            Ok(((tenant, webhook), wakeup, next_lease)) => {
                // Its heir may be there already, with a wakeup of its own.
                if let Some(wakeups) = self.wakeups.get_mut(&tenant)
                    && wakeups.get(&webhook).is_some_and(|known| Arc::ptr_eq(known, &wakeup))
                {
                    wakeups.remove(&webhook);
                }
                self.wakeups.retain(|_, wakeups| !wakeups.is_empty());
                if next_lease == NextLease::AtOnce {
                    self.lease(Some(&tenant)).await;
                }
            }
            // Its lease ends by itself, and somebody takes the endpoint on.
            Err(error) => tracing::error!(error = %error, "A sender of a webhook broke off"),
        }
    }
}
