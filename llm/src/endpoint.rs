//! One request to an OpenAI-compatible endpoint and its answer, in whichever dialect it understands.

use crate::{config::LlmConfig, dialect::Dialect, question::INSTRUCTIONS};
use gleaner_model::Usage;
use reqwest::{
    Response, StatusCode, Url,
    header::{HeaderMap, HeaderName, HeaderValue, RETRY_AFTER},
    redirect,
};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::Value;
use std::time::Duration;

/// Longest answer that is read, in bytes.
const MAX_ANSWER: usize = 4 * 1024 * 1024;
/// Longest error that is read, in bytes.
const MAX_ERROR: usize = 16 * 1024;

/// Why the settings of a model cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum InvalidSettings {
    /// The URL or the model's name is missing.
    #[error("the llm extractor needs --llm-url and --llm-model")]
    Missing,
    /// The URL is none.
    #[error("--llm-url is no http:// or https:// URL")]
    Url,
    /// The context leaves no room for a text.
    #[error(
        "--llm-context-tokens is too small: instructions and answer take {0} tokens, and the text needs room as well"
    )]
    Context(usize),
    /// The authority's certificate cannot be read.
    #[error("--llm-ca-file: {0}")]
    Authority(String),
    /// A header is none.
    #[error("--llm-extra-headers: each line must be `Name: value`")]
    Headers,
    /// The HTTP client does not start.
    #[error("cannot start an HTTP client: {0}")]
    Client(#[from] reqwest::Error),
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// It asks to come back later.
    #[error("the model's endpoint is busy: {status}")]
    Busy {
        /// 429 or 503.
        status: StatusCode,
        /// When to come back, where it says so.
        after: Option<Duration>,
    },
    /// It gave no answer in time.
    #[error("the model gave no answer in time")]
    TimedOut,
    /// It cannot be reached.
    #[error("the model cannot be reached: {0}")]
    Unreachable(String),
    /// It failed on its side.
    #[error("the model's endpoint answered {0}")]
    Failed(StatusCode),
    /// It does not take such a request: the key, the model's name or the URL is wrong, perhaps.
    #[error("the model's endpoint answered {0}; check its URL, key and model")]
    Rejected(StatusCode),
    /// It sends requests elsewhere, which are not followed.
    #[error("the model's endpoint answered with a redirect, which is not followed")]
    Redirected,
    /// The question is longer than its context.
    #[error("the question is longer than the model's context")]
    TooLong,
    /// The answer was cut off.
    #[error("the model's answer was cut off")]
    CutOff,
    /// The model would not answer.
    #[error("the model would not answer")]
    Declined,
    /// It said something else than it was asked for.
    #[error("the model's answer is not of the form that was asked for")]
    Malformed,
    /// The circuit breaker is open: it has failed so often lately that it is not asked for a while.
    #[error("the model has failed too often lately")]
    CircuitOpen,
    /// There was no permit in all the time that a text may wait.
    #[error("the limits of the model left no room for this text")]
    Waited,
    /// The endpoint knows less than it was asked in; it is asked otherwise from now on.
    #[error("the model's endpoint does not know what it was asked in")]
    OtherDialect,
}

impl Failure {
    /// The failure in a word, for metrics.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Busy { .. } => "busy",
            Self::TimedOut => "timed_out",
            Self::Unreachable(_) => "unreachable",
            Self::Failed(_) => "failed",
            Self::Rejected(_) => "rejected",
            Self::Redirected => "redirected",
            Self::TooLong => "too_long",
            Self::CutOff => "cut_off",
            Self::Declined => "declined",
            Self::Malformed => "malformed",
            Self::CircuitOpen => "broken",
            Self::Waited => "waited",
            Self::OtherDialect => "other_dialect",
        }
    }
}

/// What the model said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The text of the model's message.
    pub content: String,
    /// What that cost, as the endpoint counts; `None` where it does not.
    pub usage: Option<Usage>,
}

/// An endpoint that can be asked.
pub struct Endpoint {
    http: reqwest::Client,
    url: Url,
    model: String,
    key: Option<SecretString>,
    max_tokens: u32,
    dialect: Dialect,
}

impl std::fmt::Debug for Endpoint {
    /// Without URL and headers: they may hold keys.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Endpoint").field("model", &self.model).finish_non_exhaustive()
    }
}

