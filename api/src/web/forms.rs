//! Forms on their way in: under the limits that bodies of the API have, read only once somebody asked for them.

use super::{PageError, Web};
use crate::{
    body::{self, IncomingBody},
    config::or_unlimited,
    problem::{Code, Problem},
};
use axum::{
    body::{Body, Bytes},
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use futures::stream;
use std::{
    io,
    sync::{Arc, OnceLock},
};

/// Why a form was not taken in.
type FormProblem = Arc<OnceLock<Problem>>;

/// The fields of a form, of which several may have one name.
pub struct FormFields(Vec<(String, String)>);

impl FormFields {
    /// The fields, in their order.
    pub fn read(body: &[u8]) -> Self {
        Self(form_urlencoded::parse(body).into_owned().collect())
    }

    /// The values under a name.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The first of them; empty where there is none.
    pub fn one<'a>(&'a self, name: &'a str) -> &'a str {
        self.all(name).next().unwrap_or_default()
    }
}

/// Puts the limits around a form. The memory that it took is given back once the page is made.
pub async fn take_in(State(web): State<Web>, request: Request, next: Next) -> Response {
    if matches!(*request.method(), Method::GET | Method::HEAD) {
        return next.run(request).await;
    }
    let (parts, mut body) = request.into_parts();
    let coming = match web.app().body_limits.begin(&parts.headers, longest(&web, parts.uri.path())) {
        Ok(coming) => coming,
        Err(refused) => {
            body::drain(&parts.headers, &mut body).await;
            return stopped(&refused);
        }
    };
    let (memory, refused) = (coming.memory(), FormProblem::default());
    let body = limited(coming, body, parts.headers.clone(), Arc::clone(&refused));
    let mut response = next.run(Request::from_parts(parts, body)).await;
    drop(memory);
    if let Some(refused) = refused.get() {
        response = stopped(refused);
    }
    response
}

/// How many bytes a form may have: little where no token is asked for.
fn longest(web: &Web, path: &str) -> usize {
    let config = &web.app().config;
    or_unlimited(match path {
        "/app/sign-in" | "/app/sign-out" | "/app/theme" => config.max_form_bytes,
        "/app/add" | "/app/add/guess" => config.max_upload_bytes,
        _ => config.max_body_bytes,
    })
}

/// The body, which breaks off where it is beyond its limits.
fn limited(coming: IncomingBody, body: Body, headers: HeaderMap, refused: FormProblem) -> Body {
    Body::from_stream(stream::unfold(Some((coming, body)), move |state| {
        let (headers, refused) = (headers.clone(), Arc::clone(&refused));
        async move {
            let (mut coming, mut body) = state?;
            match coming.next(&mut body).await {
                Ok(None) => None,
                Ok(Some(piece)) => Some((Ok::<Bytes, io::Error>(piece), Some((coming, body)))),
                Err(problem) => {
                    if problem.code == Code::ContentTooLarge {
                        body::drain(&headers, &mut body).await;
                    }
                    let error = io::Error::other(problem.detail.clone());
                    // The first reason stands.
                    let _ = refused.set(problem);
                    Some((Err(error), None))
                }
            }
        }
    }))
}

fn stopped(refused: &Problem) -> Response {
    let mut response = PageError::Refused(refused.status(), refused.detail.to_string()).into_response();
    if refused.status() == StatusCode::REQUEST_TIMEOUT {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}
