//! What this worker holds: deliveries that wait here for a thread, and those under way.

use gleaner_model::TenantId;
use gleaner_store::{Delivery, Room};
use std::{
    collections::{BTreeMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use tokio::sync::{Notify, Semaphore};

/// Shared by the reader and those who process.
#[derive(Debug)]
pub struct Held {
    room: Room,
    /// Whether everything waits for the model, so that its queue bounds what is read.
    only_model: bool,
    inner: Mutex<Inner>,
    /// For each queue, one permit for each delivery that waits there.
    arrived: [Semaphore; 2],
    taken: Notify,
    finished: Notify,
}

/// For whom a delivery waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Queue {
    /// For a thread of this process.
    Engine,
    /// For the language model.
    Model,
}

/// Most deliveries that wait for the model where others do not, in rooms.
const ROOMS: usize = 4;

/// A delivery's place in the store.
type Place = (String, String);

#[derive(Debug, Default)]
struct Inner {
    waiting: [Waiting; 2],
    under_way: BTreeMap<Place, Arc<Delivery>>,
}

#[derive(Debug, Default)]
struct Waiting {
    deliveries: VecDeque<Arc<Delivery>>,
    bytes: usize,
}

fn place(delivery: &Delivery) -> Place {
    (delivery.tenant.to_string(), delivery.entry.clone())
}

impl Held {
    /// Nothing yet, with so much room for what waits.
    pub fn new(room: Room, only_model: bool) -> Self {
        Self {
            room,
            only_model,
            inner: Mutex::default(),
            arrived: [Semaphore::new(0), Semaphore::new(0)],
            taken: Notify::new(),
            finished: Notify::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts deliveries behind those that wait in their queues; returns those for which the model's has no room.
    #[must_use]
    pub fn put(&self, deliveries: Vec<Delivery>, queue: impl Fn(&TenantId) -> Queue) -> Vec<Delivery> {
        let mut beyond = Vec::new();
        for delivery in deliveries {
            let queue = queue(&delivery.tenant);
            let mut inner = self.lock();
            let waiting = &mut inner.waiting[queue as usize];
            let full =
                waiting.deliveries.len() >= self.room.entries * ROOMS || waiting.bytes >= self.room.bytes * ROOMS;
            if queue == Queue::Model && !self.only_model && full {
                beyond.push(delivery);
                continue;
            }
            waiting.bytes += delivery.body.len();
            waiting.deliveries.push_back(Arc::new(delivery));
            drop(inner);
            self.arrived[queue as usize].add_permits(1);
        }
        beyond
    }

    /// The next delivery of a queue, once there is one; `None` when no more will be given out.
    pub async fn next(&self, queue: Queue) -> Option<Arc<Delivery>> {
        self.arrived[queue as usize].acquire().await.ok()?.forget();
        let mut inner = self.lock();
        let waiting = &mut inner.waiting[queue as usize];
        let delivery = waiting.deliveries.pop_front()?;
        waiting.bytes -= delivery.body.len();
        inner.under_way.insert(place(&delivery), delivery.clone());
        drop(inner);
        self.taken.notify_one();
        Some(delivery)
    }

    /// A delivery is no longer under way here.
    pub fn finish(&self, delivery: &Delivery) {
        self.lock().under_way.remove(&place(delivery));
        self.finished.notify_waiters();
    }

    /// Resolves when nothing is held any more.
    pub async fn emptied(&self) {
        loop {
            // Before the look, so that nothing finishes in between unnoticed.
            let mut finished = std::pin::pin!(self.finished.notified());
            finished.as_mut().enable();
            if self.all().is_empty() {
                return;
            }
            finished.await;
        }
    }

    /// Gives nothing more out, and returns what was waiting.
    pub fn close(&self) -> Vec<Arc<Delivery>> {
        self.arrived.iter().for_each(Semaphore::close);
        let mut inner = self.lock();
        let waiting = std::mem::take(&mut inner.waiting).into_iter().flat_map(|waiting| waiting.deliveries).collect();
        drop(inner);
        self.finished.notify_waiters();
        waiting
    }

    /// How much may be read now. Reading starts over when half of the room is free, so that a read brings many.
    pub fn free(&self) -> Option<Room> {
        let inner = self.lock();
        let waiting = &inner.waiting[if self.only_model { Queue::Model } else { Queue::Engine } as usize];
        let (entries, bytes) = (waiting.deliveries.len(), waiting.bytes);
        let worthwhile = entries <= self.room.entries / 2 && bytes <= self.room.bytes / 2;
        worthwhile.then(|| Room { entries: self.room.entries - entries, bytes: self.room.bytes - bytes })
    }

    /// Resolves when a delivery has been taken since the last call.
    pub async fn taken(&self) {
        self.taken.notified().await;
    }

    /// Everything that is held.
    pub fn all(&self) -> Vec<Arc<Delivery>> {
        let inner = self.lock();
        inner.waiting.iter().flat_map(|waiting| &waiting.deliveries).chain(inner.under_way.values()).cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gleaner_model::JobId;

    fn delivery(entry: &str, bytes: usize) -> Delivery {
        Delivery {
            tenant: "default".parse().unwrap(),
            job_id: JobId::new(),
            entry: entry.to_owned(),
            consumer: "w".to_owned(),
            attempts: 0,
            seq: 1,
            item_digest: String::new(),
            request_id: String::new(),
            traceparent: None,
            body: vec![b'x'; bytes],
        }
    }

    #[tokio::test]
    async fn there_is_room_again_when_half_of_it_is_free() {
        let held = Held::new(Room { entries: 8, bytes: 100 }, false);
        assert!(held.put(vec![delivery("1-0", 40), delivery("2-0", 40)], |_| Queue::Engine).is_empty());
        assert_eq!(held.free(), None);
        let first = held.next(Queue::Engine).await.unwrap();
        assert_eq!(held.free(), Some(Room { entries: 7, bytes: 60 }));
        assert_eq!(held.all().len(), 2);
        held.finish(&first);
        assert_eq!(held.all().len(), 1);
    }

    #[tokio::test]
    async fn closing_returns_what_waits_and_ends_those_who_process() {
        let held = Held::new(Room { entries: 8, bytes: 100 }, false);
        assert!(held.put(vec![delivery("1-0", 1), delivery("2-0", 1)], |_| Queue::Engine).is_empty());
        let under_way = held.next(Queue::Engine).await.unwrap();
        assert_eq!(held.close().len(), 1);
        assert!(held.next(Queue::Engine).await.is_none());
        assert_eq!(held.all(), [under_way]);
    }
}
