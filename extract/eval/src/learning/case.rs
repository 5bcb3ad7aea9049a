//! One text of a tenant, with what is right in it.

use crate::data::{self, Gold};
use crate::mark::{self, Span};
use crate::records;
use crate::words::rouge_l;
use anyhow::Result;
use gleaner_extract::weights::Weights;
use gleaner_extract::{Context, Document, Extraction, Found, engine, reader};
use gleaner_model::learning::Learnt;
use std::sync::Arc;

/// A text as it would be submitted, with its gold.
#[derive(Clone, Debug)]
pub struct Case {
    source_type: String,
    title: String,
    text: String,
    /// What is known besides the text.
    pub context: Context,
    gold: Box<data::GoldDocument>,
    weights: Arc<Weights>,
}

impl Case {
    /// A labelled document, and weights that were trained without it.
    ///
    /// # Errors
    /// Where its time is malformed.
    pub fn of_document(document: &data::GoldDocument, weights: Arc<Weights>) -> Result<Self> {
        Ok(Self {
            source_type: document.source_type.clone(),
            title: document.title.clone(),
            text: document.transcript.clone(),
            context: crate::context(document)?,
            gold: Box::new(document.clone()),
            weights,
        })
    }

    /// What the engine finds.
    #[must_use]
    pub fn extract(&self, learnt: &Learnt) -> Extraction {
        let document = self.document();
        engine::extract(&document, &reader::read(&document), &self.context, &self.weights, learnt)
    }

    /// The text as it is submitted.
    #[must_use]
    pub fn document(&self) -> Document<'_> {
        Document { source_type: &self.source_type, title: Some(&self.title), text: &self.text }
    }

    /// The kind of source.
    #[must_use]
    pub fn source_type(&self) -> &str {
        &self.source_type
    }

    /// How many tasks are in it that are not arguable.
    #[must_use]
    pub fn gold(&self) -> usize {
        self.gold.tasks.iter().filter(|task| !task.optional).count()
    }

    /// For each found task the gold task that it is, if any.
    #[must_use]
    pub fn partners(&self, found: &[Found]) -> Vec<Option<usize>> {
        let spans: Vec<Vec<Span>> = found.iter().map(|task| records::spans(&self.text, task)).collect();
        let places = |task: &Gold| task.evidence.iter().flat_map(|quote| mark::stands(&self.text, quote)).collect();
        let gold: Vec<Vec<Span>> = self.gold.tasks.iter().map(places).collect();
        mark::pair(&spans, &gold, |p, g| rouge_l(&self.gold.tasks[g].title, &found[p].title))
    }

    /// The gold task of that number.
    #[must_use]
    pub fn task(&self, number: usize) -> Option<&Gold> {
        self.gold.tasks.get(number)
    }
}
