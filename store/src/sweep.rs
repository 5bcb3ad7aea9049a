//! Forgetting what is past its time.

use crate::{
    Error, Store,
    script::{QUEUE, Script},
};
use std::sync::LazyLock;

static SWEEP: LazyLock<Script> = LazyLock::new(|| Script::new(&[QUEUE, include_str!("scripts/sweep.lua")]));

/// Tenants of a partition that one sweep looks at, and finished jobs of each.
const TENANTS: u32 = 64;
const JOBS: u32 = 256;

impl Store {
    /// Forgets finished jobs, dead letters and events that are past their time, a bounded number at a time. Each
    /// worker calls this every minute or so; tenants without anything due are not looked at. Returns how many jobs.
    ///
    /// # Errors
    /// When the store cannot be asked.
    pub async fn sweep(&self) -> Result<u64, Error> {
        let mut forgotten = 0;
        for partition in 0..self.0.keys.partitions() {
            let call = self.partition_call(&SWEEP, partition).show(TENANTS).show(JOBS);
            forgotten += call.run::<u64>(&self.0.connection).await?;
        }
        Ok(forgotten)
    }
}
