//! How fast submissions are accepted, beside a bare reference in the same run: axum reads JSON and does one XADD.
//!
//! Both servers run as processes of their own (this program, called with a role), with two threads each, on a
//! redis-server of their own; 64 connections send items of 5 KB and 60 KB. Rounds alternate, so that other work on the
//! machine hits both alike. Printed: accepted a second, CPU time of the server for each, and the ratios.

#![allow(clippy::unwrap_used, reason = "a bench that cannot go on panics")]

use axum::{Router, extract::State, http::StatusCode, routing::post};
use gleaner_model::{PlainToken, Scope};
use gleaner_runtime::Shutdown;
use gleaner_store::{Store, StoreConfig};
use gleaner_testkit::{
    api::parse_settings,
    bench::{announce, role, runtime, serve},
    child::{ChildGuard, cpu_seconds},
    environment::bench_share,
    fixture::credential,
    http::read_kept,
    redis::RedisServer,
};
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
const URL: &str = "GLEANER_BENCH_REDIS";

fn main() {
    match role().as_deref() {
        Some("reference") => runtime().block_on(reference()),
        Some("gleaner") => runtime().block_on(gleaner()),
        _ => compare(),
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
                    introduce(&servers[1], &token);
                }
                measure(&servers[at], &token, size, count, round)
            });
            // The first round warms up.
            if round > 0 {
                rounds.push(both);
            }
        }
        print(size, &rounds);
    }
}

fn print(size: usize, rounds: &[[Measured; 2]]) {
    let of = |value: &dyn Fn(&[Measured; 2]) -> f64| median(rounds.iter().map(value).collect());
    println!(
        "{:>6} bytes: reference {:6.0}/s {:5.0} us CPU each | gleaner {:6.0}/s {:5.0} us CPU each | rate x{:.2} CPU x{:.2}",
        size,
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
fn introduce(server: &BenchServer, token: &PlainToken) {
    runtime().block_on(async {
        let store = Store::connect(&StoreConfig::at(server.redis.url())).await.unwrap();
        store.put_credential(&credential(token, "default", &Scope::ALL)).await.unwrap();
    });
}

fn measure(server: &BenchServer, token: &PlainToken, size: usize, count: usize, round: usize) -> Measured {
    let (next, cpu, begun) = (AtomicUsize::new(0), server.cpu(), Instant::now());
    thread::scope(|scope| {
        for _ in 0..CONNECTIONS {
            scope.spawn(|| {
                let mut stream = TcpStream::connect(server.address).unwrap();
                stream.set_nodelay(true).unwrap();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        break;
                    }
                    stream.write_all(&request(token, size, &format!("{round}-{number}"))).unwrap();
                    assert!(read_kept(&mut stream).starts_with("HTTP/1.1 202"), "not accepted");
                }
            });
        }
    });
    let took = begun.elapsed().as_secs_f64();
    Measured { per_second: count as f64 / took, cpu_us: (server.cpu() - cpu) * 1e6 / count as f64 }
}

fn request(token: &PlainToken, size: usize, id: &str) -> Vec<u8> {
    let line = "Dana: I'll send the revised statement of work to Northwind by Friday.\n";
    let transcript: String = line.chars().cycle().take(size).collect();
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
