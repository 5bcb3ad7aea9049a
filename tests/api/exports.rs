//! Other forms of the list: CSV, Markdown, calendars and their feeds.

use gleaner_model::{Mention, PlainToken, Scope};
use gleaner_store::Credential;
use gleaner_testkit::{
    api::{Api, item},
    child::memory_mib,
    environment::number,
    fixture::{credential, due, mention, owed_by},
    gleaner,
    http::{HttpRequest, HttpResponse},
    redis::free_port,
    wait::until,
};
use icalendar::{Calendar, CalendarComponent, Component as _, Todo};
use serde_json::{Value, json};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

async fn written(api: &Api, path: &str, accept: &str) -> HttpResponse {
    let answer = api.call("GET", path).header("accept", accept).send().await.expect(200);
    assert!(answer.header("content-type").unwrap().starts_with(accept), "{path}");
    answer
}

#[tokio::test]
async fn csv_holds_every_task_and_no_formula() {
    let api = Api::start().await;
    for n in 0..450 {
        api.task(mention(&format!("m-{n}"), &format!("Order part number {n}"))).await;
    }
    api.task(due("2026-03-06", owed_by("=Priya", mention("x", "=HYPERLINK(\"http://evil\"), \"quoted\"")))).await;
    let answer = written(&api, "/tasks?limit=10", "text/csv").await;
    let text = answer.text();
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count(), "lines end as RFC 4180 says");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let heads = reader.headers().unwrap().clone();
    let at = |name: &str| heads.iter().position(|head| head == name).unwrap();
    let rows: Vec<_> = reader.records().map(|row| row.unwrap()).collect();
    assert_eq!(rows.len(), 451);
    let ids: BTreeSet<_> = rows.iter().map(|row| &row[at("id")]).collect();
    assert_eq!(ids.len(), 451);
    let odd = rows.iter().find(|row| &row[at("due")] == "2026-03-06").unwrap();
    assert_eq!(&odd[at("title")], "'=HYPERLINK(\"http://evil\"), \"quoted\"");
    assert_eq!((&odd[at("waiting_on")], &odd[at("is_me")]), ("'=Priya", "false"));
    let few = written(&api, "/tasks?q=hyperlink", "text/csv").await.text();
    assert_eq!(csv::Reader::from_reader(few.as_bytes()).records().count(), 1, "filters hold");
    let unknown = api.call("GET", "/tasks?colour=red").header("accept", "text/csv").send().await;
    unknown.problem(422, "invalid-request");
    let json = api.call("GET", "/tasks").header("accept", "application/json, text/csv;q=0.5").send().await;
    assert_eq!(json.header("content-type"), Some("application/json"));
}

/// GLEANER_TEST_TASKS=100000 takes minutes.
#[tokio::test(flavor = "multi_thread")]
async fn a_long_export_takes_no_memory() {
    let count = number("GLEANER_TEST_TASKS", 3_000);
    let api = Arc::new(Api::start().await);
    let made = (0..8).map(|part| {
        let api = api.clone();
        tokio::spawn(async move {
            for n in (part..count).step_by(8) {
                let title = format!("Order part number {n} for the long corridor behind the second hall");
                api.task(due("2026-03-06", mention(&format!("m-{n}"), &title))).await;
            }
        })
    });
    futures::future::join_all(made).await;
    let port = free_port();
    let process = gleaner::GleanerProcess::api(&api.redis.url(), port);
    let ask = |path: &str| HttpRequest::new(([127, 0, 0, 1], port).into(), "GET", path).token(&api.token);
    ask("/tasks").send().await.expect(200);
    let peak = || memory_mib(process.id(), "VmHWM:").unwrap();
    let before = peak();
    let forms =
        [("/tasks", "text/csv", "\r\n"), ("/tasks", "text/markdown", "- [ ] "), ("/tasks.ics", "*/*", "BEGIN:VTODO")];
    for (path, accept, mark) in forms {
        let text = ask(path).header("accept", accept).send().await.expect(200).text();
        assert!(text.matches(mark).count() >= count, "{path} as {accept}");
        println!("{count} as {accept}: {} KiB, at most {} MiB taken", text.len() / 1024, peak());
    }
    assert!(peak() < before + 24, "{} MiB, {before} before", peak());
}

