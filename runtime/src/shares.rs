//! Shares of something that there is only so much of, such as connections: for each token, for each tenant, for all.

use crate::lock;
use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Arc, Mutex},
};

/// Who holds a share.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Holder {
    /// The tenant of the token, by name.
    pub tenant: String,
    /// The public id of the token.
    pub token: String,
}

/// How many shares there are; `usize::MAX` is no limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShareLimits {
    /// Shares of all tenants together.
    pub total: usize,
    /// Shares of all tokens of one tenant together.
    pub per_tenant: usize,
    /// Shares of one token.
    pub per_token: usize,
}

/// Why there is no share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exceeded {
    /// All shares of the process are taken.
    Total,
    /// All shares of the tenant are taken.
    Tenant,
    /// All shares of the token are taken.
    Token,
}

/// Counts what is taken.
#[derive(Debug)]
pub struct Shares {
    limits: ShareLimits,
    taken: Mutex<ShareCounts>,
}

#[derive(Debug, Default)]
struct ShareCounts {
    total: usize,
    tenants: HashMap<String, usize>,
    tokens: HashMap<String, usize>,
}

/// One share; given back when it is dropped.
#[derive(Debug)]
pub struct Share {
    shares: Arc<Shares>,
    holder: Holder,
}

impl Shares {
    /// Nothing is taken yet.
    #[must_use]
    pub fn new(limits: ShareLimits) -> Arc<Self> {
        Arc::new(Self { limits, taken: Mutex::default() })
    }

    /// Takes a share.
    ///
    /// # Errors
    /// What there is too much of.
    pub fn take(self: &Arc<Self>, holder: &Holder) -> Result<Share, Exceeded> {
        let (mut taken, limits) = (lock(&self.taken), self.limits);
        let of = |counts: &HashMap<String, usize>, name: &str| counts.get(name).copied().unwrap_or(0);
        if of(&taken.tokens, &holder.token) >= limits.per_token {
            return Err(Exceeded::Token);
        }
        if of(&taken.tenants, &holder.tenant) >= limits.per_tenant {
            return Err(Exceeded::Tenant);
        }
        if taken.total >= limits.total {
            return Err(Exceeded::Total);
        }
        taken.total += 1;
        *taken.tenants.entry(holder.tenant.clone()).or_default() += 1;
        *taken.tokens.entry(holder.token.clone()).or_default() += 1;
        Ok(Share { shares: Arc::clone(self), holder: holder.clone() })
    }
}

impl Share {
    /// The tenant and token that hold the share.
    #[must_use]
    pub const fn holder(&self) -> &Holder {
        &self.holder
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let mut taken = lock(&self.shares.taken);
        taken.total -= 1;
        one_less(&mut taken.tenants, &self.holder.tenant);
        one_less(&mut taken.tokens, &self.holder.token);
    }
}

/// Counts down; who has nothing is forgotten.
pub(crate) fn one_less<K: Eq + Hash>(counts: &mut HashMap<K, usize>, who: &K) {
    if let Some(count) = counts.get_mut(who) {
        *count -= 1;
        if *count == 0 {
            counts.remove(who);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holder(tenant: &str, token: &str) -> Holder {
        Holder { tenant: tenant.to_owned(), token: token.to_owned() }
    }

    #[test]
    fn a_token_a_tenant_and_all_have_their_parts_and_what_is_dropped_is_free_again() {
        let shares = Shares::new(ShareLimits { total: 4, per_tenant: 3, per_token: 2 });
        let first = shares.take(&holder("a", "1")).unwrap();
        let _second = shares.take(&holder("a", "1")).unwrap();
        assert_eq!(shares.take(&holder("a", "1")).unwrap_err(), Exceeded::Token);
        let _third = shares.take(&holder("a", "2")).unwrap();
        assert_eq!(shares.take(&holder("a", "3")).unwrap_err(), Exceeded::Tenant);
        let fourth = shares.take(&holder("b", "4")).unwrap();
        assert_eq!(shares.take(&holder("c", "5")).unwrap_err(), Exceeded::Total);
        drop((first, fourth));
        shares.take(&holder("a", "1")).unwrap();
        assert!(!lock(&shares.taken).tenants.contains_key("b"), "who has nothing is forgotten");
    }
}
