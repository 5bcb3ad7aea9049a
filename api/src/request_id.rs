//! The id under which the log knows a request.

use axum::{
    extract::Request,
    http::{HeaderName, HeaderValue, request::Parts},
};
use uuid::Uuid;

/// The header that carries the request's id both ways.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Longest id that is taken over from a request.
const MAX_ID: usize = 128;

/// The id under which the log knows a request: the caller's own where it is sane, else a new one.
#[derive(Clone, Debug)]
pub struct RequestId(HeaderValue);

impl RequestId {
    /// The id of a request that comes in.
    pub fn new(request: &Request) -> Self {
        let sane = |value: &&HeaderValue| {
            (1..=MAX_ID).contains(&value.len())
                && value.as_bytes().iter().all(|c| c.is_ascii_alphanumeric() || b"._-:+/=".contains(c))
        };
        let given = request.headers().get(REQUEST_ID).filter(sane).cloned();
        Self(given.unwrap_or_else(|| {
            let fresh = Uuid::now_v7().to_string();
            // Hex digits and hyphens always make a header.
            HeaderValue::from_str(&fresh).unwrap_or_else(|_| HeaderValue::from_static("unknown"))
        }))
    }

    /// The id of a request that passed the envelope.
    pub fn of(parts: &Parts) -> Self {
        parts.extensions.get().cloned().unwrap_or_else(|| Self(HeaderValue::from_static("unknown")))
    }

    /// The id as a header.
    pub fn into_header(self) -> HeaderValue {
        self.0
    }

    /// The id as text; it is visible ASCII.
    pub fn as_str(&self) -> &str {
        self.0.to_str().unwrap_or_default()
    }
}
