//! The token endpoints.

use chrono::{TimeDelta, Utc};
use gleaner_model::{PlainToken, Scope};
use gleaner_store::Credential;
use gleaner_testkit::{
    api::Api,
    fixture::{credential, time},
};
use serde_json::json;

#[tokio::test]
async fn any_valid_token_may_ask_what_it_is() {
    let api = Api::start().await;
    let token = api.new_token("team-a", &[Scope::FeedbackWrite]).await;
    let ask = || async { api.request("GET", "/tokens/me").token(&token).send().await.expect(200).json() };
    ask().await;
    let me = ask().await;
    assert_eq!(me["token_id"], PlainToken::parse(&token).unwrap().id().as_str());
    assert_eq!((me["tenant"].as_str(), &me["scopes"]), (Some("team-a"), &json!(["feedback:write"])));
    assert_eq!(me["subject"]["name"], "Dana Reyes");
    time(&me["created_at"]);
    time(&me["last_used_at"]);
    assert!(me["expires_at"].is_null());
    assert!(me.get("token").is_none() && me.get("hash").is_none());
}

#[tokio::test]
async fn a_new_token_is_shown_once_and_works() {
    let api = Api::start().await;
    let wanted = json!({"name": "bot", "scopes": ["tasks:read", "ingest:write"], "subject": {"name": "Sam Lee"},
        "expires_at": Utc::now() + TimeDelta::days(1)});
    let answer = api.call("POST", "/tokens").json(&wanted).send().await.expect(201);
    let made = answer.json();
    let token = made["token"].as_str().unwrap();
    let plain = PlainToken::parse(token).expect("the form of the contract");
    assert_eq!(made["token_id"], plain.id().as_str());
    assert_eq!(answer.header("location"), Some(format!("/tokens/{}", plain.id()).as_str()));
    let me = api.request("GET", "/tokens/me").token(token).send().await.expect(200).json();
    assert_eq!((me["name"].as_str(), me["subject"]["name"].as_str()), (Some("bot"), Some("Sam Lee")));
    assert_eq!(me["scopes"], json!(["ingest:write", "tasks:read"]));
    time(&me["expires_at"]);
    let listed = api.get("/tokens").await.expect(200).text();
    assert!(listed.contains(plain.id().as_str()) && !listed.contains(token));
}

#[tokio::test]
async fn no_token_and_no_secret_is_kept_in_the_store() {
    let api = Api::start().await;
    let made = api.call("POST", "/tokens").json(&json!({"name": "x", "scopes": ["tasks:read"]})).send().await.json();
    let secret = &made["token"].as_str().unwrap()[16..48];
    let keys = api.redis.cli(&["KEYS", "*"]);
    assert!(!keys.is_empty() && !keys.contains(secret));
    for key in keys.lines().filter(|key| key.contains("cred")) {
        for read in [["HGETALL", key], ["SMEMBERS", key], ["GET", key]] {
            assert!(!api.redis.cli(&read).contains(secret), "{key}");
        }
    }
}

