//! POST /ingest/items.

use gleaner_model::Scope;
use gleaner_testkit::{
    api::{Api, item},
    fixture::time,
};
use serde_json::{Value, json};

fn with(member: &str, value: Value) -> Value {
    let mut body = item("m-1");
    body[member] = value;
    body
}

fn without(member: &str) -> Value {
    let mut body = item("m-1");
    body.as_object_mut().unwrap().remove(member);
    body
}

#[tokio::test]
async fn a_submission_is_202_with_the_job_and_where_to_poll_it() {
    let api = Api::start().await;
    let answer = api.submit(&item("m-1")).await.expect(202);
    let body = answer.json();
    let id = body["job_id"].as_str().unwrap();
    assert_eq!(id.as_bytes()[14], b'7', "a UUIDv7");
    assert_eq!(answer.header("location"), Some(format!("/ingest/jobs/{id}").as_str()));
    assert_eq!(answer.header("retry-after"), Some("1"));
    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert_eq!(body["status"], "accepted");
    assert!(body["idempotency_key"].as_str().is_some_and(|key| key.len() >= 8));
    assert!(body["message"].as_str().unwrap().contains("queued for processing"));
    assert!(body.get("warnings").is_none());
    assert_eq!(answer.header("idempotent-replayed"), None);
}

#[tokio::test]
async fn what_was_accepted_survives_the_crash_of_the_api_that_accepted_it() {
    let api = Api::start().await;
    let answer = api.submit(&item("m-1")).await.expect(202);
    api.shutdown.abort();
    let path = answer.header("location").unwrap();
    let tenant = gleaner_model::TenantId::default();
    let id = path.rsplit('/').next().unwrap().parse().unwrap();
    assert!(api.store.job(&tenant, id).await.unwrap().is_some());
}

#[tokio::test]
async fn each_member_has_its_rule_and_a_broken_one_is_named() {
    let api = Api::start().await;
    let long = |n: usize| Value::from("x".repeat(n));
    let keys: Value = (0..65).map(|n| (format!("k{n}"), json!("v"))).collect::<serde_json::Map<_, _>>().into();
    let cases = [
        (without("source_type"), "/source_type"),
        (with("source_type", json!("Meeting")), "/source_type"),
        (with("source_type", json!("1x")), "/source_type"),
        (with("source_type", json!(format!("a{}", "b".repeat(32)))), "/source_type"),
        (with("source_type", Value::Null), "/source_type"),
        (without("external_id"), "/external_id"),
        (with("external_id", json!("")), "/external_id"),
        (with("external_id", long(257)), "/external_id"),
        (with("external_id", json!("a\u{7}b")), "/external_id"),
        (without("transcript"), "/transcript"),
        (with("transcript", json!(" \n\t ")), "/transcript"),
        (with("transcript", json!(["x"])), "/transcript"),
        (with("occurred_at", json!("yesterday")), "/occurred_at"),
        (with("occurred_at", json!("2026-02-30T00:00:00Z")), "/occurred_at"),
        (with("occurred_at", json!(1_700_000_000)), "/occurred_at"),
        (with("title", long(501)), "/title"),
        (with("title", json!(7)), "/title"),
        (with("metadata", json!([])), "/metadata"),
        (with("metadata", json!({"n": 1})), "/metadata/n"),
        (with("metadata", keys), "/metadata"),
        (with("metadata", json!({"time_zone": "Mars/Base"})), "/metadata/time_zone"),
    ];
    for (body, pointer) in cases {
        let problem = api.submit(&body).await.problem(422, "invalid-request");
        assert_eq!(problem["errors"][0]["pointer"], pointer, "{problem}");
    }
}

#[tokio::test]
async fn every_member_that_breaks_a_rule_is_named_at_once() {
    let api = Api::start().await;
    let problem = api.submit(&json!({})).await.problem(422, "invalid-request");
    let pointers: Vec<_> = problem["errors"].as_array().unwrap().iter().map(|e| e["pointer"].clone()).collect();
    assert_eq!(pointers, ["/source_type", "/external_id", "/transcript"]);
}

