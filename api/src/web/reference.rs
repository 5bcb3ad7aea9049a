//! `/docs`: the API reference, in the looks of the other pages.

use super::{
    POLICY,
    frame::{self, PageFrame},
};
use askama::Template;
use axum::{
    http::{HeaderMap, HeaderValue, header},
    response::{IntoResponse, Response},
};

#[derive(Template)]
#[template(path = "reference.html")]
struct ReferencePage<'a> {
    frame: PageFrame,
    reference: &'a str,
}

/// The page around a reference that is HTML already.
pub fn show(prefix: &str, headers: &HeaderMap, reference: &str) -> Response {
    let frame = PageFrame::bare(prefix, frame::theme(headers), &format!("{prefix}/docs"));
    let mut response = frame::html(&ReferencePage { frame, reference }).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    headers.insert(header::VARY, HeaderValue::from_static("cookie"));
    response
}
