//! The HTTP client that the commands share: one server, one token, errors that say what to do.

use crate::{
    failure::CliError,
    show::{elements, text},
    visible::Utf8Pieces,
};
use reqwest::{Method, StatusCode, Url, header};
use serde_json::Value;
use std::{
    io::{IsTerminal as _, Write as _},
    path::PathBuf,
    time::Duration,
};

/// Longest answer that is read.
const MAX_ANSWER: usize = 64 * 1024 * 1024;
/// Longest time that a copy of all tasks may take.
const MAX_COPY_TIME: Duration = Duration::from_secs(3600);

/// Which server to ask, as whom.
#[derive(clap::Args, Clone, Debug)]
pub struct ServerArgs {
    /// The server
    #[arg(
        long = "url",
        env = "GLEANER_URL",
        default_value = "http://127.0.0.1:8080",
        value_name = "URL",
        global = true
    )]
    pub server_url: String,
    /// The token; for a server on this machine, by default the one in the data directory of `gleaner dev`
    #[arg(long, env = "GLEANER_TOKEN", hide_env_values = true, value_name = "TOKEN", global = true)]
    pub token: Option<String>,
    /// Seconds to wait for an answer
    #[arg(long, env = "GLEANER_TIMEOUT_S", default_value_t = 30, value_name = "SECONDS", global = true)]
    pub timeout_s: u64,
}

impl ServerArgs {
    /// A server that is known, and a token for it.
    pub fn new(url: &str, token: &str) -> Self {
        Self { server_url: url.to_owned(), token: Some(token.to_owned()), timeout_s: 30 }
    }
}

/// A server and the right to ask it.
#[derive(Clone)]
pub struct ApiClient {
    http: reqwest::Client,
    base: Url,
    token: String,
}

/// What the server said, whatever it was.
pub struct ServerAnswer {
    /// The HTTP status.
    pub status: StatusCode,
    /// Seconds to wait before asking again, where the server says so.
    pub retry_after_s: Option<u64>,
    /// The body, `null` where there is none.
    pub body: Value,
}

