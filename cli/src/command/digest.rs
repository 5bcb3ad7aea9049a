//! `gleaner digest`: what is late, what is mine, what I wait for, what was done; for a terminal or a mail.

use crate::{
    client::{ApiClient, ServerArgs},
    digest::{Digest, html, markdown, text},
    failure::{CliError, CliResult},
    output::Output,
    show,
};
use chrono::{Days, Local};
use clap::ValueEnum;
use gleaner_model::{Page, Task};
use reqwest::Method;

/// Most tasks of a list that are read.
const MAX_TASKS: usize = 2_000;

/// What to tell of.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  gleaner digest
  gleaner digest --week --format html | mail -a 'Content-Type: text/html' -s 'This week' dana@example.com")]
pub struct DigestArgs {
    #[command(flatten)]
    remote: ServerArgs,
    /// Of the week: what was done in the last seven days, and what is due in the next
    #[arg(long)]
    week: bool,
    /// As what [default: text on a terminal, else json]
    #[arg(long, value_enum)]
    format: Option<DigestFormat>,
    /// Most tasks under one heading
    #[arg(long, default_value_t = 20, value_name = "COUNT")]
    most: usize,
}

/// In what form to write.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum DigestFormat {
    /// Lines for people
    Text,
    /// For a mail or a chat
    Markdown,
    /// For a mail
    Html,
    /// The tasks themselves
    Json,
}

pub async fn run(args: DigestArgs, output: Output) -> CliResult {
    let client = ApiClient::new(&args.remote)?;
    let today = Local::now().date_naive();
    let mine = all(&client, &[("owner", "me"), ("waiting_on", "false"), ("sort", "priority")]).await?;
    let awaited = all(&client, &[("waiting_on", "true"), ("sort", "priority")]).await?;
    let completed = all(&client, &[("status", "completed")]).await?;
    let days = if args.week { 7 } else { 1 };
    let since = today.checked_sub_days(Days::new(days)).unwrap_or(today);
    let until = today.checked_add_days(Days::new(days - 1)).unwrap_or(today);
    let digest = Digest::of(mine, awaited, completed, (since, today, until));
    let format = args.format.unwrap_or(if output.is_json() { DigestFormat::Json } else { DigestFormat::Text });
    match format {
        DigestFormat::Text => output.text(text(&digest, args.most)),
        DigestFormat::Markdown => output.text(markdown(&digest, args.most)),
        DigestFormat::Html => output.text(html(&digest, args.most)),
        DigestFormat::Json => output.json(&digest),
    }
}

/// The tasks of a list, all pages up to a bound.
async fn all(client: &ApiClient, filters: &[(&str, &str)]) -> Result<Vec<Task>, CliError> {
    let (mut tasks, mut cursor) = (Vec::new(), None);
    while tasks.len() < MAX_TASKS {
        let request = client.request(Method::GET, &["tasks"]).query(filters).query(&[("limit", "200")]);
        let request = match &cursor {
            Some(cursor) => request.query(&[("cursor", cursor)]),
            None => request,
        };
        let page: Page<Task> = show::read(client.ask(request).await?)?;
        tasks.extend(page.items);
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    Ok(tasks)
}
