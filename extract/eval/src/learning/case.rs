//! One text of a tenant, with what is right in it.

use crate::corpora;
use crate::data::{self, Gold, Meeting};
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
    gold: Truth,
    weights: Arc<Weights>,
}

#[derive(Clone, Debug)]
enum Truth {
    Document(Box<data::Document>),
    /// Anchors of the actions, and where each line begins.
    Minutes(Vec<i64>, Vec<usize>),
}

impl Case {
    /// A labelled document, and weights that were trained without it.
    ///
    /// # Errors
    /// Where its time is malformed.
    pub fn of_document(document: &data::Document, weights: Arc<Weights>) -> Result<Self> {
        Ok(Self {
            source_type: document.source_type.clone(),
            title: document.title.clone(),
            text: document.transcript.clone(),
            context: crate::context(document)?,
            gold: Truth::Document(Box::new(document.clone())),
            weights,
        })
    }

    /// Minutes whose actions were taken out.
    ///
    /// # Errors
    /// Where their date is malformed.
    pub fn of_minutes(meeting: &Meeting, weights: Arc<Weights>) -> Result<Self> {
        let (text, starts) = corpora::transcript(meeting);
        let day = meeting.date.as_deref().unwrap_or("2005-01-10");
        let context = corpora::context(day)?;
        let anchors = meeting.actions.iter().map(|action| action.anchor).collect();
        let gold = Truth::Minutes(anchors, starts);
        // They have no titles; people call such a meeting by its group.
        let title = format!("{} {day}", meeting.corpus.rsplit('/').next().unwrap_or_default());
        Ok(Self { source_type: "meeting".to_owned(), title, text, context, gold, weights })
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

    /// How many tasks are in it.
    #[must_use]
    pub fn gold(&self) -> usize {
        match &self.gold {
            Truth::Document(document) => document.tasks.len(),
            Truth::Minutes(anchors, _) => anchors.len(),
        }
    }

    /// For each found task the gold task that it is, if any.
    #[must_use]
    pub fn partners(&self, found: &[Found]) -> Vec<Option<usize>> {
        let spans: Vec<Vec<Span>> = found.iter().map(|task| records::spans(&self.text, task)).collect();
        match &self.gold {
            Truth::Document(document) => {
                let places = |task: &Gold| task.evidence.iter().flat_map(|q| mark::places(&self.text, q)).collect();
                let gold: Vec<Vec<Span>> = document.tasks.iter().map(places).collect();
                mark::pair(&spans, &gold, |p, g| rouge_l(&document.tasks[g].title, &found[p].title))
            }
            Truth::Minutes(anchors, starts) => minutes(&spans, anchors, starts),
        }
    }

    /// The gold task of that number, in labelled documents.
    #[must_use]
    pub fn task(&self, number: usize) -> Option<&Gold> {
        match &self.gold {
            Truth::Document(document) => document.tasks.get(number),
            Truth::Minutes(..) => None,
        }
    }
}

/// Each found task gets the first action before which it was said and that is still free.
fn minutes(spans: &[Vec<Span>], anchors: &[i64], starts: &[usize]) -> Vec<Option<usize>> {
    let mut taken = vec![false; anchors.len()];
    let partner = |spans: &Vec<Span>| {
        let lines: Vec<i64> = spans.iter().flat_map(|span| corpora::lines(starts, span)).map(|at| at as i64).collect();
        let near = |anchor: i64| lines.iter().any(|&at| at + corpora::WINDOW > anchor && at <= anchor + 1);
        let found = (0..anchors.len()).find(|&at| !taken[at] && near(anchors[at]))?;
        taken[found] = true;
        Some(found)
    };
    spans.iter().map(partner).collect()
}
