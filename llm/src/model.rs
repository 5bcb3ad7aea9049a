//! Asking of a whole text: its windows side by side, smaller ones where an answer was cut off, all joined in the end.

use crate::{
    Failure, GroundedTask, InvalidSettings, LlmConfig, PromptContext,
    answer::{self, ProposedTask},
    endpoint::Endpoint,
    grounding::Grounding,
    join,
    limiter::Limiter,
    numbered::NumberedText,
    question::{INSTRUCTIONS, QuestionFrame},
    retry::RetryingClient,
    window::{tokens, windows},
};
use futures::{StreamExt as _, TryStreamExt as _, stream};
use gleaner_extract::{Context, Document};
use gleaner_model::Usage;
use std::{collections::VecDeque, ops::Range, sync::Arc};

/// Fewest tokens of a text that a window must have room for.
const MIN_ROOM: usize = 256;
/// Tokens that a request costs beside its words.
const ENVELOPE: usize = 64;
/// Windows of one text that are asked at once.
const WINDOWS_AT_ONCE: usize = 3;
/// How often a window may be cut in two.
const MAX_CUTS: u32 = 4;

/// A model that can be asked.
#[derive(Clone, Debug)]
pub struct LanguageModel {
    endpoint: Arc<Endpoint>,
    /// Tokens for the item: its head and its text.
    room: usize,
    /// Tokens that a request costs at most beside the item.
    fixed: usize,
}

/// What became of a question, and what it cost either way.
#[derive(Clone, Debug)]
pub struct ModelRun {
    /// The tasks that the text bears out, in its order.
    pub outcome: Result<Vec<GroundedTask>, Failure>,
    /// Tokens, as the endpoint counts them.
    pub usage: Usage,
}

impl LanguageModel {
    /// # Errors
    /// When the settings do not name a model, or leave no room for a text.
    pub fn new(config: &LlmConfig) -> Result<Self, InvalidSettings> {
        let endpoint = Arc::new(Endpoint::new(config)?);
        let fixed = tokens(INSTRUCTIONS) + config.llm_max_tokens as usize + ENVELOPE;
        let room = (config.llm_context_tokens as usize).checked_sub(fixed).filter(|room| *room >= 2 * MIN_ROOM);
        Ok(Self { endpoint, room: room.ok_or(InvalidSettings::Context(fixed))?, fixed })
    }

    /// What jobs call it.
    #[must_use]
    pub fn name(&self) -> String {
        format!("llm/{}", self.endpoint.model())
    }

    /// Asks for the tasks of a text.
    pub async fn extract<G: Limiter>(
        &self,
        document: &Document<'_>,
        context: &Context,
        prompt_context: &PromptContext,
        limiter: &G,
    ) -> ModelRun {
        let page = NumberedText::read(document, context);
        let frame = QuestionFrame::of(document.source_type, document.title, &page, context, prompt_context);
        let most = self.room.saturating_sub(frame.tokens()).max(MIN_ROOM);
        let text = ModelReading {
            model: self,
            asking: RetryingClient::new(&self.endpoint, limiter),
            page: &page,
            frame: &frame,
        };
        let outcome = text.read(most).await.map(|windows| {
            let grounding = Grounding::of(&page, document.title, context, prompt_context);
            let borne = |said: Vec<ProposedTask>| said.into_iter().filter_map(|said| grounding.task(said)).collect();
            join::join(windows.into_iter().map(borne))
        });
        ModelRun { outcome, usage: text.asking.usage() }
    }
}

/// A text that is asked of.
struct ModelReading<'t, G> {
    model: &'t LanguageModel,
    asking: RetryingClient<'t, G>,
    page: &'t NumberedText<'t>,
    frame: &'t QuestionFrame,
}

impl<G: Limiter> ModelReading<'_, G> {
    /// What is said of each window, in the order of the text.
    async fn read(&self, most: usize) -> Result<Vec<Vec<ProposedTask>>, Failure> {
        if self.page.is_empty() {
            return Ok(Vec::new());
        }
        let parts = windows(self.page, 0..self.page.len(), most);
        let asked = stream::iter(parts).map(|lines| self.part(lines, most)).buffered(WINDOWS_AT_ONCE);
        let said: Vec<Vec<Vec<ProposedTask>>> = asked.try_collect().await?;
        Ok(said.into_iter().flatten().collect())
    }

    /// What is said of a window, or of its parts where the answer to the whole was cut off.
    async fn part(&self, lines: Range<usize>, most: usize) -> Result<Vec<Vec<ProposedTask>>, Failure> {
        let (mut todo, mut said) = (VecDeque::from([(lines, most, MAX_CUTS)]), Vec::new());
        while let Some((lines, most, cuts)) = todo.pop_front() {
            match self.window(lines.clone()).await {
                Ok(tasks) => said.push(tasks),
                Err(Failure::CutOff | Failure::TooLong) if cuts > 0 && lines.len() > 1 => {
                    let half = self.tokens(&lines).min(most).div_ceil(2).max(1);
                    let parts = windows(self.page, lines, half);
                    parts.into_iter().rev().for_each(|part| todo.push_front((part, half, cuts - 1)));
                }
                Err(failure) => return Err(failure),
            }
        }
        Ok(said)
    }

    async fn window(&self, lines: Range<usize>) -> Result<Vec<ProposedTask>, Failure> {
        let cost = (self.model.fixed + self.frame.tokens() + self.tokens(&lines)) as u64;
        let question = self.frame.question(self.page, lines);
        self.asking.ask(&question, cost, answer::read).await
    }

    fn tokens(&self, lines: &Range<usize>) -> usize {
        tokens(&self.page.words(lines.clone())) + 4 * lines.len()
    }
}
