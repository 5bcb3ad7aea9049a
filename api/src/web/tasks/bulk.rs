//! Settling several tasks in one step, which one step takes back: exactly those that it changed, to where each stood.

use crate::web::{
    PageError, address,
    client::ApiRefusal,
    flash::{Flash, Undo},
    forms::FormFields,
    frame::PageFrame,
    visit::Visit,
};
use askama::Template;
use axum::{
    http::{Method, StatusCode},
    response::Response,
};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use bytes::Bytes;
use futures::future::join_all;
use gleaner_model::{Scope, Task, TaskId, TaskStatus};
use serde_json::json;
use std::collections::BTreeMap;
use uuid::Uuid;

/// Most tasks of one step.
const MAX_SELECTED: usize = 200;
/// Tasks that are changed at the same time.
const MAX_CONCURRENT: usize = 8;
/// Bytes of an id in the undoing form.
const ID: usize = 16;
/// Marks tasks that the step rated, in the undoing form.
const RATED: &str = "rated";

/// What is done to each.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BulkAction {
    Set(TaskStatus),
    /// Dismisses it, and teaches so.
    NotATask,
}

impl BulkAction {
    fn read(name: &str) -> Option<Self> {
        let status = TaskStatus::ALL.into_iter().find(|status| status.as_str() == name);
        status.map(Self::Set).or((name == "not_a_task").then_some(Self::NotATask))
    }

    /// Where the tasks stand afterwards.
    fn to(self) -> TaskStatus {
        match self {
            Self::Set(status) => status,
            Self::NotATask => TaskStatus::Dismissed,
        }
    }

    fn verb(self) -> &'static str {
        match self.to() {
            TaskStatus::Open => "Reopened",
            TaskStatus::Completed => "Completed",
            TaskStatus::Dismissed => "Dismissed",
        }
    }
}

/// A task that the step changed.
struct ChangedTask {
    id: TaskId,
    title: String,
    before: TaskStatus,
    rated: bool,
}

/// A task that the step left as it was, and why.
struct FailedTask {
    title: String,
    why: String,
    status: StatusCode,
}

impl FailedTask {
    fn new(title: &str, refusal: ApiRefusal) -> Self {
        let why = match refusal.status {
            StatusCode::NOT_FOUND => "There is no such task any more.".to_owned(),
            _ => refusal.detail,
        };
        Self { title: title.to_owned(), why, status: refusal.status }
    }

    fn conflict(title: String, why: &str) -> Self {
        Self { title, why: why.to_owned(), status: StatusCode::CONFLICT }
    }
}

#[derive(Template)]
#[template(path = "several.html")]
struct BulkResultPage {
    frame: PageFrame,
    heading: String,
    failures: Vec<FailedTask>,
    undo: Option<Undo>,
}

/// `POST /app/tasks/several`: each `task` is an id and, behind a space, the title that the page showed.
pub async fn apply(visit: Visit, body: Bytes) -> Result<Response, PageError> {
    let fields = FormFields::read(&body);
    // Of the form's first button, which a browser presses when Enter is pressed on a box.
    if fields.one("step") == "none" {
        return Ok(visit.back(fields.one("back"), Flash::said("Choose what to do with the selected tasks.")));
    }
    let step =
        BulkAction::read(fields.one("step")).ok_or_else(|| PageError::form("The form does not say what to do."))?;
    let mut chosen = BTreeMap::new();
    for task in fields.all("task") {
        let (id, title) = task.split_once(' ').unwrap_or((task, task));
        let id: TaskId = id.parse().map_err(|_| PageError::form("The form names a task that cannot be one."))?;
        chosen.insert(id, title);
    }
    at_most(chosen.len())?;
    if chosen.is_empty() {
        return Ok(visit.back(fields.one("back"), Flash::said("No task was selected.")));
    }
    let chosen: Vec<_> = chosen.into_iter().collect();
    let came = each(&chosen, |(id, title)| one(&visit, step, *id, title)).await;
    let (mut changed, mut failures) = (Vec::new(), Vec::new());
    for came in came {
        match came {
            Ok(Some(task)) => changed.push(task),
            Ok(None) => {}
            Err(failure) => failures.push(failure),
        }
    }
    nothing_may_be_done(&visit, changed.is_empty(), &failures)?;
    let text = match (&changed[..], failures.len()) {
        ([], 0) => "They were so already.".to_owned(),
        ([task], 0) => format!("{}: {}", step.verb(), task.title),
        (_, 0) => format!("{}: {} tasks", step.verb(), changed.len()),
        (_, failed) => format!("{}: {} of {} tasks", step.verb(), changed.len(), changed.len() + failed),
    };
    let undo = (!changed.is_empty()).then(|| undoing(step, &changed));
    back_with(visit, fields.one("back"), Flash { text, undo }, failures)
}

