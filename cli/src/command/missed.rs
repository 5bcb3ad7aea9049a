//! `gleaner missed`: a task that was overlooked.

use crate::{
    client::{ApiClient, ServerArgs},
    failure::CliResult,
    output::Output,
    show,
};
use chrono::NaiveDate;
use gleaner_model::{ExternalId, SourceType};
use reqwest::Method;
use serde_json::{Value, json};

/// Which words of which item are a task.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:
  gleaner missed meeting m-17 \"We need the new badges by Monday\" --title 'Order new badges' --due 2026-03-09")]
pub struct MissedArgs {
    #[command(flatten)]
    remote: ServerArgs,
    /// Kind of the item
    source_type: SourceType,
    /// The item's id in your own system
    external_id: ExternalId,
    /// The words that the task rests on, as they stand in the item
    quote: String,
    /// The task in a short imperative phrase
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// Who is to do it
    #[arg(long, value_name = "NAME")]
    owner: Option<String>,
    /// By when
    #[arg(long, value_name = "DATE")]
    due: Option<NaiveDate>,
    /// The text around the words
    #[arg(long, value_name = "TEXT")]
    text: Option<String>,
}

/// Reports a task that was overlooked in an item.
pub async fn run(args: MissedArgs, output: Output) -> CliResult {
    let client = ApiClient::new(&args.remote)?;
    let mut body = json!({ "quote": args.quote });
    let given = [
        ("title", args.title),
        ("owner", args.owner),
        ("due", args.due.map(|due| due.to_string())),
        ("text", args.text),
    ];
    for (name, value) in given {
        if let Some(value) = value {
            body[name] = Value::String(value);
        }
    }
    let path = ["ingest", "items", args.source_type.as_str(), args.external_id.as_str(), "missed"];
    let task = client.ask(client.request(Method::POST, &path).json(&body)).await?;
    if output.is_json() {
        return output.json(&task);
    }
    output.text(format!("added {}: {}", show::text(&task, "id"), show::text(&task, "title")))
}
