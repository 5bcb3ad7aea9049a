//! Wakes the requests that wait for something of one key, and no others.
//!
//! A notification may be missed (the store's notices can get lost), so whoever waits looks again after a while anyway.

use gleaner_runtime::lock;
use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Arc, Mutex},
};
use tokio::sync::Notify;

/// Notifiers by key; one is there while somebody waits for it.
#[derive(Clone)]
pub struct KeyedNotify<K: Eq + Hash + Clone>(NotifyMap<K>);

type NotifyMap<K> = Arc<Mutex<HashMap<K, Arc<Notify>>>>;

/// Somebody's wait for one key.
pub struct Waiter<K: Eq + Hash + Clone> {
    notifiers: NotifyMap<K>,
    key: K,
    notifier: Arc<Notify>,
}

impl<K: Eq + Hash + Clone> Default for KeyedNotify<K> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<K: Eq + Hash + Clone> KeyedNotify<K> {
    /// Waits for `key` from now on.
    pub fn wait_for(&self, key: K) -> Waiter<K> {
        let mut notifiers = lock(&self.0);
        let notifier = Arc::clone(notifiers.entry(key.clone()).or_default());
        Waiter { notifiers: Arc::clone(&self.0), key, notifier }
    }

    /// Wakes those who wait for `key`.
    pub fn notify(&self, key: &K) {
        if let Some(notifier) = lock(&self.0).get(key) {
            notifier.notify_waiters();
        }
    }

    /// Wakes everybody, whatever key they wait for.
    pub fn notify_all(&self) {
        lock(&self.0).values().for_each(|notifier| notifier.notify_waiters());
    }
}

impl<K: Eq + Hash + Clone> Waiter<K> {
    /// Resolves at the next notification after this call, even where it is polled only later.
    pub fn notified(&self) -> impl Future<Output = ()> + Send + Unpin + use<K> {
        let mut notified = Box::pin(Arc::clone(&self.notifier).notified_owned());
        // Only who is enabled is woken; polling would enable too late.
        notified.as_mut().enable();
        notified
    }
}

impl<K: Eq + Hash + Clone> Drop for Waiter<K> {
    fn drop(&mut self) {
        let mut notifiers = lock(&self.notifiers);
        // One count here, one in the table: nobody else waits.
        if Arc::strong_count(&self.notifier) <= 2 {
            notifiers.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_notification_between_looking_and_waiting_is_not_missed() {
        let notifiers = KeyedNotify::default();
        let waiter = notifiers.wait_for("job");
        let notified = waiter.notified();
        notifiers.notify(&"job");
        notified.await;
    }

    #[test]
    fn a_notifier_goes_with_the_last_who_waits() {
        let notifiers = KeyedNotify::default();
        let (first, second) = (notifiers.wait_for(1), notifiers.wait_for(1));
        drop(first);
        assert_eq!(notifiers.0.lock().unwrap().len(), 1);
        drop(second);
        assert!(notifiers.0.lock().unwrap().is_empty());
    }
}
