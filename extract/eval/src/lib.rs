//! Trains the engine's weights and scores them. Both work from a folder of labelled data that is not part of the project.
#![allow(missing_docs, reason = "the records of data.rs mirror the files they are read from")]

pub mod boost;
pub mod checksums;
pub mod choice;
pub mod corpora;
pub mod data;
pub mod dates;
pub mod encoder;
pub mod expressions;
mod first_pass;
pub mod fit;
pub mod learning;
pub mod mark;
pub mod memory;
pub mod minutes;
pub mod owners;
pub mod prepared;
pub mod records;
pub mod series;
pub mod statuses;
pub mod story;
pub mod titles;
pub mod train;
pub mod words;

use anyhow::{Context as _, Result};
use chrono::DateTime;
use gleaner_extract::Context;
use gleaner_model::{Subject, Zone, learning::Learnt};

/// The context in which a labelled document is read.
///
/// # Errors
/// Where its time is malformed.
pub fn context(document: &data::GoldDocument) -> Result<Context> {
    let me = Subject {
        name: Some(document.me.name.clone()),
        email: document.me.email.clone(),
        aliases: document.me.aliases.clone(),
        time_zone: None,
    };
    let mut context = Context::new(me, DateTime::parse_from_rfc3339(&document.occurred_at)?);
    context.language = document.metadata.get("language").cloned();
    if let Some(zone) = document.metadata.get("time_zone").and_then(|zone| zone.parse().ok()) {
        context.zone = Zone::Named(zone);
    }
    Ok(context)
}

/// A labelled document as it would be submitted.
#[must_use]
pub fn submitted(document: &data::GoldDocument) -> gleaner_extract::Document<'_> {
    gleaner_extract::Document {
        source_type: &document.source_type,
        title: Some(&document.title),
        text: &document.transcript,
    }
}

/// The weights in a folder, or those that are built in.
///
/// # Errors
/// Where they cannot be read.
pub fn weights(folder: Option<&std::path::Path>) -> Result<gleaner_extract::weights::Weights> {
    let Some(folder) = folder else {
        return gleaner_extract::weights::weights()
            .cloned()
            .context("the built-in weights are damaged: train them again");
    };
    let mut files = std::collections::HashMap::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if let Some(name) = path.file_name().and_then(|name| name.to_str()?.strip_suffix(".bin")) {
            files.insert(name.to_owned(), std::fs::read(&path)?);
        }
    }
    let file = |name: &str| files.get(name).map(Vec::as_slice).unwrap_or_default();
    Ok(gleaner_extract::weights::Weights::parse(file)?)
}

/// The tasks of a labelled document by these weights.
///
/// # Errors
/// Where its time is malformed.
pub fn extract(
    document: &data::GoldDocument,
    weights: &gleaner_extract::weights::Weights,
) -> Result<Vec<gleaner_extract::Found>> {
    let submitted = submitted(document);
    let transcript = gleaner_extract::reader::read(&submitted);
    Ok(gleaner_extract::engine::extract(&submitted, &transcript, &context(document)?, weights, &Learnt::default())
        .tasks)
}
