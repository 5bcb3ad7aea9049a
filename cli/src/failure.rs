//! How a command fails: one line that says what to do, and an exit code.

use crate::visible::visible;
use std::fmt;

/// What went wrong, in one line with a way forward.
#[derive(Debug)]
pub struct CliError {
    message: String,
    code: u8,
}

impl CliError {
    /// The command was right and did not succeed: exit code 1.
    pub fn failed(message: impl Into<String>) -> Self {
        Self { message: message.into(), code: 1 }
    }

    /// The command was wrong: exit code 2.
    pub fn usage(message: impl Into<String>) -> Self {
        Self { message: message.into(), code: 2 }
    }

    /// What the process ends with.
    pub fn code(&self) -> u8 {
        self.code
    }
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // One line, whatever a server or the operating system had to say.
        f.write_str(&visible(&self.message.split_whitespace().collect::<Vec<_>>().join(" ")))
    }
}

impl From<serde_json::Error> for CliError {
    fn from(error: serde_json::Error) -> Self {
        Self::failed(format!("cannot write the answer as JSON: {error}"))
    }
}

/// What a command returns.
pub type CliResult = Result<(), CliError>;
