//! A language model that is slow, away or unsure, and what becomes of the items meanwhile.

use gleaner_model::{JobStatus, TaskStatus};
use gleaner_store::{Store, StoreConfig};
use gleaner_testkit::{
    environment::number,
    fixture::item,
    gleaner::{GleanerProcess, gleaner},
    model::{FakeModel, ModelAnswer},
    queue::{all_succeeded, assert_empty, ended, submit, text},
    redis::RedisServer,
};
use serde_json::json;
use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
    time::Instant,
};

/// Items of the long run: `GLEANER_TEST_ITEMS=10000` for all of them.
const ITEMS: usize = 300;

/// A worker that asks that model.
fn worker(redis: &RedisServer, model: &FakeModel, flags: &[&str]) -> GleanerProcess {
    worker_at(redis, model, 0, flags)
}

/// The same, with its metrics at a port.
pub fn worker_at(redis: &RedisServer, model: &FakeModel, port: u16, flags: &[&str]) -> GleanerProcess {
    let admin = format!("127.0.0.1:{port}");
    let fixed = ["worker", "--admin-listen", &admin, "--takeover-s", "2", "--log", "off", "--extractor", "llm"];
    let mut command = gleaner(&[&fixed[..], flags].concat());
    command.env("GLEANER_REDIS_URL", redis.url());
    command.env("GLEANER_LLM_URL", model.url()).env("GLEANER_LLM_MODEL", "stand-in").env("GLEANER_LLM_KEY", "secret");
    GleanerProcess::start(command)
}

