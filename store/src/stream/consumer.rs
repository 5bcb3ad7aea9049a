//! One worker's place in the queue: its name, the connection on which it waits, and what it knows of each partition.

use super::Delivery;
use crate::{
    Error, Store,
    notices::{alive, next_within},
    reply::next_value,
    script::{LuaScript, QUEUE},
};
use futures::{FutureExt, StreamExt, future::join_all};
use gleaner_model::TenantId;
use redis::{Value, aio::PubSub};
use std::{
    collections::BTreeSet,
    sync::LazyLock,
    time::{Duration, Instant},
};

static HAND_OUT: LazyLock<LuaScript> =
    LazyLock::new(|| LuaScript::new(&[QUEUE, include_str!("../scripts/hand_out.lua")]));
static RECLAIM: LazyLock<LuaScript> =
    LazyLock::new(|| LuaScript::new(&[QUEUE, include_str!("../scripts/reclaim.lua")]));

/// A consumer that holds nothing and has been silent for so long is forgotten.
const FORGET: Duration = Duration::from_secs(600);
/// Time after which a consumer that hears nothing asks every partition itself: a message can get lost.
const POLL: Duration = Duration::from_secs(10);

/// How much a worker is ready to take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Room {
    /// Most deliveries.
    pub entries: usize,
    /// Most bytes of their bodies; the delivery that passes it still comes.
    pub bytes: usize,
}

/// When a delivery counts as lost, and when as hopeless.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Takeover {
    /// Taken over when its consumer has been silent for so long.
    pub idle: Duration,
    /// Given up when so many attempts have ended in a takeover.
    pub attempts: u32,
}

/// What a takeover brought.
#[derive(Debug, Default)]
pub struct Reclaimed {
    /// Deliveries that are now this consumer's.
    pub deliveries: Vec<Delivery>,
    /// How many were given up.
    pub dead_lettered: u64,
}

/// Why waiting ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wake {
    /// There may be something to read.
    Entries,
    /// Another worker gave deliveries back: reclaim them.
    GivenBack,
}

/// One worker's place in the queue. Waiting has a connection of its own; everything else shares the store's.
pub struct Consumer {
    store: Store,
    name: String,
    takeover: Takeover,
    subscription: Option<PubSub>,
    /// Partitions that may have something to read.
    waiting: BTreeSet<u16>,
    /// Tenants of whom nothing is to be read for now, whatever they have.
    passed_over: BTreeSet<TenantId>,
    /// Partitions where deliveries were given back.
    given_back: BTreeSet<u16>,
    /// The partition that comes first at the next turn, so that none always does.
    turn: u16,
    /// When every partition was last thought to have something.
    looked: Instant,
}

impl Store {
    /// A place in the queue under that name, which no other process may have: pod name and something random.
    ///
    /// # Errors
    /// When the store cannot be asked.
    pub async fn consumer(&self, name: &str, takeover: Takeover) -> Result<Consumer, Error> {
        let mut consumer = Consumer {
            store: self.clone(),
            name: name.to_owned(),
            takeover,
            subscription: None,
            waiting: BTreeSet::new(),
            passed_over: BTreeSet::new(),
            given_back: BTreeSet::new(),
            turn: 0,
            looked: Instant::now(),
        };
        consumer.subscribe().await?;
        Ok(consumer)
    }
}

impl Consumer {
    /// The consumer's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// From now on, reads pass these tenants over, and no others. Those who were, and are no longer, may have something.
    pub fn pass_over(&mut self, tenants: BTreeSet<TenantId>) {
        for tenant in self.passed_over.difference(&tenants) {
            self.waiting.insert(self.store.0.keys.partition_of(tenant));
        }
        self.passed_over = tenants;
    }

    /// Reads what is there, in fair order, and waits for nothing. The room is divided evenly between the partitions that may
    /// have something, with one entry each at least. Within a partition's part, a tenant that has got as much as is left gets
    /// no more.
    ///
    /// # Errors
    /// When a partition cannot be asked and the others have nothing. What it handed out meanwhile is taken over later.
    pub async fn read(&mut self, room: Room) -> Result<Vec<Delivery>, Error> {
        self.hear();
        let partitions: Vec<_> = self.in_turn(&self.waiting).take(room.entries).collect();
        if partitions.is_empty() {
            return Ok(Vec::new());
        }
        let share =
            Room { entries: (room.entries / partitions.len()).max(1), bytes: (room.bytes / partitions.len()).max(1) };
        let answers = join_all(partitions.iter().map(|partition| self.read_one(*partition, share))).await;
        let (mut deliveries, mut failed) = (Vec::new(), Ok(()));
        for (partition, answer) in partitions.into_iter().zip(answers) {
            match answer {
                Ok((left, mut read)) => {
                    if left == 0 {
                        self.waiting.remove(&partition);
                    }
                    deliveries.append(&mut read);
                }
                Err(error) => failed = Err(error),
            }
            self.turn = (partition + 1) % self.store.0.keys.partitions();
        }
        // What the others gave is held by now.
        if deliveries.is_empty() { failed.map(|()| deliveries) } else { Ok(deliveries) }
    }

