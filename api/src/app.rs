//! What all requests of a process share.

use crate::{
    auth::Guard, bell::Bells, body::Intake, config::Config, metrics::Metrics, openapi, pages::Pages, pdf::PdfReader,
    problem::Problem, rate::Rates, router, tokens::issuer::Issuer,
};
use axum::http::HeaderValue;
use gleaner_model::{JobId, TenantId};
use gleaner_runtime::{Shutdown, shares::Shares};
use gleaner_store::{Notice, Store};
use std::{
    collections::HashSet,
    future::Future,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::sync::{Semaphore, broadcast::error::RecvError};

/// How long a store that answers slowly may take for what a handler asks of it. Of one that refuses, or answers nobody, the
/// store's own settings say when it counts as away: an answer is out within 3 s then.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long to wait for further ratings before tasks are ranked by them: who goes through a list rates one after another,
/// and a ranking changes as many as 200 tasks.
const RANK_AFTER: Duration = Duration::from_millis(500);

/// Most tenants whose tasks are ranked anew at once.
const RANKINGS: usize = 8;

/// Shared by all requests.
pub struct App {
    /// The settings.
    pub config: Config,
    /// Where everything is kept.
    pub store: Store,
    /// Finds out who calls.
    pub guard: Guard,
    /// Takes request bodies in.
    pub intake: Arc<Intake>,
    /// Reads PDFs.
    pub pdf: PdfReader,
    /// Registers new tokens.
    pub issuer: Issuer,
    /// What one token may submit and say.
    pub rates: Rates,
    /// Rings when a job ended.
    pub jobs: Bells<JobId>,
    /// Rings when a tenant has new events.
    pub events: Bells<TenantId>,
    /// A share for each event stream that is open.
    pub listeners: Arc<Shares>,
    /// A share for each answer that is held until a job ends.
    pub waits: Arc<Shares>,
    /// One permit for each tenant whose tasks may be ranked anew at once.
    ranking: Semaphore,
    /// Tenants whose tasks are to be ranked in a moment.
    to_rank: Mutex<HashSet<TenantId>>,
    /// What is counted.
    pub metrics: Metrics,
    /// When the process is to end.
    pub shutdown: Shutdown,
    /// Pages that are the same for everybody.
    pub pages: Pages,
}

impl App {
    /// The state of a process that has just started.
    pub fn new(config: Config, store: Store, issuer: Issuer, metrics: Metrics, shutdown: Shutdown) -> Arc<Self> {
        let document = openapi::document(router::ROUTES, &config.path_prefix);
        Arc::new(Self {
            guard: Guard::new(store.clone()),
            intake: Arc::new(Intake::new(&config)),
            pdf: PdfReader::new(config.pdf_reader.clone()),
            issuer,
            rates: Rates::new(&config),
            jobs: Bells::default(),
            events: Bells::default(),
            listeners: Shares::new(config.listeners()),
            waits: Shares::new(config.waits()),
            pages: Pages::new(&document, &config.path_prefix),
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
        if !self.to_rank.lock().unwrap_or_else(PoisonError::into_inner).insert(tenant.clone()) {
            return;
        }
        let (app, tenant) = (Arc::clone(self), tenant.clone());
        self.shutdown.spawn(async move {
            tokio::select! {
                () = tokio::time::sleep(RANK_AFTER) => {}
                () = app.shutdown.stopping() => {}
            }
            // What is said from now on is for the next time.
            app.to_rank.lock().unwrap_or_else(PoisonError::into_inner).remove(&tenant);
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
        let answer = within(PATIENCE, question).await;
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

/// Asks the store, within `patience`.
///
/// # Errors
/// The store's error as a problem.
pub async fn within<T>(
    patience: Duration,
    question: impl Future<Output = Result<T, gleaner_store::Error>>,
) -> Result<T, Problem> {
    match tokio::time::timeout(patience, question).await {
        Ok(answer) => answer.map_err(Problem::from),
        Err(_) => Err(Problem::store_unavailable("the store did not answer in time")),
    }
}

impl From<gleaner_store::Error> for Problem {
    fn from(error: gleaner_store::Error) -> Self {
        use gleaner_store::Error;
        match error {
            Error::Unavailable(_) | Error::Refused(_) | Error::Unsettled => Self::store_unavailable(error),
            Error::OutOfMemory => {
                let mut problem = Self::overloaded("the store is full; try again later");
                problem.cause = Some(error.to_string());
                problem
            }
            Error::InvalidCursor => Self::invalid("/cursor", "must be the next_cursor of a page with the same filters"),
            Error::Corrupt(_) => Self::internal(error),
        }
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
            Ok(Notice::Credential(hash)) => app.guard.forget(&hash),
            Ok(Notice::Job(tenant, job)) => {
                app.jobs.ring(&job);
                app.events.ring(&tenant);
            }
            Ok(Notice::Events(tenant)) => app.events.ring(&tenant),
            Ok(Notice::Missed) | Err(RecvError::Lagged(_)) => {
                app.guard.forget_all();
                app.jobs.ring_all();
                app.events.ring_all();
            }
            Err(RecvError::Closed) => break,
        }
    }
    // Whoever still waits is to answer now.
    app.jobs.ring_all();
    app.events.ring_all();
}
