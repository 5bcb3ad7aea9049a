//! A token's beginning: minted, written to the Secret, registered, shown.

use crate::world::{ControllerWorld, condition, tokens_in};
use gleaner_model::{PlainToken, TokenHash};
use serde_json::json;

#[tokio::test]
async fn an_applied_api_token_yields_a_secret_whose_token_works() {
    let world = ControllerWorld::start().await;
    let subject =
        json!({"name": "Dana Reyes", "email": "dana@example.com", "aliases": ["Dana"], "timeZone": "America/Chicago"});
    world.create("ci-bot", json!({"scopes": ["ingest:write", "tasks:read"], "subject": subject})).await;
    let (token, text) = world.until_issued("ci-bot").await;
    let me = world.me(&text).await.expect(200).json();
    assert_eq!(me["tenant"], world.namespace);
    assert_eq!(me["scopes"], json!(["ingest:write", "tasks:read"]));
    assert_eq!(me["subject"]["name"], "Dana Reyes");
    assert_eq!(me["subject"]["time_zone"], "America/Chicago");
    let status = token.status.unwrap();
    assert_eq!(me["token_id"], json!(status.token_id));
    assert_eq!(status.token_hash, Some(TokenHash::of(&text)));
}

#[tokio::test]
async fn the_secret_holds_the_token_and_its_id_and_is_owned_by_the_api_token() {
    let world = ControllerWorld::start().await;
    let made = world.create("bot", json!({"scopes": ["tasks:read"]})).await;
    world.until_issued("bot").await;
    let secret = world.secrets().get("bot-token").await.unwrap();
    let owners = secret.metadata.owner_references.unwrap();
    assert_eq!((owners.len(), &owners[0].uid, owners[0].kind.as_str()), (1, &made.metadata.uid.unwrap(), "ApiToken"));
    assert_eq!(secret.data.unwrap().into_keys().collect::<Vec<_>>(), ["token", "tokenId"]);
    let (text, id) = world.secret("bot-token").await.unwrap();
    assert_eq!(PlainToken::parse(&text).unwrap().id().as_str(), id);
}

#[tokio::test]
async fn the_secret_has_the_name_that_the_spec_gives() {
    let world = ControllerWorld::start().await;
    world.create("bot", json!({"scopes": ["tasks:read"], "secretName": "for.me"})).await;
    let (token, _) = world.until_issued("bot").await;
    assert!(world.secret("for.me").await.is_some() && world.secret("bot-token").await.is_none());
    assert_eq!(token.status.unwrap().secret_name.as_deref(), Some("for.me"));
}

#[tokio::test]
async fn the_status_answers_the_generation_with_conditions_and_reasons() {
    let world = ControllerWorld::start().await;
    world.create("bot", json!({"scopes": ["tasks:read"], "ttl": "1h"})).await;
    let (token, _) = world.until_issued("bot").await;
    let status = token.status.clone().unwrap();
    assert_eq!(status.observed_generation, token.metadata.generation);
    assert_eq!((status.expires_at.unwrap() - status.issued_at.unwrap()).num_seconds(), 3600);
    for (kind, said, reason) in
        [("Ready", "True", "Registered"), ("SecretDelivered", "True", "Delivered"), ("Expired", "False", "NotExpired")]
    {
        let condition = condition(&token, kind);
        assert_eq!((&condition["status"], &condition["reason"]), (&json!(said), &json!(reason)));
    }
}

#[tokio::test]
async fn a_token_with_neither_an_end_nor_a_ttl_works_for_ever() {
    let world = ControllerWorld::start().await;
    world.create("bot", json!({"scopes": ["tasks:read"]})).await;
    let (token, text) = world.until_issued("bot").await;
    assert_eq!(condition(&token, "Expired")["reason"], "NoExpiry");
    assert_eq!(token.status.unwrap().expires_at, None);
    assert_eq!(world.me(&text).await.expect(200).json()["expires_at"], json!(null));
}

#[tokio::test]
async fn the_end_that_the_spec_gives_is_registered_and_shown() {
    let world = ControllerWorld::start().await;
    world.create("bot", json!({"scopes": ["tasks:read"], "expiresAt": "2099-01-01T02:00:00+02:00"})).await;
    let (token, text) = world.until_issued("bot").await;
    let shown = serde_json::to_value(token.status.unwrap()).unwrap();
    assert_eq!(shown["expiresAt"], "2099-01-01T00:00:00Z");
    assert_eq!(world.me(&text).await.expect(200).json()["expires_at"], "2099-01-01T00:00:00Z");
    let members = shown.as_object().unwrap().keys().map(String::as_str).collect::<Vec<_>>();
    let expected = ["conditions", "expiresAt", "issuedAt", "observedGeneration", "secretName", "tokenHash", "tokenId"];
    assert_eq!(members, expected);
}

#[tokio::test]
async fn plaintext_is_nowhere_but_in_the_secret() {
    let world = ControllerWorld::start().await;
    world.create("bot", json!({"scopes": ["tasks:read"]})).await;
    world.until_issued("bot").await;
    world.rotate("bot", "1").await;
    world.until_event("bot", "Rotated").await;
    let written = world.everything_written().await;
    assert!(written.contains("Rotated") && written.contains("sha256:"), "the search sees something");
    assert_eq!(tokens_in(&written), 0);
    let keys = world.api.redis.cli(&["--scan"]);
    let kept = keys.lines().map(|key| world.api.redis.cli(&["HGETALL", key])).collect::<String>();
    assert!(kept.contains("sha256:"), "the search sees something");
    assert_eq!(tokens_in(&kept), 0);
}

#[tokio::test]
async fn a_time_zone_that_does_not_exist_is_told_and_can_be_mended() {
    let world = ControllerWorld::start().await;
    world.create("bot", json!({"scopes": ["tasks:read"], "subject": {"timeZone": "Mars/Base"}})).await;
    let token = world.until_ready_says("bot", "InvalidSpec").await;
    assert!(condition(&token, "Ready")["message"].as_str().unwrap().contains("America/Chicago"));
    world.edit("bot", json!({"subject": {"timeZone": "Europe/Berlin"}})).await;
    let (_, text) = world.until_issued("bot").await;
    world.me(&text).await.expect(200);
}
