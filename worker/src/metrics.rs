//! What this process counts.

mod llm;

use gleaner_store::Depth;
use prometheus_client::{
    encoding::EncodeLabelSet,
    metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram},
    registry::Registry,
};

/// Upper bounds of the buckets, in seconds: a short note takes a millisecond, the longest meeting about one second.
const SECONDS: [f64; 10] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.0, 30.0];
/// Upper bounds of the buckets, in tasks.
const TASKS: [f64; 8] = [0.0, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0];

/// The counters; a clone counts into the same ones.
#[derive(Clone, Debug)]
pub struct WorkerMetrics {
    /// Deliveries read, those taken over included.
    pub deliveries: Counter,
    /// Deliveries taken over from workers that were lost.
    pub taken_over: Counter,
    /// Jobs given up because no worker survived them.
    pub dead_letters: Counter,
    /// Times that a task changed while a job was to change it, and the job looked again.
    pub conflicts: Counter,
    /// Times that the store did not do what it was asked.
    pub store_errors: Counter,
    /// What is asked of the language model.
    pub llm: llm::LlmMetrics,
    /// Time from the beginning of a job to its end.
    pub seconds: Histogram,
    /// Tasks that a job found.
    pub tasks: Histogram,
    /// Webhooks to which nothing more is sent, for they only failed.
    pub webhooks_disabled: Counter,
    webhook_attempts: Family<OutcomeLabels, Counter>,
    jobs: Family<OutcomeLabels, Counter>,
    queue: Family<PartitionLabels, Gauge>,
}

/// How a job ended here.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum JobOutcome {
    /// Its tasks are recorded.
    Succeeded,
    /// It was given up.
    Failed,
    /// It was somebody else's by then; nothing changed.
    Stale,
    /// It was left for another attempt.
    Left,
}

impl JobOutcome {
    /// As jobs spell their status, where it is one.
    fn label(self) -> &'static str {
        match self {
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
            Self::Stale => "stale",
            Self::Left => "left",
        }
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
struct OutcomeLabels {
    outcome: &'static str,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
struct PartitionLabels {
    partition: u16,
    state: &'static str,
}

impl Default for WorkerMetrics {
    fn default() -> Self {
        Self {
            deliveries: Counter::default(),
            taken_over: Counter::default(),
            dead_letters: Counter::default(),
            conflicts: Counter::default(),
            store_errors: Counter::default(),
            llm: llm::LlmMetrics::default(),
            seconds: Histogram::new(SECONDS),
            tasks: Histogram::new(TASKS),
            webhooks_disabled: Counter::default(),
            webhook_attempts: Family::default(),
            jobs: Family::default(),
            queue: Family::default(),
        }
    }
}

impl WorkerMetrics {
    /// Shows the counters on the admin port.
    pub fn register(&self, registry: &mut Registry) {
        let entries = "Entries of the queue: waiting for a worker, pending with one, dead letters";
        registry.register("gleaner_queue_entries", entries, self.queue.clone());
        let worker = registry.sub_registry_with_prefix("gleaner_worker");
        worker.register("deliveries", "Deliveries read", self.deliveries.clone());
        worker.register("taken_over", "Deliveries taken over from lost workers", self.taken_over.clone());
        worker.register("dead_letters", "Jobs given up because no worker survived them", self.dead_letters.clone());
        worker.register("conflicts", "Times that a job looked again because a task changed", self.conflicts.clone());
        worker.register("store_errors", "Times that the store did not do what it was asked", self.store_errors.clone());
        worker.register("job_seconds", "Time from the beginning of a job to its end", self.seconds.clone());
        worker.register("job_tasks", "Tasks that a job found", self.tasks.clone());
        worker.register("jobs", "Jobs that ended here", self.jobs.clone());
        worker.register("webhook_attempts", "Attempts to send a message to a webhook", self.webhook_attempts.clone());
        worker.register(
            "webhooks_disabled",
            "Webhooks disabled because they only failed",
            self.webhooks_disabled.clone(),
        );
        self.llm.register(registry.sub_registry_with_prefix("gleaner_llm"));
    }

    /// Counts a job that has ended.
    pub fn ended(&self, outcome: JobOutcome) {
        self.jobs.get_or_create(&OutcomeLabels { outcome: outcome.label() }).inc();
    }

    /// Counts one attempt to send to a webhook.
    pub fn webhook_attempt(&self, delivered: bool) {
        let outcome = if delivered { "delivered" } else { "failed" };
        self.webhook_attempts.get_or_create(&OutcomeLabels { outcome }).inc();
    }

    /// Shows how much is queued.
    pub fn show(&self, depths: &[Depth]) {
        for depth in depths {
            let counts = [("waiting", depth.waiting), ("pending", depth.pending), ("dead", depth.dead)];
            for (state, count) in counts {
                let gauge = self.queue.get_or_create(&PartitionLabels { partition: depth.partition, state });
                gauge.set(i64::try_from(count).unwrap_or(i64::MAX));
            }
        }
    }
}