impl ApiClient {
    /// # Errors
    /// When the URL is none, or when no token is known.
    pub fn new(remote: &ServerArgs) -> Result<Self, CliError> {
        let mut base: Url = remote.server_url.parse().map_err(|error| {
            CliError::usage(format!(
                "GLEANER_URL {:?} is no URL ({error}); write it as https://host",
                remote.server_url
            ))
        })?;
        if !matches!(base.scheme(), "http" | "https") {
            return Err(CliError::usage("GLEANER_URL must begin with http:// or https://"));
        }
        if !base.path().ends_with('/') {
            base.set_path(&format!("{}/", base.path()));
        }
        let given = remote.token.as_deref().map(str::trim).filter(|token| !token.is_empty());
        let token = match given {
            Some(token) => token.to_owned(),
            None => token_of_this_machine(&base)?,
        };
        let http = reqwest::Client::builder()
            .user_agent(concat!("gleaner/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(Duration::from_secs(5))
            .timeout(Duration::from_secs(remote.timeout_s))
            // Content and token are for the server that was named.
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .map_err(|error| CliError::failed(format!("cannot start an HTTP client: {error}")))?;
        Ok(Self { http, base, token })
    }

    /// A request to a path of segments, each escaped as it needs.
    pub fn request(&self, method: Method, path: &[&str]) -> reqwest::RequestBuilder {
        let mut url = self.base.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().extend(path);
        }
        self.http.request(method, url).bearer_auth(&self.token)
    }

    /// Sends a request and reads whatever the server says.
    ///
    /// # Errors
    /// When the server cannot be reached, or says something other than JSON.
    pub async fn send(&self, request: reqwest::RequestBuilder) -> Result<ServerAnswer, CliError> {
        self.read(request.send().await.map_err(|error| self.unreachable(&error))?).await
    }

    async fn read(&self, response: reqwest::Response) -> Result<ServerAnswer, CliError> {
        let status = response.status();
        if status.is_redirection() {
            let to = response.headers().get(header::LOCATION).and_then(|value| value.to_str().ok()).unwrap_or_default();
            let to: String = to.chars().filter(|c| !c.is_control()).take(200).collect();
            return Err(CliError::failed(format!("{} sends elsewhere, to {to:?}; set GLEANER_URL to that", self.base)));
        }
        let retry_after = response.headers().get(header::RETRY_AFTER).and_then(|value| value.to_str().ok());
        let retry_after_s = retry_after.and_then(|text| text.parse().ok());
        if response.content_length().is_some_and(|length| length > MAX_ANSWER as u64) {
            return Err(CliError::failed("the server's answer is too long; ask for less with --limit"));
        }
        let bytes = response.bytes().await.map_err(|error| self.unreachable(&error))?;
        let body = match bytes.as_ref() {
            [] => Value::Null,
            bytes => serde_json::from_slice(bytes).map_err(|_| self.no_gleaner(status))?,
        };
        Ok(ServerAnswer { status, retry_after_s, body })
    }

    /// Writes the body of an answer to stdout as it comes: it may be very long.
    ///
    /// # Errors
    /// When the request does not succeed, or the answer breaks off.
    pub async fn copy(&self, request: reqwest::RequestBuilder) -> Result<(), CliError> {
        let mut response = request.timeout(MAX_COPY_TIME).send().await.map_err(|error| self.unreachable(&error))?;
        if !response.status().is_success() {
            return Err(refused(&self.read(response).await?));
        }
        // A file gets what the server sent, a terminal what it can be shown.
        let mut shown = std::io::stdout().is_terminal().then(Utf8Pieces::default);
        while let Some(chunk) = response.chunk().await.map_err(|error| self.unreachable(&error))? {
            let fit = shown.as_mut().map(|shown| shown.next(&chunk));
            match std::io::stdout().write_all(fit.as_deref().map_or(&chunk[..], str::as_bytes)) {
                Ok(()) => {}
                // Whoever reads may stop reading.
                Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => return Ok(()),
                Err(error) => return Err(CliError::failed(format!("cannot write the answer: {error}"))),
            }
        }
        std::io::stdout().flush().map_err(|error| CliError::failed(format!("cannot write the answer: {error}")))
    }

    /// Sends a request that has to succeed.
    ///
    /// # Errors
    /// When it does not: with the server's own words.
    pub async fn ask(&self, request: reqwest::RequestBuilder) -> Result<Value, CliError> {
        let answer = self.send(request).await?;
        if answer.status.is_success() { Ok(answer.body) } else { Err(refused(&answer)) }
    }

    fn unreachable(&self, error: &reqwest::Error) -> CliError {
        let why = if error.is_timeout() { "no answer in time".to_owned() } else { root(error) };
        let base = &self.base;
        CliError::failed(format!("cannot reach {base}: {why}; start it with `gleaner dev` or set GLEANER_URL"))
    }

    fn no_gleaner(&self, status: StatusCode) -> CliError {
        CliError::failed(format!("{} answered {status} with something other than JSON; check GLEANER_URL", self.base))
    }
}

/// The reason at the bottom: the layers above only repeat that a request failed.
fn root(error: &dyn std::error::Error) -> String {
    let mut error = error;
    while let Some(source) = error.source() {
        error = source;
    }
    error.to_string()
}

/// What the server's refusal means for whoever typed the command.
pub fn refused(answer: &ServerAnswer) -> CliError {
    let problem = &answer.body;
    let errors = elements(problem, "errors").iter();
    let details: Vec<_> = errors.map(|error| format!("{} {}", text(error, "pointer"), text(error, "detail"))).collect();
    let detail = if details.is_empty() { text(problem, "detail").to_owned() } else { details.join("; ") };
    let advice = match answer.status {
        StatusCode::UNAUTHORIZED => "; set GLEANER_TOKEN to a valid token".to_owned(),
        StatusCode::FORBIDDEN => "; use a token that has this scope (`gleaner token me` shows yours)".to_owned(),
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
            format!("; try again in {} s", answer.retry_after_s.unwrap_or(1))
        }
        _ => String::new(),
    };
    let title = match text(problem, "title") {
        "" => answer.status.to_string(),
        title => title.to_owned(),
    };
    CliError::failed(format!("{title}: {detail}{advice}"))
}

/// The token that `gleaner dev` left for whoever owns this directory; sent to this machine only.
fn token_of_this_machine(base: &Url) -> Result<String, CliError> {
    let local = matches!(base.host_str(), Some("127.0.0.1" | "localhost" | "[::1]"));
    let folder = std::env::var_os("GLEANER_DATA_DIR").map_or_else(|| PathBuf::from(".gleaner"), PathBuf::from);
    let found = local.then(|| std::fs::read_to_string(folder.join("token")).ok()).flatten();
    found
        .map(|text| text.trim().to_owned())
        .ok_or_else(|| CliError::usage("no token: set GLEANER_TOKEN, or pass --token (`gleaner dev` prints one)"))
}
