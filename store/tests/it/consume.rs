use crate::world::*;
use gleaner_model::JobStatus;
use gleaner_store::{Room, Wake};
use std::time::Duration;

const LONG: Duration = Duration::from_secs(60);

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
    // One partition, so that all of them compete.
    let mut config = config();
    config.partitions = 1;
    let store = gleaner_store::Store::connect(&config).await.unwrap();
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
    let mut config = config();
    config.partitions = 1;
    let store = gleaner_store::Store::connect(&config).await.unwrap();
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
    let mut config = config();
    config.partitions = 1;
    let store = gleaner_store::Store::connect(&config).await.unwrap();
    let large = "word ".repeat(20_000);
    for id in 0..10 {
        queue(&store, "large", &id.to_string(), &large).await;
        queue(&store, "small", &id.to_string(), "text").await;
    }
    let mut consumer = store.consumer("w", NEVER).await.unwrap();
    let read = consumer.read(Room { entries: 12, bytes: 1 << 30 }).await.unwrap();
    let small = read.iter().filter(|d| d.tenant == tenant("small")).count();
    assert!(small >= 10, "{small} small ones of 12");
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
    let read = consumer.read(Room { entries: 5, bytes: 2000 }).await.unwrap();
    assert_eq!(read.len(), 2, "the second entry passes 2,000 bytes");
    let rest = consumer.read(Room { entries: 3, bytes: 1 << 20 }).await.unwrap();
    assert_eq!(rest.len(), 3);
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
