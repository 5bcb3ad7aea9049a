//! How a page of a list is answered.

use crate::{
    json,
    problem::Problem,
    route::{ApiCall, HandlerResult},
};
use axum::http::{HeaderValue, header};
use gleaner_model::Page;
use serde::Serialize;

/// Answers a page, with a `Link` to the next one.
///
/// # Errors
/// None that a client could cause.
pub fn answer<T: Serialize>(call: &ApiCall, path: &str, page: &Page<T>) -> HandlerResult {
    let mut response = json::answer(page)?;
    if let Some(cursor) = &page.next_cursor {
        let target =
            format!("<{}{path}?{}>; rel=\"next\"", call.app.config.path_prefix, call.query.with_cursor(cursor));
        response.headers_mut().insert(header::LINK, HeaderValue::from_str(&target).map_err(Problem::internal)?);
    }
    Ok(response)
}
