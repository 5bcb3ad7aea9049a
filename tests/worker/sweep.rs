//! What is past its time.

use gleaner_store::{Store, StoreConfig, TaskQuery};
use gleaner_testkit::{
    fixture::item,
    gleaner::GleanerProcess,
    queue::{submit, text},
    redis::RedisServer,
    wait::until,
};

#[tokio::test]
async fn workers_forget_jobs_that_are_past_their_time_and_keep_their_tasks() {
    let redis = RedisServer::in_memory();
    let store = Store::connect(&StoreConfig::at(redis.url())).await.unwrap();
    let tenant = "default".parse().unwrap();
    let tasks = async || store.list_tasks(&tenant, &TaskQuery::default()).await.unwrap().items.len();
    let records = || redis.cli(&["--scan", "--pattern", "*:item:*"]).lines().count();
    // It forgets a job as soon as it has ended.
    let worker = || GleanerProcess::worker_with(&redis.url(), &["--job-retention-hours", "0"]);
    let first = worker();
    submit(&store, "default", item("m", &text("part1"))).await;
    until("its task", || async { (tasks().await > 0).then_some(()) }).await;
    drop(first);
    assert_eq!(records(), 1, "nobody has swept since");
    let _second = worker();
    until("the job to be forgotten with its item's record", || async { (records() == 0).then_some(()) }).await;
    assert_eq!(tasks().await, 1);
}
