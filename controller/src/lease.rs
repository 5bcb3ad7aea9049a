//! Leader election by a Lease, so that one controller writes at a time.
//!
//! Time is only ever compared with this machine's own monotonic clock: a candidate takes over when it has seen no
//! renewal for a whole lease, and a leader stops trusting itself two thirds into a lease that it could not renew. A
//! process that was frozen therefore knows, when it wakes, that its time is over. Should it have been frozen within a
//! write all the same, the write is refused: by its resource version in Kubernetes, by its revision in the store.

use crate::Error;
use gleaner_runtime::lock;
use k8s_openapi::{
    api::coordination::v1::{Lease, LeaseSpec},
    apimachinery::pkg::apis::meta::v1::MicroTime,
    jiff::Timestamp,
};
use kube::{
    Api, Client,
    api::{ObjectMeta, PostParams},
};
use std::{
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};
use tokio::time::{sleep, timeout};

/// Until when this process may write.
#[derive(Clone, Debug, Default)]
pub struct Leadership(Arc<Mutex<Option<Instant>>>);

impl Leadership {
    /// Whether this process may write now.
    #[must_use]
    pub fn is_held(&self) -> bool {
        lock(&self.0).is_some_and(|until| Instant::now() < until)
    }

    /// To be asked before each write.
    ///
    /// # Errors
    /// [`Error::NotLeader`] when another process may have taken over.
    pub fn check(&self) -> Result<(), Error> {
        if self.is_held() { Ok(()) } else { Err(Error::NotLeader) }
    }

    fn set(&self, until: Option<Instant>) {
        *lock(&self.0) = until;
    }
}

/// Campaigns for the Lease and renews it.
pub struct Elector {
    api: Api<Lease>,
    name: String,
    identity: String,
    term: Duration,
    leadership: Leadership,
    /// The Lease as it was last seen to change, and when that was.
    seen: Option<(Lease, Instant)>,
}

impl Elector {
    /// A candidate of the name `identity` for the Lease `name`, which is worth `term` from each renewal.
    pub fn new(client: Client, namespace: &str, name: &str, identity: &str, term: Duration) -> Self {
        Self {
            api: Api::namespaced(client, namespace),
            name: name.to_owned(),
            identity: identity.to_owned(),
            term,
            leadership: Leadership::default(),
            seen: None,
        }
    }

    /// What tells the rest of the process whether it may write.
    pub fn leadership(&self) -> Leadership {
        self.leadership.clone()
    }

    /// Resolves when this process has become the leader.
    pub async fn acquire(&mut self) {
        loop {
            match self.attempt().await {
                Ok(true) => return,
                Ok(false) => {}
                Err(error) => tracing::warn!(%error, "Cannot campaign for the lease; trying again"),
            }
            sleep(self.pause()).await;
        }
    }

    /// Takes the Lease from whoever holds it. Returns how long the former leader may still believe that it leads.
    ///
    /// # Errors
    /// When the API server cannot be asked, or somebody else is always faster.
    pub async fn seize(&mut self) -> Result<Duration, Error> {
        for _ in 0..10 {
            let asked = Instant::now();
            let current = self.api.get_opt(&self.name).await?;
            let written = match &current {
                Some(current) => self.replace(&self.ours(Some(current))).await?,
                None => self.create().await?,
            };
            if let Some(lease) = written {
                self.seen = Some((lease, asked));
                self.leadership.set(Some(asked + self.term * 2 / 3));
                return Ok(current.map_or(Duration::ZERO, |lease| term_of(&lease, self.term) * 2 / 3));
            }
        }
        Err(Error::Outdated)
    }

    /// Renews for as long as it can; resolves when the leadership is lost.
    pub async fn hold(&mut self) {
        while self.leadership.is_held() {
            sleep(self.pause()).await;
            match self.attempt().await {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => tracing::warn!(%error, "Cannot renew the lease; trying again"),
            }
        }
        self.leadership.set(None);
    }

    /// Gives the Lease back, so that the next leader need not wait for its end.
    pub async fn release(&mut self) {
        if !self.leadership.is_held() {
            return;
        }
        self.leadership.set(None);
        if let Some((lease, _)) = self.seen.take() {
            let mut free = lease;
            if let Some(spec) = &mut free.spec {
                spec.holder_identity = None;
            }
            if let Err(error) = self.replace(&free).await {
                tracing::warn!(%error, "Cannot give the lease back: the next leader waits for its end");
            }
        }
    }

