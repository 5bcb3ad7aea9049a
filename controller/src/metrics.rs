//! What this process counts.

use prometheus_client::{
    metrics::{counter::Counter, gauge::Gauge},
    registry::Registry,
};

/// The counters; a clone counts into the same ones.
#[derive(Clone, Debug, Default)]
pub struct ControllerMetrics {
    /// Passes over one ApiToken or Webhook.
    pub reconciles: Counter,
    /// Passes over an ApiToken or a Webhook that failed, but for those on an outdated state or without the lease.
    pub failures: Counter,
    /// Writes sent to the API server for ApiTokens, Webhooks and their Secrets.
    pub kubernetes_writes: Counter,
    /// Credentials and webhooks written to or removed from the store.
    pub store_writes: Counter,
    /// Tokens minted, whether or not their Secret could be written.
    pub minted: Counter,
    /// Credentials removed because no ApiToken accounts for them.
    pub orphans: Counter,
    /// Resyncs of the whole store.
    pub resyncs: Counter,
    /// 1 while this process leads, else 0.
    pub leading: Gauge,
    /// ApiTokens that this process watches.
    pub api_tokens: Gauge,
}

impl ControllerMetrics {
    /// Shows the counters on the admin port.
    pub fn register(&self, registry: &mut Registry) {
        let controller = registry.sub_registry_with_prefix("gleaner_controller");
        controller.register("reconciles", "Passes over one ApiToken or Webhook", self.reconciles.clone());
        controller.register("failures", "Passes that failed", self.failures.clone());
        let writes = "Writes sent to the API server for ApiTokens, Webhooks and their Secrets";
        controller.register("kubernetes_writes", writes, self.kubernetes_writes.clone());
        controller.register(
            "store_writes",
            "Credentials and webhooks written to or removed from the store",
            self.store_writes.clone(),
        );
        controller.register("tokens_minted", "Tokens minted", self.minted.clone());
        controller.register("orphans_removed", "Credentials that no ApiToken accounted for", self.orphans.clone());
        controller.register("resyncs", "Resyncs of the whole store", self.resyncs.clone());
        controller.register("leading", "Whether this process leads", self.leading.clone());
        controller.register("apitokens", "ApiTokens watched", self.api_tokens.clone());
    }
}
