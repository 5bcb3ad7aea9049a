//! Edits act on the same token.

use crate::world::ControllerWorld;
use serde_json::json;

#[tokio::test]
async fn an_edit_of_scopes_and_subject_acts_on_the_same_token() {
    let world = ControllerWorld::start().await;
    world.create("bot", json!({"scopes": ["tasks:read"]})).await;
    let (before, text) = world.until_issued("bot").await;
    world.edit("bot", json!({"scopes": ["feedback:write"], "subject": {"name": "Sam"}})).await;
    let after = world.until_ready_says("bot", "Registered").await;
    let me = world.me(&text).await.expect(200).json();
    assert_eq!((&me["scopes"], &me["subject"]["name"]), (&json!(["feedback:write"]), &json!("Sam")));
    assert_eq!(before.status.unwrap().token_hash, after.status.unwrap().token_hash);
}

#[tokio::test]
async fn a_suspended_token_is_refused_and_comes_back() {
    let world = ControllerWorld::start().await;
    world.create("bot", json!({"scopes": ["tasks:read"]})).await;
    let (_, text) = world.until_issued("bot").await;
    world.edit("bot", json!({"suspend": true})).await;
    world.until_ready_says("bot", "Suspended").await;
    world.until_answered(&text, 401).await;
    assert!(world.until_event("bot", "Suspended").await.contains("suspend"));
    world.edit("bot", json!({"suspend": false})).await;
    world.until_ready_says("bot", "Registered").await;
    world.until_answered(&text, 200).await;
    // Also where the rest of the spec cannot be read.
    world.edit("bot", json!({"suspend": true, "subject": {"timeZone": "Mars/Base"}})).await;
    world.until_ready_says("bot", "InvalidSpec").await;
    world.until_answered(&text, 401).await;
    world.edit("bot", json!({"suspend": false, "subject": {"timeZone": "Europe/Berlin"}})).await;
    world.until_ready_says("bot", "Registered").await;
    world.until_answered(&text, 200).await;
}
