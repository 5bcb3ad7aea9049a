//! One entry on its way through a worker.

use crate::{Error, Payload, reply::next_value};
use gleaner_model::{JobId, TenantId};
use redis::Value;
use std::fmt;

/// An entry that this consumer holds. Beginning it yields a [`Claim`].
#[derive(Clone, PartialEq)]
pub struct Delivery {
    /// Whose item it is.
    pub tenant: TenantId,
    /// The job.
    pub job_id: JobId,
    /// The entry in the tenant's stream.
    pub entry: String,
    /// The name of the consumer that holds it.
    pub consumer: String,
    /// How often it was begun before, by workers that were lost with it.
    pub attempts: u32,
    /// The job's place in the order of acceptance.
    pub seq: u64,
    /// Stands for the item in the store.
    pub item_digest: String,
    /// The id of the request that submitted it.
    pub request_id: String,
    /// The W3C trace context to go on with.
    pub traceparent: Option<String>,
    /// [`Payload`] as JSON; [`Delivery::payload`] reads it.
    pub body: Vec<u8>,
}

impl fmt::Debug for Delivery {
    /// Without the body: no transcript in a log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Delivery")
            .field("tenant", &self.tenant)
            .field("job_id", &self.job_id)
            .field("entry", &self.entry)
            .field("consumer", &self.consumer)
            .field("attempts", &self.attempts)
            .field("bytes", &self.body.len())
            .finish_non_exhaustive()
    }
}

impl Delivery {
    /// Reads the body. It takes time with the transcript's length, so a caller may want to do it off the async threads.
    ///
    /// # Errors
    /// [`Error::Corrupt`] when it is not what was accepted.
    pub fn payload(&self) -> Result<Payload, Error> {
        serde_json::from_slice(&self.body).map_err(|error| {
            // The reader's own words could quote the transcript.
            Error::corrupt(format!("job {}: body, line {}, column {}", self.job_id, error.line(), error.column()))
        })
    }

    /// Reads a delivery as hand_out.lua and reclaim.lua answer it.
    pub(super) fn read(consumer: &str, answer: Vec<Value>) -> Result<Self, Error> {
        let mut values = answer.into_iter();
        let tenant: String = next_value(&mut values)?;
        let entry = next_value(&mut values)?;
        let job_id: String = next_value(&mut values)?;
        Ok(Self {
            tenant: tenant.parse().map_err(Error::corrupt)?,
            job_id: job_id.parse().map_err(Error::corrupt)?,
            entry,
            consumer: consumer.to_owned(),
            attempts: next_value(&mut values)?,
            seq: next_value(&mut values)?,
            item_digest: next_value(&mut values)?,
            request_id: next_value(&mut values)?,
            traceparent: next_value::<Option<String>>(&mut values)?.filter(|text| !text.is_empty()),
            body: next_value(&mut values)?,
        })
    }
}

/// The right to end a job: that entry of it, in that attempt. Whoever takes the entry over makes it void.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// Whose job it is.
    pub tenant: TenantId,
    /// The job.
    pub job_id: JobId,
    /// The entry in the tenant's stream.
    pub entry: String,
    /// Which attempt, from 1.
    pub attempt: u32,
    /// The revision of what the tenant's feedback has taught, when the attempt began.
    pub learning: u64,
}
