//! Forgetting what is past its time.

use crate::{
    Error, Store,
    reply::next_value,
    script::{LuaScript, QUEUE},
};
use gleaner_model::TenantId;
use redis::{FromRedisValue as _, Value};
use std::sync::LazyLock;

static SWEEP: LazyLock<LuaScript> = LazyLock::new(|| LuaScript::new(&[QUEUE, include_str!("scripts/sweep.lua")]));

/// Tenants of a partition that one script looks at, and jobs that it forgets.
const TENANTS: u32 = 64;
const JOBS: u64 = 250;
/// Most scripts for a partition in one sweep.
const ROUNDS: usize = 100;

impl Store {
    /// Forgets finished jobs, dead letters and events that are past their time, a bounded number at a time; tenants without
    /// anything due are not looked at. Also goes on with what was put off by a process that did not live to do it. Returns
    /// how many jobs. Each worker calls this every minute or so.
    ///
    /// # Errors
    /// When the store cannot be asked; of a tenant whose turn failed once all others have had theirs.
    pub async fn sweep(&self) -> Result<u64, Error> {
        let (mut forgotten, mut failed) = (0, None);
        for partition in 0..self.0.keys.partitions() {
            for _ in 0..ROUNDS {
                let call = self.partition_call(&SWEEP, partition).show(TENANTS).show(JOBS);
                let mut answer = call.run::<Vec<Value>>(&self.0.connection).await?.into_iter();
                let jobs = next_value::<u64>(&mut answer)?;
                forgotten += jobs;
                for tenant in answer {
                    let name = String::from_redis_value(tenant).map_err(Error::corrupt)?;
                    let caught_up = self.catch_up(&TenantId::new(&name).map_err(Error::corrupt)?).await;
                    failed = failed.or(caught_up.err());
                }
                if jobs < JOBS {
                    break;
                }
            }
        }
        failed.map_or(Ok(forgotten), Err)
    }
}
