use crate::world::*;
use gleaner_store::Store;

#[tokio::test]
async fn what_is_past_its_time_leaves_nothing_but_the_order_of_acceptance() {
    let mut config = config();
    config.job_retention_hours = 0;
    let store = Store::connect(&config).await.unwrap();
    let mut consumer = store.consumer("w", NEVER).await.unwrap();
    for id in 0..3 {
        queue(&store, "a", &id.to_string(), "text").await;
    }
    let deliveries = read(&mut consumer).await;
    for delivery in &deliveries[..2] {
        fail(&store, delivery).await;
    }
    // A retention of nothing ends in the millisecond after.
    tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    assert_eq!(store.sweep().await.unwrap(), 2);
    let listed = store.jobs(&tenant("a"), None, 10, None).await.unwrap().items;
    assert_eq!(listed.iter().map(|job| job.job_id).collect::<Vec<_>>(), [deliveries[2].job_id]);
    assert!(store.events_after(&tenant("a"), None, 10).await.unwrap().is_empty());
    assert_eq!(store.depth().await.unwrap().iter().map(|d| (d.dead, d.pending)).max(), Some((0, 1)));
    assert_eq!(store.sweep().await.unwrap(), 0);
}

#[tokio::test]
async fn a_failed_job_that_is_sent_again_and_again_is_one_of_its_item() {
    let (store, keys) = store_with_keys().await;
    let mut consumer = store.consumer("w", NEVER).await.unwrap();
    for _ in 0..3 {
        queue(&store, "a", "1", "text").await;
        fail(&store, &read(&mut consumer).await[0]).await;
    }
    let item = keys().into_iter().find(|key| key.contains(":item:")).expect("the item's record");
    let jobs = cli(&["hkeys", &item]).lines().filter(|field| field.starts_with("j:")).count();
    assert_eq!(jobs, 1, "what a sweep forgets with the job");
}

#[tokio::test]
async fn what_is_not_past_its_time_stays() {
    let store = store().await;
    queue(&store, "a", "1", "text").await;
    fail(&store, &read(&mut store.consumer("w", NEVER).await.unwrap()).await[0]).await;
    assert_eq!(store.sweep().await.unwrap(), 0);
    assert_eq!(store.jobs(&tenant("a"), None, 10, None).await.unwrap().items.len(), 1);
    assert_eq!(store.events_after(&tenant("a"), None, 10).await.unwrap().len(), 1);
}