#[tokio::test]
async fn what_keeps_to_the_rules_is_accepted_to_the_last_character() {
    let api = Api::start().await;
    let metadata: Value = (0..64).map(|n| (format!("k{n}"), json!("v"))).collect::<serde_json::Map<_, _>>().into();
    let cases = [
        with("source_type", json!("a.b_c-9")),
        with("source_type", json!("fireflies")),
        with("external_id", json!("ä".repeat(256))),
        with("external_id", json!("a/b c%20?#")),
        with("transcript", json!("ä".repeat(200_000))),
        with("occurred_at", json!("2026-03-03T15:00:00.123+09:00")),
        without("occurred_at"),
        without("title"),
        with("title", json!("x".repeat(500))),
        with("metadata", metadata),
        with(
            "metadata",
            json!({"participant": "Dana", "participants": "Dana, Sam", "channel": "#x", "time_zone": "Europe/Berlin", "language": "de"}),
        ),
        with("metadata", json!({"long": "x".repeat(64 * 1024)})),
    ];
    for body in cases {
        api.submit(&body).await.expect(202);
    }
}

#[tokio::test]
async fn unknown_members_are_ignored_and_named_in_warnings() {
    let api = Api::start().await;
    let mut body = item("m-1");
    body["colour"] = json!("red");
    body["Title"] = json!("case matters");
    let warnings = api.submit(&body).await.expect(202).json()["warnings"].to_string();
    assert!(warnings.contains("colour") && warnings.contains("Title"), "{warnings}");
}

