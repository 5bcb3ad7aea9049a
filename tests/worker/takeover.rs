//! Lost workers: their items are taken over, and done once.

use gleaner_model::{JobStatus, TenantId};
use gleaner_store::{Room, Store, StoreConfig, Takeover};
use gleaner_testkit::{
    fixture::item,
    gleaner::GleanerProcess,
    queue::{all_succeeded, assert_empty, submit, text},
    redis::RedisServer,
};
use std::time::Duration;

const TAKEOVER: Takeover = Takeover { idle: Duration::from_secs(3600), attempts: 5 };
const ROOM: Room = Room { entries: 160, bytes: 16 << 20 };

#[tokio::test]
async fn what_a_lost_worker_had_begun_is_done_once_by_another() {
    let redis = RedisServer::in_memory();
    let store = Store::connect(&StoreConfig::at(redis.url())).await.unwrap();
    let id = submit(&store, "default", item("m-1", &text("blue"))).await;
    // A worker that reads, begins, and is never heard of again.
    let mut lost = store.consumer("lost", TAKEOVER).await.unwrap();
    let deliveries = lost.read(ROOM).await.unwrap();
    let claim = store.begin(&deliveries[0]).await.unwrap().expect("it is ours");
    let _worker = GleanerProcess::worker(&redis.url());
    let jobs = all_succeeded(&store, "default", &[id]).await;
    assert_eq!(jobs[0].attempts, 2);
    // It comes back to life too late.
    let failure = gleaner_model::JobFailure { code: "late".to_owned(), message: "too late".to_owned() };
    assert!(!store.fail(&claim, &failure).await.unwrap(), "its word no longer counts");
    assert_eq!(store.job(&TenantId::default(), id).await.unwrap().unwrap().status, JobStatus::Succeeded);
    assert_empty(&store).await;
}

#[tokio::test]
async fn what_was_only_read_ahead_is_taken_over_without_counting_as_an_attempt() {
    let redis = RedisServer::in_memory();
    let store = Store::connect(&StoreConfig::at(redis.url())).await.unwrap();
    let mut ids = Vec::new();
    for n in 0..5 {
        ids.push(submit(&store, "default", item(&format!("m-{n}"), &text(&format!("part{n}")))).await);
    }
    let mut lost = store.consumer("lost", TAKEOVER).await.unwrap();
    assert_eq!(lost.read(ROOM).await.unwrap().len(), 5);
    let _worker = GleanerProcess::worker(&redis.url());
    let jobs = all_succeeded(&store, "default", &ids).await;
    assert!(jobs.iter().all(|job| job.attempts == 1), "{jobs:?}");
}
