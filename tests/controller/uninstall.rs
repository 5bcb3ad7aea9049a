//! The end of an installation.

use crate::world::{ControllerWorld, condition, until};
use serde_json::json;

#[tokio::test]
async fn an_uninstalled_controller_leaves_nothing_that_waits_for_it_and_a_new_one_takes_over() {
    let mut world = ControllerWorld::start().await;
    world.create("bot", json!({"scopes": ["tasks:read"]})).await;
    world.create("other", json!({"scopes": ["tasks:read"]})).await;
    let (_, text) = world.until_issued("bot").await;
    world.until_issued("other").await;
    // The installation still runs when its end begins.
    world.launch(&[("GLEANER_CONTROLLER_UNINSTALL", "true")]);
    until("the end of the uninstallation", || {
        let dead = world.controllers[1].has_died();
        async move { dead.then_some(()) }
    })
    .await;
    world.controllers[0].stop();
    world.until_answered(&text, 401).await;
    let token = world.get("bot").await;
    assert_eq!(token.metadata.finalizers.clone().unwrap_or_default(), Vec::<String>::new());
    assert_eq!(condition(&token, "Ready")["reason"], "Uninstalled");
    assert_eq!((world.secret("bot-token").await, world.secret("other-token").await), (None, None));
    // Another installation has a Lease of its own.
    world.launch(&[("GLEANER_LEASE_NAME", "another")]);
    let (_, new) = world.until_issued("bot").await;
    assert_ne!(new, text);
    world.until_answered(&new, 200).await;
}
