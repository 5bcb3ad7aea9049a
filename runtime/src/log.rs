//! Logs: one line an event on stderr, JSON for machines and text for people. `docs/LOGGING.md` says what goes in.

use clap::ValueEnum;
use std::io::IsTerminal as _;
use tracing_subscriber::{EnvFilter, Layer, Registry, layer::SubscriberExt as _, util::SubscriberInitExt as _};

/// What is logged, and how.
#[derive(clap::Args, Clone, Debug)]
pub struct LogConfig {
    /// What to log: off, error, warn, info, debug, trace, or a filter such as `info,gleaner_worker=debug`
    #[arg(long, env = "GLEANER_LOG", default_value = "info", value_name = "FILTER")]
    pub log: String,
    /// How to write it: `auto` is text on a terminal and JSON elsewhere
    #[arg(long, env = "GLEANER_LOG_FORMAT", value_enum, default_value_t = LogFormat::Auto, value_name = "FORMAT")]
    pub log_format: LogFormat,
}

/// The form of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// Text on a terminal, JSON elsewhere.
    Auto,
    /// For people.
    Text,
    /// For machines.
    Json,
}

/// Why logging could not start.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The filter does not parse.
    #[error("GLEANER_LOG is not a filter such as `info` or `info,gleaner_worker=debug`: {0}")]
    Filter(#[from] tracing_subscriber::filter::ParseError),
    /// Something else logs in this process already.
    #[error("logging was started twice in one process")]
    Twice(#[from] tracing_subscriber::util::TryInitError),
}

/// Starts logging for the whole process, panics included.
///
/// # Errors
/// When the filter does not parse, or when logging has been started before.
pub fn init(config: &LogConfig) -> Result<(), LogError> {
    tracing_subscriber::registry().with(lines(config)?).try_init()?;
    std::panic::set_hook(Box::new(|panic| {
        // Without the message: it may quote the text that was being read.
        let place = panic.location().map_or_else(String::new, ToString::to_string);
        tracing::error!(panic.place = place, "A thread stopped on an error in the program; please report this line");
    }));
    Ok(())
}

fn lines(config: &LogConfig) -> Result<Box<dyn Layer<Registry> + Send + Sync>, LogError> {
    let filter = EnvFilter::builder().parse(&config.log)?;
    let terminal = std::io::stderr().is_terminal();
    let text = match config.log_format {
        LogFormat::Auto => terminal,
        LogFormat::Text => true,
        LogFormat::Json => false,
    };
    let layer = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    Ok(if text {
        let colour = terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        layer.with_ansi(colour).with_target(false).with_filter(filter).boxed()
    } else {
        layer.json().flatten_event(true).with_span_list(false).with_filter(filter).boxed()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_that_does_not_parse_names_the_setting() {
        let config = LogConfig { log: "a=b=c".to_owned(), log_format: LogFormat::Json };
        let error = lines(&config).err().unwrap().to_string();
        assert!(error.contains("GLEANER_LOG"), "{error}");
    }
}
