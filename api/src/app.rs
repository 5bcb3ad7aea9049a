//! What all requests of a process share.

use crate::{
    auth::Authenticator, body::BodyLimits, config::ApiConfig, keyed_notify::KeyedNotify, metrics::ApiMetrics,
    pdf::PdfReader, problem::Problem, rate::Rates, store_problem::within, tokens::issuer::Issuer,
};
use axum::http::HeaderValue;
use bytes::Bytes;
use gleaner_model::{JobId, TenantId};
use gleaner_runtime::{Shutdown, lock, shares::Shares};
use gleaner_store::{Notice, Store};
use std::{
    collections::HashSet,
    future::Future,
    sync::{Arc, Mutex},
    time::Duration,
};
use tokio::sync::{Semaphore, broadcast::error::RecvError};

/// How long a store that answers slowly may take for what a handler asks of it. Of one that refuses, or answers nobody, the
/// store's own settings say when it counts as away: an answer is out within 3 s then.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);

/// How long to wait for further ratings before tasks are ranked by them: who goes through a list rates one after another,
/// and a ranking changes as many as 200 tasks.
const RANK_AFTER: Duration = Duration::from_millis(500);

/// Most tenants whose tasks are ranked anew at once.
const RANKINGS: usize = 8;

/// The description of the service, which never changes while the process runs.
pub struct ServiceDocs {
    /// To read, without the frame of the page.
    pub reference: String,
    /// The OpenAPI 3.1 document as JSON, which `GET /openapi.json` answers.
    pub openapi: Bytes,
}

/// What the state of a process is made of.
pub struct AppParts {
    /// The settings of the HTTP side, as the process was started with them.
    pub config: ApiConfig,
    /// Where everything is kept.
    pub store: Store,
    /// Registers tokens made over HTTP: in the store, as ApiToken resources, or not at all.
    pub issuer: Issuer,
    /// Pages that are the same for everybody.
    pub service_docs: ServiceDocs,
    /// The counters that the admin port shows.
    pub metrics: ApiMetrics,
    /// Says when the process is to end.
    pub shutdown: Shutdown,
}

/// Shared by all requests.
pub struct App {
    /// The settings of the HTTP side, as the process was started with them.
    pub config: ApiConfig,
    /// Where everything is kept.
    pub store: Store,
    /// Finds out who calls.
    pub authenticator: Authenticator,
    /// Takes request bodies in.
    pub body_limits: Arc<BodyLimits>,
    /// Takes the text out of PDFs, in a process of their own.
    pub pdf: PdfReader,
    /// Registers tokens made over HTTP: in the store, as ApiToken resources, or not at all.
    pub issuer: Issuer,
    /// What one token may submit and say.
    pub rates: Rates,
    /// Wakes who waits for the end of a job.
    pub jobs: KeyedNotify<JobId>,
    /// Wakes who waits for new events of a tenant.
    pub events: KeyedNotify<TenantId>,
    /// A share for each event stream that is open.
    pub listeners: Arc<Shares>,
    /// A share for each answer that is held until a job ends.
    pub waits: Arc<Shares>,
    /// One permit for each tenant whose tasks may be ranked anew at once.
    ranking: Semaphore,
    /// Tenants whose tasks are to be ranked in a moment.
    to_rank: Mutex<HashSet<TenantId>>,
    /// The counters that the admin port shows.
    pub metrics: ApiMetrics,
    /// Says when the process is to end.
    pub shutdown: Shutdown,
    /// Pages that are the same for everybody.
    pub service_docs: ServiceDocs,
}

impl App {
    /// The state of a process that has just started.
    pub fn new(parts: AppParts) -> Arc<Self> {
        let AppParts { config, store, issuer, service_docs, metrics, shutdown } = parts;
        Arc::new(Self {
            authenticator: Authenticator::new(store.clone()),
            body_limits: Arc::new(BodyLimits::new(&config)),
            pdf: PdfReader::new(config.pdf_reader.clone()),
            issuer,
            rates: Rates::new(&config),
            jobs: KeyedNotify::default(),
            events: KeyedNotify::default(),
            listeners: Shares::new(config.listeners()),
            waits: Shares::new(config.waits()),
            service_docs,
            config,
            store,
            metrics,
            ranking: Semaphore::new(RANKINGS),
            to_rank: Mutex::default(),
            shutdown,
        })
    }

    /// Ranks the tenant's tasks by what was just said of one, once for all that is said within a moment. Where many want
    /// that at once some are left for the next time.
    pub fn rank_soon(self: &Arc<Self>, tenant: &TenantId) {
        if !lock(&self.to_rank).insert(tenant.clone()) {
            return;
        }
        let (app, tenant) = (Arc::clone(self), tenant.clone());
        self.shutdown.spawn(async move {
            tokio::select! {
                () = tokio::time::sleep(RANK_AFTER) => {}
                () = app.shutdown.stopping() => {}
            }
            // What is said from now on is for the next time.
            lock(&app.to_rank).remove(&tenant);
            let Ok(_turn) = app.ranking.try_acquire() else { return };
            if let Err(error) = app.store.rank_anew(&tenant).await {
                tracing::warn!(error = %error, tenant = %tenant, "Cannot rank tasks by what was learnt");
            }
        });
    }

    /// Asks the store, within the time that an answer may take.
    ///
    /// # Errors
    /// The store's error as a problem.
    pub async fn ask<T>(&self, question: impl Future<Output = Result<T, gleaner_store::Error>>) -> Result<T, Problem> {
        let answer = within(ANSWER_TIMEOUT, question).await;
        if answer.as_ref().is_err_and(|problem| problem.cause.is_some()) {
            self.metrics.store_errors.inc();
        }
        answer
    }

    /// The address of a resource, as `Location` gives it.
    pub fn location(&self, path: &str) -> Result<HeaderValue, Problem> {
        HeaderValue::from_str(&format!("{}{path}", self.config.path_prefix)).map_err(Problem::internal)
    }
}

/// Follows the store's notices until the process ends: credentials that changed are forgotten, those who wait are woken.
pub async fn follow_notices(app: Arc<App>) {
    let mut notices = app.store.notices();
    loop {
        let notice = tokio::select! {
            notice = notices.recv() => notice,
            () = app.shutdown.stopping() => break,
        };
        match notice {
            Ok(Notice::Credential(hash)) => app.authenticator.forget(&hash),
            Ok(Notice::Job(tenant, job)) => {
                app.jobs.notify(&job);
                app.events.notify(&tenant);
            }
            Ok(Notice::Events(tenant)) => app.events.notify(&tenant),
            Ok(Notice::Missed) | Err(RecvError::Lagged(_)) => {
                app.authenticator.forget_all();
                app.jobs.notify_all();
                app.events.notify_all();
            }
            Err(RecvError::Closed) => break,
        }
    }
    // Whoever still waits is to answer now.
    app.jobs.notify_all();
    app.events.notify_all();
}
