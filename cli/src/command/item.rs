//! `gleaner item`: content that was submitted.

use crate::{
    client::{ApiClient, ServerArgs},
    failure::CliResult,
    output::Output,
};
use clap::Subcommand;
use gleaner_model::{ExternalId, SourceType};
use reqwest::Method;

/// What to do with items.
#[derive(clap::Args, Debug)]
pub struct ItemArgs {
    #[command(flatten)]
    remote: ServerArgs,
    #[command(subcommand)]
    command: ItemCommand,
}

#[derive(Subcommand, Debug)]
enum ItemCommand {
    /// Erase an item, its evidence, and the tasks that rest on it alone
    Erase {
        /// The item's kind, such as meeting
        source_type: SourceType,
        /// The item's id
        external_id: ExternalId,
    },
}

pub async fn run(args: ItemArgs, output: Output) -> CliResult {
    let client = ApiClient::new(&args.remote)?;
    let ItemCommand::Erase { source_type, external_id } = args.command;
    let path = ["ingest", "items", source_type.as_str(), external_id.as_str()];
    client.ask(client.request(Method::DELETE, &path)).await?;
    output.note(format!("erased {source_type} {external_id}"))
}
