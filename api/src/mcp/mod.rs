//! `/mcp`: the API as tools for agents, by the Model Context Protocol over streamable HTTP.
//!
//! Each POST is one JSON-RPC message that stands for itself: no session and no stream, so any process may answer it. A
//! tool is a route of this API, run for the same caller, so it can do nothing that the token could not do over HTTP; so are
//! resources, and what the prompt tells.

pub mod message;
mod prompt;
mod resource;
mod tool;

use crate::{
    in_process::InProcessClient,
    json,
    operation::{Doc, Operation},
    problem::Problem,
    request_id::REQUEST_ID,
    route::{ApiCall, HandlerResult, Route, RouteTable},
};
use axum::{
    body::Body,
    http::{HeaderMap, HeaderName, Method, Request, StatusCode, header, request::Builder},
    response::{IntoResponse as _, Response},
};
use message::{CURRENT, EARLIER, Era, RpcError, RpcFailure, RpcMessage};
use serde_json::{Map, Value, json};

const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");

/// How long a client may keep what a list says: it changes with a release alone.
const KEEP_MS: u64 = 3_600_000;

/// Summary, tag, parameters and answers.
pub fn docs(doc: &mut Doc) -> Operation {
    Operation::new("mcp", "Service", "The tools for agents (MCP)")
        .about(
            "The Model Context Protocol over streamable HTTP: one JSON-RPC message a POST, without sessions. Speaks \
             revision 2026-07-28, and for clients that begin with `initialize` also 2025-11-25, 2025-06-18 and \
             2025-03-26. A tool needs the scope of the route that it stands for; resources and prompts need `tasks:read`.",
        )
        .takes_header("MCP-Protocol-Version", "The revision that the client speaks.", json!({"type": "string"}))
        .takes::<message::PostedMessage>(doc, &["application/json"])
        .answers::<message::RpcResponse>(doc, 200, "The answer to a request.")
        .answers_empty(202, "A notification was taken.")
        .answers::<message::RpcResponse>(doc, 400, "The message is not one that this server can read.")
        .answers::<message::RpcResponse>(doc, 404, "There is no such method.")
        .fails(403, "The token lacks the scope that the tool needs, or another site sent the request.")
}

/// `POST /mcp`
pub async fn handle(call: &mut ApiCall) -> HandlerResult {
    if is_foreign(&call.headers) {
        return Err(Problem::invalid("/Origin", "must be this server's own").with_status(StatusCode::FORBIDDEN));
    }
    let taken = call.body(&["application/json"]).await?;
    let message = match RpcMessage::read(&taken.bytes) {
        Ok(message) => message,
        Err(fault) => return message::refusal(&Value::Null, &fault),
    };
    drop(taken);
    let Some(id) = message.id.clone() else { return Ok(StatusCode::ACCEPTED.into_response()) };
    let era = match message.era(&call.headers) {
        Ok(era) => era,
        Err(fault) => return message::refusal(&id, &fault),
    };
    match answer(call, era, message).await {
        Ok(result) => json::answer(&json!({"jsonrpc": "2.0", "id": id, "result": result})),
        Err(RpcFailure::Error(error)) => message::refusal(&id, &error.in_era(era)),
        Err(RpcFailure::Problem(problem)) => Err(problem),
        Err(RpcFailure::Answer(answer)) => Ok(answer),
    }
}

/// Whether a page of another site made a browser send this.
fn is_foreign(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).and_then(|value: &axum::http::HeaderValue| value.to_str().ok());
    let Some(origin) = headers.get(header::ORIGIN) else { return false };
    let host = origin.to_str().ok().and_then(|origin| origin.split_once("://")).map(|(_, host)| host);
    host.zip(text(header::HOST)).is_none_or(|(origin, host)| !origin.eq_ignore_ascii_case(host))
}

