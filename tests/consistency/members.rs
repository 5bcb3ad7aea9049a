//! The members of a task: where people see each, in a file, on a page of the web app and in a terminal.

use gleaner_model::{Mention, Urgency};
use gleaner_testkit::{
    api::Api,
    fixture::{due, mention, owed_by},
    gleaner::{gleaner, stdout},
};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Each member of a task, and how it is shown: the column of the CSV, what the pages say, what `gleaner tasks` writes; empty:
/// not, on purpose. Whoever adds a member decides here where people are to see it.
const MEMBERS: [(&str, [&str; 3]); 16] = [
    ("id", ["id", "/app/tasks/ID\"", "ID"]),
    ("title", ["title", "Send the revised SOW</h1>", "Send the revised SOW"]),
    ("status", ["status", "<span class=\"chip\">completed</span>", "✓ "]),
    ("owner", ["owner", "<bdi>Priya Shah</bdi>", "Priya Shah"]),
    // Whoever is waited for owes the task, and is shown as its owner.
    ("waiting_on", ["waiting_on", "", ""]),
    ("due", ["due", "<time datetime=\"2026-03-06\">", "2026-03-06"]),
    // A list by priority says it by its order.
    ("priority", ["priority", "", "PRIORITY"]),
    ("confidence", ["confidence", "90 % sure", ""]),
    // In a terminal it is a colour.
    ("urgency", ["urgency", "<span class=\"chip high\">urgent</span>", ""]),
    ("evidence", ["quote", "I&#39;ll Send the revised SOW", "I'll Send the revised SOW"]),
    // The evidence shows them.
    ("mentions", ["", "", ""]),
    ("source", ["external_id", "<bdi>Weekly, ", ""]),
    ("feedback", ["", "aria-pressed=\"true\"", ""]),
    ("created_at", ["created_at", "", ""]),
    ("updated_at", ["updated_at", "", ""]),
    ("completed_at", ["completed_at", "", ""]),
];

/// A task of which every member says something, and the pages that show it.
async fn task(api: &Api) -> (String, String) {
    let said = owed_by("Priya Shah", mention("m-7", "Send the revised SOW"));
    let id = api.task(due("2026-03-06", Mention { urgency: Urgency::High, ..said })).await.id;
    let path = format!("/tasks/{id}");
    api.call("POST", &format!("{path}/feedback")).json(&json!({"rating": "up"})).send().await.expect(201);
    let cookie = api.signed_in().await;
    let see = async |path: &str| api.request("GET", path).header("cookie", &cookie).send().await.expect(200).text();
    let row = see("/").await;
    api.call("PATCH", &path).json(&json!({"status": "completed"})).send().await.expect(200);
    (id.to_string(), row + &see(&format!("/app/tasks/{id}")).await)
}

#[test]
fn each_member_is_decided_on() {
    let document: Value = serde_json::from_str(&gleaner_api::openapi_json()).unwrap();
    let members = document["components"]["schemas"]["Task"]["properties"].as_object().unwrap();
    let members: Vec<&str> = members.keys().map(String::as_str).collect();
    let mut decided = MEMBERS.map(|(name, _)| name);
    decided.sort_unstable();
    assert_eq!(members, decided, "say in MEMBERS where people see a new member");
}

#[tokio::test(flavor = "multi_thread")]
async fn each_member_is_shown_where_it_is_said_to_be() {
    let api = Api::start().await;
    let (id, pages) = task(&api).await;
    let file = api.call("GET", "/tasks?status=completed").header("accept", "text/csv").send().await.expect(200).text();
    let mut rows = csv::Reader::from_reader(file.as_bytes());
    let heads = rows.headers().unwrap().clone();
    let row = rows.records().next().unwrap().unwrap();
    let cells: BTreeMap<&str, &str> = heads.iter().zip(row.iter()).collect();
    let mut command = gleaner(&["tasks", "--format", "table", "--status", "completed"]);
    command.env("GLEANER_URL", format!("http://{}", api.address)).env("GLEANER_TOKEN", &api.token);
    let terminal = stdout(&tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap());
    for (name, [column, page, words]) in MEMBERS {
        if !column.is_empty() {
            assert!(cells.get(column).is_some_and(|cell| !cell.is_empty()), "{name} in the CSV: {cells:?}");
        }
        let shown = page.replace("ID", &id);
        assert!(pages.contains(&shown), "{name} on a page, as {shown}: {pages}");
        assert!(terminal.contains(&words.replace("ID", &id)), "{name} in {terminal}");
    }
    let task: Value = api.get(&format!("/tasks/{id}")).await.json();
    assert!(task.as_object().unwrap().values().all(|value| !value.is_null()), "every member says something: {task}");
}