/// The task of a text as [`text`] makes it.
pub fn one_task(question: &str) -> String {
    let line = question.lines().find_map(|line| line.strip_prefix("1| Dana: ")).unwrap_or_default();
    let title = line.trim_start_matches("I'll send").trim_end_matches("by Friday.").trim();
    json!({ "tasks": [{
        "evidence": [{ "line": 1, "quote": line }], "title": format!("Send {title}"), "owner": "Dana Reyes",
        "waiting_on": false, "due_words": "by Friday", "due": "2026-03-06", "status": "open", "urgency": "normal",
        "confidence": 0.9, "same_as": null, "change": "none",
    }] })
    .to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_tells_what_the_model_found_and_what_that_cost() {
    let redis = RedisServer::in_memory();
    let store = Store::connect(&StoreConfig::at(redis.url())).await.unwrap();
    let model = FakeModel::start(|_, question| ModelAnswer::Says(one_task(question))).await;
    let _worker = worker(&redis, &model, &[]);
    let id = submit(&store, "a", item("one", &text("one"))).await;
    let job = ended(&store, "a", id).await;
    assert_eq!((job.status, job.tasks_extracted), (JobStatus::Succeeded, Some(1)));
    assert_eq!(job.extractor.as_deref(), Some("llm/stand-in"));
    let usage = job.usage.unwrap();
    assert!(usage.input_tokens > 0 && usage.output_tokens > 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_known_task_is_one_task_by_the_models_reading() {
    let redis = RedisServer::in_memory();
    let store = Store::connect(&StoreConfig::at(redis.url())).await.unwrap();
    let model = FakeModel::start(|_, question| {
        if question.contains("Known tasks:\n1. Send the quarterly figures to Marlow") {
            let done = json!({ "tasks": [{
                "evidence": [{ "line": 1, "quote": "Marlow has all he wanted of the quarterly figures" }],
                "title": "Send the quarterly figures to Marlow", "owner": null, "waiting_on": false, "due_words": null,
                "due": null, "status": "completed", "urgency": "normal", "confidence": 0.9, "same_as": 1, "change": "done",
            }] });
            return ModelAnswer::Says(done.to_string());
        }
        ModelAnswer::Says(one_task(question))
    })
    .await;
    let _worker = worker(&redis, &model, &[]);
    let first = submit(&store, "a", item("one", "Dana: I'll send the quarterly figures to Marlow by Friday.\n")).await;
    let first = ended(&store, "a", first).await;
    let second = submit(&store, "a", item("two", "Dana: Marlow has all he wanted of the quarterly figures.\n")).await;
    let second = ended(&store, "a", second).await;
    assert_eq!(first.task_ids, second.task_ids, "one commitment, one task");
    let record = store.task(&"a".parse().unwrap(), first.task_ids[0]).await.unwrap().unwrap();
    assert_eq!(record.status(), TaskStatus::Completed);
    assert_eq!(record.owner().unwrap().name, "Dana Reyes");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_word_of_a_task_makes_it_known_and_few_are_known_by_one_alone() {
    let redis = RedisServer::in_memory();
    let store = Store::connect(&StoreConfig::at(redis.url())).await.unwrap();
    let asked = Arc::new(Mutex::new(String::new()));
    let last = asked.clone();
    let model = FakeModel::start(move |_, question| {
        question.clone_into(&mut last.lock().unwrap());
        ModelAnswer::Says(one_task(question))
    })
    .await;
    let _worker = worker(&redis, &model, &[]);
    for number in 0..16 {
        let text = format!("Dana: I'll send the s{number}a s{number}b scaffold by Friday.\n");
        let id = submit(&store, "a", item(&format!("s{number}"), &text)).await;
        ended(&store, "a", id).await;
    }
    let id = submit(&store, "a", item("down", "Sam: The scaffold is gone.\n")).await;
    ended(&store, "a", id).await;
    let asked = asked.lock().unwrap();
    let known = asked.lines().filter(|line| line.contains(". Send the s") && line.contains("scaffold")).count();
    assert_eq!(known, 12, "{asked}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_is_gone_is_stood_in_for_and_the_job_says_so() {
    let redis = RedisServer::in_memory();
    let store = Store::connect(&StoreConfig::at(redis.url())).await.unwrap();
    let model = FakeModel::start(|_, _| ModelAnswer::Status(500)).await;
    let _worker = worker(&redis, &model, &[]);
    let id = submit(&store, "a", item("one", &text("one"))).await;
    let job = ended(&store, "a", id).await;
    assert_eq!((job.status, job.tasks_extracted), (JobStatus::Succeeded, Some(1)));
    assert_eq!(job.extractor.as_deref(), Some("builtin/1 (llm unavailable)"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_is_slow_for_one_tenant_keeps_no_other_waiting() {
    let redis = RedisServer::in_memory();
    let store = Store::connect(&StoreConfig::at(redis.url())).await.unwrap();
    let model = FakeModel::start(|_, _| ModelAnswer::Never).await;
    let _worker = worker(&redis, &model, &["--llm-tenants", "slow", "--worker-threads", "1", "--batch-entries", "4"]);
    for number in 0..40 {
        submit(&store, "slow", item(&format!("s{number}"), &text(&format!("s{number}")))).await;
    }
    let mut others = Vec::new();
    for number in 0..20 {
        others.push(submit(&store, "quick", item(&format!("q{number}"), &text(&format!("q{number}")))).await);
    }
    for job in all_succeeded(&store, "quick", &others).await {
        assert_eq!(job.extractor.as_deref(), Some("builtin/1"));
    }
    assert!(model.asked() <= 4, "so many at once, and no more: {}", model.asked());
}

/// A model that fails a third of the time, in every way.
fn failing(number: usize, question: &str) -> ModelAnswer {
    if !number.is_multiple_of(3) {
        return ModelAnswer::Says(one_task(question));
    }
    // Now and then everybody is to keep away for a second.
    let after = u64::from(number.is_multiple_of(300));
    match number / 3 % 5 {
        0 => ModelAnswer::Later(429, after),
        1 => ModelAnswer::Later(503, after),
        2 => ModelAnswer::Never,
        3 => ModelAnswer::Says("Sure! Here are the tasks: [".to_owned()),
        _ => ModelAnswer::Status(500),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn with_a_model_that_fails_a_third_of_the_time_each_item_is_done_once_and_no_more_is_spent_than_may_be() {
    let items = number("GLEANER_TEST_ITEMS", ITEMS);
    // Less than they cost: the last ones wait for a permit.
    let per_minute = items * 3000;
    let redis = RedisServer::in_memory();
    let store = Store::connect(&StoreConfig::at(redis.url())).await.unwrap();
    let model = FakeModel::start(failing).await;
    let limit = per_minute.to_string();
    let flags = ["--llm-concurrency", "8", "--llm-timeout-s", "2", "--llm-tokens-per-minute", &limit];
    let begun = Instant::now();
    let _workers = [worker(&redis, &model, &flags), worker(&redis, &model, &flags)];
    let mut ids = Vec::new();
    for number in 0..items {
        ids.push(
            submit(&store, ["a", "b"][number % 2], item(&format!("i{number}"), &text(&format!("i{number}")))).await,
        );
    }
    let (mut by_model, mut tasks) = (0, BTreeSet::new());
    for (number, id) in ids.iter().enumerate() {
        let job = ended(&store, ["a", "b"][number % 2], *id).await;
        assert_eq!((job.status, job.tasks_extracted, job.attempts), (JobStatus::Succeeded, Some(1), 1), "{job:?}");
        by_model += usize::from(job.extractor.as_deref() == Some("llm/stand-in"));
        tasks.extend(job.task_ids);
    }
    let (took, counted) = (begun.elapsed(), model.counted());
    println!("{items} items, {} requests, {counted} tokens in {took:.0?}; {by_model} by the model", model.asked());
    assert_eq!(tasks.len(), items, "a task for each item");
    assert!(by_model * 10 >= items * 9, "{by_model} of {items} by the model");
    let most = per_minute as f64 * (1.0 + took.as_secs_f64() / 60.0);
    assert!(counted as f64 <= most, "a minute's worth at first, and as much each minute: {counted} of {most}");
    assert_empty(&store).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn items_wait_where_no_more_may_be_spent() {
    let redis = RedisServer::in_memory();
    let store = Store::connect(&StoreConfig::at(redis.url())).await.unwrap();
    let model = FakeModel::start(|_, question| ModelAnswer::Says(one_task(question))).await;
    // A request is charged 8,000 to 9,000 until its cost is known, 1,100 then: two go at once, the rest as it refills.
    let _worker =
        worker(&redis, &model, &["--llm-tokens-per-minute", "60000", "--llm-tenant-tokens-per-minute", "60000"]);
    let mut ids = Vec::new();
    for number in 0..12 {
        ids.push(submit(&store, "a", item(&format!("w{number}"), &text(&format!("w{number}")))).await);
    }
    for job in all_succeeded(&store, "a", &ids).await {
        assert_eq!(job.extractor.as_deref(), Some("llm/stand-in"), "it waits rather than falls back");
    }
}
