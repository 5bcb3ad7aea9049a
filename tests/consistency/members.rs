//! The members of a task: where people see each, in a file, on a page of the web app, in a terminal and among an agent's resources.

use gleaner_model::{Mention, Urgency};
use gleaner_testkit::{
    api::Api,
    fixture::{due, mention, owed_by},
    gleaner::{gleaner, stdout},
};
use serde_json::{Value, json};

/// Each member of a task, and what of it is seen, in the order of [`PLACES`]; empty: not, on purpose. Whoever adds a member
/// decides here where people are to see it, and sets it in [`seen`].
const MEMBERS: [(&str, [&str; PLACES.len()]); 16] = [
    ("id", ["id={id}", "/app/tasks/{id}\"", "/app/tasks/{id}/", "{id}", "UID:{id}", "", "", "gleaner://tasks/{id}"]),
    ("title", ["title=Send the revised SOW", TITLE, "Send the revised SOW</h1>", TITLE, TITLE, TITLE, TITLE, TITLE]),
    (
        "status",
        ["status=completed", "", "<span class=\"chip\">completed</span>", "", "STATUS:NEEDS-ACTION", "[ ]", "", ""],
    ),
    ("owner", ["owner=Priya Shah", OWNER, OWNER, OWNER, "SUMMARY:Priya Shah", "Priya Shah: ", "", OWNER]),
    // Whoever is waited for owes the task, and is shown as its owner.
    ("waiting_on", ["waiting_on=Priya Shah", "", "", "", "", "", "Priya Shah: ", ""]),
    ("due", ["due=2026-03-06", DAY, "<time datetime=\"2026-03-06\">", DAY, "DUE;VALUE=DATE:20260306", DAY, DAY, DAY]),
    // A list by priority says it by its order.
    ("priority", ["priority=0.", "", "", "PRIORITY", "", "", "", "\"priority\""]),
    ("confidence", ["confidence=0.900", "", "90 % sure", "", "", "", "", ""]),
    // In a terminal it is a colour.
    ("urgency", ["urgency=high", URGENT, URGENT, "", "PRIORITY:1", "", "", ""]),
    ("evidence", ["quote=I'll Send the revised SOW", "", "I&#39;ll Send the revised SOW", QUOTE, QUOTE, "", "", ""]),
    // The evidence shows them.
    ("mentions", [""; PLACES.len()]),
    ("source", ["external_id=m-7", "Weekly", "<bdi>Weekly, ", "", "Weekly", "", "", ""]),
    ("feedback", ["", "aria-pressed=\"true\"", "Take my rating back", "", "", "", "", ""]),
    ("created_at", ["created_at=2", "", "", "", "CREATED:", "", "", ""]),
    ("updated_at", ["updated_at=2", "", "", "", "LAST-MODIFIED:", "", "", "lastModified"]),
    ("completed_at", ["completed_at=2", "", "", "", "", "", "", ""]),
];

/// Where tasks are seen: `text/csv` of one that is done (each cell behind its column's name), a row of the web app's list, the
/// own page of one that is done, `gleaner tasks`, a calendar, `text/markdown`, `gleaner digest`, the list of resources of MCP.
const PLACES: [&str; 8] = ["CSV", "row", "page", "terminal", "calendar", "notes", "digest", "resources"];

const TITLE: &str = "Send the revised SOW";
const OWNER: &str = "Priya Shah";
const DAY: &str = "2026-03-06";
const URGENT: &str = "urgent";
const QUOTE: &str = "I'll Send the revised SOW";

/// A task of which every member says something: its id, and what is seen of it in each of [`PLACES`].
async fn seen(api: &Api) -> (String, [String; PLACES.len()]) {
    let said = owed_by(OWNER, mention("m-7", TITLE));
    let id = api.task(due(DAY, Mention { urgency: Urgency::High, ..said })).await.id;
    let path = format!("/tasks/{id}");
    api.call("POST", &format!("{path}/feedback")).json(&json!({"rating": "up"})).send().await.expect(201);
    let cookie = api.signed_in().await;
    let page = async |path: &str| api.request("GET", path).header("cookie", &cookie).send().await.expect(200).text();
    let file = async |path: &str, media_type: &str| {
        api.call("GET", path).header("accept", media_type).send().await.expect(200).text()
    };
    let agent = json!({"jsonrpc": "2.0", "id": 1, "method": "resources/list", "params": {}});
    let resources = api.call("POST", "/mcp").json(&agent).send().await.expect(200).text();
    let row = page("/").await;
    let terminal = command(api, &["tasks", "--format", "table"]).await;
    let digest = command(api, &["digest", "--format", "text"]).await;
    let notes = file("/tasks", "text/markdown").await;
    let calendar = file("/tasks.ics", "*/*").await.replace("\r\n ", "");
    api.call("PATCH", &path).json(&json!({"status": "completed"})).send().await.expect(200);
    let own = page(&format!("/app/tasks/{id}")).await;
    let csv = cells(&file("/tasks?status=completed", "text/csv").await);
    (id.to_string(), [csv, row, own, terminal, calendar, notes, digest, resources])
}

/// The cells of a table's only row, each behind its column's name.
fn cells(table: &str) -> String {
    let mut rows = csv::Reader::from_reader(table.as_bytes());
    let heads = rows.headers().unwrap().clone();
    let row = rows.records().next().unwrap().unwrap();
    heads.iter().zip(row.iter()).map(|(head, cell)| format!("{head}={cell}\n")).collect()
}

async fn command(api: &Api, arguments: &[&str]) -> String {
    let mut command = gleaner(arguments);
    command.env("GLEANER_URL", format!("http://{}", api.address)).env("GLEANER_TOKEN", &api.token);
    stdout(&tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap())
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
    let (id, seen) = seen(&api).await;
    for (name, wanted) in MEMBERS {
        for ((place, text), wanted) in PLACES.iter().zip(&seen).zip(wanted) {
            let wanted = wanted.replace("{id}", &id);
            assert!(text.contains(&wanted), "{name} as {wanted:?} in {place}: {text}");
        }
    }
    let task: Value = api.get(&format!("/tasks/{id}")).await.json();
    assert!(task.as_object().unwrap().values().all(|value| !value.is_null()), "every member says something: {task}");
}
