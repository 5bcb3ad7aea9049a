//! The tools: each is a route by another name. What it takes is read off the route's own description.

use super::{message::RpcFailure, request, send};
use crate::{
    address, in_process, openapi,
    problem::Problem,
    route::{ApiCall, Route},
};
use axum::{
    body::Body,
    http::{HeaderName, HeaderValue, Method, StatusCode, header, request::Builder},
};
use serde_json::{Map, Value, json};
use std::sync::OnceLock;

const PREFER: HeaderName = HeaderName::from_static("prefer");

/// What a tool may do to what is there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ToolEffect {
    Reads,
    Adds,
    Changes,
    Destroys,
}

/// A route as a tool.
pub struct McpTool {
    pub name: &'static str,
    title: &'static str,
    description: &'static str,
    effect: ToolEffect,
    method: Method,
    path: &'static str,
    /// A member of the body that the tool itself sets.
    sets: Option<(&'static str, &'static str)>,
    /// Whether it takes `wait_s`.
    waits: bool,
}

impl McpTool {
    const fn new(name: &'static str, effect: ToolEffect, method: Method, path: &'static str) -> Self {
        Self { name, title: "", description: "", effect, method, path, sets: None, waits: false }
    }

    const fn about(mut self, title: &'static str, description: &'static str) -> Self {
        (self.title, self.description) = (title, description);
        self
    }

    const fn setting(mut self, member: &'static str, value: &'static str) -> Self {
        self.sets = Some((member, value));
        self
    }

    const fn waiting(mut self) -> Self {
        self.waits = true;
        self
    }
}

/// All tools, in the order in which they are listed.
pub static TOOLS: [McpTool; 10] = [
    McpTool::new("list_tasks", ToolEffect::Reads, Method::GET, "/tasks").about(
        "List tasks",
        "Tasks with owner, due date, priority and evidence; filtered, searched and sorted. Follow next_cursor for more.",
    ),
    McpTool::new("get_task", ToolEffect::Reads, Method::GET, "/tasks/{task_id}").about("Get a task", "One task by its id."),
    McpTool::new("explain_task", ToolEffect::Reads, Method::GET, "/tasks/{task_id}/explain")
        .about("Explain a task", "Why a task was extracted, and why it ranks where it does."),
    McpTool::new("edit_task", ToolEffect::Changes, Method::PATCH, "/tasks/{task_id}").about(
        "Edit a task",
        "Sets title, due date, owner, status or whom is waited for. What is absent stays; null clears.",
    ),
    McpTool::new("complete_task", ToolEffect::Changes, Method::PATCH, "/tasks/{task_id}")
        .setting("status", "completed")
        .about("Complete a task", "Marks a task as done."),
    McpTool::new("give_feedback", ToolEffect::Changes, Method::POST, "/tasks/{task_id}/feedback").about(
        "Rate a task",
        "Rates a task up or down; extraction and ranking learn from it. Down as not_a_task dismisses it.",
    ),
    McpTool::new("submit_item", ToolEffect::Adds, Method::POST, "/ingest/items").about(
        "Submit an item",
        "Content in: a meeting's transcript, a mail, a chat, a note. Answers with a job_id; its tasks are there when \
         the job has succeeded.",
    ),
    McpTool::new("get_job", ToolEffect::Reads, Method::GET, "/ingest/jobs/{job_id}")
        .waiting()
        .about("Get a job", "Where a submission stands, and the ids of its tasks when it has succeeded."),
    McpTool::new("report_missed_task", ToolEffect::Adds, Method::POST, "/ingest/items/{source_type}/{external_id}/missed")
        .about("Report a missed task", "Adds a task that the engine overlooked in an item, with the words that prove it."),
    McpTool::new("erase_item", ToolEffect::Destroys, Method::DELETE, "/ingest/items/{source_type}/{external_id}")
        .about("Erase an item", "Erases an item, its evidence, and the tasks that rest on it alone. For good."),
];

