//! What is said of endpoints over HTTP.

use super::{LOCAL, webhook};
use gleaner_model::Scope;
use gleaner_testkit::api::Api;
use serde_json::json;

#[tokio::test]
async fn an_endpoint_is_made_shown_changed_and_removed() {
    let api = Api::start().await;
    let body = json!({"url": "https://example.com/hook", "events": ["task.created"], "payload": "thin", "description": "ours"});
    let answer = api.call("POST", "/webhooks").json(&body).send().await.expect(201);
    let made = answer.json();
    let path = format!("/webhooks/{}", made["id"].as_str().unwrap());
    assert_eq!(answer.header("location"), Some(path.as_str()));
    assert!(made["secret"].as_str().unwrap().starts_with("whsec_"));
    let found = api.get(&path).await.expect(200).json();
    assert!(found.get("secret").is_none() && !found.to_string().contains("whsec_"), "it is shown once");
    for member in ["url", "events", "payload", "description"] {
        assert_eq!(found[member], body[member], "{member}");
    }
    assert_eq!((&found["status"], &found["enabled"]), (&json!("active"), &json!(true)));
    let patch = json!({"url": "https://example.org/", "events": ["job.failed"], "payload": "full", "description": null, "enabled": false});
    let changed = api.call("PATCH", &path).json(&patch).send().await.expect(200).json();
    for member in ["url", "events", "payload", "description", "enabled"] {
        assert_eq!(changed[member], patch[member], "{member}");
    }
    assert_eq!(changed["status"], "paused");
    assert_eq!(api.get("/webhooks").await.expect(200).json()["items"], json!([changed]));
    api.call("DELETE", &path).send().await.expect(204);
    api.get(&path).await.problem(404, "not-found");
    api.call("DELETE", &path).send().await.problem(404, "not-found");
    assert_eq!(api.redis.cli(&["--scan", "--pattern", "*webhook*"]), "", "nothing is left of it");
}

#[tokio::test]
async fn of_a_key_pair_the_public_half_is_shown_and_the_private_one_to_nobody() {
    let api = Api::start().await;
    let made = webhook(&api, "https://example.com/", json!({"signature": "v1a"})).await;
    let path = format!("/webhooks/{}", made["id"].as_str().unwrap());
    let found = api.get(&path).await.expect(200).json();
    assert_eq!((&found["signature"], &found["public_key"]), (&json!("v1a"), &made["secret"]));
    let rotated = api.call("POST", &format!("{path}/rotate")).send().await.expect(200).json();
    assert_eq!((&rotated["signature"], &rotated["public_key"]), (&json!("v1a"), &rotated["secret"]));
    assert_ne!(rotated["secret"], made["secret"]);
    for shown in [&made, &found, &rotated] {
        assert!(!shown.to_string().contains("whsk_") && shown.to_string().contains("whpk_"), "{shown}");
    }
    let shared = webhook(&api, "https://example.com/", json!({})).await;
    assert_eq!((&shared["signature"], &shared["public_key"]), (&json!("v1"), &json!(null)));
}

#[tokio::test]
async fn what_cannot_be_an_endpoint_is_refused_with_the_members_name() {
    let api = Api::start().await;
    let cases = [
        (json!({}), "/url"),
        (json!({"url": "http://example.com/"}), "/url"),
        (json!({"url": "https://127.0.0.1/"}), "/url"),
        (json!({"url": "https://0x7f.1/"}), "/url"),
        (json!({"url": "https://[::ffff:169.254.169.254]/"}), "/url"),
        (json!({"url": "https://me:mine@example.com/"}), "/url"),
        (json!({"url": "https://example.com/", "events": []}), "/events"),
        (json!({"url": "https://example.com/", "events": ["task.lost"]}), "/events/0"),
        (json!({"url": "https://example.com/", "payload": "fat"}), "/payload"),
        (json!({"url": "https://example.com/", "signature": "v2"}), "/signature"),
        (json!({"url": "https://example.com/", "description": "x".repeat(501)}), "/description"),
    ];
    for (body, pointer) in cases {
        let problem = api.call("POST", "/webhooks").json(&body).send().await.problem(422, "invalid-request");
        assert_eq!(problem["errors"][0]["pointer"], pointer, "{body}: {problem}");
    }
    let made = webhook(&api, "https://example.com/", json!({})).await;
    assert_eq!(made["events"].as_array().unwrap().len(), 6, "without a choice, everything");
    let path = format!("/webhooks/{}", made["id"].as_str().unwrap());
    let refused = api.call("PATCH", &path).json(&json!({"url": "https://10.0.0.1/"})).send().await;
    assert_eq!(refused.problem(422, "invalid-request")["errors"][0]["pointer"], "/url");
    api.call("PATCH", &path).json(&json!({"secret": "mine"})).send().await.problem(422, "invalid-request");
}

#[tokio::test]
async fn endpoints_belong_to_their_tenant_and_their_scope_and_are_few() {
    let api = Api::start_with(&["--webhook-cap", "2"]).await;
    let made = webhook(&api, "https://example.com/", json!({})).await;
    let id = made["id"].as_str().unwrap();
    let stranger = api.new_token("other", &Scope::ALL).await;
    let weak = api.new_token("default", &[Scope::TasksRead, Scope::TokensWrite]).await;
    let calls = [
        ("GET", format!("/webhooks/{id}")),
        ("PATCH", format!("/webhooks/{id}")),
        ("DELETE", format!("/webhooks/{id}")),
        ("POST", format!("/webhooks/{id}/rotate")),
        ("POST", format!("/webhooks/{id}/test")),
        ("POST", format!("/webhooks/{id}/redeliver")),
        ("GET", format!("/webhooks/{id}/deliveries")),
        ("POST", format!("/webhooks/{id}/deliveries/evt_{}_1-0/redeliver", id.replace('-', ""))),
    ];
    for (method, path) in calls {
        let body = json!({"since": "2026-01-01T00:00:00Z"});
        let body = if method == "PATCH" { json!({}) } else { body };
        let call = |token: &str| api.request(method, &path).token(token).json(&body);
        call(&stranger).send().await.problem(404, "not-found");
        call(&weak).send().await.problem(403, "insufficient-scope");
    }
    webhook(&api, "https://example.com/", json!({})).await;
    let body = json!({"url": "https://example.com/"});
    api.call("POST", "/webhooks").json(&body).send().await.problem(422, "invalid-request");
}

#[tokio::test]
async fn an_admin_allows_networks() {
    let api = Api::start_with(&LOCAL).await;
    webhook(&api, "http://127.0.0.1:9/", json!({})).await;
    let body = json!({"url": "http://10.0.0.1/"});
    api.call("POST", "/webhooks").json(&body).send().await.problem(422, "invalid-request");
}
