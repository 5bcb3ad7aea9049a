use crate::{notes::*, world::*};
use gleaner_model::JobStatus;
use gleaner_store::{RequeueOutcome, Store};

#[tokio::test]
async fn nothing_of_an_erased_item_is_left_to_process() {
    let (store, keys) = store_with_keys().await;
    let a = tenant("a");
    let mut consumer = store.consumer("w", NEVER).await.unwrap();
    let failed = queue(&store, "a", "1", "first secret").await;
    fail(&store, &read(&mut consumer).await[0]).await;
    let held = queue(&store, "a", "1", "second secret").await;
    let delivery = read(&mut consumer).await.remove(0);
    let claim = begin(&store, &delivery).await;
    let mut keyed = admission("a", "1", "third secret");
    keyed.client_key = Some("key-1234".to_owned());
    let waiting = queued(store.accept(&keyed).await.unwrap().outcome);
    let key = item("1", "").key;
    assert!(store.erase_item(&a, &key).await.unwrap());

    for job in [held.job_id, waiting.job_id] {
        let job = store.job(&a, job).await.unwrap().unwrap();
        assert_eq!((job.status, job.error.unwrap().code.as_str()), (JobStatus::Failed, "item-erased"));
    }
    assert!(store.fail(&claim, &failure()).await.unwrap(), "ended, though not by us");
    assert!(read(&mut consumer).await.is_empty());
    for job in [failed.job_id, held.job_id] {
        assert!(matches!(store.requeue(&a, job).await.unwrap(), RequeueOutcome::Gone(_)));
    }
    assert!(
        !keys().iter().any(|key| [":stream", ":dead"].iter().any(|end| key.ends_with(end)) || key.contains(":idem:"))
    );
    let depth = store.depth().await.unwrap();
    assert!(depth.iter().all(|d| (d.waiting, d.pending, d.dead) == (0, 0, 0)), "{depth:?}");

    keyed.job_id = gleaner_model::JobId::new();
    assert_eq!(queued(store.accept(&keyed).await.unwrap().outcome).job_id, keyed.job_id, "it can be submitted again");
    assert_ne!(queue(&store, "a", "1", "third secret").await.job_id, waiting.job_id);
}

#[tokio::test]
async fn erasing_one_item_leaves_others_alone() {
    let store = store().await;
    let other = queue(&store, "a", "2", "text").await;
    let elsewhere = queue(&store, "b", "1", "text").await;
    queue(&store, "a", "1", "text").await;
    assert!(store.erase_item(&tenant("a"), &item("1", "").key).await.unwrap());
    assert!(!store.erase_item(&tenant("a"), &item("never seen", "").key).await.unwrap());
    let mut left: Vec<_> =
        read(&mut store.consumer("w", NEVER).await.unwrap()).await.iter().map(|d| d.job_id).collect();
    left.sort();
    assert_eq!(left, [other.job_id, elsewhere.job_id]);
}

#[tokio::test]
async fn what_quotes_an_item_in_an_event_of_an_unknown_kind_is_erased_too() {
    let config = config();
    let store = Store::connect(&config).await.unwrap();
    let a = tenant("a");
    record(&store, &mut store.consumer("w", NEVER).await.unwrap(), mention("1", "Call the customer", 1)).await;
    let events = store.events_after(&a, None, 10).await.unwrap();
    let told = events.iter().find(|event| event.data.contains("customer")).unwrap();
    let stream = cli(&["--scan", "--pattern", &format!("{}:*:t:a:events", config.prefix)]);
    cli(&["XADD", stream.trim(), "*", "kind", "task.dreamt", "data", &told.data]);
    assert!(store.erase_item(&a, &item("1", "").key).await.unwrap());
    store.events_after(&a, None, 10).await.unwrap();
    let left = cli(&["XRANGE", stream.trim(), "-", "+"]);
    assert!(!left.contains("customer"), "{left}");
}
