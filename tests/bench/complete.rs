//! How fast items are completed, with real extraction, and how long one item of a small tenant takes.
//!
//! `cargo bench -p gleaner-tests --bench complete`. Workers are processes of their own (this program, called with a
//! role) with one thread each. Printed: items completed a second for texts that have nothing in common and for texts
//! of one shape; then the time from acceptance to the end for one item while nothing else is to be done, and behind
//! 10,000 items of another tenant in the same partition, on one redis-server with its append-only file on.

#![allow(clippy::unwrap_used, reason = "a bench that cannot go on panics")]

use gleaner_model::Job;
use gleaner_runtime::Shutdown;
use gleaner_store::{Store, StoreConfig};
use gleaner_testkit::{
    api::parse_settings,
    bench::{role, runtime, spawn, unlike},
    child::ChildGuard,
    environment::bench_share,
    fixture::item,
    queue::{all_succeeded, ended, submit},
    redis::RedisServer,
};
use std::{
    env,
    time::{Duration, Instant},
};

const URL: &str = "GLEANER_BENCH_REDIS";
const WORKERS: usize = 4;
const ITEMS: usize = 1_000;
const AHEAD: usize = 10_000;
/// Single items, one after another, while the other tenant's are worked off.
const SINGLES: usize = 9;
/// Between two single items.
const PAUSE: Duration = Duration::from_millis(300);

fn main() {
    let runtime = runtime();
    match role().as_deref() {
        Some("worker") => runtime.block_on(work()),
        _ => runtime.block_on(measure()),
    }
}

fn config(url: String) -> StoreConfig {
    // One partition: the tenants share everything that there is to share.
    StoreConfig { partitions: 1, ..StoreConfig::at(url) }
}

async fn work() {
    let store = Store::connect(&config(env::var(URL).unwrap())).await.unwrap();
    let settings = parse_settings(&["--worker-threads", "1"]);
    gleaner_worker::run(settings, store, gleaner_worker::WorkerMetrics::default(), Shutdown::new()).await.unwrap();
}

/// A store and the workers on it.
struct WorkerBench {
    redis: RedisServer,
    store: Store,
    workers: Vec<ChildGuard>,
}

impl WorkerBench {
    async fn start() -> Self {
        let redis = RedisServer::start(&[]);
        let store = Store::connect(&config(redis.url())).await.unwrap();
        Self { redis, store, workers: Vec::new() }
    }

    fn hire(&mut self, count: usize) {
        self.workers.extend((0..count).map(|_| spawn("worker", &[(URL, &self.redis.url())])));
    }
}

async fn measure() {
    let share = bench_share();
    let unlike = completed("texts with nothing in common", ITEMS / share, unlike).await;
    let alike = completed("texts of one shape", ITEMS / share, alike).await;
    println!("rate of texts of one shape x{:.2}", alike / unlike);
    fairness(AHEAD / share).await;
}

/// Items completed a second by all workers together.
async fn completed(name: &str, count: usize, text: impl Fn(usize) -> String) -> f64 {
    let mut here = WorkerBench::start().await;
    let mut ids = Vec::new();
    let mut bytes = 0;
    for n in 0..count {
        let text = text(n);
        bytes += text.len();
        ids.push(submit(&here.store, "default", item(&format!("m-{n}"), &text)).await);
    }
    here.hire(WORKERS);
    // The first ones are not counted: workers are starting.
    let (start, rest) = ids.split_at(count / 10);
    all_succeeded(&here.store, "default", start).await;
    let begun = Instant::now();
    let jobs = all_succeeded(&here.store, "default", rest).await;
    let rate = rest.len() as f64 / begun.elapsed().as_secs_f64();
    let tasks: u32 = jobs.iter().filter_map(|job| job.tasks_extracted).sum();
    println!(
        "{name}: {} bytes and {:.1} tasks each: {rate:.0} completed/s with {WORKERS} workers",
        bytes / count,
        f64::from(tasks) / rest.len() as f64
    );
    rate
}

/// How long single items take alone, and behind another tenant's.
async fn fairness(ahead: usize) {
    let mut here = WorkerBench::start().await;
    here.hire(WORKERS);
    let idle = singles(&here.store, "idle").await;
    here.workers.clear();
    for n in 0..ahead {
        submit(&here.store, "busy", item(&format!("m-{n}"), &unlike(n))).await;
    }
    here.hire(WORKERS);
    while here.store.depth().await.unwrap()[0].waiting as usize > ahead * 99 / 100 {
        tokio::time::sleep(PAUSE).await;
    }
    let waiting = here.store.depth().await.unwrap()[0].waiting;
    let behind = singles(&here.store, "behind").await;
    let left = here.store.depth().await.unwrap()[0].waiting;
    println!(
        "one item from acceptance to its end, median and longest of {SINGLES}: idle {} ms and {} ms; behind {waiting} \
         (then {left}) items of another tenant {} ms and {} ms",
        idle.0, idle.1, behind.0, behind.1
    );
}

/// Median and longest time from acceptance to the end, in milliseconds.
async fn singles(store: &Store, name: &str) -> (i64, i64) {
    let mut times = Vec::new();
    for n in 0..SINGLES {
        let id = submit(store, "small", item(&format!("{name}-{n}"), &unlike(1_000_000 + n))).await;
        times.push(took(&ended(store, "small", id).await));
        tokio::time::sleep(PAUSE).await;
    }
    times.sort_unstable();
    (times[times.len() / 2], times[times.len() - 1])
}

fn took(job: &Job) -> i64 {
    (job.finished_at.unwrap() - job.accepted_at).num_milliseconds()
}

/// The same meeting with another object each time.
fn alike(n: usize) -> String {
    let filler = "Sam: The weather was fine on the coast, and it held all through the week.\n".repeat(55);
    format!("Dana: I'll send the status report of store {n} to Northwind by Friday.\n{filler}Dana: Bye.\n")
}
