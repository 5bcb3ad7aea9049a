use crate::world::*;
use gleaner_model::JobStatus;
use gleaner_store::{Delivery, Room, Wake};
use gleaner_testkit::redis::RedisServer;
use std::time::Duration;

const LONG: Duration = Duration::from_secs(60);

/// A store with a single partition, so that all tenants compete.
async fn single() -> gleaner_store::Store {
    let mut config = config();
    config.partitions = 1;
    gleaner_store::Store::connect(&config).await.unwrap()
}

fn whose(deliveries: &[Delivery]) -> Vec<&str> {
    deliveries.iter().map(|delivery| delivery.tenant.as_str()).collect()
}

#[tokio::test]
async fn a_job_runs_when_it_is_begun_and_not_before() {
    let store = store().await;
    let job = queue(&store, "a", "1", "text").await;
    let mut consumer = store.consumer("w", NEVER).await.unwrap();
    let delivery = read(&mut consumer).await.remove(0);
    assert_eq!(store.job(&tenant("a"), job.job_id).await.unwrap().unwrap().status, JobStatus::Accepted);

    let claim = begin(&store, &delivery).await;
    assert_eq!(claim, begin(&store, &delivery).await, "a lost answer is asked for again");
    let running = store.job(&tenant("a"), job.job_id).await.unwrap().unwrap();
    assert_eq!((running.status, running.attempts), (JobStatus::Running, 1));
    assert!(running.started_at.unwrap() >= running.accepted_at);
    assert!(read(&mut consumer).await.is_empty(), "an entry is handed out once");
}

#[tokio::test]
async fn a_failed_job_says_why_and_can_be_failed_once() {
    let store = store().await;
    let job = queue(&store, "a", "1", "text").await;
    let mut consumer = store.consumer("w", NEVER).await.unwrap();
    let claim = begin(&store, &read(&mut consumer).await[0]).await;
    assert!(store.fail(&claim, &failure()).await.unwrap());
    assert!(store.fail(&claim, &failure()).await.unwrap(), "a lost answer is asked for again");
    let failed = store.job(&tenant("a"), job.job_id).await.unwrap().unwrap();
    assert_eq!((failed.status, failed.error), (JobStatus::Failed, Some(failure())));
    assert!(failed.finished_at.unwrap() >= failed.started_at.unwrap());
    assert_eq!(store.events_after(&tenant("a"), None, 10).await.unwrap().len(), 1);
}

#[tokio::test]
async fn nobody_waits_behind_somebody_elses_backlog() {
    let store = single().await;
    for id in 0..300 {
        queue(&store, "busy", &id.to_string(), "text").await;
    }
    let mut consumer = store.consumer("w", NEVER).await.unwrap();
    let few = Room { entries: 16, bytes: 1 << 20 };
    assert!(consumer.read(few).await.unwrap().iter().all(|d| d.tenant == tenant("busy")));
    queue(&store, "late", "1", "text").await;
    queue(&store, "later", "1", "text").await;
    let next = consumer.read(few).await.unwrap();
    let first: Vec<_> = next.iter().take(4).map(|d| d.tenant.as_str()).collect();
    assert!(first.contains(&"late") && first.contains(&"later"), "{first:?}");
}

#[tokio::test]
async fn whoever_sends_one_at_a_time_takes_no_more_than_a_share() {
    let store = single().await;
    for id in 0..20 {
        queue(&store, "patient", &id.to_string(), "text").await;
    }
    let mut consumer = store.consumer("w", NEVER).await.unwrap();
    let one = Room { entries: 1, bytes: 1 << 20 };
    let mut served = 0;
    for id in 0..20 {
        queue(&store, "eager", &id.to_string(), "text").await;
        served += consumer.read(one).await.unwrap().iter().filter(|d| d.tenant == tenant("patient")).count();
    }
    assert!((8..=12).contains(&served), "{served} of 20 turns");
}

