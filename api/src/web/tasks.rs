//! The tasks: to see, to search, to settle.

use super::{
    Stop, address,
    done::{Done, Undo},
    frame::Frame,
    task_view::{Group, TaskView, by_person, together},
    visit::Visit,
};
use askama::Template;
use axum::{
    extract::{Form, Path, Query},
    http::{Method, StatusCode},
    response::Response,
};
use gleaner_model::{Scope, Task, TaskStatus};
use serde::Deserialize;
use serde_json::{Value, json};

/// Which tasks are shown.
#[derive(Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum View {
    /// What is to be done, by whomever.
    #[default]
    Open,
    /// What others owe.
    Waiting,
    /// What is done.
    Completed,
    /// What was none.
    Dismissed,
}

impl View {
    const ALL: [Self; 4] = [Self::Open, Self::Waiting, Self::Completed, Self::Dismissed];

    fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Waiting => "waiting",
            Self::Completed => "completed",
            Self::Dismissed => "dismissed",
        }
    }

    fn label(self) -> &'static str {
        match self {
            Self::Open => "Open",
            Self::Waiting => "Waiting on others",
            Self::Completed => "Completed",
            Self::Dismissed => "Dismissed",
        }
    }

    /// The filters that the API has for it.
    fn filters(self) -> [(&'static str, &'static str); 2] {
        match self {
            Self::Open => [("status", "open"), ("waiting_on", "")],
            Self::Waiting => [("status", "open"), ("waiting_on", "true")],
            Self::Completed => [("status", "completed"), ("waiting_on", "")],
            Self::Dismissed => [("status", "dismissed"), ("waiting_on", "")],
        }
    }

    fn empty(self) -> (&'static str, &'static str) {
        match self {
            Self::Open => ("Nothing to do.", "Promises made in meetings, mails and chats turn up here."),
            Self::Waiting => ("Nobody owes you anything.", "What others promised turns up here."),
            Self::Completed => ("Nothing is completed yet.", "What is ticked, or reported done, turns up here."),
            Self::Dismissed => ("Nothing was dismissed.", "What you say is no task turns up here."),
        }
    }
}

/// What the address asks for.
#[derive(Deserialize)]
pub struct Asked {
    #[serde(default)]
    view: View,
    #[serde(default)]
    q: String,
    #[serde(default)]
    sort: String,
    #[serde(default)]
    external_id: String,
    #[serde(default)]
    cursor: String,
}

#[derive(Deserialize)]
struct TaskPage {
    items: Vec<Task>,
    next_cursor: Option<String>,
}

struct Tab {
    address: String,
    label: &'static str,
    here: bool,
}

#[derive(Template)]
#[template(path = "tasks.html")]
struct Page {
    frame: Frame,
    view: View,
    tabs: Vec<Tab>,
    live: bool,
    q: String,
    by_priority: bool,
    summary: String,
    groups: Vec<Group>,
    next: Option<String>,
    problem: Option<String>,
    empty: (&'static str, &'static str),
    may_edit: bool,
    may_rate: bool,
    may_add: bool,
}

/// What may be wrong with a task, for the API and for people.
const REASONS: [(&str, &str); 6] = [
    ("not_a_task", "There is nothing to do"),
    ("wrong_owner", "Somebody else is to do it"),
    ("wrong_due", "The date is wrong"),
    ("duplicate", "It is here already"),
    ("not_important", "It does not matter"),
    ("important", "It matters more than that"),
];

impl Page {
    fn reasons(&self) -> &'static [(&'static str, &'static str)] {
        &REASONS
    }
}

