//! Permits to ask the model, from the store: limits and the circuit breaker hold over all workers.

use crate::{metrics::WorkerMetrics, retry::retry_transient};
use gleaner_llm::{Denied, Ended, Failure, Limiter};
use gleaner_model::TenantId;
use gleaner_runtime::Shutdown;
use gleaner_store::{LlmAcquireOutcome, LlmEnd, LlmLimits, LlmPermit, Store};
use std::time::{Duration, Instant};
use uuid::Uuid;

/// How long an item waits for a permit at most, before the engine reads it.
const MAX_WAIT: Duration = Duration::from_secs(3600);
/// Longest delay before a permit is asked for again: somebody may have released one.
const MAX_RETRY_DELAY: Duration = Duration::from_secs(1);
/// How long everybody keeps away from a busy model that does not say how long, and how long at most.
const BUSY_DELAY: (Duration, Duration) = (Duration::from_millis(500), Duration::from_secs(60));

/// Hands out permits for one tenant's questions.
pub struct StoreLimiter {
    pub store: Store,
    pub metrics: WorkerMetrics,
    pub limits: LlmLimits,
    pub tenant: TenantId,
    pub shutdown: Shutdown,
}

impl Limiter for StoreLimiter {
    type Permit = LlmPermit;

    async fn acquire(&self, tokens: u64) -> Result<LlmPermit, Denied> {
        let (begun, id) = (Instant::now(), Uuid::new_v4().to_string());
        while begun.elapsed() < MAX_WAIT && !self.shutdown.is_stopping() {
            let ask = || self.store.acquire_llm(&self.tenant, &id, tokens, &self.limits);
            let delay = match retry_transient(&self.metrics, ask).await {
                Ok(LlmAcquireOutcome::Granted(permit)) => {
                    self.metrics.llm.waited.observe(begun.elapsed().as_secs_f64());
                    return Ok(permit);
                }
                Ok(LlmAcquireOutcome::CircuitOpen) => return Err(Denied::CircuitOpen),
                Ok(LlmAcquireOutcome::RetryAfter(after)) => after.min(MAX_RETRY_DELAY),
                Err(error) => {
                    tracing::warn!(error = %error, "Cannot ask the store for a permit to ask the model");
                    return Err(Denied::Waited);
                }
            };
            tokio::select! {
                () = tokio::time::sleep(delay + jitter()) => {}
                () = self.shutdown.stopping() => {}
            }
        }
        Err(Denied::Waited)
    }

    async fn release(&self, permit: LlmPermit, ended: Ended<'_>) {
        self.metrics.llm.ended(&ended);
        let cost = ended.usage.map_or_else(
            || if costs(ended.failure) { permit.charged() } else { 0 },
            |usage| usage.input_tokens + usage.output_tokens,
        );
        let end = match ended.failure {
            None => LlmEnd::Answered,
            Some(Failure::Busy { after, .. }) => LlmEnd::Busy(after.unwrap_or(BUSY_DELAY.0).min(BUSY_DELAY.1)),
            Some(Failure::TimedOut | Failure::Unreachable(_) | Failure::Failed(_) | Failure::Rejected(_)) => {
                LlmEnd::Failed
            }
            Some(_) => LlmEnd::Other,
        };
        let release = || self.store.release_llm(&permit, cost, end, &self.limits);
        if let Err(error) = retry_transient(&self.metrics, release).await {
            tracing::warn!(error = %error, "Cannot release a permit to ask the model; it ends by itself");
        }
    }
}

/// Whether a model that fails like that may have worked for it.
fn costs(failure: Option<&Failure>) -> bool {
    matches!(failure, None | Some(Failure::TimedOut | Failure::CutOff | Failure::Declined | Failure::Malformed))
}

/// Up to fifty milliseconds, so that those who wait do not ask together.
fn jitter() -> Duration {
    Duration::from_millis(u64::from(rand::random::<u8>()) % 50)
}
