//! /mcp: the API as tools for agents.

use chrono::Utc;
use gleaner_model::Scope;
use gleaner_testkit::{
    api::{Api, item},
    fixture::{due, mention, owed_by},
    http::{HttpRequest, HttpResponse},
};
use serde_json::{Value, json};

const CURRENT: &str = "2026-07-28";

/// A request of the current revision: message and headers say the same.
fn current(request: HttpRequest, method: &str, mut params: Value) -> HttpRequest {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": CURRENT, "io.modelcontextprotocol/clientCapabilities": {},
    });
    let request = request.header("mcp-protocol-version", CURRENT).header("mcp-method", method);
    let member = if method == "resources/read" { "uri" } else { "name" };
    let named = params[member].as_str().map(str::to_owned);
    let request = named.iter().fold(request, |request, name| request.header("mcp-name", name));
    request.json(&json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params}))
}

/// A request of a revision before it.
fn earlier(request: HttpRequest, method: &str, params: Value) -> HttpRequest {
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
fn error(answer: &HttpResponse, status: u16) -> i64 {
    assert_eq!(answer.status, status, "{}", answer.text());
    answer.json()["error"]["code"].as_i64().unwrap()
}

#[tokio::test]
async fn a_client_of_the_current_revision_discovers_and_lists_without_a_session() {
    let api = Api::start().await;
    let found = current(api.call("POST", "/mcp"), "server/discover", json!({})).send().await.expect(200);
    assert_eq!(found.header("mcp-session-id"), None);
    let found = found.json()["result"].clone();
    assert_eq!(found["supportedVersions"], json!([CURRENT]));
    assert_eq!(found["capabilities"], json!({"tools": {}, "resources": {}, "prompts": {}}));
    assert_eq!(found["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "gleaner");
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
async fn tasks_are_resources_and_so_are_those_of_an_item() {
    let api = Api::start().await;
    let ask = |method: &'static str, params: Value| current(api.call("POST", "/mcp"), method, params).send();
    let task = api.task(due("2026-03-06", mention("a/b c", "Send the offer"))).await.id.to_string();
    let done = api.task(mention("a/b c", "Book the room")).await.id.to_string();
    told(&tool(&api, "complete_task", json!({"task_id": done})).await);

    let listed = ask("resources/list", json!({})).await.expect(200).json()["result"].clone();
    assert_eq!((listed["ttlMs"].as_u64(), listed["cacheScope"].as_str()), (Some(0), Some("private")));
    let [only] = &listed["resources"].as_array().unwrap()[..] else { panic!("{listed}") };
    let uri = format!("gleaner://tasks/{task}");
    assert_eq!((only["uri"].as_str(), only["title"].as_str()), (Some(uri.as_str()), Some("Send the offer")));
    assert_eq!(only["description"], "me, due 2026-03-06");

    let templates = ask("resources/templates/list", json!({})).await.expect(200).json();
    let templates = templates["result"]["resourceTemplates"].as_array().unwrap().clone();
    let forms: Vec<_> = templates.iter().map(|template| template["uriTemplate"].as_str().unwrap()).collect();
    assert_eq!(forms, ["gleaner://tasks/{task_id}", "gleaner://items/{source_type}/{external_id}/tasks"]);

    let read = async |uri: &str| {
        let read = ask("resources/read", json!({"uri": uri})).await.expect(200).json()["result"]["contents"].clone();
        assert_eq!((read[0]["uri"].as_str(), read[0]["mimeType"].as_str()), (Some(uri), Some("application/json")));
        serde_json::from_str::<Value>(read[0]["text"].as_str().unwrap()).unwrap()
    };
    assert_eq!(read(&uri).await["evidence"][0]["quote"], "I'll Send the offer");
    let of_item = read("gleaner://items/meeting/a%2Fb%20c/tasks").await;
    assert_eq!((&of_item["open"][0]["id"], &of_item["completed"][0]["id"]), (&json!(task), &json!(done)));
    assert_eq!(read("gleaner://items/meeting/other/tasks").await["open"], json!([]));
}

#[tokio::test]
async fn resources_are_listed_a_page_at_a_time() {
    let api = Api::start().await;
    for n in 0..51 {
        api.task(mention(&format!("m-{n}"), &format!("Sort pile number {n}"))).await;
    }
    let page = async |params: Value| {
        let request = earlier(api.call("POST", "/mcp"), "resources/list", params);
        request.send().await.expect(200).json()["result"].clone()
    };
    let first = page(json!({})).await;
    assert_eq!((first["resources"].as_array().unwrap().len(), first["ttlMs"].is_null()), (50, true));
    let last = page(json!({"cursor": first["nextCursor"]})).await;
    assert_eq!((last["resources"].as_array().unwrap().len(), last["nextCursor"].is_null()), (1, true));
    let wrong = earlier(api.call("POST", "/mcp"), "resources/list", json!({"cursor": "x"})).send().await;
    assert_eq!(error(&wrong, 200), -32602);
}

#[tokio::test]
async fn a_resource_that_is_not_there_is_refused_in_the_revisions_own_terms() {
    let api = Api::start().await;
    let foreign = api.task_of("team-b", mention("m-1", "Send the offer")).await.id;
    let foreign = format!("gleaner://tasks/{foreign}");
    let long = format!("gleaner://items/meeting/{}/tasks", "x".repeat(5_000));
    for uri in [foreign.as_str(), "gleaner://tasks/none", "https://example.com/", &long] {
        let missing = current(api.call("POST", "/mcp"), "resources/read", json!({"uri": uri})).send().await;
        assert_eq!(error(&missing, 400), -32602, "{uri:.60}");
    }
    let missing = earlier(api.call("POST", "/mcp"), "resources/read", json!({"uri": "gleaner://tasks/none"}));
    let missing = missing.send().await;
    assert_eq!(error(&missing, 200), -32002);
    assert_eq!(missing.json()["error"]["data"]["uri"], "gleaner://tasks/none");
    let unequal = current(api.call("POST", "/mcp"), "resources/read", json!({"uri": "gleaner://tasks/none"}));
    assert_eq!(error(&unequal.header("mcp-name", "gleaner://tasks/other").send().await, 400), -32020);
    let weak = api.new_token("default", &[Scope::IngestWrite]).await;
    let weakly =
        |method: &'static str, params: Value| current(api.request("POST", "/mcp").token(&weak), method, params);
    for (method, params) in [
        ("resources/list", json!({})),
        ("resources/read", json!({"uri": "gleaner://items/meeting/m-1/tasks"})),
        ("prompts/get", json!({"name": "open_this_week"})),
    ] {
        weakly(method, params).send().await.problem(403, "insufficient-scope");
    }
    weakly("resources/templates/list", json!({})).send().await.expect(200);
}

#[tokio::test]
async fn the_prompt_tells_what_is_open_for_me_this_week() {
    let api = Api::start().await;
    let today = Utc::now().date_naive().to_string();
    api.task(due("2020-01-01", mention("m-1", "Send the offer"))).await;
    let this = api.task(due(&today, mention("m-2", "Book the room"))).await.id;
    api.task(due("2999-01-01", mention("m-3", "Plan the next millennium"))).await;
    api.task(owed_by("Priya Raman", mention("m-4", "Review the draft"))).await;
    let ask = |method: &'static str, params: Value| current(api.call("POST", "/mcp"), method, params).send();
    let listed = ask("prompts/list", json!({})).await.expect(200).json()["result"].clone();
    assert_eq!((listed["prompts"][0]["name"].as_str(), listed["ttlMs"].is_u64()), (Some("open_this_week"), true));
    let got = ask("prompts/get", json!({"name": "open_this_week"})).await.expect(200).json()["result"].clone();
    assert_eq!((got["resultType"].as_str(), got["messages"][0]["role"].as_str()), (Some("complete"), Some("user")));
    let text = got["messages"][0]["content"]["text"].as_str().unwrap();
    let at = |words: &str| text.find(words).unwrap_or_else(|| panic!("no {words}: {text}"));
    assert!(text.contains(&today) && at("Mine: late (1)") < at("- Send the offer, due 2020-01-01"));
    assert!(at("Mine: this week (1)") < at(&format!("- Book the room, due {today} <gleaner://tasks/{this}>")));
    assert!(at("I wait for (1)") < at("- Priya Raman: Review the draft"));
    assert!(!text.contains("millennium"), "{text}");
    assert_eq!(error(&ask("prompts/get", json!({"name": "rm"})).await, 400), -32602);
    let hello = earlier(api.call("POST", "/mcp"), "prompts/get", json!({"name": "open_this_week"}));
    assert!(hello.send().await.expect(200).json()["result"]["messages"].is_array());
}

#[tokio::test]
async fn what_is_no_message_of_the_protocol_is_refused_in_its_terms() {
    let api = Api::start().await;
    let call = || api.call("POST", "/mcp");
    assert_eq!(error(&call().body("application/json", "{").send().await, 400), -32700);
    assert_eq!(error(&call().json(&json!([])).send().await, 400), -32600);
    assert_eq!(error(&current(call(), "sampling/createMessage", json!({})).send().await, 404), -32601);
    let unknown = earlier(call(), "sampling/createMessage", json!({})).send().await;
    assert_eq!(error(&unknown, 200), -32601, "clients of earlier revisions do not read other statuses");
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
