//! A controller that dies between any two writes.

use crate::world::{World, until};
use gleaner_model::TokenHash;
use serde_json::json;

/// Where the controller dies while it issues, rotates or revokes.
const PLACES: [&str; 8] = [
    "after-finalizer",
    "after-secret",
    "after-record",
    "after-event",
    "after-register",
    "after-status",
    "after-revoke",
    "before-release",
];

async fn until_dead(world: &mut World) {
    for _ in 0..3000 {
        if world.controller().has_died() {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("the controller should have died");
}

/// One Secret, and one credential for each token that is to work.
async fn assert_true(world: &World, name: &str) -> String {
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
        let mut world = World::without_controller().await;
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
        let mut world = World::start().await;
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
        assert!(PLACES.contains(&place));
        let mut world = World::start().await;
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
