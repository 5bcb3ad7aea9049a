//! One task: what was said, and why it was taken for a task.

use crate::web::{PageError, address, frame::PageFrame, task_view::TaskView, visit::Visit};
use askama::Template;
use axum::{extract::Path, response::Response};
use gleaner_model::{Scope, Task};
use serde::Deserialize;

#[derive(Deserialize)]
struct ExplanationAnswer {
    reasons: Vec<ReasonAnswer>,
}

#[derive(Deserialize)]
struct ReasonAnswer {
    #[serde(default)]
    about: String,
    text: String,
    weight: f64,
}

/// Reasons of one sort, under a heading.
struct ReasonGroup {
    heading: &'static str,
    lines: Vec<ReasonRow>,
}

/// One reason, and how much it weighs.
struct ReasonRow {
    text: String,
    weight: String,
    /// Whether it spoke for the task, or raised it.
    speaks_for: bool,
}

#[derive(Template)]
#[template(path = "task.html")]
struct TaskDetailPage {
    frame: PageFrame,
    task: TaskView,
    reasons: Vec<ReasonGroup>,
    may_edit: bool,
    may_unrate: bool,
}

/// `GET /app/tasks/{id}`
pub async fn show(visit: Visit, Path(id): Path<String>) -> Result<Response, PageError> {
    let path = format!("/tasks/{}", address::segment(&id));
    let task: Task = visit.get(&path).await?;
    let explained: ExplanationAnswer = visit.get(&format!("{path}/explain")).await?;
    let page = TaskDetailPage {
        frame: visit.frame(),
        may_unrate: visit.may(Scope::FeedbackWrite) && task.feedback.up + task.feedback.down > 0,
        task: TaskView::of(task, visit.today()),
        reasons: grouped(explained.reasons),
        may_edit: visit.may(Scope::TasksWrite),
    };
    visit.show(&page)
}

fn grouped(all: Vec<ReasonAnswer>) -> Vec<ReasonGroup> {
    let headings = [
        ("extraction", "Why it was found"),
        ("priority", "Why it stands where it does"),
        ("feedback", "What people said of it"),
    ];
    let known = |about: &str| headings.iter().any(|(known, _)| *known == about);
    let of = |(about, heading): (&str, &'static str)| {
        // What this page does not know yet is shown with the first.
        let here = |said: &&ReasonAnswer| said.about == about || (about == "extraction" && !known(&said.about));
        ReasonGroup { heading, lines: all.iter().filter(here).map(reason).collect() }
    };
    headings.into_iter().map(of).filter(|group| !group.lines.is_empty()).collect()
}

fn reason(said: &ReasonAnswer) -> ReasonRow {
    ReasonRow { text: said.text.clone(), weight: format!("{:+.2}", said.weight), speaks_for: said.weight >= 0.0 }
}
