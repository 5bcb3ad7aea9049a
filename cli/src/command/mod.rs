//! Every command on one screen.

mod check;
mod completions;
mod dev;
mod digest;
mod due;
pub mod extract;
mod feedback;
mod item;
mod job;
mod missed;
mod serve;
mod submit;
mod tasks;
mod token;
mod watch;
mod webhook;

use crate::{
    failure::{CliError, CliResult},
    output::Output,
};
use clap::{Parser, Subcommand};
use std::future::Future;

/// Meeting, mail and chat content in, tasks out: what, who, by when, and the words that prove it.
#[derive(Parser, Debug)]
#[command(name = "gleaner", version, subcommand_required = true, arg_required_else_help = true)]
#[command(after_help = "Examples:
  gleaner dev                                 everything on this machine
  gleaner extract notes.md --me 'Dana Reyes'  offline, without a server
  gleaner submit *.vtt --wait                 send transcripts to a server
  gleaner tasks --sort priority               what is to be done")]
pub struct Cli {
    /// Write JSON even on a terminal
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Run everything on this machine, with a redis-server of its own
    Dev(Box<dev::DevArgs>),
    /// Find the tasks of a text, offline
    Extract(Box<extract::ExtractArgs>),
    /// Resolve a date expression, offline
    Due(due::DueArgs),
    /// Send content to a server
    Submit(submit::SubmitArgs),
    /// Follow folders and send what lands in them
    Watch(watch::WatchArgs),
    /// Look at submissions, or queue a failed one anew
    Job(job::JobArgs),
    /// Erase what was submitted
    Item(item::ItemArgs),
    /// List, show or explain tasks
    Tasks(tasks::TasksArgs),
    /// What is late, what is yours, what you wait for, what was done
    Digest(digest::DigestArgs),
    /// Mark tasks as completed
    Done(tasks::DoneArgs),
    /// Rate a task, so that the next ones come out better
    Feedback(feedback::FeedbackArgs),
    /// Report a task that was overlooked
    Missed(missed::MissedArgs),
    /// Show or forget what feedback has taught
    Learning(feedback::LearningArgs),
    /// Create, list or revoke tokens
    Token(token::TokenArgs),
    /// Say who is told what happens, and see what was sent
    Webhook(webhook::WebhookArgs),
    /// Check that a server answers and asks its store; needs no token
    Check(check::CheckArgs),
    /// Run a process that takes submissions and answers for them over HTTP
    Api(Box<serve::ApiArgs>),
    /// Run a process that extracts tasks and sends webhooks
    Worker(Box<serve::WorkerArgs>),
    /// Run a process that reconciles ApiToken and Webhook resources, in Kubernetes
    Controller(Box<serve::ControllerArgs>),
    /// Print the definitions of the ApiToken and Webhook resources for `kubectl apply -f -`
    Crd(CrdArgs),
    /// Print the OpenAPI document of the HTTP interface
    Openapi,
    /// Print completions for a shell
    Completions(completions::CompletionsArgs),
}

/// Runs a command; its error becomes the exit code.
pub fn run(cli: Cli) -> CliResult {
    let output = Output::new(cli.json);
    match cli.command {
        Command::Dev(args) => dev::run(*args, cli.json),
        Command::Api(args) => serve::api(*args),
        Command::Worker(args) => serve::worker(*args),
        Command::Controller(args) => serve::controller(*args),
        Command::Extract(args) => extract::run(&args, output),
        Command::Due(args) => due::run(&args, output),
        Command::Submit(args) => wait_for(submit::run(args, output)),
        Command::Watch(args) => wait_for(watch::run(args, output)),
        Command::Job(args) => wait_for(job::run(args, output)),
        Command::Item(args) => wait_for(item::run(args, output)),
        Command::Tasks(args) => wait_for(tasks::run(args, output)),
        Command::Digest(args) => wait_for(digest::run(args, output)),
        Command::Done(args) => wait_for(tasks::done(args, output)),
        Command::Feedback(args) => wait_for(feedback::run(args, output)),
        Command::Missed(args) => wait_for(missed::run(args, output)),
        Command::Learning(args) => wait_for(feedback::learning(args, output)),
        Command::Token(args) => wait_for(token::run(args, output)),
        Command::Webhook(args) => wait_for(webhook::run(args, output)),
        Command::Check(args) => wait_for(check::run(args, output)),
        Command::Crd(args) => crd(&args, output),
        Command::Openapi => output.text(gleaner_api::openapi_json().trim_end()),
        Command::Completions(args) => completions::run(&args),
    }
}

/// Runs a client's command: it waits for a server more than it works.
fn wait_for(command: impl Future<Output = CliResult>) -> CliResult {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| CliError::failed(format!("cannot start: {error}")))?
        .block_on(command)
}

/// Options of `gleaner crd`.
#[derive(clap::Args, Debug)]
struct CrdArgs {
    /// Only one of them
    #[arg(value_parser = ["apitokens", "webhooks"], value_name = "RESOURCE")]
    only: Option<String>,
}

fn crd(args: &CrdArgs, output: Output) -> CliResult {
    let failed = |error| CliError::failed(format!("cannot write the definition: {error}"));
    let (tokens, webhooks) = (gleaner_crds::yaml().map_err(failed)?, gleaner_crds::webhook_yaml().map_err(failed)?);
    match args.only.as_deref() {
        Some("apitokens") => output.text(tokens.trim_end()),
        Some(_) => output.text(webhooks.trim_end()),
        None => output.text(format!("{}\n---\n{}", tokens.trim_end(), webhooks.trim_end())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn every_command_and_option_is_well_formed() {
        Cli::command().debug_assert();
    }
}
