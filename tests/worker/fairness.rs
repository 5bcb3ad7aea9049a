//! Nobody waits behind another tenant's backlog, or its long texts.

use gleaner_model::{JobId, JobStatus, TenantId};
use gleaner_store::{Store, StoreConfig};
use gleaner_testkit::{
    fixture::item,
    gleaner::GleanerProcess,
    queue::{ended, submit, text},
    redis::RedisServer,
};

#[tokio::test]
async fn a_tenant_that_is_thousands_of_items_ahead_delays_nobody() {
    let redis = RedisServer::in_memory();
    // One partition: the two tenants share everything there is to share.
    let config = StoreConfig { partitions: 1, ..StoreConfig::at(redis.url()) };
    let store = Store::connect(&config).await.unwrap();
    let filler = "Sam: The weather was fine on the coast.\n".repeat(50);
    for n in 0..3000 {
        submit(&store, "busy", item(&format!("m-{n}"), &(text(&format!("part{n}")) + &filler))).await;
    }
    let _worker = GleanerProcess::worker_with(&redis.url(), &["--redis-partitions", "1"]);
    while store.depth().await.unwrap()[0].waiting > 2800 {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    let id = submit(&store, "quiet", item("m-1", &text("only"))).await;
    let before = store.depth().await.unwrap()[0].waiting;
    assert_eq!(ended(&store, "quiet", id).await.status, JobStatus::Succeeded);
    let after = store.depth().await.unwrap()[0].waiting;
    assert!(before - after < 600, "the backlog went from {before} to {after} while one item waited");
    assert!(after > 0, "the backlog was still there");
}

#[tokio::test]
async fn a_tenant_whose_long_texts_take_all_that_it_may_delays_nobody() {
    let redis = RedisServer::in_memory();
    let config = StoreConfig { partitions: 1, ..StoreConfig::at(redis.url()) };
    let store = Store::connect(&config).await.unwrap();
    let turns: String =
        (0..).map(|n| format!("Dana: I'll send part {n} of the offer to Northwind.\n")).take(2_500).collect();
    let mut long = Vec::new();
    for n in 0..24 {
        long.push(submit(&store, "long", item(&format!("m-{n}"), &turns)).await);
    }
    let flags = ["--redis-partitions", "1", "--worker-threads", "2"];
    let _worker = GleanerProcess::worker_with(&redis.url(), &flags);
    let mut under_way = Vec::new();
    while under_way.len() < 4 {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        under_way = running(&store, "long", &long).await;
    }
    let id = submit(&store, "quiet", item("m-1", &text("only"))).await;
    assert_eq!(ended(&store, "quiet", id).await.status, JobStatus::Succeeded);
    let still = running(&store, "long", &under_way).await;
    assert!(!still.is_empty(), "all that was under way had to end before");
}

/// Which of these jobs run.
async fn running(store: &Store, tenant: &str, ids: &[JobId]) -> Vec<JobId> {
    let tenant = TenantId::new(tenant).unwrap();
    let mut running = Vec::new();
    for id in ids {
        if store.job(&tenant, *id).await.unwrap().unwrap().status == JobStatus::Running {
            running.push(*id);
        }
    }
    running
}
