//! What every answer gets: the request's id and a count; where it is a problem, also its body and a line in the log.

use crate::{
    app::App,
    problem::Problem,
    request_id::{REQUEST_ID, RequestId},
    route::MatchedRoute,
};
use axum::{
    body::Body,
    extract::{Request, State},
    http::{HeaderValue, Method, header},
    middleware::Next,
    response::Response,
};
use std::{sync::Arc, time::Instant};
use tracing::Instrument as _;

/// Wraps the whole router.
pub async fn envelope(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let (id, method, begun) = (RequestId::new(&request), request.method().clone(), Instant::now());
    request.extensions_mut().insert(id.clone());
    let caller = request.headers().get("traceparent").and_then(|value| value.to_str().ok()).unwrap_or_default();
    let span = tracing::info_span!("request", http.method = %method, request.id = id.as_str(), trace.parent = caller);
    let mut response = next.run(request).instrument(span).await;
    if let Some(problem) = response.extensions_mut().remove::<Problem>() {
        log(&problem, &id);
        write(&mut response, &problem, &id, &method);
    }
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    headers.insert(REQUEST_ID, id.into_header());
    let route = response.extensions().get().map_or("other", |MatchedRoute(path)| path);
    app.metrics.answered(&method, route, response.status(), begun.elapsed());
    response
}

fn write(response: &mut Response, problem: &Problem, id: &RequestId, method: &Method) {
    let body = problem.body(id.as_str());
    response.headers_mut().insert(header::CONTENT_LENGTH, body.len().into());
    if method != Method::HEAD {
        *response.body_mut() = Body::from(body);
    }
}

/// Faults are logged with their cause, and so is, as a warning, that the store was away; what a client did wrong is
/// only worth a look when somebody asks for it.
fn log(problem: &Problem, id: &RequestId) {
    let (code, id) = (problem.code.as_str(), id.as_str());
    match &problem.cause {
        Some(cause) if problem.ends_by_itself => {
            tracing::warn!(problem.code = code, request.id = id, cause, "Could not answer a request");
        }
        Some(cause) => tracing::error!(problem.code = code, request.id = id, cause, "Could not answer a request"),
        None => tracing::debug!(problem.code = code, request.id = id, "Refused a request"),
    }
}
