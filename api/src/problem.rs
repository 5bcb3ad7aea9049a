//! Every error that this API answers, as `application/problem+json` (RFC 9457).
//!
//! A [`Problem`] travels in the extensions of an empty answer; [`crate::envelope`] writes the body, because only there
//! the request's id is known.

use axum::{
    body::Body,
    http::{
        HeaderName, HeaderValue, StatusCode,
        header::{CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE},
    },
    response::{IntoResponse, Response},
};
use gleaner_runtime::shares::Exceeded;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Media type of every error.
pub const MEDIA_TYPE: &str = "application/problem+json";

/// Most faults and warnings that one answer names; of the others it says how many.
pub const MAX_NAMED: usize = 20;
/// Seconds after which a client may try again when the service itself is in trouble.
pub const TRY_AGAIN_S: u64 = 2;

/// The stable word for what went wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Code {
    /// No token, or not in the form `Bearer <token>`.
    Unauthenticated,
    /// The token is unknown, revoked, expired or suspended.
    InvalidToken,
    /// The token lacks the scope.
    InsufficientScope,
    /// There is no such thing in this tenant.
    NotFound,
    /// The path is there, the method is not.
    MethodNotAllowed,
    /// The body is not JSON in UTF-8, or says something twice.
    MalformedJson,
    /// The request is well formed and breaks a rule.
    InvalidRequest,
    /// More than is taken.
    ContentTooLarge,
    /// The body is of another media type or encoding.
    UnsupportedMediaType,
    /// The key was used before, with other content.
    IdempotencyKeyReused,
    /// A search takes at least three characters.
    QueryTooShort,
    /// The record changed since it was read.
    PreconditionFailed,
    /// Too many submissions with this token.
    RateLimited,
    /// More work is waiting than may wait.
    Overloaded,
    /// The store cannot be asked.
    StoreUnavailable,
    /// A fault of this service.
    Internal,
}

impl Code {
    /// The word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unauthenticated => "unauthenticated",
            Self::InvalidToken => "invalid-token",
            Self::InsufficientScope => "insufficient-scope",
            Self::NotFound => "not-found",
            Self::MethodNotAllowed => "method-not-allowed",
            Self::MalformedJson => "malformed-json",
            Self::InvalidRequest => "invalid-request",
            Self::ContentTooLarge => "content-too-large",
            Self::UnsupportedMediaType => "unsupported-media-type",
            Self::IdempotencyKeyReused => "idempotency-key-reused",
            Self::QueryTooShort => "query-too-short",
            Self::PreconditionFailed => "precondition-failed",
            Self::RateLimited => "rate-limited",
            Self::Overloaded => "overloaded",
            Self::StoreUnavailable => "store-unavailable",
            Self::Internal => "internal",
        }
    }

    /// The status that goes with it.
    pub const fn status(self) -> StatusCode {
        match self {
            Self::Unauthenticated | Self::InvalidToken => StatusCode::UNAUTHORIZED,
            Self::InsufficientScope => StatusCode::FORBIDDEN,
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::MalformedJson => StatusCode::BAD_REQUEST,
            Self::InvalidRequest | Self::IdempotencyKeyReused | Self::QueryTooShort => StatusCode::UNPROCESSABLE_ENTITY,
            Self::ContentTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::PreconditionFailed => StatusCode::PRECONDITION_FAILED,
            Self::RateLimited => StatusCode::TOO_MANY_REQUESTS,
            Self::Overloaded | Self::StoreUnavailable => StatusCode::SERVICE_UNAVAILABLE,
            Self::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// The same words for every occurrence.
    const fn title(self) -> &'static str {
        match self {
            Self::Unauthenticated => "A token is needed",
            Self::InvalidToken => "The token is not valid",
            Self::InsufficientScope => "The token does not allow this",
            Self::NotFound => "Not found",
            Self::MethodNotAllowed => "The method is not allowed here",
            Self::MalformedJson => "The body is not well-formed JSON",
            Self::InvalidRequest => "The request breaks a rule",
            Self::ContentTooLarge => "The content is too large",
            Self::UnsupportedMediaType => "The media type is not supported",
            Self::IdempotencyKeyReused => "The idempotency key was used for other content",
            Self::QueryTooShort => "The search is too short",
            Self::PreconditionFailed => "The record has changed",
            Self::RateLimited => "Too many requests",
            Self::Overloaded => "Too much work is waiting",
            Self::StoreUnavailable => "The store cannot be reached",
            Self::Internal => "Something went wrong here",
        }
    }
}