/// `POST /app/tasks/several/undo`
pub async fn undo(visit: Visit, body: Bytes) -> Result<Response, PageError> {
    let fields = FormFields::read(&body);
    let unknown = || PageError::form("The form does not say what to take back.");
    let from = TaskStatus::ALL.into_iter().find(|status| status.as_str() == fields.one("from")).ok_or_else(unknown)?;
    let mut tasks = Vec::new();
    for before in TaskStatus::ALL {
        for rated in [false, true] {
            let packed = fields.one(&field(before, rated)).to_owned();
            let ids = URL_SAFE_NO_PAD.decode(packed).map_err(|_| unknown())?;
            if ids.len() % ID != 0 {
                return Err(unknown());
            }
            let ids = ids.chunks_exact(ID).filter_map(|id| Uuid::from_slice(id).ok()).map(TaskId);
            tasks.extend(ids.map(|id| (id, before, rated)));
        }
    }
    at_most(tasks.len())?;
    let came = each(&tasks, |(id, before, rated)| one_back(&visit, *id, from, *before, *rated)).await;
    let (back, failures): (Vec<_>, Vec<_>) = came.into_iter().partition(Result::is_ok);
    let failures: Vec<_> = failures.into_iter().filter_map(Result::err).collect();
    nothing_may_be_done(&visit, back.is_empty(), &failures)?;
    let text = match (&back[..], failures.len()) {
        ([Ok(title)], 0) => format!("Taken back: {title}"),
        (_, 0) => format!("Taken back: {} tasks", back.len()),
        (_, failed) => format!("Taken back: {} of {} tasks", back.len(), back.len() + failed),
    };
    back_with(visit, fields.one("back"), Flash::said(text), failures)
}

fn at_most(count: usize) -> Result<(), PageError> {
    if count > MAX_SELECTED {
        return Err(PageError::form(format!(
            "{count} tasks were selected: at most {MAX_SELECTED} go at once. Nothing was changed."
        )));
    }
    Ok(())
}

/// Does something to each of many, a few at the same time; the results in their order.
async fn each<'a, T, R, F: Future<Output = R>>(all: &'a [T], run: impl Fn(&'a T) -> F) -> Vec<R> {
    let mut results = Vec::with_capacity(all.len());
    for some in all.chunks(MAX_CONCURRENT) {
        results.extend(join_all(some.iter().map(&run)).await);
    }
    results
}

/// One step for one task; `None` where it stands there already.
async fn one(visit: &Visit, step: BulkAction, id: TaskId, title: &str) -> Result<Option<ChangedTask>, FailedTask> {
    let path = format!("/tasks/{id}");
    let failed = |refusal| FailedTask::new(title, refusal);
    let before: Task = visit.get(&path).await.map_err(failed)?;
    if before.status == step.to() {
        return Ok(None);
    }
    // A rating of one's own that is there already could not be brought back.
    let rated = step == BulkAction::NotATask && before.feedback.up + before.feedback.down == 0;
    let sent = if rated {
        let body = json!({"rating": "down", "reason": "not_a_task"});
        visit.send(Method::POST, &format!("{path}/feedback"), Some(body)).await
    } else {
        visit.send(Method::PATCH, &path, Some(json!({"status": step.to()}))).await
    };
    sent.map_err(failed)?;
    Ok(Some(ChangedTask { id, title: before.title, before: before.status, rated }))
}