/// `GET /`
pub async fn list(visit: Visit, Query(asked): Query<Asked>) -> Result<Response, Stop> {
    let by_priority = asked.sort != "recent";
    let sort = if by_priority { "priority" } else { "recent" };
    let [status, waiting_on] = asked.view.filters();
    let filters = [
        status,
        waiting_on,
        ("sort", sort),
        ("q", asked.q.trim()),
        ("external_id", &asked.external_id),
        ("limit", if asked.view == View::Waiting { "200" } else { "50" }),
        ("cursor", &asked.cursor),
    ];
    let (page, problem) = match visit.get::<TaskPage>(&address::with_query("/tasks", &filters)).await {
        Ok(page) => (page, None),
        Err(refusal) if refusal.status == StatusCode::UNPROCESSABLE_ENTITY => {
            (TaskPage { items: Vec::new(), next_cursor: None }, Some(refusal.detail))
        }
        Err(refusal) => return Err(refusal.into()),
    };
    let address = |view: View, cursor: &str| {
        let view = if view == View::Open { "" } else { view.name() };
        let sort = if by_priority { "" } else { "recent" };
        let parameters = [
            ("view", view),
            ("q", asked.q.trim()),
            ("sort", sort),
            ("external_id", &asked.external_id),
            ("cursor", cursor),
        ];
        visit.address("/", &parameters)
    };
    let tab = |view: View| Tab { address: address(view, ""), label: view.label(), here: view == asked.view };
    let count = page.items.len();
    let page = Page {
        frame: visit.frame(),
        view: asked.view,
        tabs: View::ALL.into_iter().map(tab).collect(),
        live: asked.cursor.is_empty(),
        by_priority,
        summary: summary(count, page.next_cursor.is_some(), asked.cursor.is_empty()),
        next: page.next_cursor.as_deref().map(|cursor| address(asked.view, cursor)),
        groups: if asked.view == View::Waiting { by_person(page.items) } else { together(page.items) },
        problem,
        empty: if asked.q.trim().is_empty() { asked.view.empty() } else { ("No task has these words.", "") },
        may_edit: visit.may(Scope::TasksWrite),
        may_rate: visit.may(Scope::FeedbackWrite),
        may_add: visit.may(Scope::IngestWrite),
        q: asked.q,
    };
    visit.show(&page)
}

fn summary(count: usize, more: bool, first: bool) -> String {
    match (count, more, first) {
        (0, ..) => String::new(),
        (1, false, true) => "1 task".to_owned(),
        (_, false, true) => format!("{count} tasks"),
        (_, true, true) => format!("the first {count}"),
        (.., false) => format!("{count} more"),
    }
}

#[derive(Template)]
#[template(path = "task.html")]
struct One {
    frame: Frame,
    task: TaskView,
    reasons: Vec<(String, String)>,
}

/// `GET /app/tasks/{id}`
pub async fn one(visit: Visit, Path(id): Path<String>) -> Result<Response, Stop> {
    let path = format!("/tasks/{}", address::segment(&id));
    let task: Task = visit.get(&path).await?;
    let explained: Value = visit.get(&format!("{path}/explain")).await?;
    let reason = |reason: &Value| {
        let weight = reason["weight"].as_f64().unwrap_or_default();
        (reason["text"].as_str().unwrap_or_default().to_owned(), format!("{weight:+.2}"))
    };
    let reasons = explained["reasons"].as_array().into_iter().flatten().map(reason).collect();
    let page = One { frame: visit.frame(), task: task.into(), reasons };
    visit.show(&page)
}

#[derive(Deserialize)]
pub struct StatusForm {
    status: TaskStatus,
    back: String,
}

/// `POST /app/tasks/{id}/status`
pub async fn set_status(visit: Visit, Path(id): Path<String>, Form(form): Form<StatusForm>) -> Result<Response, Stop> {
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
    Ok(visit.back(&form.back, Done { text: format!("{verb}: {}", before.title), undo: Some(undo) }))
}

#[derive(Deserialize)]
pub struct EditForm {
    title: String,
    owner: String,
    due: String,
    back: String,
}

/// `POST /app/tasks/{id}/edit`
pub async fn edit(visit: Visit, Path(id): Path<String>, Form(form): Form<EditForm>) -> Result<Response, Stop> {
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
    let due_before = before.due.as_ref().map(|due| due.date.to_string()).unwrap_or_default();
    if due != due_before {
        patch["due"] = if due.is_empty() { Value::Null } else { json!({"date": due}) };
    }
    if patch.as_object().is_some_and(|patch| !patch.is_empty()) {
        visit.send(Method::PATCH, &path, Some(patch)).await?;
    }
    let fields = vec![
        ("title".to_owned(), before.title),
        ("owner".to_owned(), before.owner.map(|owner| owner.name).unwrap_or_default()),
        ("due".to_owned(), due_before),
    ];
    let undo = Undo { path: format!("/app/tasks/{id}/edit"), fields };
    Ok(visit.back(&form.back, Done { text: format!("Changed: {}", form.title.trim()), undo: Some(undo) }))
}

#[derive(Deserialize)]
pub struct RateForm {
    rating: String,
    #[serde(default)]
    reason: String,
    back: String,
}

/// `POST /app/tasks/{id}/rate`
pub async fn rate(visit: Visit, Path(id): Path<String>, Form(form): Form<RateForm>) -> Result<Response, Stop> {
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
    let (text, undo) = if dismissed {
        let fields = vec![("status".to_owned(), before.status.as_str().to_owned())];
        (format!("Dismissed: {}", before.title), Some(Undo { path: format!("/app/tasks/{id}/status"), fields }))
    } else {
        (format!("Thank you: {}", before.title), None)
    };
    Ok(visit.back(&form.back, Done { text, undo }))
}