/// One member or parameter that breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FieldProblem {
    /// JSON pointer to the member, or `/` and the parameter's name.
    pub pointer: String,
    /// The rule, in words.
    pub detail: String,
}

/// An error on its way out.
#[derive(Clone, Debug)]
pub struct Problem {
    /// What went wrong: the stable word for it.
    pub code: Code,
    /// What to do about it, in a sentence.
    pub detail: Cow<'static, str>,
    /// The members or parameters at fault, at most [`MAX_NAMED`].
    pub errors: Vec<FieldProblem>,
    /// How many more there are.
    more_errors: usize,
    /// What only the log may tell.
    pub cause: Option<String>,
    /// Whether the cause goes by itself, so that nobody has to look at it: a store that is away, not one that refuses us.
    pub ends_by_itself: bool,
    status: StatusCode,
    headers: Vec<(HeaderName, HeaderValue)>,
}

/// The body of every error.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Problem")]
pub struct ProblemBody<'a> {
    /// `https://gleaner.dev/problems/<code>`.
    r#type: String,
    /// The same words for every occurrence of the code.
    title: &'static str,
    /// The HTTP status.
    #[schemars(range(min = 400, max = 599))]
    status: u16,
    /// This occurrence, in a sentence.
    detail: &'a str,
    /// The stable word for what went wrong.
    code: Code,
    /// The members or parameters at fault.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    #[schemars(length(max = MAX_NAMED))]
    errors: &'a [FieldProblem],
    /// How many more members or parameters are at fault than `errors` names.
    #[serde(skip_serializing_if = "is_zero")]
    #[schemars(extend("default" = 0))]
    more_errors: usize,
    /// The id under which the log knows the request.
    request_id: &'a str,
}

/// Whether there is nothing to say.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
pub const fn is_zero(count: &usize) -> bool {
    *count == 0
}

impl Problem {
    /// A problem with the code's own status.
    pub fn new(code: Code, detail: impl Into<Cow<'static, str>>) -> Self {
        let (detail, status) = (detail.into(), code.status());
        Self {
            code,
            detail,
            errors: Vec::new(),
            more_errors: 0,
            cause: None,
            ends_by_itself: false,
            status,
            headers: Vec::new(),
        }
    }

    /// A rule was broken by one member or parameter.
    pub fn invalid(pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        let field = FieldProblem { pointer: pointer.into(), detail: detail.into() };
        Self::new(Code::InvalidRequest, format!("{} {}", field.pointer, field.detail).trim_start().to_owned())
            .at(vec![field])
    }

    /// There is no such thing, or not in this tenant.
    pub fn not_found() -> Self {
        Self::new(Code::NotFound, "there is nothing here under that address")
    }

