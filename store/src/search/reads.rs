//! What lists read from the store.

use super::{cursor::LogEnd, filter::Condition, hits::Hits, order::RangeScan};
use crate::{
    Error, Store,
    index::{self, CHUNK},
    reply::{next_value, time},
    script::{LuaScript, QUEUE, append_list},
    tasks::TASKS,
    unindexed,
};
use chrono::{DateTime, Utc};
use gleaner_model::{TaskStatus, TenantId};
use redis::Value;
use std::sync::LazyLock;

static FIND: LazyLock<LuaScript> =
    LazyLock::new(|| LuaScript::new(&[QUEUE, TASKS, include_str!("../scripts/find_tasks.lua")]));
static WALK: LazyLock<LuaScript> =
    LazyLock::new(|| LuaScript::new(&[QUEUE, TASKS, include_str!("../scripts/walk_tasks.lua")]));
static DUE: LazyLock<LuaScript> =
    LazyLock::new(|| LuaScript::new(&[QUEUE, TASKS, include_str!("../scripts/due_tasks.lua")]));
static MOVES: LazyLock<LuaScript> =
    LazyLock::new(|| LuaScript::new(&[QUEUE, TASKS, include_str!("../scripts/task_moves.lua")]));

/// Up to so many tasks due before a day are listed one by one.
const MAX_DUE: usize = 20_000;

/// What one script reads at the beginning of a page: the time, the log of moves, how many tasks have the status, and
/// the query's hits.
pub(crate) struct QuerySnapshot {
    pub(crate) now: DateTime<Utc>,
    pub(crate) log_end: LogEnd,
    /// The log of moves from where the cursor's walk began.
    pub(crate) log: Vec<u8>,
    /// Tasks of the status.
    pub(crate) listed: usize,
    /// What meets all conditions; `None` where there are no conditions.
    pub(crate) hits: Option<Hits>,
}

impl Store {
    pub(super) async fn find(
        &self,
        tenant: &TenantId,
        status: TaskStatus,
        since: Option<LogEnd>,
        conditions: &[Condition],
    ) -> Result<QuerySnapshot, Error> {
        let parts: Vec<&[u8]> = conditions.iter().flat_map(Condition::parts).collect();
        let (hour, offset) = since.map_or((String::new(), 0), |end| (end.hour.to_string(), end.offset));
        let tasks = self.tasks_of(tenant);
        let call = tasks.call(&FIND).arg(status.as_str()).arg(&hour).show(offset);
        let mut answer = tasks.run::<Vec<Value>>(&append_list(call, &parts)).await?.into_iter();
        let now = time(next_value(&mut answer)?)?;
        let log_end = LogEnd { hour: next_value(&mut answer)?, offset: next_value(&mut answer)? };
        let (log, listed) = (next_value(&mut answer)?, next_value(&mut answer)?);
        let waiting: Vec<u8> = next_value(&mut answer)?;
        let mut hits: Option<Hits> = None;
        for (postings, condition) in answer.zip(conditions) {
            let mut found = postings_of(postings)?;
            for entry in unindexed::entries(&waiting) {
                let entry = entry?;
                if entry.came().any(|term| condition.is_met_by(term)) {
                    found.insert(entry.ordinal);
                }
            }
            match &mut hits {
                Some(hits) => hits.and(&found),
                None => hits = Some(found),
            }
        }
        Ok(QuerySnapshot { now, log_end, log, listed, hits })
    }

    /// Tasks due on that day or before.
    pub(super) async fn due_until(&self, tenant: &TenantId, status: TaskStatus, day: u16) -> Result<Hits, Error> {
        let tasks = self.tasks_of(tenant);
        let call = tasks.call(&DUE).arg(status.as_str()).show(day).show(MAX_DUE);
        if let Some(members) = tasks.run::<Option<Vec<u8>>>(&call).await? {
            return Ok(members.chunks_exact(4).map(|m| u32::from_be_bytes([m[0], m[1], m[2], m[3]])).collect());
        }
        let mut hits = Hits::default();
        let key = self.0.keys.tenant(tenant, "counts");
        for chunk in self.0.connection.query::<Vec<u32>>(redis::cmd("HKEYS").arg(key)).await? {
            let column = self.column(tenant, "rank", chunk).await?;
            let rows = (0..CHUNK).zip(column.chunks_exact(4));
            let due = rows.filter(|(_, row)| u16::from_be_bytes([row[0], row[1]]) <= day);
            due.for_each(|(offset, _)| hits.insert(chunk * CHUNK + offset));
        }
        Ok(hits)
    }