/// The tools as `tools/list` tells them.
pub fn list(routes: &'static [Route]) -> &'static [Value] {
    static LIST: OnceLock<Vec<Value>> = OnceLock::new();
    LIST.get_or_init(|| TOOLS.iter().map(|tool| tool.listed(routes)).collect())
}

impl McpTool {
    fn route(&self, routes: &'static [Route]) -> Option<&'static Route> {
        routes.iter().find(|route| route.path == self.path && route.method == self.method)
    }

    fn listed(&self, routes: &'static [Route]) -> Value {
        let mut schema = self.route(routes).map_or_else(|| json!({"type": "object"}), openapi::arguments);
        if let (Some((name, _)), Some(properties)) = (self.sets, schema["properties"].as_object_mut()) {
            properties.retain(|known, _| known != name && self.path.contains(&format!("{{{known}}}")));
        }
        if self.waits {
            let about = "Seconds to wait for the job's end, at most 30.";
            schema["properties"]["wait_s"] =
                json!({"type": "integer", "minimum": 0, "maximum": 30, "description": about});
        }
        json!({
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": schema,
            "annotations": {
                "readOnlyHint": self.effect == ToolEffect::Reads,
                "destructiveHint": self.effect == ToolEffect::Destroys,
                "idempotentHint": self.effect != ToolEffect::Adds,
                "openWorldHint": false,
            },
        })
    }

    /// Runs the tool for the caller. What the route refuses is a result that says so, for the model to read.
    ///
    /// # Errors
    /// 403 where the token lacks the scope: that is for the client to see.
    pub async fn run(&self, call: &mut ApiCall, arguments: Map<String, Value>) -> Result<Value, RpcFailure> {
        let (request, body) = match self.request(call, arguments) {
            Ok(request) => request,
            Err(problem) => {
                let body = problem.body(call.request_id.as_str());
                return Ok(result(serde_json::from_slice(&body).unwrap_or_default(), true));
            }
        };
        let answer = send(call, request, body).await?;
        let status = answer.status();
        if status == StatusCode::FORBIDDEN {
            return Err(RpcFailure::Answer(answer));
        }
        let content: Value = in_process::json(answer).await.map_err(Problem::internal)?;
        Ok(result(if content.is_null() { json!({}) } else { content }, !status.is_success()))
    }

    /// The arguments as the route takes them: in path, query, header and body.
    fn request(&self, call: &ApiCall, mut arguments: Map<String, Value>) -> Result<(Builder, Body), Problem> {
        let mut path = String::new();
        for part in self.path.split('/').skip(1) {
            path.push('/');
            match part.strip_prefix('{').and_then(|part| part.strip_suffix('}')) {
                None => path += part,
                Some(name) => {
                    let value = arguments.remove(name);
                    let text = value.as_ref().and_then(Value::as_str);
                    path += &address::segment(text.ok_or_else(|| Problem::invalid(format!("/{name}"), "is required"))?);
                }
            }
        }
        let wait = if self.waits { arguments.remove("wait_s") } else { None };
        if let Some((name, value)) = self.sets {
            arguments.clear();
            arguments.insert(name.to_owned(), value.into());
        }
        if self.method == Method::GET {
            return Ok((
                with_wait(request(call, &self.method, &format!("{path}?{}", query(arguments)?)), wait),
                Body::empty(),
            ));
        }
        let request = request(call, &self.method, &path);
        if self.method == Method::DELETE {
            return Ok((request, Body::empty()));
        }
        let body = Body::from(Value::Object(arguments).to_string());
        Ok((request.header(header::CONTENT_TYPE, "application/json"), body))
    }
}

/// A request that waits so long for its answer. Whatever stands there, the route says what it may be.
fn with_wait(request: Builder, wait: Option<Value>) -> Builder {
    match wait.and_then(|wait| HeaderValue::from_str(&format!("wait={wait}")).ok()) {
        Some(prefer) => request.header(PREFER, prefer),
        None => request,
    }
}

/// Arguments as a query string.
fn query(arguments: Map<String, Value>) -> Result<String, Problem> {
    let mut out = form_urlencoded::Serializer::new(String::new());
    for (name, value) in arguments {
        match value {
            Value::Null => {}
            Value::String(text) => drop(out.append_pair(&name, &text)),
            Value::Bool(_) | Value::Number(_) => drop(out.append_pair(&name, &value.to_string())),
            Value::Array(_) | Value::Object(_) => {
                return Err(Problem::invalid(format!("/{name:.100}"), "must be text, a number, true or false"));
            }
        }
    }
    Ok(out.finish())
}

/// Both for programs and, as text, for clients that know no other form.
fn result(answer: Value, is_error: bool) -> Value {
    json!({
        "content": [{"type": "text", "text": answer.to_string()}],
        "structuredContent": answer,
        "isError": is_error,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::router::ROUTES;

    #[test]
    fn every_tool_is_a_route_and_says_what_it_takes() {
        for tool in &TOOLS {
            assert!(tool.route(ROUTES).is_some(), "{}", tool.name);
            let schema = &tool.listed(ROUTES)["inputSchema"];
            assert_eq!(schema["type"], "object", "{}", tool.name);
            for required in schema["required"].as_array().into_iter().flatten() {
                assert!(schema["properties"][required.as_str().unwrap()].is_object(), "{}: {required}", tool.name);
            }
        }
    }

    #[test]
    fn what_a_tool_sets_itself_is_not_asked_for() {
        let complete = TOOLS.iter().find(|tool| tool.name == "complete_task").unwrap();
        let schema = &complete.listed(ROUTES)["inputSchema"];
        assert_eq!(schema["properties"].as_object().unwrap().len(), 1, "{schema}");
        assert_eq!(schema["required"], json!(["task_id"]));
    }
}
