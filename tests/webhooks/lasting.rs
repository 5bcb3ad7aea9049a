//! At least once, in order for each task, while workers are killed.

use super::{LOCAL, mention, retitle, webhook};
use crate::support::{
    api::Api,
    gleaner::{Process, gleaner},
    receiver::Receiver,
};
use serde_json::json;
use std::{collections::BTreeMap, time::Duration};

/// A worker as a process.
fn worker(api: &Api) -> Process {
    let mut command =
        gleaner(&["worker", "--admin-listen", "127.0.0.1:0", "--log", "off", "--webhook-retry-s", "1,1,1,1,1,1"]);
    command.args(LOCAL).env("GLEANER_REDIS_URL", api.redis.url());
    Process::start(command)
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
        let complete =
            |got: &[crate::support::receiver::Received]| seen(got).values().all(|titles| titles.len() == rounds);
        let got = receiver.until(path, |got| seen(got).len() == tasks && complete(got)).await;
        for titles in seen(&got).values() {
            let expected: Vec<_> = (0..rounds).map(|round| format!("round {round:02}")).collect();
            assert_eq!(*titles, expected, "each first comes in order");
        }
    }
    drop(workers);
}

/// Of each task the titles in the order in which each came first.
fn seen(got: &[crate::support::receiver::Received]) -> BTreeMap<String, Vec<String>> {
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