#[tokio::test]
async fn markdown_is_read_back_as_the_same_tasks() {
    let api = Api::start().await;
    api.task(due("2026-03-06", mention("a", "Send the revised SOW to Northwind"))).await;
    api.task(owed_by("Priya Shah", mention("b", "Book the room for the offsite"))).await;
    api.task(due("2026-03-09", owed_by("Sam Lee", mention("c", "Fix the login page")))).await;
    let text = written(&api, "/tasks", "text/markdown").await.text();
    assert!(text.contains("- [ ] Dana Reyes: Send the revised SOW to Northwind (due 2026-03-06)\n"), "{text}");
    let arguments = [
        "extract",
        "-",
        "--json",
        "--source-type",
        "note",
        "--me",
        "Dana Reyes",
        "--occurred-at",
        "2026-03-03T15:00:00Z",
    ];
    let read: Value = serde_json::from_str(&gleaner::stdout(&gleaner::run(&arguments, &text))).unwrap();
    let facts = |tasks: &Value| {
        let fact =
            |task: &Value| json!([task["title"], task["owner"], task["due"]["date"], task["waiting_on"]]).to_string();
        let mut facts: Vec<_> = tasks.as_array().unwrap().iter().map(fact).collect();
        facts.sort();
        facts
    };
    assert_eq!(facts(&read["tasks"]), facts(&api.get("/tasks").await.json()["items"]));
}

/// A new feed: its id and its address.
async fn feed(api: &Api) -> (String, String) {
    let made = api.call("POST", "/feeds").json(&json!({"name": "phone"})).send().await.expect(201).json();
    (made["feed_id"].as_str().unwrap().to_owned(), made["url"].as_str().unwrap().to_owned())
}

fn todos(calendar: &Calendar) -> Vec<&Todo> {
    let all = calendar.components.iter();
    all.filter_map(|component| match component {
        CalendarComponent::Todo(todo) => Some(todo),
        _ => None,
    })
    .collect()
}

