//! What a tenant may hold of tokens, what goes with a token, and what tokens buy.

use chrono::{TimeDelta, Utc};
use gleaner_model::{PlainToken, Scope};
use gleaner_testkit::{
    api::{Api, item},
    fixture::{credential, time},
    http::{HttpRequest, HttpResponse},
    wait::until,
};
use serde_json::{Value, json};

async fn make(api: &Api, token: &str, more: Value) -> HttpResponse {
    let mut body = json!({"name": "bot", "scopes": ["tokens:write", "tasks:read"]});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    api.request("POST", "/tokens").token(token).json(&body).send().await
}

/// The text and the id of a token that was made.
async fn made(api: &Api, token: &str) -> (String, String) {
    let body = make(api, token, json!({})).await.expect(201).json();
    (body["token"].as_str().unwrap().to_owned(), body["token_id"].as_str().unwrap().to_owned())
}

async fn status(api: &Api, token: &str) -> u16 {
    api.request("GET", "/tokens/me").token(token).send().await.status
}

#[tokio::test]
async fn a_tenant_makes_100_tokens_and_no_more_until_one_is_revoked() {
    let api = Api::start().await;
    let (_, first) = made(&api, &api.token).await;
    for _ in 1..100 {
        made(&api, &api.token).await;
    }
    let refused = make(&api, &api.token, json!({})).await;
    assert!(refused.problem(422, "invalid-request")["detail"].as_str().unwrap().contains("100"));
    let other = api.new_token("team-b", &Scope::ALL).await;
    made(&api, &other).await;
    api.call("DELETE", &format!("/tokens/{first}")).send().await.expect(204);
    made(&api, &api.token).await;
    make(&api, &api.token, json!({})).await.expect(422);
}

#[tokio::test]
async fn no_two_processes_together_make_one_too_many() {
    let flags = ["--max-tokens", "10"];
    let api = Api::start_with(&flags).await;
    let beside = api.beside_with(&flags).await;
    let ask = |n: usize| {
        let address = if n.is_multiple_of(2) { api.address } else { beside };
        let body = json!({"name": "bot", "scopes": ["tasks:read"]});
        HttpRequest::new(address, "POST", "/tokens").token(&api.token).json(&body).send()
    };
    let answers = futures::future::join_all((0..40).map(ask)).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 201).count(), 10);
}

#[tokio::test]
async fn a_limit_of_0_is_none() {
    let api = Api::start_with(&["--max-tokens", "0", "--token-limit-per-minute", "0"]).await;
    for _ in 0..210 {
        made(&api, &api.token).await;
    }
}

#[tokio::test]
async fn tokens_are_made_at_the_tenants_rate() {
    let api = Api::start_with(&["--token-limit-per-minute", "1"]).await;
    let second = api.new_token("default", &Scope::ALL).await;
    for n in 0..5 {
        made(&api, if n % 2 == 0 { &api.token } else { &second }).await;
    }
    let refused = make(&api, &second, json!({})).await;
    refused.problem(429, "rate-limited");
    assert!(refused.header("retry-after").is_some());
}

#[tokio::test]
async fn expired_tokens_make_room_and_do_not_pile_up() {
    let api = Api::start_with(&["--max-tokens", "3", "--token-limit-per-minute", "0"]).await;
    for _ in 0..4 {
        for _ in 0..3 {
            let soon = Utc::now() + TimeDelta::milliseconds(900);
            make(&api, &api.token, json!({"expires_at": soon})).await.expect(201);
        }
        tokio::time::sleep(std::time::Duration::from_millis(1_000)).await;
    }
    let listed = api.get("/tokens").await.json()["items"].as_array().unwrap().len();
    assert!((2..=7).contains(&listed), "the last ones can be seen, not all: {listed}");
}

#[tokio::test]
async fn the_list_is_walked_page_by_page_oldest_first() {
    let api = Api::start().await;
    let mut wanted = vec![PlainToken::parse(&api.token).unwrap().id().to_string()];
    for _ in 0..12 {
        wanted.push(made(&api, &api.token).await.1);
    }
    let (mut seen, mut path) = (Vec::new(), "/tokens?limit=5".to_owned());
    loop {
        let answer = api.get(&path).await.expect(200);
        let page = answer.json();
        let items = page["items"].as_array().unwrap();
        assert!(items.len() <= 5);
        seen.extend(items.iter().map(|token| token["token_id"].as_str().unwrap().to_owned()));
        match page["next_cursor"].as_str() {
            Some(cursor) => {
                assert!(answer.header("link").unwrap().contains("rel=\"next\""));
                path = format!("/tokens?limit=5&cursor={cursor}");
            }
            None => break,
        }
    }
    assert_eq!(seen, wanted);
    api.get("/tokens?limit=201").await.problem(422, "invalid-request");
    api.get("/tokens?cursor=x").await.problem(422, "invalid-request");
    assert_eq!(api.get("/tokens").await.json()["items"].as_array().unwrap().len(), 13);
}

