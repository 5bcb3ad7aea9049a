//! The list of tasks: to see, to search, to act on.

pub mod actions;
pub mod bulk;
pub mod detail;
pub mod gather;
pub mod list_query;

use super::{
    PageError,
    frame::PageFrame,
    task_view::{TaskRows, by_person, together},
    visit::Visit,
};
use askama::Template;
use axum::{extract::Query, http::StatusCode, response::Response};
use gleaner_model::{Page, Scope, Task};
use list_query::{TaskListQuery, TaskListView};

/// One tab of a page of tasks.
pub struct Tab {
    pub address: String,
    pub label: &'static str,
    pub here: bool,
}

#[derive(Template)]
#[template(path = "tasks.html")]
struct TasksPage {
    frame: PageFrame,
    asked: TaskListQuery,
    tabs: Vec<Tab>,
    live: bool,
    summary: String,
    rows: TaskRows,
    next: Option<String>,
    /// The same list as files: address and name.
    files: [(String, &'static str); 2],
    problem: Option<String>,
    empty: (&'static str, &'static str),
    may_add: bool,
}

/// How soon a task may be due, for the address and for people.
const DUE: [(&str, &str); 4] =
    [("", "Due any time"), ("late", "Late"), ("today", "Due by today"), ("week", "Due within a week")];

impl TasksPage {
    fn due_choices(&self) -> &'static [(&'static str, &'static str)] {
        &DUE
    }
}

/// `GET /`
pub async fn list(visit: Visit, Query(asked): Query<TaskListQuery>) -> Result<Response, PageError> {
    let (page, problem) = match visit.get::<Page<Task>>(&asked.request(visit.today())).await {
        Ok(page) => (page, None),
        Err(refusal) if refusal.status == StatusCode::UNPROCESSABLE_ENTITY => {
            (Page { items: Vec::new(), next_cursor: None }, Some(refusal.detail))
        }
        Err(refusal) => return Err(refusal.into()),
    };
    let front = visit.address("/", &[]);
    let tab = |view: TaskListView| Tab {
        address: asked.address(&front, view, ""),
        label: view.label(),
        here: view == asked.view,
    };
    let count = page.items.len();
    let today = visit.today();
    let groups = match asked.view {
        TaskListView::Waiting => by_person(page.items, today),
        _ => together(page.items, today),
    };
    let page = TasksPage {
        frame: visit.frame(),
        tabs: TaskListView::ALL.into_iter().map(tab).collect(),
        live: asked.cursor.is_empty() && visit.may_listen(),
        summary: summary(count, page.next_cursor.is_some(), asked.cursor.is_empty()),
        next: page.next_cursor.as_deref().map(|cursor| asked.address(&front, asked.view, cursor)),
        files: [("/app/tasks.csv", "CSV"), ("/app/tasks.md", "Markdown")]
            .map(|(path, name)| (asked.address(&visit.address(path, &[]), asked.view, ""), name)),
        rows: TaskRows::of(groups, &visit),
        problem,
        empty: if asked.is_narrow() { NOT_FOUND } else { asked.view.empty() },
        may_add: visit.may(Scope::IngestWrite),
        asked,
    };
    visit.show(&page)
}

const NOT_FOUND: (&str, &str) = ("No such task.", "Other words, or fewer filters, may find it.");

fn summary(count: usize, more: bool, first: bool) -> String {
    match (count, more, first) {
        (0, ..) => String::new(),
        (1, false, true) => "1 task".to_owned(),
        (_, false, true) => format!("{count} tasks"),
        (_, true, true) => format!("the first {count}"),
        (.., false) => format!("{count} more"),
    }
}
