//! Limits of POST /ingest/items: size, rate, backlog, a store that is full or away. And the rate of feedback.

use gleaner_model::Scope;
use gleaner_testkit::{
    api::{Api, item},
    fixture::mention,
    http::HttpResponse,
};
use serde_json::json;
use std::time::{Duration, Instant};

/// The store is given 2 s to answer; the rest is for a busy machine.
const TIMEOUT: Duration = Duration::from_secs(15);

/// The numbers of `RateLimit: "default";r=…;t=…`.
#[track_caller]
fn rate(answer: &HttpResponse) -> (u32, u32) {
    let text = answer.header("ratelimit").expect("RateLimit stands on every answer");
    let parts: Vec<_> = text.split(';').collect();
    assert_eq!((parts.len(), parts[0]), (3, "\"default\""), "{text}");
    let number = |part: &str, name: &str| part.strip_prefix(name).unwrap().parse().unwrap();
    (number(parts[1], "r="), number(parts[2], "t="))
}

#[tokio::test]
async fn a_body_over_1_mib_is_413_announced_or_not() {
    let api = Api::start().await;
    let mut body = item("m");
    body["metadata"] = json!({"pad": "x".repeat((1 << 20) + 1)});
    api.submit(&body).await.problem(413, "content-too-large");
    let chunk = format!("100000\r\n{}\r\n", "x".repeat(1 << 20));
    let chunked = format!("{chunk}{chunk}0\r\n\r\n");
    let request = api.call("POST", "/ingest/items").header("transfer-encoding", "chunked");
    request.body("application/json", chunked).send().await.problem(413, "content-too-large");
}

#[tokio::test]
async fn a_body_of_just_1_mib_is_read() {
    let api = Api::start().await;
    let text = item("m").to_string();
    let padded = format!("{text}{}", " ".repeat((1 << 20) - text.len()));
    api.call("POST", "/ingest/items").body("application/json", padded).send().await.expect(202);
}

#[tokio::test]
async fn a_transcript_over_200_000_characters_is_413() {
    let api = Api::start().await;
    let mut body = item("m");
    body["transcript"] = "x".repeat(200_001).into();
    let problem = api.submit(&body).await.problem(413, "content-too-large");
    assert_eq!(problem["errors"][0]["pointer"], "/transcript");
}

#[tokio::test]
async fn the_rate_stands_on_every_answer_of_the_endpoint() {
    let api = Api::start().await;
    let post = || api.call("POST", "/ingest/items");
    let weak = api.new_token("default", &[Scope::TasksRead]).await;
    let answers = [
        api.submit(&item("m-1")).await.expect(202),
        api.submit(&item("m-1")).await.expect(202),
        api.submit(&json!({})).await.expect(422),
        post().body("application/xml", "x").send().await.expect(415),
        post().body("application/json", "{").send().await.expect(400),
        post().body("application/json", "x".repeat(2 << 20)).send().await.expect(413),
        post().header("idempotency-key", "x").json(&item("m")).send().await.expect(422),
        api.request("POST", "/ingest/items").token(&weak).json(&item("m")).send().await.expect(403),
        api.request("POST", "/ingest/items").token("gln_x").json(&item("m")).send().await.expect(401),
        api.request("POST", "/ingest/items").json(&item("m")).send().await.expect(401),
    ];
    for answer in &answers {
        assert_eq!(answer.header("ratelimit-policy"), Some(r#""default";q=300;w=150"#));
        rate(answer);
    }
    assert_eq!(rate(&answers[0]).0, 299);
}

#[tokio::test]
async fn a_token_over_its_rate_is_429_until_retry_after() {
    let flags = ["--rate-limit-per-minute", "15", "--rate-limit-burst", "3"];
    let api = Api::start_with(&flags).await;
    for n in 0..3 {
        let answer = api.submit(&item(&format!("m-{n}"))).await.expect(202);
        assert_eq!(rate(&answer).0, 2 - n);
    }
    let refused = api.submit(&item("m-4")).await;
    refused.problem(429, "rate-limited");
    assert_eq!(rate(&refused).0, 0);
    let wait: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=4).contains(&wait));
    let other = api.new_token("default", &[Scope::IngestWrite]).await;
    api.request("POST", "/ingest/items").token(&other).json(&item("m-5")).send().await.expect(202);
    tokio::time::sleep(Duration::from_secs(wait)).await;
    api.submit(&item("m-4")).await.expect(202);
}

