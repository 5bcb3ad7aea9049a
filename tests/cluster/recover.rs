//! Pods are killed without warning: the installation recovers by itself, and nothing that was accepted is lost.

use crate::{
    installation::{HelmRelease, NAMESPACE, ready_pods, until_ready},
    load, tenant,
    tools::{Helm, kubectl},
};
use gleaner_testkit::wait::until;
use std::time::Instant;

const PER_SECOND: u32 = 50;

#[tokio::test(flavor = "multi_thread")]
async fn nothing_accepted_is_lost_when_any_pod_is_killed() {
    let installation = HelmRelease::fresh_with(Helm::Four, &["--set", "limits.ratePerMinute=0"]).await;
    let client = tenant::client(&installation.url().await, "team-a").await;
    let mut jobs = Vec::new();
    for (component, count) in [("api", 2), ("worker", 1), ("controller", 1), ("redis", 1)] {
        let began = Instant::now();
        let ((), seen) = load::during(&client, component, PER_SECOND, replaced(component, count)).await;
        let (answered, failed) = (seen.answered, seen.failures.len());
        println!(
            "{component} killed: ready again after {:.1} s; {answered} answered, {failed} failed",
            began.elapsed().as_secs_f64()
        );
        jobs.extend(seen.jobs);
    }
    until_ready("api", 2).await;
    client.until_done_once_among_others(&jobs).await;
    tenant::issue("team-a", "afterwards").await;
    installation.uninstall().await;
}

/// Kills one pod of a component, and waits until another stands in its place.
async fn replaced(component: &str, count: usize) {
    let before = until_ready(component, count).await;
    let victim = before.first().unwrap();
    let uid = uid(victim).await;
    kubectl(&["delete", "pod", "-n", NAMESPACE, victim, "--grace-period=0", "--force"]).await;
    until(&format!("another pod of {component}"), || async {
        let pods = ready_pods(component).await;
        let replaced = !pods.contains(victim) || self::uid(victim).await != uid;
        (pods.len() == count && replaced).then_some(())
    })
    .await;
}

/// The uid of a pod; a StatefulSet gives its successor the same name.
async fn uid(pod: &str) -> String {
    kubectl(&["get", "pod", "-n", NAMESPACE, pod, "--ignore-not-found", "-ojsonpath={.metadata.uid}"]).await
}
