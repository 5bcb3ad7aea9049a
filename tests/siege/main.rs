//! A siege: one hostile tenant does everything at once that ever hurt, beside an honest one that submits 20 items a second.
//! `make siege`; `GLEANER_SIEGE_S` says how long (600), on this machine's loopback alone.
//!
//! First the honest tenant runs alone, then with the hostile one, against real processes with the limits as they come. It
//! must show: every request of the honest tenant answered, nothing of it lost, its 99th percentile from submission to the
//! end of the job at most three times the quiet one, and the memory of every process below what the chart gives it.

#![allow(clippy::unwrap_used, reason = "a siege that cannot go on panics")]
#![allow(clippy::expect_used, reason = "a siege that cannot go on panics")]

mod honest;
mod hostile;
mod soak;
mod watch;

use gleaner_model::Scope;
use gleaner_store::{Store, StoreConfig};
use gleaner_testkit::{
    fixture::new_token,
    gleaner::{GleanerProcess, gleaner},
    redis::RedisServer,
};
use honest::HonestReport;
use std::{env, net::SocketAddr, process::ExitCode, time::Duration};
use watch::MemoryWatch;

/// How many times slower the honest tenant may get.
const SLOWER: f64 = 3.0;

/// Everything that runs.
pub struct SiegeTarget {
    /// Where the API serves.
    pub address: SocketAddr,
    /// The store, as a command line would reach it.
    pub store: Store,
}

impl SiegeTarget {
    /// A token of a tenant that allows everything.
    pub async fn token(&self, tenant: &str) -> String {
        new_token(&self.store, tenant, &Scope::ALL).await.expose().to_owned()
    }
}

#[tokio::main]
async fn main() -> ExitCode {
    let seconds = |name: &str, default: u64| env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default);
    let siege = Duration::from_secs(seconds("GLEANER_SIEGE_S", 600));
    let quiet = Duration::from_secs(seconds("GLEANER_SIEGE_QUIET_S", 60)).min(siege);
    // As the chart runs it.
    let redis = RedisServer::start(&["--maxmemory", "400mb", "--maxmemory-policy", "noeviction"]);
    let api = gleaner(&["api", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"]);
    let (api, address) = serving(api, &redis);
    let workers = [GleanerProcess::worker(&redis.url()), GleanerProcess::worker(&redis.url())];
    let store = Store::connect(&StoreConfig::at(redis.url())).await.unwrap();
    let place = SiegeTarget { address, store };
    let soak = seconds("GLEANER_SOAK_S", 0);
    if soak > 0 {
        let rate = seconds("GLEANER_SOAK_RATE", 20) as f64;
        return soak::run(place.into(), &redis, &api, workers, Duration::from_secs(soak), rate).await;
    }
    let processes =
        [("api", api.id()), ("redis", redis.id()), ("worker", workers[0].id()), ("worker", workers[1].id())];
    let watch = MemoryWatch::begin(&processes);

    let token = place.token("honest").await;
    let alone = honest::run(&place, &token, "quiet", quiet).await;
    println!("quiet, {} s: {alone}", quiet.as_secs());
    let hostile = hostile::begin(&place).await;
    let beside = honest::run(&place, &token, "siege", siege).await;
    println!("siege, {} s: {beside}", siege.as_secs());
    println!("what the hostile tenant did:\n{}", hostile.end().await);
    verdict(&alone, &beside, &watch.end())
}

fn serving(mut command: std::process::Command, redis: &RedisServer) -> (GleanerProcess, SocketAddr) {
    // The honest tenant's 20 a second are 1,200 a minute: the limit that it has bought.
    command.env("GLEANER_REDIS_URL", redis.url()).env("GLEANER_RATE_LIMIT_PER_MINUTE", "1500");
    command.env("GLEANER_TENANT_RATE_LIMIT_PER_MINUTE", "1500").env("GLEANER_TENANT_RATE_LIMIT_BURST", "600");
    let (process, url) = GleanerProcess::serving(command);
    (process, url.trim_start_matches("http://").parse().unwrap())
}

fn verdict(alone: &HonestReport, beside: &HonestReport, memory: &watch::MemoryReport) -> ExitCode {
    println!("{memory}");
    let (before, after) = (alone.percentile(0.99), beside.percentile(0.99));
    let slower = after.as_secs_f64() / before.as_secs_f64();
    println!("p99 of submission to end: {slower:.2} times the quiet one (at most {SLOWER})");
    let shown = [
        ("every request answered", beside.refused.is_empty() && beside.unanswered == 0),
        ("nothing lost", beside.lost == 0),
        ("at most three times slower", slower <= SLOWER),
        ("memory below the chart's limits", memory.is_within()),
    ];
    for (what, holds) in shown {
        println!("{}: {what}", if holds { "holds" } else { "DOES NOT HOLD" });
    }
    if shown.iter().all(|(_, holds)| *holds) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