    /// The token is unknown, revoked, expired or suspended: one answer for all four.
    pub fn invalid_token() -> Self {
        Self::new(Code::InvalidToken, "the token is unknown, revoked, expired or suspended")
            .with_header(WWW_AUTHENTICATE, HeaderValue::from_static(r#"Bearer realm="gleaner", error="invalid_token""#))
    }

    /// Rules were broken by members of the body: the detail says which, as far as they are named.
    pub fn broken(code: Code, errors: Vec<FieldProblem>) -> Self {
        let named = errors.iter().take(MAX_NAMED).map(|field| format!("{} {}", field.pointer, field.detail));
        let mut detail = named.collect::<Vec<_>>().join("; ");
        let more = errors.len().saturating_sub(MAX_NAMED);
        if more > 0 {
            detail += &format!("; and {more} more");
        }
        Self::new(code, detail).at(errors)
    }
    /// The same problem with the members or parameters at fault.
    pub fn at(mut self, mut errors: Vec<FieldProblem>) -> Self {
        self.more_errors = errors.len().saturating_sub(MAX_NAMED);
        errors.truncate(MAX_NAMED);
        self.errors = errors;
        self
    }

    /// The same problem under another status.
    pub fn with_status(mut self, status: StatusCode) -> Self {
        self.status = status;
        self
    }

    /// The same problem with one more header.
    pub fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }

    /// The same problem with the time after which to try again.
    pub fn retry_after(self, seconds: u64) -> Self {
        self.with_header(RETRY_AFTER, seconds.max(1).into())
    }

    /// A fault of this service; `cause` goes to the log alone.
    pub fn internal(cause: impl std::fmt::Display) -> Self {
        let mut problem = Self::new(Code::Internal, "the fault is on this side; quote request_id when you report it");
        problem.cause = Some(cause.to_string());
        problem
    }

    /// The store did not answer in time; `cause` goes to the log alone.
    pub fn store_unavailable(cause: impl std::fmt::Display) -> Self {
        let mut problem = Self::new(Code::StoreUnavailable, "the store does not answer; try again shortly");
        (problem.cause, problem.ends_by_itself) = (Some(cause.to_string()), true);
        problem.retry_after(TRY_AGAIN_S)
    }

    /// The same, where somebody has to do something before it ends.
    pub fn for_the_operator(self) -> Self {
        Self { ends_by_itself: false, ..self }
    }

    /// The service takes no more of something now.
    pub fn overloaded(detail: &'static str) -> Self {
        Self::new(Code::Overloaded, detail).retry_after(TRY_AGAIN_S)
    }

    /// A token or its tenant has its share of something, such as event streams.
    pub fn share_exceeded(exceeded: Exceeded, what: &'static str) -> Self {
        let whose = match exceeded {
            Exceeded::Token => "this token has as many",
            Exceeded::Tenant => "this tenant has as many",
            Exceeded::Total => {
                let detail = format!("there are as many {what} as there may be; try again later");
                return Self::new(Code::Overloaded, detail).retry_after(TRY_AGAIN_S);
            }
        };
        let detail = format!("{whose} {what} as it may have; close one, or try again later");
        Self::new(Code::RateLimited, detail).retry_after(TRY_AGAIN_S)
    }

    /// The HTTP status of the answer.
    pub const fn status(&self) -> StatusCode {
        self.status
    }

    /// The JSON body, with the id of the request that failed.
    pub fn body(&self, request_id: &str) -> Vec<u8> {
        let body = ProblemBody {
            r#type: format!("https://gleaner.dev/problems/{}", self.code.as_str()),
            title: self.code.title(),
            status: self.status.as_u16(),
            detail: &self.detail,
            code: self.code,
            errors: &self.errors,
            more_errors: self.more_errors,
            request_id,
        };
        // Strings and numbers alone: writing them cannot fail.
        serde_json::to_vec(&body).unwrap_or_default()
    }
}

impl IntoResponse for Problem {
    fn into_response(mut self) -> Response {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = self.status;
        for (name, value) in self.headers.drain(..) {
            response.headers_mut().append(name, value);
        }
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE));
        response.extensions_mut().insert(self);
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_names_its_code_its_status_and_the_request() {
        let problem = Problem::invalid("/title", "must be a string");
        let body: serde_json::Value = serde_json::from_slice(&problem.body("r-1")).unwrap();
        assert_eq!(body["type"], "https://gleaner.dev/problems/invalid-request");
        assert_eq!((body["status"].as_u64(), body["request_id"].as_str()), (Some(422), Some("r-1")));
        assert_eq!(body["errors"][0]["pointer"], "/title");
    }

    #[test]
    fn the_cause_of_a_fault_stays_here() {
        let body = String::from_utf8(Problem::internal("redis at 10.0.0.7").body("r")).unwrap();
        assert!(!body.contains("10.0.0.7"));
    }
}