#[tokio::test]
async fn what_is_no_json_is_400() {
    let api = Api::start().await;
    let good = item("m-1").to_string();
    let twice = good.replacen('{', r#"{"title":"a","#, 1);
    let cases: [Vec<u8>; 8] = [
        b"".to_vec(),
        b"{".to_vec(),
        b"not json".to_vec(),
        format!("{good} x").into_bytes(),
        format!("{good}{good}").into_bytes(),
        twice.into_bytes(),
        b"{\"transcript\":\"\xff\xfe\"}".to_vec(),
        br#"{"transcript":"\ud800"}"#.to_vec(),
    ];
    for body in cases {
        let answer = api.call("POST", "/ingest/items").body("application/json", body).send().await;
        answer.problem(400, "malformed-json");
    }
}

#[tokio::test]
async fn a_member_that_stands_twice_is_named() {
    let api = Api::start().await;
    let body = r#"{"metadata":{"a":"1","a":"2"}}"#;
    let answer = api.call("POST", "/ingest/items").body("application/json", body).send().await;
    assert_eq!(answer.problem(400, "malformed-json")["errors"][0]["pointer"], "/metadata/a");
}

#[tokio::test]
async fn json_that_is_no_object_is_422() {
    let api = Api::start().await;
    for body in ["[]", "null", "\"x\"", "7"] {
        let answer = api.call("POST", "/ingest/items").body("application/json", body).send().await;
        answer.problem(422, "invalid-request");
    }
}

#[tokio::test]
async fn another_media_type_is_415() {
    let api = Api::start().await;
    for media in ["text/html", "application/x-www-form-urlencoded", "", "application/json; charset=latin1"] {
        let answer = api.call("POST", "/ingest/items").body(media, item("m").to_string()).send().await;
        answer.problem(415, "unsupported-media-type");
    }
    let packed = api.call("POST", "/ingest/items").json(&item("m")).header("content-encoding", "gzip").send().await;
    packed.problem(415, "unsupported-media-type");
    let fine = api.call("POST", "/ingest/items").body("Application/JSON; charset=UTF-8", item("m").to_string());
    fine.send().await.expect(202);
}

#[tokio::test]
async fn a_query_parameter_is_refused() {
    let api = Api::start().await;
    api.call("POST", "/ingest/items?dry=1").json(&item("m")).send().await.problem(422, "invalid-request");
}

// Idempotency.

#[tokio::test]
async fn the_same_content_again_is_the_first_job_and_nothing_is_queued() {
    let api = Api::start().await;
    let first = api.submit(&item("m-1")).await.expect(202).json();
    let again = api.submit(&item("m-1")).await.expect(202);
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(again.json()["job_id"], first["job_id"]);
    assert_eq!(again.json()["idempotency_key"], first["idempotency_key"]);
    assert_eq!(api.get("/ingest/jobs").await.json()["items"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn an_absent_time_stays_absent_when_the_same_content_comes_later() {
    let api = Api::start().await;
    let first = api.submit(&without("occurred_at")).await.expect(202).json();
    tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    let again = api.submit(&without("occurred_at")).await.expect(202);
    assert_eq!(again.json()["job_id"], first["job_id"]);
}

#[tokio::test]
async fn a_clients_key_names_the_job_quoted_or_bare() {
    let api = Api::start().await;
    let send = |key: &str, body: Value| {
        let request = api.call("POST", "/ingest/items").header("idempotency-key", key);
        async move { request.json(&body).send().await }
    };
    let first = send("order-12345", item("m-1")).await.expect(202).json();
    assert_eq!(first["idempotency_key"], "order-12345");
    let again = send("\"order-12345\"", item("m-1")).await.expect(202);
    assert_eq!(
        (again.json()["job_id"].clone(), again.header("idempotent-replayed")),
        (first["job_id"].clone(), Some("true"))
    );
    let other = send("order-67890", item("m-2")).await.expect(202);
    assert_ne!(other.json()["job_id"], first["job_id"]);
}

#[tokio::test]
async fn the_key_that_an_answer_names_can_be_sent_as_a_clients() {
    let api = Api::start().await;
    let first = api.submit(&item("m-1")).await.expect(202).json();
    let key = first["idempotency_key"].as_str().unwrap();
    for body in [item("m-1"), item("m-1")] {
        let again =
            api.call("POST", "/ingest/items").header("idempotency-key", key).json(&body).send().await.expect(202);
        assert_eq!(again.header("idempotent-replayed"), Some("true"));
        assert_eq!(
            (&again.json()["job_id"], &again.json()["idempotency_key"]),
            (&first["job_id"], &first["idempotency_key"])
        );
    }
}

#[tokio::test]
async fn the_same_clients_key_with_other_content_is_422() {
    let api = Api::start().await;
    let send = |body: Value| {
        let request = api.call("POST", "/ingest/items").header("idempotency-key", "order-12345");
        async move { request.json(&body).send().await }
    };
    send(item("m-1")).await.expect(202);
    for body in [with("transcript", json!("other")), with("title", json!("other")), without("occurred_at")] {
        send(body).await.problem(422, "idempotency-key-reused");
    }
}

#[tokio::test]
async fn a_key_has_8_to_255_visible_characters() {
    let api = Api::start().await;
    let send = |key: String| {
        let request =
            api.call("POST", "/ingest/items").header("idempotency-key", &key).json(&item(&format!("m-{}", key.len())));
        async move { request.send().await }
    };
    for good in ["x".repeat(8), "x".repeat(255), format!("\"{}\"", "y".repeat(255)), "!#$%&'*+-.^_`|~".to_owned()] {
        send(good).await.expect(202);
    }
    for bad in ["x".repeat(7), "x".repeat(256), "with a space".to_owned(), "\"unfinished".to_owned(), String::new()] {
        send(bad).await.problem(422, "invalid-request");
    }
}

#[tokio::test]
async fn other_content_of_the_same_item_is_a_new_job_and_so_is_the_first_content_after_it() {
    let api = Api::start().await;
    let id = async |text: &str| api.submit(&with("transcript", json!(text))).await.expect(202).json()["job_id"].clone();
    let (first, second, third) = (id("A").await, id("B").await, id("A").await);
    assert!(first != second && second != third && first != third);
}

#[tokio::test]
async fn tenants_do_not_share_keys() {
    let api = Api::start().await;
    let other = api.new_token("team-b", &Scope::ALL).await;
    let mine = api.submit(&item("m-1")).await.expect(202).json();
    let theirs = api.request("POST", "/ingest/items").token(&other).json(&item("m-1")).send().await.expect(202);
    assert_eq!(theirs.header("idempotent-replayed"), None);
    assert_ne!(theirs.json()["job_id"], mine["job_id"]);
    assert_ne!(theirs.json()["idempotency_key"], mine["idempotency_key"]);
}

#[tokio::test]
async fn a_job_shows_what_was_accepted_and_when() {
    let api = Api::start().await;
    let answer = api.submit(&item("m-1")).await.expect(202);
    let job = api.get(answer.header("location").unwrap()).await.expect(200).json();
    time(&job["accepted_at"]);
    assert_eq!(job["idempotency_key"], answer.json()["idempotency_key"]);
}
