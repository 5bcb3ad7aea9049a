//! The API as other parts of this process ask it: the pages, and the tools of agents. A request goes the same way as one from
//! outside, with the same checks.

use axum::{
    Router,
    body::{Body, to_bytes},
    http::Request,
    response::Response,
};
use serde::de::DeserializeOwned;
use tower::ServiceExt as _;

/// Largest answer that is read: a page of 200 tasks with much evidence each.
const MAX_ANSWER: usize = 8 << 20;

/// Asks the API in this process.
#[derive(Clone)]
pub struct InProcessClient(Router);

impl InProcessClient {
    /// A client of that router.
    pub const fn new(api: Router) -> Self {
        Self(api)
    }

    /// Sends a request and hands back the answer, whatever it is.
    pub async fn send(&self, request: Request<Body>) -> Response {
        match self.0.clone().oneshot(request).await {
            Ok(answer) => answer,
            Err(never) => match never {},
        }
    }
}

/// Reads the JSON of an answer; an answer without content reads as null.
///
/// # Errors
/// What is wrong with it, or that it is too large.
pub async fn json<T: DeserializeOwned>(answer: Response) -> Result<T, Box<dyn std::error::Error + Send + Sync>> {
    let bytes = to_bytes(answer.into_body(), MAX_ANSWER).await?;
    Ok(serde_json::from_slice(if bytes.is_empty() { b"null" } else { &bytes })?)
}
