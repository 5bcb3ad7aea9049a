//! Records as rows for people.

use crate::{
    failure::{CliError, CliResult},
    output::{Output, faint, number, plain, warm},
};
use chrono::{DateTime, Utc};
use comfy_table::Cell;
use gleaner_model::{Job, JobStatus, Task, TaskStatus, Urgency};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Reads a record out of an answer.
///
/// # Errors
/// When the answer is not one: then server and client are of different versions.
pub fn read<T: DeserializeOwned>(body: Value) -> Result<T, CliError> {
    serde_json::from_value(body).map_err(|error| {
        CliError::failed(format!("cannot read the server's answer ({error}); use a client of the server's version"))
    })
}

/// The text of a record's member; empty where it is none.
pub fn text<'r>(record: &'r Value, member: &str) -> &'r str {
    record[member].as_str().unwrap_or_default()
}

/// The elements of a record's member; none where it is no array.
pub fn elements<'r>(record: &'r Value, member: &str) -> &'r [Value] {
    record[member].as_array().map(Vec::as_slice).unwrap_or_default()
}

/// Records that have a weight, one a row, under the heading of the member that says what weighs.
pub fn weights(records: &[Value], (heading, member): (&str, &str), output: Output) -> CliResult {
    let rows = records.iter().map(|record| {
        let weight = record["weight"].as_f64().unwrap_or_default();
        vec![number(format!("{weight:+.2}")), plain(text(record, member))]
    });
    output.table(&["WEIGHT", heading], rows.collect())
}

/// Says how to list the next page, where there is one.
pub fn next_page(cursor: Option<String>, output: Output) -> CliResult {
    cursor.map_or(Ok(()), |cursor| output.text(format!("more: --cursor {cursor}")))
}

/// Tasks, one a row, with the ids that other commands ask for.
pub fn tasks(tasks: &[Task], output: Output) -> CliResult {
    let rows = tasks.iter().map(|task| {
        let mut row = cells(task);
        row.extend([number(format!("{:.2}", task.priority)), faint(task.id)]);
        row
    });
    output.table(&["DUE", "OWNER", "TASK", "EVIDENCE", "PRIORITY", "ID"], rows.collect())
}

/// Tasks that were found offline: nobody can ask for them by id.
pub fn found(tasks: &[Task], output: Output) -> CliResult {
    let rows = tasks.iter().map(|task| {
        let mut row = cells(task);
        row.push(number(format!("{:.2}", task.confidence)));
        row
    });
    output.table(&["DUE", "OWNER", "TASK", "EVIDENCE", "CONFIDENCE"], rows.collect())
}

fn cells(task: &Task) -> Vec<Cell> {
    let due = task.due.as_ref().map(|due| due.date.to_string()).unwrap_or_default();
    let due = if task.urgency == Urgency::High { warm(due) } else { plain(due) };
    let owner = match &task.owner {
        Some(owner) if owner.is_me => format!("{} (me)", owner.name),
        Some(owner) => owner.name.clone(),
        None => String::new(),
    };
    let title = match task.status {
        TaskStatus::Completed => format!("✓ {}", task.title),
        TaskStatus::Dismissed => format!("✗ {}", task.title),
        TaskStatus::Open => task.title.clone(),
    };
    let quote = task.best_evidence().map(|evidence| clip(&evidence.quote, 80)).unwrap_or_default();
    vec![due, plain(owner), plain(title), faint(quote)]
}

/// Jobs, one a row.
pub fn jobs(jobs: &[Job], output: Output) -> CliResult {
    let rows = jobs.iter().map(|job| {
        let status = match job.status {
            JobStatus::Failed => warm("failed"),
            status => plain(status.as_str()),
        };
        let tasks = job.tasks_extracted.map(|count| count.to_string()).unwrap_or_default();
        let reason = job.error.as_ref().map(|error| error.message.clone()).unwrap_or_default();
        vec![
            time(job.accepted_at),
            status,
            plain(&job.source_type),
            plain(&job.external_id),
            number(tasks),
            plain(reason),
            faint(job.job_id),
        ]
    });
    output.table(&["ACCEPTED", "STATUS", "TYPE", "ITEM", "TASKS", "REASON", "JOB"], rows.collect())
}

/// A moment, to the second.
pub fn time(time: DateTime<Utc>) -> Cell {
    faint(time.format("%Y-%m-%d %H:%M:%S"))
}

/// The beginning of a text that may be long.
fn clip(text: &str, length: usize) -> String {
    let mut words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((at, _)) = words.char_indices().nth(length) {
        words.truncate(at);
        words.push('…');
    }
    words
}
