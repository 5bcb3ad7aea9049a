use crate::world::*;
use futures::future::join_all;
use gleaner_model::{JobId, JobStatus};
use gleaner_store::{AcceptOutcome, RateLimit};

#[tokio::test]
async fn a_submission_becomes_a_job_and_an_entry() {
    let store = store().await;
    let admission = admission("a", "m-1", "Dana will send it.");
    let job = queued(store.accept(&admission).await.unwrap().outcome);
    assert_eq!(job.job_id, admission.job_id);
    assert_eq!((job.status, job.attempts, job.external_id.as_str()), (JobStatus::Accepted, 0, "m-1"));
    assert_eq!(job.idempotency_key, admission.idempotency_key());
    assert_eq!(store.job(&admission.tenant, job.job_id).await.unwrap(), Some(job.clone()));

    let delivery = read(&mut store.consumer("w", NEVER).await.unwrap()).await.remove(0);
    assert_eq!((delivery.job_id, delivery.attempts), (job.job_id, 0));
    assert_eq!((delivery.request_id.as_str(), delivery.traceparent.as_deref()), ("request", Some("00-trace")));
    let payload = delivery.payload().unwrap();
    assert_eq!((payload.item, payload.subject), (admission.item, admission.subject));
}

#[tokio::test]
async fn a_lost_answer_can_be_asked_for_again() {
    let store = store().await;
    let mut admission = admission("a", "m-1", "text");
    for client_key in [None, Some("client-key".to_owned())] {
        admission.job_id = JobId::new();
        admission.client_key = client_key;
        admission.item.transcript.push('.');
        let first = queued(store.accept(&admission).await.unwrap().outcome);
        let again = queued(store.accept(&admission).await.unwrap().outcome);
        assert_eq!(first, again, "the same call, so not a replay");
    }
    assert_eq!(read(&mut store.consumer("w", NEVER).await.unwrap()).await.len(), 2);
}

#[tokio::test]
async fn a_lost_answer_can_be_asked_for_after_the_item_has_changed() {
    let store = store().await;
    let first = admission("a", "m-1", "first");
    let job = queued(store.accept(&first).await.unwrap().outcome);
    queue(&store, "a", "m-1", "second").await;
    assert_eq!(queued(store.accept(&first).await.unwrap().outcome), job);
    assert_eq!(read(&mut store.consumer("w", NEVER).await.unwrap()).await.len(), 2);
}

#[tokio::test]
async fn the_same_content_again_is_the_same_job() {
    let store = store().await;
    let first = queue(&store, "a", "m-1", "text").await;
    let second = replayed(store.accept(&admission("a", "m-1", "text")).await.unwrap().outcome);
    assert_eq!(first.job_id, second.job_id);
    assert_ne!(first.job_id, queue(&store, "a", "m-2", "text").await.job_id, "another item");
    assert_ne!(first.job_id, queue(&store, "b", "m-1", "text").await.job_id, "another tenant");
    assert_eq!(store.jobs(&tenant("a"), None, 10, None).await.unwrap().items.len(), 2);
}

#[tokio::test]
async fn going_back_to_earlier_content_is_a_new_job() {
    let store = store().await;
    let a = queue(&store, "a", "m-1", "first").await;
    let b = queue(&store, "a", "m-1", "second").await;
    let back = queue(&store, "a", "m-1", "first").await;
    assert_ne!(a.job_id, back.job_id);
    let again = replayed(store.accept(&admission("a", "m-1", "first")).await.unwrap().outcome);
    assert_eq!(again.job_id, back.job_id);
    let deliveries = read(&mut store.consumer("w", NEVER).await.unwrap()).await;
    assert_eq!(deliveries.iter().map(|d| d.job_id).collect::<Vec<_>>(), [a.job_id, b.job_id, back.job_id]);
    assert!(deliveries.windows(2).all(|pair| pair[0].seq < pair[1].seq), "later accepted, later in order");
}

#[tokio::test]
async fn a_clients_key_belongs_to_its_content() {
    let store = store().await;
    let keyed = |external_id, transcript| {
        let mut admission = admission("a", external_id, transcript);
        admission.client_key = Some("key-1234".to_owned());
        admission
    };
    let first = queued(store.accept(&keyed("m-1", "text")).await.unwrap().outcome);
    assert_eq!(first.idempotency_key, "key-1234");
    assert_eq!(store.accept(&keyed("m-1", "other")).await.unwrap().outcome, AcceptOutcome::KeyReused);
    queue(&store, "a", "m-1", "in between").await;
    let replay = replayed(store.accept(&keyed("m-1", "text")).await.unwrap().outcome);
    assert_eq!(replay.job_id, first.job_id, "a client's key is a promise, whatever came between");
    let other = admission("a", "m-1", "text");
    assert_ne!(queued(store.accept(&other).await.unwrap().outcome).job_id, first.job_id);
}

