//! How much is queued, for metrics.

use crate::{Error, Store};
use futures::future::try_join_all;

/// Entries of one partition.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Depth {
    /// Which partition.
    pub partition: u16,
    /// Accepted and not yet read by a worker.
    pub waiting: u64,
    /// Held by a worker.
    pub pending: u64,
    /// In dead-letter streams.
    pub dead: u64,
}

impl Store {
    /// What is queued in each partition.
    ///
    /// # Errors
    /// When the store cannot be asked.
    pub async fn depth(&self) -> Result<Vec<Depth>, Error> {
        try_join_all((0..self.0.keys.partitions()).map(|partition| self.depth_of(partition))).await
    }

    async fn depth_of(&self, partition: u16) -> Result<Depth, Error> {
        let mut cmd = redis::cmd("HMGET");
        cmd.arg(self.0.keys.state(partition)).arg(&["waiting", "pending", "dead"]);
        let (waiting, pending, dead): (Option<i64>, Option<i64>, Option<i64>) = self.0.connection.query(&cmd).await?;
        let counted = |count: Option<i64>| u64::try_from(count.unwrap_or(0)).unwrap_or(0);
        Ok(Depth { partition, waiting: counted(waiting), pending: counted(pending), dead: counted(dead) })
    }
}
