//! Whole documents through the engine: what comes out, and what holds whatever goes in.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on stops")]

mod documents;
mod languages;
mod promises;
mod properties;
mod reader;
mod threads;

use gleaner_extract::{Context, Document, Extraction, extract};
use gleaner_model::Subject;

/// The tasks of a text that Dana Reyes submitted about a Tuesday in March.
fn tasks_of(source_type: &str, text: &str) -> Extraction {
    let me = Subject { aliases: vec!["Dana".into()], ..Subject::named("Dana Reyes") };
    let context = Context::new(me, "2026-03-03T15:00:00Z".parse().unwrap());
    extract(&Document { source_type, title: None, text }, &context)
}
