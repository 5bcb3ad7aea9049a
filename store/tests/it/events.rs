use crate::world::*;
use gleaner_model::{EventKind, Job};
use gleaner_store::{Error, Notice};
use std::time::Duration;

#[tokio::test]
async fn events_resume_behind_the_last_one_seen() {
    let store = store().await;
    let a = tenant("a");
    assert_eq!(store.last_event_id(&a).await.unwrap(), None);
    let mut consumer = store.consumer("w", NEVER).await.unwrap();
    let mut jobs = Vec::new();
    for id in 0..3 {
        jobs.push(queue(&store, "a", &id.to_string(), "text").await.job_id);
        fail(&store, &read(&mut consumer).await[0]).await;
    }
    let all = store.events_after(&a, None, 10).await.unwrap();
    let ids: Vec<_> = all.iter().map(|e| serde_json::from_str::<Job>(&e.data).unwrap().job_id).collect();
    assert_eq!(ids, jobs);
    assert!(all.iter().all(|event| event.kind == EventKind::JobFailed));
    assert_eq!(store.last_event_id(&a).await.unwrap().as_ref(), Some(&all[2].id));
    assert_eq!(store.events_after(&a, Some(&all[0].id), 1).await.unwrap(), all[1..2]);
    assert!(store.events_after(&a, Some(&all[2].id), 10).await.unwrap().is_empty());
    assert!(store.events_after(&tenant("b"), None, 10).await.unwrap().is_empty());
    assert!(matches!(store.events_after(&a, Some("+"), 10).await, Err(Error::InvalidCursor)));
}

#[tokio::test]
async fn an_event_tells_how_things_stood_when_it_happened() {
    let store = store().await;
    let job = queue(&store, "a", "1", "text").await;
    fail(&store, &read(&mut store.consumer("w", NEVER).await.unwrap()).await[0]).await;
    let failed = store.job(&tenant("a"), job.job_id).await.unwrap().unwrap();
    store.requeue(&tenant("a"), job.job_id).await.unwrap();
    let event = store.events_after(&tenant("a"), None, 10).await.unwrap().remove(0);
    assert_eq!(serde_json::from_str::<Job>(&event.data).unwrap(), failed);
}

#[tokio::test]
async fn a_listener_hears_that_a_job_ended() {
    let store = store().await;
    let mut notices = store.notices();
    let job = queue(&store, "a", "1", "text").await;
    let delivery = read(&mut store.consumer("w", NEVER).await.unwrap()).await.remove(0);
    let listening = async { while notices.recv().await.unwrap() != Notice::Job(tenant("a"), job.job_id) {} };
    let failing = async {
        // The listener's connection comes up on its own time: tell until it is there.
        fail(&store, &delivery).await;
        loop {
            store.requeue(&tenant("a"), job.job_id).await.unwrap();
            let again = read(&mut store.consumer("w", NEVER).await.unwrap()).await.remove(0);
            fail(&store, &again).await;
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::select! {
        () = listening => {}
        () = failing => {}
        () = tokio::time::sleep(Duration::from_secs(60)) => panic!("nothing was heard"),
    }
}
