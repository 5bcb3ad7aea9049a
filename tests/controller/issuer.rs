//! Tokens made over HTTP where Kubernetes is the truth.

use crate::{
    http::Request,
    world::{World, tokens_in, until},
};
use kube::api::ListParams;
use serde_json::json;

#[tokio::test]
async fn tokens_made_over_http_are_api_tokens_that_carry_only_the_hash() {
    let world = World::start().await;
    world.create("admin", json!({"scopes": ["tokens:write", "tasks:read"]})).await;
    let (_, admin) = world.until_issued("admin").await;
    let api = world.issuing_api(&[]).await;
    let address = until("the API", || async { api.address() }).await;
    let request = |method: &str, path: &str| Request::new(address, method, path).token(&admin);
    let body = json!({"name": "Dana's laptop", "scopes": ["tasks:read"]});
    let made = request("POST", "/tokens").json(&body).send().await.expect(201).json();
    let (text, id) = (made["token"].as_str().unwrap(), made["token_id"].as_str().unwrap());
    world.me(text).await.expect(200);

    let of_the_token = ListParams::default().labels(&format!("gleaner.dev/token-id={id}"));
    let list = || async { world.tokens().list(&of_the_token).await.unwrap().items };
    let resources = list().await;
    assert_eq!(resources.len(), 1);
    assert_eq!(tokens_in(&serde_json::to_string(&resources).unwrap()), 0);
    let name = resources[0].metadata.name.clone().unwrap();
    world.until_ready_says(&name, "Registered").await;
    let me = world.me(text).await.expect(200).json();
    assert_eq!((&me["token_id"], &me["scopes"]), (&json!(id), &json!(["tasks:read"])));

    request("DELETE", &format!("/tokens/{id}")).send().await.expect(204);
    world.until_answered(text, 401).await;
    until("the ApiToken to go", || async { list().await.is_empty().then_some(()) }).await;
    world.me(&admin).await.expect(200);
}

#[tokio::test]
async fn a_token_made_over_http_outlives_the_store() {
    let world = World::start().await;
    world.create("admin", json!({"scopes": ["tokens:write"]})).await;
    let (_, admin) = world.until_issued("admin").await;
    let api = world.issuing_api(&[]).await;
    let address = until("the API", || async { api.address() }).await;
    let body = json!({"name": "laptop", "scopes": ["tokens:write"]});
    let made = Request::new(address, "POST", "/tokens").token(&admin).json(&body).send().await.expect(201).json();
    world.empty_store().await;
    world.until_answered(made["token"].as_str().unwrap(), 200).await;
}
