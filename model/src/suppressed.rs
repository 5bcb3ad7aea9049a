//! What was left out of an item because of what feedback has taught: so that nothing vanishes silently.

use crate::{Reason, learning::Signals};
use chrono::NaiveDate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A candidate that would have been a task if people had not said what they did of others like it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Suppressed {
    /// The title that it would have had.
    pub title: String,
    /// The owner that it would have had.
    pub owner: Option<String>,
    /// The day by which it would have been due.
    #[schemars(with = "Option<String>", extend("format" = "date"))]
    pub due: Option<NaiveDate>,
    /// The words that it would have rested on, verbatim from the transcript.
    pub quote: String,
    /// Who said or wrote them, where known.
    pub speaker: Option<String>,
    /// Where the quote begins, in Unicode scalars from the start of the transcript.
    pub start: usize,
    /// Where it ends, exclusive.
    pub end: usize,
    /// From 0 to 1: how sure the engine would have been without feedback.
    pub confidence: f64,
    /// What moved it, strongest first, with the ratings that did.
    pub reasons: Vec<Reason>,
    /// What the engine saw of it, should somebody say that it is a task after all.
    #[serde(default, rename = "looks", skip_serializing_if = "Signals::is_blank")]
    #[schemars(skip)]
    pub signals: Signals,
}
