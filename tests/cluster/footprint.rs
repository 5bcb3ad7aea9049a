//! What an installation takes when nobody uses it.

use crate::{
    installation::{HelmRelease, NAMESPACE},
    tools::{Helm, kubectl},
};
use serde_json::Value;
use std::time::Duration;
use tokio::time::sleep;

/// Over how long rates are taken, once pods have started.
const REST: Duration = Duration::from_secs(60);

#[tokio::test(flavor = "multi_thread")]
async fn an_idle_installation_makes_next_to_no_work() {
    let installation = HelmRelease::fresh(Helm::Four).await;
    println!("image gleaner: {:.0} MB", image_size("gleaner:0.1.0").await / 1e6);
    sleep(REST).await;
    let (before, asked) = (processor_seconds().await, commands().await);
    sleep(REST).await;
    let (after, answered) = (processor_seconds().await, commands().await);
    for ((pod, used), (_, was)) in after.iter().zip(&before) {
        println!("{pod}: {:.1} m CPU, {:.0} MB", (used.0 - was.0) / REST.as_secs_f64() * 1e3, used.1 / 1e6);
    }
    println!("Redis: {:.1} commands/s", (answered - asked) / REST.as_secs_f64());
    installation.uninstall().await;
}

/// The size of an image on the node, in bytes. A node tells of its images some time after it is Ready.
async fn image_size(name: &str) -> f64 {
    let named =
        |image: &&Value| image["names"].as_array().unwrap().iter().any(|known| known.as_str().unwrap().ends_with(name));
    for _ in 0..60 {
        let nodes: Value = serde_json::from_str(&kubectl(&["get", "nodes", "-ojson"]).await).unwrap();
        let images = nodes["items"][0]["status"]["images"].as_array();
        if let Some(image) = images.and_then(|images| images.iter().find(named)) {
            return image["sizeBytes"].as_f64().unwrap();
        }
        sleep(Duration::from_secs(5)).await;
    }
    panic!("the node does not tell of {name}");
}

/// Of each pod of the installation, by name: CPU seconds since its start, and bytes of memory in use.
async fn processor_seconds() -> Vec<(String, (f64, f64))> {
    let nodes = kubectl(&["get", "nodes", "-ojsonpath={.items[0].metadata.name}"]).await;
    let stats = kubectl(&["get", "--raw", &format!("/api/v1/nodes/{nodes}/proxy/stats/summary")]).await;
    let stats: Value = serde_json::from_str(&stats).unwrap();
    let ours = stats["pods"].as_array().unwrap().iter().filter(|pod| pod["podRef"]["namespace"] == NAMESPACE);
    let used = |pod: &Value| {
        (
            pod["podRef"]["name"].as_str().unwrap().to_owned(),
            (
                pod["cpu"]["usageCoreNanoSeconds"].as_f64().unwrap() / 1e9,
                pod["memory"]["workingSetBytes"].as_f64().unwrap(),
            ),
        )
    };
    let mut all: Vec<_> = ours.map(used).collect();
    all.sort_by(|one, other| one.0.cmp(&other.0));
    all
}

/// How many commands Redis has run.
async fn commands() -> f64 {
    let told =
        kubectl(&["exec", "-n", NAMESPACE, "gleaner-redis-0", "--", "redis-cli", "--no-auth-warning", "info", "stats"])
            .await;
    let line = told.lines().find_map(|line| line.strip_prefix("total_commands_processed:")).unwrap();
    line.trim().parse().unwrap()
}
