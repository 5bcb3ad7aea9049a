//! Ratings: one per subject and task, kept in the task's record, so that each counts once and can be taken back.

use crate::{
    Error, Store,
    tasks::{MAX_TRIES, contended},
};
use gleaner_model::{Feedback, FeedbackId, FeedbackRequest, TaskId, TaskRecord, TenantId};
use std::sync::LazyLock;
use tokio::sync::{Mutex, MutexGuard};

/// Striped locks: ratings of one task go one after another within a process, so that many at once do not keep each
/// other from it. Tasks share a stripe by chance: enough that few do.
static LOCK_STRIPES: LazyLock<[Mutex<()>; 64]> = LazyLock::new(|| std::array::from_fn(|_| Mutex::new(())));

/// Locks one task, with those that share its stripe.
async fn lock_task(id: TaskId) -> MutexGuard<'static, ()> {
    LOCK_STRIPES[usize::from(id.0.as_bytes()[15]) % LOCK_STRIPES.len()].lock().await
}

impl Store {
    /// Records a subject's rating of a task, in place of an earlier one. `None` where there is no such task.
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
        let _lock = lock_task(id).await;
        let feedback_id = FeedbackId::new();
        for _ in 0..MAX_TRIES {
            let (record, now) = self.load(tenant, id).await?;
            let Some(before) = record else { return Ok(None) };
            let feedback = Feedback::new(feedback_id, id, subject, request.clone(), now);
            let mut after = before.clone();
            after.put_feedback(feedback.clone());
            if self.update(tenant, before, after, now).await? {
                return Ok(self.task(tenant, id).await?.map(|record| (feedback, record)));
            }
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
        let _lock = lock_task(id).await;
        for _ in 0..MAX_TRIES {
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
