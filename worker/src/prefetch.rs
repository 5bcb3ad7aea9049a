//! What this worker holds: deliveries that wait here for a thread, and those under way.
//!
//! Slots for what is under way and room for what waits are shared by tenants as [`FairShares`] says, so that nobody's backlog, and
//! nobody's long texts, stand before somebody else's.

use crate::fair_shares::FairShares;
use gleaner_model::TenantId;
use gleaner_runtime::lock;
use gleaner_store::{Delivery, Room};
use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    pin::pin,
    sync::{Arc, Mutex},
};
use tokio::sync::Notify;

/// Shared by the reader and those who process.
#[derive(Debug)]
pub struct Prefetch {
    /// The queue whose room limits what is read.
    limiting_queue: QueueKind,
    inner: Mutex<PrefetchState>,
    /// For each queue: something may be begun there.
    ready: [Notify; 2],
    room_freed: Notify,
    finished: Notify,
}

/// For whom a delivery waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueueKind {
    /// For a thread of this process.
    Engine,
    /// For the language model.
    Model,
}

/// How much may be read, and of whom nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadAhead {
    /// Most entries and bytes to read.
    pub room: Room,
    /// Tenants that have their share of it.
    pub passed_over: BTreeSet<TenantId>,
}

/// Model-queue room as a multiple of the engine queue's, where only some items go to the model.
const ROOM_FACTOR: usize = 4;
/// The part of the room that a body counts as at most: however long one is, others have room beside it.
const MAX_BODY_DIVISOR: usize = 8;
/// The part of the room below which nothing is read: so that a read brings many.
const MIN_FREE_DIVISOR: usize = 8;
/// Whoever was passed over is read again once it has at most this part of what is free, so that a read brings many.
const RESUME_DIVISOR: usize = 4;

#[derive(Debug)]
struct PrefetchState {
    queues: [PrefetchQueue; 2],
    under_way: Vec<(QueueKind, Arc<Delivery>)>,
    arrivals: u64,
    closed: bool,
    /// Whether there was room when last asked, and who was passed over then.
    had_room: bool,
    passed_over: BTreeSet<TenantId>,
}

/// What waits in a queue, and who has how much of it.
#[derive(Debug)]
struct PrefetchQueue {
    /// Of each tenant, with numbers in the order of arrival.
    waiting: BTreeMap<TenantId, VecDeque<(u64, Arc<Delivery>)>>,
    entries: FairShares,
    bytes: FairShares,
    /// The bytes that a delivery counts as at most.
    largest: usize,
    slots: FairShares,
}

impl PrefetchQueue {
    fn new(room: Room, largest: usize, slots: usize) -> Self {
        Self {
            waiting: BTreeMap::new(),
            entries: FairShares::new(room.entries),
            bytes: FairShares::new(room.bytes),
            largest,
            slots: FairShares::new(slots),
        }
    }

    fn put(&mut self, delivery: Delivery, number: u64) {
        self.entries.take(&delivery.tenant, 1);
        self.bytes.take(&delivery.tenant, delivery.body.len().min(self.largest));
        self.waiting.entry(delivery.tenant.clone()).or_default().push_back((number, Arc::new(delivery)));
    }

    /// Whose delivery is next: of those who may begin one, the tenant with the fewest under way; the oldest among equals.
    fn next(&self) -> Option<&TenantId> {
        let open = self.waiting.iter().filter(|(tenant, _)| self.slots.open_to(tenant));
        let next = open.min_by_key(|(tenant, own)| (self.slots.of(tenant), own.front().map(|(number, _)| *number)));
        next.map(|(tenant, _)| tenant)
    }

    fn begin(&mut self) -> Option<Arc<Delivery>> {
        let tenant = self.next()?.clone();
        let own = self.waiting.get_mut(&tenant)?;
        let (_, delivery) = own.pop_front()?;
        if own.is_empty() {
            self.waiting.remove(&tenant);
        }
        self.entries.give_back(&tenant, 1);
        self.bytes.give_back(&tenant, delivery.body.len().min(self.largest));
        self.slots.take(&tenant, 1);
        Some(delivery)
    }

    fn has_room(&self) -> bool {
        [&self.entries, &self.bytes].iter().all(|share| share.free() >= (share.all() / MIN_FREE_DIVISOR).max(1))
    }

    /// Whether a tenant is to be passed over: from when it has its share until most of that is taken, so that the next
    /// read of it brings many.
    fn is_passed_over(&self, tenant: &TenantId, already: bool) -> bool {
        [&self.entries, &self.bytes].iter().any(|share| {
            if already { share.of(tenant) * RESUME_DIVISOR > share.free() } else { !share.open_to(tenant) }
        })
    }

