//! Sends one message: signed, to where it may go, without following anybody elsewhere, within a time, reading no more
//! of the answer than is shown.

use chrono::{DateTime, Utc};
use gleaner_model::{Webhook, WebhookAttempt};
use gleaner_runtime::target::{TargetError, TargetRules};
use reqwest::{Client, Response, StatusCode, redirect::Policy};
use std::{
    error::Error,
    sync::Arc,
    time::{Duration, Instant},
};

/// Most of an answer that is read.
const READ: usize = 64 * 1024;
/// What is kept of it, in bytes.
const KEPT: usize = 512;
/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(5);

/// Signs messages and posts them to an endpoint, once each.
#[derive(Clone, Debug)]
pub struct WebhookSender {
    http: Client,
    rules: TargetRules,
    timeout: Duration,
}

/// What an attempt means for the message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SendOutcome {
    /// It arrived.
    Delivered,
    /// It did not, or nobody knows.
    Failed,
    /// The receiver wants nothing any more.
    Gone,
}

impl WebhookSender {
    /// # Errors
    /// When the HTTP client does not start.
    pub fn new(rules: TargetRules, timeout: Duration) -> Result<Self, reqwest::Error> {
        let http = Client::builder()
            .dns_resolver(Arc::new(rules.clone()))
            // Elsewhere is for the tenant to name, and a proxy would connect to whatever it likes.
            .redirect(Policy::none())
            .no_proxy()
            .timeout(timeout)
            .connect_timeout(CONNECT.min(timeout))
            .pool_idle_timeout(Duration::from_secs(30))
            .user_agent(concat!("Gleaner/", env!("CARGO_PKG_VERSION")))
            .build()?;
        Ok(Self { http, rules, timeout })
    }

    /// Sends a message once, signed for that time.
    pub async fn send(
        &self,
        webhook: &Webhook,
        message_id: &str,
        body: String,
        at: DateTime<Utc>,
    ) -> (WebhookAttempt, SendOutcome) {
        let begun = Instant::now();
        let answered = self.ask(webhook, message_id, body, at).await;
        let latency_ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        let attempt = WebhookAttempt { at, status: None, latency_ms, error: None, response: None };
        match answered {
            Ok((status, response)) => {
                let verdict = match status {
                    StatusCode::GONE => SendOutcome::Gone,
                    status if status.is_success() => SendOutcome::Delivered,
                    _ => SendOutcome::Failed,
                };
                (WebhookAttempt { status: Some(status.as_u16()), response: Some(response), ..attempt }, verdict)
            }
            Err(error) => (WebhookAttempt { error: Some(error), ..attempt }, SendOutcome::Failed),
        }
    }

    async fn ask(
        &self,
        webhook: &Webhook,
        message_id: &str,
        body: String,
        at: DateTime<Utc>,
    ) -> Result<(StatusCode, String), String> {
        // Again at each attempt: what an admin allows may have changed since the endpoint was made.
        let url = self.rules.check_url(&webhook.url).map_err(|refused| format!("the URL {refused}"))?;
        let request = self
            .http
            .post(url)
            .header("content-type", "application/json")
            .header("webhook-id", message_id)
            .header("webhook-timestamp", at.timestamp().to_string())
            .header("webhook-signature", webhook.signatures(message_id, at, body.as_bytes()))
            .body(body);
        let response = request.send().await.map_err(|error| self.why(&error))?;
        let status = response.status();
        // The status says it all; whatever keeps the rest from coming changes nothing.
        Ok((status, first_bytes(response).await))
    }

    /// What went wrong, in words for whoever owns the endpoint: nothing of the network that we are in.
    fn why(&self, error: &reqwest::Error) -> String {
        let mut cause: Option<&(dyn Error + 'static)> = Some(error);
        while let Some(error) = cause {
            if error.downcast_ref::<TargetError>().is_some() {
                return "the host leads to an address that is not public".to_owned();
            }
            cause = error.source();
        }
        if error.is_timeout() {
            format!("no answer within {} s", self.timeout.as_secs_f32())
        } else if error.is_connect() {
            "no connection: the name, the port or the certificate is wrong, or nobody listens".to_owned()
        } else {
            "the connection broke off".to_owned()
        }
    }
}

async fn first_bytes(mut response: Response) -> String {
    let (mut kept, mut read) = (Vec::new(), 0);
    while let Ok(Some(chunk)) = response.chunk().await {
        read += chunk.len();
        kept.extend(chunk.iter().take(KEPT - kept.len()));
        if read >= READ {
            break;
        }
    }
    String::from_utf8_lossy(&kept).into_owned()
}
