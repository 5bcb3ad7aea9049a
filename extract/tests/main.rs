//! Whole documents through the engine: what comes out, and what holds whatever goes in.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on stops")]

mod documents;
mod languages;
mod promises;
mod properties;
mod reader;
mod threads;

use gleaner_extract::{Context, Document, Extraction, extract};
use gleaner_model::{Subject, Zone};

/// The tasks of a text that Dana Reyes submitted about a Tuesday in March.
fn tasks_of(source_type: &str, text: &str) -> Extraction {
    let context = Context {
        me: Subject { aliases: vec!["Dana".into()], ..Subject::named("Dana Reyes") },
        occurred_at: chrono::DateTime::parse_from_rfc3339("2026-03-03T15:00:00Z").unwrap(),
        zone: Zone::Named(chrono_tz::UTC),
        participants: Vec::new(),
        language: None,
        threshold: None,
    };
    extract(&Document { source_type, title: None, text }, &context)
}
