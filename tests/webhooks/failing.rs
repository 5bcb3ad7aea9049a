//! Receivers that fail: tried again, in order, without delaying anybody, and given up in the end.

use super::{LOCAL, all, endpoint_that, mention, retitle, webhook, work, work_at};
use gleaner_model::TenantId;
use gleaner_store::{Store, StoreConfig};
use gleaner_testkit::{
    api::Api,
    environment::number,
    receiver::{Received, Receiver},
    wait,
};
use serde_json::json;
use std::{
    collections::BTreeSet,
    sync::atomic::{AtomicUsize, Ordering::SeqCst},
    time::{Duration, Instant},
};

#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_failed_is_tried_again_before_what_follows_it_of_its_task() {
    let (api, receiver) = all().await;
    let tries = AtomicUsize::new(0);
    receiver.answer(move |one| {
        let held = one.json()["data"]["title"] == "first" && tries.fetch_add(1, SeqCst) < 2;
        (if held { 500 } else { 200 }, Duration::ZERO)
    });
    let made = webhook(&api, &receiver.url("/a"), json!({"events": ["task.updated", "task.created"]})).await;
    let task = api.task(mention("m", "send the offer")).await;
    retitle(&api, &task, "first").await;
    retitle(&api, &task, "second").await;
    let other = api.task(mention("n", "call the bank")).await;
    let got = receiver.until("/a", |got| got.iter().any(|one| one.json()["data"]["title"] == "second")).await;
    let titles: Vec<_> = got
        .iter()
        .filter(|one| one.json()["data"]["id"] == task.id.to_string())
        .map(|one| one.json()["data"]["title"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(titles[1..], ["first", "first", "first", "second"], "{titles:?}");
    let place = |what: &dyn Fn(&serde_json::Value) -> bool| got.iter().position(|one| what(&one.json()["data"]));
    let (free, held) = (place(&|data| data["id"] == other.id.to_string()), place(&|data| data["title"] == "second"));
    assert!(free < held, "another task waits for nothing");
    let firsts: Vec<_> = got.iter().filter(|one| one.json()["data"]["title"] == "first").map(|one| &one.id).collect();
    assert!(firsts.iter().all(|id| *id == firsts[0]), "one message, one id");
    let found = endpoint_that(&api, made["id"].as_str().unwrap(), |found| found["status"] == "active").await;
    assert!(found["failing_since"].is_null());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_is_given_up_after_the_last_attempt_and_can_be_sent_again() {
    let api = Api::start_with(&LOCAL).await;
    work_at(&api, &[&LOCAL[..], &["--webhook-retry-s", "1"]].concat()).await;
    let receiver = Receiver::start().await;
    receiver.answer(|_| (503, Duration::ZERO));
    let id = webhook(&api, &receiver.url("/a"), json!({})).await["id"].as_str().unwrap().to_owned();
    api.task(mention("m", "send the offer")).await;
    let got = receiver.until("/a", |got| got.len() == 2).await;
    let list = format!("/webhooks/{id}/deliveries");
    let failed = wait::until("it to be given up", || async {
        let last = api.get(&list).await.expect(200).json()["items"][0].clone();
        (last["status"] == "failed").then_some(last)
    })
    .await;
    assert_eq!(failed["attempts"].as_array().unwrap().len(), 2);
    assert_eq!((&failed["last_status"], &failed["next_attempt_at"]), (&json!(503), &json!(null)));
    assert_eq!(failed["attempts"][0]["response"], "thank you", "the first bytes of the answer");
    receiver.answer(|_| (200, Duration::ZERO));
    api.call("POST", &format!("{list}/{}/redeliver", got[0].id)).send().await.expect(202);
    receiver.until("/a", |got| got.len() == 3).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn gone_and_failing_for_long_disable_an_endpoint_and_it_says_so() {
    let api = Api::start_with(&LOCAL).await;
    work(&api, &["--webhook-disable-after-s", "2"]).await;
    let receiver = Receiver::start().await;
    receiver.answer(|one| (if one.path == "/gone" { 410 } else { 500 }, Duration::ZERO));
    let gone = webhook(&api, &receiver.url("/gone"), json!({})).await["id"].as_str().unwrap().to_owned();
    let dead = webhook(&api, &receiver.url("/dead"), json!({})).await["id"].as_str().unwrap().to_owned();
    api.task(mention("m", "send the offer")).await;
    let found = endpoint_that(&api, &gone, |found| found["status"] == "disabled").await;
    assert!(found["disabled_reason"].as_str().unwrap().contains("410") && found["disabled_at"].is_string(), "{found}");
    assert_eq!(receiver.at("/gone").len(), 1);
    let found = endpoint_that(&api, &dead, |found| found["status"] == "disabled").await;
    assert!(found["disabled_reason"].as_str().unwrap().contains("every attempt since"), "{found}");
    let tried = receiver.at("/dead").len();
    receiver.answer(|_| (200, Duration::ZERO));
    api.task(mention("n", "call the bank")).await;
    let back = api.call("PATCH", &format!("/webhooks/{dead}")).json(&json!({"enabled": true})).send().await.expect(200);
    assert_eq!(back.json()["status"], "active");
    let got = receiver.until("/dead", |got| got.len() >= tried + 2).await;
    assert!(got[tried..].iter().any(|one| one.id == got[0].id), "what waited comes as well");
}

/// `GLEANER_TEST_EVENTS=10000` for as many as are kept.
#[tokio::test(flavor = "multi_thread")]
async fn a_dead_and_a_slow_endpoint_delay_nobody_else() {
    let (api, receiver) = all().await;
    receiver.answer(|one| match one.path.as_str() {
        "/dead" => (500, Duration::ZERO),
        "/slow" => (200, Duration::from_secs(5)),
        _ => (200, Duration::ZERO),
    });
    for path in ["/dead", "/slow", "/live"] {
        webhook(&api, &receiver.url(path), json!({"events": ["task.created"]})).await;
    }
    let count = number("GLEANER_TEST_EVENTS", 200);
    for n in 0..count {
        api.task(mention(&format!("m-{n}"), &format!("send offer {n}"))).await;
    }
    let ids = |got: &[Received]| got.iter().map(|one| one.id.clone()).collect::<BTreeSet<_>>().len();
    receiver.until("/live", |got| ids(got) == count).await;
    let (dead, slow) = (ids(&receiver.at("/dead")), ids(&receiver.at("/slow")));
    assert!(slow < count, "the live one did not wait for the slow one: {slow}");
    assert!(dead * 2 < count, "a dead one is tried with few messages: {dead}");
    let begun = Instant::now();
    api.task(mention("last", "call the bank")).await;
    receiver.until("/live", |got| ids(got) == count + 1).await;
    println!("the live one has it {:.0?} after it happened, {count} events of a dead one ahead", begun.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn who_falls_behind_what_is_kept_is_told() {
    let (api, receiver) = all().await;
    let id = webhook(&api, &receiver.url("/a"), json!({})).await["id"].as_str().unwrap().to_owned();
    let path = format!("/webhooks/{id}");
    api.call("PATCH", &path).json(&json!({"enabled": false})).send().await.expect(200);
    let mut config = StoreConfig::at(api.redis.url());
    config.events_kept = 40;
    let store = Store::connect(&config).await.unwrap();
    for n in 0..100 {
        let mention = mention(&format!("m-{n}"), &format!("send offer {n}"));
        store.add_missed(&TenantId::default(), mention).await.unwrap();
    }
    api.call("PATCH", &path).json(&json!({"enabled": true})).send().await.expect(200);
    let last = |got: &[Received]| got.iter().any(|one| one.json()["data"]["title"] == "send offer 99");
    let missed = |got: &[Received]| got.iter().filter(|one| one.kind() == "webhook.missed").count();
    let got = receiver.until("/a", |got| last(got) && missed(got) > 0).await;
    assert!(got.len() < 60 && missed(&got) == 1, "{} came", got.len());
    assert!(api.get(&path).await.expect(200).json()["missed_events_at"].is_string());
}
