//! Who may have one more of what tenants share: places to work in, room for what waits.
//!
//! The rule is the dynamic threshold that Choudhury and Hahne gave to the shared buffers of switches (1998): a tenant may have
//! another only while it has less than is free. One alone gets half, two get a third each, and something stays free for whoever
//! comes next. It needs no list of tenants and no setting.

use gleaner_model::TenantId;
use std::collections::BTreeMap;

/// So much of something, and how much of it each tenant has.
#[derive(Debug)]
pub struct FairShares {
    all: usize,
    taken: usize,
    of: BTreeMap<TenantId, usize>,
}

impl FairShares {
    /// So much, and nobody has any.
    pub const fn new(all: usize) -> Self {
        Self { all, taken: 0, of: BTreeMap::new() }
    }

    /// How much nobody has.
    pub const fn free(&self) -> usize {
        self.all.saturating_sub(self.taken)
    }

    /// How much there is, taken or not.
    pub const fn all(&self) -> usize {
        self.all
    }

    /// How much a tenant has.
    pub fn of(&self, tenant: &TenantId) -> usize {
        self.of.get(tenant).copied().unwrap_or(0)
    }

    /// Whether a tenant may have more.
    pub fn open_to(&self, tenant: &TenantId) -> bool {
        self.of(tenant) < self.free()
    }

    /// A tenant gets so much, allowed or not.
    pub fn take(&mut self, tenant: &TenantId, amount: usize) {
        self.taken += amount;
        *self.of.entry(tenant.clone()).or_default() += amount;
    }

    /// A tenant gives back so much of what it took.
    pub fn give_back(&mut self, tenant: &TenantId, amount: usize) {
        self.taken -= amount;
        if let Some(of) = self.of.get_mut(tenant) {
            *of -= amount;
            if *of == 0 {
                self.of.remove(tenant);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How much of eight each gets when they take by turns for as long as they may.
    fn split(tenants: usize) -> Vec<usize> {
        let names: Vec<TenantId> = (0..tenants).map(|n| format!("t{n}").parse().unwrap()).collect();
        let mut shares = FairShares::new(8);
        while let Some(open) = names.iter().filter(|name| shares.open_to(name)).min_by_key(|name| shares.of(name)) {
            shares.take(open, 1);
        }
        names.iter().map(|name| shares.of(name)).collect()
    }

    #[test]
    fn one_alone_gets_half_and_something_is_left_for_others() {
        assert_eq!(split(1), [4]);
        assert_eq!(split(2), [3, 3]);
        assert_eq!(split(3), [2, 2, 2]);
    }

    #[test]
    fn whoever_comes_late_gets_a_part_and_what_is_given_back_is_free_again() {
        let (early, late) = ("early".parse().unwrap(), "late".parse().unwrap());
        let mut shares = FairShares::new(8);
        shares.take(&early, 4);
        assert!(!shares.open_to(&early) && shares.open_to(&late));
        shares.take(&late, 2);
        assert!(!shares.open_to(&late), "the third would be as much as is left");
        shares.give_back(&early, 4);
        assert_eq!((shares.of(&early), shares.free()), (0, 6));
        assert!(shares.open_to(&early) && shares.open_to(&late));
    }
}
