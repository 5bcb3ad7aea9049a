//! Submissions put into the store as the API would, and what becomes of them.

use crate::fixture::admission;
use gleaner_model::{Item, Job, JobId, JobStatus, Subject, TenantId};
use gleaner_store::{AcceptOutcome, Admission, Store};
use std::time::Duration;

/// Longest wait for a job: only a lost one takes as long.
const JOB_TIMEOUT: Duration = Duration::from_secs(300);

/// A text with one task that no other text shares.
pub fn text(name: &str) -> String {
    format!("Dana: I'll send the {name}a {name}b by Friday.\nSam: Great, thanks.\n")
}

/// Accepts an item, again while the store is away: with the same id that is one submission.
pub async fn submit(store: &Store, tenant: &str, item: Item) -> JobId {
    submit_as(store, tenant, Subject::named("Dana Reyes"), item).await
}

/// The same for another "me".
pub async fn submit_as(store: &Store, tenant: &str, subject: Subject, item: Item) -> JobId {
    let admission = Admission { subject, ..admission(&TenantId::new(tenant).unwrap(), item) };
    for _ in 0..600 {
        match store.accept(&admission).await {
            Ok(admitted) => match admitted.outcome {
                AcceptOutcome::Queued { job } | AcceptOutcome::Replayed { job } => return job.job_id,
                other => panic!("not accepted: {other:?}"),
            },
            Err(error) if error.is_transient() => tokio::time::sleep(Duration::from_millis(200)).await,
            Err(error) => panic!("{error}"),
        }
    }
    panic!("the store does not come back");
}

/// The job as it ended.
pub async fn ended(store: &Store, tenant: &str, id: JobId) -> Job {
    ended_within(store, tenant, id, JOB_TIMEOUT).await
}

/// The same for a job that may take longer.
pub async fn ended_within(store: &Store, tenant: &str, id: JobId, limit: Duration) -> Job {
    let tenant = TenantId::new(tenant).unwrap();
    let waiting = async {
        loop {
            match store.job(&tenant, id).await {
                Ok(Some(job)) if job.status.is_final() => return job,
                Ok(Some(_)) => {}
                Ok(None) => panic!("job {id} is lost"),
                Err(error) if error.is_transient() => {}
                Err(error) => panic!("{error}"),
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(limit, waiting).await.unwrap_or_else(|_| panic!("job {id} does not end"))
}

/// Waits for all of them; each has succeeded.
pub async fn all_succeeded(store: &Store, tenant: &str, ids: &[JobId]) -> Vec<Job> {
    let mut jobs = Vec::with_capacity(ids.len());
    for id in ids {
        let job = ended(store, tenant, *id).await;
        assert_eq!(job.status, JobStatus::Succeeded, "{job:?}");
        jobs.push(job);
    }
    jobs
}

/// Waits until nothing waits and nothing is held: also what was accepted though its client heard of no answer.
pub async fn drained(store: &Store) {
    let waiting = async {
        while store.depth().await.unwrap().iter().any(|depth| depth.waiting + depth.pending > 0) {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(JOB_TIMEOUT, waiting).await.expect("the queue to be drained");
}

/// Nothing waits, nothing is held, nothing was given up.
pub async fn assert_empty(store: &Store) {
    for depth in store.depth().await.unwrap() {
        assert_eq!((depth.waiting, depth.pending, depth.dead), (0, 0, 0), "partition {}", depth.partition);
    }
}
