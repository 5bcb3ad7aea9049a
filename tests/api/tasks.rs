//! Tasks: lists, one task, explanations, edits.

use gleaner_model::Scope;
use gleaner_testkit::{
    api::Api,
    fixture::{due, mention, owed_by, said_at, time, unknown_task_id},
};
use serde_json::{Value, json};
use std::collections::BTreeSet;

// Task.

#[tokio::test]
async fn a_task_has_all_its_members() {
    let api = Api::start().await;
    let record = api.task(due("2026-03-06", mention("m-17", "Send the SOW"))).await;
    let task = api.get(&format!("/tasks/{}", record.id)).await.expect(200).json();
    assert_eq!(
        (task["id"].as_str(), task["title"].as_str()),
        (Some(record.id.to_string().as_str()), Some("Send the SOW"))
    );
    assert_eq!(task["status"], "open");
    assert_eq!(task["owner"], json!({"name": "Dana Reyes", "is_me": true}));
    assert_eq!(task["due"], json!({"date": "2026-03-06", "text": "by then"}));
    assert!(task["waiting_on"].is_null() && task["completed_at"].is_null());
    assert!(task["priority"].as_f64().is_some_and(|p| (0.0..=1.0).contains(&p)));
    assert!(task["confidence"].as_f64().is_some_and(|c| (0.0..=1.0).contains(&c)));
    assert_eq!(task["urgency"], "normal");
    let evidence = &task["evidence"][0];
    for member in ["source_type", "external_id", "quote", "speaker", "start", "end", "at_s", "occurred_at"] {
        assert!(!evidence[member].is_null(), "{member}");
    }
    for member in ["source_type", "external_id", "title", "occurred_at", "job_id", "content_sha256"] {
        assert!(!task["source"][member].is_null(), "{member}");
    }
    assert_eq!(task["feedback"], json!({"up": 0, "down": 0}));
    time(&task["created_at"]);
    time(&task["updated_at"]);
}

// GET /tasks.

#[tokio::test]
async fn open_tasks_are_listed_latest_mention_first() {
    let api = Api::start().await;
    api.task(said_at("2026-03-03T15:00:00Z", mention("a", "Older"))).await;
    api.task(said_at("2026-03-05T15:00:00Z", mention("b", "Newest"))).await;
    api.task(said_at("2026-03-04T15:00:00Z", mention("c", "Newer"))).await;
    let page = api.get("/tasks").await.expect(200).json();
    assert_eq!(page["items"][0]["title"], "Newest");
    assert!(page["next_cursor"].is_null());
    assert_eq!(api.titles("").await, ["Newest", "Newer", "Older"]);
    assert_eq!(api.titles("sort=recent&status=open").await, ["Newest", "Newer", "Older"]);
    assert!(api.titles("status=completed").await.is_empty() && api.titles("status=dismissed").await.is_empty());
}

#[tokio::test]
async fn the_highest_priority_comes_first_when_sorted_so() {
    let api = Api::start().await;
    let soon = (chrono::Utc::now() + chrono::TimeDelta::days(1)).date_naive().to_string();
    api.task(due("2036-01-01", mention("a", "Far off"))).await;
    api.task(due(&soon, mention("b", "Tomorrow"))).await;
    api.task(mention("c", "Some day")).await;
    let page = api.get("/tasks?sort=priority").await.expect(200).json();
    let values: Vec<_> = page["items"].as_array().unwrap().iter().map(|t| t["priority"].as_f64().unwrap()).collect();
    assert!(values.is_sorted_by(|a, b| a >= b), "{values:?}");
    assert_eq!(page["items"][0]["title"], "Tomorrow");
}

#[tokio::test]
async fn each_filter_leaves_what_it_names() {
    let api = Api::start().await;
    api.task(due("2026-03-06", mention("m-1", "Mine"))).await;
    api.task(owed_by("Sam Lee", due("2026-04-06", mention("m-2", "Theirs")))).await;
    assert_eq!(api.titles("waiting_on=true").await, ["Theirs"]);
    assert_eq!(api.titles("waiting_on=false").await, ["Mine"]);
    assert_eq!(api.titles("owner=sam").await, ["Theirs"]);
    assert_eq!(api.titles("owner=me").await, ["Mine"]);
    assert_eq!(api.titles("due_before=2026-03-07").await, ["Mine"]);
    assert!(api.titles("due_before=2026-03-06").await.is_empty());
    assert_eq!(api.titles("source_type=meeting&external_id=m-2").await, ["Theirs"]);
    assert!(api.titles("source_type=email").await.is_empty());
    assert_eq!(api.titles("external_id=m-1&waiting_on=false&q=mine&owner=dana").await, ["Mine"]);
}

