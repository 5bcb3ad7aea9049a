//! What a receiver gets.

use super::{LOCAL, all, endpoint_that, mention, retitle, webhook};
use gleaner_testkit::{
    api::{Api, item},
    receiver::Receiver,
    wait,
};
use serde_json::{Value, json};

fn id_of(made: &Value) -> String {
    made["id"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_happens_is_sent_signed_and_to_those_who_asked_for_it() {
    let (api, receiver) = all().await;
    let full = webhook(&api, &receiver.url("/full"), json!({})).await;
    let thin =
        webhook(&api, &receiver.url("/thin"), json!({"payload": "thin", "events": ["task.created", "job.succeeded"]}))
            .await;
    api.submit(&item("m-1")).await.expect(202);
    let got = receiver.until("/full", |got| got.len() >= 2).await;
    let created = got.iter().find(|one| one.kind() == "task.created").expect("the task");
    let task = &created.json()["data"];
    assert_eq!(task["source"]["external_id"], "m-1", "the whole record");
    for one in &got {
        assert!(one.is_signed_by(full["secret"].as_str().unwrap()), "{one:?}");
        assert!(!one.is_signed_by(thin["secret"].as_str().unwrap()));
        assert!(one.id.starts_with("evt_") && one.json()["timestamp"].is_string());
    }
    let got = receiver.until("/thin", |got| got.len() >= 2).await;
    let created = got.iter().find(|one| one.kind() == "task.created").expect("the task");
    assert_eq!(created.json()["data"], json!({"id": task["id"]}));
    let path = format!("/tasks/{}", task["id"].as_str().unwrap());
    api.call("PATCH", &path).json(&json!({"status": "completed"})).send().await.expect(200);
    receiver.until("/full", |got| got.iter().any(|one| one.kind() == "task.completed")).await;
    assert_eq!(receiver.at("/thin").len(), 2, "nothing that it did not ask for");
}

#[tokio::test(flavor = "multi_thread")]
async fn deliveries_are_listed_with_what_was_answered() {
    let (api, receiver) = all().await;
    let id = id_of(&webhook(&api, &receiver.url("/a"), json!({})).await);
    let task = api.task(mention("m", "send the offer")).await;
    for n in 0..4 {
        retitle(&api, &task, &format!("title {n}")).await;
    }
    let got = receiver.until("/a", |got| got.len() == 5).await;
    let order: Vec<_> = got.iter().skip(1).map(|one| one.json()["data"]["title"].clone()).collect();
    assert_eq!(order, ["title 0", "title 1", "title 2", "title 3"], "in order for the task");
    let (mut listed, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = api.get(&format!("/webhooks/{id}/deliveries?limit=2{cursor}")).await.expect(200).json();
        listed.extend(page["items"].as_array().unwrap().clone());
        let Some(next) = page["next_cursor"].as_str() else { break };
        cursor = format!("&cursor={next}");
        assert!(listed.len() < 10, "the list ends");
    }
    assert!(listed.len() >= 4, "the last may not be written down yet");
    let first = listed.last().unwrap();
    assert_eq!(first["id"], got[0].id);
    assert_eq!(
        (&first["status"], &first["last_status"], &first["type"]),
        (&json!("delivered"), &json!(204), &json!("task.created"))
    );
    assert!(first["latency_ms"].is_u64() && first["attempts"][0]["at"].is_string());
    api.get(&format!("/webhooks/{id}/deliveries?cursor=zzz")).await.problem(422, "invalid-request");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_test_a_message_and_everything_since_a_time_are_sent_on_request() {
    let (api, receiver) = all().await;
    let id = id_of(&webhook(&api, &receiver.url("/a"), json!({"events": ["task.created"]})).await);
    let since = chrono::Utc::now();
    let queued = api.call("POST", &format!("/webhooks/{id}/test")).send().await.expect(202).json();
    assert_eq!((&queued["type"], &queued["status"]), (&json!("webhook.test"), &json!("pending")));
    receiver.until("/a", |got| got.iter().any(|one| one.id == queued["id"] && one.kind() == "webhook.test")).await;
    for n in 0..3 {
        api.task(mention(&format!("m-{n}"), &format!("send offer {n}"))).await;
    }
    let got = receiver.until("/a", |got| got.len() == 4).await;
    let again = format!("/webhooks/{id}/deliveries/{}/redeliver", got[1].id);
    // It is written down a moment after it was answered.
    let logged = wait::until("the delivery to be written down", || async {
        Some(api.call("POST", &again).send().await).filter(|answer| answer.status != 404)
    });
    logged.await.expect(202);
    let got = receiver.until("/a", |got| got.len() == 5).await;
    assert_eq!((&got[4].id, &got[4].body), (&got[1].id, &got[1].body), "the same message");
    let body = json!({"since": since});
    api.call("POST", &format!("/webhooks/{id}/redeliver")).json(&body).send().await.expect(202);
    let all: Vec<_> = got[1..4].iter().map(|one| one.id.clone()).collect();
    let twice = |got: &[gleaner_testkit::receiver::Received]| {
        all.iter().all(|id| got.iter().filter(|one| one.id == *id).count() >= 2)
    };
    receiver.until("/a", twice).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rotation_leaves_a_day_to_change_over() {
    let (api, receiver) = all().await;
    let made = webhook(&api, &receiver.url("/a"), json!({})).await;
    let id = id_of(&made);
    let rotated = api.call("POST", &format!("/webhooks/{id}/rotate")).send().await.expect(200).json();
    assert!(rotated["previous_secret_until"].is_string());
    api.task(mention("m", "send the offer")).await;
    let got = receiver.until("/a", |got| !got.is_empty()).await;
    for secret in [&made["secret"], &rotated["secret"]] {
        assert!(got[0].is_signed_by(secret.as_str().unwrap()));
    }
    assert_ne!(made["secret"], rotated["secret"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_happens_during_a_pause_comes_after_it() {
    let (api, receiver) = all().await;
    let id = id_of(&webhook(&api, &receiver.url("/a"), json!({})).await);
    let path = format!("/webhooks/{id}");
    api.call("PATCH", &path).json(&json!({"enabled": false})).send().await.expect(200);
    api.task(mention("m", "send the offer")).await;
    let refused = api.call("POST", &format!("{path}/test")).send().await;
    refused.problem(422, "invalid-request");
    assert!(receiver.at("/a").is_empty());
    api.call("PATCH", &path).json(&json!({"enabled": true})).send().await.expect(200);
    receiver.until("/a", |got| got.len() == 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_goes_where_the_workers_admin_does_not_allow_it() {
    // The API allows it, so that the endpoint can be made; the worker does not.
    let api = Api::start_with(&LOCAL).await;
    let receiver = Receiver::start().await;
    let name = receiver.url("/a").replace("127.0.0.1", "localhost");
    let ids = [receiver.url("/a"), name].map(|url| (url, json!({})));
    let mut made = Vec::new();
    for (url, rest) in ids {
        made.push(id_of(&webhook(&api, &url, rest).await));
    }
    work_without_leave(&api).await;
    api.task(mention("m", "send the offer")).await;
    for id in made {
        endpoint_that(&api, &id, |found| found["status"] == "failing").await;
        let page = api.get(&format!("/webhooks/{id}/deliveries")).await.expect(200).json();
        let said = page["items"][0]["attempts"][0]["error"].as_str().unwrap().to_owned();
        assert!(said.contains("not a public address") || said.contains("not public"), "{said}");
    }
    assert!(receiver.at("/a").is_empty());
}

/// A worker that lets messages go over http://, but nowhere on this machine.
async fn work_without_leave(api: &Api) {
    super::work_at(api, &["--webhook-allow-http"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_followed_elsewhere() {
    let (api, receiver) = all().await;
    receiver.answer(|_| (307, std::time::Duration::ZERO));
    let id = id_of(&webhook(&api, &receiver.url("/a"), json!({})).await);
    api.task(mention("m", "send the offer")).await;
    let failing = endpoint_that(&api, &id, |found| found["status"] == "failing").await;
    assert!(failing["failing_since"].is_string());
    assert!(receiver.at("/elsewhere").is_empty());
}
