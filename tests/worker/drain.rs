//! A worker that is told to stop.

use gleaner_model::JobStatus;
use gleaner_store::{Store, StoreConfig};
use gleaner_testkit::{
    fixture::item,
    gleaner::GleanerProcess,
    queue::{all_succeeded, assert_empty, submit, text},
    redis::RedisServer,
};

#[tokio::test]
async fn it_finishes_what_it_has_begun_and_gives_back_the_rest_at_once() {
    let redis = RedisServer::in_memory();
    let store = Store::connect(&StoreConfig::at(redis.url())).await.unwrap();
    let mut ids = Vec::new();
    for n in 0..300 {
        // Long enough that the worker cannot be through with all of them before it hears the signal.
        let text = text(&format!("part{n}")) + &"Sam: The weather was fine on the coast.\n".repeat(400);
        ids.push(submit(&store, "default", item(&format!("m-{n}"), &text)).await);
    }
    let mut first = GleanerProcess::worker(&redis.url());
    gleaner_testkit::queue::ended(&store, "default", ids[0]).await;
    first.signal("-TERM");
    assert!(first.ended().success());
    let running = store.jobs(&"default".parse().unwrap(), Some(JobStatus::Running), 10, None).await.unwrap();
    assert!(running.items.is_empty(), "nothing is left half done");
    let _second = GleanerProcess::worker(&redis.url());
    let jobs = all_succeeded(&store, "default", &ids).await;
    assert!(jobs.iter().all(|job| job.attempts == 1), "draining costs no attempt");
    assert_empty(&store).await;
}
