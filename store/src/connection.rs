//! One connection to the store, shared by all who clone it, reopened when it is lost.
//!
//! Every operation ends. A store that refuses, or is silent to every request for `silence`, is away; one that answers others
//! is slow, and waited for up to `longest`. A lost connection is replaced and the command repeated while there is time
//! left: every command of this crate may be repeated.

use crate::{Error, StoreConfig, topology::Topology};
use redis::{
    AsyncConnectionConfig, Client, Cmd, FromRedisValue, Pipeline, RedisError, RedisResult, Value,
    aio::{ConnectionLike, MultiplexedConnection, PubSub},
    cluster_async::ClusterConnection,
};
use std::{
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};
use tokio::{
    sync::Mutex,
    time::{self, Instant},
};

/// Delay between two tries to reach a server that refuses: the first, and the longest.
const BACKOFF: (Duration, Duration) = (Duration::from_millis(50), Duration::from_millis(400));

/// A connection to one server, to a Cluster, or to the master that Sentinels name.
#[derive(Clone)]
pub(crate) struct Connection(Arc<ConnectionInner>);

struct ConnectionInner {
    topology: Topology,
    config: AsyncConnectionConfig,
    /// Replicas that must have what was written before there is an answer.
    replicas: u8,
    silence: Duration,
    longest: Duration,
    /// When the store last answered anything, in ms since `made`.
    heard: AtomicU64,
    made: Instant,
    live: RwLock<Option<Live>>,
    /// Held by the one task that opens a new connection while the others wait for it.
    opening: Mutex<u64>,
}

/// An open connection and its place in the row of those that were opened.
#[derive(Clone)]
struct Live {
    number: u64,
    link: RedisConnection,
}

