//! Trains the engine's weights and scores them. Both work from a folder of labelled data that is not part of the project.
#![allow(missing_docs, reason = "the records of data.rs mirror the files they are read from")]

pub mod data;
pub mod fit;
pub mod mark;
pub mod records;
pub mod words;

use anyhow::Result;
use chrono::DateTime;
use gleaner_extract::Context;
use gleaner_model::{Subject, Zone};

/// The context in which a labelled document is read.
///
/// # Errors
/// Where its time is malformed.
pub fn context(document: &data::Document) -> Result<Context> {
    let me = Subject {
        name: Some(document.me.name.clone()),
        email: document.me.email.clone(),
        aliases: document.me.aliases.clone(),
        time_zone: None,
    };
    let occurred_at = DateTime::parse_from_rfc3339(&document.occurred_at)?;
    let named = document.metadata.get("time_zone").and_then(|zone| zone.parse().ok());
    let zone = named.map_or(Zone::Named(chrono_tz::UTC), Zone::Named);
    Ok(Context {
        me,
        occurred_at,
        zone,
        participants: Vec::new(),
        language: document.metadata.get("language").cloned(),
        threshold: None,
    })
}
