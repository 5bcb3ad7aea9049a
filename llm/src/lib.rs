//! Asks a language model behind an OpenAI-compatible endpoint for the tasks of a text. What it says is taken only as far as
//! the text bears it out: the words must stand there, the owner must be named there, a day must follow from words there.
//!
//! The way of a text: a [`numbered`] text numbers its lines; a [`question`] is put for each [`window`]; what the [`answer`] proposes is
//! taken as far as the text bears it out ([`grounding`]).

pub mod answer;
pub mod config;
pub mod days;
mod dialect;
pub mod endpoint;
mod find;
pub mod grounding;
mod injection;
pub mod join;
pub mod limiter;
pub mod model;
pub mod numbered;
pub mod prompt_context;
pub mod question;
mod retry;
mod title;
pub mod window;

pub use config::LlmConfig;
pub use endpoint::{Failure, InvalidSettings};
pub use grounding::{GroundedTask, Means};
pub use limiter::{Denied, Ended, Limiter, Unlimited};
pub use model::{LanguageModel, ModelRun};
pub use prompt_context::{FeedbackVerdict, KnownTask, PromptContext, RatedExample};
