//! Shown once, and never in the place of what belongs to others.

use crate::world::{ControllerWorld, condition, until};
use k8s_openapi::{ByteString, api::core::v1::Secret};
use kube::api::{DeleteParams, ObjectMeta, PostParams};
use serde_json::json;

async fn foreign(world: &ControllerWorld, name: &str) {
    let secret = Secret {
        metadata: ObjectMeta { name: Some(name.to_owned()), ..ObjectMeta::default() },
        data: Some([("token".to_owned(), ByteString(b"mine".to_vec()))].into()),
        ..Secret::default()
    };
    world.secrets().create(&PostParams::default(), &secret).await.unwrap();
}

#[tokio::test]
async fn a_secret_deleted_by_its_reader_is_not_written_again_and_the_token_goes_on_working() {
    let mut world = ControllerWorld::start().await;
    world.create("bot", json!({"scopes": ["tasks:read"]})).await;
    let (_, text) = world.until_issued("bot").await;
    world.secrets().delete("bot-token", &DeleteParams::default()).await.unwrap();
    // Whatever may make the controller look again: an edit, a restart, a store that was emptied.
    world.edit("bot", json!({"scopes": ["tasks:read", "tasks:write"]})).await;
    world.until_ready_says("bot", "Registered").await;
    world.crash_and_launch(&[]);
    until("a leader", || async { (world.counter("leading").await == 1).then_some(()) }).await;
    world.empty_store().await;
    world.until_answered(&text, 200).await;
    assert_eq!(world.secret("bot-token").await, None);
    let token = world.get("bot").await;
    assert_eq!(condition(&token, "SecretDelivered")["status"], "True");
}

#[tokio::test]
async fn a_foreign_secret_is_never_overwritten_and_the_conflict_is_told() {
    let world = ControllerWorld::start().await;
    foreign(&world, "bot-token").await;
    world.create("bot", json!({"scopes": ["tasks:read"]})).await;
    let token = world.until_ready_says("bot", "SecretConflict").await;
    assert_eq!(condition(&token, "Ready")["status"], "False");
    assert_eq!(condition(&token, "SecretDelivered")["status"], "False");
    assert!(world.until_event("bot", "SecretConflict").await.contains("bot-token"));
    let kept = world.secrets().get("bot-token").await.unwrap().data.unwrap();
    assert_eq!(kept["token"].0, b"mine");
}

#[tokio::test]
async fn a_conflict_ends_when_the_foreign_secret_goes() {
    let world = ControllerWorld::start().await;
    foreign(&world, "bot-token").await;
    world.create("bot", json!({"scopes": ["tasks:read"]})).await;
    world.until_ready_says("bot", "SecretConflict").await;
    world.secrets().delete("bot-token", &DeleteParams::default()).await.unwrap();
    let (_, text) = world.until_issued("bot").await;
    world.me(&text).await.expect(200);
}

#[tokio::test]
async fn a_conflict_at_a_rotation_leaves_the_present_token_working() {
    let world = ControllerWorld::start().await;
    world.create("bot", json!({"scopes": ["tasks:read"]})).await;
    let (_, text) = world.until_issued("bot").await;
    world.secrets().delete("bot-token", &DeleteParams::default()).await.unwrap();
    foreign(&world, "bot-token").await;
    world.rotate("bot", "1").await;
    world.until_ready_says("bot", "SecretConflict").await;
    world.me(&text).await.expect(200);
    world.secrets().delete("bot-token", &DeleteParams::default()).await.unwrap();
    let new = until("the rotated token", || async { world.secret("bot-token").await }).await;
    world.until_answered(&new.0, 200).await;
    world.until_answered(&text, 401).await;
}
