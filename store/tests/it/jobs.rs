use crate::world::*;
use gleaner_model::{JobId, JobStatus};
use gleaner_store::Error;

#[tokio::test]
async fn pages_show_each_job_once_newest_first() {
    let store = store().await;
    let mut ids = Vec::new();
    for id in 0..7 {
        ids.push(queue(&store, "a", &id.to_string(), "text").await.job_id);
    }
    ids.reverse();
    let (mut seen, mut cursor) = (Vec::new(), None);
    loop {
        let page = store.jobs(&tenant("a"), None, 3, cursor.as_deref()).await.unwrap();
        seen.extend(page.items.iter().map(|job| job.job_id));
        // What comes while somebody pages does not move what is still to come.
        queue(&store, "a", &format!("late {}", seen.len()), "text").await;
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(seen, ids);
    assert!(matches!(store.jobs(&tenant("a"), None, 3, Some("x")).await, Err(Error::InvalidCursor)));
}

#[tokio::test]
async fn jobs_are_listed_by_status() {
    let store = store().await;
    for id in 0..3 {
        queue(&store, "a", &id.to_string(), "text").await;
    }
    let deliveries = read(&mut store.consumer("w", NEVER).await.unwrap()).await;
    begin(&store, &deliveries[0]).await;
    fail(&store, &deliveries[1]).await;
    for (status, delivery) in [JobStatus::Running, JobStatus::Failed, JobStatus::Accepted].iter().zip(&deliveries) {
        let page = store.jobs(&tenant("a"), Some(*status), 10, None).await.unwrap();
        assert_eq!(page.items.iter().map(|job| job.job_id).collect::<Vec<_>>(), [delivery.job_id], "{status:?}");
    }
}

#[tokio::test]
async fn another_tenants_job_is_not_there() {
    let store = store().await;
    let job = queue(&store, "a", "1", "text").await;
    assert_eq!(store.job(&tenant("b"), job.job_id).await.unwrap(), None);
    assert_eq!(store.job(&tenant("a"), JobId::new()).await.unwrap(), None);
    assert!(store.jobs(&tenant("b"), None, 10, None).await.unwrap().items.is_empty());
}
