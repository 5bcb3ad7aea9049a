//! The tasks of one tenant, kept in memory: items are taken in as a worker records them, without a store.

use crate::data::GoldDocument;
use anyhow::{Context as _, Result};
use chrono::DateTime;
use gleaner_extract::weights::Weights;
use gleaner_extract::{Context, engine, reader};
use gleaner_model::learning::Learnt;
use gleaner_model::{Item, JobId, Subject, TaskRecord};
use gleaner_store::{LearningState, TaskChange};
use gleaner_worker::findings::ItemFindings;
use gleaner_worker::reconcile::{Situation, reconcile};
use serde_json::json;

/// What is known after some items.
#[derive(Debug, Default)]
pub struct Memory {
    /// The tasks, in the order in which they were found.
    pub records: Vec<TaskRecord>,
}

impl Memory {
    /// Takes an item in: its tasks are found, and become mentions of known tasks or new ones.
    pub fn take_in(&mut self, item: &Item, weights: &Weights) {
        let document = gleaner_extract::Document::of(item);
        let subject = Subject::default();
        let context = Context::of(item, &subject);
        let transcript = reader::read(&document);
        let extraction = engine::extract(&document, &transcript, &context, weights, &Learnt::default());
        let said = ItemFindings::of(item, &subject, JobId::new(), &LearningState::default(), extraction.into());
        let (existing, related): (Vec<_>, Vec<_>) =
            self.records.iter().cloned().partition(|record| record.mention_of(&item.key).is_some());
        let decision = reconcile(Situation {
            meant: Vec::new(),
            item: item.key.clone(),
            existing,
            candidates: related.into_iter().filter(|record| is_linked(record, &said.links)).collect(),
            found: said.found,
            done_mentions: said.done_mentions,
            people: said.people,
            now: item.occurred_at.time.to_utc(),
        });
        decision.changes.into_iter().for_each(|change| self.apply(change));
    }

    fn apply(&mut self, change: TaskChange) {
        match change {
            TaskChange::Create(record) => self.records.push(record),
            TaskChange::Update { after, .. } => {
                self.records.iter_mut().filter(|record| record.id == after.id).for_each(|known| *known = after.clone())
            }
            TaskChange::Remove(gone) | TaskChange::Erase(gone) => self.records.retain(|record| record.id != gone.id),
        }
    }
}

/// Whether the store would find a task under one of these keys.
fn is_linked(record: &TaskRecord, links: &[String]) -> bool {
    record.mentions.iter().flat_map(|mention| &mention.links).any(|link| links.contains(link))
}

/// A labelled document as it would be submitted.
///
/// # Errors
/// Where a submission of it would be refused.
pub fn item(document: &GoldDocument) -> Result<Item> {
    let body = json!({
        "source_type": document.source_type,
        "external_id": document.id,
        "occurred_at": document.occurred_at,
        "title": document.title,
        "transcript": document.transcript,
        "metadata": document.metadata,
    });
    let body = body.as_object().cloned().context("a submission is an object")?;
    Ok(Item::from_json(body, DateTime::UNIX_EPOCH, 0)?.0)
}