#[tokio::test]
async fn words_are_found_by_their_beginning_whatever_case_accents_and_script() {
    let api = Api::start().await;
    api.task(mention("a", "Review the Café budget")).await;
    api.task(owed_by("Zoë Müller", mention("b", "Ship the crates"))).await;
    api.task(mention("c", "確認する予算の資料")).await;
    api.task(mention("d", "Позвонить клиенту")).await;
    for (q, found) in [
        ("cafe", vec!["Review the Café budget"]),
        ("CAFÉ", vec!["Review the Café budget"]),
        ("bud%20rev", vec!["Review the Café budget"]),
        ("crat", vec!["Ship the crates"]),
        ("rates", vec![]),
        ("zoe%20ship", vec!["Ship the crates"]),
        ("muller", vec!["Ship the crates"]),
        ("budget%20crates", vec![]),
        ("%E4%BA%88%E7%AE%97%E3%81%AE", vec!["確認する予算の資料"]),
        ("%D0%BF%D0%BE%D0%B7%D0%B2", vec!["Позвонить клиенту"]),
        ("absent", vec![]),
    ] {
        assert_eq!(api.titles(&format!("q={q}")).await, found, "{q}");
    }
}

#[tokio::test]
async fn a_search_has_3_to_200_characters_after_trimming_and_empty_is_absent() {
    let api = Api::start().await;
    api.task(mention("a", "Anything")).await;
    for short in ["q=a", "q=ab", "q=%20%20ab%20", "q=%E4%BA%88%E7%AE%97"] {
        api.get(&format!("/tasks?{short}")).await.problem(422, "query-too-short");
    }
    api.get(&format!("/tasks?q={}", "x".repeat(201))).await.problem(422, "invalid-request");
    api.get(&format!("/tasks?q={}", "x".repeat(200))).await.expect(200);
    assert_eq!(api.titles("q=").await, ["Anything"]);
    assert_eq!(api.titles("q=%20%20").await, ["Anything"]);
}

#[tokio::test]
async fn an_unknown_parameter_or_value_is_422_with_the_allowed_ones() {
    let api = Api::start().await;
    let all = "status, waiting_on, q, sort, owner, due_before, source_type, external_id, limit, cursor";
    let cases = [
        ("page=2", all),
        ("status=done", "open, completed, dismissed"),
        ("status=", "open, completed, dismissed"),
        ("waiting_on=yes", "true, false"),
        ("sort=newest", "recent, priority"),
        ("limit=0", "1 to 200"),
        ("limit=201", "1 to 200"),
        ("due_before=tomorrow", "2026-03-06"),
        ("due_before=2026-02-30", "2026-03-06"),
        ("source_type=Meeting", "[a-z]"),
        ("external_id=", "1 to 256"),
        ("cursor=nonsense", "next_cursor"),
        ("access_token=x", all),
    ];
    for (query, said) in cases {
        let problem = api.get(&format!("/tasks?{query}")).await.problem(422, "invalid-request");
        assert!(problem["detail"].as_str().unwrap().contains(said), "{query}: {problem}");
    }
}

#[tokio::test]
async fn a_walk_shows_each_task_once_while_others_come_and_go() {
    let api = Api::start().await;
    let mut stay = BTreeSet::new();
    for n in 0..25 {
        stay.insert(
            api.task(said_at(&format!("2026-03-{:02}T10:00:00Z", n + 1), mention(&format!("m-{n}"), "Stay")))
                .await
                .id
                .to_string(),
        );
    }
    for sort in ["recent", "priority"] {
        let (mut seen, mut path, mut step) = (Vec::new(), format!("/tasks?limit=4&sort={sort}"), 0);
        loop {
            let answer = api.get(&path).await.expect(200);
            let page = answer.json();
            for task in page["items"].as_array().unwrap() {
                seen.push(task["id"].as_str().unwrap().to_owned());
            }
            let Some(link) = answer.header("link") else {
                assert!(page["next_cursor"].is_null());
                break;
            };
            path = link[1..link.find('>').unwrap()].to_owned();
            // One comes at the front, and one that was shown already moves to it.
            api.task(said_at("2026-04-01T10:00:00Z", mention(&format!("new-{sort}-{step}"), "Come"))).await;
            let edit = json!({"due": {"date": "2026-01-01"}});
            api.call("PATCH", &format!("/tasks/{}", seen[0])).json(&edit).send().await.expect(200);
            step += 1;
        }
        let once: BTreeSet<_> = seen.iter().cloned().collect();
        assert_eq!(once.len(), seen.len(), "{sort}: nothing twice");
        assert!(stay.is_subset(&once), "{sort}: nothing missing");
    }
}