#[tokio::test]
async fn a_feed_is_a_calendar_whose_entries_stay_themselves() {
    let api = Api::start().await;
    let title = "Send Grüße; a, b and \\c to everybody who was at the meeting in the big room on the second floor";
    let record = api.task(due("2026-03-06", mention("a", title))).await;
    api.task(Mention { owner: None, ..mention("b", "Order parts") }).await;
    let (_, url) = feed(&api).await;
    let answer = api.request("GET", &url).send().await.expect(200);
    assert_eq!(answer.header("content-type"), Some("text/calendar; charset=utf-8"));
    let text = answer.text();
    assert!(text.lines().all(|line| line.trim_end().len() <= 75), "{text}");
    let calendar: Calendar = text.parse().unwrap();
    let all = todos(&calendar);
    assert_eq!(all.len(), 2);
    let id = record.id.to_string();
    let one = all.iter().find(|todo| todo.get_uid() == Some(id.as_str())).unwrap();
    assert_eq!(one.get_summary(), Some(title));
    assert_eq!(one.get_due(), Some("2026-03-06".parse::<chrono::NaiveDate>().unwrap().into()));
    let before = one.get_sequence().unwrap();

    let tag = answer.header("etag").unwrap().to_owned();
    let again = api.request("GET", &url).header("if-none-match", &tag).send().await;
    assert_eq!((again.status, again.header("etag")), (304, Some(tag.as_str())));
    let edit = api.call("PATCH", &format!("/tasks/{id}")).body("application/merge-patch+json", r#"{"title":"New"}"#);
    edit.send().await.expect(200);
    let changed = api.request("GET", &url).header("if-none-match", &tag).send().await.expect(200);
    let calendar: Calendar = changed.text().parse().unwrap();
    let all = todos(&calendar);
    let one = all.iter().find(|todo| todo.get_uid() == Some(id.as_str())).unwrap();
    assert_eq!(one.get_summary(), Some("New"));
    assert!(one.get_sequence().unwrap() > before);

    let events = api.request("GET", &format!("{url}&as=events")).send().await.expect(200).text();
    assert_eq!(events.matches("BEGIN:VEVENT").count(), 1, "only what is due");
    assert!(events.contains("DTSTART;VALUE=DATE:20260306\r\n") && events.contains("DTEND;VALUE=DATE:20260307\r\n"));
    let by_token = api.get("/tasks.ics?owner=me").await.expect(200).text();
    assert_eq!(by_token.matches("BEGIN:VTODO").count(), 1);
}

/// How often the server of the store has run each command, those of scripts among them.
fn calls(api: &Api) -> BTreeMap<String, usize> {
    let stats = api.redis.cli(&["info", "commandstats"]);
    let call = |line: &str| {
        let (name, numbers) = line.strip_prefix("cmdstat_")?.split_once(":calls=")?;
        Some((name.to_owned(), numbers.split(',').next()?.parse().ok()?))
    };
    stats.lines().filter_map(call).collect()
}

#[tokio::test]
async fn a_calendar_is_read_once_and_one_that_is_known_not_at_all() {
    let api = Api::start().await;
    for n in 0..450 {
        api.task(due("2026-03-06", mention(&format!("m-{n}"), &format!("Order part number {n}")))).await;
    }
    let (_, url) = feed(&api).await;
    let tag = api.request("GET", &url).send().await.expect(200).header("etag").unwrap().to_owned();
    let cost = async |tag: &str, status: u16| {
        let before = calls(&api);
        let answer = api.request("GET", &url).header("if-none-match", tag).send().await.expect(status);
        let of = |name: &str| {
            let count = |calls: &BTreeMap<String, usize>| calls.get(name).copied().unwrap_or_default();
            count(&calls(&api)) - count(&before)
        };
        // Each page counts what there is, and asks for its part of the list.
        (answer.text().matches("BEGIN:VTODO").count(), of("zcard"), of("zrevrange") + of("zrevrangebyscore"))
    };
    assert_eq!(cost(&tag, 304).await, (0, 0, 0));
    let (shown, pages, lists) = cost("W/\"another\"", 200).await;
    // Pages of 200, each read once.
    assert_eq!((shown, pages), (450, 3));
    assert!(lists > 0);
}

#[tokio::test]
async fn a_calendars_tag_stands_for_its_tasks_as_they_are() {
    let api = Api::start().await;
    let offer = api.task(mention("a", "Send the offer")).await;
    api.task(mention("b", "Book the big room")).await;
    let task = format!("/tasks/{}", offer.id);
    let patch = async |body: &str| {
        let patch = api.call("PATCH", &task).body("application/merge-patch+json", body.to_owned());
        patch.send().await.expect(200);
    };
    let tag = async |path: &str| api.get(path).await.expect(200).header("etag").unwrap().to_owned();
    let status = async |path: &str, tag: &str| api.call("GET", path).header("if-none-match", tag).send().await.status;
    let mut known = vec![tag("/tasks.ics").await];
    let changed = async |known: &mut Vec<String>, what: &str| {
        for old in &*known {
            assert_eq!(status("/tasks.ics", old).await, 200, "{what}");
        }
        known.push(tag("/tasks.ics").await);
        assert_eq!(status("/tasks.ics", known.last().unwrap()).await, 304, "{what}");
    };
    api.task(mention("c", "Order the badges")).await;
    changed(&mut known, "a new task").await;
    patch(r#"{"title": "Send the new offer"}"#).await;
    changed(&mut known, "an edit").await;
    patch(r#"{"title": "Send the offer"}"#).await;
    changed(&mut known, "an edit that takes another back").await;
    patch(r#"{"status": "completed"}"#).await;
    changed(&mut known, "a completion").await;
    api.call("DELETE", "/ingest/items/meeting/b").send().await.expect(204);
    changed(&mut known, "an erasure").await;

    let now = known.last().unwrap().clone();
    api.submit(&item("waiting")).await.expect(202);
    api.task_of("team-b", mention("a", "Send the offer")).await;
    assert_eq!(status("/tasks.ics", &now).await, 304, "neither a job nor another tenant's task is in it");
    for other in ["as=events", "owner=me", "status=completed"] {
        assert_eq!(status(&format!("/tasks.ics?{other}"), &now).await, 200, "{other} is another calendar");
    }
    let other = api.new_token("team-b", &Scope::ALL).await;
    let theirs = api.request("GET", "/tasks.ics").token(&other).header("if-none-match", &now).send().await;
    assert_eq!(theirs.status, 200);
    api.call("POST", &format!("{task}/feedback")).json(&json!({"rating": "down"})).send().await.expect(201);
    assert_eq!(status("/tasks.ics", &now).await, 200, "a rating");

    api.redis.cli(&["flushall"]);
    let again = api.new_token("default", &Scope::ALL).await;
    let emptied = api.request("GET", "/tasks.ics").token(&again).header("if-none-match", &now).send().await;
    assert_eq!(emptied.expect(200).text().matches("BEGIN:VTODO").count(), 0);
}

#[tokio::test]
async fn a_feed_is_refused_while_the_token_that_made_it_is_suspended() {
    let api = Api::start().await;
    let token = PlainToken::mint().unwrap();
    let maker = credential(&token, "default", &[Scope::TasksRead]);
    api.put(maker.clone()).await;
    let ask = api.request("POST", "/feeds").token(token.expose()).json(&json!({"name": "phone"})).send();
    let url = ask.await.expect(201).json()["url"].as_str().unwrap().to_owned();
    for (suspended, status) in [(false, 200), (true, 401), (false, 200)] {
        api.put(Credential { suspended, ..maker.clone() }).await;
        until("the feed's answer", || async { (api.request("GET", &url).send().await.status == status).then_some(()) })
            .await;
    }
}

#[tokio::test]
async fn a_feeds_token_opens_the_feed_alone_and_no_other_token_opens_it_by_address() {
    let api = Api::start().await;
    let (id, url) = feed(&api).await;
    let token = url.split_once("feed=").unwrap().1.to_owned();
    for path in ["/tasks", "/tokens/me", "/feeds", "/tasks.ics", "/events", "/ingest/jobs"] {
        api.request("GET", path).token(&token).send().await.problem(401, "invalid-token");
    }
    api.request("GET", &format!("/tasks.ics?feed={}", api.token)).send().await.problem(401, "invalid-token");
    api.request("GET", "/tasks.ics?feed=gln_nobody").send().await.problem(401, "invalid-token");
    api.request("GET", "/tasks.ics").send().await.problem(401, "unauthenticated");
    let other = api.new_token("team-b", &Scope::ALL).await;
    assert_eq!(api.request("GET", "/feeds").token(&other).send().await.json()["items"], json!([]));
    api.request("DELETE", &format!("/feeds/{id}")).token(&other).send().await.problem(404, "not-found");
    let listed = api.get("/feeds").await.expect(200).json();
    assert_eq!((&listed["items"][0]["feed_id"], &listed["items"][0]["name"]), (&id.clone().into(), &"phone".into()));
    assert!(!listed.to_string().contains(&token));
    let tokens = api.get("/tokens").await.json();
    assert!(!tokens.to_string().contains(&id), "a feed is no API token");
    let scopes = json!({"name": "x", "scopes": ["feed:read"]});
    api.call("POST", "/tokens").json(&scopes).send().await.problem(403, "insufficient-scope");

    api.call("DELETE", &format!("/feeds/{id}")).send().await.expect(204);
    until("a revoked feed to be refused", || async {
        (api.request("GET", &url).send().await.status == 401).then_some(())
    })
    .await;
}