/// Takes back what the step did to one task, unless somebody has moved it since; its title.
async fn one_back(
    visit: &Visit,
    id: TaskId,
    from: TaskStatus,
    before: TaskStatus,
    rated: bool,
) -> Result<String, FailedTask> {
    let path = format!("/tasks/{id}");
    let now: Task = visit.get(&path).await.map_err(|refusal| FailedTask::new(&id.to_string(), refusal))?;
    let failed = |refusal| FailedTask::new(&now.title, refusal);
    if now.status != from {
        return Err(FailedTask::conflict(now.title, "It was changed in the meantime."));
    }
    if rated {
        visit.send(Method::DELETE, &format!("{path}/feedback"), None).await.map_err(failed)?;
        let left: Task = visit.get(&path).await.map_err(failed)?;
        if left.status == before || !visit.may(Scope::TasksWrite) {
            return Ok(now.title);
        }
    }
    visit.send(Method::PATCH, &path, Some(json!({"status": before}))).await.map_err(failed)?;
    Ok(now.title)
}

/// Where nothing was done and nothing will be, that is told in place of a list: signed out, or not allowed.
fn nothing_may_be_done(visit: &Visit, nothing: bool, failures: &[FailedTask]) -> Result<(), PageError> {
    let first = failures.first().filter(|_| nothing);
    match first.map(|failure| (failure.status, &failure.why)) {
        Some((StatusCode::UNAUTHORIZED, _)) => Err(PageError::SignIn),
        Some((StatusCode::FORBIDDEN, why)) if !visit.may(Scope::TasksWrite) => {
            Err(PageError::Refused(StatusCode::FORBIDDEN, why.clone()))
        }
        _ => Ok(()),
    }
}

/// The form that takes the step back: by where the tasks stood, their ids one after the other.
fn undoing(step: BulkAction, changed: &[ChangedTask]) -> Undo {
    let mut fields = vec![("from".to_owned(), step.to().as_str().to_owned())];
    for before in TaskStatus::ALL {
        for rated in [false, true] {
            let these = changed.iter().filter(|task| task.before == before && task.rated == rated);
            let ids: Vec<u8> = these.flat_map(|task| task.id.0.into_bytes()).collect();
            if !ids.is_empty() {
                fields.push((field(before, rated), URL_SAFE_NO_PAD.encode(ids)));
            }
        }
    }
    Undo { path: "/app/tasks/several/undo".to_owned(), fields }
}

fn field(before: TaskStatus, rated: bool) -> String {
    if rated { format!("{} {RATED}", before.as_str()) } else { before.as_str().to_owned() }
}

/// Back to the list with word of it; what is too much for a word has a page.
fn back_with(visit: Visit, back: &str, done: Flash, failures: Vec<FailedTask>) -> Result<Response, PageError> {
    if failures.is_empty() && done.fits() {
        return Ok(visit.back(back, done));
    }
    let mut frame = visit.frame();
    frame.here = address::back(back, visit.web.prefix());
    let page = BulkResultPage { frame, heading: done.text, failures, undo: done.undo };
    visit.show(&page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_of_a_page_of_tasks_holds_how_to_take_it_back() {
        let task = |_| ChangedTask { id: TaskId::new(), title: "T".into(), before: TaskStatus::Open, rated: false };
        let fits = |count| {
            let undo = undoing(BulkAction::Set(TaskStatus::Completed), &(0..count).map(task).collect::<Vec<_>>());
            Flash { text: format!("Completed: {count} tasks"), undo: Some(undo) }.fits()
        };
        assert!(fits(50), "a page of the list");
        assert!(!fits(MAX_SELECTED), "more goes on a page of its own");
    }
}
