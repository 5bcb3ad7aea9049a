//! One change of one task: from the record that was read to the record that is to be, with all that follows for the
//! index. The script refuses it when the record has changed since.

use crate::{
    Error,
    index::{self, IndexEntry, Link},
    keys::item_digest,
    script::{Call, append_list},
    unindexed,
};
use chrono::{DateTime, Utc};
use gleaner_model::{
    EventKind, IN_ONE_PIECE, ItemKey, MENTIONS_APART, Mention, Task, TaskRecord, TaskStatus, learning::Lesson,
};
use std::collections::BTreeSet;

/// Most quotes that an event tells.
const QUOTES_TOLD: usize = 8;

/// What is to become of a task.
#[derive(Clone, PartialEq, Debug)]
#[expect(clippy::large_enum_variant, reason = "a plan has a handful of changes, most of them updates")]
pub enum TaskChange {
    /// A new task.
    Create(TaskRecord),
    /// A task as it was read, and as it is to be.
    Update {
        /// As it was read.
        before: TaskRecord,
        /// As it is to be.
        after: TaskRecord,
    },
    /// A task as it was read, to be forgotten.
    Remove(TaskRecord),
    /// Like `Remove`, but the event carries no content.
    Erase(TaskRecord),
}

/// A change as scripts read it.
pub(crate) struct Change {
    id: String,
    uuid: [u8; 16],
    rev: u64,
    next: u64,
    json: Vec<u8>,
    status_before: &'static str,
    status_after: &'static str,
    at: [u8; 6],
    rank: [u8; 4],
    /// The terms that come and go, as [`crate::unindexed`] keeps them.
    terms: Vec<u8>,
    /// Item and JSON, in turn.
    mentions_written: Vec<Vec<u8>>,
    mentions_deleted: Vec<String>,
    /// Item and an empty text, in turn.
    counted_added: Vec<String>,
    counted_removed: Vec<String>,
    /// The terms of items that no longer speak of it, and of those that now do: they are in postings at once.
    item_terms_removed: Vec<Vec<u8>>,
    item_terms_added: Vec<Vec<u8>>,
    links_removed: Vec<Link>,
    links_added: Vec<Link>,
    /// What becomes of what the task teaches: nothing (empty), taken back (`-`), or this.
    lesson: Vec<u8>,
    kind: &'static str,
    data: Vec<u8>,
}

impl Change {
    /// Works out what follows from a change made at `now`. The revision and `updated_at` of the new record are set here.
    pub(crate) fn of(change: &TaskChange, now: DateTime<Utc>) -> Result<Self, Error> {
        match change {
            TaskChange::Create(record) => Self::new(None, Some(record), now),
            TaskChange::Update { before, after } => Self::new(Some(before), Some(after), now),
            TaskChange::Remove(record) => Self::new(Some(record), None, now),
            TaskChange::Erase(record) => {
                let view = record.view(now).ok_or_else(|| rests_on_nothing(record))?;
                Ok(Self { data: to_json(&view.erased())?, ..Self::new(Some(record), None, now)? })
            }
        }
    }

