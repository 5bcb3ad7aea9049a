//! Permits: how many requests are under way, how much is spent, and whether the model is there at all is decided
//! over all who ask.

use crate::endpoint::Failure;
use gleaner_model::Usage;
use std::{future::Future, time::Duration};

/// Why nothing may be asked now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Denied {
    /// The circuit breaker is open: the model has failed too often lately.
    CircuitOpen,
    /// There was no permit to be had within the time that a text may wait.
    Waited,
}

/// How one request ended.
#[derive(Clone, Copy, Debug)]
pub struct Ended<'e> {
    /// The failure, if it was one.
    pub failure: Option<&'e Failure>,
    /// What the endpoint counted.
    pub usage: Option<Usage>,
    /// How long it took.
    pub took: Duration,
}

/// Where permits are had.
pub trait Limiter: Sync {
    /// Allows one request.
    type Permit: Send;

    /// Waits for a permit for a request that costs at most so many tokens, its answer included.
    fn acquire(&self, tokens: u64) -> impl Future<Output = Result<Self::Permit, Denied>> + Send;

    /// Releases a permit and tells how its request ended.
    fn release(&self, permit: Self::Permit, ended: Ended<'_>) -> impl Future<Output = ()> + Send;
}

/// No limit but what the caller keeps itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unlimited;

impl Limiter for Unlimited {
    type Permit = ();

    async fn acquire(&self, _tokens: u64) -> Result<(), Denied> {
        Ok(())
    }

    async fn release(&self, _permit: (), _ended: Ended<'_>) {}
}