#[tokio::test]
async fn a_token_cannot_grant_scopes_that_it_lacks() {
    let api = Api::start().await;
    let weak = api.new_token("default", &[Scope::TokensWrite, Scope::TasksRead]).await;
    let ask = |scopes| api.request("POST", "/tokens").token(&weak).json(&json!({"name": "x", "scopes": scopes})).send();
    ask(json!(["tasks:read"])).await.expect(201);
    let answer = ask(json!(["tasks:read", "tasks:write"])).await;
    answer.problem(403, "insufficient-scope");
    assert!(answer.header("www-authenticate").unwrap().contains(r#"scope="tasks:write""#));
}

#[tokio::test]
async fn a_scope_of_a_newer_version_is_listed_and_allows_nothing() {
    let api = Api::start().await;
    let token = PlainToken::mint().unwrap();
    let scopes = serde_json::from_value(json!(["tasks:read", "tokens:write", "x-unknown:read"])).unwrap();
    api.put(Credential { scopes, ..credential(&token, "default", &[]) }).await;
    let ask = |method, path| api.request(method, path).token(token.expose());
    let listed = ask("GET", "/tokens").send().await.expect(200).json();
    assert_eq!(listed["items"][1]["scopes"], json!(["tasks:read", "tokens:write", "x-unknown:read"]), "{listed}");
    ask("GET", "/tasks").send().await.expect(200);
    ask("GET", "/webhooks").send().await.problem(403, "insufficient-scope");
    let unknown = json!({"name": "x", "scopes": ["x-unknown:read"]});
    ask("POST", "/tokens").json(&unknown).send().await.problem(422, "invalid-request");
}

#[tokio::test]
async fn a_wish_that_breaks_a_rule_is_422_and_names_the_member() {
    let api = Api::start().await;
    let cases = [
        (json!({"scopes": ["tasks:read"]}), "/name"),
        (json!({"name": " ", "scopes": ["tasks:read"]}), "/name"),
        (json!({"name": "x"}), "/scopes"),
        (json!({"name": "x", "scopes": []}), "/scopes"),
        (json!({"name": "x", "scopes": ["tasks:read", "tasks:read"]}), "/scopes"),
        (json!({"name": "x", "scopes": ["everything"]}), "/scopes/0"),
        (json!({"name": "x", "scopes": ["tasks:read"], "expires_at": "2020-01-01T00:00:00Z"}), "/expires_at"),
        (json!({"name": "x", "scopes": ["tasks:read"], "expires_at": "soon"}), "/expires_at"),
        (json!({"name": "x", "scopes": ["tasks:read"], "tenant": "other"}), "/tenant"),
        (json!({"name": "x", "scopes": ["tasks:read"], "subject": {"time_zone": "Mars"}}), "/subject/time_zone"),
    ];
    for (body, pointer) in cases {
        let problem = api.call("POST", "/tokens").json(&body).send().await.problem(422, "invalid-request");
        assert_eq!(problem["errors"][0]["pointer"], pointer, "{body} {problem}");
    }
}

#[tokio::test]
async fn a_revoked_token_is_204_then_404_and_refused_at_once_here() {
    let api = Api::start().await;
    let made = api.call("POST", "/tokens").json(&json!({"name": "x", "scopes": ["tasks:read"]})).send().await.json();
    let (token, path) = (made["token"].as_str().unwrap(), format!("/tokens/{}", made["token_id"].as_str().unwrap()));
    api.request("GET", "/tokens/me").token(token).send().await.expect(200);
    let gone = api.call("DELETE", &path).send().await.expect(204);
    assert!(gone.body.is_empty());
    api.call("DELETE", &path).send().await.problem(404, "not-found");
    api.request("GET", "/tokens/me").token(token).send().await.problem(401, "invalid-token");
}

#[tokio::test]
async fn nothing_of_another_tenants_tokens_can_be_seen_or_revoked() {
    let api = Api::start().await;
    let other = api.new_token("team-b", &Scope::ALL).await;
    let id = PlainToken::parse(&other).unwrap().id();
    assert!(!api.get("/tokens").await.text().contains(id.as_str()));
    api.call("DELETE", &format!("/tokens/{id}")).send().await.problem(404, "not-found");
    api.request("GET", "/tokens/me").token(&other).send().await.expect(200);
    let listed = api.request("GET", "/tokens").token(&other).send().await.expect(200).json();
    assert_eq!(listed["items"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_token_beyond_what_the_admin_allows_is_refused_member_by_member() {
    let limits = ["--token-max-lifetime", "24h", "--token-allowed-scopes", "tasks:read,tokens:write"];
    let api = Api::start_with(&limits).await;
    let post = |body: serde_json::Value| api.call("POST", "/tokens").json(&body).send();
    let late = json!({"name": "x", "scopes": ["tasks:write"], "expires_at": Utc::now() + TimeDelta::hours(25)});
    let refused = post(late).await.expect(422).json();
    let said = refused["errors"].as_array().unwrap().iter().map(|one| one["pointer"].as_str().unwrap());
    assert_eq!(said.collect::<Vec<_>>(), ["/scopes", "/expires_at"]);
    assert!(refused["detail"].as_str().unwrap().contains("the admin allows tasks:read tokens:write"), "{refused}");
    let endless = post(json!({"name": "x", "scopes": ["tasks:read"]})).await.expect(422).json();
    assert!(endless["errors"][0]["detail"].as_str().unwrap().contains("at most 24h"), "{endless}");
    assert_eq!(api.get("/tokens").await.expect(200).json()["items"].as_array().unwrap().len(), 1);
    post(json!({"name": "x", "scopes": ["tasks:read"], "expires_at": Utc::now() + TimeDelta::hours(24)}))
        .await
        .expect(201);
}
