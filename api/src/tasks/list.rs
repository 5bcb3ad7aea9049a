//! `GET /tasks`: the tenant's tasks, filtered, searched, sorted, a page at a time.

use crate::{
    export::{self, ExportFormat, ListWalk},
    list_page,
    operation::{Doc, Operation},
    query::{CURSOR, LIMIT, Param, ParamKind, Query},
    route::{ApiCall, HandlerResult},
};
use axum::http::{HeaderValue, header};
use chrono::Utc;
use gleaner_model::{Page, Task, TaskStatus};
use gleaner_store::{Sort, TaskQuery};

/// Where the tasks stand.
pub const STATUS: Param = Param {
    name: "status",
    description: "Where the tasks stand.",
    kind: ParamKind::Choice(&["open", "completed", "dismissed"], true),
};
/// Whom they wait for.
pub const WAITING_ON: Param = Param {
    name: "waiting_on",
    description: "`true`: only tasks that somebody else owes; `false`: the rest.",
    kind: ParamKind::Choice(&["true", "false"], false),
};
/// The owner of the tasks: `me`, or a name.
pub const OWNER: Param = Param {
    name: "owner",
    description: "Only tasks of somebody with that name (whole words), or of `me`.",
    kind: ParamKind::Text,
};
/// From what kind of item they are.
pub const SOURCE_TYPE: Param =
    Param { name: "source_type", description: "Only tasks of items of that kind.", kind: ParamKind::SourceType };

/// Words that they hold.
pub const Q: Param = Param {
    name: "q",
    description: "Words to find in title, evidence and owner, all of them, each by its beginning, whatever the \
                  case and accents. At least 3 characters after trimming; empty counts as absent.",
    kind: ParamKind::Search,
};
/// When they are due.
pub const DUE_BEFORE: Param =
    Param { name: "due_before", description: "Only tasks due before that day.", kind: ParamKind::Date };
/// From which item they are.
pub const EXTERNAL_ID: Param =
    Param { name: "external_id", description: "Only tasks of that item.", kind: ParamKind::ExternalId };

/// Query parameters of this route.
pub const QUERY: &[Param] = &[
    STATUS,
    WAITING_ON,
    Q,
    Param {
        name: "sort",
        description: "`recent`: latest mention first. `priority`: what wants attention most first.",
        kind: ParamKind::Choice(&["recent", "priority"], true),
    },
    OWNER,
    DUE_BEFORE,
    SOURCE_TYPE,
    EXTERNAL_ID,
    LIMIT,
    CURSOR,
];

/// Summary, tag, parameters and answers.
pub fn docs(doc: &mut Doc) -> Operation {
    Operation::new("listTasks", "Tasks", "List tasks")
        .about(
            "A walk along cursors shows each task that exists throughout exactly once, also while others come and go. \
             A cursor goes with the filters it was given for.\n\nWith `Accept: text/csv` (RFC 4180, no cell is a formula) \
             or `text/markdown` (check boxes that can be submitted again) the answer holds all pages from `cursor` on.",
        )
        .answers_page::<Task>(doc, "A page of tasks.")
        .also_as(200, "text/csv")
        .also_as(200, "text/markdown")
}

/// `GET /tasks`
pub async fn handle(call: &mut ApiCall) -> HandlerResult {
    let query = wanted(&call.query);
    if let Some(form) = ExportFormat::accepted(&call.headers) {
        return export::answer(ListWalk::new(call, query), form).await;
    }
    let found = call.app.ask(call.app.store.list_tasks(&call.caller.credential.tenant, &query)).await?;
    let now = Utc::now();
    let items = found.items.iter().filter_map(|record| record.view(now)).collect();
    let mut response = list_page::answer(call, "/tasks", &Page::<Task> { items, next_cursor: found.next_cursor })?;
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("accept"));
    Ok(response)
}

/// The query as the store takes it. Each value has been checked against its kind.
pub fn wanted(query: &Query) -> TaskQuery {
    let status = TaskStatus::ALL.into_iter().find(|status| Some(status.as_str()) == query.text("status"));
    TaskQuery {
        status: status.unwrap_or_default(),
        waiting_on: query.parsed("waiting_on"),
        q: query.text("q").map(str::to_owned),
        owner: query.text("owner").map(str::to_owned),
        due_before: query.parsed("due_before"),
        source_type: query.parsed("source_type"),
        external_id: query.parsed("external_id"),
        sort: if query.text("sort") == Some("priority") { Sort::Priority } else { Sort::Recent },
        limit: query.limit(),
        cursor: query.text("cursor").map(str::to_owned),
    }
}
