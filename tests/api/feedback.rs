//! POST /tasks/{id}/feedback, and tasks that the engine overlooked.

use gleaner_model::{PlainToken, Scope, Subject};
use gleaner_testkit::{
    api::{Api, item},
    fixture::{credential, mention, time},
};
use serde_json::{Value, json};

#[tokio::test]
async fn a_rating_is_201_with_its_receipt_and_counts() {
    let api = Api::start().await;
    let path = format!("/tasks/{}", api.task(mention("m", "Something")).await.id);
    let body = json!({"rating": "up", "reason": "important", "comment": "yes", "correction": {"title": "Better", "owner": "Sam", "due": "2026-03-09"}});
    let receipt = api.call("POST", &format!("{path}/feedback")).json(&body).send().await.expect(201).json();
    assert!(receipt["feedback_id"].is_string());
    assert_eq!(Some(receipt["task_id"].as_str().unwrap()), path.strip_prefix("/tasks/"));
    assert_eq!(receipt["rating"], "up");
    time(&receipt["created_at"]);
    let task = api.get(&path).await.json();
    assert_eq!(task["feedback"], json!({"up": 1, "down": 0}));
    assert_eq!((task["title"].as_str(), task["due"]["date"].as_str()), (Some("Better"), Some("2026-03-09")));
}

#[tokio::test]
async fn owner_and_due_are_given_alone_or_as_a_task_shows_them() {
    let api = Api::start().await;
    let alone = json!({"owner": "Sam Lee", "due": "2026-03-09"});
    let shown = json!({"owner": {"name": "Sam Lee", "is_me": false}, "due": {"date": "2026-03-09", "text": "Monday"}});
    for (given, place) in [(alone, "a"), (shown, "b")] {
        let path = format!("/tasks/{}", api.task(mention(place, "Something")).await.id);
        let body = json!({"rating": "down", "reason": "wrong_owner", "correction": given});
        api.call("POST", &format!("{path}/feedback")).json(&body).send().await.expect(201);
        let mut missed = given.clone();
        missed["quote"] = json!("the words that say so");
        let reported = api.call("POST", &format!("/ingest/items/meeting/{place}/missed")).json(&missed).send().await;
        for task in [api.get(&path).await.json(), reported.expect(201).json()] {
            assert_eq!(task["owner"], json!({"name": "Sam Lee", "is_me": false}), "{given}");
            assert_eq!(task["due"]["date"], "2026-03-09", "{given}");
        }
    }
}

#[tokio::test]
async fn whoever_corrects_the_owner_to_themselves_owns_the_task() {
    let api = Api::start().await;
    let token = PlainToken::mint().unwrap();
    let mut sam = credential(&token, "default", &[Scope::FeedbackWrite]);
    let email = Some("sam@example.com".to_owned());
    sam.subject = Subject { email, aliases: vec!["Sammy".to_owned()], ..Subject::named("Sam Lee") };
    api.put(sam).await;
    for (name, is_me) in [("Sam Lee", true), ("sammy", true), ("sam@example.com", true), ("Lee", false)] {
        let path = format!("/tasks/{}", api.task(mention("m", "Something")).await.id);
        let body = json!({"rating": "down", "reason": "wrong_owner", "correction": {"owner": name}});
        api.request("POST", &format!("{path}/feedback")).token(token.expose()).json(&body).send().await.expect(201);
        let task = api.get(&path).await.json();
        assert_eq!(task["owner"], json!({"name": name, "is_me": is_me}));
        assert_eq!(task["waiting_on"].is_null(), is_me, "{task}");
    }
}

#[tokio::test]
async fn a_second_rating_of_the_same_subject_replaces_the_first() {
    let api = Api::start().await;
    let path = format!("/tasks/{}", api.task(mention("m", "Something")).await.id);
    let rate = |token: String, rating: &str| {
        api.request("POST", &format!("{path}/feedback"))
            .token(&token)
            .json(&json!({"rating": rating, "reason": "not_important"}))
            .send()
    };
    rate(api.token.clone(), "up").await.expect(201);
    rate(api.token.clone(), "down").await.expect(201);
    assert_eq!(api.get(&path).await.json()["feedback"], json!({"up": 0, "down": 1}));
    let sam = PlainToken::mint().unwrap();
    let mut other = credential(&sam, "default", &[Scope::FeedbackWrite]);
    other.subject = Subject::named("Sam Lee");
    api.put(other).await;
    rate(sam.expose().to_owned(), "up").await.expect(201);
    assert_eq!(api.get(&path).await.json()["feedback"], json!({"up": 1, "down": 1}));
}

