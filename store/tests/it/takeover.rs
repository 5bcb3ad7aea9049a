use crate::world::*;
use gleaner_model::JobStatus;
use gleaner_store::{RequeueOutcome, Wake};

#[tokio::test]
async fn a_lost_workers_delivery_goes_to_another() {
    let store = store().await;
    let job = queue(&store, "a", "1", "text").await;
    let (mut lost, mut heir) =
        (store.consumer("lost", NEVER).await.unwrap(), store.consumer("heir", AT_ONCE).await.unwrap());
    let first = read(&mut lost).await.remove(0);
    let stale = begin(&store, &first).await;
    let taken = heir.reclaim(ROOM).await.unwrap();
    assert_eq!(taken.dead_lettered, 0);
    let second = &taken.deliveries[0];
    assert_eq!((second.job_id, second.attempts, second.body.clone()), (job.job_id, 1, first.body.clone()));
    let waiting = store.job(&tenant("a"), job.job_id).await.unwrap().unwrap();
    assert_eq!((waiting.status, waiting.attempts), (JobStatus::Accepted, 1));

    assert!(!store.fail(&stale, &failure()).await.unwrap(), "the lost worker comes too late");
    assert_eq!(store.begin(&first).await.unwrap(), None);
    assert_eq!(store.heartbeat(&[&first]).await.unwrap(), [&first]);
    let claim = begin(&store, second).await;
    assert_eq!(claim.attempt, 2);
    assert!(!store.fail(&stale, &failure()).await.unwrap());
    assert!(store.fail(&claim, &failure()).await.unwrap());
}

#[tokio::test]
async fn a_delivery_that_is_kept_is_not_taken() {
    let store = store().await;
    queue(&store, "a", "1", "text").await;
    let delivery = read(&mut store.consumer("w", NEVER).await.unwrap()).await.remove(0);
    let mut heir = store.consumer("heir", NEVER).await.unwrap();
    assert!(store.heartbeat(&[&delivery]).await.unwrap().is_empty());
    assert!(heir.reclaim(ROOM).await.unwrap().deliveries.is_empty());
    begin(&store, &delivery).await;
}

#[tokio::test]
async fn deliveries_that_were_never_begun_do_not_count() {
    let store = store().await;
    queue(&store, "a", "1", "text").await;
    read(&mut store.consumer("w", NEVER).await.unwrap()).await;
    for round in 0..8 {
        let mut heir = store.consumer(&format!("heir{round}"), AT_ONCE).await.unwrap();
        let taken = heir.reclaim(ROOM).await.unwrap();
        assert_eq!((taken.dead_lettered, taken.deliveries.len(), taken.deliveries[0].attempts), (0, 1, 0));
    }
}

#[tokio::test]
async fn after_five_attempts_a_job_is_given_up_and_can_be_requeued() {
    let store = store().await;
    let job = queue(&store, "a", "1", "text").await;
    let mut consumer = store.consumer("w", AT_ONCE).await.unwrap();
    let mut delivery = read(&mut consumer).await.remove(0);
    for attempt in 1..=5 {
        assert_eq!(begin(&store, &delivery).await.attempt, attempt);
        let mut taken = consumer.reclaim(ROOM).await.unwrap();
        if attempt < 5 {
            delivery = taken.deliveries.remove(0);
        } else {
            assert_eq!((taken.deliveries.len(), taken.dead_lettered), (0, 1));
        }
    }
    let failed = store.job(&tenant("a"), job.job_id).await.unwrap().unwrap();
    assert_eq!((failed.status, failed.attempts), (JobStatus::Failed, 5));
    assert_eq!(failed.error.unwrap().code, "delivery-limit");
    assert_eq!(store.depth().await.unwrap().iter().map(|d| (d.pending, d.dead)).max(), Some((0, 1)));

    let RequeueOutcome::Queued(queued) = store.requeue(&tenant("a"), job.job_id).await.unwrap() else {
        panic!("queued")
    };
    assert_eq!((queued.status, queued.attempts, queued.error), (JobStatus::Accepted, 0, None));
    let again = read(&mut consumer).await.remove(0);
    assert_eq!((again.job_id, again.body), (job.job_id, delivery.body));
    assert_eq!(store.depth().await.unwrap().iter().map(|d| d.dead).sum::<u64>(), 0);
}

#[tokio::test]
async fn a_takeover_comes_before_the_tenants_own_backlog() {
    let store = store().await;
    for id in 0..50 {
        queue(&store, "a", &id.to_string(), "text").await;
    }
    let mut lost = store.consumer("lost", NEVER).await.unwrap();
    let mut first = Vec::new();
    while first.is_empty() {
        first = lost.read(gleaner_store::Room { entries: 1, bytes: 1 }).await.unwrap();
    }
    let mut heir = store.consumer("heir", AT_ONCE).await.unwrap();
    assert_eq!(heir.reclaim(ROOM).await.unwrap().deliveries[0].job_id, first[0].job_id);
}

#[tokio::test]
async fn what_is_released_goes_to_an_idle_worker_at_once() {
    let store = store().await;
    queue(&store, "a", "1", "text").await;
    let mut leaving = store.consumer("leaving", NEVER).await.unwrap();
    let mut idle = store.consumer("idle", NEVER).await.unwrap();
    let delivery = read(&mut leaving).await.remove(0);
    read(&mut idle).await;
    assert_eq!(store.release(&[&delivery]).await.unwrap(), 1);
    while idle.wait(std::time::Duration::from_secs(60)).await.unwrap() != Wake::GivenBack {
        read(&mut idle).await;
    }
    let taken = idle.reclaim(ROOM).await.unwrap().deliveries;
    assert_eq!((taken.len(), taken[0].attempts), (1, 0));
    assert_eq!(store.begin(&delivery).await.unwrap(), None);
}

#[tokio::test]
async fn only_a_failed_job_is_requeued() {
    let store = store().await;
    let job = queue(&store, "a", "1", "text").await;
    assert!(matches!(store.requeue(&tenant("a"), job.job_id).await.unwrap(), RequeueOutcome::Queued(_)));
    assert_eq!(store.requeue(&tenant("b"), job.job_id).await.unwrap(), RequeueOutcome::NotFound);
    assert_eq!(read(&mut store.consumer("w", NEVER).await.unwrap()).await.len(), 1, "it was queued already");
}

#[tokio::test]
async fn a_requeued_job_keeps_its_place_and_a_resubmitted_one_takes_a_new_one() {
    let store = store().await;
    let mut consumer = store.consumer("w", NEVER).await.unwrap();
    let old = queue(&store, "a", "1", "old").await;
    let first = read(&mut consumer).await.remove(0);
    fail(&store, &first).await;
    queue(&store, "a", "1", "new").await;
    let newer = read(&mut consumer).await.remove(0);
    store.requeue(&tenant("a"), old.job_id).await.unwrap();
    let requeued = read(&mut consumer).await.remove(0);
    assert_eq!(requeued.seq, first.seq);
    assert!(requeued.seq < newer.seq);
}
