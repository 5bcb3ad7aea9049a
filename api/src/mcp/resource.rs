//! Resources: a task by its URI, and the tasks of an item. Each is read by a route, for the same caller.

use super::{
    message::{Era, RpcError, RpcFailure},
    request, send,
};
use crate::{address, in_process, problem::Problem, route::ApiCall};
use axum::{
    body::Body,
    http::{Method, StatusCode},
};
use gleaner_model::{Page, Task, TaskId, TaskStatus};
use percent_encoding::percent_decode_str;
use serde_json::{Map, Value, json};

/// How the URIs begin.
const SCHEME: &str = "gleaner://";
/// Longest URI that is read, in bytes: an item's id may have 256 characters, each of which may be escaped.
const MAX_URI: usize = 4_096;
/// Tasks of a page of the list.
const PAGE_SIZE: &str = "50";
/// Most tasks of an item that are read, of each status.
const MAX_ITEM_TASKS: &str = "200";
const JSON: &str = "application/json";

/// The URI of a task.
pub fn uri(id: TaskId) -> String {
    format!("{SCHEME}tasks/{id}")
}

/// `resources/templates/list`
pub fn templates() -> Value {
    json!({"resourceTemplates": [
        {
            "uriTemplate": format!("{SCHEME}tasks/{{task_id}}"),
            "name": "task",
            "title": "A task",
            "description": "One task with owner, due date and the words that prove it.",
            "mimeType": JSON,
        },
        {
            "uriTemplate": format!("{SCHEME}items/{{source_type}}/{{external_id}}/tasks"),
            "name": "item_tasks",
            "title": "An item's tasks",
            "description": "What is open and what is completed of one meeting, mail, chat or note; at most 200 of each.",
            "mimeType": JSON,
        },
    ]})
}

/// `resources/list`: the open tasks, a page at a time.
///
/// # Errors
/// What the route refuses.
pub async fn list(call: &mut ApiCall, params: &Map<String, Value>) -> Result<Value, RpcFailure> {
    let cursor = match params.get("cursor") {
        None | Some(Value::Null) => "",
        Some(Value::String(cursor)) => cursor.as_str(),
        Some(_) => return Err(RpcError::params("cursor must be text".to_owned()).into()),
    };
    let page = tasks(call, &[("status", "open"), ("limit", PAGE_SIZE), ("cursor", cursor)]).await?;
    let resources: Vec<_> = page.items.iter().map(listed).collect();
    let mut list = json!({"resources": resources});
    if let Some(next) = page.next_cursor {
        list["nextCursor"] = next.into();
    }
    Ok(list)
}

fn listed(task: &Task) -> Value {
    let owner = task.owner.as_ref().map(|owner| if owner.is_me { "me" } else { owner.name.as_str() });
    let due = task.due.as_ref().map(|due| format!("due {}", due.date));
    let facts: Vec<_> = owner.map(str::to_owned).into_iter().chain(due).collect();
    let mut resource = json!({
        "uri": uri(task.id),
        "name": task.id,
        "title": task.title,
        "mimeType": JSON,
        "annotations": {"priority": task.priority, "lastModified": task.updated_at},
    });
    if !facts.is_empty() {
        resource["description"] = facts.join(", ").into();
    }
    resource
}

/// `resources/read`
///
/// # Errors
/// Where nothing of the caller's has that URI, and what the route refuses.
pub async fn read(call: &mut ApiCall, era: Era, params: &Map<String, Value>) -> Result<Value, RpcFailure> {
    let uri = params.get("uri").and_then(Value::as_str).filter(|uri| uri.len() <= MAX_URI);
    let uri = uri.ok_or_else(|| RpcError::params(format!("uri must be text of at most {MAX_URI} bytes")))?;
    let content = match named(uri) {
        Some(ResourceUri::Task(id)) => get(call, &format!("/tasks/{}", address::segment(&id))).await?,
        Some(ResourceUri::Item(kind, id)) => Some(of_item(call, &kind, &id).await?),
        None => None,
    };
    let content = content.ok_or_else(|| RpcError::no_resource(era, uri))?;
    Ok(json!({"contents": [{"uri": uri, "mimeType": JSON, "text": content.to_string()}]}))
}

/// What a URI names.
#[derive(Debug, PartialEq, Eq)]
enum ResourceUri {
    Task(String),
    Item(String, String),
}

fn named(uri: &str) -> Option<ResourceUri> {
    let plain = |text: &str| percent_decode_str(text).decode_utf8().ok().map(std::borrow::Cow::into_owned);
    let parts: Vec<_> = uri.strip_prefix(SCHEME)?.split('/').map(plain).collect::<Option<_>>()?;
    match parts.as_slice() {
        [tasks, id] if tasks == "tasks" => Some(ResourceUri::Task(id.clone())),
        [items, kind, id, tasks] if items == "items" && tasks == "tasks" => {
            Some(ResourceUri::Item(kind.clone(), id.clone()))
        }
        _ => None,
    }
}

async fn of_item(call: &mut ApiCall, kind: &str, id: &str) -> Result<Value, RpcFailure> {
    let mut all = json!({"source_type": kind, "external_id": id});
    for status in [TaskStatus::Open, TaskStatus::Completed] {
        let filters =
            [("status", status.as_str()), ("source_type", kind), ("external_id", id), ("limit", MAX_ITEM_TASKS)];
        let page = tasks(call, &filters).await?;
        all[status.as_str()] = json!(page.items);
    }
    Ok(all)
}

/// A page of tasks.
///
/// # Errors
/// What the route refuses.
pub async fn tasks(call: &mut ApiCall, filters: &[(&str, &str)]) -> Result<Page<Task>, RpcFailure> {
    let page = get(call, &address::with_query("/tasks", filters)).await?;
    let page = page.ok_or_else(|| RpcError::params("there is no such list".to_owned()))?;
    serde_json::from_value(page).map_err(|error| RpcFailure::Problem(Problem::internal(error)))
}

/// What a route answers to a GET; `None` where there is nothing.
async fn get(call: &mut ApiCall, path: &str) -> Result<Option<Value>, RpcFailure> {
    let request = request(call, &Method::GET, path);
    let answer = send(call, request, Body::empty()).await?;
    match answer.status() {
        StatusCode::NOT_FOUND => Ok(None),
        StatusCode::UNPROCESSABLE_ENTITY => {
            let problem: Value = in_process::json(answer).await.map_err(Problem::internal)?;
            Err(RpcError::params(problem["detail"].as_str().unwrap_or_default().to_owned()).into())
        }
        status if status.is_success() => Ok(Some(in_process::json(answer).await.map_err(Problem::internal)?)),
        _ => Err(RpcFailure::Answer(answer)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uri_names_a_task_or_an_item() {
        assert_eq!(named("gleaner://tasks/0197"), Some(ResourceUri::Task("0197".into())));
        let item = ResourceUri::Item("meeting".into(), "a/b c".into());
        assert_eq!(named("gleaner://items/meeting/a%2Fb%20c/tasks"), Some(item));
        for other in [
            "gleaner://tasks",
            "gleaner://tasks/a/b",
            "gleaner://items/m/tasks",
            "https://tasks/1",
            "",
            "gleaner://tasks/%ff",
        ] {
            assert_eq!(named(other), None, "{other}");
        }
    }
}
