//! `gleaner completions`: what a shell needs to complete our commands.

use super::Cli;
use crate::failure::CliResult;
use clap::CommandFactory as _;
use clap_complete::Shell;

/// Options of `gleaner completions`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example: gleaner completions bash > ~/.local/share/bash-completion/completions/gleaner")]
pub struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// Prints the completion script of a shell.
pub fn run(args: &CompletionsArgs) -> CliResult {
    clap_complete::generate(args.shell, &mut Cli::command(), "gleaner", &mut std::io::stdout());
    Ok(())
}