#[tokio::test]
async fn large_items_pay_for_their_size() {
    let store = single().await;
    let large = "word ".repeat(20_000);
    for id in 0..10 {
        queue(&store, "large", &id.to_string(), &large).await;
        queue(&store, "small", &id.to_string(), "text").await;
    }
    let mut consumer = store.consumer("w", NEVER).await.unwrap();
    let read = consumer.read(Room { entries: 128, bytes: 1 << 30 }).await.unwrap();
    let small = read.iter().take(12).filter(|d| d.tenant == tenant("small")).count();
    assert!(small >= 10, "{small} small ones of the first 12");
}

#[tokio::test]
async fn a_read_stops_at_its_room() {
    let store = store().await;
    for id in 0..10 {
        queue(&store, "a", &id.to_string(), &"word ".repeat(200)).await;
    }
    let mut consumer = store.consumer("w", NEVER).await.unwrap();
    consumer.read(Room { entries: 1, bytes: 1 }).await.unwrap();
    // Only the tenant's partition is left to look at by now, so all of the room is its own.
    while consumer.read(Room { entries: 1, bytes: 1 }).await.unwrap().is_empty() {}
    let read = consumer.read(Room { entries: 8, bytes: 4000 }).await.unwrap();
    assert_eq!(read.len(), 2, "the second entry passes 2,000 bytes, half of the room for one tenant alone");
    let rest = consumer.read(Room { entries: 6, bytes: 1 << 20 }).await.unwrap();
    assert_eq!(rest.len(), 3, "half of six");
}

#[tokio::test]
async fn a_backlog_fills_half_of_the_room_and_others_have_what_is_left() {
    let store = single().await;
    for id in 0..64 {
        queue(&store, "busy", &id.to_string(), "text").await;
    }
    let mut consumer = store.consumer("w", NEVER).await.unwrap();
    let room = Room { entries: 16, bytes: 1 << 20 };
    assert_eq!(whose(&consumer.read(room).await.unwrap()), ["busy"; 8]);
    for id in 0..64 {
        queue(&store, "late", &id.to_string(), "text").await;
    }
    let both = consumer.read(room).await.unwrap();
    let late = whose(&both).iter().filter(|name| **name == "late").count();
    assert!((5..=6).contains(&late) && (10..=12).contains(&both.len()), "a third each: {:?}", whose(&both));
}

#[tokio::test]
async fn a_tenant_is_passed_over_until_it_is_not() {
    let store = single().await;
    for id in 0..40 {
        queue(&store, "busy", &id.to_string(), "text").await;
    }
    let mut consumer = store.consumer("w", NEVER).await.unwrap();
    consumer.pass_over([tenant("busy")].into());
    assert!(read(&mut consumer).await.is_empty());
    queue(&store, "late", "1", "text").await;
    let found = tokio::time::timeout(LONG / 2, async {
        consumer.wait(LONG).await.unwrap();
        consumer.read(ROOM).await.unwrap()
    });
    assert_eq!(whose(&found.await.expect("it is told of others who come")), ["late"]);
    consumer.pass_over([].into());
    assert_eq!(consumer.wait(LONG).await.unwrap(), Wake::Entries, "what was passed over is still there");
    assert_eq!(whose(&consumer.read(Room { entries: 8, bytes: 1 << 20 }).await.unwrap()), ["busy"; 4]);
}

#[tokio::test]
async fn who_was_passed_over_has_not_saved_up() {
    let store = single().await;
    for id in 0..40 {
        queue(&store, "busy", &id.to_string(), "text").await;
        queue(&store, "other", &id.to_string(), "text").await;
    }
    let mut consumer = store.consumer("w", NEVER).await.unwrap();
    consumer.pass_over([tenant("busy")].into());
    assert_eq!(consumer.read(Room { entries: 40, bytes: 1 << 20 }).await.unwrap().len(), 20);
    consumer.pass_over([].into());
    let next = consumer.read(ROOM).await.unwrap();
    let first: Vec<_> = whose(&next).into_iter().take(8).collect();
    assert!(first.iter().filter(|name| **name == "other").count() >= 3, "by turns: {first:?}");
}

