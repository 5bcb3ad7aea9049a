//! How many jobs a second one server carries, beside a bare queue on the same kind of server: `XADD`, `XREADGROUP`, `XACK`, `XDEL`
//! of the same bytes. Extraction is left out on both sides: a worker of ours records two tasks that are at hand, the bare one
//! drops the text. Ours works on several deliveries side by side, as many as one with two threads does.
//!
//! `cargo bench -p gleaner-store --bench throughput -- 2000` (jobs of each row). With BullMQ too where `GLEANER_BENCH_BULLMQ`
//! names a folder in which `npm install bullmq ioredis` was run. Clients and servers share the machine's cores, so beside each rate stands
//! the processor time of a job: the server's own, and that with the client's (not BullMQ's, which is another process).

#![allow(clippy::unwrap_used, reason = "a bench that cannot go on panics")]

use ::redis::{AsyncCommands as _, aio::MultiplexedConnection, streams::StreamReadReply};
use futures::{StreamExt as _, future::join_all, stream};
use gleaner_model::TenantId;
use gleaner_store::{Completion, Consumer, Room, Store, StoreConfig, Takeover};
use gleaner_testkit::{
    fixture::admission,
    job_cost::{Speech, item, work},
    redis::RedisServer,
};
use std::{
    path::Path,
    process::Command,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
    time::{Duration, Instant},
};

/// Calls under way at a time while submitting.
const SUBMITTERS: usize = 64;
/// Deliveries that a worker with two threads has under way, half of them where there is one tenant.
const SLOTS: usize = 8;
const TAKEOVER: Takeover = Takeover { idle: Duration::from_secs(3600), attempts: 5 };

/// A rate, and µs of the server, and of both sides, for each.
#[derive(Clone, Copy)]
struct ThroughputRun {
    rate: f64,
    busy: f64,
    both: f64,
}

async fn measure(server: &RedisServer, count: usize, what: impl Future<Output = ()>) -> ThroughputRun {
    let (busy, own, begun) = (busy_s(server), own_s(), Instant::now());
    what.await;
    let rate = count as f64 / begun.elapsed().as_secs_f64();
    let each = |seconds: f64| seconds * 1e6 / count as f64;
    let busy = each(busy_s(server) - busy);
    ThroughputRun { rate, busy, both: busy + each(own_s() - own) }
}

/// Processor time of this process.
fn own_s() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<_> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
    // User and system time, in hundredths of a second.
    (fields[11].parse::<f64>().unwrap() + fields[12].parse::<f64>().unwrap()) / 100.0
}

/// Processor time of the server's main thread.
fn busy_s(server: &RedisServer) -> f64 {
    let cpu = server.cli(&["INFO", "cpu"]);
    let fields = cpu.lines().filter(|line| line.contains("main_thread"));
    fields.filter_map(|line| line.split_once(':')?.1.trim().parse::<f64>().ok()).sum()
}

async fn bare_connection(server: &RedisServer) -> MultiplexedConnection {
    let config = ::redis::AsyncConnectionConfig::new().set_response_timeout(None);
    let client = ::redis::Client::open(server.url()).unwrap();
    client.get_multiplexed_async_connection_with_config(&config).await.unwrap()
}

async fn bare_submit(server: &RedisServer, count: usize) {
    let connection = bare_connection(server).await;
    let body = "what was said ".repeat(360);
    let next = AtomicUsize::new(0);
    let submitter = async || {
        while next.fetch_add(1, Relaxed) < count {
            let _: String = connection.clone().xadd("bare", "*", &[("body", &body)]).await.unwrap();
        }
    };
    join_all((0..SUBMITTERS).map(|_| submitter())).await;
}

async fn bare_worker(server: &RedisServer, number: usize, left: &AtomicUsize) {
    let mut connection = bare_connection(server).await;
    while left.load(Relaxed) > 0 {
        let mut read = ::redis::cmd("XREADGROUP");
        read.arg("GROUP")
            .arg("g")
            .arg(number)
            .arg("COUNT")
            .arg(1)
            .arg("BLOCK")
            .arg(100)
            .arg("STREAMS")
            .arg("bare")
            .arg(">");
        let found: Option<StreamReadReply> = read.query_async(&mut connection).await.unwrap();
        for entry in found.into_iter().flat_map(|reply| reply.keys).flat_map(|stream| stream.ids) {
            let _: usize = connection.xack("bare", "g", &[&entry.id]).await.unwrap();
            let _: usize = connection.xdel("bare", &[&entry.id]).await.unwrap();
            left.fetch_sub(1, Relaxed);
        }
    }
}

async fn submit(store: &Store, tenants: usize, first: usize, count: usize) {
    let (next, template) = (AtomicUsize::new(0), item(&Speech::new(0).said()));
    let submitter = async || {
        loop {
            let number = next.fetch_add(1, Relaxed);
            if number >= count {
                return;
            }
            let mut item = template.clone();
            item.key.external_id = format!("t-{}", first + number).parse().unwrap();
            store.accept(&admission(&tenant(number % tenants), item)).await.unwrap();
        }
    };
    join_all((0..SUBMITTERS).map(|_| submitter())).await;
}

fn tenant(number: usize) -> TenantId {
    TenantId::new(format!("tenant-{number}")).unwrap()
}

