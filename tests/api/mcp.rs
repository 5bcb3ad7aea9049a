//! /mcp: the API as tools for agents.

use crate::support::{
    api::{Api, item},
    http::{Answer, Request},
    task::mention,
};
use gleaner_model::Scope;
use serde_json::{Value, json};

const CURRENT: &str = "2026-07-28";

/// A request of the current revision: message and headers say the same.
fn current(request: Request, method: &str, mut params: Value) -> Request {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": CURRENT, "io.modelcontextprotocol/clientCapabilities": {},
    });
    let request = request.header("mcp-protocol-version", CURRENT).header("mcp-method", method);
    let named = params["name"].as_str().map(str::to_owned);
    let request = named.iter().fold(request, |request, name| request.header("mcp-name", name));
    request.json(&json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params}))
}

/// A request of a revision before it.
fn earlier(request: Request, method: &str, params: Value) -> Request {
    request.json(&json!({"jsonrpc": "2.0", "id": "a", "method": method, "params": params}))
}

/// Calls a tool, and returns its result.
async fn tool(api: &Api, name: &str, arguments: Value) -> Value {
    let request = current(api.call("POST", "/mcp"), "tools/call", json!({"name": name, "arguments": arguments}));
    let answer = request.send().await.expect(200).json();
    assert_eq!((answer["id"].as_i64(), answer["result"]["resultType"].as_str()), (Some(7), Some("complete")));
    answer["result"].clone()
}

/// What a tool answered, if it did what it was asked.
#[track_caller]
fn told(result: &Value) -> &Value {
    assert_eq!(result["isError"], false, "{result}");
    let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(text, result["structuredContent"], "text and structure say the same");
    &result["structuredContent"]
}

#[track_caller]
fn error(answer: &Answer, status: u16) -> i64 {
    assert_eq!(answer.status, status, "{}", answer.text());
    answer.json()["error"]["code"].as_i64().unwrap()
}

#[tokio::test]
async fn a_client_of_the_current_revision_discovers_and_lists_without_a_session() {
    let api = Api::start().await;
    let found = current(api.call("POST", "/mcp"), "server/discover", json!({})).send().await.expect(200);
    assert_eq!(found.header("mcp-session-id"), None);
    let found = found.json()["result"].clone();
    assert_eq!((&found["supportedVersions"], &found["capabilities"]), (&json!([CURRENT]), &json!({"tools": {}})));
    let listed = current(api.call("POST", "/mcp"), "tools/list", json!({})).send().await.expect(200).json();
    let listed = &listed["result"];
    assert_eq!((listed["cacheScope"].as_str(), listed["ttlMs"].is_u64()), (Some("private"), true));
    let names: Vec<_> = listed["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        [
            "list_tasks",
            "get_task",
            "explain_task",
            "edit_task",
            "complete_task",
            "give_feedback",
            "submit_item",
            "get_job",
            "report_missed_task",
            "erase_item"
        ]
    );
    assert_eq!(listed["tools"][0]["annotations"]["readOnlyHint"], true);
    assert_eq!(listed["tools"][0]["inputSchema"]["properties"]["sort"]["enum"], json!(["recent", "priority"]));
}

#[tokio::test]
async fn a_client_of_an_earlier_revision_begins_with_a_handshake() {
    let api = Api::start().await;
    let call = || api.call("POST", "/mcp");
    let hello =
        json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
    let answer = earlier(call(), "initialize", hello).send().await.expect(200).json();
    assert_eq!((answer["id"].as_str(), answer["result"]["protocolVersion"].as_str()), (Some("a"), Some("2025-06-18")));
    let noted = call().json(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).send().await.expect(202);
    assert_eq!(noted.text(), "");
    let call = || call().header("mcp-protocol-version", "2025-06-18");
    assert_eq!(earlier(call(), "ping", json!({})).send().await.expect(200).json()["result"], json!({}));
    let listed = earlier(call(), "tools/list", json!({})).send().await.expect(200).json();
    assert_eq!(listed["result"]["tools"].as_array().unwrap().len(), 10);
    let called = json!({"name": "list_tasks"});
    let answer = earlier(call(), "tools/call", called).send().await.expect(200).json();
    assert_eq!(answer["result"]["structuredContent"]["items"], json!([]));
    let other = json!({"protocolVersion": "1999-01-01"});
    let answer = earlier(api.call("POST", "/mcp"), "initialize", other).send().await.expect(200).json();
    assert_eq!(answer["result"]["protocolVersion"], "2025-11-25");
}

