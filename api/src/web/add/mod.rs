//! Adding content: pasted, or as files, each of which becomes an item; then what becomes of it, down to the tasks.

mod form;
pub mod guess;

use super::{
    Stop, address,
    client::Refusal,
    frame::Frame,
    items::{JobView, job_view},
    visit::Visit,
};
use askama::Template;
use axum::{
    extract::{Multipart, Query},
    http::{Method, StatusCode},
    response::{IntoResponse, Redirect, Response},
};
use form::Fields;
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
struct Page {
    frame: Frame,
    form: Fields,
    problems: Vec<Trouble>,
    jobs: Vec<Begun>,
    /// Where to look again, while a job has not ended.
    again: Option<String>,
}

/// Why one thing was not submitted.
struct Trouble {
    name: String,
    detail: String,
}

/// A job that was begun here, and the tasks it found so far.
struct Begun {
    job: JobView,
    tasks: Vec<Found>,
}

struct Found {
    id: TaskId,
    title: String,
}

impl Page {
    fn kinds(&self) -> impl Iterator<Item = &'static str> {
        KINDS.into_iter()
    }
}

#[derive(Deserialize)]
pub struct Asked {
    #[serde(default)]
    jobs: String,
}

/// `GET /app/add`: the form, and the jobs that the address names.
pub async fn page(visit: Visit, Query(asked): Query<Asked>) -> Result<Response, Stop> {
    let ids: Vec<&str> = asked.jobs.split(',').filter(|id| !id.is_empty()).take(MAX_JOBS).collect();
    show(visit, Fields::default(), Vec::new(), &ids).await
}

/// `POST /app/add`
pub async fn submit(visit: Visit, form: Multipart) -> Result<Response, Stop> {
    let fields = Fields::read(form).await?;
    let holder = Holder { tenant: visit.me.tenant.clone(), token: visit.me.token_id.clone() };
    let drafts = fields.drafts((&visit.web.app().pdf, &holder)).await;
    let (mut accepted, mut problems) = (Vec::new(), Vec::new());
    if drafts.is_empty() {
        problems
            .push(Trouble { name: "Nothing to add".to_owned(), detail: "Paste a text or choose a file.".to_owned() });
    }
    for draft in drafts {
        let item = match draft.item {
            Ok(item) => item,
            Err(detail) => {
                problems.push(Trouble { name: draft.name, detail: detail.to_owned() });
                continue;
            }
        };
        match visit.send(Method::POST, "/ingest/items", Some(item)).await {
            Ok(receipt) => accepted.extend(receipt["job_id"].as_str().map(str::to_owned)),
            Err(Refusal { status: StatusCode::UNAUTHORIZED, .. }) => return Err(Stop::SignIn),
            Err(refusal) => problems.push(Trouble { name: draft.name, detail: refusal.detail }),
        }
    }
    if problems.is_empty() {
        let to = visit.address("/app/add", &[("jobs", &accepted.join(","))]);
        return Ok(Redirect::to(&to).into_response());
    }
    let ids: Vec<&str> = accepted.iter().map(String::as_str).collect();
    Ok((StatusCode::UNPROCESSABLE_ENTITY, show(visit, fields, problems, &ids).await?).into_response())
}

async fn show(visit: Visit, mut form: Fields, problems: Vec<Trouble>, ids: &[&str]) -> Result<Response, Stop> {
    if form.participant.is_empty() {
        form.participant = visit.me.subject.name.clone().unwrap_or_default();
    }
    let mut jobs = Vec::new();
    for id in ids {
        match visit.get::<Job>(&format!("/ingest/jobs/{}", address::segment(id))).await {
            Ok(job) => jobs.push(begun(&visit, job).await?),
            Err(Refusal { status: StatusCode::NOT_FOUND, .. }) => {}
            Err(refusal) => return Err(refusal.into()),
        }
    }
    let unfinished = jobs.iter().any(|begun| !begun.job.ended);
    let again = unfinished.then(|| visit.address("/app/add", &[("jobs", &ids.join(","))]));
    let page = Page { frame: visit.frame(), form, problems, jobs, again };
    visit.show(&page)
}

/// The job with the titles of its tasks, as far as the token may read them.
async fn begun(visit: &Visit, job: Job) -> Result<Begun, Stop> {
    let mut tasks = Vec::new();
    let wanted = if visit.may(Scope::TasksRead) { MAX_TITLES } else { 0 };
    for id in job.task_ids.iter().take(wanted) {
        match visit.get::<Task>(&format!("/tasks/{id}")).await {
            Ok(task) => tasks.push(Found { id: task.id, title: task.title }),
            // Erased in the meantime.
            Err(Refusal { status: StatusCode::NOT_FOUND, .. }) => {}
            Err(refusal) => return Err(refusal.into()),
        }
    }
    Ok(Begun { job: job_view(visit, job), tasks })
}

/// The address that lists the tasks of an item.
pub fn tasks_of(visit: &Visit, source_type: &str, external_id: &str) -> String {
    visit.address("/", &[("source_type", source_type), ("external_id", external_id)])
}
