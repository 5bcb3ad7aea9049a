//! A token's end.

use crate::world::{ControllerWorld, condition, until};
use k8s_openapi::api::core::v1::Namespace;
use kube::{Api, api::DeleteParams};
use serde_json::json;
use std::time::Duration;

#[tokio::test]
async fn a_deleted_api_token_revokes_and_goes_with_its_secret() {
    let world = ControllerWorld::start().await;
    world.create("bot", json!({"scopes": ["tasks:read"]})).await;
    let (token, text) = world.until_issued("bot").await;
    world.delete("bot").await;
    until("the ApiToken to go", || async { world.tokens().get_opt("bot").await.unwrap().is_none().then_some(()) })
        .await;
    assert_eq!(world.store().await.find_credential(&token.status.unwrap().token_hash.unwrap()).await.unwrap(), None);
    world.until_answered(&text, 401).await;
    until("the Secret to go", || async { world.secret("bot-token").await.is_none().then_some(()) }).await;
}

#[tokio::test]
async fn a_deletion_waits_for_the_store_and_says_why() {
    let mut world = ControllerWorld::start().await;
    world.create("bot", json!({"scopes": ["tasks:read"]})).await;
    let (_, text) = world.until_issued("bot").await;
    world.api.redis.freeze();
    world.delete("bot").await;
    let token = world.until_ready_says("bot", "RevocationWaits").await;
    assert!(condition(&token, "Ready")["message"].as_str().unwrap().contains("store"));
    world.until_event("bot", "RevocationWaits").await;
    world.api.redis.thaw();
    until("the ApiToken to go", || async { world.tokens().get_opt("bot").await.unwrap().is_none().then_some(()) })
        .await;
    world.until_answered(&text, 401).await;
    world.controller().stop();
}

#[tokio::test]
async fn nothing_is_revoked_twice_or_forgotten_when_the_store_was_away_during_issuing() {
    let world = ControllerWorld::start().await;
    world.create("before", json!({"scopes": ["tasks:read"]})).await;
    world.until_issued("before").await;
    world.api.redis.freeze();
    world.create("during", json!({"scopes": ["tasks:read"]})).await;
    world.until_ready_says("during", "StoreUnavailable").await;
    let (told, _) = world.secret("during-token").await.expect("the Secret comes first");
    tokio::time::sleep(Duration::from_secs(2)).await;
    world.api.redis.thaw();
    let (_, text) = world.until_issued("during").await;
    assert_eq!(text, told, "the token that was handed over is the one that works");
    world.until_answered(&text, 200).await;
}

#[tokio::test]
async fn a_namespace_goes_with_its_tokens() {
    let world = ControllerWorld::start().await;
    world.create("bot", json!({"scopes": ["tasks:read"]})).await;
    let (_, text) = world.until_issued("bot").await;
    let api = Api::<Namespace>::all(world.client.clone());
    api.delete(&world.namespace, &DeleteParams::default()).await.unwrap();
    until("the namespace to go", || async { api.get_opt(&world.namespace).await.unwrap().is_none().then_some(()) })
        .await;
    world.until_answered(&text, 401).await;
}
