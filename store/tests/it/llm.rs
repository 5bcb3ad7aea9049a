//! Permits for requests to the language model: one count over all workers.

use crate::world::*;
use gleaner_store::{LlmAcquireOutcome, LlmEnd, LlmLimits, LlmPermit, Store};
use std::time::Duration;

const LIMITS: LlmLimits =
    LlmLimits { at_once: 2, tokens_per_minute: 0, tenant_tokens_per_minute: 0, lasts: Duration::from_secs(600) };

async fn acquire(store: &Store, who: &str, id: &str, tokens: u64, limits: &LlmLimits) -> LlmAcquireOutcome {
    store.acquire_llm(&tenant(who), id, tokens, limits).await.unwrap()
}

async fn granted(store: &Store, who: &str, id: &str, tokens: u64, limits: &LlmLimits) -> LlmPermit {
    match acquire(store, who, id, tokens, limits).await {
        LlmAcquireOutcome::Granted(permit) => permit,
        other => panic!("{other:?}"),
    }
}

async fn waits(store: &Store, who: &str, id: &str, tokens: u64, limits: &LlmLimits) -> Duration {
    match acquire(store, who, id, tokens, limits).await {
        LlmAcquireOutcome::RetryAfter(after) => after,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn so_many_requests_are_under_way_over_all_workers() {
    let config = config();
    let (one, two) = (Store::connect(&config).await.unwrap(), Store::connect(&config).await.unwrap());
    let first = granted(&one, "a", "1", 10, &LIMITS).await;
    granted(&two, "b", "2", 10, &LIMITS).await;
    waits(&one, "a", "3", 10, &LIMITS).await;
    assert_eq!(granted(&one, "a", "1", 10, &LIMITS).await, first, "a repeated call is granted once");
    for _ in 0..2 {
        one.release_llm(&first, 10, LlmEnd::Answered, &LIMITS).await.unwrap();
    }
    granted(&two, "b", "3", 10, &LIMITS).await;
    waits(&two, "b", "4", 10, &LIMITS).await;
}

#[tokio::test]
async fn a_lost_worker_does_not_hold_its_place_for_ever() {
    let store = store().await;
    let short = LlmLimits { at_once: 1, lasts: Duration::from_millis(1), ..LIMITS };
    granted(&store, "a", "1", 10, &short).await;
    tokio::time::sleep(Duration::from_millis(20)).await;
    granted(&store, "a", "2", 10, &short).await;
}

#[tokio::test]
async fn a_tenant_spends_no_more_than_its_share_and_others_go_on() {
    let store = store().await;
    let limits = LlmLimits { at_once: 100, tokens_per_minute: 3000, tenant_tokens_per_minute: 1000, ..LIMITS };
    let permit = granted(&store, "a", "1", 900, &limits).await;
    let after = waits(&store, "a", "2", 500, &limits).await;
    assert!((Duration::from_secs(1)..=Duration::from_secs(30)).contains(&after), "{after:?}");
    granted(&store, "b", "3", 900, &limits).await;
    store.release_llm(&permit, 100, LlmEnd::Answered, &limits).await.unwrap();
    granted(&store, "a", "4", 500, &limits).await;
    granted(&store, "c", "5", 900, &limits).await;
    waits(&store, "d", "6", 900, &limits).await;
    let huge = LlmLimits { tokens_per_minute: 0, ..limits };
    granted(&store, "e", "7", 5000, &huge).await;
    waits(&store, "e", "8", 1, &huge).await;
}

#[tokio::test]
async fn what_is_overdrawn_is_remembered_until_it_has_come_back() {
    let (store, keys) = store_with_keys().await;
    let limits = LlmLimits { at_once: 100, tenant_tokens_per_minute: 1000, ..LIMITS };
    let permit = granted(&store, "a", "1", 5000, &limits).await;
    store.release_llm(&permit, 4900, LlmEnd::Answered, &limits).await.unwrap();
    let spent = keys().into_iter().find(|key| key.ends_with(":spent:a")).expect("a bucket");
    let seconds: u64 = cli(&["ttl", &spent]).trim().parse().unwrap();
    assert!(seconds > 290, "a tenant that owes 3,900 tokens owes them for four minutes: {seconds}");
}

#[tokio::test]
async fn a_broken_model_is_left_alone_and_one_trial_finds_out_whether_it_is_back() {
    let (store, keys) = store_with_keys().await;
    let fail = async |id: &str| {
        let permit = granted(&store, "a", id, 10, &LIMITS).await;
        store.release_llm(&permit, 0, LlmEnd::Failed, &LIMITS).await.unwrap();
    };
    for id in ["1", "2", "3", "4", "5", "6", "7", "8"] {
        fail(id).await;
    }
    assert_eq!(acquire(&store, "b", "9", 10, &LIMITS).await, LlmAcquireOutcome::CircuitOpen);
    let gate = keys().into_iter().find(|key| key.ends_with(":gate")).unwrap();
    let rested = || cli(&["HSET", &gate, "open_until", "1"]);
    rested();
    let trial = granted(&store, "a", "t", 10, &LIMITS).await;
    assert_eq!(acquire(&store, "b", "9", 10, &LIMITS).await, LlmAcquireOutcome::CircuitOpen, "one trial at a time");
    store.release_llm(&trial, 0, LlmEnd::Failed, &LIMITS).await.unwrap();
    assert_eq!(
        acquire(&store, "b", "9", 10, &LIMITS).await,
        LlmAcquireOutcome::CircuitOpen,
        "it rests again, for longer"
    );
    rested();
    let trial = granted(&store, "a", "u", 10, &LIMITS).await;
    store.release_llm(&trial, 10, LlmEnd::Answered, &LIMITS).await.unwrap();
    granted(&store, "b", "9", 10, &LIMITS).await;
}

#[tokio::test]
async fn a_model_that_fails_a_third_of_the_time_is_not_broken() {
    let store = store().await;
    for number in 0..60 {
        let permit = granted(&store, "a", &number.to_string(), 10, &LIMITS).await;
        let end = if number % 3 == 0 { LlmEnd::Failed } else { LlmEnd::Answered };
        store.release_llm(&permit, 10, end, &LIMITS).await.unwrap();
    }
}

#[tokio::test]
async fn whoever_is_busy_is_left_alone_by_all() {
    let store = store().await;
    let permit = granted(&store, "a", "1", 10, &LIMITS).await;
    store.release_llm(&permit, 0, LlmEnd::Busy(Duration::from_secs(90)), &LIMITS).await.unwrap();
    let after = waits(&store, "b", "2", 10, &LIMITS).await;
    assert!((Duration::from_secs(60)..=Duration::from_secs(90)).contains(&after), "{after:?}");
}
