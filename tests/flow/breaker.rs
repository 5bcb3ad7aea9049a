//! The circuit breaker over two workers: whether a broken model is asked, and by how many.

use super::model::{one_task, worker_at};
use gleaner_model::{Job, JobId, TenantId};
use gleaner_store::{Store, StoreConfig};
use gleaner_testkit::{
    fixture::item,
    gleaner::GleanerProcess,
    http::HttpRequest,
    model::{FakeModel, ModelAnswer},
    queue::{all_succeeded, submit, text},
    redis::{RedisServer, free_port},
};
use std::sync::{Arc, Mutex};
use tokio::sync::Semaphore;

/// Rounds of items after which each worker must have had one: with two that take what comes, a few are enough.
const ROUNDS: usize = 100;
const BY_MODEL: &str = "llm/stand-in";
const BY_ENGINE: &str = "builtin/1 (llm unavailable)";
const BROKEN: &str = "gleaner_llm_fallbacks_total{reason=\"broken\"}";
const ANSWERED: &str = "gleaner_llm_requests_total{outcome=\"answered\"}";

/// How the model is.
enum Mood {
    Fails,
    Holds(Arc<Semaphore>),
    Answers,
}

struct TwoWorkers {
    redis: RedisServer,
    store: Store,
    model: FakeModel,
    mood: Arc<Mutex<Mood>>,
    ports: [u16; 2],
    _workers: [GleanerProcess; 2],
    submitted: usize,
}

impl TwoWorkers {
    async fn start() -> Self {
        let redis = RedisServer::in_memory();
        let store = Store::connect(&StoreConfig::at(redis.url())).await.unwrap();
        let mood = Arc::new(Mutex::new(Mood::Fails));
        let now = mood.clone();
        let model = FakeModel::start(move |_, question| match &*now.lock().unwrap() {
            Mood::Fails => ModelAnswer::Status(500),
            Mood::Holds(permits) => ModelAnswer::Held(permits.clone(), one_task(question)),
            Mood::Answers => ModelAnswer::Says(one_task(question)),
        })
        .await;
        let ports = [free_port(), free_port()];
        // A trial is held for longer than an answer may usually take.
        let workers = ports.map(|port| worker_at(&redis, &model, port, &["--llm-timeout-s", "300"]));
        Self { redis, store, model, mood, ports, _workers: workers, submitted: 0 }
    }

    fn set(&self, mood: Mood) {
        *self.mood.lock().unwrap() = mood;
    }

    /// Puts the end of the model's rest, in milliseconds since 1970, so that no test waits for it. The next rest is the longest.
    fn rest_until(&self, ms: u64) {
        self.redis.cli(&["hset", "gleaner:{llm}:gate", "open_until", &ms.to_string(), "opened", "9"]);
    }

    fn is_open(&self) -> bool {
        !self.redis.cli(&["hget", "gleaner:{llm}:gate", "open_until"]).is_empty()
    }

    async fn submit(&mut self, count: usize) -> Vec<JobId> {
        let mut ids = Vec::new();
        for _ in 0..count {
            self.submitted += 1;
            let name = format!("i{}", self.submitted);
            ids.push(submit(&self.store, "a", item(&name, &text(&name))).await);
        }
        ids
    }

    /// What each worker has counted under a metric.
    async fn counted(&self, metric: &str) -> [u64; 2] {
        let mut counts = [0; 2];
        for (count, port) in counts.iter_mut().zip(self.ports) {
            let metrics = HttpRequest::new(([127, 0, 0, 1], port).into(), "GET", "/metrics").send().await.text();
            let line = metrics.lines().find_map(|line| line.strip_prefix(metric));
            *count = line.map_or(0, |number| number.trim().parse().unwrap());
        }
        counts
    }

    /// Submits items until both workers have counted more of something; their jobs.
    async fn until_both_counted(&mut self, metric: &str) -> Vec<JobId> {
        let before = self.counted(metric).await;
        let mut all = Vec::new();
        for _ in 0..ROUNDS {
            let ids = self.submit(4).await;
            all.extend(&ids);
            self.all_but_one_ended(&ids).await;
            let now = self.counted(metric).await;
            if before.iter().zip(now).all(|(before, now)| now > *before) {
                return all;
            }
        }
        panic!("one of the workers counts no {metric}");
    }

    /// Waits for some jobs, of which the model may hold one.
    async fn all_but_one_ended(&self, ids: &[JobId]) {
        let tenant = TenantId::new("a").unwrap();
        loop {
            let mut left = 0;
            for id in ids {
                left += usize::from(!self.store.job(&tenant, *id).await.unwrap().unwrap().status.is_final());
            }
            if left <= 1 {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    }

    async fn jobs(&self, ids: &[JobId]) -> Vec<Job> {
        all_succeeded(&self.store, "a", ids).await
    }

    async fn read_by(&self, ids: &[JobId], who: &str) -> usize {
        self.jobs(ids).await.iter().filter(|job| job.extractor.as_deref() == Some(who)).count()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_model_is_asked_by_no_worker_then_by_one_trial_of_both_and_by_both_once_it_answers() {
    let mut two = TwoWorkers::start().await;
    for _ in 0..ROUNDS {
        let ids = two.submit(4).await;
        assert_eq!(two.read_by(&ids, BY_ENGINE).await, 4);
        if two.is_open() {
            break;
        }
    }
    assert!(two.model.asked() >= 8, "eight failures in a row: {}", two.model.asked());

    two.rest_until(u64::MAX >> 16);
    let asked = two.model.asked();
    let ids = two.until_both_counted(BROKEN).await;
    assert_eq!(two.read_by(&ids, BY_ENGINE).await, ids.len());
    assert_eq!(two.model.asked(), asked, "while it rests neither asks");

    two.rest_until(1);
    let ids = two.until_both_counted(BROKEN).await;
    assert_eq!(two.read_by(&ids, BY_ENGINE).await, ids.len());
    assert_eq!(two.model.asked(), asked + 1, "one trial, which fails, and the model rests again");

    let permits = Arc::new(Semaphore::new(0));
    two.set(Mood::Holds(permits.clone()));
    two.rest_until(1);
    let ids = two.until_both_counted(BROKEN).await;
    assert_eq!(two.model.asked(), asked + 2, "while a trial is under way nobody else asks");
    two.set(Mood::Answers);
    permits.add_permits(1);
    assert_eq!(two.read_by(&ids, BY_MODEL).await, 1, "the trial's own item");
    assert!(!two.is_open());

    let ids = two.until_both_counted(ANSWERED).await;
    assert_eq!(two.read_by(&ids, BY_MODEL).await, ids.len());
}
