//! Rates: how many requests a token and its tenant may make. Each has a bucket that fills with time; a submission is charged
//! as it is accepted ([`crate::accept`]), everything else here.

use crate::{
    Error, Store,
    script::{LuaScript, QUEUE},
};
use gleaner_model::{TenantId, TokenId};
use std::sync::LazyLock;

/// The buckets, for scripts that charge them.
pub(crate) const RATE: &str = include_str!("scripts/lib/rate.lua");
static CHARGE: LazyLock<LuaScript> =
    LazyLock::new(|| LuaScript::new(&[QUEUE, RATE, include_str!("scripts/charge.lua")]));

/// How many requests a token may make; 0 in either field turns the limit off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RateLimit {
    /// Requests a minute, sustained.
    pub per_minute: u32,
    /// Requests that may come at once, after a pause.
    pub burst: u32,
}

impl RateLimit {
    /// No limit.
    pub const OFF: Self = Self { per_minute: 0, burst: 0 };

    /// Whether there is no limit.
    #[must_use]
    pub const fn is_off(self) -> bool {
        self.per_minute == 0 || self.burst == 0
    }

    /// Seconds in which an empty bucket fills: the window `w` of `RateLimit-Policy: "default";q=<burst>;w=<window>`.
    #[must_use]
    pub fn window_s(self) -> u32 {
        if self.is_off() { 0 } else { (u64::from(self.burst) * 60).div_ceil(u64::from(self.per_minute)) as u32 }
    }
}

/// Where a token's rate stands after a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RateState {
    /// The limit it is measured by.
    pub limit: RateLimit,
    /// Requests that may follow at once: `r` of `RateLimit: "default";r=<remaining>;t=<reset>`.
    pub remaining: u32,
    /// Seconds until all of the burst is there again.
    pub reset_s: u32,
    /// Seconds to wait before the next request is let in; 0 when this one was.
    pub retry_after_s: u32,
}

impl Store {
    /// Charges a submission that is refused before acceptance to the rates of its token and its tenant. `None`: neither has a
    /// limit.
    ///
    /// # Errors
    /// When the store cannot be asked.
    pub async fn charge_submission(
        &self,
        tenant: &TenantId,
        token: &TokenId,
        limit: RateLimit,
        tenant_limit: RateLimit,
    ) -> Result<Option<RateState>, Error> {
        self.charge_buckets(tenant, (token.as_str(), limit), ("tenant", tenant_limit)).await
    }

    /// Charges feedback: ratings have rates of their own.
    ///
    /// # Errors
    /// As [`Store::charge_submission`].
    pub async fn charge_feedback(
        &self,
        tenant: &TenantId,
        token: &TokenId,
        limit: RateLimit,
        tenant_limit: RateLimit,
    ) -> Result<Option<RateState>, Error> {
        self.charge_buckets(tenant, (&format!("{token}:feedback"), limit), ("tenant:feedback", tenant_limit)).await
    }

    /// Charges a sign-in to its token.
    ///
    /// # Errors
    /// As [`Store::charge_submission`].
    pub async fn charge_sign_in(
        &self,
        tenant: &TenantId,
        token: &TokenId,
        limit: RateLimit,
    ) -> Result<Option<RateState>, Error> {
        self.charge_buckets(tenant, (&format!("{token}:sign-in"), limit), ("", RateLimit::OFF)).await
    }

    /// Charges the making of a token to its tenant.
    ///
    /// # Errors
    /// As [`Store::charge_submission`].
    pub async fn charge_token(&self, tenant: &TenantId, limit: RateLimit) -> Result<Option<RateState>, Error> {
        self.charge_buckets(tenant, ("tenant:tokens", limit), ("", RateLimit::OFF)).await
    }

    async fn charge_buckets(
        &self,
        tenant: &TenantId,
        (bucket, limit): (&str, RateLimit),
        (tenants, tenant_limit): (&str, RateLimit),
    ) -> Result<Option<RateState>, Error> {
        if limit.is_off() && tenant_limit.is_off() {
            return Ok(None);
        }
        let call = self.tenant_call(&CHARGE, tenant).arg(bucket).show(limit.per_minute).show(limit.burst);
        let call = call.arg(tenants).show(tenant_limit.per_minute).show(tenant_limit.burst);
        let (remaining, reset_s, retry_after_s): (i64, u32, u32) = call.run(&self.0.connection).await?;
        let remaining = u32::try_from(remaining).unwrap_or(u32::MAX);
        Ok(Some(RateState { limit, remaining, reset_s, retry_after_s }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_is_the_time_in_which_a_burst_comes_back() {
        assert_eq!(RateLimit { per_minute: 120, burst: 300 }.window_s(), 150);
        assert_eq!(RateLimit { per_minute: 7, burst: 1 }.window_s(), 9);
        assert_eq!(RateLimit::OFF.window_s(), 0);
    }
}
