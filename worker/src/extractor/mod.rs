//! Who finds the tasks of an item: the builtin engine, or a language model with the engine to fall back on.

mod builtin;

use gleaner_extract::{Found, Quote};
use gleaner_store::Payload;
use std::sync::Arc;

/// Finds the tasks of items.
#[derive(Clone, Debug)]
pub enum Extractor {
    /// The engine in this process.
    Builtin,
}

/// What was found in an item, and by whom.
#[derive(Clone, Debug)]
pub struct Extracted {
    /// The tasks, in the order of the text.
    pub found: Vec<Found>,
    /// Sentences that report something done and are no task here.
    pub reports: Vec<Quote>,
    /// The engine, as the job names it.
    pub engine: String,
}

/// The engine gave up on a text. It does the same every time, so trying again is of no use.
#[derive(Debug, thiserror::Error)]
#[error("the engine gave up on this text")]
pub struct GaveUp;

impl Extractor {
    /// Finds the tasks of an item.
    ///
    /// # Errors
    /// When the builtin engine, on which everything falls back, gave up.
    pub async fn extract(&self, payload: Arc<Payload>) -> Result<Extracted, GaveUp> {
        match self {
            Self::Builtin => builtin::extract(payload).await,
        }
    }
}
