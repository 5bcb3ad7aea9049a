//! Jobs: read, listed, queued anew. They come to be in [`crate::accept`].

use crate::{
    Error, Store,
    job_record::read_job,
    keys::item_digest,
    reply::{Fields, next_value},
    script::{LuaScript, QUEUE},
};
use gleaner_model::{ItemKey, Job, JobId, JobStatus, Page, TenantId};
use redis::Value;
use std::sync::LazyLock;

static JOBS: LazyLock<LuaScript> = LazyLock::new(|| LuaScript::new(&[QUEUE, include_str!("scripts/jobs.lua")]));
static REQUEUE: LazyLock<LuaScript> = LazyLock::new(|| LuaScript::new(&[QUEUE, include_str!("scripts/requeue.lua")]));

/// What became of a wish to queue a job anew.
#[derive(Clone, PartialEq, Debug)]
pub enum RequeueOutcome {
    /// It waits for a worker, or is with one.
    Queued(Job),
    /// It has succeeded: its transcript is forgotten, and there is nothing to do again.
    Succeeded(Job),
    /// It has failed, and its content is no longer there: it was erased, or too long ago.
    Gone(Job),
    /// There is no such job.
    NotFound,
}

impl Store {
    /// One job of the tenant.
    ///
    /// # Errors
    /// When the store cannot be asked, or the record cannot be read.
    pub async fn job(&self, tenant: &TenantId, id: JobId) -> Result<Option<Job>, Error> {
        let key = self.0.keys.tenant(tenant, &format!("job:{id}"));
        let fields: Fields = self.0.connection.query(redis::cmd("HGETALL").arg(key)).await?;
        read_job(id, &fields)
    }

    /// The job of the item's latest submission, while it is kept.
    ///
    /// # Errors
    /// As [`Store::job`].
    pub async fn latest_job(&self, tenant: &TenantId, item: &ItemKey) -> Result<Option<Job>, Error> {
        let key = self.0.keys.tenant(tenant, &format!("item:{}", item_digest(item)));
        let id: Option<String> = self.0.connection.query(redis::cmd("HGET").arg(key).arg("latest_job")).await?;
        match id {
            Some(id) => self.job(tenant, id.parse().map_err(Error::corrupt)?).await,
            None => Ok(None),
        }
    }

    /// The tenant's jobs, last accepted first; those of one status, or all.
    ///
    /// # Errors
    /// [`Error::InvalidCursor`] when `cursor` is not one of a page before; else as [`Store::job`].
    pub async fn jobs(
        &self,
        tenant: &TenantId,
        status: Option<JobStatus>,
        limit: usize,
        cursor: Option<&str>,
    ) -> Result<Page<Job>, Error> {
        let below = cursor.map(|text| text.parse::<u64>().map_err(|_| Error::InvalidCursor)).transpose()?;
        let call = self
            .tenant_call(&JOBS, tenant)
            .arg(status.map_or("", JobStatus::as_str))
            .show(below.map_or(String::new(), |seq| seq.to_string()))
            .show(limit);
        let mut answer = call.run::<Vec<Value>>(&self.0.connection).await?.into_iter();
        let next = Some(next_value::<String>(&mut answer)?).filter(|next| !next.is_empty());
        let mut items = Vec::new();
        while answer.len() > 0 {
            items.push(named_job(&next_value::<String>(&mut answer)?, &next_value(&mut answer)?)?);
        }
        Ok(Page { items, next_cursor: next })
    }

    /// Queues a failed job anew from its dead letter. What was accepted after it still wins.
    ///
    /// # Errors
    /// When the store cannot be asked, or has no memory left.
    pub async fn requeue(&self, tenant: &TenantId, id: JobId) -> Result<RequeueOutcome, Error> {
        let call = self.tenant_call(&REQUEUE, tenant).show(id);
        let (outcome, id, fields): (String, String, Fields) = call.run(&self.0.connection).await?;
        Ok(match outcome.as_str() {
            "queued" => RequeueOutcome::Queued(named_job(&id, &fields)?),
            "ended" => RequeueOutcome::Succeeded(named_job(&id, &fields)?),
            "gone" => RequeueOutcome::Gone(named_job(&id, &fields)?),
            _ => RequeueOutcome::NotFound,
        })
    }
}

/// A job whose record must be there.
pub(crate) fn named_job(id: &str, fields: &Fields) -> Result<Job, Error> {
    let id = id.parse().map_err(Error::corrupt)?;
    read_job(id, fields)?.ok_or_else(|| Error::corrupt(format!("job {id} is not there")))
}
