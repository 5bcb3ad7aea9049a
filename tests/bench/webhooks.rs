//! What it costs to send an event to a webhook, beside a bare POST of the same body in the same run.
//!
//! `cargo bench -p gleaner-tests --bench webhooks`. A worker, and a program that does nothing but post, are processes of their own
//! (this program, called with a role) with two threads each; both keep sixteen messages under way, over http, to a receiver
//! in this process. Rounds alternate. Printed: messages a second and processor time of the sender for each, and the ratios.

#![allow(clippy::unwrap_used, reason = "a bench that cannot go on panics")]

use axum::{Router, body::Bytes, extract::State, http::StatusCode};
use chrono::Utc;
use futures::{StreamExt as _, stream};
use gleaner_model::{Mention, TenantId};
use gleaner_runtime::{Shutdown, target::TargetConfig};
use gleaner_store::{Store, StoreConfig, WebhookPut};
use gleaner_testkit::{
    bench::{role, runtime, spawn},
    child::cpu_seconds,
    environment::bench_share,
    fixture,
    redis::RedisServer,
};
use std::{
    env,
    net::SocketAddr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    time::{Duration, Instant},
};

const REDIS: &str = "GLEANER_BENCH_REDIS";
const TARGET: &str = "GLEANER_BENCH_TARGET";
const BODY: &str = "GLEANER_BENCH_BODY";
const EVENTS: usize = 5_000;
const ROUNDS: usize = 3;
/// Messages that are under way to one endpoint at once.
const AT_ONCE: usize = 16;

fn main() {
    let runtime = runtime();
    match role().as_deref() {
        Some("worker") => runtime.block_on(work()),
        Some("post") => runtime.block_on(post()),
        _ => runtime.block_on(compare()),
    }
}

fn share() -> usize {
    EVENTS / bench_share()
}

// The senders.

#[derive(clap::Parser)]
struct BenchSettings {
    #[command(flatten)]
    worker: gleaner_worker::WorkerConfig,
    #[command(flatten)]
    targets: TargetConfig,
}

async fn work() {
    let store = Store::connect(&StoreConfig::at(env::var(REDIS).unwrap())).await.unwrap();
    let flags = ["bench", "--worker-threads", "1", "--webhook-allow-cidrs", "127.0.0.0/8", "--webhook-allow-http"];
    let BenchSettings { mut worker, targets } = <BenchSettings as clap::Parser>::parse_from(flags);
    worker.targets = targets;
    gleaner_worker::run(worker, store, gleaner_worker::WorkerMetrics::default(), Shutdown::new()).await.unwrap();
}

async fn post() {
    let (url, body) = (env::var(TARGET).unwrap(), Bytes::from(env::var(BODY).unwrap()));
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let send = |_| {
        let request = http.post(&url).header("content-type", "application/json").body(body.clone());
        async move { request.send().await.unwrap().bytes().await.unwrap() }
    };
    stream::iter(0..share()).map(send).buffer_unordered(AT_ONCE).for_each(|_| async {}).await;
    // What it cost is read from outside.
    tokio::time::sleep(Duration::from_secs(600)).await;
}

// The receiver.

#[derive(Clone, Default)]
struct BenchReceipts {
    count: Arc<AtomicUsize>,
    last: Arc<Mutex<Bytes>>,
}

async fn receiver() -> (SocketAddr, BenchReceipts) {
    let received = BenchReceipts::default();
    let take = async |State(received): State<BenchReceipts>, body: Bytes| {
        *received.last.lock().unwrap() = body;
        received.count.fetch_add(1, SeqCst);
        StatusCode::NO_CONTENT
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let app = Router::new().fallback(take).with_state(received.clone());
    tokio::spawn(async move { axum::serve(listener, app).await });
    (address, received)
}

// The comparison.

/// Messages a second, and microseconds of the sender's processor for each.
async fn sent(role: &str, settings: &[(&str, &str)], received: &BenchReceipts) -> (f64, f64) {
    received.count.store(0, SeqCst);
    let sender = spawn(role, settings);
    let count = share();
    // The first ones are not counted: the sender is starting.
    let until = async |wanted: usize| {
        while received.count.load(SeqCst) < wanted {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    until(count / 10).await;
    let (first, cpu, begun) = (received.count.load(SeqCst), cpu_seconds(sender.id()), Instant::now());
    until(count).await;
    let sent = (count - first) as f64;
    (sent / begun.elapsed().as_secs_f64(), (cpu_seconds(sender.id()) - cpu) * 1e6 / sent)
}

async fn compare() {
    let (address, received) = receiver().await;
    let url = format!("http://{address}/hook");
    let mut rounds = Vec::new();
    for _ in 0..ROUNDS {
        let redis = RedisServer::in_memory();
        fill(&Store::connect(&StoreConfig::at(redis.url())).await.unwrap(), &url).await;
        let events = sent("worker", &[(REDIS, &redis.url())], &received).await;
        let body = String::from_utf8(received.last.lock().unwrap().to_vec()).unwrap();
        let posts = sent("post", &[(TARGET, &url), (BODY, &body)], &received).await;
        println!(
            "{} bytes each: events {:.0}/s at {:.0} us of a processor, bare posts {:.0}/s at {:.0} us",
            body.len(),
            events.0,
            events.1,
            posts.0,
            posts.1
        );
        rounds.push((posts.0 / events.0, events.1 / posts.1));
    }
    let median = |of: fn(&(f64, f64)) -> f64| {
        let mut all: Vec<f64> = rounds.iter().map(of).collect();
        all.sort_by(f64::total_cmp);
        all[all.len() / 2]
    };
    println!(
        "an event takes x{:.2} the time and x{:.2} the processor of a bare post",
        median(|r| r.0),
        median(|r| r.1)
    );
}

/// An endpoint, and as many events that it has not been told.
async fn fill(store: &Store, url: &str) {
    let tenant = TenantId::default();
    let webhook = fixture::webhook(url);
    store.put_webhook(&tenant, &webhook, WebhookPut { rev: 0, most: 1, reset: false }).await.unwrap();
    let add = |n| store.add_missed(&tenant, mention(n));
    stream::iter(0..share())
        .map(add)
        .buffer_unordered(AT_ONCE)
        .for_each(|made| async move { drop(made.unwrap()) })
        .await;
}

fn mention(number: usize) -> Mention {
    let mention = fixture::mention(&format!("m-{number}"), &format!("Send the offer of number {number} to Northwind"));
    Mention { owner: None, occurred_at: Utc::now(), ..mention }
}