#[tokio::test]
async fn down_with_not_a_task_or_no_reason_dismisses_the_task_and_other_reasons_do_not() {
    let api = Api::start().await;
    for (reason, status) in [
        (Value::Null, "dismissed"),
        (json!("not_a_task"), "dismissed"),
        (json!("wrong_owner"), "open"),
        (json!("wrong_due"), "open"),
        (json!("not_important"), "open"),
    ] {
        let path = format!("/tasks/{}", api.task(mention("m", "Something")).await.id);
        let mut body = json!({"rating": "down"});
        if !reason.is_null() {
            body["reason"] = reason.clone();
        }
        api.call("POST", &format!("{path}/feedback")).json(&body).send().await.expect(201);
        assert_eq!(api.get(&path).await.json()["status"], status, "{reason}");
    }
}

#[tokio::test]
async fn a_rating_that_breaks_a_rule_is_422_and_names_the_member() {
    let api = Api::start().await;
    let path = format!("/tasks/{}/feedback", api.task(mention("m", "Something")).await.id);
    let cases = [
        (json!({}), "/rating"),
        (json!({"rating": "sideways"}), "/rating"),
        (json!({"rating": "down", "reason": "ugly"}), "/reason"),
        (json!({"rating": "up", "comment": "x".repeat(2001)}), "/comment"),
        (json!({"rating": "up", "correction": {"title": ""}}), "/correction/title"),
        (json!({"rating": "up", "correction": {"due": "soon"}}), "/correction/due"),
        (json!({"rating": "up", "correction": {"due": "2026-3-9"}}), "/correction/due"),
        (json!({"rating": "up", "correction": {"due": {"text": "soon"}}}), "/correction/due"),
        (json!({"rating": "up", "correction": {"owner": {"is_me": true}}}), "/correction/owner"),
        (json!({"rating": "up", "correction": {"owner": {"name": " "}}}), "/correction/owner"),
        (json!({"rating": "up", "correction": {"status": "open"}}), "/correction/status"),
    ];
    for (body, pointer) in cases {
        let problem = api.call("POST", &path).json(&body).send().await.problem(422, "invalid-request");
        assert_eq!(problem["errors"][0]["pointer"], pointer, "{body} {problem}");
    }
    let comment = json!({"rating": "up", "comment": "ä".repeat(2000)});
    api.call("POST", &path).json(&comment).send().await.expect(201);
}

#[tokio::test]
async fn an_overlooked_task_is_201_with_the_task() {
    let api = Api::start().await;
    api.submit(&item("m-1")).await.expect(202);
    let quote = "I'll send the revised SOW to Northwind by Friday.";
    let body = json!({"quote": quote, "start": 6, "title": "Send the SOW", "owner": "Dana", "due": "2026-03-06"});
    let path = "/ingest/items/meeting/m-1/missed";
    let answer = api.call("POST", path).json(&body).send().await.expect(201);
    let task = answer.json();
    assert_eq!(answer.header("location"), Some(format!("/tasks/{}", task["id"].as_str().unwrap()).as_str()));
    assert_eq!(
        (task["title"].as_str(), &task["owner"]),
        (Some("Send the SOW"), &json!({"name": "Dana", "is_me": true}))
    );
    assert_eq!(task["due"]["date"], "2026-03-06");
    let evidence = &task["evidence"][0];
    assert_eq!(
        (evidence["quote"].as_str(), evidence["start"].as_u64(), evidence["end"].as_u64()),
        (Some(quote), Some(6), Some(55))
    );
    assert_eq!(api.titles("").await, ["Send the SOW"]);
    let bare = api.call("POST", path).json(&json!({"quote": "Great, thanks."})).send().await.expect(201).json();
    assert_eq!((bare["title"].as_str(), bare["owner"].is_null()), (Some("Great, thanks."), true));
}

#[tokio::test]
async fn an_overlooked_task_needs_an_item_that_is_known_and_a_quote() {
    let api = Api::start().await;
    let send = |path: &str, body: Value| api.call("POST", path).json(&body).send();
    send("/ingest/items/meeting/none/missed", json!({"quote": "x"})).await.problem(404, "not-found");
    api.submit(&item("m-1")).await.expect(202);
    for body in
        [json!({}), json!({"quote": " "}), json!({"quote": "x", "due": "soon"}), json!({"quote": "x", "title": ""})]
    {
        send("/ingest/items/meeting/m-1/missed", body).await.problem(422, "invalid-request");
    }
}
