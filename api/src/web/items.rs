//! What was submitted, and what became of it.

use super::{PageError, add, address, date_words, flash::Flash, frame::PageFrame, tasks::Tab, visit::Visit};
use askama::Template;
use axum::{
    body::Body,
    extract::{Form, Path, Query},
    http::Method,
    response::Response,
};
use chrono::{DateTime, Utc};
use futures::StreamExt as _;
use gleaner_model::{Job, JobStatus, Page, Scope};
use serde::Deserialize;

#[derive(Deserialize)]
pub struct ItemsQuery {
    #[serde(default)]
    status: String,
    #[serde(default)]
    cursor: String,
}

/// A job as a row shows it.
pub struct JobView {
    pub id: String,
    /// What people know it by.
    pub name: String,
    pub source_type: String,
    pub external_id: String,
    pub status: JobStatus,
    pub failed: bool,
    pub ended: bool,
    pub attempts: u32,
    /// What feedback kept out of it, in words.
    pub suppressed: Option<String>,
    pub error: Option<String>,
    pub tasks: Option<String>,
    pub tasks_address: String,
    pub accepted_at: DateTime<Utc>,
    pub accepted_words: String,
}

#[derive(Template)]
#[template(path = "jobs.html")]
struct ItemsPage {
    frame: PageFrame,
    tabs: Vec<Tab>,
    live: bool,
    jobs: Vec<JobView>,
    next: Option<String>,
    may_submit: bool,
    may_erase: bool,
}

const TABS: [(&str, &str); 4] = [("", "All"), ("accepted", "Waiting"), ("succeeded", "Done"), ("failed", "Failed")];

/// `GET /app/items`
pub async fn list(visit: Visit, Query(asked): Query<ItemsQuery>) -> Result<Response, PageError> {
    let path = address::with_query("/ingest/jobs", &[("status", &asked.status), ("cursor", &asked.cursor)]);
    let page: Page<Job> = visit.get(&path).await?;
    let tab = |(status, label): (&'static str, &'static str)| Tab {
        address: visit.address("/app/items", &[("status", status)]),
        label,
        here: status == asked.status,
    };
    let page = ItemsPage {
        frame: visit.frame(),
        tabs: TABS.into_iter().map(tab).collect(),
        live: asked.cursor.is_empty() && visit.may_listen(),
        jobs: page.items.into_iter().map(|job| job_view(&visit, job)).collect(),
        next: page
            .next_cursor
            .map(|cursor| visit.address("/app/items", &[("status", &asked.status), ("cursor", &cursor)])),
        may_submit: visit.may(Scope::IngestWrite),
        may_erase: visit.may(Scope::TasksWrite),
    };
    visit.show(&page)
}

impl JobView {
    /// Its state in words.
    pub fn words(&self) -> &'static str {
        match self.status {
            JobStatus::Accepted => "waiting",
            JobStatus::Running => "looking for tasks",
            JobStatus::Succeeded => "done",
            JobStatus::Failed => "failed",
        }
    }
}

/// A job in words.
pub fn job_view(visit: &Visit, job: Job) -> JobView {
    let external_id = job.external_id.to_string();
    JobView {
        id: job.job_id.to_string(),
        name: external_id.strip_prefix("web:").unwrap_or(&external_id).to_owned(),
        tasks_address: add::tasks_of(visit, job.source_type.as_str(), &external_id),
        source_type: job.source_type.to_string(),
        external_id,
        status: job.status,
        failed: job.status == JobStatus::Failed,
        ended: job.status.is_final(),
        attempts: job.attempts,
        suppressed: left_out(&job),
        error: job.error.map(|error| error.message),
        tasks: job.tasks_extracted.map(counted),
        accepted_at: job.accepted_at,
        accepted_words: date_words::ago(job.accepted_at, Utc::now()),
    }
}

/// What the job left out, and why.
fn left_out(job: &Job) -> Option<String> {
    let taught = (job.suppressed > 0).then(|| format!("{} left out, as feedback taught", job.suppressed));
    let over = (job.tasks_over_cap > 0).then(|| format!("{} beyond the most of an item", job.tasks_over_cap));
    let said: Vec<_> = taught.into_iter().chain(over).collect();
    (!said.is_empty()).then(|| said.join(", "))
}

fn counted(tasks: u32) -> String {
    match tasks {
        0 => "no tasks".to_owned(),
        1 => "1 task".to_owned(),
        _ => format!("{tasks} tasks"),
    }
}

#[derive(Deserialize)]
pub struct BackForm {
    back: String,
}

/// `POST /app/jobs/{id}/requeue`
pub async fn requeue(visit: Visit, Path(id): Path<String>, Form(form): Form<BackForm>) -> Result<Response, PageError> {
    visit.send(Method::POST, &format!("/ingest/jobs/{}/requeue", address::segment(&id)), None).await?;
    Ok(visit.back(&form.back, Flash::said("It is tried again.")))
}

#[derive(Deserialize)]
pub struct EraseForm {
    source_type: String,
    external_id: String,
    back: String,
}

/// `POST /app/items/erase`
pub async fn erase(visit: Visit, Form(form): Form<EraseForm>) -> Result<Response, PageError> {
    let (kind, id) = (address::segment(&form.source_type), address::segment(&form.external_id));
    visit.send(Method::DELETE, &format!("/ingest/items/{kind}/{id}"), None).await?;
    Ok(visit.back(&form.back, Flash::said(format!("Erased: {}", form.external_id))))
}

/// `GET /app/events`: the tenant's events for the script, which has no token of its own.
pub async fn events(visit: Visit) -> Result<Response, PageError> {
    let (head, body) = visit.stream("/events").await?.into_parts();
    let body = Body::from_stream(body.into_data_stream().take_until(Box::pin(visit.signed_out())));
    Ok(Response::from_parts(head, body))
}
