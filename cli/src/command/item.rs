//! `gleaner item`: content that was submitted.

use crate::{
    client::{Client, Remote},
    failure::Outcome,
    output::Output,
};
use clap::Subcommand;
use gleaner_model::{ExternalId, SourceType};
use reqwest::Method;

/// What to do with items.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    remote: Remote,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Erase an item, its evidence, and the tasks that rest on it alone
    Erase {
        /// The item's kind, such as meeting
        source_type: SourceType,
        /// The item's id
        external_id: ExternalId,
    },
}

/// Runs the command.
pub async fn run(args: Args, output: Output) -> Outcome {
    let client = Client::new(&args.remote)?;
    let Command::Erase { source_type, external_id } = args.command;
    let path = ["ingest", "items", source_type.as_str(), external_id.as_str()];
    client.ask(client.request(Method::DELETE, &path)).await?;
    if output.is_json() { Ok(()) } else { output.text(format!("erased {source_type} {external_id}")) }
}
