//! GET /ingest/jobs and /ingest/jobs/{job_id}.

use gleaner_model::{JobId, PlainToken, Scope};
use gleaner_testkit::{
    api::{Api, item},
    fixture::{credential, time},
};
use std::time::Duration;

#[tokio::test]
async fn a_job_has_all_its_members_and_never_the_transcript() {
    let api = Api::start().await;
    let answer = api.submit(&item("m-1")).await.expect(202);
    let got = api.get(answer.header("location").unwrap()).await.expect(200);
    assert!(!got.text().contains("revised SOW"));
    let job = got.json();
    let members = [
        "job_id",
        "status",
        "source_type",
        "external_id",
        "idempotency_key",
        "attempts",
        "tasks_extracted",
        "task_ids",
        "extractor",
        "accepted_at",
        "started_at",
        "finished_at",
        "error",
    ];
    for member in members {
        assert!(job.get(member).is_some(), "{member} is missing");
    }
    assert_eq!((job["status"].as_str(), job["attempts"].as_u64()), (Some("accepted"), Some(0)));
    assert_eq!((job["source_type"].as_str(), job["external_id"].as_str()), (Some("meeting"), Some("m-1")));
    for null in ["tasks_extracted", "extractor", "started_at", "finished_at", "error"] {
        assert!(job[null].is_null(), "{null}");
    }
    time(&job["accepted_at"]);
}

#[tokio::test]
async fn an_unfinished_job_says_when_to_ask_again() {
    let api = Api::start().await;
    let answer = api.submit(&item("m-1")).await.expect(202);
    let got = api.get(answer.header("location").unwrap()).await.expect(200);
    assert_eq!(got.header("retry-after"), Some("1"));
    assert_eq!(got.header("preference-applied"), None);
}

#[tokio::test]
async fn a_wait_holds_the_answer_until_its_seconds_are_over() {
    let api = Api::start().await;
    let path = api.submit(&item("m-1")).await.expect(202).header("location").unwrap().to_owned();
    let begun = std::time::Instant::now();
    let got = api.call("GET", &path).header("prefer", "wait=1").send().await.expect(200);
    assert!(begun.elapsed() >= Duration::from_secs(1));
    assert_eq!((got.header("preference-applied"), got.header("retry-after")), (Some("wait=1"), Some("1")));
    assert_eq!(got.json()["status"], "accepted");
}

#[tokio::test]
async fn a_wait_ends_with_the_job() {
    let api = Api::start().await;
    let path = api.submit(&item("m-1")).await.expect(202).header("location").unwrap().to_owned();
    let waiting = tokio::spawn(api.call("GET", &path).header("prefer", "wait=30").send());
    tokio::time::sleep(Duration::from_millis(300)).await;
    // Erasing the item ends its job.
    api.call("DELETE", "/ingest/items/meeting/m-1").send().await.expect(204);
    let got = waiting.await.unwrap().expect(200);
    let job = got.json();
    assert_eq!((job["status"].as_str(), job["error"]["code"].as_str()), (Some("failed"), Some("item-erased")));
    assert!(job["error"]["message"].as_str().is_some_and(|text| !text.is_empty()));
    assert_eq!(got.header("retry-after"), None);
    time(&job["finished_at"]);
}

#[tokio::test]
async fn whoever_may_no_longer_ask_gets_no_held_answer() {
    let api = Api::start().await;
    let path = api.submit(&item("m-1")).await.expect(202).header("location").unwrap().to_owned();
    let token = PlainToken::mint().unwrap();
    api.put(credential(&token, "default", &[Scope::IngestRead])).await;
    let asking = api.request("GET", &path).token(token.expose()).header("prefer", "wait=3");
    let waiting = tokio::spawn(asking.send());
    tokio::time::sleep(Duration::from_millis(300)).await;
    api.put(credential(&token, "default", &[Scope::TokensWrite])).await;
    waiting.await.unwrap().expect(403);
}

#[tokio::test]
async fn a_wait_over_30_s_is_one_of_30_s_and_nonsense_is_none() {
    let api = Api::start().await;
    let path = api.submit(&item("m-1")).await.expect(202).header("location").unwrap().to_owned();
    api.call("DELETE", "/ingest/items/meeting/m-1").send().await.expect(204);
    let ask = |prefer: &str| api.call("GET", &path).header("prefer", prefer).send();
    assert_eq!(ask("wait=900").await.header("preference-applied"), Some("wait=30"));
    assert_eq!(ask("wait=soon").await.expect(200).header("preference-applied"), None);
}

#[tokio::test]
async fn what_names_no_job_is_404() {
    let api = Api::start().await;
    for id in ["nonsense", "1", "%20", &JobId::new().to_string()] {
        api.get(&format!("/ingest/jobs/{id}")).await.problem(404, "not-found");
        api.call("POST", &format!("/ingest/jobs/{id}/requeue")).send().await.problem(404, "not-found");
    }
}