#[tokio::test]
async fn the_rate_counts_over_all_apis_together_and_wrong_requests_too() {
    let flags = ["--rate-limit-per-minute", "1", "--rate-limit-burst", "2"];
    let api = Api::start_with(&flags).await;
    api.submit(&json!({})).await.problem(422, "invalid-request");
    api.submit(&item("m-1")).await.expect(202);
    api.submit(&json!({})).await.problem(429, "rate-limited");
    let other = gleaner_api::start(
        gleaner_testkit::api::settings(&flags),
        api.store.clone(),
        gleaner_api::ApiMetrics::default(),
        &api.shutdown,
    );
    let address = other.await.unwrap();
    let request = gleaner_testkit::http::HttpRequest::new(address, "POST", "/ingest/items").token(&api.token);
    request.json(&item("m-2")).send().await.problem(429, "rate-limited");
}

#[tokio::test]
async fn a_rate_of_0_is_no_rate() {
    let api = Api::start_with(&["--rate-limit-per-minute", "0"]).await;
    for n in 0..5 {
        let answer = api.submit(&item(&format!("m-{n}"))).await.expect(202);
        assert_eq!(answer.header("ratelimit"), None);
    }
}

#[tokio::test]
async fn feedback_over_its_token_s_rate_is_429_until_retry_after_and_says_nothing_of_the_task() {
    let api = Api::start_with(&["--feedback-limit-per-minute", "15", "--feedback-limit-burst", "4"]).await;
    let task = format!("/tasks/{}", api.task(mention("m", "Something")).await.id);
    let path = format!("{task}/feedback");
    let rate = |token: &str| api.request("POST", &path).token(token).json(&json!({"rating": "up"})).send();
    let missed = json!({"quote": "words that say so"});
    let said = [
        rate(&api.token).await.expect(201),
        api.call("POST", &path).json(&json!({"rating": "sideways"})).send().await.expect(422),
        api.call("POST", "/ingest/items/meeting/m/missed").json(&missed).send().await.expect(201),
        api.call("DELETE", &path).send().await.expect(204),
    ];
    for (left, answer) in (0..4).rev().zip(&said) {
        assert_eq!(answer.header("ratelimit-policy"), Some(r#""default";q=4;w=16"#));
        assert_eq!(self::rate(answer).0, left);
    }
    let refused = rate(&api.token).await;
    refused.problem(429, "rate-limited");
    let wait: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=4).contains(&wait));
    assert_eq!(api.get(&task).await.json()["feedback"], json!({"up": 0, "down": 0}));
    // Submissions, edits and other tokens go on.
    api.submit(&item("n")).await.expect(202);
    api.call("PATCH", &task).json(&json!({"title": "Other"})).send().await.expect(200);
    rate(&api.new_token("default", &[Scope::FeedbackWrite]).await).await.expect(201);
    tokio::time::sleep(Duration::from_secs(wait)).await;
    rate(&api.token).await.expect(201);
}

#[tokio::test]
async fn a_feedback_rate_of_0_is_no_rate() {
    let api = Api::start_with(&["--feedback-limit-burst", "0"]).await;
    let path = format!("/tasks/{}/feedback", api.task(mention("m", "Something")).await.id);
    let answer = api.call("POST", &path).json(&json!({"rating": "up"})).send().await.expect(201);
    assert_eq!(answer.header("ratelimit"), None);
}