/// Works on so many deliveries side by side until so many jobs are done.
async fn worker(server: &RedisServer, number: u64, slots: usize, left: &AtomicUsize) {
    let store = open(server).await;
    let mut consumer: Consumer = store.consumer(&format!("w{number}"), TAKEOVER).await.unwrap();
    let mut speech = Speech::new(number);
    while left.load(Relaxed) > 0 {
        let deliveries = consumer.read(Room { entries: 16, bytes: 1 << 20 }).await.unwrap();
        if deliveries.is_empty() {
            consumer.wait(Duration::from_millis(20)).await.unwrap();
        }
        let deliveries = deliveries.into_iter().map(|delivery| {
            let key = delivery.payload().unwrap().item.key;
            let mut said = vec![speech.said(), speech.said()];
            said.iter_mut().for_each(|said| said.item = key.clone());
            (delivery, said)
        });
        let each = stream::iter(deliveries.collect::<Vec<_>>());
        each.for_each_concurrent(slots, async |(delivery, said)| {
            while work(&store, &delivery, said.clone(), true).await == Completion::Conflict {}
            left.fetch_sub(1, Relaxed);
        })
        .await;
    }
}

async fn open(server: &RedisServer) -> Store {
    let mut config = StoreConfig::at(server.url());
    (config.timeout_ms, config.response_timeout_ms) = (60_000, 60_000);
    Store::connect(&config).await.unwrap()
}

fn print(what: &str, measured: ThroughputRun, reference: ThroughputRun) {
    let times = |of: fn(&ThroughputRun) -> f64| of(&measured) / of(&reference);
    let (rate, busy, both) = (times(|m| m.rate), times(|m| m.busy), times(|m| m.both));
    println!(
        "{what:44} {:8.0}/s  x{rate:.3}   {:7.0} µs  x{busy:.2}   {:7.0} µs  x{both:.2}",
        measured.rate, measured.busy, measured.both
    );
}

async fn bare(count: usize, workers: usize) -> ThroughputRun {
    let server = RedisServer::start(&[]);
    server.cli(&["XGROUP", "CREATE", "bare", "g", "0", "MKSTREAM"]);
    bare_submit(&server, count).await;
    let left = AtomicUsize::new(count);
    measure(&server, count, async {
        join_all((0..workers).map(|number| bare_worker(&server, number, &left))).await;
    })
    .await
}

async fn ours(count: usize, tenants: usize, workers: usize) -> ThroughputRun {
    let server = RedisServer::start(&[]);
    submit(&open(&server).await, tenants, 0, count).await;
    let (left, slots) = (AtomicUsize::new(count), if tenants == 1 { SLOTS / 2 } else { SLOTS });
    measure(&server, count, async {
        join_all((0..workers as u64).map(|number| worker(&server, number, slots, &left))).await;
    })
    .await
}

/// Accepted while one worker works.
async fn accepted(count: usize) -> [ThroughputRun; 2] {
    let server = RedisServer::start(&[]);
    server.cli(&["XGROUP", "CREATE", "bare", "g", "0", "MKSTREAM"]);
    bare_submit(&server, count).await;
    let left = AtomicUsize::new(usize::MAX);
    let bare = tokio::select! {
        measured = measure(&server, count, bare_submit(&server, count)) => measured,
        () = bare_worker(&server, 0, &left) => unreachable!("there is always more"),
    };
    let server = RedisServer::start(&[]);
    let store = open(&server).await;
    submit(&store, 1, 0, count).await;
    let ours = tokio::select! {
        measured = measure(&server, count, submit(&store, 1, count, count)) => measured,
        () = worker(&server, 0, SLOTS / 2, &left) => unreachable!("there is always more"),
    };
    [bare, ours]
}

/// What BullMQ does with jobs of as many bytes, where it is there.
async fn bullmq(count: usize, workers: usize) -> Option<ThroughputRun> {
    let folder = std::env::var("GLEANER_BENCH_BULLMQ").ok()?;
    let server = RedisServer::start(&[]);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/bullmq.cjs");
    let run = |step: &str| {
        let words = [step, &server.port().to_string(), &count.to_string(), &workers.to_string()].map(str::to_owned);
        let status = Command::new("node").arg(&script).args(words).current_dir(&folder).status().unwrap();
        assert!(status.success(), "BullMQ did not run");
    };
    run("add");
    Some(measure(&server, count, async { run("work") }).await)
}

async fn run(count: usize) {
    println!("{:44} {:>10}  of bare  {:>7} of the server, times bare; with the client's", "", "jobs", "time");
    for workers in [1, 2, 4] {
        let reference = bare(count, workers).await;
        print(&format!("bare, completed by {workers}"), reference, reference);
        for tenants in [1, 100] {
            let name = format!("completed by {workers}, tenants: {tenants}");
            print(&name, ours(count, tenants, workers).await, reference);
        }
        match bullmq(count, workers).await {
            Some(measured) => print(&format!("BullMQ, completed by {workers}"), measured, reference),
            None => println!("BullMQ is left out: GLEANER_BENCH_BULLMQ names no folder that has it"),
        }
    }
    let [bare, ours] = accepted(count).await;
    print("bare, accepted while a worker works", bare, bare);
    print("accepted while a worker works", ours, bare);
}

fn main() {
    let count = std::env::args().filter_map(|arg| arg.parse().ok()).next_back().unwrap_or(2_000);
    tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap().block_on(run(count));
}
