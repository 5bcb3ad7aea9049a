//! What one ApiToken costs the API server, counted by the server's own audit log.

use crate::world::{ControllerWorld, until};
use gleaner_testkit::kubernetes::CONTROLLER;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The controller's requests that the API server has answered in a namespace, by verb and resource; leases aside.
pub fn of_the_controller(world: &ControllerWorld) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for line in world.plane.audit().lines().filter(|line| line.contains(&world.namespace) && line.contains(CONTROLLER))
    {
        let event: Value = serde_json::from_str(line).unwrap_or_default();
        let about = &event["objectRef"];
        let ours = event["user"]["username"] == CONTROLLER && about["namespace"] == world.namespace;
        // A watch is answered for as long as it lasts.
        let stage = if event["verb"] == "watch" { "ResponseStarted" } else { "ResponseComplete" };
        if ours && event["stage"] == stage && about["resource"] != "leases" {
            let part = about["subresource"].as_str().map(|part| format!("/{part}")).unwrap_or_default();
            let what = format!("{} {}{part}", event["verb"].as_str().unwrap(), about["resource"].as_str().unwrap());
            *counts.entry(what).or_default() += 1;
        }
    }
    counts
}

#[tokio::test]
async fn a_token_takes_five_writes_and_no_look_at_anything_else() {
    const COUNT: usize = 8;
    let mut world = ControllerWorld::without_controller().await;
    for at in 0..COUNT {
        world.create(&format!("bot-{at}"), json!({"scopes": ["tasks:read"]})).await;
    }
    world.launch(&[]);
    for at in 0..COUNT {
        world.until_issued(&format!("bot-{at}")).await;
    }
    // Whatever is still on its way: a pass over each that finds everything right.
    let passes = u64::try_from(2 * COUNT).unwrap();
    until("a second pass over each", || async { (world.counter("reconciles_total").await >= passes).then_some(()) })
        .await;
    world.controller().stop();
    let asked = of_the_controller(&world);
    let expected = [
        ("create events", COUNT),
        ("create secrets", COUNT),
        ("list apitokens", 1),
        ("list webhooks", 1),
        ("patch apitokens", COUNT),
        ("patch apitokens/status", 2 * COUNT),
        ("watch apitokens", 1),
        ("watch webhooks", 1),
    ];
    assert_eq!(asked, expected.map(|(what, count)| (what.to_owned(), count)).into());
}
