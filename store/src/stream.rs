//! The worker's side of the queue: reading, beginning, heartbeats, giving back, failing and taking over deliveries.

mod consumer;
mod delivery;

pub use consumer::{Consumer, Reclaimed, Room, Takeover, Wake};
pub use delivery::{Claim, Delivery};

use crate::{
    Error, Store,
    script::{LuaScript, QUEUE},
};
use futures::future::join_all;
use gleaner_model::JobFailure;
use std::{collections::BTreeMap, sync::LazyLock};

static BEGIN: LazyLock<LuaScript> = LazyLock::new(|| LuaScript::new(&[QUEUE, include_str!("scripts/begin.lua")]));
static FAIL: LazyLock<LuaScript> = LazyLock::new(|| LuaScript::new(&[QUEUE, include_str!("scripts/fail.lua")]));
static HEARTBEAT: LazyLock<LuaScript> =
    LazyLock::new(|| LuaScript::new(&[QUEUE, include_str!("scripts/heartbeat.lua")]));
static RELEASE: LazyLock<LuaScript> = LazyLock::new(|| LuaScript::new(&[QUEUE, include_str!("scripts/release.lua")]));

impl Store {
    /// Begins a delivery: from now on the job is running, and the attempt counts. `None` when the delivery is no longer
    /// this consumer's: it was taken over, erased or ended.
    ///
    /// # Errors
    /// When the store cannot be asked. Repeating the call begins it once.
    pub async fn begin(&self, delivery: &Delivery) -> Result<Option<Claim>, Error> {
        let call = self
            .tenant_call(&BEGIN, &delivery.tenant)
            .show(delivery.job_id)
            .arg(&delivery.entry)
            .arg(&delivery.consumer);
        let (attempt, learning): (u32, u64) = call.run(&self.0.connection).await?;
        Ok((attempt > 0).then(|| Claim {
            tenant: delivery.tenant.clone(),
            job_id: delivery.job_id,
            entry: delivery.entry.clone(),
            attempt,
            learning,
        }))
    }

    /// Fails a job for good; it can be requeued. False when the job is somebody else's by now: nothing changed.
    ///
    /// # Errors
    /// When the store cannot be asked. Repeating the call fails it once.
    pub async fn fail(&self, claim: &Claim, failure: &JobFailure) -> Result<bool, Error> {
        let call = self
            .tenant_call(&FAIL, &claim.tenant)
            .show(claim.job_id)
            .arg(&claim.entry)
            .show(claim.attempt)
            .arg(&failure.code)
            .arg(&failure.message);
        let verdict: String = call.run(&self.0.connection).await?;
        Ok(verdict != "stale")
    }

    /// Says that the consumer still works on these deliveries. Returns those that are no longer its own.
    ///
    /// # Errors
    /// When a part of the store cannot be asked; the others have heard it.
    pub async fn heartbeat<'a>(&self, deliveries: &[&'a Delivery]) -> Result<Vec<&'a Delivery>, Error> {
        let told = self.by_partition(deliveries).into_iter().map(async |(partition, mine)| {
            let call = self.entries_call(&HEARTBEAT, partition, &mine).once();
            let kept: Vec<bool> = call.run(&self.0.connection).await?;
            let lost = mine.into_iter().zip(kept).filter(|(_, kept)| !kept);
            Ok(lost.map(|(delivery, _)| delivery).collect::<Vec<_>>())
        });
        let lost: Result<Vec<_>, Error> = join_all(told).await.into_iter().collect();
        Ok(lost?.concat())
    }

    /// Gives deliveries back that were not begun: idle workers get them at once. Returns how many.
    ///
    /// # Errors
    /// When the store cannot be asked; they are taken over later then.
    pub async fn release(&self, deliveries: &[&Delivery]) -> Result<usize, Error> {
        let mut released = 0;
        for (partition, mine) in self.by_partition(deliveries) {
            released += self.entries_call(&RELEASE, partition, &mine).run::<usize>(&self.0.connection).await?;
        }
        Ok(released)
    }

    fn by_partition<'a>(&self, deliveries: &[&'a Delivery]) -> BTreeMap<u16, Vec<&'a Delivery>> {
        let mut partitions: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for delivery in deliveries {
            partitions.entry(self.0.keys.partition_of(&delivery.tenant)).or_default().push(*delivery);
        }
        partitions
    }

    fn entries_call<'a>(
        &self,
        script: &'a LazyLock<LuaScript>,
        partition: u16,
        deliveries: &[&'a Delivery],
    ) -> crate::script::Call<'a> {
        let consumer = deliveries.first().map_or("", |delivery| delivery.consumer.as_str());
        deliveries.iter().fold(self.partition_call(script, partition).arg(consumer), |call, delivery| {
            call.arg(delivery.tenant.as_str()).arg(&delivery.entry)
        })
    }
}