#[tokio::test]
async fn a_clients_key_covers_the_items_name_as_well() {
    let store = store().await;
    let mut first = admission("a", "m-1", "text");
    first.client_key = Some("key-1234".to_owned());
    queued(store.accept(&first).await.unwrap().outcome);
    let mut other = admission("a", "m-2", "text");
    other.client_key = Some("key-1234".to_owned());
    assert_eq!(store.accept(&other).await.unwrap().outcome, AcceptOutcome::KeyReused);
}

#[tokio::test]
async fn a_client_cannot_guess_its_way_to_a_derived_key() {
    let store = store().await;
    let derived = queue(&store, "a", "m-1", "text").await;
    let mut sly = admission("a", "m-2", "other");
    sly.client_key = Some(derived.idempotency_key.clone());
    assert_ne!(queued(store.accept(&sly).await.unwrap().outcome).job_id, derived.job_id);
}

#[tokio::test]
async fn a_replay_of_a_failed_job_queues_it_anew_under_its_id() {
    let store = store().await;
    let mut consumer = store.consumer("w", NEVER).await.unwrap();
    let job = queue(&store, "a", "m-1", "text").await;
    fail(&store, &read(&mut consumer).await[0]).await;
    let failed = store.job(&tenant("a"), job.job_id).await.unwrap().unwrap();
    assert_eq!((failed.status, failed.error.unwrap().code.as_str()), (JobStatus::Failed, "broken"));

    let again = admission("a", "m-1", "text");
    let revived = queued(store.accept(&again).await.unwrap().outcome);
    assert_eq!((revived.job_id, revived.status, revived.attempts), (job.job_id, JobStatus::Accepted, 0));
    assert_eq!((revived.error, revived.started_at, revived.finished_at), (None, None, None));
    assert_eq!(
        queued(store.accept(&again).await.unwrap().outcome),
        store.job(&tenant("a"), job.job_id).await.unwrap().unwrap()
    );
    let deliveries = read(&mut consumer).await;
    assert_eq!(deliveries.iter().map(|d| d.job_id).collect::<Vec<_>>(), [job.job_id]);
    assert_eq!(store.depth().await.unwrap().iter().map(|d| d.dead).sum::<u64>(), 0, "the dead letter is gone");
}

#[tokio::test]
async fn a_tenant_over_its_backlog_waits_and_others_do_not() {
    let store = store().await;
    let submit = |to: &'static str, id: &'static str| {
        let mut admission = admission(to, id, "text");
        admission.backlog_cap = 2;
        admission
    };
    queued(store.accept(&submit("a", "1")).await.unwrap().outcome);
    queued(store.accept(&submit("a", "2")).await.unwrap().outcome);
    let refused = store.accept(&submit("a", "3")).await.unwrap().outcome;
    assert!(matches!(refused, AcceptOutcome::Backlog { retry_after_s: 1.. }), "{refused:?}");
    replayed(store.accept(&submit("a", "1")).await.unwrap().outcome);
    queued(store.accept(&submit("b", "1")).await.unwrap().outcome);

    let mut consumer = store.consumer("w", NEVER).await.unwrap();
    let deliveries = read(&mut consumer).await;
    let held = store.accept(&submit("a", "3")).await.unwrap().outcome;
    assert!(matches!(held, AcceptOutcome::Backlog { .. }), "what workers hold counts too");
    fail(&store, deliveries.iter().find(|d| d.tenant == tenant("a")).unwrap()).await;
    queued(store.accept(&submit("a", "3")).await.unwrap().outcome);
}

#[tokio::test]
async fn submissions_that_come_at_once_count_for_one_another() {
    let store = store().await;
    let submit = async |to: &str, id: usize, burst: u32| {
        let mut admission = admission(to, &id.to_string(), "text");
        (admission.backlog_cap, admission.rate) = (3, RateLimit { per_minute: 1, burst });
        store.accept(&admission).await.unwrap().outcome
    };
    for (to, burst, refused) in [("capped", 100, "Backlog"), ("hurried", 2, "RateLimited")] {
        let outcomes = join_all((0..40).map(|id| submit(to, id, burst))).await;
        let (accepted, others): (Vec<_>, Vec<_>) =
            outcomes.iter().partition(|outcome| matches!(outcome, AcceptOutcome::Queued { .. }));
        assert_eq!(accepted.len(), burst.min(3) as usize, "{to}");
        assert!(others.iter().all(|outcome| format!("{outcome:?}").starts_with(refused)), "{others:?}");
    }
    let depth: Vec<_> = store.depth().await.unwrap();
    assert_eq!(depth.iter().map(|partition| partition.waiting).sum::<u64>(), 5);
    assert_eq!(read(&mut store.consumer("w", NEVER).await.unwrap()).await.len(), 5);
}