    fn new(before: Option<&TaskRecord>, after: Option<&TaskRecord>, now: DateTime<Utc>) -> Result<Self, Error> {
        let rev = before.map_or(0, |record| record.rev);
        let after = after.map(|record| {
            let mut after = TaskRecord { rev: rev + 1, updated_at: now, ..record.clone() };
            after.keep_most();
            after.version = if after.mentions.len() > 1 { MENTIONS_APART } else { IN_ONE_PIECE };
            after
        });
        let old = before.map(|record| indexed(record, now)).transpose()?;
        let new = after.as_ref().map(|record| indexed(record, now)).transpose()?;
        let (Some((shown, entry)), Some(record)) = (new.as_ref().or(old.as_ref()), after.as_ref().or(before)) else {
            return Err(Error::corrupt("a change of nothing"));
        };
        let (old_entry, new_entry) = (old.as_ref().map(|(_, entry)| entry), new.as_ref().map(|(_, entry)| entry));
        let terms = |side: Option<&IndexEntry>, other: Option<&IndexEntry>| {
            let terms = beyond(side.map(|entry| &entry.terms), other.map(|entry| &entry.terms));
            terms.into_iter().partition::<Vec<_>, _>(|term| index::is_item(term))
        };
        let ((item_terms_added, came), (item_terms_removed, mut gone)) =
            (terms(new_entry, old_entry), terms(old_entry, new_entry));
        gone.retain(|term| after.as_ref().is_none_or(|after| after.others == 0) || !index::is_source(term));
        let status = |side: &Option<(Task, IndexEntry)>| side.as_ref().map_or("", |(task, _)| task.status.as_str());
        Ok(Self {
            id: record.id.to_string(),
            uuid: *record.id.0.as_bytes(),
            rev,
            next: rev + 1,
            json: after.as_ref().map(head).transpose()?.unwrap_or_default(),
            status_before: status(&old),
            status_after: status(&new),
            at: entry.at_column(),
            rank: entry.rank_column(),
            terms: unindexed::entry(&came, &gone),
            mentions_written: after
                .as_ref()
                .map(|after| mentions_written(before, after))
                .transpose()?
                .unwrap_or_default(),
            mentions_deleted: after.as_ref().map(|after| mentions_deleted(before, after)).unwrap_or_default(),
            counted_added: counted_beyond(after.as_ref(), before)
                .into_iter()
                .flat_map(|item| [item, String::new()])
                .collect(),
            counted_removed: counted_beyond(before, after.as_ref()),
            item_terms_removed,
            item_terms_added,
            links_removed: beyond(old_entry.map(|entry| &entry.links), new_entry.map(|entry| &entry.links)),
            links_added: beyond(new_entry.map(|entry| &entry.links), old_entry.map(|entry| &entry.links)),
            lesson: lesson(before, after.as_ref())?,
            kind: event_kind(old.as_ref().map(|(task, _)| task), new.as_ref().map(|(task, _)| task)).as_str(),
            data: to_json(&told(shown, old.as_ref().map(|(task, _)| task)))?,
        })
    }

    /// Id and revision of the record that it was computed from.
    pub(crate) fn revision(&self) -> [String; 2] {
        [self.id.clone(), self.rev.to_string()]
    }

    /// Appends the change to a call, in the order in which lib/changes.lua takes it.
    pub(crate) fn append<'a>(&'a self, call: Call<'a>) -> Call<'a> {
        let call = call
            .arg(&self.id)
            .show(self.rev)
            .show(self.next)
            .arg(&self.json)
            .arg(&self.at)
            .arg(&self.rank)
            .arg(self.status_before)
            .arg(self.status_after)
            .arg(&self.uuid)
            .arg(&self.terms);
        let call = append_list(append_list(call, &self.mentions_written), &self.mentions_deleted);
        let call = append_list(append_list(call, &self.counted_added), &self.counted_removed);
        let call = append_list(append_list(call, &self.item_terms_removed), &self.item_terms_added);
        let call = append_list(append_list(call, &self.links_removed), &self.links_added);
        call.arg(&self.lesson).arg(self.kind).arg(&self.data)
    }
}

/// Appends how many changes follow, and the changes.
pub(crate) fn append_changes<'a>(call: Call<'a>, changes: &'a [Change]) -> Call<'a> {
    changes.iter().fold(call.show(changes.len()), |call, change| change.append(call))
}

/// What is in the one set and not in the other.
fn beyond<T: Ord + Clone>(from: Option<&BTreeSet<T>>, to: Option<&BTreeSet<T>>) -> Vec<T> {
    let empty = BTreeSet::new();
    from.unwrap_or(&empty).difference(to.unwrap_or(&empty)).cloned().collect()
}

/// A record without the mentions that are kept apart: all but the first.
fn head(record: &TaskRecord) -> Result<Vec<u8>, Error> {
    to_json(&TaskRecord { mentions: record.mentions.iter().take(1).cloned().collect(), ..record.clone() })
}

