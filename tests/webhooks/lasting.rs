//! At least once, in order for each task, while workers are killed.

use super::{LOCAL, mention, retitle, webhook};
use gleaner_testkit::{
    api::Api,
    environment::number,
    gleaner::GleanerProcess,
    receiver::{Received, Receiver},
};
use serde_json::json;
use std::{collections::BTreeMap, time::Duration};

/// A worker as a process.
fn worker(api: &Api) -> GleanerProcess {
    GleanerProcess::worker_with(&api.redis.url(), &[&LOCAL[..], &["--webhook-retry-s", "1,1,1,1,1,1"]].concat())
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_workers_lose_no_message_and_keep_the_order_of_each_task() {
    let api = Api::start_with(&LOCAL).await;
    let receiver = Receiver::start().await;
    // Slow enough that workers die with messages under way, and one in ten fails.
    receiver.answer(|one| {
        let unlucky =
            one.body.iter().map(|byte| u32::from(*byte)).sum::<u32>() % 10 == u32::from(one.timestamp as u8 % 10);
        (if unlucky { 500 } else { 200 }, Duration::from_millis(20))
    });
    for path in ["/a", "/b"] {
        webhook(&api, &receiver.url(path), json!({"events": ["task.updated"]})).await;
    }
    let (tasks, rounds) = (20, 15);
    let mut workers = [worker(&api), worker(&api)];
    let mut made = Vec::new();
    for n in 0..tasks {
        made.push(api.task(mention(&format!("m-{n}"), &format!("send offer {n}"))).await);
    }
    for round in 0..rounds {
        for task in &made {
            retitle(&api, task, &format!("round {round:02}")).await;
        }
        if round % 3 == 1 {
            let which = round % 2;
            workers[which].kill();
            workers[which] = worker(&api);
        }
    }
    for path in ["/a", "/b"] {
        let complete = |got: &[Received]| seen(got).values().all(|titles| titles.len() == rounds);
        let got = receiver.until(path, |got| seen(got).len() == tasks && complete(got)).await;
        for titles in seen(&got).values() {
            let expected: Vec<_> = (0..rounds).map(|round| format!("round {round:02}")).collect();
            assert_eq!(*titles, expected, "each first comes in order");
        }
    }
    drop(workers);
}

/// `GLEANER_TEST_EVENTS=5600` takes some minutes.
#[tokio::test(flavor = "multi_thread")]
async fn each_live_endpoint_of_ten_gets_every_event_though_workers_and_the_store_are_killed() {
    let mut api = Api::start_with(&LOCAL).await;
    let durable = ["--appendonly", "yes", "--appendfsync", "always"];
    for [name, value] in durable.as_chunks().0 {
        api.redis.cli(&["config", "set", name.trim_start_matches('-'), value]);
    }
    let receiver = Receiver::start().await;
    receiver.answer(|one| match one.path.as_str() {
        "/dead-1" | "/dead-2" => (500, Duration::ZERO),
        "/slow" => (200, Duration::from_secs(2)),
        _ => (200, Duration::ZERO),
    });
    let live = ["/a", "/b", "/c", "/d", "/e", "/f"];
    for path in live.iter().chain(&["/dead-1", "/dead-2", "/slow"]) {
        webhook(&api, &receiver.url(path), json!({"events": ["task.updated"]})).await;
    }
    webhook(&api, &receiver.url("/made"), json!({"events": ["task.created"]})).await;
    let tasks = 20;
    let rounds = number("GLEANER_TEST_EVENTS", 200) / tasks;
    let mut made = Vec::new();
    for n in 0..tasks {
        made.push(api.task(mention(&format!("m-{n}"), &format!("send offer {n}"))).await);
    }
    let mut workers = [worker(&api), worker(&api)];
    let begun = std::time::Instant::now();
    for round in 0..rounds {
        for task in &made {
            let change = json!({"title": format!("round {round:04}")});
            let request = api.call("PATCH", &format!("/tasks/{}", task.id)).json(&change);
            // While the store is away.
            while request.attempt().await.is_none_or(|answer| answer.status == 503) {
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
        }
        if round % (rounds / 5).max(1) == 1 {
            let which = round % 2;
            workers[which].kill();
            workers[which] = worker(&api);
        }
        if [rounds / 3, rounds * 2 / 3].contains(&round) {
            api.redis.kill();
            api.redis.run_durable();
        }
    }
    for path in live {
        let all = |got: &[Received]| seen(got).values().filter(|titles| titles.len() == rounds).count() == tasks;
        let got = receiver.until(path, all).await;
        assert!(got.iter().all(|one| one.kind() == "task.updated"), "{path} got what it did not ask for");
        for titles in seen(&got).values() {
            assert!(titles.is_sorted(), "{path}: each first comes in order: {titles:?}");
        }
    }
    let got = receiver.until("/made", |got| seen(got).len() == tasks).await;
    assert!(got.iter().all(|one| one.kind() == "task.created"));
    let messages = live.iter().map(|path| receiver.at(path).len()).sum::<usize>();
    println!("{messages} messages for {} within {:.0?}", live.len() * tasks * rounds, begun.elapsed());
    drop(workers);
}

/// Of each task the titles in the order in which each came first.
fn seen(got: &[Received]) -> BTreeMap<String, Vec<String>> {
    let mut seen: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for one in got {
        let data = &one.json()["data"];
        let titles = seen.entry(data["id"].as_str().unwrap().to_owned()).or_default();
        let title = data["title"].as_str().unwrap().to_owned();
        if !titles.contains(&title) {
            titles.push(title);
        }
    }
    seen
}
