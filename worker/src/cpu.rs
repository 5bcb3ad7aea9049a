//! Where work on an item is done: off the async threads, and what a long text takes, or a tenant that had more than its
//! fair share lately, after everything else. So somebody's long texts, each of which takes seconds of a processor, and
//! somebody's thousand short ones delay nobody else's, and neither the threads that talk to the store.

use gleaner_model::TenantId;
use gleaner_runtime::{
    lock,
    low_priority::{self, WorkError},
};
use std::{
    collections::BTreeMap,
    sync::Mutex,
    time::{Duration, Instant},
};
use tokio::task::spawn_blocking;

/// Bytes from which on a text counts as long: more than a mail, less than an hour's talk.
const LONG: usize = 8 * 1024;
/// Time constant of the moving average, in seconds: after it a third (1/e) of what was used still counts.
const EWMA_SECONDS: f64 = 8.0;
/// Processors that a tenant may keep busy however little others use.
const FREE: f64 = 0.25;
/// How many times its fair share of what all use a tenant may use: who is near it should not be moved to and fro.
const FAIR_SHARE_FACTOR: f64 = 1.5;
/// Processors in use below which a tenant counts as idle.
const IDLE: f64 = 1e-4;

/// The processors, and how much of them each tenant had of late.
#[derive(Debug)]
pub struct CpuShares(Mutex<RecentUse>);

#[derive(Debug)]
struct RecentUse {
    until: Instant,
    /// Processors in use, a mean over the last seconds.
    of: BTreeMap<TenantId, f64>,
}

impl CpuShares {
    /// No tenant has used any yet.
    pub fn new() -> Self {
        Self(Mutex::new(RecentUse { until: Instant::now(), of: BTreeMap::new() }))
    }

    /// Does what a text of so many bytes takes.
    ///
    /// # Errors
    /// When it panicked, or there is no thread to be had.
    pub async fn work<T: Send + 'static>(
        &self,
        tenant: &TenantId,
        bytes: usize,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, WorkError> {
        let timed = move || {
            let begun = low_priority::thread_cpu_time();
            let result = work();
            (result, low_priority::thread_cpu_time().saturating_sub(begun))
        };
        let yields = bytes >= LONG || lock(&self.0).exceeds_fair_share(tenant, Instant::now());
        let done = if yields {
            low_priority::run(timed).await
        } else {
            spawn_blocking(timed).await.map_err(|_| WorkError::Panicked)
        };
        let (result, took) = done?;
        lock(&self.0).add(tenant, took, Instant::now());
        Ok(result)
    }
}

impl RecentUse {
    /// Lets what was used before fade.
    fn fade(&mut self, now: Instant) {
        let kept = (-now.saturating_duration_since(self.until).as_secs_f64() / EWMA_SECONDS).exp();
        self.until = self.until.max(now);
        self.of.values_mut().for_each(|used| *used *= kept);
        self.of.retain(|_, used| *used >= IDLE);
    }

    /// A tenant had so much processor time.
    fn add(&mut self, tenant: &TenantId, took: Duration, now: Instant) {
        self.fade(now);
        *self.of.entry(tenant.clone()).or_default() += took.as_secs_f64() / EWMA_SECONDS;
    }

    /// Whether a tenant had more than its fair share.
    fn exceeds_fair_share(&mut self, tenant: &TenantId, now: Instant) -> bool {
        self.fade(now);
        let used = self.of.get(tenant).copied().unwrap_or_default();
        let fair_share = self.of.values().sum::<f64>() / self.of.len().max(1) as f64;
        used > FREE && used > FAIR_SHARE_FACTOR * fair_share
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tenant(name: &str) -> TenantId {
        name.parse().unwrap()
    }

    /// Ten seconds in each of which these tenants have so many milliseconds; then who is over.
    fn over(used: &[(&str, u64)]) -> Vec<String> {
        let begun = Instant::now();
        let mut recent = RecentUse { until: begun, of: BTreeMap::new() };
        for second in 0..10 {
            for (name, ms) in used {
                recent.add(&tenant(name), Duration::from_millis(*ms), begun + Duration::from_secs(second));
            }
        }
        let end = begun + Duration::from_secs(10);
        let over = used.iter().filter(|(name, _)| recent.exceeds_fair_share(&tenant(name), end));
        over.map(|(name, _)| (*name).to_owned()).collect()
    }

    #[test]
    fn who_had_more_than_its_part_is_over_unless_nobody_else_had_any() {
        assert_eq!(over(&[("many", 1_800), ("few", 100)]), ["many"]);
        assert_eq!(over(&[("many", 1_800)]), [""; 0]);
        assert_eq!(over(&[("one", 900), ("other", 900)]), [""; 0]);
        assert_eq!(over(&[("one", 600), ("two", 600), ("many", 1_800)]), ["many"]);
    }

    #[test]
    fn who_leaves_most_of_a_processor_to_others_never_is() {
        assert_eq!(over(&[("some", 200), ("few", 5)]), [""; 0]);
    }

    #[test]
    fn what_was_long_ago_counts_no_more() {
        let begun = Instant::now();
        let mut recent = RecentUse { until: begun, of: BTreeMap::new() };
        recent.add(&tenant("many"), Duration::from_secs(20), begun);
        recent.add(&tenant("few"), Duration::from_millis(100), begun);
        assert!(recent.exceeds_fair_share(&tenant("many"), begun + Duration::from_secs(1)));
        assert!(!recent.exceeds_fair_share(&tenant("many"), begun + Duration::from_secs(30)));
        recent.fade(begun + Duration::from_secs(600));
        assert!(recent.of.is_empty(), "and takes no room");
    }

    #[tokio::test]
    async fn long_texts_and_those_of_who_is_over_are_read_at_a_low_priority() {
        let cpu = CpuShares::new();
        let thread = || std::thread::current().name() == Some("low-priority");
        let (many, few) = (tenant("many"), tenant("few"));
        assert!(!cpu.work(&many, LONG - 1, thread).await.unwrap());
        assert!(cpu.work(&many, LONG, thread).await.unwrap());
        for (who, took) in [(&many, 20), (&few, 1)] {
            lock(&cpu.0).add(who, Duration::from_secs(took), Instant::now());
        }
        assert!(cpu.work(&many, 10, thread).await.unwrap());
        assert!(!cpu.work(&few, 10, thread).await.unwrap());
        let panics = cpu.work(&few, 10, || assert!(std::hint::black_box(false), "for the test")).await;
        assert!(matches!(panics, Err(WorkError::Panicked)), "{panics:?}");
    }

    #[tokio::test]
    async fn what_is_done_for_a_tenant_counts_as_its_use() {
        let cpu = CpuShares::new();
        let who = tenant("many");
        let spin = || {
            let begun = low_priority::thread_cpu_time();
            while low_priority::thread_cpu_time() < begun + Duration::from_millis(20) {}
        };
        cpu.work(&who, 10, spin).await.unwrap();
        let used = lock(&cpu.0).of[&who] * EWMA_SECONDS;
        assert!((0.019..10.0).contains(&used), "{used} seconds");
    }
}
