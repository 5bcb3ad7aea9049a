//! What this process counts.

use axum::http::{Method, StatusCode};
use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram},
    registry::Registry,
};
use std::time::Duration;

/// Upper bounds of the buckets, in seconds: a read of the store is about 1 ms, the longest wait 30 s.
const SECONDS: [f64; 10] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.25, 1.0, 3.0, 30.0];

/// The counters; a clone counts into the same ones.
#[derive(Clone, Debug)]
pub struct ApiMetrics {
    requests: Family<AnswerLabels, Counter>,
    seconds: Family<RouteLabels, Histogram, fn() -> Histogram>,
    /// Submissions queued.
    pub accepted: Counter,
    /// Submissions answered with an earlier job.
    pub replayed: Counter,
    /// Submissions and ratings over the rate of their token.
    pub rate_limited: Counter,
    /// Event streams open now.
    pub listeners: Gauge,
    /// Times that the store did not do what it was asked.
    pub store_errors: Counter,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
struct AnswerLabels {
    method: String,
    route: &'static str,
    status: u16,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
struct RouteLabels {
    route: &'static str,
}

impl Default for ApiMetrics {
    fn default() -> Self {
        Self {
            requests: Family::default(),
            seconds: Family::new_with_constructor(|| Histogram::new(SECONDS)),
            accepted: Counter::default(),
            replayed: Counter::default(),
            rate_limited: Counter::default(),
            listeners: Gauge::default(),
            store_errors: Counter::default(),
        }
    }
}

impl ApiMetrics {
    /// Shows the counters on the admin port.
    pub fn register(&self, registry: &mut Registry) {
        let api = registry.sub_registry_with_prefix("gleaner_api");
        api.register("requests", "Requests answered", self.requests.clone());
        api.register("request_seconds", "Time to the head of the answer", self.seconds.clone());
        api.register("accepted", "Submissions queued", self.accepted.clone());
        api.register("replayed", "Submissions answered with an earlier job", self.replayed.clone());
        api.register("rate_limited", "Submissions and ratings over the rate of their token", self.rate_limited.clone());
        api.register("listeners", "Event streams open now", self.listeners.clone());
        api.register("store_errors", "Times that the store did not do what it was asked", self.store_errors.clone());
    }

    /// Counts one answer; `route` is the path with its parameters in braces.
    pub fn answered(&self, method: &Method, route: &'static str, status: StatusCode, took: Duration) {
        let known = matches!(method.as_str(), "GET" | "HEAD" | "POST" | "PATCH" | "DELETE" | "OPTIONS" | "PUT");
        let method = if known { method.as_str() } else { "other" }.to_owned();
        self.requests.get_or_create(&AnswerLabels { method, route, status: status.as_u16() }).inc();
        self.seconds.get_or_create(&RouteLabels { route }).observe(took.as_secs_f64());
    }
}
