//! What is done to a task: complete, reopen, edit, rate; each step with a way back.

use crate::web::{
    PageError, address,
    flash::{Flash, Undo},
    visit::Visit,
};
use axum::{
    extract::{Form, Path},
    http::{Method, StatusCode},
    response::Response,
};
use gleaner_model::{Scope, Task, TaskStatus};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
pub struct StatusForm {
    status: TaskStatus,
    back: String,
}

/// `POST /app/tasks/{id}/status`
pub async fn set_status(
    visit: Visit,
    Path(id): Path<String>,
    Form(form): Form<StatusForm>,
) -> Result<Response, PageError> {
    let path = format!("/tasks/{}", address::segment(&id));
    let before: Task = visit.get(&path).await?;
    visit.send(Method::PATCH, &path, Some(json!({"status": form.status}))).await?;
    let verb = match form.status {
        TaskStatus::Open => "Reopened",
        TaskStatus::Completed => "Completed",
        TaskStatus::Dismissed => "Dismissed",
    };
    let fields = vec![("status".to_owned(), before.status.as_str().to_owned())];
    let undo = Undo { path: format!("/app/tasks/{id}/status"), fields };
    Ok(visit.back(&form.back, Flash { text: format!("{verb}: {}", before.title), undo: Some(undo) }))
}

#[derive(Deserialize)]
pub struct EditForm {
    title: String,
    owner: String,
    due: String,
    back: String,
}

/// `POST /app/tasks/{id}/edit`
pub async fn edit(visit: Visit, Path(id): Path<String>, Form(form): Form<EditForm>) -> Result<Response, PageError> {
    let path = format!("/tasks/{}", address::segment(&id));
    let before: Task = visit.get(&path).await?;
    let (owner, due) = (form.owner.trim(), form.due.trim());
    let mut patch = json!({});
    if form.title.trim() != before.title {
        patch["title"] = form.title.trim().into();
    }
    if owner != before.owner.as_ref().map(|owner| owner.name.as_str()).unwrap_or_default() {
        patch["owner"] = if owner.is_empty() { Value::Null } else { json!({"name": owner}) };
    }
    let old_due = before.due.as_ref().map(|due| due.date.to_string()).unwrap_or_default();
    if due != old_due {
        patch["due"] = if due.is_empty() { Value::Null } else { json!({"date": due}) };
    }
    if patch.as_object().is_some_and(|patch| !patch.is_empty()) {
        visit.send(Method::PATCH, &path, Some(patch)).await?;
    }
    let fields = vec![
        ("title".to_owned(), before.title),
        ("owner".to_owned(), before.owner.map(|owner| owner.name).unwrap_or_default()),
        ("due".to_owned(), old_due),
    ];
    let undo = Undo { path: format!("/app/tasks/{id}/edit"), fields };
    Ok(visit.back(&form.back, Flash { text: format!("Changed: {}", form.title.trim()), undo: Some(undo) }))
}

#[derive(Deserialize)]
pub struct RateForm {
    rating: String,
    #[serde(default)]
    reason: String,
    back: String,
}

/// `POST /app/tasks/{id}/rate`
pub async fn rate(visit: Visit, Path(id): Path<String>, Form(form): Form<RateForm>) -> Result<Response, PageError> {
    let path = format!("/tasks/{}", address::segment(&id));
    let before: Task = visit.get(&path).await?;
    // "It matters more" is praise for the task, and a word about its rank.
    let rating = if form.reason == "important" { "up" } else { form.rating.as_str() };
    let mut body = json!({"rating": rating});
    if !form.reason.is_empty() {
        body["reason"] = form.reason.as_str().into();
    }
    visit.send(Method::POST, &format!("{path}/feedback"), Some(body)).await?;
    let dismissed = rating == "down" && matches!(form.reason.as_str(), "" | "not_a_task");
    let text = if dismissed { format!("Dismissed: {}", before.title) } else { format!("Thank you: {}", before.title) };
    let fields = vec![("status".to_owned(), before.status.as_str().to_owned())];
    let undo = Some(Undo { path: format!("/app/tasks/{id}/unrate"), fields });
    Ok(visit.back(&form.back, Flash { text, undo }))
}

#[derive(Deserialize)]
pub struct UnrateForm {
    /// Where the task stood before, when the rating moved it.
    #[serde(default)]
    status: Option<TaskStatus>,
    back: String,
}

/// `POST /app/tasks/{id}/unrate`
pub async fn unrate(visit: Visit, Path(id): Path<String>, Form(form): Form<UnrateForm>) -> Result<Response, PageError> {
    let path = format!("/tasks/{}", address::segment(&id));
    match visit.send(Method::DELETE, &format!("{path}/feedback"), None).await {
        Ok(_) => {}
        Err(refusal) if refusal.status == StatusCode::NOT_FOUND => {
            return Ok(visit.back(&form.back, Flash::said("You have not rated this task.")));
        }
        Err(refusal) => return Err(refusal.into()),
    }
    let now: Task = visit.get(&path).await?;
    if let Some(before) = form.status.filter(|before| *before != now.status && visit.may(Scope::TasksWrite)) {
        visit.send(Method::PATCH, &path, Some(json!({"status": before}))).await?;
    }
    Ok(visit.back(&form.back, Flash::said(format!("Taken back: {}", now.title))))
}
