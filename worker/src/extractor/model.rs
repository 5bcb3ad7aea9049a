//! A language model: asked with what is known around an item, and its findings in the light of what feedback has taught.

use super::{ExtractError, Extracted, ModelOutcome, limiter::StoreLimiter, named, prompt_context};
use crate::{Worker, config::WorkerConfig};
use gleaner_extract::{Context, Document, Reason, learn};
use gleaner_llm::{Failure, GroundedTask, InvalidSettings, LanguageModel, PromptContext};
use gleaner_model::{TenantId, Usage};
use gleaner_store::{Claim, LearningState, LlmLimits, Payload};
use std::{collections::BTreeSet, sync::Arc, time::Duration};
use tokio::runtime::Handle;
use tracing::{Instrument as _, Span};

/// Confidence under which a finding that feedback has lowered is suppressed.
const SUPPRESS_BELOW: f64 = 0.4;
/// How much longer than an answer may take a request counts as under way whose worker was lost.
const GRACE: Duration = Duration::from_secs(30);
/// Most items that wait for the model in one process.
const MAX_AT_ONCE: usize = 64;
/// Most ratings that a finding names.
const MAX_RATINGS_NAMED: usize = 3;

/// A language model and whose items it reads.
#[derive(Debug)]
pub struct Llm {
    model: LanguageModel,
    limits: LlmLimits,
    tenants: BTreeSet<TenantId>,
}

impl Llm {
    /// # Errors
    /// When the settings do not name a model.
    pub fn new(config: &WorkerConfig) -> Result<Self, InvalidSettings> {
        let limits = LlmLimits {
            at_once: config.llm.llm_concurrency,
            tokens_per_minute: config.llm_tokens_per_minute,
            tenant_tokens_per_minute: config.llm_tenant_tokens_per_minute,
            lasts: Duration::from_secs(config.llm.llm_timeout_s) + GRACE,
        };
        Ok(Self {
            model: LanguageModel::new(&config.llm)?,
            limits,
            tenants: config.llm_tenants.iter().cloned().collect(),
        })
    }

    /// Whether it reads a tenant's items.
    pub fn is_for(&self, tenant: &TenantId) -> bool {
        self.is_for_all() || self.tenants.contains(tenant)
    }

    /// Whether it reads everybody's.
    pub fn is_for_all(&self) -> bool {
        self.tenants.is_empty()
    }

    /// Items that are asked of it at once from here: twice as many as it takes, so that it never waits for us.
    pub fn at_once(&self) -> usize {
        (self.limits.at_once as usize * 2).min(MAX_AT_ONCE)
    }

    /// # Errors
    /// When the process ends before it could be asked, or the store cannot be asked.
    pub async fn ask(
        &self,
        worker: &Worker,
        claim: &Claim,
        payload: &Arc<Payload>,
        taught: &Arc<LearningState>,
    ) -> Result<ModelOutcome, ExtractError> {
        let prompt_context = prompt_context::of(worker, claim, payload, taught).await?;
        let limiter = StoreLimiter {
            store: worker.store.clone(),
            metrics: worker.metrics.clone(),
            limits: self.limits,
            tenant: claim.tenant.clone(),
            shutdown: worker.shutdown.clone(),
        };
        let (model, item, shown) = (self.model.clone(), payload.clone(), prompt_context.clone());
        // Another thread knows nothing of the job's span.
        let job = Span::current();
        // To read a long text takes a while, so not on this thread.
        let asking = tokio::task::spawn_blocking(move || {
            let Payload { item, subject } = item.as_ref();
            let (document, context) = (Document::of(item), Context::of(item, subject));
            let asked = model.extract(&document, &context, &shown, &limiter).instrument(job);
            Handle::current().block_on(asked)
        });
        let Ok(asked) = asking.await else {
            tracing::error!("A text could not be prepared for the model");
            return Ok(ModelOutcome::NoAnswer(Usage::default()));
        };
        match asked.outcome {
            Ok(tasks) => {
                let engine = named(self.model.name(), taught);
                let extracted = sifted(tasks, payload, taught, &prompt_context, engine);
                Ok(ModelOutcome::Answered(Box::new(Extracted { usage: Some(asked.usage), ..extracted })))
            }
            Err(Failure::Waited) if worker.shutdown.is_stopping() => Err(ExtractError::Ending),
            Err(failure) => {
                worker.metrics.llm.fell_back(&failure);
                tracing::warn!(error = %failure, "Falling back on the builtin engine");
                Ok(ModelOutcome::NoAnswer(asked.usage))
            }
        }
    }
}

/// What a model found, in the light of what feedback has taught. A model that says of something that it is a task is
/// taken at its word, however unsure it is: only feedback takes a task away.
fn sifted(
    tasks: Vec<GroundedTask>,
    payload: &Payload,
    taught: &LearningState,
    prompt_context: &PromptContext,
    engine: String,
) -> Extracted {
    let Payload { item, subject } = payload;
    let (document, context) = (Document::of(item), Context::of(item, subject));
    let mut sifted = Extracted {
        found: Vec::new(),
        over: 0,
        suppressed: Vec::new(),
        done_statements: Vec::new(),
        links: Vec::new(),
        engine,
        usage: None,
    };
    for GroundedTask { found: mut task, means } in tasks {
        let threshold = task.confidence.min(SUPPRESS_BELOW);
        task.reasons.extend(shown(prompt_context));
        match learn::apply_feedback(&mut task, &document, &context, threshold, &taught.learnt) {
            learn::Disposition::Task => {
                let known = means.and_then(|means| prompt_context.known.iter().find(|known| known.id == means.task));
                sifted.links.extend(known.into_iter().flat_map(|known| known.links.iter().cloned()));
                sifted.found.push((task, means));
            }
            learn::Disposition::Suppressed | learn::Disposition::Nothing => sifted.suppressed.push(task),
        }
    }
    sifted
}

/// What the model was shown beside the text: it may have moved any of its findings.
fn shown(prompt_context: &PromptContext) -> Vec<Reason> {
    let (known, ratings) = (prompt_context.known.len(), &prompt_context.ratings);
    let tasks = (known > 0).then(|| format!("the model was shown {known} known tasks"));
    let rated = ratings
        .iter()
        .take(MAX_RATINGS_NAMED)
        .map(|rated| format!("the model was shown a rating of \u{201c}{}\u{201d}", rated.quote));
    tasks.into_iter().chain(rated).map(|text| Reason::new(text, 0.0)).collect()
}