/// The mentions that are kept apart.
fn apart(record: &TaskRecord) -> &[Mention] {
    record.mentions.get(1..).unwrap_or_default()
}

/// The mentions to write: item and JSON, in turn.
fn mentions_written(before: Option<&TaskRecord>, after: &TaskRecord) -> Result<Vec<Vec<u8>>, Error> {
    let there = before.filter(|record| record.version == MENTIONS_APART).map(apart).unwrap_or_default();
    let mut written = Vec::new();
    for mention in apart(after).iter().filter(|mention| !there.contains(mention)) {
        written.extend([item_digest(&mention.item).into_bytes(), to_json(mention)?]);
    }
    Ok(written)
}

/// The items whose mentions are no longer kept apart.
fn mentions_deleted(before: Option<&TaskRecord>, after: &TaskRecord) -> Vec<String> {
    let stays = |item: &ItemKey| apart(after).iter().any(|mention| mention.item == *item);
    let there = before.map(apart).unwrap_or_default();
    there.iter().filter(|mention| !stays(&mention.item)).map(|mention| item_digest(&mention.item)).collect()
}

/// The items that the one counts and the other does not.
fn counted_beyond(one: Option<&TaskRecord>, other: Option<&TaskRecord>) -> Vec<String> {
    let counted = |record: Option<&TaskRecord>| record.map(|record| record.counted.clone()).unwrap_or_default();
    counted(one).difference(&counted(other)).map(item_digest).collect()
}

/// What an event says of a task: its evidence is what is new, else what was said last, and not much of it.
fn told(task: &Task, before: Option<&Task>) -> Task {
    let known = before.map(|task| task.evidence.as_slice()).unwrap_or_default();
    let last = task.evidence.last();
    let is_last = |said: &gleaner_model::Evidence| {
        last.is_some_and(|last| (&last.source_type, &last.external_id) == (&said.source_type, &said.external_id))
    };
    let mut evidence: Vec<_> = task.evidence.iter().filter(|said| !known.contains(said)).cloned().collect();
    if evidence.is_empty() {
        evidence = task.evidence.iter().filter(|said| is_last(said)).cloned().collect();
    }
    evidence.truncate(QUOTES_TOLD);
    Task { evidence, ..task.clone() }
}

fn indexed(record: &TaskRecord, now: DateTime<Utc>) -> Result<(Task, IndexEntry), Error> {
    let task = record.view(now).ok_or_else(|| rests_on_nothing(record))?;
    let entry = IndexEntry::of(record, &task);
    Ok((task, entry))
}

fn rests_on_nothing(record: &TaskRecord) -> Error {
    Error::corrupt(format!("task {} rests on nothing", record.id))
}

fn to_json(value: &impl serde::Serialize) -> Result<Vec<u8>, Error> {
    serde_json::to_vec(value).map_err(|error| Error::Refused(format!("a task cannot be written: {error}")))
}

/// What becomes of what the task teaches.
fn lesson(before: Option<&TaskRecord>, after: Option<&TaskRecord>) -> Result<Vec<u8>, Error> {
    let (was, is) = (before.and_then(Lesson::of), after.and_then(Lesson::of));
    match is {
        is if is == was => Ok(Vec::new()),
        None => Ok(b"-".to_vec()),
        Some(lesson) => to_json(&lesson),
    }
}

/// What the tenant's events say of it.
fn event_kind(before: Option<&Task>, after: Option<&Task>) -> EventKind {
    let Some(after) = after else { return EventKind::TaskDismissed };
    match (before.map(|task| task.status), after.status) {
        (None, _) => EventKind::TaskCreated,
        (Some(was), is) if was == is => EventKind::TaskUpdated,
        (Some(_), TaskStatus::Completed) => EventKind::TaskCompleted,
        (Some(_), TaskStatus::Dismissed) => EventKind::TaskDismissed,
        (Some(_), TaskStatus::Open) => EventKind::TaskUpdated,
    }
}
