//! How fast submissions are accepted, beside a bare reference in the same run: axum reads JSON and does one XADD.
//!
//! Both servers run as processes of their own (this program, called with a role), with two threads each, on a
//! redis-server of their own; 64 connections send items of 5 KB and 60 KB. Rounds alternate, so that other work on the
//! machine hits both alike. Printed: accepted a second, CPU time of the server for each, and the ratios.
//!
//! Then the same while a worker works: ours reads the texts, the bare one takes entries away.

#![allow(clippy::unwrap_used, reason = "a bench that cannot go on panics")]

use axum::{Router, extract::State, http::StatusCode, routing::post};
use gleaner_model::{PlainToken, Scope};
use gleaner_runtime::Shutdown;
use gleaner_store::{Store, StoreConfig};
use gleaner_testkit::{
    api::parse_settings,
    bench::{announce, role, runtime, serve, unlike},
    child::{ChildGuard, cpu_seconds},
    environment::bench_share,
    fixture::credential,
    http::read_kept,
    redis::RedisServer,
};
use gleaner_worker::WorkerMetrics;
use serde_json::{Value, json};
use std::{
    env,
    io::Write as _,
    net::{SocketAddr, TcpStream},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::{Duration, Instant},
};

const CONNECTIONS: usize = 64;
const ROUNDS: usize = 5;
/// Size of a transcript in bytes, and how many are sent in a round.
const SIZES: [(usize, usize); 2] = [(5_000, 6_000), (60_000, 2_000)];
/// Items of a round beside workers.
const WITH_WORKERS: usize = 3_000;
const URL: &str = "GLEANER_BENCH_REDIS";

fn main() {
    match role().as_deref() {
        Some("reference") => runtime().block_on(reference()),
        Some("gleaner") => runtime().block_on(gleaner()),
        Some("reference-worker") => runtime().block_on(reference_worker()),
        Some("gleaner-worker") => runtime().block_on(gleaner_worker()),
        _ => {
            compare();
            [1, 100].into_iter().for_each(compare_with_workers);
        }
    }
}

// The servers.

async fn reference() {
    let client = redis::Client::open(env::var(URL).unwrap()).unwrap();
    let config = redis::AsyncConnectionConfig::new().set_response_timeout(Some(Duration::from_secs(30)));
    let connection = client.get_multiplexed_async_connection_with_config(&config).await.unwrap();
    let add = async |State(mut connection): State<redis::aio::MultiplexedConnection>,
                     axum::Json(item): axum::Json<Value>| {
        let body = serde_json::to_vec(&item).unwrap();
        let id: String =
            redis::cmd("XADD").arg("items").arg("*").arg("body").arg(body).query_async(&mut connection).await.unwrap();
        (StatusCode::ACCEPTED, id)
    };
    let app = Router::new().route("/ingest/items", post(add)).with_state(connection);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    announce(listener.local_addr().unwrap());
    axum::serve(listener, app).await.unwrap();
}

async fn gleaner() {
    let store = Store::connect(&StoreConfig::at(env::var(URL).unwrap())).await.unwrap();
    let flags = ["--listen", "127.0.0.1:0", "--rate-limit-per-minute", "0", "--backlog-cap", "0"];
    let settings = parse_settings(&flags);
    let shutdown = Shutdown::new();
    announce(gleaner_api::start(settings, store, gleaner_api::ApiMetrics::default(), &shutdown).await.unwrap());
    shutdown.finished().await;
}

// The workers.

/// Takes entries away, as many at a time as there are.
async fn reference_worker() {
    let client = redis::Client::open(env::var(URL).unwrap()).unwrap();
    let config = redis::AsyncConnectionConfig::new().set_response_timeout(Some(Duration::from_secs(30)));
    let mut connection = client.get_multiplexed_async_connection_with_config(&config).await.unwrap();
    let group = redis::cmd("XGROUP").arg(&["CREATE", "items", "workers", "0", "MKSTREAM"]).to_owned();
    let _: String = group.query_async(&mut connection).await.unwrap();
    announce_ready();
    let read = redis::cmd("XREADGROUP")
        .arg(&["GROUP", "workers", "one", "COUNT", "128", "BLOCK", "1000", "STREAMS", "items", ">"])
        .to_owned();
    loop {
        let found: redis::streams::StreamReadReply = read.query_async(&mut connection).await.unwrap();
        for entry in found.keys.into_iter().flat_map(|stream| stream.ids) {
            let _: () = redis::pipe()
                .cmd("XACK")
                .arg(&["items", "workers", &entry.id])
                .cmd("XDEL")
                .arg(&["items", &entry.id])
                .query_async(&mut connection)
                .await
                .unwrap();
        }
    }
}

async fn gleaner_worker() {
    let store = Store::connect(&StoreConfig::at(env::var(URL).unwrap())).await.unwrap();
    let shutdown = Shutdown::new();
    gleaner_worker::start(&parse_settings(&[]), store, WorkerMetrics::default(), &shutdown).await.unwrap();
    announce_ready();
    shutdown.finished().await;
}

/// Says that this process, which listens nowhere, is at work.
fn announce_ready() {
    announce(([127, 0, 0, 1], 0).into());
}

