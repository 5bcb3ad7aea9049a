//! A controller that dies between any two writes.

use crate::world::{ControllerWorld, until};
use gleaner_model::TokenHash;
use serde_json::json;
use std::collections::BTreeSet;

async fn until_dead(world: &mut ControllerWorld) {
    until("the controller to die", || std::future::ready(world.controller().has_died().then_some(()))).await;
}

/// One Secret, and one credential for each token that is to work.
async fn assert_true(world: &ControllerWorld, name: &str) -> String {
    let (token, text) = world.until_issued(name).await;
    world.until_answered(&text, 200).await;
    let status = token.status.unwrap();
    assert_eq!(status.token_hash, Some(TokenHash::of(&text)));
    let known = world.store().await.list_credentials(&world.namespace.parse().unwrap()).await.unwrap();
    assert_eq!(known.iter().map(|one| one.hash).collect::<Vec<_>>(), [TokenHash::of(&text)]);
    text
}

#[tokio::test]
async fn a_token_is_minted_once_wherever_the_controller_dies_while_issuing() {
    for place in ["after-finalizer", "after-secret", "after-record", "after-event", "after-register", "after-status"] {
        let mut world = ControllerWorld::without_controller().await;
        world.create("bot", json!({"scopes": ["tasks:read"]})).await;
        world.launch(&[("GLEANER_FAILPOINT", place)]);
        until_dead(&mut world).await;
        let told = world.secret("bot-token").await;
        world.launch(&[]);
        let text = assert_true(&world, "bot").await;
        assert!(told.is_none_or(|(told, _)| told == text), "what was handed over works, {place}");
    }
}

#[tokio::test]
async fn a_rotation_happens_once_wherever_the_controller_dies() {
    for place in ["after-secret", "after-record", "after-event", "after-register", "after-revoke", "after-status"] {
        let mut world = ControllerWorld::start().await;
        world.create("bot", json!({"scopes": ["tasks:read"]})).await;
        let (_, old) = world.until_issued("bot").await;
        world.controller().stop();
        world.rotate("bot", "1").await;
        world.launch(&[("GLEANER_FAILPOINT", place)]);
        until_dead(&mut world).await;
        let (told, _) = world.secret("bot-token").await.unwrap();
        assert_ne!(told, old, "the Secret comes first, {place}");
        world.launch(&[]);
        world.until_answered(&old, 401).await;
        until("the rotation to be over", || async {
            world.get("bot").await.status.unwrap().previous.is_none().then_some(())
        })
        .await;
        assert_eq!(assert_true(&world, "bot").await, told, "{place}");
    }
}

#[tokio::test]
async fn a_revocation_is_finished_wherever_the_controller_dies() {
    for place in ["after-revoke", "before-release", "after-event"] {
        let mut world = ControllerWorld::start().await;
        world.create("bot", json!({"scopes": ["tasks:read"]})).await;
        let (_, text) = world.until_issued("bot").await;
        world.controller().stop();
        world.delete("bot").await;
        world.launch(&[("GLEANER_FAILPOINT", place)]);
        until_dead(&mut world).await;
        world.launch(&[]);
        until("the ApiToken to go", || async { world.tokens().get_opt("bot").await.unwrap().is_none().then_some(()) })
            .await;
        world.until_answered(&text, 401).await;
    }
}

#[tokio::test]
async fn a_second_rotation_that_dies_after_the_oldest_token_ended_is_finished() {
    let mut world = ControllerWorld::start().await;
    world.create("bot", json!({"scopes": ["tasks:read"], "rotation": {"overlap": "1h"}})).await;
    let (_, first) = world.until_issued("bot").await;
    world.rotate("bot", "1").await;
    let told = |before: String| {
        let world = &world;
        async move { world.secret("bot-token").await.map(|(text, _)| text).filter(|text| *text != before) }
    };
    let second = until("another token", || told(first.clone())).await;
    world.until_answered(&second, 200).await;
    world.until_ready_says("bot", "Registered").await;
    world.controller().stop();
    world.rotate("bot", "2").await;
    world.launch(&[("GLEANER_FAILPOINT", "after-revoke")]);
    until_dead(&mut world).await;
    let (third, _) = world.secret("bot-token").await.unwrap();
    assert_eq!(
        world.get("bot").await.status.unwrap().token_hash,
        Some(TokenHash::of(&second)),
        "it is not recorded yet"
    );
    world.launch(&[]);
    world.until_answered(&third, 200).await;
    world.until_answered(&first, 401).await;
    world.me(&second).await.expect(200);
    let known = world.store().await.list_credentials(&world.namespace.parse().unwrap()).await.unwrap();
    let hashes = known.iter().map(|one| one.hash).collect::<BTreeSet<_>>();
    assert_eq!(hashes, [&second, &third].map(|text| TokenHash::of(text)).into());
}

#[tokio::test]
async fn a_suspension_acts_wherever_the_controller_dies() {
    for place in ["after-register", "after-status", "after-event"] {
        let mut world = ControllerWorld::start().await;
        world.create("bot", json!({"scopes": ["tasks:read"]})).await;
        let (_, text) = world.until_issued("bot").await;
        world.controller().stop();
        world.edit("bot", json!({"suspend": true})).await;
        world.launch(&[("GLEANER_FAILPOINT", place)]);
        until_dead(&mut world).await;
        world.launch(&[]);
        world.until_ready_says("bot", "Suspended").await;
        world.until_answered(&text, 401).await;
    }
}

#[tokio::test]
async fn an_uninstallation_is_finished_by_the_next_attempt_wherever_the_first_dies() {
    for place in ["after-revoke", "after-secret-deleted", "after-status"] {
        let mut world = ControllerWorld::start().await;
        world.create("bot", json!({"scopes": ["tasks:read"]})).await;
        let (_, text) = world.until_issued("bot").await;
        world.controller().stop();
        let uninstall = ("GLEANER_CONTROLLER_UNINSTALL", "true");
        world.launch(&[uninstall, ("GLEANER_FAILPOINT", place)]);
        until_dead(&mut world).await;
        // A Lease of its own spares it the wait for the end of the dead one's.
        world.launch(&[uninstall, ("GLEANER_LEASE_NAME", "second")]);
        until_dead(&mut world).await;
        assert_eq!(world.get("bot").await.metadata.finalizers.unwrap_or_default(), Vec::<String>::new(), "{place}");
        assert_eq!(world.secret("bot-token").await, None, "{place}");
        world.until_answered(&text, 401).await;
    }
}
