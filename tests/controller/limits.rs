//! What an admin allows of tokens, and what becomes of those that ask for more.

use crate::world::{ControllerWorld, condition, until};
use chrono::{TimeDelta, Utc};
use gleaner_testkit::http::HttpRequest;
use kube::api::ListParams;
use serde_json::json;

const LIMITS: [(&str, &str); 2] =
    [("GLEANER_TOKEN_MAX_LIFETIME", "24h"), ("GLEANER_TOKEN_ALLOWED_SCOPES", "ingest:write,tasks:read,tokens:write")];

#[tokio::test]
async fn an_api_token_beyond_the_limits_gets_no_token_and_is_told_why() {
    let mut world = ControllerWorld::without_controller().await;
    world.launch(&LIMITS);
    for (name, spec, says) in [
        (
            "endless",
            json!({"scopes": ["tasks:read"]}),
            "spec.ttl must be set: the admin allows a token to work for at most 24h",
        ),
        ("long", json!({"scopes": ["tasks:read"], "ttl": "25h"}), "spec.ttl must end within 24h"),
        (
            "late",
            json!({"scopes": ["tasks:read"], "expiresAt": "2099-01-01T00:00:00Z"}),
            "spec.expiresAt must end within 24h",
        ),
        (
            "strong",
            json!({"scopes": ["tasks:read", "tasks:write"], "ttl": "1h"}),
            "spec.scopes must not name tasks:write",
        ),
    ] {
        world.create(name, spec).await;
        let token = world.until_ready_says(name, "LimitsExceeded").await;
        assert_eq!(condition(&token, "Ready")["status"], "False");
        let message = condition(&token, "Ready")["message"].as_str().unwrap().to_owned();
        assert!(message.starts_with(says), "{name}: {message}");
        assert_eq!(world.until_event(name, "LimitsExceeded").await, message);
        assert_eq!(token.status.unwrap().token_id, None);
    }
    assert!(world.secrets().list(&ListParams::default()).await.unwrap().items.is_empty());
    assert_eq!(world.counter("tokens_minted_total").await, 0);
    assert!(world.store().await.list_credentials(&world.namespace.parse().unwrap()).await.unwrap().is_empty());
}

#[tokio::test]
async fn an_api_token_within_the_limits_is_issued_also_after_it_was_mended() {
    let mut world = ControllerWorld::without_controller().await;
    world.launch(&LIMITS);
    world.create("bot", json!({"scopes": ["tasks:read"]})).await;
    world.until_ready_says("bot", "LimitsExceeded").await;
    world.edit("bot", json!({"ttl": "24h"})).await;
    let (_, text) = world.until_issued("bot").await;
    world.until_answered(&text, 200).await;
}

#[tokio::test]
async fn an_imported_hash_beyond_the_limits_is_not_registered() {
    let mut world = ControllerWorld::without_controller().await;
    world.launch(&LIMITS);
    let text = "my-own-token-0123456789abcdef0123456789abcdef";
    let hash = gleaner_model::TokenHash::of(text).to_string();
    world.create("bot", json!({"scopes": ["tasks:read"], "tokenHash": hash})).await;
    world.until_ready_says("bot", "LimitsExceeded").await;
    world.me(text).await.expect(401);
    world.edit("bot", json!({"ttl": "1h"})).await;
    world.until_answered(text, 200).await;
}

#[tokio::test]
async fn an_edit_beyond_the_limits_is_refused_and_the_token_with_it_until_the_spec_fits() {
    let mut world = ControllerWorld::without_controller().await;
    world.launch(&LIMITS);
    world.create("bot", json!({"scopes": ["tasks:read"], "ttl": "1h"})).await;
    let (_, text) = world.until_issued("bot").await;
    world.edit("bot", json!({"scopes": ["tasks:read", "feedback:write"]})).await;
    world.until_ready_says("bot", "LimitsExceeded").await;
    world.until_answered(&text, 401).await;
    world.edit("bot", json!({"scopes": ["ingest:write"]})).await;
    world.until_ready_says("bot", "Registered").await;
    until("the scopes of the spec", || async {
        let me = world.me(&text).await;
        (me.status == 200 && me.json()["scopes"] == json!(["ingest:write"])).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_limit_that_comes_later_holds_for_the_tokens_that_exist() {
    let mut world = ControllerWorld::start().await;
    world.create("endless", json!({"scopes": ["tasks:read"]})).await;
    world.create("short", json!({"scopes": ["tasks:read"], "ttl": "1h"})).await;
    let (_, endless) = world.until_issued("endless").await;
    let (_, short) = world.until_issued("short").await;
    world.controller().stop();
    world.launch(&LIMITS);
    world.until_ready_says("endless", "LimitsExceeded").await;
    world.until_answered(&endless, 401).await;
    world.me(&short).await.expect(200);
    // And a rotation mints nothing for it.
    world.rotate("endless", "1").await;
    world.controller().stop();
    world.launch(&[]);
    let rotated = until("the rotated token", || async {
        let (text, _) = world.secret("endless-token").await?;
        (text != endless).then_some(text)
    })
    .await;
    world.until_answered(&rotated, 200).await;
}

#[tokio::test]
async fn tokens_made_over_http_are_held_to_the_limits_before_a_resource_is_made() {
    let mut world = ControllerWorld::without_controller().await;
    world.launch(&LIMITS);
    world.create("admin", json!({"scopes": ["tokens:write", "tasks:read"], "ttl": "1h"})).await;
    let (_, admin) = world.until_issued("admin").await;
    let api = world.issuing_api(&LIMITS).await;
    let address = until("the API", || async { api.address() }).await;
    let post = |body: serde_json::Value| HttpRequest::new(address, "POST", "/tokens").token(&admin).json(&body).send();
    let late = Utc::now() + TimeDelta::days(400);
    let refused =
        post(json!({"name": "laptop", "scopes": ["tasks:read"], "expires_at": late})).await.expect(422).json();
    assert_eq!(refused["errors"][0]["pointer"], "/expires_at");
    assert_eq!(world.tokens().list(&ListParams::default()).await.unwrap().items.len(), 1);
    // The token in hand works for an hour.
    let soon = Utc::now() + TimeDelta::minutes(50);
    let made = post(json!({"name": "laptop", "scopes": ["tasks:read"], "expires_at": soon})).await.expect(201).json();
    let name = made["api_token"].as_str().unwrap();
    world.until_ready_says(name, "Registered").await;
    world.me(made["token"].as_str().unwrap()).await.expect(200);
}
