//! `gleaner tasks` and `gleaner done`: what is to be done, why, and that it is.

use crate::{
    client::{ApiClient, ServerArgs},
    failure::{CliError, CliResult},
    output::Output,
    show,
};
use chrono::NaiveDate;
use clap::{Subcommand, ValueEnum};
use gleaner_model::{Page, Task, TaskId};
use reqwest::{Method, header::ACCEPT};
use serde_json::json;

/// Which tasks to show.
#[derive(clap::Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
#[command(after_help = "Examples:
  gleaner tasks --sort priority
  gleaner tasks -q 'revised sow' --status completed
  gleaner tasks --waiting-on true --due-before 2026-04-01
  gleaner tasks --format csv > tasks.csv
  gleaner tasks explain 0197b0a4-…")]
pub struct TasksArgs {
    #[command(flatten)]
    remote: ServerArgs,
    #[command(flatten)]
    filter: TaskFilterArgs,
    /// Output format; csv, markdown and ics hold all pages
    #[arg(long, value_enum)]
    format: Option<TaskFormat>,
    #[command(subcommand)]
    command: Option<TasksCommand>,
}

#[derive(clap::Args, Debug)]
struct TaskFilterArgs {
    /// Words to find in title, evidence and owner, at least 3 characters
    #[arg(short, long, value_name = "WORDS")]
    q: Option<String>,
    /// Where they stand
    #[arg(long, value_enum, default_value_t = TaskStatusArg::Open)]
    status: TaskStatusArg,
    /// What comes first
    #[arg(long, value_enum, default_value_t = TaskSort::Recent)]
    sort: TaskSort,
    /// Those that wait for somebody else, or the rest
    #[arg(long, value_name = "true|false")]
    waiting_on: Option<bool>,
    /// Whose they are
    #[arg(long, value_name = "NAME")]
    owner: Option<String>,
    /// Due before this day
    #[arg(long, value_name = "DATE")]
    due_before: Option<NaiveDate>,
    /// From this kind of source
    #[arg(long, value_name = "TYPE")]
    source_type: Option<String>,
    /// From this item
    #[arg(long, value_name = "ID")]
    external_id: Option<String>,
    /// How many
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=200))]
    limit: u32,
    /// Where the page begins: `next_cursor` of the one before
    #[arg(long)]
    cursor: Option<String>,
}

#[derive(Subcommand, Debug)]
enum TasksCommand {
    /// Show one task with all its evidence
    Get {
        /// The task's id
        id: TaskId,
    },
    /// Say why a task was found and why it ranks where it does
    Explain {
        /// The task's id
        id: TaskId,
    },
}

/// Where a task stands.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum TaskStatusArg {
    Open,
    Completed,
    Dismissed,
}

/// What comes first.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum TaskSort {
    /// The latest mention
    Recent,
    /// The highest priority
    Priority,
}

/// In what form to write.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum TaskFormat {
    /// Rows for people
    Table,
    /// What the API answers
    Json,
    /// Comma-separated values
    Csv,
    /// Check boxes
    Markdown,
    /// A calendar with to-dos
    Ics,
}

/// The name of a choice as the API spells it.
fn name(choice: &impl ValueEnum) -> Option<String> {
    Some(choice.to_possible_value()?.get_name().to_owned())
}

pub async fn run(args: TasksArgs, output: Output) -> CliResult {
    let client = ApiClient::new(&args.remote)?;
    match args.command {
        None => written(&client, args.filter, args.format, output).await,
        Some(TasksCommand::Get { id }) => get(&client, id, output).await,
        Some(TasksCommand::Explain { id }) => explain(&client, id, output).await,
    }
}

async fn written(client: &ApiClient, filter: TaskFilterArgs, format: Option<TaskFormat>, output: Output) -> CliResult {
    match format {
        None => list(client, filter, output).await,
        Some(TaskFormat::Table) => list(client, filter, Output::for_people()).await,
        Some(TaskFormat::Json) => list(client, filter, Output::new(true)).await,
        Some(TaskFormat::Csv) => all(client, filter, "tasks", "text/csv").await,
        Some(TaskFormat::Markdown) => all(client, filter, "tasks", "text/markdown").await,
        Some(TaskFormat::Ics) => all(client, filter, "tasks.ics", "text/calendar").await,
    }
}

