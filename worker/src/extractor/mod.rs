//! Who finds the tasks of an item: the builtin engine, or a language model with the engine to fall back on.

mod builtin;
mod limiter;
mod model;
mod prompt_context;
mod slots;

use crate::{
    Worker,
    config::{ExtractorKind, WorkerConfig},
    prefetch::QueueKind,
};
use gleaner_extract::{DoneStatement, ENGINE, Extraction, Found};
use gleaner_llm::{InvalidSettings, Means};
use gleaner_model::{TenantId, Usage};
use gleaner_runtime::low_priority::WorkError;
use gleaner_store::{Claim, LearningState, Payload};
use slots::ReadingSlots;
use std::{collections::BTreeSet, sync::Arc};

pub use model::Llm;

/// Finds the tasks of items.
#[derive(Debug)]
pub struct Extractor {
    /// The language model, where there is one.
    llm: Option<Llm>,
    /// In which texts are read by the engine of this process.
    slots: ReadingSlots,
}

/// What was found in an item, and by whom.
#[derive(Clone, Debug)]
pub struct Extracted {
    /// The tasks, in the order of the text, each with the known task that it is said to be.
    pub found: Vec<(Found, Option<Means>)>,
    /// What would be tasks if feedback had not spoken against others like them.
    pub suppressed: Vec<Found>,
    /// How many more tasks there are that were not written down.
    pub over: usize,
    /// Sentences that say that something is done and are no task here.
    pub done_statements: Vec<DoneStatement>,
    /// Keys of the known tasks that are meant.
    pub links: Vec<String>,
    /// The engine, as the job names it.
    pub engine: String,
    /// What a language model was asked for it.
    pub usage: Option<Usage>,
}

impl Extracted {
    /// Keeps so many tasks, the likeliest, in the order of the text; 0: any number. Returns how many went.
    pub fn keep_likeliest(&mut self, most: usize) -> u32 {
        let unwritten = u32::try_from(self.over).unwrap_or(u32::MAX);
        if most == 0 || self.found.len() <= most {
            return unwritten;
        }
        let mut places: Vec<usize> = (0..self.found.len()).collect();
        // A stable sort: of equals the earlier ones.
        places.sort_by(|a, b| self.found[*b].0.confidence.total_cmp(&self.found[*a].0.confidence));
        let kept: BTreeSet<usize> = places.into_iter().take(most).collect();
        let over = self.found.len() - kept.len();
        let mut place = 0..;
        self.found.retain(|_| place.next().is_some_and(|place| kept.contains(&place)));
        u32::try_from(over).unwrap_or(u32::MAX).saturating_add(unwritten)
    }
}

impl From<Extraction> for Extracted {
    /// What the engine of this process found.
    fn from(extraction: Extraction) -> Self {
        let Extraction { tasks, suppressed, over, done_statements, .. } = extraction;
        let found = tasks.into_iter().map(|found| (found, None)).collect();
        Self { found, suppressed, over, done_statements, links: Vec::new(), engine: ENGINE.to_owned(), usage: None }
    }
}

/// Why nothing was found.
#[derive(Debug, thiserror::Error)]
pub enum ExtractError {
    /// The engine gave up on the text. It does the same every time, so trying again is of no use.
    #[error("the engine gave up on this text")]
    GaveUp,
    /// The process ends before the model could be asked; another worker will.
    #[error("the process ends before the model could be asked")]
    Ending,
    /// The store could not be asked.
    #[error(transparent)]
    Store(#[from] gleaner_store::Error),
}

impl From<WorkError> for ExtractError {
    fn from(error: WorkError) -> Self {
        match error {
            WorkError::Panicked => Self::GaveUp,
            // No fault of the text: another attempt reads it.
            WorkError::NoThread(_) => Self::Store(gleaner_store::Error::Unavailable(error.to_string())),
        }
    }
}

impl Extractor {
    /// The extractor that the settings name.
    ///
    /// # Errors
    /// When they name a language model, and not where it is.
    pub fn new(config: &WorkerConfig) -> Result<Self, InvalidSettings> {
        let llm = match config.extractor {
            ExtractorKind::Builtin => None,
            ExtractorKind::Llm => Some(Llm::new(config)?),
        };
        Ok(Self { llm, slots: ReadingSlots::for_threads(config.threads()) })
    }

    /// In which queue a tenant's items wait here.
    #[must_use]
    pub fn queue(&self, tenant: &TenantId) -> QueueKind {
        match &self.llm {
            Some(llm) if llm.is_for(tenant) => QueueKind::Model,
            _ => QueueKind::Engine,
        }
    }

    /// Whether every item goes to the model.
    #[must_use]
    pub fn only_model(&self) -> bool {
        self.llm.as_ref().is_some_and(Llm::is_for_all)
    }

    /// Items that are asked of the model at once here.
    #[must_use]
    pub fn at_once(&self) -> usize {
        self.llm.as_ref().map_or(0, Llm::at_once)
    }
}

/// Asks the model for an item's tasks.
///
/// # Errors
/// When the process ends before, or the store cannot be asked.
pub async fn ask(
    worker: &Worker,
    claim: &Claim,
    payload: &Arc<Payload>,
    taught: &Arc<LearningState>,
) -> Result<ModelOutcome, ExtractError> {
    match &worker.extractor.llm {
        Some(llm) => llm.ask(worker, claim, payload, taught).await,
        None => Ok(ModelOutcome::NoAnswer(Usage::default())),
    }
}

/// What came of asking a model.
#[derive(Debug)]
pub enum ModelOutcome {
    /// The tasks of a good answer.
    Answered(Box<Extracted>),
    /// It gave no good answer, at that cost.
    NoAnswer(Usage),
}

/// Reads an item with the engine of this process.
///
/// # Errors
/// When it gave up.
pub async fn run_engine(
    worker: &Worker,
    tenant: &TenantId,
    payload: Arc<Payload>,
    taught: Arc<LearningState>,
) -> Result<Extracted, ExtractError> {
    let _slot = worker.extractor.slots.acquire(tenant).await;
    builtin::extract(&worker.cpu, tenant, payload, taught).await
}

/// The engine's name with the revision of what feedback has taught.
#[must_use]
pub fn named(mut engine: String, taught: &LearningState) -> String {
    if taught.learnt.revision > 0 {
        engine.push_str(&format!("+r{}", taught.learnt.revision));
    }
    engine
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_for_which_there_is_no_thread_is_read_by_another_attempt() {
        let refused = WorkError::NoThread(std::io::ErrorKind::WouldBlock.into());
        assert!(matches!(refused.into(), ExtractError::Store(error) if error.is_transient()));
        assert!(matches!(WorkError::Panicked.into(), ExtractError::GaveUp));
    }
}
