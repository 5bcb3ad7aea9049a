//! Lists: a page of items, and where the next one begins.

use crate::{
    json,
    problem::Problem,
    route::{ApiCall, HandlerResult},
};
use axum::http::{HeaderValue, header};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One page of a list.
#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "PageOf{T}")]
pub struct ListPage<T> {
    /// The items.
    pub items: Vec<T>,
    /// `cursor` of the next page; null at the end.
    pub next_cursor: Option<String>,
}

/// Answers a page, with a `Link` to the next one.
///
/// # Errors
/// None that a client could cause.
pub fn answer<T: Serialize>(call: &ApiCall, path: &str, page: &ListPage<T>) -> HandlerResult {
    let mut response = json::answer(page)?;
    if let Some(cursor) = &page.next_cursor {
        let target =
            format!("<{}{path}?{}>; rel=\"next\"", call.app.config.path_prefix, call.query.with_cursor(cursor));
        response.headers_mut().insert(header::LINK, HeaderValue::from_str(&target).map_err(Problem::internal)?);
    }
    Ok(response)
}
