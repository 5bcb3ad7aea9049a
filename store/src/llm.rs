//! Permits for requests to the language model, over all workers: requests at once, tokens a minute, and a circuit
//! breaker that opens when the model keeps failing.

use crate::{
    Error, Store,
    script::{Call, LuaScript},
};
use gleaner_model::TenantId;
use std::{sync::LazyLock, time::Duration};

const LIB: &str = include_str!("scripts/lib/llm.lua");
static ACQUIRE: LazyLock<LuaScript> = LazyLock::new(|| LuaScript::new(&[LIB, include_str!("scripts/llm_enter.lua")]));
static RELEASE: LazyLock<LuaScript> = LazyLock::new(|| LuaScript::new(&[LIB, include_str!("scripts/llm_leave.lua")]));

/// How much may be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LlmLimits {
    /// Requests under way at once.
    pub at_once: u32,
    /// Tokens a minute, of all tenants; 0: any number.
    pub tokens_per_minute: u64,
    /// Tokens a minute, of one tenant; 0: any number.
    pub tenant_tokens_per_minute: u64,
    /// How long a request counts as under way whose worker was lost.
    pub lasts: Duration,
}

/// A permit for one request: released with [`Store::release_llm`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LlmPermit {
    tenant: TenantId,
    id: String,
    charged: u64,
}

impl LlmPermit {
    /// The tokens that were charged for it.
    #[must_use]
    pub const fn charged(&self) -> u64 {
        self.charged
    }
}

/// Whether a request may be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LlmAcquireOutcome {
    /// It may, with this permit.
    Granted(LlmPermit),
    /// Not now: ask again after that time.
    RetryAfter(Duration),
    /// The circuit breaker is open: the model has failed too often lately, and another finds out whether it is back.
    CircuitOpen,
}

/// How a request ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LlmEnd {
    /// The model answered.
    Answered,
    /// It could not be reached, was too slow, or failed.
    Failed,
    /// It asks everybody to come back later.
    Busy(Duration),
    /// It would not answer this one; that says nothing of others.
    Other,
}

impl Store {
    /// Acquires a permit for a request that costs at most so many tokens. `id` makes repeating the call harmless.
    ///
    /// # Errors
    /// When the store cannot be asked.
    pub async fn acquire_llm(
        &self,
        tenant: &TenantId,
        id: &str,
        tokens: u64,
        limits: &LlmLimits,
    ) -> Result<LlmAcquireOutcome, Error> {
        let call = Call::new(&ACQUIRE, self.0.keys.llm())
            .arg(tenant.as_str())
            .arg(id)
            .show(tokens)
            .show(limits.lasts.as_millis())
            .show(limits.at_once)
            .show(limits.tokens_per_minute)
            .show(limits.tenant_tokens_per_minute);
        let (verdict, ms): (String, u64) = call.run(&self.0.connection).await?;
        Ok(match verdict.as_str() {
            "in" => {
                LlmAcquireOutcome::Granted(LlmPermit { tenant: tenant.clone(), id: id.to_owned(), charged: tokens })
            }
            "broken" => LlmAcquireOutcome::CircuitOpen,
            _ => LlmAcquireOutcome::RetryAfter(Duration::from_millis(ms)),
        })
    }

    /// Releases a permit, with what the request cost and how it ended.
    ///
    /// # Errors
    /// When the store cannot be asked. Repeating the call settles it once.
    pub async fn release_llm(
        &self,
        permit: &LlmPermit,
        cost: u64,
        end: LlmEnd,
        limits: &LlmLimits,
    ) -> Result<(), Error> {
        let (ended, pause) = match end {
            LlmEnd::Answered => ("answered", Duration::ZERO),
            LlmEnd::Failed => ("failed", Duration::ZERO),
            LlmEnd::Busy(pause) => ("busy", pause),
            LlmEnd::Other => ("other", Duration::ZERO),
        };
        let call = Call::new(&RELEASE, self.0.keys.llm())
            .arg(permit.tenant.as_str())
            .arg(&permit.id)
            .show(permit.charged)
            .show(cost)
            .arg(ended)
            .show(pause.as_millis())
            .show(limits.tokens_per_minute)
            .show(limits.tenant_tokens_per_minute);
        call.run::<u64>(&self.0.connection).await.map(|_| ())
    }
}
