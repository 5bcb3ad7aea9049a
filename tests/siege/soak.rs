//! A soak: items that come, are rated and erased, tokens that come and go, workers that are killed, for as long as it is told.
//! At the end memory, keys and open files must be what they were near the beginning, but for the finished jobs: those are kept
//! for days, longer than any soak.

use crate::{
    SiegeTarget,
    watch::{files, resident},
};
use gleaner_testkit::{gleaner::GleanerProcess, http::HttpRequest, redis::RedisServer};
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    process::ExitCode,
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::{sync::Semaphore, time::interval};

/// Items under way at once: beyond, the next one waits.
const AT_ONCE: usize = 64;
/// How often a worker is killed.
const KILL: Duration = Duration::from_secs(20);
/// How much more than near the beginning there may be of anything at the end.
const GROWTH: f64 = 1.15;
/// What comes and goes with the moment: MiB, files, keys.
const SLACK: f64 = 64.0;
/// Where the store lists the finished jobs of the tenant that soaks. Were it elsewhere, the keys would grow.
const FINISHED: &str = "gleaner:{p11}:t:soak:ended";
/// Keys that stay of a finished job: its own and its item's.
const JOB_KEYS: f64 = 2.0;
/// MiB that stay of it: those keys and its places in lists. Less than it takes, so that nothing else hides in it.
const JOB_MIB: f64 = 1.0 / 1024.0;

/// What is looked at, each second.
type Sample = BTreeMap<&'static str, f64>;

/// Soaks for so long with so many items a second, and tells whether all stayed flat.
pub async fn run(
    place: Arc<SiegeTarget>,
    redis: &RedisServer,
    api: &GleanerProcess,
    mut workers: [GleanerProcess; 2],
    time: Duration,
    rate: f64,
) -> ExitCode {
    let token: Arc<str> = place.token("soak").await.into();
    let (begun, room) = (Instant::now(), Arc::new(Semaphore::new(AT_ONCE)));
    let (mut ticks, mut samples) = (interval(Duration::from_secs_f64(1.0 / rate)), Vec::new());
    let (mut killed, mut sampled, mut number) = (begun, begun, 0_u64);
    while begun.elapsed() < time {
        ticks.tick().await;
        let Ok(permit) = Arc::clone(&room).acquire_owned().await else { break };
        let (place, token) = (Arc::clone(&place), Arc::clone(&token));
        tokio::spawn(async move {
            life(&place, &token, number).await;
            drop(permit);
        });
        number += 1;
        if killed.elapsed() > KILL {
            killed = Instant::now();
            let turn = usize::from((number / 2) % 2 == 0);
            workers[turn].kill();
            workers[turn] = GleanerProcess::worker(&redis.url());
        }
        if sampled.elapsed() > Duration::from_secs(1) {
            sampled = Instant::now();
            samples.push(sample(redis, api));
        }
    }
    println!("{number} items in {} s, {} jobs finished and kept", begun.elapsed().as_secs(), finished(redis));
    verdict(&samples)
}

/// One item from submission to erasure; each tenth by a token of its own.
async fn life(place: &SiegeTarget, token: &str, number: u64) {
    let ask = |method: &str, path: &str, body: Option<Value>| {
        let request = HttpRequest::new(place.address, method, path).token(token);
        let request = if let Some(body) = body { request.json(&body) } else { request };
        async move { request.attempt().await.and_then(|answer| serde_json::from_slice::<Value>(&answer.body).ok()) }
    };
    let transcript = format!("Dana: I'll send the offer {number} to Northwind by Friday.\nSam: Great, thanks.\n");
    let item = json!({"source_type": "meeting", "external_id": format!("soak-{number}"), "transcript": transcript});
    if number.is_multiple_of(10) {
        let made = ask("POST", "/tokens", Some(json!({"name": "passing", "scopes": ["tasks:read"]}))).await;
        if let Some(id) = made.as_ref().and_then(|made| made["token_id"].as_str()) {
            ask("DELETE", &format!("/tokens/{id}"), None).await;
        }
    }
    let Some(receipt) = ask("POST", "/ingest/items", Some(item)).await else { return };
    let job = receipt["job_id"].as_str().unwrap_or_default().to_owned();
    for _ in 0..30 {
        let job = ask("GET", &format!("/ingest/jobs/{job}"), None).await.unwrap_or_default();
        if job["status"] == "succeeded" {
            if let Some(task) = job["task_ids"][0].as_str() {
                let rating = json!({"rating": if number.is_multiple_of(3) { "down" } else { "up" }});
                ask("POST", &format!("/tasks/{task}/feedback"), Some(rating)).await;
            }
            break;
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    ask("DELETE", &format!("/ingest/items/meeting/soak-{number}"), None).await;
}

fn sample(redis: &RedisServer, api: &GleanerProcess) -> Sample {
    let info = redis.cli(&["INFO", "memory"]);
    let used =
        info.lines().find_map(|line| line.strip_prefix("used_memory:")).and_then(|text| text.trim().parse().ok());
    let keys: f64 = redis.cli(&["DBSIZE"]).parse().unwrap_or(0.0);
    let finished = finished(redis);
    BTreeMap::from([
        ("memory of the API, MiB", resident(api.id()) as f64),
        ("open files of the API", files(api.id()) as f64),
        (
            "memory of Redis beyond finished jobs, MiB",
            used.unwrap_or(0.0_f64) / f64::from(1 << 20) - finished * JOB_MIB,
        ),
        ("keys in Redis beyond finished jobs", keys - finished * JOB_KEYS),
    ])
}

/// Jobs that are finished and kept.
fn finished(redis: &RedisServer) -> f64 {
    redis.cli(&["ZCARD", FINISHED]).parse().unwrap_or(0.0)
}

/// The second fifth beside the last: what fills at the beginning is full by then.
fn verdict(samples: &[Sample]) -> ExitCode {
    let fifth = samples.len() / 5;
    let (Some(early), Some(late)) = (samples.get(fifth..2 * fifth), samples.get(4 * fifth..)) else {
        return ExitCode::FAILURE;
    };
    let mean = |part: &[Sample], what| part.iter().map(|sample| sample[what]).sum::<f64>() / part.len().max(1) as f64;
    let mut flat = true;
    for what in samples.first().into_iter().flat_map(BTreeMap::keys) {
        let (before, after) = (mean(early, what), mean(late, what));
        let holds = after <= before * GROWTH + SLACK;
        flat &= holds;
        println!("{}: {what}, {before:.0} then {after:.0}", if holds { "flat" } else { "GROWS" });
    }
    if flat { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
