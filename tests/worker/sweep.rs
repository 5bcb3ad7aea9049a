//! What is past its time.

use gleaner_store::{Store, StoreConfig, TaskQuery};
use gleaner_testkit::{
    fixture::item,
    gleaner::{GleanerProcess, gleaner},
    queue::{submit, text},
    redis::RedisServer,
};
use std::time::Duration;

/// A worker that forgets a job as soon as it has ended.
fn forgetful(redis_url: &str) -> GleanerProcess {
    let mut command =
        gleaner(&["worker", "--admin-listen", "127.0.0.1:0", "--log", "off", "--job-retention-hours", "0"]);
    command.env("GLEANER_REDIS_URL", redis_url);
    GleanerProcess::start(command)
}

#[tokio::test]
async fn workers_forget_jobs_that_are_past_their_time_and_keep_their_tasks() {
    let redis = RedisServer::in_memory();
    let store = Store::connect(&StoreConfig::at(redis.url())).await.unwrap();
    let tenant = "default".parse().unwrap();
    let tasks = async || store.list_tasks(&tenant, &TaskQuery::default()).await.unwrap().items.len();
    let records = || redis.cli(&["--scan", "--pattern", "*:item:*"]).lines().count();
    let first = forgetful(&redis.url());
    submit(&store, "default", item("m", &text("part1"))).await;
    let found = async {
        while tasks().await == 0 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(120), found).await.expect("its task is found");
    drop(first);
    assert_eq!(records(), 1, "nobody has swept since");
    let _second = forgetful(&redis.url());
    let forgotten = async {
        while records() > 0 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(120), forgotten)
        .await
        .expect("the job is forgotten with its item's record");
    assert_eq!(tasks().await, 1);
}