#[tokio::test]
async fn a_cursor_goes_with_its_filters() {
    let api = Api::start().await;
    for n in 0..3 {
        api.task(mention(&format!("m-{n}"), "Something")).await;
    }
    let page = api.get("/tasks?limit=1").await.expect(200).json();
    let cursor = page["next_cursor"].as_str().unwrap();
    api.get(&format!("/tasks?limit=2&cursor={cursor}")).await.expect(200);
    for other in ["status=completed", "sort=priority", "q=something"] {
        api.get(&format!("/tasks?{other}&cursor={cursor}")).await.problem(422, "invalid-request");
    }
}

// GET /tasks/{id}, explain.

#[tokio::test]
async fn what_names_no_task_is_404_and_so_is_another_tenants() {
    let api = Api::start().await;
    let foreign = api.task_of("team-b", mention("m", "Secret")).await.id.to_string();
    for id in ["nonsense", "%00", &unknown_task_id().to_string(), &foreign] {
        api.get(&format!("/tasks/{id}")).await.problem(404, "not-found");
        api.get(&format!("/tasks/{id}/explain")).await.problem(404, "not-found");
        let patch = api.call("PATCH", &format!("/tasks/{id}")).json(&json!({"status": "completed"}));
        patch.send().await.problem(404, "not-found");
        let rate = api.call("POST", &format!("/tasks/{id}/feedback")).json(&json!({"rating": "up"}));
        rate.send().await.problem(404, "not-found");
    }
    assert!(api.titles("").await.is_empty() && api.titles("q=secret").await.is_empty());
}

#[tokio::test]
async fn a_task_that_has_not_changed_is_304() {
    let api = Api::start().await;
    let path = format!("/tasks/{}", api.task(mention("m", "Something")).await.id);
    let tag = api.get(&path).await.expect(200).header("etag").unwrap().to_owned();
    assert!(tag.starts_with('"') && tag.ends_with('"'));
    let ask = |tags: String| api.call("GET", &path).header("if-none-match", &tags).send();
    for tags in [tag.clone(), format!("\"other\", {tag}"), format!("W/{tag}"), "*".to_owned()] {
        let answer = ask(tags).await.expect(304);
        assert_eq!((answer.body.len(), answer.header("etag")), (0, Some(tag.as_str())));
    }
    api.call("PATCH", &path).json(&json!({"title": "Other"})).send().await.expect(200);
    assert_ne!(ask(tag.clone()).await.expect(200).header("etag"), Some(tag.as_str()));
}

#[tokio::test]
async fn an_explanation_gives_reasons_in_words_and_numbers_and_names_feedback() {
    let api = Api::start().await;
    let path = format!("/tasks/{}", api.task(mention("m", "Something")).await.id);
    let rated = api.call("POST", &format!("{path}/feedback")).json(&json!({"rating": "up", "reason": "important"}));
    let rated = rated.send().await.expect(201).json();
    let said = api.get(&format!("{path}/explain")).await.expect(200).json();
    let reasons = said["reasons"].as_array().unwrap();
    assert!(reasons.iter().all(|reason| reason["text"].is_string() && reason["weight"].is_number()), "{said}");
    assert!(reasons.iter().any(|reason| reason["text"] == "first person promise"));
    assert!(reasons.iter().any(|reason| reason["feedback_id"] == rated["feedback_id"]));
}

// PATCH /tasks/{id}.

