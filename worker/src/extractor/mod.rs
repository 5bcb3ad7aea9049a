//! Who finds the tasks of an item: the builtin engine, or a language model with the engine to fall back on.

mod builtin;
mod llm;
mod quote;

use crate::{
    config::{Config, ExtractorKind},
    metrics::Metrics,
};
use gleaner_extract::{Found, Quote};
use gleaner_store::Payload;
use std::sync::Arc;

pub use llm::InvalidSettings;

/// Finds the tasks of items.
#[derive(Clone, Debug)]
pub enum Extractor {
    /// The engine in this process.
    Builtin,
    /// A language model; the engine where it fails.
    Llm(llm::Llm),
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
    /// The extractor that the settings name.
    ///
    /// # Errors
    /// When they name a language model, and not where it is.
    pub fn new(config: &Config) -> Result<Self, InvalidSettings> {
        match config.extractor {
            ExtractorKind::Builtin => Ok(Self::Builtin),
            ExtractorKind::Llm => llm::Llm::new(&config.llm).map(Self::Llm),
        }
    }

    /// Finds the tasks of an item.
    ///
    /// # Errors
    /// When the builtin engine, on which everything falls back, gave up.
    pub async fn extract(&self, payload: Arc<Payload>, metrics: &Metrics) -> Result<Extracted, GaveUp> {
        let Self::Llm(model) = self else { return builtin::extract(payload).await };
        match model.extract(&payload).await {
            Ok(found) => Ok(Extracted { found, reports: Vec::new(), engine: model.name() }),
            Err(error) => {
                metrics.llm_errors.inc();
                tracing::warn!(error = %error, "Falling back on the builtin engine");
                let extracted = builtin::extract(payload).await?;
                Ok(Extracted { engine: format!("{} (llm unavailable)", extracted.engine), ..extracted })
            }
        }
    }
}