/// What is asked at once: a command, or several in a row.
#[derive(Clone, Copy)]
enum Request<'a> {
    One(&'a Cmd),
    Row(&'a Pipeline),
}

#[derive(Clone)]
enum RedisConnection {
    Node(MultiplexedConnection),
    Cluster(ClusterConnection),
}

impl Connection {
    /// The server is not asked yet. Where replicas are waited for, every command waits behind the one before it.
    pub(crate) fn new(topology: Topology, config: &StoreConfig, replicas: u8) -> Self {
        Self(Arc::new(ConnectionInner {
            topology,
            config: crate::topology::connection_config(config),
            replicas,
            silence: config.timeout(),
            longest: config.response_timeout().max(config.timeout()),
            heard: AtomicU64::new(0),
            made: Instant::now(),
            live: RwLock::new(None),
            opening: Mutex::new(0),
        }))
    }

    /// Sends one command and reads its answer.
    pub(crate) async fn query<T: FromRedisValue>(&self, cmd: &Cmd) -> Result<T, Error> {
        let value = self.send(cmd, true).await??;
        T::from_redis_value(value).map_err(Error::corrupt)
    }

    /// Makes reads of one slot in a row, and answers each. A transaction would be refused where memory is short.
    pub(crate) async fn read_all(&self, reads: Vec<Cmd>) -> Result<Vec<Value>, Error> {
        if reads.is_empty() {
            return Ok(Vec::new());
        }
        let mut row = redis::pipe();
        reads.into_iter().for_each(|read| {
            row.add_command(read);
        });
        let value = self.persist(true, || self.attempt(Request::Row(&row))).await??;
        Vec::from_redis_value(value).map_err(Error::corrupt)
    }

    /// Sends one command, and `again` where the connection was lost or the slot is being moved. The inner error is the
    /// server's, for callers that tell its kinds apart.
    pub(crate) async fn send(&self, cmd: &Cmd, again: bool) -> Result<RedisResult<Value>, Error> {
        self.persist(again, || self.attempt(Request::One(cmd))).await
    }

    async fn persist<F>(&self, again: bool, attempt: impl Fn() -> F) -> Result<RedisResult<Value>, Error>
    where
        F: Future<Output = RedisResult<Value>>,
    {
        let (begun, mut last, mut delay) = (Instant::now(), None, BACKOFF.0);
        while Instant::now() < self.deadline(begun) {
            match self.before_deadline(begun, attempt()).await {
                Some(Err(error)) if is_lost(&error) || is_moving(&error) => last = Some(error.to_string()),
                Some(answer) => return Ok(answer),
                // Nobody was answered: the next one asks over a connection of its own.
                None => *self.0.live.write().unwrap_or_else(PoisonError::into_inner) = None,
            }
            if !again {
                break;
            }
            time::sleep(delay).await;
            delay = (delay * 2).min(BACKOFF.1);
        }
        Err(Error::Unavailable(last.unwrap_or_else(|| "no answer in time".to_owned())))
    }

    /// When to give up what was begun then: others that are answered meanwhile show that the store is only slow.
    fn deadline(&self, begun: Instant) -> Instant {
        let heard = self.0.made + Duration::from_millis(self.0.heard.load(Relaxed));
        (begun.max(heard) + self.0.silence).min(begun + self.0.longest)
    }

    /// The answer; `None` when it is time to give up.
    pub(crate) async fn before_deadline<T>(&self, begun: Instant, answer: impl Future<Output = T>) -> Option<T> {
        tokio::pin!(answer);
        loop {
            match time::timeout_at(self.deadline(begun), &mut answer).await {
                Ok(answer) => return Some(answer),
                Err(_) if Instant::now() < self.deadline(begun) => {}
                Err(_) => return None,
            }
        }
    }

    async fn attempt(&self, request: Request<'_>) -> RedisResult<Value> {
        let mut live = self.live().await?;
        let answer = match &mut live.link {
            RedisConnection::Node(node) => self.answer(node, request).await,
            RedisConnection::Cluster(cluster) => self.answer(cluster, request).await,
        }
        .and_then(Value::extract_error);
        if answer.as_ref().is_err_and(is_lost) {
            self.forget(live.number);
        } else if !answer.as_ref().is_err_and(is_moving) {
            // Milliseconds of centuries fit.
            self.0.heard.store(self.0.made.elapsed().as_millis() as u64, Relaxed);
        }
        answer
    }

    async fn answer(&self, link: &mut impl ConnectionLike, request: Request<'_>) -> RedisResult<Value> {
        match request {
            Request::Row(row) => row.query_async(link).await,
            Request::One(cmd) if self.0.replicas > 0 => self.written(link, cmd).await,
            Request::One(cmd) => link.req_packed_command(cmd).await,
        }
    }

    /// The answer to a command whose writes enough replicas have. Both go to one server over one connection: another
    /// master would count replicas that have something else.
    async fn written(&self, link: &mut impl ConnectionLike, cmd: &Cmd) -> RedisResult<Value> {
        let mut both = redis::pipe();
        both.add_command(cmd.clone()).cmd("WAIT").arg(self.0.replicas).arg((self.0.silence / 2).as_millis() as u64);
        let mut answers = link.req_packed_commands(&both, 0, 2).await?.into_iter();
        let answer = answers.next().unwrap_or(Value::Nil).extract_error()?;
        let have: u8 = redis::from_redis_value(answers.next().unwrap_or(Value::Nil).extract_error()?)?;
        if have < self.0.replicas {
            let why = format!("{have} of {} replicas have it", self.0.replicas);
            return Err(redis::make_extension_error("NOREPLICAS".to_owned(), Some(why)));
        }
        Ok(answer)
    }

    /// The open connection, or a new one.
    async fn live(&self) -> RedisResult<Live> {
        if let Some(live) = self.current() {
            return Ok(live);
        }
        let mut opened = self.0.opening.lock().await;
        if let Some(live) = self.current() {
            return Ok(live);
        }
        *opened += 1;
        let live = Live { number: *opened, link: self.open().await? };
        *self.0.live.write().unwrap_or_else(PoisonError::into_inner) = Some(live.clone());
        Ok(live)
    }

    fn current(&self) -> Option<Live> {
        self.0.live.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Drops the connection of that number, so that the next command opens another.
    fn forget(&self, number: u64) {
        let mut live = self.0.live.write().unwrap_or_else(PoisonError::into_inner);
        if live.as_ref().is_some_and(|live| live.number == number) {
            *live = None;
        }
    }

    async fn open(&self) -> RedisResult<RedisConnection> {
        Ok(match &self.0.topology {
            Topology::Single(client) => {
                RedisConnection::Node(client.get_multiplexed_async_connection_with_config(&self.0.config).await?)
            }
            Topology::Sentinel(sentinel) => {
                RedisConnection::Node(sentinel.lock().await.get_async_connection_with_config(&self.0.config).await?)
            }
            Topology::Cluster(client, _) => RedisConnection::Cluster(client.get_async_connection().await?),
        })
    }

    pub(crate) fn is_cluster(&self) -> bool {
        matches!(self.0.topology, Topology::Cluster(..))
    }

    /// A connection of its own that listens to a channel: at the first node that lets it.
    pub(crate) async fn subscribe(&self, channel: &str) -> Result<PubSub, Error> {
        let trying = async {
            let mut last = Error::Unavailable("no node to subscribe at".to_owned());
            for node in self.0.topology.nodes().await? {
                match time::timeout(self.0.silence / 2, listen_at(&node, channel)).await {
                    Ok(Ok(subscription)) => return Ok(subscription),
                    Ok(Err(error)) => last = error.into(),
                    Err(_) => last = Error::Unavailable("no answer to a subscription in time".to_owned()),
                }
            }
            Err(last)
        };
        let over = |_| Err(Error::Unavailable("no subscription in time".to_owned()));
        time::timeout(self.0.silence, trying).await.unwrap_or_else(over)
    }
}

async fn listen_at(node: &Client, channel: &str) -> RedisResult<PubSub> {
    let mut subscription = node.get_async_pubsub().await?;
    subscription.subscribe(channel).await?;
    Ok(subscription)
}

/// Whether the connection, not the command, failed: also when the server has become somebody's replica, where a new
/// connection finds the new master, and when it is not yet ready.
fn is_lost(error: &RedisError) -> bool {
    matches!(error.code(), Some("READONLY" | "LOADING" | "MASTERDOWN"))
        || error.is_io_error()
        || (error.is_unrecoverable_error() && error.kind() != redis::ErrorKind::AuthenticationFailed)
        || matches!(error.kind(), redis::ErrorKind::MasterNameNotFoundBySentinel)
}

/// Whether a slot is on its way from one node to another: its keys can be asked for one by one, and scripts once it is there.
fn is_moving(error: &RedisError) -> bool {
    matches!(error.code(), Some("TRYAGAIN" | "ASK" | "MOVED"))
}