/// All pages as the server writes them.
async fn all(client: &ApiClient, filter: TaskFilterArgs, path: &str, media_type: &str) -> CliResult {
    if media_type == "text/calendar" && filter.cursor.is_some() {
        return Err(CliError::usage("--cursor does not go with --format ics: a calendar holds all pages"));
    }
    // A calendar has no order.
    let leave_out = |name: &str| name == "limit" || (media_type == "text/calendar" && name == "sort");
    let query: Vec<_> = query(filter).into_iter().filter(|(name, _)| !leave_out(name)).collect();
    client.copy(client.request(Method::GET, &[path]).query(&query).header(ACCEPT, media_type)).await
}

/// The filters that were given, as the API takes them.
fn query(filter: TaskFilterArgs) -> Vec<(&'static str, String)> {
    let query = [
        ("q", filter.q),
        ("status", name(&filter.status)),
        ("sort", name(&filter.sort)),
        ("waiting_on", filter.waiting_on.map(|yes| yes.to_string())),
        ("owner", filter.owner),
        ("due_before", filter.due_before.map(|day| day.to_string())),
        ("source_type", filter.source_type),
        ("external_id", filter.external_id),
        ("limit", Some(filter.limit.to_string())),
        ("cursor", filter.cursor),
    ];
    query.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}

async fn list(client: &ApiClient, filter: TaskFilterArgs, output: Output) -> CliResult {
    let body = client.ask(client.request(Method::GET, &["tasks"]).query(&query(filter))).await?;
    if output.is_json() {
        return output.json(&body);
    }
    let page: Page<Task> = show::read(body)?;
    show::tasks(&page.items, output)?;
    show::next_page(page.next_cursor, output)
}

/// Lists what is open: what `gleaner dev --ingest` does.
pub async fn list_all(client: &ApiClient, output: Output) -> CliResult {
    let body = client.ask(client.request(Method::GET, &["tasks"]).query(&[("limit", "200")])).await?;
    let page: Page<Task> = show::read(body)?;
    show::tasks(&page.items, output)
}

async fn get(client: &ApiClient, id: TaskId, output: Output) -> CliResult {
    let body = client.ask(client.request(Method::GET, &["tasks", &id.to_string()])).await?;
    if output.is_json() {
        return output.json(&body);
    }
    let task: Task = show::read(body)?;
    show::tasks(std::slice::from_ref(&task), output)?;
    for evidence in &task.evidence {
        let speaker = evidence.speaker.as_deref().unwrap_or("somebody");
        output.text(format!("\n{speaker} in {} {}:", evidence.source_type, evidence.external_id))?;
        output.text(format!("  {}", evidence.quote))?;
    }
    Ok(())
}

async fn explain(client: &ApiClient, id: TaskId, output: Output) -> CliResult {
    let body = client.ask(client.request(Method::GET, &["tasks", &id.to_string(), "explain"])).await?;
    if output.is_json() {
        return output.json(&body);
    }
    show::weights(show::elements(&body, "reasons"), ("REASON", "text"), output)
}

/// Which tasks are done.
#[derive(clap::Args, Debug)]
pub struct DoneArgs {
    #[command(flatten)]
    remote: ServerArgs,
    /// The tasks' ids
    #[arg(required = true)]
    ids: Vec<TaskId>,
    /// They are not: open them again
    #[arg(long)]
    reopen: bool,
}

/// Completes tasks, or opens them again.
pub async fn done(args: DoneArgs, output: Output) -> CliResult {
    let client = ApiClient::new(&args.remote)?;
    let status = if args.reopen { "open" } else { "completed" };
    for id in &args.ids {
        let request = client.request(Method::PATCH, &["tasks", &id.to_string()]);
        let request = request.header("content-type", "application/merge-patch+json");
        let body = json!({ "status": status }).to_string();
        let task =
            client.ask(request.body(body)).await.map_err(|failure| CliError::failed(format!("{id}: {failure}")))?;
        if output.is_json() {
            output.json(&task)?;
        } else {
            output.text(format!("{status}: {}", show::text(&task, "title")))?;
        }
    }
    Ok(())
}
