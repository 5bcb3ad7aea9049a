//! Who finds the tasks of an item: the builtin engine, or a language model with the engine to fall back on.

mod builtin;
mod llm;
mod quote;

use crate::{
    config::{Config, ExtractorKind},
    metrics::Metrics,
};
use gleaner_extract::{Context, Document, ENGINE, Extraction, Found, Reported, learn};
use gleaner_store::{Payload, Taught};
use std::sync::Arc;

pub use llm::InvalidSettings;

/// Confidence of a language model below which feedback suppresses what it found.
const LEAST_OF_MODEL: f64 = 0.4;

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
    /// What would be tasks if feedback had not spoken against others like them.
    pub suppressed: Vec<Found>,
    /// Sentences that report something done and are no task here.
    pub reports: Vec<Reported>,
    /// The engine, as the job names it.
    pub engine: String,
}

impl From<Extraction> for Extracted {
    /// What the engine of this process found.
    fn from(extraction: Extraction) -> Self {
        let Extraction { tasks, suppressed, reports, .. } = extraction;
        Self { found: tasks, suppressed, reports, engine: ENGINE.to_owned() }
    }
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

    /// Finds the tasks of an item, in the light of what feedback has taught; the engine's name tells its revision.
    ///
    /// # Errors
    /// When the builtin engine, on which everything falls back, gave up.
    pub async fn extract(
        &self,
        payload: Arc<Payload>,
        taught: Arc<Taught>,
        metrics: &Metrics,
    ) -> Result<Extracted, GaveUp> {
        let revision = taught.learnt.revision;
        let mut extracted = self.find(payload, taught, metrics).await?;
        if revision > 0 {
            extracted.engine.push_str(&format!("+r{revision}"));
        }
        Ok(extracted)
    }

    async fn find(&self, payload: Arc<Payload>, taught: Arc<Taught>, metrics: &Metrics) -> Result<Extracted, GaveUp> {
        let Self::Llm(model) = self else { return builtin::extract(payload, taught).await };
        match model.extract(&payload).await {
            Ok(found) => Ok(sifted(found, &payload, &taught, model.name())),
            Err(error) => {
                metrics.llm_errors.inc();
                tracing::warn!(error = %error, "Falling back on the builtin engine");
                let extracted = builtin::extract(payload, taught).await?;
                Ok(Extracted { engine: format!("{} (llm unavailable)", extracted.engine), ..extracted })
            }
        }
    }
}

/// What a model found, in the light of what feedback has taught. A model that says of something that it is a task is
/// taken at its word, however unsure it is: only feedback takes a task away.
fn sifted(found: Vec<Found>, payload: &Payload, taught: &Taught, engine: String) -> Extracted {
    let Payload { item, subject } = payload;
    let (document, context) = (Document::of(item), Context::of(item, subject));
    let mut sifted = Extracted { found: Vec::new(), suppressed: Vec::new(), reports: Vec::new(), engine };
    for mut task in found {
        let threshold = task.confidence.min(LEAST_OF_MODEL);
        match learn::weigh(&mut task, &document, &context, threshold, &taught.learnt) {
            learn::Fate::Task => sifted.found.push(task),
            learn::Fate::Suppressed | learn::Fate::Nothing => sifted.suppressed.push(task),
        }
    }
    sifted
}
