//! One commitment, one task: what an item's findings mean for the tasks that are already there. A pure function.
//!
//! A finding is, in this order: the same task that the item spoke of before (a re-submission), a task that another item
//! speaks of, or a new one. What the item no longer speaks of is taken back.

use crate::alike;
use chrono::{DateTime, Utc};
use gleaner_model::{ItemKey, Mention, TaskId, TaskRecord, TaskStatus};
use gleaner_store::TaskChange;
use std::collections::BTreeMap;

/// What is known when an item has been read.
#[derive(Clone, Debug)]
pub struct Situation {
    /// The item.
    pub item: ItemKey,
    /// Tasks that the item spoke of before.
    pub existing: Vec<TaskRecord>,
    /// Tasks of other items that may be meant.
    pub candidates: Vec<TaskRecord>,
    /// What the item says now.
    pub found: Vec<Mention>,
    /// When that is recorded.
    pub now: DateTime<Utc>,
}

/// What is to happen.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Decision {
    /// What becomes of which tasks.
    pub changes: Vec<TaskChange>,
    /// The tasks that the item speaks of, in the order in which it does.
    pub tasks: Vec<TaskId>,
}

/// Decides what becomes of the findings.
#[must_use]
pub fn reconcile(situation: Situation) -> Decision {
    let Situation { item, existing, candidates, found, now } = situation;
    let again = pairs(&found, &existing, |_| true, |mention, record| alike::again(mention, record.mention_of(&item)?));
    // What is the same item's is not another item's as well.
    let free = |finding| !again.contains_key(&finding);
    let elsewhere = pairs(&found, &candidates, free, alike::same_commitment);
    let mut decision = Decision::default();
    for (finding, mention) in found.into_iter().enumerate() {
        let known = again.get(&finding).map(|at| &existing[*at]);
        let known = known.or_else(|| elsewhere.get(&finding).map(|at| &candidates[*at]));
        let (id, change) = record(known, mention, now);
        decision.tasks.push(id);
        decision.changes.push(change);
    }
    for (at, before) in existing.into_iter().enumerate() {
        if !again.values().any(|kept| *kept == at) {
            decision.changes.extend(take_back(before, &item));
        }
    }
    decision
}

/// A finding becomes a mention of a known task, or a task of its own.
fn record(known: Option<&TaskRecord>, mention: Mention, now: DateTime<Utc>) -> (TaskId, TaskChange) {
    let Some(before) = known else {
        let record = TaskRecord::new(TaskId::new(), mention, now);
        return (record.id, TaskChange::Create(record));
    };
    let mut after = before.clone();
    after.put_mention(mention);
    (before.id, TaskChange::Update { before: before.clone(), after })
}

/// The item no longer speaks of the task. Open tasks that rested on it alone, and that nobody touched, go with it;
/// others that rest on it alone keep their evidence, because no task is without.
fn take_back(before: TaskRecord, item: &ItemKey) -> Option<TaskChange> {
    let mut after = before.clone();
    if after.drop_mention(item) {
        Some(TaskChange::Update { before, after })
    } else {
        let goes = before.status() == TaskStatus::Open && !before.is_touched();
        goes.then_some(TaskChange::Remove(before))
    }
}

/// Which record each finding means: the most alike first, none of them twice.
fn pairs(
    found: &[Mention],
    records: &[TaskRecord],
    free: impl Fn(usize) -> bool,
    alike: impl Fn(&Mention, &TaskRecord) -> Option<f64>,
) -> BTreeMap<usize, usize> {
    let mut scored: Vec<(f64, usize, usize)> = Vec::new();
    for (finding, mention) in found.iter().enumerate().filter(|(finding, _)| free(*finding)) {
        for (place, record) in records.iter().enumerate() {
            scored.extend(alike(mention, record).map(|score| (score, finding, place)));
        }
    }
    // Of equals the earlier finding takes the older task, whatever order the store gave them in.
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)).then(records[a.2].id.cmp(&records[b.2].id)));
    let mut pairs = BTreeMap::new();
    for (_, finding, place) in scored {
        if !pairs.contains_key(&finding) && !pairs.values().any(|taken| *taken == place) {
            pairs.insert(finding, place);
        }
    }
    pairs
}

#[cfg(test)]
mod tests;
