//! Lists: a page of items, and where the next one begins.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One page of a list.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "PageOf{T}")]
pub struct Page<T> {
    /// The items.
    pub items: Vec<T>,
    /// `cursor` of the next page; null at the end.
    pub next_cursor: Option<String>,
}
