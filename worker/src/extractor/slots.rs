//! Slots in which texts are read by the engine of this process, shared fairly: somebody's long texts, each of which takes
//! seconds, leave a slot for another's short one.

use crate::fair_shares::FairShares;
use gleaner_model::TenantId;
use gleaner_runtime::lock;
use std::{collections::BTreeMap, pin::pin, sync::Mutex};
use tokio::sync::Notify;

/// The slots, and those who wait for one.
#[derive(Debug)]
pub struct ReadingSlots {
    inner: Mutex<SlotState>,
    changed: Notify,
}

#[derive(Debug)]
struct SlotState {
    shares: FairShares,
    /// By number, in the order in which they came.
    waiting: BTreeMap<u64, TenantId>,
    next: u64,
}

/// A slot, or the wait for one, until it is dropped.
#[derive(Debug)]
pub struct ReadingSlot<'s> {
    slots: &'s ReadingSlots,
    tenant: TenantId,
    number: u64,
}

impl ReadingSlots {
    /// So many that a tenant alone gets `threads`.
    pub fn for_threads(threads: usize) -> Self {
        let inner = SlotState { shares: FairShares::new(threads * 2), waiting: BTreeMap::new(), next: 0 };
        Self { inner: Mutex::new(inner), changed: Notify::new() }
    }

    /// Waits for a slot. Of those who wait, the next is the one whose tenant has the fewest, the first among equals.
    pub async fn acquire(&self, tenant: &TenantId) -> ReadingSlot<'_> {
        let slot = ReadingSlot { slots: self, tenant: tenant.clone(), number: lock(&self.inner).line_up(tenant) };
        loop {
            // Before the look, so that nothing changes in between unnoticed.
            let mut changed = pin!(self.changed.notified());
            changed.as_mut().enable();
            if lock(&self.inner).admit(slot.number) {
                // Another may be next now, and has looked already.
                self.changed.notify_waiters();
                return slot;
            }
            changed.await;
        }
    }
}

impl SlotState {
    fn line_up(&mut self, tenant: &TenantId) -> u64 {
        self.next += 1;
        self.waiting.insert(self.next, tenant.clone());
        self.next
    }

    /// Gives a slot to that one, if it is next and there is one.
    fn admit(&mut self, number: u64) -> bool {
        let open = self.waiting.iter().filter(|(_, tenant)| self.shares.open_to(tenant));
        let next = open.min_by_key(|(number, tenant)| (self.shares.of(tenant), **number)).map(|(number, _)| *number);
        if next != Some(number) {
            return false;
        }
        if let Some(tenant) = self.waiting.remove(&number) {
            self.shares.take(&tenant, 1);
        }
        true
    }
}

impl Drop for ReadingSlot<'_> {
    fn drop(&mut self) {
        let mut inner = lock(&self.slots.inner);
        if inner.waiting.remove(&self.number).is_none() {
            inner.shares.give_back(&self.tenant, 1);
        }
        drop(inner);
        self.slots.changed.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::FutureExt as _;

    fn tenant(name: &str) -> TenantId {
        name.parse().unwrap()
    }

    #[tokio::test]
    async fn a_tenant_alone_gets_as_many_as_there_are_threads_and_another_need_not_wait_for_their_end() {
        let slots = ReadingSlots::for_threads(2);
        let (long, short) = (tenant("long"), tenant("short"));
        let first = slots.acquire(&long).await;
        let _second = slots.acquire(&long).await;
        let mut third = pin!(slots.acquire(&long));
        assert!(third.as_mut().now_or_never().is_none(), "two threads, two slots");
        drop(slots.acquire(&short).now_or_never().expect("a slot is left for another"));
        assert!(third.as_mut().now_or_never().is_none(), "what is left is not for who has most");
        drop(first);
        assert!(third.now_or_never().is_some());
    }

    #[tokio::test]
    async fn who_has_fewest_is_next_and_who_stops_waiting_is_in_nobodys_way() {
        let slots = ReadingSlots::for_threads(1);
        let (long, late, later) = (tenant("long"), tenant("late"), tenant("later"));
        let first = slots.acquire(&long).await;
        let second = slots.acquire(&late).await;
        let mut again = pin!(slots.acquire(&long));
        assert!(again.as_mut().now_or_never().is_none());
        let mut waiting = Box::pin(slots.acquire(&later));
        assert!(waiting.as_mut().now_or_never().is_none(), "all are taken");
        drop(second);
        assert!(again.as_mut().now_or_never().is_none(), "it came first, and has one");
        drop(waiting);
        assert!(again.as_mut().now_or_never().is_none(), "it has as many as are left");
        drop(first);
        assert!(again.now_or_never().is_some());
    }
}