    /// The highest score of each day on which tasks are due.
    pub(super) async fn due_days(&self, tenant: &TenantId, status: TaskStatus) -> Result<Vec<u64>, Error> {
        let key = self.0.keys.tenant(tenant, &format!("tops:{}", status.as_str()));
        let mut cmd = redis::cmd("ZRANGE");
        cmd.arg(key).arg(0).arg(-1).arg("WITHSCORES");
        let days: Vec<(String, u64)> = self.0.connection.query(&cmd).await?;
        Ok(days.into_iter().map(|(_, top)| top).collect())
    }

    /// The next tasks of each range with their scores, at most as many as its number says.
    pub(super) async fn walk_lists(
        &self,
        tenant: &TenantId,
        list: &str,
        status: TaskStatus,
        range_scans: &[(&RangeScan, usize)],
    ) -> Result<Vec<Vec<(u32, u64)>>, Error> {
        let tasks = self.tasks_of(tenant);
        let call = tasks.call(&WALK).arg(list).arg(status.as_str()).show(range_scans.len() * 4);
        let call = range_scans
            .iter()
            .fold(call, |call, (scan, most)| call.show(scan.score).arg(&scan.member).show(scan.floor).show(most));
        let answer: Vec<Vec<(Vec<u8>, u64)>> = tasks.run(&call).await?;
        answer
            .iter()
            .map(|batch| batch.iter().map(|(member, score)| Ok((ordinal(member)?, *score))).collect())
            .collect()
    }

    /// A column's numbers of some tasks of a chunk.
    pub(super) async fn rows(
        &self,
        tenant: &TenantId,
        (name, width): (&str, usize),
        chunk: u32,
        offsets: &[u32],
    ) -> Result<Vec<u64>, Error> {
        let mut cmd = redis::cmd("BITFIELD_RO");
        cmd.arg(self.0.keys.tenant(tenant, &format!("{name}:{chunk}")));
        let number = format!("u{}", width * 8);
        for offset in offsets {
            cmd.arg("GET").arg(&number).arg(format!("#{offset}"));
        }
        self.0.connection.query(&cmd).await
    }

    /// A column of a whole chunk.
    pub(super) async fn column(&self, tenant: &TenantId, name: &str, chunk: u32) -> Result<Vec<u8>, Error> {
        let key = self.0.keys.tenant(tenant, &format!("{name}:{chunk}"));
        self.0.connection.query(redis::cmd("GET").arg(key)).await
    }

    /// What has moved since then.
    pub(super) async fn moves(&self, tenant: &TenantId, since: LogEnd) -> Result<Vec<u8>, Error> {
        let tasks = self.tasks_of(tenant);
        tasks.run(&tasks.call(&MOVES).show(since.hour).show(since.offset)).await
    }
}

impl Condition {
    /// Whether a task under that term meets it.
    fn is_met_by(&self, term: &[u8]) -> bool {
        match self {
            Self::Term(wanted) => term == wanted,
            Self::Prefix { beginning, .. } => index::word_begins(term, beginning),
        }
    }

    /// As find_tasks.lua reads it.
    fn parts(&self) -> [&[u8]; 3] {
        match self {
            Self::Term(term) => [b"term", term, b""],
            Self::Prefix { beginning, fallback } => [b"prefix", beginning.as_bytes(), fallback],
        }
    }
}

fn postings_of(answer: Value) -> Result<Hits, Error> {
    let mut hits = Hits::default();
    let flat: Vec<(u32, Vec<u8>)> = redis::FromRedisValue::from_redis_value(answer).map_err(Error::corrupt)?;
    flat.iter().try_for_each(|(chunk, posting)| hits.add(*chunk, posting))?;
    Ok(hits)
}

fn ordinal(member: &[u8]) -> Result<u32, Error> {
    member.try_into().map(u32::from_be_bytes).map_err(|_| Error::corrupt("a list member that is no ordinal"))
}
