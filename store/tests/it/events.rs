use crate::{notes::*, world::*};
use gleaner_model::{EventKind, Job, Task};
use gleaner_store::{Completion, Error, Notice, Store, TaskChange};
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
async fn events_of_kinds_that_a_newer_release_wrote_are_left_out() {
    let config = config();
    let store = Store::connect(&config).await.unwrap();
    let mut consumer = store.consumer("w", NEVER).await.unwrap();
    for id in 0..3 {
        queue(&store, "a", &id.to_string(), "text").await;
        fail(&store, &read(&mut consumer).await[0]).await;
        let stream = cli(&["--scan", "--pattern", &format!("{}:*:t:a:events", config.prefix)]);
        for _ in 0..3 {
            cli(&["XADD", stream.trim(), "*", "kind", "task.dreamt", "dream", "[]"]);
        }
    }
    let (mut seen, mut after) = (0, None::<String>);
    while let Some(event) = store.events_after(&tenant("a"), after.as_deref(), 1).await.unwrap().pop() {
        (seen, after) = (seen + 1, Some(event.id));
    }
    assert_eq!(seen, 3);
    assert_eq!(store.events_after(&tenant("a"), None, 2).await.unwrap().len(), 2);
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

#[tokio::test]
async fn events_are_bounded_in_bytes_and_hold_what_is_new() {
    let mut config = config();
    config.events_kept_bytes = 20_000;
    let store = gleaner_store::Store::connect(&config).await.unwrap();
    let a = tenant("a");
    let mut consumer = store.consumer("w", NEVER).await.unwrap();
    let mut task = record(&store, &mut consumer, mention("0", "send the report", 0)).await;
    for n in 1..120 {
        let claim = running(&store, &mut consumer, &n.to_string()).await;
        let found = store.candidates(&a, &item(&n.to_string(), "").key, &[]).await.unwrap();
        let mut after = task.clone();
        after.put_mention(mention(&n.to_string(), "send the report", n));
        let update = TaskChange::Update { before: task.clone(), after };
        assert_eq!(store.complete(&claim, &plan(&found, vec![update])).await.unwrap(), Completion::Applied);
        task = store.task(&a, task.id).await.unwrap().unwrap();
    }
    let events = store.events_after(&a, None, 10_000).await.unwrap();
    let bytes: usize = events.iter().map(|event| event.data.len()).sum();
    assert!((10..100).contains(&events.len()) && bytes < 30_000, "{} events, {bytes} bytes", events.len());
    let last = events.iter().rev().find_map(|event| serde_json::from_str::<Task>(&event.data).ok()).unwrap();
    assert_eq!((last.mentions, last.evidence.len(), last.evidence[0].external_id.as_str()), (120, 1, "119"));
}
