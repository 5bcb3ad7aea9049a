//! Machines whose clocks are an hour off, one fast and one slow: nothing lost, nothing twice, nothing sent at a false time.

use chrono::{TimeDelta, Utc};
use gleaner_model::Scope;
use gleaner_store::{Store, StoreConfig};
use gleaner_testkit::{
    fixture::new_token,
    gleaner::{GleanerProcess, gleaner},
    http::HttpRequest,
    queue::{all_succeeded, assert_empty, text},
    receiver::Receiver,
    redis::{FSYNC_ALWAYS, RedisServer},
};
use serde_json::json;
use std::{net::SocketAddr, path::PathBuf, process::Command};

/// How many items are submitted.
const ITEMS: usize = 40;
/// How far from the true time a receiver of webhooks takes a message for a forgery, by Standard Webhooks.
const FORGED: TimeDelta = TimeDelta::minutes(5);

/// The library that sets a process's clock; `scripts/ensure-faketime.sh` installs it.
fn faketime() -> PathBuf {
    let folders = std::fs::read_dir("/usr/lib").unwrap().filter_map(|entry| Some(entry.ok()?.path()));
    let libraries = folders.map(|folder| folder.join("faketime/libfaketimeMT.so.1"));
    libraries.into_iter().find(|library| library.exists()).expect("scripts/ensure-faketime.sh was run")
}

/// The command with a clock that is off by so many seconds. Durations are measured rightly.
fn off_by(seconds: i64, mut command: Command) -> Command {
    let clock = format!("{seconds:+}");
    command.env("LD_PRELOAD", faketime()).env("FAKETIME", clock).env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
    command
}

/// Seconds since 1970 as another process tells them with that clock: a library that could not be loaded would change nothing.
fn seconds_off_by(seconds: i64) -> i64 {
    let mut date = Command::new("date");
    date.arg("+%s");
    let told = off_by(seconds, date).output().unwrap().stdout;
    String::from_utf8(told).unwrap().trim().parse().unwrap()
}

fn worker(redis_url: &str) -> Command {
    let mut command = gleaner(&["worker", "--admin-listen", "127.0.0.1:0", "--takeover-s", "2", "--log", "off"]);
    let local = [("GLEANER_WEBHOOK_ALLOW_CIDRS", "127.0.0.0/8"), ("GLEANER_WEBHOOK_ALLOW_HTTP", "true")];
    command.env("GLEANER_REDIS_URL", redis_url).envs(local);
    command
}

#[tokio::test(flavor = "multi_thread")]
async fn with_clocks_an_hour_off_every_item_is_done_once_and_told_at_the_true_time() {
    let fast_by = seconds_off_by(3_600) - Utc::now().timestamp();
    assert!((3_000..4_000).contains(&fast_by), "the clock is off by {fast_by} s");
    let redis = RedisServer::start(&FSYNC_ALWAYS);
    let store = Store::connect(&StoreConfig::at(redis.url())).await.unwrap();
    let token = new_token(&store, "default", &Scope::ALL).await;
    let mut slow = gleaner(&["api", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"]);
    slow.env("GLEANER_REDIS_URL", redis.url()).env("GLEANER_RATE_LIMIT_PER_MINUTE", "0");
    slow.envs([("GLEANER_WEBHOOK_ALLOW_CIDRS", "127.0.0.0/8"), ("GLEANER_WEBHOOK_ALLOW_HTTP", "true")]);
    let (_api, address) = GleanerProcess::serving(off_by(-3_600, slow));
    let address: SocketAddr = address.trim_start_matches("http://").parse().unwrap();
    let _fast = GleanerProcess::start(off_by(3_600, worker(&redis.url())));
    let _slow = GleanerProcess::start(off_by(-3_600, worker(&redis.url())));
    let call = |method: &str, path: &str| HttpRequest::new(address, method, path).token(token.expose());

    let receiver = Receiver::start().await;
    let endpoint = json!({"url": receiver.url("/all"), "events": ["task.created"]});
    let made = call("POST", "/webhooks").json(&endpoint).send().await.expect(201).json();
    let mut ids = Vec::new();
    for number in 0..ITEMS {
        let item = json!({
            "source_type": "meeting",
            "external_id": format!("m-{number}"),
            "occurred_at": "2026-03-03T15:00:00Z",
            "transcript": text(&format!("n{number}")),
        });
        let accepted = call("POST", "/ingest/items").json(&item).send().await.expect(202).json();
        ids.push(accepted["job_id"].as_str().unwrap().parse().unwrap());
    }
    let jobs = all_succeeded(&store, "default", &ids).await;
    assert!(jobs.iter().all(|job| job.attempts == 1), "nobody took a job over from a worker that was at it");
    assert_empty(&store).await;
    let got = receiver.until("/all", |got| got.len() >= ITEMS).await;
    for one in &got {
        let off = Utc::now().timestamp() - one.timestamp;
        assert!(off.abs() < FORGED.num_seconds(), "sent {off} s from the true time");
        assert!(one.is_signed_by(made["secret"].as_str().unwrap()));
    }
    let mut told: Vec<&str> = got.iter().map(|one| one.id.as_str()).collect();
    told.sort_unstable();
    told.dedup();
    assert_eq!(told.len(), ITEMS, "each was told");
}
