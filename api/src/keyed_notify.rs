//! Wakes the requests that wait for something of one key, and no others.
//!
//! A ring may be missed (the store's notices can get lost), so whoever waits looks again after a while anyway.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Arc, Mutex, PoisonError},
};
use tokio::sync::Notify;

/// Bells by key; a bell is there while somebody waits for it.
#[derive(Clone)]
pub struct KeyedNotify<K: Eq + Hash + Clone>(NotifyMap<K>);

type NotifyMap<K> = Arc<Mutex<HashMap<K, Arc<Notify>>>>;

/// Somebody's wait for one bell.
pub struct Waiter<K: Eq + Hash + Clone> {
    bells: NotifyMap<K>,
    key: K,
    bell: Arc<Notify>,
}

impl<K: Eq + Hash + Clone> Default for KeyedNotify<K> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<K: Eq + Hash + Clone> KeyedNotify<K> {
    /// Waits for the bell of `key` from now on.
    pub fn wait_for(&self, key: K) -> Waiter<K> {
        let mut bells = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let bell = Arc::clone(bells.entry(key.clone()).or_default());
        Waiter { bells: Arc::clone(&self.0), key, bell }
    }

    /// Wakes those who wait for `key`.
    pub fn notify(&self, key: &K) {
        if let Some(bell) = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(key) {
            bell.notify_waiters();
        }
    }

    /// Wakes everybody.
    pub fn notify_all(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).values().for_each(|bell| bell.notify_waiters());
    }
}

impl<K: Eq + Hash + Clone> Waiter<K> {
    /// Resolves at the next ring after this call, even where it is polled only later.
    pub fn notified(&self) -> impl Future<Output = ()> + Send + Unpin + use<K> {
        let mut ring = Box::pin(Arc::clone(&self.bell).notified_owned());
        // Only who is enabled is woken; polling would enable too late.
        ring.as_mut().enable();
        ring
    }
}

impl<K: Eq + Hash + Clone> Drop for Waiter<K> {
    fn drop(&mut self) {
        let mut bells = self.bells.lock().unwrap_or_else(PoisonError::into_inner);
        // One count here, one in the table: nobody else waits.
        if Arc::strong_count(&self.bell) <= 2 {
            bells.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_ring_between_looking_and_waiting_is_not_missed() {
        let bells = KeyedNotify::default();
        let waiter = bells.wait_for("job");
        let ring = waiter.notified();
        bells.notify(&"job");
        ring.await;
    }

    #[test]
    fn a_bell_goes_with_the_last_who_waits() {
        let bells = KeyedNotify::default();
        let (first, second) = (bells.wait_for(1), bells.wait_for(1));
        drop(first);
        assert_eq!(bells.0.lock().unwrap().len(), 1);
        drop(second);
        assert!(bells.0.lock().unwrap().is_empty());
    }
}
