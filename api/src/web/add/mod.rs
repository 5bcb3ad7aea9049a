//! Adding content: pasted, or as files, each of which becomes an item; then what becomes of it, down to the tasks.

mod form;
pub mod guess;

use super::{
    PageError, address,
    client::ApiRefusal,
    frame::PageFrame,
    items::{JobView, job_view},
    visit::Visit,
};
use askama::Template;
use axum::{
    extract::{Multipart, Query},
    http::{Method, StatusCode},
    response::{IntoResponse, Redirect, Response},
};
use form::AddForm;
use gleaner_model::{Job, Scope, Task, TaskId};
use gleaner_runtime::shares::Holder;
use serde::Deserialize;

/// Kinds that have readers of their own.
const KINDS: [&str; 6] = ["meeting", "call", "email", "chat", "note", "document"];
/// Most jobs that one page tells of.
const MAX_JOBS: usize = 50;
/// Most tasks that are named for one job.
const MAX_TITLES: usize = 12;

#[derive(Template)]
#[template(path = "add.html")]
struct AddPage {
    frame: PageFrame,
    form: AddForm,
    problems: Vec<RefusedItem>,
    jobs: Vec<StartedJob>,
    /// Where to look again, while a job has not ended.
    again: Option<String>,
}

/// Why one thing was not submitted.
struct RefusedItem {
    name: String,
    detail: String,
}

/// A job that was begun here, and the tasks it found so far.
struct StartedJob {
    job: JobView,
    tasks: Vec<FoundTask>,
}

struct FoundTask {
    id: TaskId,
    title: String,
}

impl AddPage {
    fn kinds(&self) -> impl Iterator<Item = &'static str> {
        KINDS.into_iter()
    }
}

#[derive(Deserialize)]
pub struct AddQuery {
    #[serde(default)]
    jobs: String,
}

/// `GET /app/add`: the form, and the jobs that the address names.
pub async fn page(visit: Visit, Query(asked): Query<AddQuery>) -> Result<Response, PageError> {
    let ids: Vec<&str> = asked.jobs.split(',').filter(|id| !id.is_empty()).take(MAX_JOBS).collect();
    show(visit, AddForm::default(), Vec::new(), &ids).await
}

/// `POST /app/add`
pub async fn submit(visit: Visit, form: Multipart) -> Result<Response, PageError> {
    let fields = AddForm::read(form).await?;
    let holder = Holder { tenant: visit.me.tenant.clone(), token: visit.me.token_id.clone() };
    let drafts = fields.drafts((&visit.web.app().pdf, &holder)).await;
    let (mut accepted, mut problems) = (Vec::new(), Vec::new());
    if drafts.is_empty() {
        problems.push(RefusedItem {
            name: "Nothing to add".to_owned(),
            detail: "Paste a text or choose a file.".to_owned(),
        });
    }
    for draft in drafts {
        let item = match draft.item {
            Ok(item) => item,
            Err(detail) => {
                problems.push(RefusedItem { name: draft.name, detail: detail.to_owned() });
                continue;
            }
        };
        match visit.send(Method::POST, "/ingest/items", Some(item)).await {
            Ok(receipt) => accepted.extend(receipt["job_id"].as_str().map(str::to_owned)),
            Err(ApiRefusal { status: StatusCode::UNAUTHORIZED, .. }) => return Err(PageError::SignIn),
            Err(refusal) => problems.push(RefusedItem { name: draft.name, detail: refusal.detail }),
        }
    }
    if problems.is_empty() {
        let to = visit.address("/app/add", &[("jobs", &accepted.join(","))]);
        return Ok(Redirect::to(&to).into_response());
    }
    let ids: Vec<&str> = accepted.iter().map(String::as_str).collect();
    Ok((StatusCode::UNPROCESSABLE_ENTITY, show(visit, fields, problems, &ids).await?).into_response())
}

async fn show(
    visit: Visit,
    mut form: AddForm,
    problems: Vec<RefusedItem>,
    ids: &[&str],
) -> Result<Response, PageError> {
    if form.participant.is_empty() {
        form.participant = visit.me.subject.name.clone().unwrap_or_default();
    }
    let mut jobs = Vec::new();
    for id in ids {
        match visit.get::<Job>(&format!("/ingest/jobs/{}", address::segment(id))).await {
            Ok(job) => jobs.push(begun(&visit, job).await?),
            Err(ApiRefusal { status: StatusCode::NOT_FOUND, .. }) => {}
            Err(refusal) => return Err(refusal.into()),
        }
    }
    let unfinished = jobs.iter().any(|begun| !begun.job.ended);
    let again = unfinished.then(|| visit.address("/app/add", &[("jobs", &ids.join(","))]));
    let page = AddPage { frame: visit.frame(), form, problems, jobs, again };
    visit.show(&page)
}

/// The job with the titles of its tasks, as far as the token may read them.
async fn begun(visit: &Visit, job: Job) -> Result<StartedJob, PageError> {
    let mut tasks = Vec::new();
    let wanted = if visit.may(Scope::TasksRead) { MAX_TITLES } else { 0 };
    for id in job.task_ids.iter().take(wanted) {
        match visit.get::<Task>(&format!("/tasks/{id}")).await {
            Ok(task) => tasks.push(FoundTask { id: task.id, title: task.title }),
            // Erased in the meantime.
            Err(ApiRefusal { status: StatusCode::NOT_FOUND, .. }) => {}
            Err(refusal) => return Err(refusal.into()),
        }
    }
    Ok(StartedJob { job: job_view(visit, job), tasks })
}

/// The address that lists the tasks of an item.
pub fn tasks_of(visit: &Visit, source_type: &str, external_id: &str) -> String {
    visit.address("/", &[("source_type", source_type), ("external_id", external_id)])
}