    async fn read_one(&self, partition: u16, room: Room) -> Result<(u64, Vec<Delivery>), Error> {
        let mut call =
            self.store.partition_call(&HAND_OUT, partition).arg(&self.name).show(room.entries).show(room.bytes);
        for tenant in &self.passed_over {
            if self.store.0.keys.partition_of(tenant) == partition {
                call = call.arg(tenant.as_str());
            }
        }
        self.answered(call.once().run(&self.store.0.connection).await?)
    }

    /// A count, then deliveries.
    fn answered(&self, answer: Vec<Value>) -> Result<(u64, Vec<Delivery>), Error> {
        let mut values = answer.into_iter();
        let count = next_value(&mut values)?;
        let read = |value| match value {
            Value::Array(fields) => Delivery::read(&self.name, fields),
            other => Err(Error::corrupt(format!("a delivery is a {}", kind(&other)))),
        };
        Ok((count, values.map(read).collect::<Result<_, _>>()?))
    }

    /// Waits until there may be something to do, at most `longest`. After a long silence everything may have changed.
    ///
    /// # Errors
    /// When the connection is lost; the next call opens another.
    pub async fn wait(&mut self, longest: Duration) -> Result<Wake, Error> {
        self.hear();
        if self.waiting.is_empty() && self.given_back.is_empty() {
            self.listen(longest).await?;
        }
        Ok(if self.given_back.is_empty() { Wake::Entries } else { Wake::GivenBack })
    }

    async fn listen(&mut self, longest: Duration) -> Result<(), Error> {
        let Some(subscription) = &mut self.subscription else { return self.subscribe().await };
        let heard = match next_within(subscription, longest).await {
            Ok(Some(message)) => Ok(Some(message)),
            Ok(None) => alive(subscription).await.map(|()| None),
            Err(error) => Err(error),
        };
        match heard {
            Ok(Some(message)) => self.note(&message),
            Ok(None) if self.looked.elapsed() >= POLL => self.expect_everything(),
            Ok(None) => {}
            Err(error) => {
                self.subscription = None;
                return Err(error);
            }
        }
        Ok(())
    }

    async fn subscribe(&mut self) -> Result<(), Error> {
        let channel = self.store.0.keys.wake();
        self.subscription = Some(self.store.0.connection.subscribe(&channel).await?);
        self.expect_everything();
        Ok(())
    }

    fn expect_everything(&mut self) {
        self.looked = Instant::now();
        self.waiting = (0..self.store.0.keys.partitions()).collect();
    }

    /// Notes the messages that have come in meanwhile.
    fn hear(&mut self) {
        while let Some(Some(message)) =
            self.subscription.as_mut().and_then(|heard| heard.on_message().next().now_or_never())
        {
            self.note(&String::from_utf8_lossy(message.get_payload_bytes()));
        }
    }

    /// `07` or `07 reclaim`.
    fn note(&mut self, message: &str) {
        let (number, word) = message.split_once(' ').unwrap_or((message, ""));
        if let Ok(partition) = number.parse::<u16>()
            && partition < self.store.0.keys.partitions()
        {
            let set = if word == "reclaim" { &mut self.given_back } else { &mut self.waiting };
            set.insert(partition);
        }
    }

    /// Takes over what other consumers have lost, in all partitions, and gives up what was begun too often.
    ///
    /// # Errors
    /// When a partition cannot be asked and the others have nothing.
    pub async fn reclaim(&mut self, room: Room) -> Result<Reclaimed, Error> {
        self.given_back.clear();
        let (mut reclaimed, mut failed) = (Reclaimed::default(), Ok(()));
        let mut left = room;
        let all = (0..self.store.0.keys.partitions()).collect();
        for partition in self.in_turn(&all).collect::<Vec<_>>() {
            let (dead_lettered, mut taken) = match self.reclaim_one(partition, left).await {
                Ok(answer) => answer,
                Err(error) => {
                    failed = Err(error);
                    continue;
                }
            };
            left.entries = left.entries.saturating_sub(taken.len());
            left.bytes = left.bytes.saturating_sub(taken.iter().map(|delivery| delivery.body.len()).sum());
            reclaimed.dead_lettered += dead_lettered;
            reclaimed.deliveries.append(&mut taken);
        }
        if reclaimed.deliveries.is_empty() && reclaimed.dead_lettered == 0 {
            failed.map(|()| reclaimed)
        } else {
            Ok(reclaimed)
        }
    }

    async fn reclaim_one(&self, partition: u16, room: Room) -> Result<(u64, Vec<Delivery>), Error> {
        let call = self
            .store
            .partition_call(&RECLAIM, partition)
            .arg(&self.name)
            .show(self.takeover.idle.as_millis())
            .show(self.takeover.attempts)
            .show(room.entries)
            .show(room.bytes)
            .show(FORGET.as_millis())
            .once();
        self.answered(call.run(&self.store.0.connection).await?)
    }

    /// Those partitions, beginning with the one whose turn it is.
    fn in_turn<'a>(&self, partitions: &'a BTreeSet<u16>) -> impl Iterator<Item = u16> + use<'a> {
        let turn = self.turn;
        partitions.range(turn..).chain(partitions.range(..turn)).copied()
    }
}

impl std::fmt::Debug for Consumer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Consumer").field("name", &self.name).finish_non_exhaustive()
    }
}

const fn kind(value: &Value) -> &'static str {
    match value {
        Value::Nil => "null",
        Value::Int(_) => "number",
        Value::BulkString(_) | Value::SimpleString(_) => "text",
        _ => "something else",
    }
}
