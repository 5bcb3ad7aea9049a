//! What is asked of the language model, and what comes of it.

use gleaner_llm::{Ended, Failure};
use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family, histogram::Histogram},
    registry::Registry,
};

/// Upper bounds of the buckets, in seconds.
const SECONDS: [f64; 9] = [0.1, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0];

/// The counters; a clone counts into the same ones.
#[derive(Clone, Debug)]
pub struct LlmMetrics {
    requests: Family<LlmOutcomeLabels, Counter>,
    tokens: Family<Direction, Counter>,
    seconds: Histogram,
    /// Time that requests waited for a permit, in seconds.
    pub waited: Histogram,
    fallbacks: Family<LlmReasonLabels, Counter>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
struct LlmOutcomeLabels {
    outcome: &'static str,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
struct Direction {
    direction: &'static str,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
struct LlmReasonLabels {
    reason: &'static str,
}

impl Default for LlmMetrics {
    fn default() -> Self {
        Self {
            requests: Family::default(),
            tokens: Family::default(),
            seconds: Histogram::new(SECONDS),
            waited: Histogram::new(SECONDS),
            fallbacks: Family::default(),
        }
    }
}

impl LlmMetrics {
    pub(super) fn register(&self, registry: &mut Registry) {
        registry.register("requests", "Requests to the language model, by how they ended", self.requests.clone());
        registry.register("tokens", "Tokens of questions (in) and answers (out)", self.tokens.clone());
        registry.register("request_seconds", "Time that an answer took", self.seconds.clone());
        registry.register("wait_seconds", "Time that a request waited for a permit", self.waited.clone());
        registry.register("fallbacks", "Items that the engine read instead of the model", self.fallbacks.clone());
    }

    /// Counts a request to the model, with its time and its tokens.
    pub fn ended(&self, ended: &Ended<'_>) {
        let outcome = ended.failure.map_or("answered", Failure::kind);
        self.requests.get_or_create(&LlmOutcomeLabels { outcome }).inc();
        self.seconds.observe(ended.took.as_secs_f64());
        if let Some(usage) = ended.usage {
            self.tokens.get_or_create(&Direction { direction: "in" }).inc_by(usage.input_tokens);
            self.tokens.get_or_create(&Direction { direction: "out" }).inc_by(usage.output_tokens);
        }
    }

    /// Counts one item that the model did not read.
    pub fn fell_back(&self, failure: &Failure) {
        self.fallbacks.get_or_create(&LlmReasonLabels { reason: failure.kind() }).inc();
    }

    /// Items that the engine read instead of the model.
    #[must_use]
    pub fn fallbacks(&self, reason: &'static str) -> u64 {
        self.fallbacks.get_or_create(&LlmReasonLabels { reason }).get()
    }
}
