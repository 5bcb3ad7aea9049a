//! Tokens that end.

use crate::world::{ControllerWorld, condition};
use chrono::{SecondsFormat, TimeDelta, Utc};
use serde_json::json;

fn in_seconds(seconds: i64) -> String {
    (Utc::now() + TimeDelta::seconds(seconds)).to_rfc3339_opts(SecondsFormat::Secs, true)
}

#[tokio::test]
async fn an_expired_token_is_refused_and_the_resource_says_so_without_a_change() {
    let world = ControllerWorld::start().await;
    world.create("bot", json!({"scopes": ["tasks:read"], "ttl": "3s"})).await;
    let (_, text) = world.until_issued("bot").await;
    let token = world.until_ready_says("bot", "Expired").await;
    assert_eq!(condition(&token, "Expired")["status"], "True");
    world.until_answered(&text, 401).await;
    assert_eq!(world.store().await.find_credential(&token.status.unwrap().token_hash.unwrap()).await.unwrap(), None);
}

#[tokio::test]
async fn an_end_that_moves_revives_the_same_token() {
    let world = ControllerWorld::start().await;
    world.create("bot", json!({"scopes": ["tasks:read"], "expiresAt": in_seconds(3)})).await;
    let (_, text) = world.until_issued("bot").await;
    world.until_ready_says("bot", "Expired").await;
    world.edit("bot", json!({"expiresAt": in_seconds(3600)})).await;
    world.until_ready_says("bot", "Registered").await;
    world.until_answered(&text, 200).await;
}

#[tokio::test]
async fn an_end_in_the_past_ends_the_token_at_once() {
    let world = ControllerWorld::start().await;
    world.create("bot", json!({"scopes": ["tasks:read"]})).await;
    let (_, text) = world.until_issued("bot").await;
    world.edit("bot", json!({"expiresAt": "2020-01-01T00:00:00Z"})).await;
    world.until_ready_says("bot", "Expired").await;
    world.until_answered(&text, 401).await;
}
