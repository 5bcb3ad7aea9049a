//! Whether a long backlog drains as fast as a short one, what a waiting item weighs, and how long one item of another tenant
//! takes meanwhile.
//!
//! `cargo bench -p gleaner-store --bench drain -- 1000000` (items waiting, over 1,000 tenants). Items say nothing, so what is
//! measured is the queue: accepting, handing out, ending.

#![allow(clippy::unwrap_used, reason = "a bench that cannot go on panics")]

use futures::future::join_all;
use gleaner_model::{Item, JobId, TenantId};
use gleaner_store::{AcceptOutcome, Completion, Delivery, Plan, Room, Store, StoreConfig, Takeover};
use gleaner_testkit::{
    fixture::admission,
    job_cost::{Speech, item},
    redis::RedisServer,
};
use std::{
    sync::{
        LazyLock,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

const TENANTS: usize = 1_000;
/// Jobs that are drained while it is measured.
const DRAINED: usize = 4_000;
/// Calls under way at a time while submitting, and jobs of a worker.
const AT_ONCE: usize = 64;
/// Between two single items.
const PAUSE: Duration = Duration::from_millis(20);

/// An item of 400 bytes.
static ITEM: LazyLock<Item> = LazyLock::new(|| Item { transcript: "-".repeat(400), ..item(&Speech::new(0).said()) });

async fn submit(store: &Store, tenant: &str, name: String) -> JobId {
    let mut item = ITEM.clone();
    item.key.external_id = name.parse().unwrap();
    let tenant = TenantId::new(tenant).unwrap();
    match store.accept(&admission(&tenant, item)).await.unwrap().outcome {
        AcceptOutcome::Queued { job } => job.job_id,
        other => panic!("{other:?}"),
    }
}

async fn fill(store: &Store, count: usize) {
    let next = AtomicUsize::new(0);
    let submitter = async || {
        loop {
            let number = next.fetch_add(1, Relaxed);
            if number >= count {
                return;
            }
            submit(store, &format!("t-{}", number % TENANTS), format!("m-{number}")).await;
        }
    };
    join_all((0..AT_ONCE).map(|_| submitter())).await;
}

/// Ends a job that found nothing.
async fn end(store: &Store, delivery: &Delivery) {
    let claim = store.begin(delivery).await.unwrap().unwrap();
    let item = delivery.payload().unwrap().item.key;
    let look = store.candidates(&delivery.tenant, &item, &[]).await.unwrap().look;
    let (changes, task_ids, suppressed) = (Vec::new(), Vec::new(), Vec::new());
    let extractor = "bench/1".to_owned();
    let plan = Plan { look, changes, task_ids, over_cap: 0, suppressed, extractor, usage: None };
    assert_eq!(store.complete(&claim, &plan).await.unwrap(), Completion::Applied);
}

/// Works until so many jobs have ended.
async fn work(store: &Store, count: usize) {
    let takeover = Takeover { idle: Duration::from_secs(3600), attempts: 5 };
    let mut consumer = store.consumer("w", takeover).await.unwrap();
    let mut ended = 0;
    while ended < count {
        let deliveries = consumer.read(Room { entries: AT_ONCE, bytes: 8 << 20 }).await.unwrap();
        if deliveries.is_empty() {
            consumer.wait(Duration::from_millis(20)).await.unwrap();
        }
        join_all(deliveries.iter().map(|delivery| end(store, delivery))).await;
        ended += deliveries.len();
    }
}

/// How long single items of another tenant take from acceptance to their end, in ms, until it is dropped.
async fn singles(store: &Store, times: &mut Vec<i64>) {
    let tenant = TenantId::new("small").unwrap();
    for number in 0.. {
        let id = submit(store, "small", format!("s-{number}")).await;
        loop {
            let job = store.job(&tenant, id).await.unwrap().unwrap();
            if let Some(end) = job.finished_at {
                times.push((end - job.accepted_at).num_milliseconds());
                break;
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        tokio::time::sleep(PAUSE).await;
    }
}

async fn run(waiting: usize) -> f64 {
    let server = RedisServer::start(&[]);
    let mut config = StoreConfig::at(server.url());
    (config.timeout_ms, config.response_timeout_ms) = (60_000, 60_000);
    let store = Store::connect(&config).await.unwrap();
    let memory = || {
        let info = server.cli(&["INFO", "memory"]);
        info.lines().find_map(|line| line.strip_prefix("used_memory:")?.trim().parse::<usize>().ok()).unwrap()
    };
    let empty = memory();
    let begun = Instant::now();
    fill(&store, waiting).await;
    let accepted = waiting as f64 / begun.elapsed().as_secs_f64();
    let weight = (memory() - empty) / waiting;
    let busy = || {
        let cpu = server.cli(&["INFO", "cpu"]);
        let fields = cpu.lines().filter(|line| line.contains("main_thread"));
        fields.filter_map(|line| line.split_once(':')?.1.trim().parse::<f64>().ok()).sum::<f64>()
    };
    let (mut times, begun, before) = (Vec::new(), Instant::now(), busy());
    tokio::select! {
        () = work(&store, DRAINED.min(waiting)) => {}
        () = singles(&store, &mut times) => {}
    }
    let rate = DRAINED.min(waiting) as f64 / begun.elapsed().as_secs_f64();
    let busy = (busy() - before) * 1e6 / DRAINED.min(waiting) as f64;
    times.sort_unstable();
    let at = |share: usize| times.get(times.len() * share / 100).copied().unwrap_or_default();
    println!(
        "{waiting:>8} waiting: accepted {accepted:.0}/s, {weight} bytes each; drained {rate:.0}/s, {busy:.0} µs of the server each; one item of another \
         tenant: p50 {} ms, p99 {} ms of {}",
        at(50),
        at(99),
        times.len()
    );
    rate
}

fn main() {
    let most = std::env::args().filter_map(|arg| arg.parse().ok()).next_back().unwrap_or(100_000);
    tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap().block_on(async {
        let few = run(DRAINED).await;
        let many = run(most).await;
        println!("rate of the long backlog: x{:.2}", many / few);
    });
}
