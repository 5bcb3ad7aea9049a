//! The tools: each is a route by another name. What it takes is read off the route's own description.

use crate::{
    envelope::RequestId,
    openapi,
    problem::Problem,
    route::{self, ApiCall, InnerCall, Route},
    router,
};
use axum::{
    body::to_bytes,
    http::{HeaderValue, Method},
    response::Response,
};
use serde_json::{Map, Value, json};
use std::sync::LazyLock;

/// Largest answer of a route: a page of 200 tasks with much evidence each.
const MAX_ANSWER: usize = 8 << 20;

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
pub static LIST: LazyLock<Vec<Value>> = LazyLock::new(|| TOOLS.iter().map(McpTool::listed).collect());

impl McpTool {
    fn route(&self) -> Option<&'static Route> {
        router::ROUTES.iter().find(|route| route.path == self.path && route.method == self.method)
    }

    fn listed(&self) -> Value {
        let mut schema = self.route().map_or_else(|| json!({"type": "object"}), openapi::arguments);
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
    pub async fn run(&self, call: &mut ApiCall, arguments: Map<String, Value>) -> Result<Value, Problem> {
        let route = self.route().ok_or_else(Problem::not_found)?;
        route::allowed_to(&call.caller, route)?;
        let response = match self.request(route, arguments) {
            Ok(request) => route::inside(call, route, request).await,
            Err(problem) => return Ok(refused(&problem, &call.request_id)),
        };
        told(response, &call.request_id.clone()).await
    }

    /// The arguments as the route takes them: in path, query, header and body.
    fn request(&self, route: &'static Route, mut arguments: Map<String, Value>) -> Result<InnerCall, Problem> {
        let mut request = InnerCall::default();
        for name in route.path_parameters() {
            let value = arguments.remove(name);
            let text = value
                .as_ref()
                .and_then(Value::as_str)
                .ok_or_else(|| Problem::invalid(format!("/{name}"), "is required"))?;
            request.path.push((name.to_owned(), text.to_owned()));
        }
        if self.waits
            && let Some(wait) = arguments.remove("wait_s")
        {
            // Whatever stands there, the route says what it may be.
            request.prefer = HeaderValue::from_str(&format!("wait={wait}")).ok();
        }
        if let Some((name, value)) = self.sets {
            arguments.clear();
            arguments.insert(name.to_owned(), value.into());
        }
        if route.method == Method::GET {
            request.query = query(arguments)?;
        } else if route.method != Method::DELETE {
            request.body = Some(Value::Object(arguments));
        }
        Ok(request)
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

/// A route's answer as a tool's result.
async fn told(mut response: Response, request_id: &RequestId) -> Result<Value, Problem> {
    if let Some(problem) = response.extensions_mut().remove::<Problem>() {
        return Ok(refused(&problem, request_id));
    }
    let bytes = to_bytes(response.into_body(), MAX_ANSWER).await.map_err(Problem::internal)?;
    let answer =
        if bytes.is_empty() { json!({}) } else { serde_json::from_slice(&bytes).map_err(Problem::internal)? };
    Ok(result(answer, false))
}

fn refused(problem: &Problem, request_id: &RequestId) -> Value {
    if let Some(cause) = &problem.cause {
        tracing::error!(problem.code = problem.code.as_str(), cause, "A tool could not be run");
    }
    let body = problem.body(request_id.as_str());
    result(serde_json::from_slice(&body).unwrap_or_default(), true)
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

    #[test]
    fn every_tool_is_a_route_and_says_what_it_takes() {
        for tool in &TOOLS {
            assert!(tool.route().is_some(), "{}", tool.name);
            let schema = &tool.listed()["inputSchema"];
            assert_eq!(schema["type"], "object", "{}", tool.name);
            for required in schema["required"].as_array().into_iter().flatten() {
                assert!(schema["properties"][required.as_str().unwrap()].is_object(), "{}: {required}", tool.name);
            }
        }
    }

    #[test]
    fn what_a_tool_sets_itself_is_not_asked_for() {
        let complete = TOOLS.iter().find(|tool| tool.name == "complete_task").unwrap();
        let schema = &complete.listed()["inputSchema"];
        assert_eq!(schema["properties"].as_object().unwrap().len(), 1, "{schema}");
        assert_eq!(schema["required"], json!(["task_id"]));
    }
}