// The comparison.

struct BenchServer {
    child: ChildGuard,
    address: SocketAddr,
    redis: RedisServer,
}

impl BenchServer {
    fn start(role: &str) -> Self {
        let redis = RedisServer::in_memory();
        let (child, address) = serve(role, &[(URL, &redis.url())]);
        Self { child, address, redis }
    }

    /// CPU time of the process so far, in seconds.
    fn cpu(&self) -> f64 {
        cpu_seconds(self.child.id())
    }
}

#[derive(Clone, Copy)]
struct Measured {
    per_second: f64,
    cpu_us: f64,
}

fn compare() {
    let servers = [BenchServer::start("reference"), BenchServer::start("gleaner")];
    let token = PlainToken::mint().unwrap();
    let share = bench_share();
    for (size, count) in SIZES.map(|(size, count)| (size, count / share)) {
        let mut rounds: Vec<[Measured; 2]> = Vec::new();
        for round in 0..=ROUNDS {
            let both = [0, 1].map(|at| {
                servers[at].redis.cli(&["FLUSHALL"]);
                if at == 1 {
                    introduce(&servers[1], &token, "default");
                }
                measure(&servers[at], &token, size, count, round)
            });
            // The first round warms up.
            if round > 0 {
                rounds.push(both);
            }
        }
        print(&format!("{size:>6} bytes"), &rounds);
    }
}

/// With each round's items another worker's: what one left undone delays nobody.
fn compare_with_workers(tenants: usize) {
    let count = WITH_WORKERS / bench_share();
    let tokens: Vec<_> = (0..tenants).map(|_| PlainToken::mint().unwrap()).collect();
    let measure = |role: &str, round: usize| {
        let server = BenchServer::start(role);
        for (n, token) in tokens.iter().enumerate() {
            introduce(&server, token, &format!("tenant-{n}"));
        }
        let _worker = serve(&format!("{role}-worker"), &[(URL, &server.redis.url())]);
        send(&server, count, |number| {
            let text = unlike(round * count + number);
            request(&tokens[number % tenants], &text, &format!("{round}-{number}"))
        })
    };
    let ratios = (0..ROUNDS).map(|round| measure("gleaner", round) / measure("reference", round)).collect();
    println!("{tenants:>6} tenants, a worker at work: accepted x{:.2}", median(ratios));
}

fn print(what: &str, rounds: &[[Measured; 2]]) {
    let of = |value: &dyn Fn(&[Measured; 2]) -> f64| median(rounds.iter().map(value).collect());
    println!(
        "{what}: reference {:6.0}/s {:5.0} us CPU each | gleaner {:6.0}/s {:5.0} us CPU each | rate x{:.2} CPU x{:.2}",
        of(&|r| r[0].per_second),
        of(&|r| r[0].cpu_us),
        of(&|r| r[1].per_second),
        of(&|r| r[1].cpu_us),
        of(&|r| r[1].per_second / r[0].per_second),
        of(&|r| r[1].cpu_us / r[0].cpu_us),
    );
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Writes the credential anew: emptying the store took it.
fn introduce(server: &BenchServer, token: &PlainToken, tenant: &str) {
    runtime().block_on(async {
        let store = Store::connect(&StoreConfig::at(server.redis.url())).await.unwrap();
        store.put_credential(&credential(token, tenant, &Scope::ALL)).await.unwrap();
    });
}

fn measure(server: &BenchServer, token: &PlainToken, size: usize, count: usize, round: usize) -> Measured {
    let line = "Dana: I'll send the revised statement of work to Northwind by Friday.\n";
    let text: String = line.chars().cycle().take(size).collect();
    let cpu = server.cpu();
    let per_second = send(server, count, |number| request(token, &text, &format!("{round}-{number}")));
    Measured { per_second, cpu_us: (server.cpu() - cpu) * 1e6 / count as f64 }
}

/// Sends so many requests over all connections; returns how many were accepted a second.
fn send(server: &BenchServer, count: usize, request: impl Fn(usize) -> Vec<u8> + Sync) -> f64 {
    let requests: Vec<_> = (0..count).map(request).collect();
    let (next, begun) = (AtomicUsize::new(0), Instant::now());
    thread::scope(|scope| {
        for _ in 0..CONNECTIONS {
            scope.spawn(|| {
                let mut stream = TcpStream::connect(server.address).unwrap();
                stream.set_nodelay(true).unwrap();
                while let Some(request) = requests.get(next.fetch_add(1, Ordering::Relaxed)) {
                    stream.write_all(request).unwrap();
                    assert!(read_kept(&mut stream).starts_with("HTTP/1.1 202"), "not accepted");
                }
            });
        }
    });
    count as f64 / begun.elapsed().as_secs_f64()
}

fn request(token: &PlainToken, transcript: &str, id: &str) -> Vec<u8> {
    let body = json!({"source_type": "meeting", "external_id": id, "occurred_at": "2026-03-03T15:00:00Z",
        "transcript": transcript})
    .to_string();
    let token = token.expose();
    format!(
        "POST /ingest/items HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}