#[tokio::test]
async fn each_member_can_be_set_and_cleared() {
    let api = Api::start().await;
    let path = format!("/tasks/{}", api.task(due("2026-03-06", mention("m", "Something"))).await.id);
    let patch = async |body: Value| api.call("PATCH", &path).json(&body).send().await.expect(200).json();
    let task = patch(json!({"title": " Send it ", "due": {"date": "2026-05-01"}, "owner": {"name": "Sam Lee"}})).await;
    assert_eq!((task["title"].as_str(), task["due"]["date"].as_str()), (Some("Send it"), Some("2026-05-01")));
    assert_eq!(task["owner"], json!({"name": "Sam Lee", "is_me": false}));
    assert_eq!(patch(json!({"owner": {"name": "dana"}})).await["owner"]["is_me"], true);
    assert_eq!(patch(json!({"waiting_on": "Kim"})).await["waiting_on"], "Kim");
    let bare = patch(json!({"due": null, "owner": null, "waiting_on": null})).await;
    assert!(bare["due"].is_null() && bare["owner"].is_null() && bare["waiting_on"].is_null());
    let done = patch(json!({"status": "completed"})).await;
    assert_eq!(done["status"], "completed");
    time(&done["completed_at"]);
    assert_eq!(api.titles("status=completed").await, ["Send it"]);
    let open = patch(json!({"status": "open"})).await;
    assert!(open["completed_at"].is_null());
    patch(json!({"status": "dismissed"})).await;
    assert_eq!(api.titles("status=dismissed").await, ["Send it"]);
}

#[tokio::test]
async fn a_patch_merges_objects_and_leaves_what_it_does_not_name() {
    let api = Api::start().await;
    let path = format!("/tasks/{}", api.task(due("2026-03-06", mention("m", "Something"))).await.id);
    let patch = async |body: Value| api.call("PATCH", &path).json(&body).send().await.expect(200).json();
    let task = patch(json!({"owner": {"is_me": false}})).await;
    assert_eq!(task["owner"], json!({"name": "Dana Reyes", "is_me": false}));
    assert_eq!((task["title"].as_str(), task["due"]["date"].as_str()), (Some("Something"), Some("2026-03-06")));
    assert_eq!(patch(json!({})).await["title"], "Something");
}

#[tokio::test]
async fn the_words_of_a_due_date_stay_with_their_day_and_can_be_set() {
    let api = Api::start().await;
    let path = format!("/tasks/{}", api.task(due("2026-03-06", mention("m", "Something"))).await.id);
    let patch = async |due: Value| {
        api.call("PATCH", &path).json(&json!({"due": due})).send().await.expect(200).json()["due"].clone()
    };
    assert_eq!(patch(json!({})).await, json!({"date": "2026-03-06", "text": "by then"}));
    assert_eq!(patch(json!({"date": "2026-03-09"})).await, json!({"date": "2026-03-09", "text": null}));
    assert_eq!(patch(json!({"text": " next Monday "})).await, json!({"date": "2026-03-09", "text": "next Monday"}));
    assert_eq!(patch(json!({"date": "2026-03-09"})).await["text"], "next Monday");
    assert_eq!(
        patch(json!({"date": "2026-03-10", "text": "Tuesday"})).await,
        json!({"date": "2026-03-10", "text": "Tuesday"})
    );
    assert!(patch(json!({"text": null})).await["text"].is_null());
}

#[tokio::test]
async fn completing_a_completed_task_again_changes_nothing() {
    let api = Api::start().await;
    let path = format!("/tasks/{}", api.task(mention("m", "Something")).await.id);
    let complete = async || api.call("PATCH", &path).json(&json!({"status": "completed"})).send().await.expect(200);
    let (once, twice) = (complete().await, complete().await);
    assert_eq!(once.json(), twice.json());
    assert_eq!(once.header("etag"), twice.header("etag"));
}

#[tokio::test]
async fn a_search_follows_an_edited_title() {
    let api = Api::start().await;
    let path = format!("/tasks/{}", api.task(mention("m", "Paint the fence")).await.id);
    api.call("PATCH", &path).json(&json!({"title": "Varnish the gate"})).send().await.expect(200);
    assert_eq!(api.titles("q=varnish").await, ["Varnish the gate"]);
}

