//! Tokens made over HTTP where Kubernetes is the truth.

use crate::world::{ControllerWorld, condition, tokens_in, until};
use gleaner_testkit::http::HttpRequest;
use kube::api::ListParams;
use serde_json::json;

#[tokio::test]
async fn tokens_made_over_http_are_api_tokens_that_carry_only_the_hash() {
    let world = ControllerWorld::start().await;
    world.create("admin", json!({"scopes": ["tokens:write", "tasks:read"]})).await;
    let (_, admin) = world.until_issued("admin").await;
    let api = world.issuing_api(&[]).await;
    let address = until("the API", || async { api.address() }).await;
    let request = |method: &str, path: &str| HttpRequest::new(address, method, path).token(&admin);
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
async fn a_token_that_was_rotated_out_is_revoked_alone() {
    let world = ControllerWorld::start().await;
    world.create("admin", json!({"scopes": ["tokens:write"], "rotation": {"overlap": "1h"}})).await;
    let (token, old) = world.until_issued("admin").await;
    let id = token.status.unwrap().token_id.unwrap();
    let api = world.issuing_api(&[]).await;
    let address = until("the API", || async { api.address() }).await;
    let body = json!({"name": "laptop", "scopes": ["tokens:write"]});
    let made = HttpRequest::new(address, "POST", "/tokens").token(&old).json(&body).send().await.expect(201).json();
    // Tokens are told apart by the second in which they were issued.
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    world.rotate("admin", "1").await;
    let new = until("another token", || async {
        world.secret("admin-token").await.map(|(text, _)| text).filter(|text| *text != old)
    })
    .await;
    world.until_answered(&new, 200).await;
    world.until_ready_says("admin", "Registered").await;

    HttpRequest::new(address, "DELETE", &format!("/tokens/{id}")).token(&new).send().await.expect(204);
    world.until_answered(&old, 401).await;
    world.edit("admin", json!({"subject": {"name": "Dana Reyes"}})).await;
    until("the token to be forgotten", || async {
        world.get("admin").await.status.unwrap().previous.is_none().then_some(())
    })
    .await;
    world.me(&old).await.expect(401);
    for token in [new.as_str(), made["token"].as_str().unwrap()] {
        world.me(token).await.expect(200);
    }
}

#[tokio::test]
async fn a_token_made_over_http_outlives_the_store() {
    let world = ControllerWorld::start().await;
    world.create("admin", json!({"scopes": ["tokens:write"]})).await;
    let (_, admin) = world.until_issued("admin").await;
    let api = world.issuing_api(&[]).await;
    let address = until("the API", || async { api.address() }).await;
    let body = json!({"name": "laptop", "scopes": ["tokens:write"]});
    let made = HttpRequest::new(address, "POST", "/tokens").token(&admin).json(&body).send().await.expect(201).json();
    world.empty_store().await;
    world.until_answered(made["token"].as_str().unwrap(), 200).await;
}

#[tokio::test]
async fn what_a_token_made_goes_with_its_api_token_and_does_not_come_back() {
    let world = ControllerWorld::start().await;
    world.create("admin", json!({"scopes": ["tokens:write"]})).await;
    let (_, admin) = world.until_issued("admin").await;
    world.create("bystander", json!({"scopes": ["tasks:read"]})).await;
    let (_, bystander) = world.until_issued("bystander").await;
    let api = world.issuing_api(&[]).await;
    let address = until("the API", || async { api.address() }).await;
    let make = |token: &str| {
        let body = json!({"name": "laptop", "scopes": ["tokens:write"]});
        HttpRequest::new(address, "POST", "/tokens").token(token).json(&body).send()
    };
    let text = |made: serde_json::Value| made["token"].as_str().unwrap().to_owned();
    let child = text(make(&admin).await.expect(201).json());
    let made = make(&child).await.expect(201).json();
    let (id, grandchild) = (made["token_id"].as_str().unwrap().to_owned(), text(made));
    let of_the_token = ListParams::default().labels(&format!("gleaner.dev/token-id={id}"));
    let resource = world.tokens().list(&of_the_token).await.unwrap().items.remove(0);
    let name = resource.metadata.name.clone().unwrap();
    world.until_ready_says(&name, "Registered").await;
    assert_eq!(resource.maker().map(|maker| maker.kind.as_str()), Some("ApiToken"));

    world.delete("admin").await;
    for token in [&admin, &child, &grandchild] {
        world.until_answered(token, 401).await;
    }
    // Whether Kubernetes has removed the resources by now or not, they don't bring their tokens back,
    // while a token of its own does come back.
    let maker = resource.maker().unwrap().name.clone();
    world.api.redis.cli(&["FLUSHALL"]);
    world.until_answered(&bystander, 200).await;
    until("the made ApiTokens to go, or to say why they are refused", || async {
        let found = world.tokens().get_opt(&maker).await.unwrap();
        found.is_none_or(|token| condition(&token, "Ready")["reason"] == "MakerGone").then_some(())
    })
    .await;
    for token in [&child, &grandchild] {
        world.until_answered(token, 401).await;
    }
}
