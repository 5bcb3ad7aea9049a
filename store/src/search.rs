//! Full-text search over tasks.

pub(crate) mod hits;
pub(crate) mod words;