    fn deliveries(&self) -> impl Iterator<Item = &Arc<Delivery>> {
        self.waiting.values().flatten().map(|(_, delivery)| delivery)
    }
}

impl PrefetchState {
    /// Whether more may be read than when last asked.
    fn room_freed(&self, limiting_queue: QueueKind) -> bool {
        let line = &self.queues[limiting_queue as usize];
        line.has_room() && (!self.had_room || self.passed_over.iter().any(|tenant| !line.is_passed_over(tenant, true)))
    }
}

impl Prefetch {
    /// Nothing yet, with so much room for what waits, and so many slots for what this process reads. The model's own limits
    /// say what is under way there; where others do not wait for it, its room is larger and limits nobody's reading.
    pub fn new(room: Room, slots: usize, only_model: bool) -> Self {
        let largest = (room.bytes / MAX_BODY_DIVISOR).max(1);
        let model = if only_model {
            PrefetchQueue::new(room, largest, usize::MAX)
        } else {
            let rooms = Room { entries: room.entries * ROOM_FACTOR, bytes: room.bytes * ROOM_FACTOR };
            PrefetchQueue::new(rooms, usize::MAX, usize::MAX)
        };
        let inner = PrefetchState {
            queues: [PrefetchQueue::new(room, largest, slots), model],
            under_way: Vec::new(),
            arrivals: 0,
            closed: false,
            had_room: true,
            passed_over: BTreeSet::new(),
        };
        Self {
            limiting_queue: if only_model { QueueKind::Model } else { QueueKind::Engine },
            inner: Mutex::new(inner),
            ready: [Notify::new(), Notify::new()],
            room_freed: Notify::new(),
            finished: Notify::new(),
        }
    }

    /// Puts deliveries behind those that wait in their queues; returns those for which the model's has no room.
    #[must_use]
    pub fn put(&self, deliveries: Vec<Delivery>, queue: impl Fn(&TenantId) -> QueueKind) -> Vec<Delivery> {
        let mut beyond = Vec::new();
        for delivery in deliveries {
            let queue = queue(&delivery.tenant);
            let mut inner = lock(&self.inner);
            let line = &inner.queues[queue as usize];
            if queue != self.limiting_queue && (line.entries.free() == 0 || line.bytes.free() == 0) {
                beyond.push(delivery);
                continue;
            }
            inner.arrivals += 1;
            let number = inner.arrivals;
            inner.queues[queue as usize].put(delivery, number);
            drop(inner);
            self.ready[queue as usize].notify_one();
        }
        beyond
    }

    /// The next delivery of a queue, once there is one that may be begun; `None` when no more will be given out.
    pub async fn next(&self, queue: QueueKind) -> Option<Arc<Delivery>> {
        loop {
            // Before the look, so that nothing comes in between unnoticed.
            let mut ready = pin!(self.ready[queue as usize].notified());
            ready.as_mut().enable();
            {
                let mut inner = lock(&self.inner);
                if inner.closed {
                    return None;
                }
                if let Some(delivery) = inner.queues[queue as usize].begin() {
                    inner.under_way.push((queue, delivery.clone()));
                    if inner.queues[queue as usize].next().is_some() {
                        self.ready[queue as usize].notify_one();
                    }
                    if inner.room_freed(self.limiting_queue) {
                        self.room_freed.notify_one();
                    }
                    return Some(delivery);
                }
            }
            ready.await;
        }
    }

    /// A delivery is no longer under way here.
    pub fn finish(&self, delivery: &Arc<Delivery>) {
        let mut inner = lock(&self.inner);
        // One that was lost and came back is there twice, for a while.
        if let Some(place) = inner.under_way.iter().position(|(_, other)| Arc::ptr_eq(other, delivery)) {
            let (queue, _) = inner.under_way.swap_remove(place);
            inner.queues[queue as usize].slots.give_back(&delivery.tenant, 1);
            self.ready[queue as usize].notify_one();
        }
        drop(inner);
        self.finished.notify_waiters();
    }

    /// Resolves when nothing is held any more.
    pub async fn emptied(&self) {
        loop {
            // Before the look, so that nothing finishes in between unnoticed.
            let mut finished = pin!(self.finished.notified());
            finished.as_mut().enable();
            if self.all().is_empty() {
                return;
            }
            finished.await;
        }
    }

    /// Gives nothing more out, and returns what was waiting.
    pub fn close(&self) -> Vec<Arc<Delivery>> {
        let mut inner = lock(&self.inner);
        inner.closed = true;
        let waiting =
            inner.queues.iter_mut().flat_map(|line| std::mem::take(&mut line.waiting).into_values().flatten());
        let waiting = waiting.map(|(_, delivery)| delivery).collect();
        drop(inner);
        self.ready.iter().for_each(Notify::notify_waiters);
        self.finished.notify_waiters();
        waiting
    }