#[tokio::test]
async fn a_backlog_over_the_tenants_cap_is_503_and_leaves_nothing_behind() {
    let api = Api::start_with(&["--backlog-cap", "2"]).await;
    api.submit(&item("m-1")).await.expect(202);
    api.submit(&item("m-2")).await.expect(202);
    let refused = api.submit(&item("m-3")).await;
    refused.problem(503, "overloaded");
    assert!(refused.header("retry-after").is_some());
    rate(&refused);
    assert_eq!(api.get("/ingest/jobs").await.json()["items"].as_array().unwrap().len(), 2);
    api.submit(&item("m-1")).await.expect(202);
    let other = api.new_token("team-b", &[Scope::IngestWrite]).await;
    api.request("POST", "/ingest/items").token(&other).json(&item("m-3")).send().await.expect(202);
}

#[tokio::test]
async fn who_holds_more_of_the_store_than_is_free_is_503_and_others_are_not() {
    let api = Api::start().await;
    let long = |id: &str| {
        let mut item = item(id);
        item["transcript"] = json!("Dana: I'll send it. ".repeat(9_500));
        item
    };
    let mut accepted = 0;
    let other = api.new_token("team-b", &[Scope::IngestWrite]).await;
    api.redis.cli(&["CONFIG", "SET", "maxmemory", "40mb"]);
    let refused = loop {
        let answer = api.submit(&long(&format!("m-{accepted}"))).await;
        if answer.status != 202 {
            break answer;
        }
        accepted += 1;
    };
    refused.problem(503, "overloaded");
    assert!(refused.text().contains("holds more of the store than is free"), "{}", refused.text());
    // A text counts three times: what is found in it weighs up to twice as much.
    assert!((25..60).contains(&accepted), "{accepted} of 190 KB");
    api.request("POST", "/ingest/items").token(&other).json(&long("m")).send().await.expect(202);
    api.call("DELETE", "/ingest/items/meeting/m-0").send().await.expect(204);
    api.redis.cli(&["CONFIG", "SET", "maxmemory", "0"]);
    api.submit(&long("n")).await.expect(202);
}

#[tokio::test]
async fn a_store_without_memory_is_503_and_leaves_nothing_behind() {
    let api = Api::start().await;
    api.submit(&item("m-1")).await.expect(202);
    api.redis.cli(&["CONFIG", "SET", "maxmemory", "1"]);
    let refused = api.submit(&item("m-2")).await;
    refused.problem(503, "overloaded");
    assert!(refused.header("retry-after").is_some());
    rate(&refused);
    api.redis.cli(&["CONFIG", "SET", "maxmemory", "0"]);
    assert_eq!(api.get("/ingest/jobs").await.json()["items"].as_array().unwrap().len(), 1);
    api.submit(&item("m-2")).await.expect(202);
}

#[tokio::test]
async fn a_store_that_hangs_is_503_soon_and_all_is_well_when_it_is_back() {
    let api = Api::start().await;
    api.submit(&item("m-1")).await.expect(202);
    api.redis.freeze();
    for n in 0..2 {
        let begun = Instant::now();
        let refused = api.submit(&item(&format!("n-{n}"))).await;
        let took = begun.elapsed();
        refused.problem(503, "store-unavailable");
        assert!(refused.header("retry-after").is_some());
        rate(&refused);
        assert!(took < TIMEOUT, "{took:?}");
    }
    api.redis.thaw();
    api.submit(&item("m-2")).await.expect(202);
}

#[tokio::test]
async fn a_store_that_is_gone_is_503_and_all_is_well_when_it_is_back() {
    let mut api = Api::start().await;
    api.redis.kill();
    let begun = Instant::now();
    api.submit(&item("m-1")).await.problem(503, "store-unavailable");
    assert!(begun.elapsed() < TIMEOUT);
    api.redis.run();
    // It kept nothing on disk, so the token has to be written again.
    for _ in 0..100 {
        let token = gleaner_model::PlainToken::parse(&api.token).unwrap();
        let known = gleaner_testkit::fixture::credential(&token, "default", &Scope::ALL);
        if api.store.put_credential(&known).await.is_ok() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    api.submit(&item("m-1")).await.expect(202);
}
