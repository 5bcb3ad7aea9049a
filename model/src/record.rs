//! A task's record: mentions, edits and ratings, and how each is put in and taken out.
//!
//! Items may be processed in any order, so nothing here depends on the order in which mentions came in: they are
//! kept sorted by when their items took place.

mod edits;
mod fold;

pub use edits::{Edit, Edits, TaskPatch};

use crate::{Feedback, ItemKey, Mention, TaskId, mention::is_default};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Most mentions that a task keeps in full: the first and the latest ones.
pub const MENTIONS_KEPT: usize = 50;

/// The shape in which the store keeps a record of one mention. Before there was another, it was that of all.
pub const IN_ONE_PIECE: u8 = 0;
/// The shape of the others: all mentions but the first apart, so that a change writes what changed.
pub const MENTIONS_APART: u8 = 1;

/// Members that this version does not know. They are written back as they were, so that a process of an older version
/// that changes a record loses nothing of what a newer one wrote.
pub type UnknownMembers = serde_json::Map<String, serde_json::Value>;

/// Everything that is known of a task.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TaskRecord {
    /// The task's id; it never changes.
    pub id: TaskId,
    /// What items say of it, earliest first; one per item, never empty, at most [`MENTIONS_KEPT`].
    pub mentions: Vec<Mention>,
    /// How many more items speak of it, whose words are no longer kept.
    #[serde(default, skip_serializing_if = "is_default")]
    pub others: u64,
    /// Counted items loaded with this record (a subset of `others`; not serialised here, the store keeps them apart).
    #[serde(skip)]
    pub counted: BTreeSet<ItemKey>,
    /// What people set by hand.
    #[serde(default, skip_serializing_if = "Edits::is_empty")]
    pub edits: Edits,
    /// What people say of it, one per subject.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub feedback: Vec<Feedback>,
    /// What feedback on other tasks teaches of this one: from -0.5 (matters less) to 0.5 (matters more).
    // The name in what is stored already.
    #[serde(default, rename = "learnt", skip_serializing_if = "is_default")]
    pub importance_offset: f64,
    /// When it was first recorded.
    pub created_at: DateTime<Utc>,
    /// When it last changed.
    pub updated_at: DateTime<Utc>,
    /// Counts changes, from 1.
    pub rev: u64,
    /// In which shape the store keeps it: [`IN_ONE_PIECE`] or [`MENTIONS_APART`].
    #[serde(default)]
    pub version: u8,
    /// What a newer version wrote besides.
    #[serde(flatten)]
    pub unknown: UnknownMembers,
}

/// What a person reported, where the item's text says it now.
fn as_reported(reported: Mention, now: Mention) -> Mention {
    // Member by member, so that a new one is decided on here.
    let Mention {
        occurred_at,
        job_id,
        content_sha256,
        quotes,
        status,
        item: _,
        item_title: _,
        title: _,
        owner: _,
        waiting_on: _,
        due: _,
        urgency: _,
        confidence: _,
        explicit: _,
        reasons: _,
        links: _,
        signals: _,
        moved_days: _,
        reported: _,
        unknown: _,
    } = now;
    Mention { occurred_at, job_id, content_sha256, quotes, status, ..reported }
}

impl TaskRecord {
    /// A new task that one item speaks of.
    #[must_use]
    pub fn new(id: TaskId, mention: Mention, now: DateTime<Utc>) -> Self {
        Self {
            id,
            mentions: vec![mention],
            others: 0,
            counted: BTreeSet::new(),
            edits: Edits::default(),
            feedback: Vec::new(),
            importance_offset: 0.0,
            created_at: now,
            updated_at: now,
            rev: 1,
            version: IN_ONE_PIECE,
            unknown: UnknownMembers::new(),
        }
    }

    /// Records what an item says, in place of what it said before. What a person reported of it stays: then only its
    /// place in the text is new, and whether it is done.
    pub fn put_mention(&mut self, mut mention: Mention) {
        if let Some(known) = self.mention_of(&mention.item).filter(|known| known.reported.is_some()) {
            mention = as_reported(known.clone(), mention);
        }
        self.drop_mention(&mention.item.clone());
        let key = |mention: &Mention| (mention.occurred_at, mention.item.clone());
        let place = self.mentions.partition_point(|known| key(known) < key(&mention));
        self.mentions.insert(place, mention);
        self.keep_most();
    }

    /// Keeps the first mention, what people reported, and the latest ones. Whatever order mentions come in, the same
    /// are kept: what goes is neither the first nor among the latest, and never will be.
    pub fn keep_most(&mut self) {
        while self.mentions.len() > MENTIONS_KEPT {
            let reported = |mention: &Mention| mention.reported.is_some();
            let place = 1 + self.mentions[1..].iter().position(|known| !reported(known)).unwrap_or_default();
            self.counted.insert(self.mentions.remove(place).item);
            self.others += 1;
        }
    }

    /// Forgets what an item says. False where no mention is left in full, and the record must go.
    pub fn drop_mention(&mut self, item: &ItemKey) -> bool {
        self.mentions.retain(|known| known.item != *item);
        if self.counted.remove(item) {
            self.others = self.others.saturating_sub(1);
        }
        !self.mentions.is_empty()
    }

    /// How many items speak of it, with those whose words are no longer kept.
    #[must_use]
    pub fn mention_count(&self) -> usize {
        self.mentions.len() + usize::try_from(self.others).unwrap_or(usize::MAX / 2)
    }

    /// Whether an item is known to speak of it, in words that are kept or not.
    #[must_use]
    pub fn is_of(&self, item: &ItemKey) -> bool {
        self.mention_of(item).is_some() || self.counted.contains(item)
    }

    /// Records a rating in place of an earlier one of the same subject.
    pub fn put_feedback(&mut self, feedback: Feedback) {
        let last = self.feedback.iter().find(|known| known.subject == feedback.subject);
        let feedback = feedback.in_place_of(last, self.mention_count());
        self.feedback.retain(|known| known.subject != feedback.subject);
        let place = self.feedback.partition_point(|known| known.created_at <= feedback.created_at);
        self.feedback.insert(place, feedback);
    }

    /// Takes a subject's rating back, with all that it did. `None` where there is none.
    pub fn drop_feedback(&mut self, subject: &str) -> Option<Feedback> {
        let place = self.feedback.iter().position(|known| known.subject == subject)?;
        Some(self.feedback.remove(place))
    }

    /// Whether a person has edited, rated or reported it: such a task does not disappear on its own.
    #[must_use]
    pub fn is_touched(&self) -> bool {
        let reported = self.mentions.iter().any(|mention| mention.reported.is_some());
        reported || !self.edits.is_empty() || !self.feedback.is_empty()
    }

    /// What the item says of it, if it does.
    #[must_use]
    pub fn mention_of(&self, item: &ItemKey) -> Option<&Mention> {
        self.mentions.iter().find(|mention| mention.item == *item)
    }

    /// When it was last spoken of.
    #[must_use]
    pub fn last_mentioned_at(&self) -> DateTime<Utc> {
        self.mentions.last().map_or(self.created_at, |mention| mention.occurred_at)
    }
}

#[cfg(test)]
mod tests;
