//! Authentication: bearer tokens and scopes (RFC 6750).

use chrono::{TimeDelta, Utc};
use gleaner_model::{PlainToken, Scope, TokenHash};
use gleaner_testkit::{
    api::Api,
    fixture::credential,
    wait::{until, within},
};
use std::time::Duration;

const CHALLENGE: &str = r#"Bearer realm="gleaner""#;
const INVALID: &str = r#"Bearer realm="gleaner", error="invalid_token""#;

#[tokio::test]
async fn without_a_token_the_answer_is_401_and_says_what_is_wanted() {
    let api = Api::start().await;
    let answer = api.request("GET", "/ingest/jobs").send().await;
    answer.problem(401, "unauthenticated");
    assert_eq!(answer.header("www-authenticate"), Some(CHALLENGE));
}

#[tokio::test]
async fn a_malformed_header_is_as_none() {
    let api = Api::start().await;
    for value in ["Basic abc", "Bearer", "Bearer ", "Bearer a b", "gln_x"] {
        let answer = api.request("GET", "/ingest/jobs").header("authorization", value).send().await;
        answer.problem(401, "unauthenticated");
        assert_eq!(answer.header("www-authenticate"), Some(CHALLENGE), "{value}");
    }
}

#[tokio::test]
async fn the_scheme_is_case_insensitive_and_takes_one_space_or_more() {
    let api = Api::start().await;
    for scheme in ["Bearer ", "bearer ", "BEARER   ", "bEaReR  "] {
        let value = format!("{scheme}{}", api.token);
        api.request("GET", "/tokens/me").header("authorization", &value).send().await.expect(200);
    }
}

#[tokio::test]
async fn a_token_in_the_query_string_is_none() {
    let api = Api::start().await;
    let path = format!("/tokens/me?access_token={}", api.token);
    api.request("GET", &path).send().await.problem(401, "unauthenticated");
}

#[tokio::test]
async fn unknown_revoked_expired_and_suspended_tokens_get_one_answer() {
    let api = Api::start().await;
    let revoked = PlainToken::mint().unwrap();
    api.put(credential(&revoked, "default", &Scope::ALL)).await;
    api.store.remove_credential(&revoked.hash()).await.unwrap();
    let expired = PlainToken::mint().unwrap();
    let mut past = credential(&expired, "default", &Scope::ALL);
    past.expires_at = Some(Utc::now() - TimeDelta::seconds(1));
    api.put(past).await;
    let suspended = PlainToken::mint().unwrap();
    let mut resting = credential(&suspended, "default", &Scope::ALL);
    resting.suspended = true;
    api.put(resting).await;
    let unknown = PlainToken::mint().unwrap();
    let mut answers = Vec::new();
    for token in [&unknown, &revoked, &expired, &suspended] {
        let request = api.request("GET", "/tokens/me").token(token.expose()).header("x-request-id", "same");
        let answer = request.send().await;
        answer.problem(401, "invalid-token");
        assert_eq!(answer.header("www-authenticate"), Some(INVALID));
        answers.push(answer.text());
    }
    answers.dedup();
    assert_eq!(answers.len(), 1, "{answers:?}");
}

#[tokio::test]
async fn a_mistyped_token_is_an_unknown_one() {
    let api = Api::start().await;
    let mut typo = api.token.clone();
    typo.pop();
    typo.push('!');
    api.request("GET", "/tokens/me").token(&typo).send().await.problem(401, "invalid-token");
}

#[tokio::test]
async fn an_imported_hash_works_like_a_minted_one() {
    let api = Api::start().await;
    let imported = "some-other-service:0123456789abcdef0123456789abcdef";
    let mut own = credential(&PlainToken::mint().unwrap(), "default", &[Scope::TasksRead]);
    own.hash = TokenHash::of(imported);
    api.put(own).await;
    let me = api.request("GET", "/tokens/me").token(imported).send().await.expect(200).json();
    assert_eq!(me["scopes"], serde_json::json!(["tasks:read"]));
}

/// An address that the path may stand for.
fn address_of(path: &str) -> String {
    let named = [("{source_type}", "meeting"), ("{token_id}", "abc"), ("{feed_id}", "abc")];
    let path = named.into_iter().fold(path.to_owned(), |path, (name, value)| path.replace(name, value));
    let rest =
        path.split('/').map(|part| if part.starts_with('{') { "0197f3a0-0000-7000-8000-000000000000" } else { part });
    rest.collect::<Vec<_>>().join("/")
}

