//! `gleaner job`: submissions on their way.

use crate::{
    client::{ApiClient, ServerArgs},
    failure::{CliError, CliResult},
    output::Output,
    show,
};
use clap::{Subcommand, ValueEnum};
use gleaner_model::{Job, JobId, Page};
use reqwest::Method;
use serde_json::Value;
use std::time::{Duration, Instant};

/// What to do with jobs; without a command: show one, or list them.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  gleaner job 0197b0a4-…
  gleaner job list --status failed
  gleaner job requeue 0197b0a4-…")]
pub struct JobArgs {
    #[command(flatten)]
    remote: ServerArgs,
    /// The job to show; without one the newest are listed
    id: Option<JobId>,
    #[command(subcommand)]
    command: Option<JobCommand>,
}

/// How many jobs are listed.
const NEWEST: u32 = 50;

#[derive(Subcommand, Debug)]
enum JobCommand {
    /// Show one job
    Get {
        /// The job's id
        id: JobId,
        /// Wait until it has ended
        #[arg(long)]
        wait: bool,
    },
    /// List jobs, newest first
    List {
        /// Only those that stand here
        #[arg(long, value_enum)]
        status: Option<JobStatusArg>,
        /// How many
        #[arg(long, default_value_t = NEWEST, value_parser = clap::value_parser!(u32).range(1..=200))]
        limit: u32,
        /// Where the page begins: `next_cursor` of the one before
        #[arg(long)]
        cursor: Option<String>,
    },
    /// Queue a failed job anew
    Requeue {
        /// The job's id
        id: JobId,
    },
}

/// Where a job stands.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum JobStatusArg {
    Accepted,
    Running,
    Succeeded,
    Failed,
}

pub async fn run(args: JobArgs, output: Output) -> CliResult {
    let client = ApiClient::new(&args.remote)?;
    let shown = args.id.map(|id| JobCommand::Get { id, wait: false });
    let newest = JobCommand::List { status: None, limit: NEWEST, cursor: None };
    match args.command.or(shown).unwrap_or(newest) {
        JobCommand::Get { id, wait: false } => {
            one(client.ask(client.request(Method::GET, &["ingest", "jobs", &id.to_string()])).await?, output)
        }
        JobCommand::Get { id, wait: true } => one(ended(&client, id, Duration::from_secs(3600)).await?, output),
        JobCommand::List { status, limit, cursor } => {
            let status = status.and_then(|status| Some(status.to_possible_value()?.get_name().to_owned()));
            let query = [("status", status), ("limit", Some(limit.to_string())), ("cursor", cursor)];
            list(client.ask(client.request(Method::GET, &["ingest", "jobs"]).query(&query)).await?, output)
        }
        JobCommand::Requeue { id } => {
            let path = ["ingest", "jobs", &id.to_string(), "requeue"];
            one(client.ask(client.request(Method::POST, &path)).await?, output)
        }
    }
}

fn one(body: Value, output: Output) -> CliResult {
    if output.is_json() { output.json(&body) } else { show::jobs(&[show::read(body)?], output) }
}

fn list(body: Value, output: Output) -> CliResult {
    if output.is_json() {
        return output.json(&body);
    }
    let page: Page<Job> = show::read(body)?;
    show::jobs(&page.items, output)?;
    show::next_page(page.next_cursor, output)
}

/// Waits until a job has ended, holding one request at the server at a time.
pub async fn ended(client: &ApiClient, id: JobId, limit: Duration) -> Result<Value, CliError> {
    let begun = Instant::now();
    while begun.elapsed() < limit {
        let request = client.request(Method::GET, &["ingest", "jobs", &id.to_string()]);
        let body = client.ask(request.header("prefer", "wait=20").timeout(Duration::from_secs(40))).await?;
        if matches!(show::text(&body, "status"), "succeeded" | "failed") {
            return Ok(body);
        }
        // A server that does not hold the answer is not asked more often than this.
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    Err(CliError::failed(format!("job {id} has not ended; ask again with `gleaner job get {id}`")))
}
