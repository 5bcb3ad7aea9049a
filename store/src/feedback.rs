//! Ratings: one per subject and task, kept in the task's record, so that each counts once and can be taken back.

use crate::{Error, Store, tasks::contended};
use gleaner_model::{Feedback, FeedbackId, FeedbackRequest, TaskId, TaskRecord, TenantId};
use std::time::Duration;

/// How often a rating is tried when others rate the same task at the same time.
const TRIES: u64 = 64;

/// Waits a few milliseconds, longer from try to try and each rating a little differently, so that many at once get by.
async fn give_way(attempt: u64, own: FeedbackId) {
    let spread = u64::from(own.0.as_bytes()[15]) % (attempt + 1);
    tokio::time::sleep(Duration::from_millis(spread.min(20))).await;
}

impl Store {
    /// Records a subject's rating of a task, in place of an earlier one. None where there is no such task.
    ///
    /// # Errors
    /// When the store cannot be asked, or others keep changing the same task.
    pub async fn rate_task(
        &self,
        tenant: &TenantId,
        id: TaskId,
        subject: &str,
        request: &FeedbackRequest,
    ) -> Result<Option<(Feedback, TaskRecord)>, Error> {
        let feedback_id = FeedbackId::new();
        for attempt in 0..TRIES {
            let (record, now) = self.load(tenant, id).await?;
            let Some(before) = record else { return Ok(None) };
            let feedback = Feedback {
                feedback_id,
                task_id: id,
                subject: subject.to_owned(),
                request: request.clone(),
                created_at: now,
            };
            let mut after = before.clone();
            after.put_feedback(feedback.clone());
            if self.update(tenant, before, after, now).await? {
                return Ok(self.task(tenant, id).await?.map(|record| (feedback, record)));
            }
            give_way(attempt, feedback_id).await;
        }
        Err(contended())
    }

    /// Takes a subject's rating of a task back, with all that it did. The task as it is now and the rating that was;
    /// none where there is no such task or rating.
    ///
    /// # Errors
    /// As [`Store::rate_task`].
    pub async fn unrate_task(
        &self,
        tenant: &TenantId,
        id: TaskId,
        subject: &str,
    ) -> Result<Option<(Feedback, TaskRecord)>, Error> {
        for _ in 0..TRIES {
            let (record, now) = self.load(tenant, id).await?;
            let Some(before) = record else { return Ok(None) };
            let mut after = before.clone();
            let Some(feedback) = after.drop_feedback(subject) else { return Ok(None) };
            if self.update(tenant, before, after, now).await? {
                return Ok(self.task(tenant, id).await?.map(|record| (feedback, record)));
            }
        }
        Err(contended())
    }
}