#[tokio::test]
async fn tools_do_what_their_routes_do() {
    let api = Api::start().await;
    let submitted = tool(&api, "submit_item", item("m-1")).await;
    let job = told(&submitted)["job_id"].as_str().unwrap().to_owned();
    let again = tool(&api, "submit_item", item("m-1")).await;
    assert_eq!(told(&again)["job_id"], job.as_str(), "the same content is the same job");
    let found = tool(&api, "get_job", json!({"job_id": job, "wait_s": 0})).await;
    assert_eq!(told(&found)["status"], "accepted");

    let task = api.task(mention("m-2", "Send the offer")).await.id.to_string();
    let listed = tool(&api, "list_tasks", json!({"q": "offer", "sort": "priority", "limit": 5})).await;
    assert_eq!(told(&listed)["items"][0]["id"], task.as_str());
    let edited = tool(&api, "edit_task", json!({"task_id": task, "title": "Send it", "due": null})).await;
    assert_eq!(told(&edited)["title"], "Send it");
    let done = tool(&api, "complete_task", json!({"task_id": task})).await;
    assert_eq!(told(&done)["status"], "completed");
    let rated = tool(&api, "give_feedback", json!({"task_id": task, "rating": "up"})).await;
    assert_eq!(told(&rated)["task_id"], task.as_str());
    let why = tool(&api, "explain_task", json!({"task_id": task})).await;
    assert!(told(&why)["reasons"].is_array());
    told(&tool(&api, "erase_item", json!({"source_type": "meeting", "external_id": "m-2"})).await);
    let gone = tool(&api, "get_task", json!({"task_id": task})).await;
    assert_eq!((&gone["isError"], gone["structuredContent"]["code"].as_str()), (&json!(true), Some("not-found")));
}

#[tokio::test]
async fn wrong_arguments_are_a_result_that_says_what_is_wrong() {
    let api = Api::start().await;
    for (name, arguments, code, pointer) in [
        ("list_tasks", json!({"colour": "red"}), "invalid-request", "/colour"),
        ("list_tasks", json!({"q": "ab"}), "query-too-short", "/q"),
        ("list_tasks", json!({"q": ["abc"]}), "invalid-request", "/q"),
        ("get_task", json!({}), "invalid-request", "/task_id"),
        ("submit_item", json!({"source_type": "note"}), "invalid-request", "/external_id"),
        ("get_job", json!({"job_id": "0", "wait_s": 1}), "not-found", ""),
    ] {
        let result = tool(&api, name, arguments).await;
        assert_eq!((&result["isError"], result["structuredContent"]["code"].as_str()), (&json!(true), Some(code)));
        let errors = result["structuredContent"]["errors"].as_array().into_iter().flatten();
        assert!(pointer.is_empty() || errors.into_iter().any(|error| error["pointer"] == pointer), "{result}");
    }
}

#[tokio::test]
async fn a_tool_needs_the_scope_of_its_route_and_keeps_to_the_tenant() {
    let api = Api::start().await;
    let task = api.task_of("team-b", mention("m-1", "Send the offer")).await.id.to_string();
    let foreign = tool(&api, "get_task", json!({"task_id": task})).await;
    assert_eq!(foreign["structuredContent"]["code"], "not-found");
    let weak = api.new_token("default", &[Scope::TasksRead]).await;
    let weakly = |name: &str| {
        let request = api.request("POST", "/mcp").token(&weak);
        current(request, "tools/call", json!({"name": name, "arguments": {"task_id": task}})).send()
    };
    weakly("get_task").await.expect(200);
    let refused = weakly("complete_task").await;
    refused.problem(403, "insufficient-scope");
    assert!(refused.header("www-authenticate").unwrap().contains(r#"scope="tasks:write""#));
    current(api.request("POST", "/mcp"), "tools/list", json!({})).send().await.problem(401, "unauthenticated");
}

#[tokio::test]
async fn what_is_no_message_of_the_protocol_is_refused_in_its_terms() {
    let api = Api::start().await;
    let call = || api.call("POST", "/mcp");
    assert_eq!(error(&call().body("application/json", "{").send().await, 400), -32700);
    assert_eq!(error(&call().json(&json!([])).send().await, 400), -32600);
    assert_eq!(error(&earlier(call(), "resources/list", json!({})).send().await, 404), -32601);
    assert_eq!(error(&current(call(), "initialize", json!({})).send().await, 404), -32601);
    assert_eq!(error(&current(call(), "tools/call", json!({"name": "rm"})).send().await, 400), -32602);
    let unequal = current(call(), "tools/list", json!({})).header("mcp-method", "ping");
    assert_eq!(error(&unequal.send().await, 400), -32020);
    let unknown = earlier(call().header("mcp-protocol-version", "2020-01-01"), "tools/list", json!({})).send().await;
    assert_eq!(error(&unknown, 400), -32022);
    assert_eq!(unknown.json()["error"]["data"]["supported"], json!([CURRENT]));
    api.get("/mcp").await.problem(405, "method-not-allowed");
    let foreign = earlier(call().header("origin", "https://evil.example"), "tools/list", json!({})).send().await;
    foreign.problem(403, "invalid-request");
    earlier(call().header("origin", "http://gleaner"), "tools/list", json!({})).send().await.expect(200);
}