    /// What may be read now; `None` when there is too little room.
    pub fn read_ahead(&self) -> Option<ReadAhead> {
        let mut inner = lock(&self.inner);
        let line = &inner.queues[self.limiting_queue as usize];
        let has_room = line.has_room();
        let read_ahead = has_room.then(|| ReadAhead {
            room: Room { entries: line.entries.free(), bytes: line.bytes.free() },
            passed_over: line
                .waiting
                .keys()
                .filter(|tenant| line.is_passed_over(tenant, inner.passed_over.contains(tenant)))
                .cloned()
                .collect(),
        });
        inner.had_room = has_room;
        if let Some(read_ahead) = &read_ahead {
            inner.passed_over = read_ahead.passed_over.clone();
        }
        read_ahead
    }

    /// Resolves when more may be read than [`Self::read_ahead`] last said.
    pub async fn room_freed(&self) {
        self.room_freed.notified().await;
    }

    /// Everything that is held.
    pub fn all(&self) -> Vec<Arc<Delivery>> {
        let inner = lock(&self.inner);
        let under_way = inner.under_way.iter().map(|(_, delivery)| delivery);
        inner.queues.iter().flat_map(PrefetchQueue::deliveries).chain(under_way).cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::FutureExt as _;
    use gleaner_model::JobId;

    const SLOTS: usize = 8;
    const ROOM: Room = Room { entries: 128, bytes: 1 << 18 };

    fn of(tenant: &str, entry: usize, bytes: usize) -> Delivery {
        Delivery {
            tenant: tenant.parse().unwrap(),
            job_id: JobId::new(),
            entry: format!("{entry}-0"),
            consumer: "w".to_owned(),
            attempts: 0,
            seq: 1,
            item_digest: String::new(),
            request_id: String::new(),
            traceparent: None,
            body: vec![b'x'; bytes],
        }
    }

    fn many(tenant: &str, count: usize, bytes: usize) -> Vec<Delivery> {
        (0..count).map(|entry| of(tenant, entry, bytes)).collect()
    }

    fn put(prefetch: &Prefetch, deliveries: Vec<Delivery>) {
        assert!(prefetch.put(deliveries, |_| QueueKind::Engine).is_empty());
    }

    fn next(prefetch: &Prefetch) -> Option<Arc<Delivery>> {
        prefetch.next(QueueKind::Engine).now_or_never().flatten()
    }

    /// Begins what may be begun; whose that is.
    fn begin_all(prefetch: &Prefetch) -> Vec<Arc<Delivery>> {
        std::iter::from_fn(|| next(prefetch)).collect()
    }

    fn passed_over(prefetch: &Prefetch) -> Vec<String> {
        prefetch.read_ahead().unwrap().passed_over.iter().map(ToString::to_string).collect()
    }

    fn was_freed(prefetch: &Prefetch) -> bool {
        prefetch.room_freed().now_or_never().is_some()
    }

    #[tokio::test]
    async fn a_long_backlog_leaves_slots_for_another_tenant() {
        let prefetch = Prefetch::new(ROOM, SLOTS, false);
        put(&prefetch, many("long", 20, 10));
        let long = begin_all(&prefetch);
        assert_eq!(long.len(), SLOTS / 2, "one alone gets half");
        put(&prefetch, many("late", 20, 10));
        let late = begin_all(&prefetch);
        assert!(!late.is_empty() && late.iter().all(|delivery| delivery.tenant.as_str() == "late"), "{late:?}");
        put(&prefetch, many("later", 1, 10));
        assert_eq!(begin_all(&prefetch).len(), 1, "and so on");
    }

    #[tokio::test]
    async fn whoever_has_fewest_under_way_is_next() {
        let prefetch = Prefetch::new(ROOM, SLOTS, false);
        put(&prefetch, many("long", 20, 10));
        let long = begin_all(&prefetch);
        put(&prefetch, many("late", 1, 10));
        prefetch.finish(&long[0]);
        assert_eq!(next(&prefetch).unwrap().tenant.as_str(), "late", "and not who came first");
    }

    #[tokio::test]
    async fn nobody_waits_for_ever_whoever_else_comes() {
        let prefetch = Prefetch::new(ROOM, SLOTS, false);
        put(&prefetch, many("long", 20, 10));
        (0..SLOTS).for_each(|entry| put(&prefetch, vec![of(&format!("early{entry}"), entry, 10)]));
        let mut under_way = VecDeque::from(begin_all(&prefetch));
        assert_eq!(under_way.len(), SLOTS);
        put(&prefetch, many("patient", 1, 10));
        let is_held = |name: &str| prefetch.all().iter().any(|delivery| delivery.tenant.as_str() == name);
        let mut turns = 0;
        // Others come as fast as anything ends, each time somebody new.
        while is_held("patient") || is_held("long") {
            put(&prefetch, vec![of(&format!("new{turns}"), turns, 10)]);
            prefetch.finish(&under_way.pop_front().unwrap());
            under_way.extend(begin_all(&prefetch));
            turns += 1;
            assert!(turns < 10 * SLOTS || !is_held("patient"), "a single one never has its turn");
            assert!(turns < 1000, "the backlog does not move");
        }
    }

    #[tokio::test]
    async fn a_delivery_that_was_lost_and_came_back_gives_both_its_slots_back() {
        let prefetch = Prefetch::new(ROOM, SLOTS, false);
        put(&prefetch, many("a", 1, 10));
        put(&prefetch, many("a", 1, 10));
        begin_all(&prefetch).iter().for_each(|delivery| prefetch.finish(delivery));
        put(&prefetch, many("a", 20, 10));
        assert_eq!(begin_all(&prefetch).len(), SLOTS / 2);
    }

    #[tokio::test]
    async fn a_tenant_with_its_share_of_the_room_is_sated_until_most_of_it_is_taken() {
        let prefetch = Prefetch::new(ROOM, SLOTS, false);
        assert_eq!(prefetch.read_ahead(), Some(ReadAhead { room: ROOM, passed_over: BTreeSet::new() }));
        put(&prefetch, many("long", 64, 10));
        assert_eq!(passed_over(&prefetch), ["long"]);
        assert_eq!(prefetch.read_ahead().unwrap().room.entries, 64, "the rest is for others");
        let mut taken = 0;
        while !was_freed(&prefetch) {
            assert_eq!(passed_over(&prefetch), ["long"]);
            prefetch.finish(&next(&prefetch).expect("whoever waits for it is told before nothing is left"));
            taken += 1;
        }
        assert!(taken >= 32, "a read brings many: {taken}");
        assert_eq!(passed_over(&prefetch), [""; 0]);
        assert!(!was_freed(&prefetch));
    }

    #[tokio::test]
    async fn long_texts_leave_room() {
        let prefetch = Prefetch::new(ROOM, SLOTS, false);
        put(&prefetch, many("long", 1, 1 << 20));
        assert_eq!(passed_over(&prefetch), [""; 0], "one is no share");
        put(&prefetch, many("long", 3, 1 << 20));
        assert_eq!(passed_over(&prefetch), ["long"]);
        put(&prefetch, many("late", 3, 1 << 20));
        assert_eq!(passed_over(&prefetch), ["late", "long"]);
        assert!(prefetch.read_ahead().unwrap().room.bytes > 0, "somebody else has room");
        put(&prefetch, many("later", 1, 1 << 20));
        assert_eq!(prefetch.read_ahead(), None, "eight of the longest are enough");
        assert!(!was_freed(&prefetch));
        next(&prefetch).unwrap();
        assert!(was_freed(&prefetch), "there is room again");
        assert!(prefetch.read_ahead().is_some());
    }

    #[tokio::test]
    async fn the_smallest_room_has_room_for_one() {
        let prefetch = Prefetch::new(Room { entries: 1, bytes: 1 }, 2, false);
        assert!(prefetch.read_ahead().is_some());
        put(&prefetch, many("a", 1, 10));
        assert_eq!(prefetch.read_ahead(), None);
        next(&prefetch).unwrap();
        assert!(was_freed(&prefetch));
        assert!(prefetch.read_ahead().is_some());
    }

    #[tokio::test]
    async fn what_waits_for_the_model_has_bounds_and_slots_of_its_own() {
        let prefetch = Prefetch::new(Room { entries: 2, bytes: 1 << 18 }, 2, false);
        assert_eq!(prefetch.put(many("a", 10, 10), |_| QueueKind::Model).len(), 2, "four rooms");
        assert_eq!(prefetch.read_ahead().unwrap().room.entries, 2, "it takes none from the others");
        for _ in 0..8 {
            assert!(prefetch.next(QueueKind::Model).now_or_never().flatten().is_some(), "one tenant may have all");
        }
    }

    #[tokio::test]
    async fn closing_returns_what_waits_and_ends_those_who_process() {
        let prefetch = Prefetch::new(ROOM, SLOTS, false);
        put(&prefetch, many("a", 2, 1));
        let under_way = prefetch.next(QueueKind::Engine).await.unwrap();
        assert_eq!(prefetch.close().len(), 1);
        assert!(prefetch.next(QueueKind::Engine).await.is_none());
        assert_eq!(prefetch.all(), [under_way]);
    }
}