impl Endpoint {
    /// # Errors
    /// When the settings do not name a model that could be asked.
    pub fn new(config: &LlmConfig) -> Result<Self, InvalidSettings> {
        let (Some(base), Some(model)) = (&config.llm_url, &config.llm_model) else {
            return Err(InvalidSettings::Missing);
        };
        let url: Url =
            format!("{}/chat/completions", base.trim_end_matches('/')).parse().map_err(|_| InvalidSettings::Url)?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(InvalidSettings::Url);
        }
        let mut http = reqwest::Client::builder()
            .redirect(redirect::Policy::none())
            .default_headers(headers(config.llm_extra_headers.as_ref())?)
            .connect_timeout(Duration::from_secs(5))
            .timeout(Duration::from_secs(config.llm_timeout_s));
        if let Some(file) = &config.llm_ca_file {
            let unusable = |error: &dyn std::fmt::Display| InvalidSettings::Authority(error.to_string());
            let pem = std::fs::read(file).map_err(|error| unusable(&error))?;
            for authority in reqwest::Certificate::from_pem_bundle(&pem).map_err(|error| unusable(&error))? {
                http = http.add_root_certificate(authority);
            }
        }
        Ok(Self {
            http: http.build()?,
            url,
            model: model.clone(),
            key: config.llm_key.clone(),
            max_tokens: config.llm_max_tokens,
            dialect: Dialect::default(),
        })
    }

    /// The name under which the endpoint knows the model.
    #[must_use]
    pub fn model(&self) -> &str {
        &self.model
    }

    /// Asks once; `unreadable` is an earlier answer to the same question that is to be repaired.
    ///
    /// # Errors
    /// When there is no whole answer.
    pub async fn ask(&self, question: &str, unreadable: Option<&str>) -> Result<Reply, Failure> {
        let form = self.dialect.form();
        let body = form.body(&self.model, INSTRUCTIONS, question, unreadable, self.max_tokens);
        let mut request = self.http.post(self.url.clone()).header("content-type", "application/json").body(body);
        if let Some(key) = &self.key {
            request = request.bearer_auth(key.expose_secret());
        }
        let response = request.send().await.map_err(unreachable)?;
        let status = response.status();
        if status.is_redirection() {
            return Err(Failure::Redirected);
        }
        if status == StatusCode::TOO_MANY_REQUESTS || status == StatusCode::SERVICE_UNAVAILABLE {
            return Err(Failure::Busy { status, after: retry_after(response.headers()) });
        }
        if !status.is_success() {
            let says = body_of(response, MAX_ERROR).await.unwrap_or_default();
            let says = String::from_utf8_lossy(&says).to_lowercase();
            // Some servers call what they don't know a failure of their own.
            if status.is_server_error() && says.contains("response_format") && self.dialect.downgrade(form, &says) {
                return Err(Failure::OtherDialect);
            }
            if status.is_server_error() || status == StatusCode::REQUEST_TIMEOUT {
                return Err(Failure::Failed(status));
            }
            let bad = matches!(status.as_u16(), 400 | 413 | 422);
            return Err(match () {
                () if bad && is_too_long(&says) => Failure::TooLong,
                () if bad && self.dialect.downgrade(form, &says) => Failure::OtherDialect,
                () => Failure::Rejected(status),
            });
        }
        let bytes = body_of(response, MAX_ANSWER).await?;
        reply(&serde_json::from_slice(&bytes).map_err(|_| Failure::Malformed)?)
    }
}

/// The URL may hold a key of its own, so errors go without it.
fn unreachable(error: reqwest::Error) -> Failure {
    if error.is_timeout() { Failure::TimedOut } else { Failure::Unreachable(error.without_url().to_string()) }
}

async fn body_of(mut response: Response, most: usize) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(unreachable)? {
        bytes.extend_from_slice(&chunk);
        if bytes.len() > most {
            return Err(Failure::Malformed);
        }
    }
    Ok(bytes)
}

fn reply(body: &Value) -> Result<Reply, Failure> {
    let choice = body.pointer("/choices/0").ok_or(Failure::Malformed)?;
    let finish = choice.get("finish_reason").and_then(Value::as_str).unwrap_or_default();
    let refusal = choice.pointer("/message/refusal").and_then(Value::as_str);
    if finish == "content_filter" || refusal.is_some_and(|refusal| !refusal.is_empty()) {
        return Err(Failure::Declined);
    }
    if finish == "length" {
        return Err(Failure::CutOff);
    }
    let content = choice.pointer("/message/content").and_then(Value::as_str).ok_or(Failure::Malformed)?;
    let count = |name| body.pointer(&format!("/usage/{name}")).and_then(Value::as_u64);
    let usage = count("prompt_tokens")
        .map(|input_tokens| Usage { input_tokens, output_tokens: count("completion_tokens").unwrap_or(0) });
    Ok(Reply { content: content.to_owned(), usage })
}

fn is_too_long(says: &str) -> bool {
    [
        "context length",
        "context_length",
        "context window",
        "context size",
        "exceed_context",
        "too many tokens",
        "maximum context",
    ]
    .iter()
    .any(|words| says.contains(words))
}

/// Seconds, or a date.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let value = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = value.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let at = chrono::DateTime::parse_from_rfc2822(value).ok()?;
    (at.to_utc() - chrono::Utc::now()).to_std().ok()
}

fn headers(lines: Option<&SecretString>) -> Result<HeaderMap, InvalidSettings> {
    let mut headers = HeaderMap::new();
    let lines = lines.map(SecretString::expose_secret).unwrap_or_default();
    for line in lines.lines().filter(|line| !line.trim().is_empty()) {
        let (name, value) = line.split_once(':').ok_or(InvalidSettings::Headers)?;
        let name: HeaderName = name.trim().parse().map_err(|_| InvalidSettings::Headers)?;
        let mut value: HeaderValue = value.trim().parse().map_err(|_| InvalidSettings::Headers)?;
        value.set_sensitive(true);
        headers.insert(name, value);
    }
    Ok(headers)
}