    fn pause(&self) -> Duration {
        self.term / 5
    }

    /// One attempt to take or renew the Lease; whether it is ours now.
    async fn attempt(&mut self) -> Result<bool, Error> {
        let asked = Instant::now();
        let written = match timeout(self.term / 3, self.write()).await {
            Ok(written) => written?,
            Err(_) => return Err(Error::Slow("the lease")),
        };
        let ours = written.is_some();
        if let Some(lease) = written {
            self.seen = Some((lease, asked));
            self.leadership.set(Some(asked + self.term * 2 / 3));
        }
        Ok(ours)
    }

    /// Writes the Lease if it is ours, free or run out. `None`: somebody else holds it, or was faster.
    async fn write(&mut self) -> Result<Option<Lease>, Error> {
        // A renewal needs no reading: the version that we wrote last is still there, or the leadership is lost.
        let renewing = self.leadership.is_held();
        let current = match (&self.seen, renewing) {
            (Some((lease, _)), true) => Some(lease.clone()),
            _ => self.api.get_opt(&self.name).await?,
        };
        let Some(current) = current else { return self.create().await };
        if !renewing && !self.may_take(&current) {
            return Ok(None);
        }
        self.replace(&self.ours(Some(&current))).await
    }

    async fn create(&self) -> Result<Option<Lease>, Error> {
        absent_on_conflict(self.api.create(&PostParams::default(), &self.ours(None)).await)
    }

    async fn replace(&self, lease: &Lease) -> Result<Option<Lease>, Error> {
        absent_on_conflict(self.api.replace(&self.name, &PostParams::default(), lease).await)
    }

    /// Whether the Lease of another may be taken: it is free, it bears our name, or nobody renewed it for its whole term.
    fn may_take(&mut self, current: &Lease) -> bool {
        let holder = current.spec.as_ref().and_then(|spec| spec.holder_identity.as_deref()).unwrap_or_default();
        if holder.is_empty() || holder == self.identity {
            return true;
        }
        let version = |lease: &Lease| lease.metadata.resource_version.clone();
        match &self.seen {
            Some((seen, since)) if version(seen) == version(current) => since.elapsed() >= term_of(current, self.term),
            _ => {
                tracing::info!(lease.holder = holder, "Standing by: another controller leads");
                self.seen = Some((current.clone(), Instant::now()));
                false
            }
        }
    }

    /// The Lease as it reads when it is ours.
    fn ours(&self, current: Option<&Lease>) -> Lease {
        let now = Some(MicroTime(Timestamp::now()));
        let before = current.and_then(|lease| lease.spec.clone()).unwrap_or_default();
        let renewed = before.holder_identity.as_deref() == Some(&self.identity);
        let metadata = current.map_or_else(
            || ObjectMeta { name: Some(self.name.clone()), ..ObjectMeta::default() },
            |lease| lease.metadata.clone(),
        );
        let spec = LeaseSpec {
            holder_identity: Some(self.identity.clone()),
            lease_duration_seconds: i32::try_from(self.term.as_secs().max(1)).ok(),
            acquire_time: if renewed { before.acquire_time } else { now.clone() },
            renew_time: now,
            lease_transitions: Some(before.lease_transitions.unwrap_or(0) + i32::from(!renewed)),
            ..before
        };
        Lease { metadata, spec: Some(spec) }
    }
}

fn term_of(lease: &Lease, ours: Duration) -> Duration {
    let written = lease.spec.as_ref().and_then(|spec| spec.lease_duration_seconds);
    written.and_then(|seconds| u64::try_from(seconds).ok()).map_or(ours, Duration::from_secs)
}

fn absent_on_conflict(answer: Result<Lease, kube::Error>) -> Result<Option<Lease>, Error> {
    match answer {
        Ok(lease) => Ok(Some(lease)),
        Err(kube::Error::Api(status)) if status.code == 409 || status.code == 404 => Ok(None),
        Err(error) => Err(error.into()),
    }
}
