//! The `gleaner` binary: reads the command line, runs one command, and turns its outcome into an exit code.

mod client;
mod command;
mod dev;
mod digest;
mod failure;
mod lines;
mod original;
mod output;
mod show;
mod visible;
mod watch;

use clap::{Parser as _, error::ErrorKind};
use std::process::ExitCode;

fn main() -> ExitCode {
    // Before anything else: a process of its own that reads one file of a stranger's.
    if std::env::args_os().nth(1).is_some_and(|command| command == gleaner_api::pdf::COMMAND) {
        return gleaner_api::pdf::read();
    }
    let outcome = match command::Cli::try_parse() {
        Ok(cli) => command::run(cli),
        Err(error) if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) => {
            return if error.print().is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
        }
        Err(error) => Err(wrong_usage(&error)),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("gleaner: {failure}");
            ExitCode::from(failure.code())
        }
    }
}

/// clap explains itself in a paragraph; its first lines, up to the blank one, say what is wrong.
fn wrong_usage(error: &clap::Error) -> failure::CliError {
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return failure::CliError::usage("which command? `gleaner --help` lists them");
    }
    let text = error.render().to_string();
    let (reason, rest) = text.split_once("\n\n").unwrap_or((&text, ""));
    let usage = rest.lines().find_map(|line| line.strip_prefix("Usage: ")).unwrap_or("gleaner <COMMAND>");
    let command: Vec<_> = usage.split_whitespace().take_while(|word| !word.starts_with(['[', '<', '-'])).collect();
    let reason = reason.trim_start_matches("error: ");
    failure::CliError::usage(format!("{reason}; `{} --help` shows how", command.join(" ")))
}
