//! One task: what was said, and why it was taken for a task.

use crate::web::{Stop, address, frame::Frame, task_view::TaskView, visit::Visit};
use askama::Template;
use axum::{extract::Path, response::Response};
use gleaner_model::{Scope, Task};
use serde::Deserialize;

#[derive(Deserialize)]
struct Explained {
    reasons: Vec<Said>,
}

#[derive(Deserialize)]
struct Said {
    #[serde(default)]
    about: String,
    text: String,
    weight: f64,
}

/// Reasons of one sort, under a heading.
struct Reasons {
    heading: &'static str,
    lines: Vec<Reason>,
}

/// One reason, and how much it weighs.
struct Reason {
    text: String,
    weight: String,
    /// Whether it spoke for the task, or raised it.
    speaks_for: bool,
}

#[derive(Template)]
#[template(path = "task.html")]
struct Page {
    frame: Frame,
    task: TaskView,
    reasons: Vec<Reasons>,
    may_edit: bool,
    may_unrate: bool,
}

/// `GET /app/tasks/{id}`
pub async fn show(visit: Visit, Path(id): Path<String>) -> Result<Response, Stop> {
    let path = format!("/tasks/{}", address::segment(&id));
    let task: Task = visit.get(&path).await?;
    let explained: Explained = visit.get(&format!("{path}/explain")).await?;
    let page = Page {
        frame: visit.frame(),
        may_unrate: visit.may(Scope::FeedbackWrite) && task.feedback.up + task.feedback.down > 0,
        task: task.into(),
        reasons: grouped(explained.reasons),
        may_edit: visit.may(Scope::TasksWrite),
    };
    visit.show(&page)
}

fn grouped(all: Vec<Said>) -> Vec<Reasons> {
    let headings = [
        ("extraction", "Why it was found"),
        ("priority", "Why it stands where it does"),
        ("feedback", "What people said of it"),
    ];
    let known = |about: &str| headings.iter().any(|(known, _)| *known == about);
    let of = |(about, heading): (&str, &'static str)| {
        // What this page does not know yet is shown with the first.
        let here = |said: &&Said| said.about == about || (about == "extraction" && !known(&said.about));
        Reasons { heading, lines: all.iter().filter(here).map(reason).collect() }
    };
    headings.into_iter().map(of).filter(|group| !group.lines.is_empty()).collect()
}

fn reason(said: &Said) -> Reason {
    Reason { text: said.text.clone(), weight: format!("{:+.2}", said.weight), speaks_for: said.weight >= 0.0 }
}
