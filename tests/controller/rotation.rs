//! New tokens in the place of old ones.

use crate::world::{ControllerWorld, until};
use serde_json::json;

/// Waits for another token in the Secret.
async fn next(world: &ControllerWorld, secret: &str, before: &str) -> String {
    until("another token", || async {
        let (text, _) = world.secret(secret).await?;
        (text != before).then_some(text)
    })
    .await
}

#[tokio::test]
async fn the_annotation_mints_a_new_token_and_ends_the_old_one_at_once_by_default() {
    let world = ControllerWorld::start().await;
    world.create("bot", json!({"scopes": ["tasks:read"]})).await;
    let (_, old) = world.until_issued("bot").await;
    world.rotate("bot", "1").await;
    let new = next(&world, "bot-token", &old).await;
    world.until_answered(&new, 200).await;
    world.until_answered(&old, 401).await;
    assert_eq!(world.get("bot").await.status.unwrap().rotated_for.as_deref(), Some("1"));
}

#[tokio::test]
async fn the_old_token_stays_valid_for_the_overlap() {
    let world = ControllerWorld::start().await;
    world.create("bot", json!({"scopes": ["tasks:read"], "rotation": {"every": "720h", "overlap": "6s"}})).await;
    let (_, old) = world.until_issued("bot").await;
    world.rotate("bot", "1").await;
    let new = next(&world, "bot-token", &old).await;
    world.until_answered(&new, 200).await;
    world.me(&old).await.expect(200);
    let status = world.get("bot").await.status.unwrap();
    let (issued, previous) = (status.issued_at, status.previous.unwrap());
    assert_eq!(previous.token_hash, gleaner_model::TokenHash::of(&old));
    assert_eq!(previous.token_id, gleaner_model::PlainToken::parse(&old).unwrap().id());
    assert_eq!((previous.valid_until - issued.unwrap()).num_seconds(), 6);
    world.until_answered(&old, 401).await;
    until("the old token to be forgotten", || async {
        world.get("bot").await.status.unwrap().previous.is_none().then_some(())
    })
    .await;
    world.me(&new).await.expect(200);
}

#[tokio::test]
async fn a_schedule_rotates_by_itself() {
    let world = ControllerWorld::start().await;
    world.create("bot", json!({"scopes": ["tasks:read"], "rotation": {"every": "3s", "overlap": "2s"}})).await;
    let (_, first) = world.until_issued("bot").await;
    let second = next(&world, "bot-token", &first).await;
    world.until_answered(&second, 200).await;
    world.until_answered(&first, 401).await;
}

#[tokio::test]
async fn a_rotation_after_the_reader_deleted_the_secret_writes_it_again() {
    let world = ControllerWorld::start().await;
    world.create("bot", json!({"scopes": ["tasks:read"]})).await;
    let (_, old) = world.until_issued("bot").await;
    world.secrets().delete("bot-token", &Default::default()).await.unwrap();
    world.rotate("bot", "1").await;
    let new = next(&world, "bot-token", &old).await;
    world.until_answered(&new, 200).await;
}

#[tokio::test]
async fn a_second_rotation_within_the_overlap_ends_the_oldest() {
    let world = ControllerWorld::start().await;
    world.create("bot", json!({"scopes": ["tasks:read"], "rotation": {"overlap": "1h"}})).await;
    let (_, first) = world.until_issued("bot").await;
    world.rotate("bot", "1").await;
    let second = next(&world, "bot-token", &first).await;
    world.until_answered(&second, 200).await;
    world.me(&first).await.expect(200);
    world.rotate("bot", "2").await;
    let third = next(&world, "bot-token", &second).await;
    world.until_answered(&third, 200).await;
    world.me(&second).await.expect(200);
    world.until_answered(&first, 401).await;
}

#[tokio::test]
async fn an_edit_acts_on_the_old_token_as_well() {
    let world = ControllerWorld::start().await;
    world.create("bot", json!({"scopes": ["tasks:read"], "rotation": {"overlap": "1h"}})).await;
    let (_, old) = world.until_issued("bot").await;
    world.rotate("bot", "1").await;
    next(&world, "bot-token", &old).await;
    world.edit("bot", json!({"suspend": true})).await;
    world.until_ready_says("bot", "Suspended").await;
    world.until_answered(&old, 401).await;
}
