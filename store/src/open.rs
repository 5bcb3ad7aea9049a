//! Opening a store: what kind of server it is, whether it is fit for use, and that both sides mean the same layout.

use crate::{
    Error, Store, StoreConfig, StoreInner,
    batcher::Batcher,
    connection::Connection,
    keys::Keys,
    script::{Call, LuaScript},
    topology::Topology,
};
use gleaner_model::TenantId;
use redis::{FromRedisValue, Value};
use std::sync::{Arc, LazyLock, OnceLock};

/// Version of the layout that README.md describes.
const LAYOUT: &str = "4";
/// Those before, which are brought up to date tenant by tenant as they are met.
const LAYOUTS_BEFORE: [&str; 2] = ["2", "3"];

impl Store {
    /// Opens the store that the settings name.
    ///
    /// # Errors
    /// [`Error::Refused`] when the settings contradict themselves or the store (another number of partitions), or the
    /// server may evict records on its own (`maxmemory-policy`); [`Error::Unavailable`] when nobody answers.
    pub async fn connect(config: &StoreConfig) -> Result<Self, Error> {
        check(config)?;
        let mut connection = Connection::new(Topology::read(config)?, config, 0);
        let cluster = connection.is_cluster() || info(&connection, "cluster").await?.contains("cluster_enabled:1");
        let open = |replicas| {
            let topology = if cluster { Topology::cluster_at(config)? } else { Topology::read(config)? };
            Ok::<_, Error>(Connection::new(topology, config, replicas))
        };
        if !connection.is_cluster() && cluster {
            connection = open(0)?;
        }
        let accepting = if config.wait_replicas > 0 { open(config.wait_replicas)? } else { connection.clone() };
        let store = Self(Arc::new(StoreInner {
            connection,
            accepting,
            keys: Keys::new(&config.prefix, config.partitions),
            batchers: (0..config.partitions).map(|_| Batcher::default()).collect(),
            job_retention: config.job_retention(),
            events_kept: config.events_kept,
            events_kept_bytes: config.events_kept_bytes,
            settling: (0..config.partitions).map(|_| tokio::sync::Mutex::default()).collect(),
            notices: OnceLock::new(),
        }));
        store.check_server().await?;
        store.check_layout(config.partitions).await?;
        Ok(store)
    }

    /// Asks the store whether it is there.
    ///
    /// # Errors
    /// When it is not.
    pub async fn ping(&self) -> Result<(), Error> {
        // A read of a key that is always there: PING would succeed on a Cluster without slots.
        let key = self.0.keys.meta();
        self.0.connection.query::<Option<String>>(redis::cmd("HGET").arg(key).arg("layout")).await.map(drop)
    }

    /// A call of a script that works on one tenant: routed to its slot, the settings and its name in front.
    pub(crate) fn tenant_call<'a>(&self, script: &'a LazyLock<LuaScript>, tenant: &'a TenantId) -> Call<'a> {
        self.call(script, self.0.keys.root(tenant)).arg(tenant.as_str())
    }

    /// A call of a script that works on one partition.
    pub(crate) fn partition_call<'a>(&self, script: &'a LazyLock<LuaScript>, partition: u16) -> Call<'a> {
        self.call(script, self.0.keys.partition(partition))
    }

    fn call<'a>(&self, script: &'a LazyLock<LuaScript>, root: String) -> Call<'a> {
        Call::new(script, root)
            .show(self.0.job_retention.as_millis())
            .show(self.0.events_kept)
            .show(self.0.events_kept_bytes)
    }

    async fn check_server(&self) -> Result<(), Error> {
        let memory = info(&self.0.connection, "memory").await?;
        let policy = memory.lines().filter_map(|line| line.trim().strip_prefix("maxmemory_policy:"));
        if let Some(other) = policy.into_iter().find(|policy| *policy != "noeviction") {
            return Err(Error::Refused(format!(
                "its maxmemory-policy is {other}, which would throw accepted items away: set it to noeviction"
            )));
        }
        if !info(&self.0.connection, "persistence").await?.contains("aof_enabled:1") {
            tracing::warn!("The store keeps no append-only file: accepted items are lost if it is. Set appendonly yes");
        }
        Ok(())
    }

    async fn check_layout(&self, partitions: u16) -> Result<(), Error> {
        for (field, ours) in [("layout", LAYOUT.to_owned()), ("partitions", partitions.to_string())] {
            let key = self.0.keys.meta();
            let set: Result<i64, _> =
                self.0.connection.query(redis::cmd("HSETNX").arg(&key).arg(field).arg(&ours)).await;
            // A full store still serves its workers, who make room; what it was made with is there to be read.
            if !matches!(set, Ok(_) | Err(Error::OutOfMemory)) {
                set?;
            }
            let mut theirs: Option<String> = self.0.connection.query(redis::cmd("HGET").arg(&key).arg(field)).await?;
            if field == "layout" && theirs.as_deref().is_some_and(|layout| LAYOUTS_BEFORE.contains(&layout)) {
                let _: i64 = self.0.connection.query(redis::cmd("HSET").arg(&key).arg(field).arg(&ours)).await?;
                theirs = Some(ours.clone());
            }
            if theirs.as_ref() != Some(&ours) {
                let theirs = theirs.unwrap_or_default();
                return Err(Error::Refused(format!("it was made with {field} {theirs}, the settings say {ours}")));
            }
        }
        Ok(())
    }
}

/// What contradicts itself is refused before anything is asked.
fn check(config: &StoreConfig) -> Result<(), Error> {
    let refuse = |why: &str| Err(Error::Refused(why.to_owned()));
    if config.prefix.is_empty() || config.prefix.contains(['{', '}', ' ']) {
        return refuse("redis-prefix must not be empty or hold '{', '}' or a space");
    }
    if !(1..=1024).contains(&config.partitions) {
        return refuse("redis-partitions must be 1 to 1024");
    }
    if config.connect_timeout_ms == 0 {
        return refuse("redis-connect-timeout-ms must not be 0: nobody would be reached");
    }
    if config.response_timeout_ms == 0 {
        return refuse("redis-response-timeout-ms must not be 0: no answer would get through");
    }
    if config.timeout_ms < config.connect_timeout_ms {
        return refuse("redis-timeout-ms must not be below redis-connect-timeout-ms");
    }
    Ok(())
}

/// One section of INFO, of all nodes in a row.
async fn info(connection: &Connection, section: &str) -> Result<String, Error> {
    let answer: Value = connection.query(redis::cmd("INFO").arg(section)).await?;
    let texts = match answer {
        Value::Map(nodes) => nodes.into_iter().map(|(_, text)| text).collect(),
        text => vec![text],
    };
    let texts: Vec<String> = texts
        .into_iter()
        .map(|text| String::from_redis_value(text).map_err(Error::corrupt))
        .collect::<Result<_, _>>()?;
    Ok(texts.concat())
}
