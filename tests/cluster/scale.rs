//! Workers come and go under a backlog: every job is done exactly once.

use crate::{
    client::ClusterClient,
    installation::{HelmRelease, NAMESPACE, until_ready},
    load, tenant,
    tools::{Helm, kubectl},
};

/// Items that wait before the first worker starts.
const BACKLOG: usize = 1500;
/// Requests a second that come on top.
const PER_SECOND: u32 = 100;

#[tokio::test(flavor = "multi_thread")]
async fn every_job_is_done_once_while_workers_are_scaled_under_a_backlog() {
    let installation = HelmRelease::fresh_with(Helm::Four, &["--set", "limits.ratePerMinute=0"]).await;
    let client = tenant::client(&installation.url().await, "team-a").await;
    workers(0).await;
    let mut jobs = backlog(&client).await;

    let scaling = async {
        for count in [1, 4, 1] {
            workers(count).await;
        }
    };
    let ((), seen) = load::during(&client, "meanwhile", PER_SECOND, scaling).await;
    assert_eq!(seen.failures, Vec::<String>::new());
    println!("scaled under {} waiting and {} further jobs", jobs.len(), seen.jobs.len());
    jobs.extend(seen.jobs);
    client.until_done_once(&jobs).await;
    installation.uninstall().await;
}

async fn workers(count: usize) {
    kubectl(&["scale", "-n", NAMESPACE, "deployment/gleaner-worker", &format!("--replicas={count}")]).await;
    until_ready("worker", count).await;
}

async fn backlog(client: &ClusterClient) -> Vec<String> {
    let mut jobs = Vec::new();
    for number in 0..BACKLOG {
        jobs.push(client.submit(&format!("waiting-{number}")).await);
    }
    jobs
}
