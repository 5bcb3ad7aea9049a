//! Tokens that somebody else minted.

use crate::world::{ControllerWorld, condition};
use gleaner_crds::ImportedToken;
use gleaner_model::{PlainToken, Scope, ScopeSet, Subject, TokenHash};
use kube::api::{ListParams, PostParams};
use serde_json::json;

#[tokio::test]
async fn an_imported_hash_works_like_a_minted_one_and_no_secret_is_written() {
    let world = ControllerWorld::start().await;
    let mine = "a token of my own making, 0123456789abcdef0123456789abcdef";
    world.create("bot", json!({"scopes": ["tasks:read"], "tokenHash": TokenHash::of(mine).to_string()})).await;
    let token = world.until_ready_says("bot", "Registered").await;
    let known = world.store().await.find_credential(&TokenHash::of(mine)).await.unwrap().unwrap();
    assert_eq!(known.tenant.as_str(), world.namespace);
    assert_eq!(condition(&token, "SecretDelivered")["status"], "False");
    assert!(world.secrets().list(&ListParams::default()).await.unwrap().items.is_empty());
}

#[tokio::test]
async fn a_token_that_the_api_minted_works_by_its_hash_under_its_own_id() {
    let world = ControllerWorld::start().await;
    let (token, scopes) = (PlainToken::mint().unwrap(), [Scope::TasksRead].into_iter().collect::<ScopeSet>());
    let subject = Subject::named("Dana");
    let made = ImportedToken {
        namespace: &world.namespace,
        name: "Dana's laptop",
        token: &token,
        scopes: &scopes,
        subject: &subject,
        expires_at: None,
        maker: None,
    };
    let made = world.tokens().create(&PostParams::default(), &made.resource()).await.unwrap();
    world.until_ready_says(&made.metadata.name.unwrap(), "Registered").await;
    let me = world.me(token.expose()).await.expect(200).json();
    assert_eq!((&me["token_id"], &me["subject"]["name"]), (&json!(token.id()), &json!("Dana")));
}

#[tokio::test]
async fn another_hash_replaces_the_first_at_once() {
    let world = ControllerWorld::start().await;
    let (one, two) = (PlainToken::mint().unwrap(), PlainToken::mint().unwrap());
    world.create("bot", json!({"scopes": ["tasks:read"], "tokenHash": one.hash().to_string()})).await;
    world.until_answered(one.expose(), 200).await;
    world.edit("bot", json!({"tokenHash": two.hash().to_string()})).await;
    world.until_answered(two.expose(), 200).await;
    world.until_answered(one.expose(), 401).await;
}

#[tokio::test]
async fn nobody_gets_at_a_token_by_importing_the_hash_that_another_shows() {
    let world = ControllerWorld::start().await;
    world.create("mine", json!({"scopes": ["tasks:read"]})).await;
    let (token, text) = world.until_issued("mine").await;
    let hash = token.status.unwrap().token_hash.unwrap().to_string();
    world.create("thief", json!({"scopes": ["tokens:write"], "tokenHash": hash})).await;
    world.until_ready_says("thief", "TokenHashInUse").await;
    assert_eq!(world.me(&text).await.expect(200).json()["scopes"], json!(["tasks:read"]));
    world.delete("thief").await;
    world.until_ready_says("mine", "Registered").await;
    world.me(&text).await.expect(200);
}