#[tokio::test]
async fn both_media_types_of_a_patch_are_taken_and_no_other() {
    let api = Api::start().await;
    let path = format!("/tasks/{}", api.task(mention("m", "Something")).await.id);
    for media in ["application/merge-patch+json", "application/json"] {
        api.call("PATCH", &path).body(media, "{}").send().await.expect(200);
    }
    let answer = api.call("PATCH", &path).body("application/json-patch+json", "[]").send().await;
    answer.problem(415, "unsupported-media-type");
}

#[tokio::test]
async fn a_patch_that_breaks_a_rule_is_422_and_names_the_member() {
    let api = Api::start().await;
    let path = format!("/tasks/{}", api.task(mention("m", "Something")).await.id);
    let cases = [
        (json!({"status": "done"}), "/status"),
        (json!({"status": null}), "/status"),
        (json!({"title": null}), "/title"),
        (json!({"title": ""}), "/title"),
        (json!({"title": "x".repeat(501)}), "/title"),
        (json!({"title": "a\nb"}), "/title"),
        (json!({"due": {"date": "2026-02-30"}}), "/due/date"),
        (json!({"due": {"date": "+12026-03-06"}}), "/due/date"),
        (json!({"due": {}}), "/due/date"),
        (json!({"due": 7}), "/due"),
        (json!({"due": {"date": "2026-03-06", "text": " "}}), "/due/text"),
        (json!({"owner": {"name": " "}}), "/owner/name"),
        (json!({"waiting_on": ["x"]}), "/waiting_on"),
        (json!({"priority": 1}), "/priority"),
    ];
    for (body, pointer) in cases {
        let problem = api.call("PATCH", &path).json(&body).send().await.problem(422, "invalid-request");
        assert_eq!(problem["errors"][0]["pointer"], pointer, "{body} {problem}");
    }
}

#[tokio::test]
async fn an_edit_of_an_older_version_is_412() {
    let api = Api::start().await;
    let path = format!("/tasks/{}", api.task(mention("m", "Something")).await.id);
    let tag = api.get(&path).await.header("etag").unwrap().to_owned();
    let edit = |tag: String, title: &str| {
        api.call("PATCH", &path).header("if-match", &tag).json(&json!({"title": title})).send()
    };
    let first = edit(tag.clone(), "First").await.expect(200);
    edit(tag.clone(), "Second").await.problem(412, "precondition-failed");
    edit("\"nonsense\"".to_owned(), "Second").await.problem(412, "precondition-failed");
    edit(format!("W/{}", first.header("etag").unwrap()), "Second").await.problem(412, "precondition-failed");
    edit(first.header("etag").unwrap().to_owned(), "Second").await.expect(200);
    edit("*".to_owned(), "Third").await.expect(200);
    edit(tag, "").await.problem(422, "invalid-request");
    assert_eq!(api.get(&path).await.json()["title"], "Third");
}

#[tokio::test]
async fn of_many_edits_at_once_none_is_lost() {
    let api = Api::start().await;
    let path = format!("/tasks/{}", api.task(mention("m", "Something")).await.id);
    let edits = [
        json!({"title": "T"}),
        json!({"status": "completed"}),
        json!({"owner": {"name": "O"}}),
        json!({"waiting_on": "W"}),
    ];
    let sent: Vec<_> = edits.iter().map(|edit| tokio::spawn(api.call("PATCH", &path).json(edit).send())).collect();
    for answer in sent {
        answer.await.unwrap().expect(200);
    }
    let task = api.get(&path).await.json();
    assert_eq!((task["title"].as_str(), task["status"].as_str()), (Some("T"), Some("completed")));
    assert_eq!((task["owner"]["name"].as_str(), task["waiting_on"].as_str()), (Some("O"), Some("W")));
}

// DELETE /ingest/items/….

#[tokio::test]
async fn erasing_an_item_takes_the_tasks_that_rest_on_it_alone() {
    let api = Api::start().await;
    api.task(mention("m-1", "Gone")).await;
    api.task(mention("m-2", "Stays")).await;
    api.call("DELETE", "/ingest/items/meeting/m-1").send().await.expect(204);
    assert_eq!(api.titles("").await, ["Stays"]);
    assert!(api.titles("q=gone").await.is_empty());
    let weak = api.new_token("default", &[Scope::IngestWrite]).await;
    let refused = api.request("DELETE", "/ingest/items/meeting/m-2").token(&weak).send().await;
    refused.problem(403, "insufficient-scope");
}
