//! Logs: one line an event on stderr, JSON for machines and text for people. `docs/LOGGING.md` says what goes in.

use crate::otlp::{self, Exporter, OtlpError};
use clap::ValueEnum;
use std::io::IsTerminal as _;
use tracing_subscriber::{
    EnvFilter, Layer, Registry, filter::LevelFilter, layer::SubscriberExt as _, util::SubscriberInitExt as _,
};

/// What is logged, and how.
#[derive(clap::Args, Clone, Debug)]
pub struct LogConfig {
    /// What to log: off, error, warn, info, debug, trace, or a filter such as `info,gleaner_worker=debug`
    #[arg(long, env = "GLEANER_LOG", default_value = "info", value_name = "FILTER")]
    pub log: String,
    /// How to write it: `auto` is text on a terminal and JSON elsewhere
    #[arg(long, env = "GLEANER_LOG_FORMAT", value_enum, default_value_t = LogFormat::Auto, value_name = "FORMAT")]
    pub log_format: LogFormat,
    /// Collector that takes traces, OTLP over HTTP, e.g. http://collector:4318 [default: traces are not exported]
    #[arg(long, env = "GLEANER_OTLP_ENDPOINT", value_name = "URL")]
    pub otlp_endpoint: Option<String>,
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
    /// The traces' collector cannot be used.
    #[error(transparent)]
    Otlp(#[from] OtlpError),
    /// Something else logs in this process already.
    #[error("logging was started twice in one process")]
    Twice(#[from] tracing_subscriber::util::TryInitError),
}

/// Whose warnings quote the answers of the API server that it cannot read, which may be Secrets.
const QUOTING: &str = "kube_client::client=error";

/// Starts logging for the whole process, panics included; `service` is what traces call it. Where traces are exported,
/// returns what has to run for that.
///
/// # Errors
/// When a setting cannot be used, or when logging has been started before.
pub fn init(config: &LogConfig, service: &str) -> Result<Option<Exporter>, LogError> {
    let export = config.otlp_endpoint.as_deref().map(|endpoint| otlp::export(endpoint, service)).transpose()?;
    let (collector, exporter) = export.unzip();
    // Spans are info: what they stand for is exported whatever the lines of the log leave out.
    let collector = collector.map(|collector| collector.with_filter(LevelFilter::INFO));
    tracing_subscriber::registry().with(lines(config)?).with(collector).try_init()?;
    std::panic::set_hook(Box::new(|panic| {
        // Without the message: it may quote the text that was being read.
        let place = panic.location().map_or_else(String::new, ToString::to_string);
        tracing::error!(panic.place = place, "A thread stopped on an error in the program; please report this line");
    }));
    Ok(exporter)
}

fn lines(config: &LogConfig) -> Result<Box<dyn Layer<Registry> + Send + Sync>, LogError> {
    let filter = EnvFilter::builder().parse(&config.log)?.add_directive(QUOTING.parse()?);
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
        let config = LogConfig { log: "a=b=c".to_owned(), log_format: LogFormat::Json, otlp_endpoint: None };
        let error = lines(&config).err().unwrap().to_string();
        assert!(error.contains("GLEANER_LOG"), "{error}");
    }
}