#[tokio::test]
async fn each_route_is_open_to_its_scopes_alone_and_names_the_one_to_ask_for() {
    let api = Api::start().await;
    let mut tokens = Vec::new();
    for scope in Scope::ALL {
        tokens.push((scope, api.new_token("default", &[scope]).await));
    }
    let document = api.get("/openapi.json").await.json();
    let mut guarded = 0;
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let Some(security) = operation["security"].as_array().filter(|security| !security.is_empty()) else {
                continue;
            };
            let allowed: Vec<&str> = security.iter().filter_map(|one| one["token"][0].as_str()).collect();
            guarded += 1;
            for (scope, token) in &tokens {
                let path = address_of(path);
                let of = format!("{method} {path} with {scope}");
                let request = api.request(&method.to_uppercase(), &path).token(token);
                if !allowed.contains(&scope.as_str()) {
                    let answer = request.send().await;
                    answer.problem(403, "insufficient-scope");
                    let wanted = format!(r#"{CHALLENGE}, error="insufficient_scope", scope="{}""#, allowed[0]);
                    assert_eq!(answer.header("www-authenticate"), Some(wanted.as_str()), "{of}");
                } else if path != "/events" {
                    // A stream has no end; whoever may listen is tested beside it.
                    let status = request.send().await.status;
                    assert!(status != 401 && status != 403, "{of}: {status}");
                }
            }
        }
    }
    assert!(guarded > 30, "{guarded} routes name a scope");
}

/// What a busy machine may make of the two seconds that are promised.
const SOON: Duration = Duration::from_secs(15);

#[tokio::test]
async fn revocation_and_suspension_and_scope_changes_act_on_every_api_soon() {
    let api = Api::start().await;
    let other = api.beside().await;
    let token = PlainToken::mint().unwrap();
    let full = credential(&token, "default", &[Scope::TokensWrite]);
    let ask = |address| {
        let request = gleaner_testkit::http::HttpRequest::new(address, "GET", "/tokens").token(token.expose());
        async move { request.send().await.status }
    };
    let both = async || (ask(api.address).await, ask(other).await);
    api.put(full.clone()).await;
    assert_eq!(both().await, (200, 200));
    let mut suspended = full.clone();
    suspended.suspended = true;
    let mut weaker = full.clone();
    weaker.scopes = [Scope::TasksRead].into_iter().collect();
    for (credential, status) in [(suspended, 401), (full.clone(), 200), (weaker, 403), (full, 200)] {
        api.put(credential).await;
        let soon = within(SOON, || async { (both().await == (status, status)).then_some(()) }).await;
        soon.unwrap_or_else(|| panic!("{status} of both"));
    }
    api.store.remove_credential(&token.hash()).await.unwrap();
    until("401 of both", || async { (both().await == (401, 401)).then_some(()) }).await;
}

#[tokio::test]
async fn a_token_that_expires_is_refused_from_then_on() {
    let api = Api::start().await;
    let token = PlainToken::mint().unwrap();
    let mut short = credential(&token, "default", &[Scope::TasksRead]);
    short.expires_at = Some(Utc::now() + TimeDelta::seconds(4));
    api.put(short).await;
    let ask = || api.request("GET", "/tokens/me").token(token.expose()).send();
    ask().await.expect(200);
    until("401", || async { (ask().await.status == 401).then_some(()) }).await;
    ask().await.problem(401, "invalid-token");
}

#[tokio::test]
async fn if_the_store_cannot_be_asked_nobody_is_let_in() {
    let mut api = Api::start().await;
    api.get("/tokens/me").await.expect(200);
    api.redis.kill();
    for path in ["/tokens/me", "/ingest/jobs", "/tokens"] {
        let answer = api.get(path).await;
        answer.problem(503, "store-unavailable");
        assert!(answer.header("retry-after").is_some());
    }
    let stranger = PlainToken::mint().unwrap();
    let answer = api.request("GET", "/tokens/me").token(stranger.expose()).send().await;
    answer.problem(503, "store-unavailable");
}
