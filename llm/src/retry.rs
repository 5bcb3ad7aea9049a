//! Asking again: after a while where the endpoint is busy, a few times where it failed, once where the answer was of another
//! form. Every wait and every loop has a bound.

use crate::{
    endpoint::{Endpoint, Failure, Reply},
    limiter::{Denied, Ended, Limiter},
};
use gleaner_model::Usage;
use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};
use tracing::{Instrument as _, field::Empty};

/// Failures after which a question is given up; a time-out counts as two.
const MAX_FAILURES: u32 = 4;
/// Answers "come back later" after which it is.
const MAX_BUSY: u32 = 12;
/// Dialects that are tried.
const MAX_DIALECTS: u32 = 6;
/// First delay, and longest, whatever the endpoint asks for.
const BACKOFF: (Duration, Duration) = (Duration::from_millis(250), Duration::from_secs(60));

/// One text's questions to an endpoint.
#[derive(Debug)]
pub(crate) struct RetryingClient<'a, G> {
    endpoint: &'a Endpoint,
    limiter: &'a G,
    usage: Mutex<Usage>,
}

/// What was tried so far.
#[derive(Default)]
struct Attempts {
    failures: u32,
    busy: u32,
    dialects: u32,
}

impl<'a, G: Limiter> RetryingClient<'a, G> {
    pub(crate) fn new(endpoint: &'a Endpoint, limiter: &'a G) -> Self {
        Self { endpoint, limiter, usage: Mutex::default() }
    }

    /// What all that cost so far.
    pub(crate) fn usage(&self) -> Usage {
        *self.usage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks until there is an answer that can be read; `tokens` is what a request costs at most.
    pub(crate) async fn ask<T>(
        &self,
        question: &str,
        tokens: u64,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<T, Failure> {
        let (mut tried, mut unreadable) = (Attempts::default(), None::<String>);
        loop {
            let failure = match self.once(question, tokens, unreadable.as_deref()).await {
                Ok(reply) => match read(&reply.content) {
                    Some(answer) => return Ok(answer),
                    None if unreadable.is_none() => {
                        unreadable = Some(shortened(reply.content));
                        continue;
                    }
                    None => return Err(Failure::Malformed),
                },
                Err(failure) => failure,
            };
            match tried.delay_after(&failure) {
                Some(delay) => tokio::time::sleep(delay).await,
                None => return Err(failure),
            }
        }
    }

    async fn once(&self, question: &str, tokens: u64, unreadable: Option<&str>) -> Result<Reply, Failure> {
        let permit = self.limiter.acquire(tokens).await.map_err(|denied| match denied {
            Denied::CircuitOpen => Failure::CircuitOpen,
            Denied::Waited => Failure::Waited,
        })?;
        let begun = Instant::now();
        let span = tracing::info_span!(
            "llm request",
            llm.model = self.endpoint.model(),
            llm.tokens_at_most = tokens,
            llm.tokens_in = Empty,
            llm.tokens_out = Empty,
            llm.outcome = Empty,
        );
        let answer = self.endpoint.ask(question, unreadable).instrument(span.clone()).await;
        span.record("llm.outcome", answer.as_ref().err().map_or("answered", Failure::kind));
        let usage = match &answer {
            Ok(reply) => reply.usage,
            Err(_) => None,
        };
        if let Some(usage) = usage {
            span.record("llm.tokens_in", usage.input_tokens).record("llm.tokens_out", usage.output_tokens);
            *self.usage.lock().unwrap_or_else(PoisonError::into_inner) += usage;
        }
        drop(span);
        self.limiter.release(permit, Ended { failure: answer.as_ref().err(), usage, took: begun.elapsed() }).await;
        answer
    }
}

impl Attempts {
    /// How long to wait before asking again; `None` when that is of no use any more.
    fn delay_after(&mut self, failure: &Failure) -> Option<Duration> {
        match failure {
            Failure::Busy { after, .. } => {
                self.busy += 1;
                (self.busy < MAX_BUSY).then(|| after.unwrap_or_else(|| backoff(self.busy)).min(BACKOFF.1))
            }
            Failure::Unreachable(_) | Failure::Failed(_) | Failure::TimedOut => {
                // Whoever waited for nothing as long as an answer may take had better not wait as often.
                self.failures += if *failure == Failure::TimedOut { 2 } else { 1 };
                (self.failures < MAX_FAILURES).then(|| backoff(self.failures))
            }
            Failure::OtherDialect => {
                self.dialects += 1;
                (self.dialects < MAX_DIALECTS).then_some(Duration::ZERO)
            }
            _ => None,
        }
    }
}

/// The delay after so many failures: doubled each time, with jitter, so that not all processes come back at once.
fn backoff(times: u32) -> Duration {
    let doubled = BACKOFF.0 * 2u32.saturating_pow(times.min(8));
    let jitter = Duration::from_millis(u64::from(std::process::id() ^ times) % 97);
    (doubled + jitter).min(BACKOFF.1)
}

/// What is shown of an answer that is to be repaired.
fn shortened(mut answer: String) -> String {
    if let Some((at, _)) = answer.char_indices().nth(2000) {
        answer.truncate(at);
    }
    answer
}