#[tokio::test]
async fn tokens_of_a_version_without_order_are_listed_too() {
    let api = Api::start().await;
    made(&api, &api.token).await;
    for key in api.redis.cli(&["KEYS", "*"]).lines() {
        if key.contains(":listed:") {
            api.redis.cli(&["DEL", key]);
        } else if key.contains(":record:") {
            api.redis.cli(&["HDEL", key, "listed"]);
        }
    }
    assert_eq!(api.get("/tokens").await.json()["items"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_thousand_tokens_of_resources_cost_a_revocation_nothing() {
    let api = Api::start().await;
    for _ in 0..1_000 {
        api.new_token("default", &[Scope::TasksRead]).await;
    }
    let (_, id) = made(&api, &api.token).await;
    api.call("DELETE", &format!("/tokens/{id}")).send().await.expect(204);
    let page = api.get("/tokens").await.expect(200);
    assert_eq!(page.json()["items"].as_array().unwrap().len(), 50);
    assert!(page.body.len() < 50_000, "{}", page.body.len());
}

#[tokio::test]
async fn what_a_token_made_goes_with_it() {
    let api = Api::start().await;
    let beside = api.beside().await;
    let (parent, id) = made(&api, &api.token).await;
    let (child, child_id) = made(&api, &parent).await;
    let (grandchild, _) = made(&api, &child).await;
    let (sibling, _) = made(&api, &api.token).await;
    let shown = api.request("GET", "/tokens/me").token(&child).send().await.json();
    assert_eq!((&shown["token_id"], &shown["made_by"]), (&json!(child_id), &json!(id)));
    HttpRequest::new(beside, "GET", "/tokens/me").token(&grandchild).send().await.expect(200);
    api.call("DELETE", &format!("/tokens/{id}")).send().await.expect(204);
    for token in [&parent, &child, &grandchild] {
        assert_eq!(status(&api, token).await, 401);
        let ask = || HttpRequest::new(beside, "GET", "/tokens/me").token(token).send();
        until("every process to refuse it", || async { (ask().await.status == 401).then_some(()) }).await;
    }
    assert_eq!((status(&api, &sibling).await, status(&api, &api.token).await), (200, 200));
    assert_eq!(api.get("/tokens").await.json()["items"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_token_that_is_gone_makes_none_any_more() {
    let api = Api::start().await;
    let (parent, id) = made(&api, &api.token).await;
    let hash = PlainToken::parse(&parent).unwrap().hash();
    let orphan = gleaner_store::Credential {
        made_by: Some(id.clone()),
        ..credential(&PlainToken::mint().unwrap(), "default", &[Scope::TasksRead])
    };
    api.call("DELETE", &format!("/tokens/{id}")).send().await.expect(204);
    // As it comes to the store from a process that has not heard of it yet.
    let written = api.store.make_credential(&orphan, &hash, 0).await.unwrap();
    assert_eq!(written, gleaner_store::WriteOutcome::Orphaned);
}

#[tokio::test]
async fn a_token_ends_no_later_than_the_one_that_made_it() {
    let api = Api::start().await;
    let end = Utc::now() + TimeDelta::hours(1);
    let parent = make(&api, &api.token, json!({"expires_at": end})).await.expect(201).json();
    let parent = parent["token"].as_str().unwrap();
    let child = make(&api, parent, json!({})).await.expect(201).json();
    assert!(time(&child["expires_at"]) <= end, "an end that nobody named is its maker's: {child}");
    let late = make(&api, parent, json!({"expires_at": end + TimeDelta::seconds(1)})).await;
    assert_eq!(late.problem(422, "invalid-request")["errors"][0]["pointer"], "/expires_at");
    make(&api, parent, json!({"expires_at": end - TimeDelta::minutes(1)})).await.expect(201);
}

#[tokio::test]
async fn ten_tokens_more_buy_no_more_than_the_tenants_rate() {
    let flags = ["--rate-limit-per-minute", "1", "--rate-limit-burst", "3", "--tenant-rate-limit-burst", "5"];
    let api = Api::start_with(&flags).await;
    let mut accepted = 0;
    for n in 0..4 {
        let token = api.new_token("default", &[Scope::IngestWrite]).await;
        for m in 0..4 {
            let request = api.request("POST", "/ingest/items").token(&token);
            let answer = request.json(&item(&format!("m-{n}-{m}"))).send().await;
            match answer.status {
                202 => accepted += 1,
                429 => assert!(answer.header("retry-after").is_some()),
                other => panic!("{other}"),
            }
        }
    }
    assert_eq!(accepted, 5);
    let other = api.new_token("team-b", &[Scope::IngestWrite]).await;
    api.request("POST", "/ingest/items").token(&other).json(&item("m")).send().await.expect(202);
}

#[tokio::test]
async fn a_tenants_rate_is_ten_times_a_tokens_where_nothing_is_said() {
    let api = Api::start_with(&["--rate-limit-per-minute", "1", "--rate-limit-burst", "1"]).await;
    let mut accepted = 0;
    for n in 0..15 {
        let token = api.new_token("default", &[Scope::IngestWrite]).await;
        let request = api.request("POST", "/ingest/items").token(&token);
        accepted += u32::from(request.json(&item(&format!("m-{n}"))).send().await.status == 202);
    }
    assert_eq!(accepted, 10);
}