#[tokio::test]
async fn a_consumer_asks_no_more_while_there_is_nobody_but_those_passed_over() {
    // A server of its own, on which nobody else's calls are counted.
    let server = RedisServer::start(&["--appendonly", "no"]);
    let mut config = gleaner_store::StoreConfig::at(format!("redis://127.0.0.1:{}", server.port()));
    config.partitions = 1;
    let store = gleaner_store::Store::connect(&config).await.unwrap();
    for id in 0..40 {
        queue(&store, "busy", &id.to_string(), "text").await;
    }
    let reads = || {
        let stats = server.cli(&["INFO", "commandstats"]);
        let calls = stats.lines().find_map(|line| line.strip_prefix("cmdstat_evalsha:calls=")).unwrap_or("0,");
        calls.split(',').next().unwrap().parse::<u32>().unwrap()
    };
    let mut consumer = store.consumer("w", NEVER).await.unwrap();
    consumer.pass_over([tenant("busy")].into());
    assert!(read(&mut consumer).await.is_empty());
    // News of the submissions may still have been on the way.
    assert!(read(&mut consumer).await.is_empty());
    let before = reads();
    for _ in 0..20 {
        assert!(read(&mut consumer).await.is_empty());
    }
    assert_eq!(reads(), before);
    consumer.pass_over([].into());
    assert_eq!(whose(&consumer.read(Room { entries: 128, bytes: 1 << 20 }).await.unwrap()), ["busy"; 40]);
    assert_eq!(reads(), before + 1);
}

#[tokio::test]
async fn an_idle_consumer_wakes_when_something_comes() {
    let store = store().await;
    let mut consumer = store.consumer("w", NEVER).await.unwrap();
    assert_eq!(consumer.wait(LONG).await.unwrap(), Wake::Entries, "at first it looks for itself");
    assert!(read(&mut consumer).await.is_empty());
    let waiting = tokio::spawn(async move {
        consumer.wait(LONG).await.unwrap();
        read(&mut consumer).await.len()
    });
    queue(&store, "a", "1", "text").await;
    assert_eq!(tokio::time::timeout(LONG / 2, waiting).await.expect("it wakes").unwrap(), 1);
}

#[tokio::test]
async fn what_comes_after_a_silence_is_read_once() {
    let store = store().await;
    let mut consumer = store.consumer("w", NEVER).await.unwrap();
    read(&mut consumer).await;
    assert_eq!(consumer.wait(Duration::from_millis(10)).await.unwrap(), Wake::Entries);
    queue(&store, "a", "1", "text").await;
    // The word of it may come a little after it.
    let found = tokio::time::timeout(LONG, async {
        loop {
            let found = consumer.read(ROOM).await.unwrap();
            if !found.is_empty() {
                return found.len();
            }
            consumer.wait(Duration::from_millis(10)).await.unwrap();
        }
    });
    assert_eq!(found.await.expect("it is found"), 1);
    assert!(read(&mut consumer).await.is_empty());
}

#[tokio::test]
async fn the_depth_counts_what_waits_and_what_is_held() {
    let store = store().await;
    for id in 0..3 {
        queue(&store, "a", &id.to_string(), "text").await;
    }
    let sum = async || {
        let depth = store.depth().await.unwrap();
        depth.iter().fold((0, 0, 0), |sum, d| (sum.0 + d.waiting, sum.1 + d.pending, sum.2 + d.dead))
    };
    assert_eq!(sum().await, (3, 0, 0));
    let mut consumer = store.consumer("w", NEVER).await.unwrap();
    let deliveries = read(&mut consumer).await;
    assert_eq!(sum().await, (0, 3, 0));
    fail(&store, &deliveries[0]).await;
    assert_eq!(sum().await, (0, 2, 1));
}

#[tokio::test]
async fn an_idle_tenant_leaves_no_stream_behind() {
    let (store, keys) = store_with_keys().await;
    let mut consumer = store.consumer("w", NEVER).await.unwrap();
    for _ in 0..3 {
        queue(&store, "a", "1", "text").await;
        let delivery = read(&mut consumer).await.remove(0);
        fail(&store, &delivery).await;
        assert!(!keys().iter().any(|key| key.ends_with(":stream")), "{:?}", keys());
    }
    read(&mut consumer).await;
    consumer.reclaim(ROOM).await.unwrap();
    assert!(!keys().iter().any(|key| key.ends_with(":ready") || key.ends_with(":busy")), "{:?}", keys());
}
