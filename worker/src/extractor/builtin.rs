//! The engine of this process, off the async threads.

use super::{Extracted, GaveUp};
use gleaner_extract::{Context, Document, ENGINE, extract as find};
use gleaner_store::Payload;
use std::sync::Arc;

/// Finds the tasks of an item on a thread of its own.
///
/// # Errors
/// When the engine gave up.
pub async fn extract(payload: Arc<Payload>) -> Result<Extracted, GaveUp> {
    let search = tokio::task::spawn_blocking(move || {
        let Payload { item, subject } = payload.as_ref();
        let source_type = item.key.source_type.as_str();
        let document = Document { source_type, title: item.title.as_deref(), text: &item.transcript };
        find(&document, &Context::of(item, subject))
    });
    let extraction = search.await.map_err(|_| GaveUp)?;
    Ok(Extracted { found: extraction.tasks, reports: extraction.reports, engine: ENGINE.to_owned() })
}