#[tokio::test]
async fn another_tenants_job_is_404() {
    let api = Api::start().await;
    let path = api.submit(&item("m-1")).await.expect(202).header("location").unwrap().to_owned();
    let other = api.new_token("team-b", &Scope::ALL).await;
    api.request("GET", &path).token(&other).send().await.problem(404, "not-found");
    let requeue = format!("{path}/requeue");
    api.request("POST", &requeue).token(&other).send().await.problem(404, "not-found");
    let listed = api.request("GET", "/ingest/jobs").token(&other).send().await.expect(200).json();
    assert_eq!(listed["items"], serde_json::json!([]));
}

#[tokio::test]
async fn jobs_are_listed_newest_first_a_page_at_a_time() {
    let api = Api::start().await;
    for n in 0..5 {
        api.submit(&item(&format!("m-{n}"))).await.expect(202);
    }
    let (mut seen, mut path) = (Vec::new(), "/ingest/jobs?limit=2".to_owned());
    loop {
        let answer = api.get(&path).await.expect(200);
        let page = answer.json();
        assert!(page["items"].as_array().unwrap().len() <= 2);
        seen.extend(
            page["items"].as_array().unwrap().iter().map(|job| job["external_id"].as_str().unwrap().to_owned()),
        );
        let Some(cursor) = page["next_cursor"].as_str() else {
            assert_eq!(answer.header("link"), None);
            break;
        };
        let link = answer.header("link").unwrap();
        assert!(link.ends_with(">; rel=\"next\"") && link.contains(cursor), "{link}");
        path = link[1..link.find('>').unwrap()].to_owned();
    }
    assert_eq!(seen, ["m-4", "m-3", "m-2", "m-1", "m-0"]);
}

#[tokio::test]
async fn jobs_are_listed_by_status() {
    let api = Api::start().await;
    api.submit(&item("m-1")).await.expect(202);
    api.submit(&item("m-2")).await.expect(202);
    api.call("DELETE", "/ingest/items/meeting/m-1").send().await.expect(204);
    let ids = async |status: &str| {
        let page = api.get(&format!("/ingest/jobs?status={status}")).await.expect(200).json();
        page["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|j| j["external_id"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!((ids("accepted").await, ids("failed").await), (vec!["m-2".to_owned()], vec!["m-1".to_owned()]));
    assert!(ids("succeeded").await.is_empty() && ids("running").await.is_empty());
}

#[tokio::test]
async fn an_unknown_parameter_or_value_is_422_with_the_allowed_ones() {
    let api = Api::start().await;
    let cases = [
        ("status=done", "accepted, running, succeeded, failed"),
        ("colour=red", "status, limit, cursor"),
        ("limit=0", "1 to 200"),
        ("limit=201", "1 to 200"),
        ("limit=ten", "1 to 200"),
        ("cursor=nonsense", "next_cursor"),
        ("status=failed&status=failed", "once"),
    ];
    for (query, said) in cases {
        let problem = api.get(&format!("/ingest/jobs?{query}")).await.problem(422, "invalid-request");
        assert!(problem["detail"].as_str().unwrap().contains(said), "{query}: {problem}");
        let pointer = format!("/{}", query.split('=').next().unwrap());
        assert_eq!(problem["errors"][0]["pointer"], pointer);
    }
}

#[tokio::test]
async fn a_job_that_waits_is_left_alone_by_requeue_and_one_without_content_is_refused() {
    let api = Api::start().await;
    let path = api.submit(&item("m-1")).await.expect(202).header("location").unwrap().to_owned();
    let requeue = || api.call("POST", &format!("{path}/requeue")).send();
    let answer = requeue().await.expect(202);
    assert_eq!((answer.header("location"), answer.json()["status"].as_str()), (Some(path.as_str()), Some("accepted")));
    api.call("DELETE", "/ingest/items/meeting/m-1").send().await.expect(204);
    requeue().await.problem(422, "invalid-request");
}

#[tokio::test]
async fn an_item_that_is_not_there_is_404_and_its_id_is_percent_decoded() {
    let api = Api::start().await;
    for path in ["meeting/none", "Meeting/x", "meeting/a%00b", "meeting/%ff"] {
        api.call("DELETE", &format!("/ingest/items/{path}")).send().await.problem(404, "not-found");
    }
    api.submit(&item("a/b c?ä")).await.expect(202);
    let other = api.new_token("team-b", &Scope::ALL).await;
    let path = "/ingest/items/meeting/a%2Fb%20c%3F%C3%A4";
    api.request("DELETE", path).token(&other).send().await.problem(404, "not-found");
    assert!(api.call("DELETE", path).send().await.expect(204).body.is_empty());
}