/// Answers one request, in the form of the revision that the client speaks.
async fn answer(call: &mut ApiCall, era: Era, message: RpcMessage) -> Result<Value, RpcFailure> {
    let mut result = match (era, message.method.as_str()) {
        (Era::Current, "server/discover") => kept(discovered(), KEEP_MS),
        (Era::Earlier, "initialize") => return Ok(initialized(&message.params)),
        (Era::Earlier, "ping") => return Ok(json!({})),
        (_, "tools/list") => kept(json!({"tools": tool::list(routes(call)?)}), KEEP_MS),
        (_, "tools/call") => called(call, message.params).await?,
        (_, "resources/list") => kept(resource::list(call, &message.params).await?, 0),
        (_, "resources/templates/list") => kept(resource::templates(), KEEP_MS),
        (_, "resources/read") => kept(resource::read(call, era, &message.params).await?, 0),
        (_, "prompts/list") => kept(prompt::list(), KEEP_MS),
        (_, "prompts/get") => prompt::get(call, &message.params).await?,
        (_, other) => return Err(RpcError::unknown_method(other).into()),
    };
    if era == Era::Current {
        result["resultType"] = "complete".into();
        result["_meta"] = json!({"io.modelcontextprotocol/serverInfo": about()});
    } else if let Some(members) = result.as_object_mut() {
        members.retain(|name, _| !KEPT.contains(&name.as_str()));
    }
    Ok(result)
}

fn about() -> Value {
    json!({"name": "gleaner", "title": "Gleaner", "version": env!("CARGO_PKG_VERSION")})
}

const INSTRUCTIONS: &str = "Gleaner finds tasks in meetings, mail and chat, each with the words that prove it. List \
    tasks with list_tasks; quote a task's evidence when you tell somebody of it. Content goes in with submit_item and \
    becomes tasks when its job has succeeded: ask get_job. Open tasks are resources too, and so are the tasks of an item \
    (gleaner://items/{source_type}/{external_id}/tasks).";

fn discovered() -> Value {
    json!({
        "supportedVersions": [CURRENT],
        "capabilities": capabilities(),
        "instructions": INSTRUCTIONS,
    })
}

/// The handshake of earlier revisions: the client's own revision, where it is one of them.
fn initialized(params: &Map<String, Value>) -> Value {
    let wanted = params.get("protocolVersion").and_then(Value::as_str);
    let version = EARLIER.into_iter().find(|known| Some(*known) == wanted).unwrap_or(EARLIER[0]);
    json!({
        "protocolVersion": version,
        "capabilities": capabilities(),
        "serverInfo": about(),
        "instructions": INSTRUCTIONS,
    })
}

fn capabilities() -> Value {
    json!({"tools": {}, "resources": {}, "prompts": {}})
}

/// Members by which the current revision says how long a result may be kept; earlier ones know nothing of it.
const KEPT: [&str; 2] = ["ttlMs", "cacheScope"];

fn kept(mut result: Value, milliseconds: u64) -> Value {
    result[KEPT[0]] = milliseconds.into();
    result[KEPT[1]] = "private".into();
    result
}

async fn called(call: &mut ApiCall, mut params: Map<String, Value>) -> Result<Value, RpcFailure> {
    let name = params.get("name").and_then(Value::as_str).unwrap_or_default();
    let tool = tool::TOOLS.iter().find(|tool| tool.name == name);
    let tool = tool.ok_or_else(|| RpcError::params(format!("there is no tool {name:.64}; ask tools/list")))?;
    let arguments = match params.remove("arguments") {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(arguments)) => arguments,
        Some(_) => return Err(RpcError::params("arguments must be an object".to_owned()).into()),
    };
    tool.run(call, arguments).await
}

/// The routes that tools stand for.
fn routes(call: &ApiCall) -> Result<&'static [Route], Problem> {
    let table = call.extensions.get().map(|RouteTable(routes)| *routes);
    table.ok_or_else(|| Problem::internal("a request without the table of routes"))
}

/// A request of the caller to another route.
fn request(call: &ApiCall, method: &Method, path: &str) -> Builder {
    let request = Request::builder().method(method).uri(path).header(REQUEST_ID, call.request_id.as_str());
    let taken_over = [header::AUTHORIZATION, TRACEPARENT];
    taken_over.iter().fold(request, |request, name| match call.headers.get(name) {
        Some(value) => request.header(name, value),
        None => request,
    })
}

/// Sends it, and hands back the answer as it comes.
async fn send(call: &mut ApiCall, request: Builder, body: Body) -> Result<Response, Problem> {
    let client: &InProcessClient =
        call.extensions.get().ok_or_else(|| Problem::internal("a request without a client of the routes"))?;
    // What no address can be names nothing that is there.
    let request = request.body(body).map_err(|_| Problem::not_found())?;
    Ok(client.send(request).await)
}
