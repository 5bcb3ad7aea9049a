//! One commitment, one task: what an item's findings mean for the tasks that are already there. A pure function.
//!
//! A finding is, in this order: the same task that the item spoke of before (a re-submission), a task that another item
//! speaks of, or a new one. A sentence that says that something is done completes the open task that it means. What the item
//! no longer speaks of is taken back.

use crate::candidates::{CandidateTasks, Finding, TaskMatch};
use crate::similarity;
use chrono::{DateTime, Utc};
use gleaner_llm::Means;
use gleaner_model::{ItemKey, Mention, TaskId, TaskRecord, TaskStatus};
use gleaner_store::TaskChange;
use std::collections::BTreeMap;

/// Score of a match that the model stated explicitly; above any similarity.
const STATED_MATCH_SCORE: f64 = 100.0;

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
    /// For each of them the known task that it is said to be; those past the end say nothing.
    pub meant: Vec<Option<Means>>,
    /// What the item says is done, each as the mention that it makes of whatever task it means.
    pub done_mentions: Vec<Mention>,
    /// Names of the people of the item.
    pub people: Vec<String>,
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

/// A task that no finding means: as it was read, and as it is without this item.
struct UnclaimedTask {
    before: TaskRecord,
    after: TaskRecord,
}

/// Decides what becomes of the findings.
#[must_use]
pub fn reconcile(situation: Situation) -> Decision {
    let Situation { item, existing, candidates, found, meant, done_mentions, people, now } = situation;
    let says = |finding: usize, record: &TaskRecord| {
        let means = meant.get(finding).copied().flatten()?;
        (means.task == record.id).then_some(STATED_MATCH_SCORE)
    };
    let again = pairs(found.len(), &existing, |finding, record| {
        says(finding, record).or_else(|| similarity::repetition(&found[finding], record.mention_of(&item)?))
    });
    let among = CandidateTasks::of(&candidates, &people);
    let findings: Vec<_> = found.iter().map(Finding::of).collect();
    // What is the same item's is not another item's as well.
    let free = |finding: &usize| !again.contains_key(finding);
    let mut elsewhere = pairs(found.len(), &candidates, |finding, record| {
        if !free(&finding) {
            return None;
        }
        says(finding, record).or_else(|| among.means(&findings[finding], record).map(|meaning| meaning.score))
    });
    for finding in (0..found.len()).filter(free) {
        if !elsewhere.contains_key(&finding) {
            let place = said_done(&among, &findings[finding], &done_mentions, &candidates, &elsewhere);
            elsewhere.extend(place.map(|place| (finding, place)));
        }
    }
    let mut decision = Decision::default();
    for (at, finding) in findings.iter().enumerate() {
        let known = again.get(&at).map(|place| &existing[*place]);
        let known = known.or_else(|| elsewhere.get(&at).map(|place| &candidates[*place]));
        let means = meant.get(at).copied().flatten();
        let mention = known.and_then(|record| of_others(&among, finding, record, &item, means));
        let (id, change) = record(known, mention.unwrap_or_else(|| found[at].clone()), now);
        decision.tasks.push(id);
        decision.changes.push(change);
    }
    let mut rest = Vec::new();
    for before in left(existing, &again) {
        let mut after = before.clone();
        if after.drop_mention(&item) {
            rest.push(UnclaimedTask { before, after })
        } else {
            decision.changes.extend(goes(before))
        }
    }
    rest.extend(left(candidates, &elsewhere).map(|before| {
        let mut after = before.clone();
        // It may have been counted among those that speak of the task. One mention at least is kept of every task.
        after.drop_mention(&item);
        UnclaimedTask { before, after }
    }));
    for mention in done_mentions {
        decision.tasks.extend(complete(&among, &mut rest, mention));
    }
    let changed = rest.into_iter().filter(|rest| rest.before != rest.after);
    decision.changes.extend(changed.map(|UnclaimedTask { before, after }| TaskChange::Update { before, after }));
    decision
}

/// The open task, meant by no other finding, that a finding says is done with the words before it.
fn said_done(
    among: &CandidateTasks,
    finding: &Finding<'_>,
    done_mentions: &[Mention],
    candidates: &[TaskRecord],
    taken: &BTreeMap<usize, usize>,
) -> Option<usize> {
    let open = |(place, record): &(usize, &TaskRecord)| {
        record.status() == TaskStatus::Open && !taken.values().any(|taken| taken == place)
    };
    let (places, records): (Vec<_>, Vec<_>) = candidates.iter().enumerate().filter(open).unzip();
    places.get(among.said_done(finding, done_mentions, &records)?).copied()
}

/// What a finding says of a task that other items speak of too; `None` where no other does.
fn of_others(
    among: &CandidateTasks,
    finding: &Finding<'_>,
    record: &TaskRecord,
    item: &ItemKey,
    means: Option<Means>,
) -> Option<Mention> {
    let mut others = record.clone();
    if !others.drop_mention(item) {
        return None;
    }
    if let Some(means) = means.filter(|means| means.task == record.id) {
        return Some(finding.said_to_be(&others, means.handed_over));
    }
    let otherwise = TaskMatch { score: 0.0, done: finding.only_says_done() };
    Some(finding.as_mention_of(&others, among.means(finding, &others).unwrap_or(otherwise)))
}

/// The records that no finding means.
fn left(records: Vec<TaskRecord>, pairs: &BTreeMap<usize, usize>) -> impl Iterator<Item = TaskRecord> {
    let free = |at: &usize| !pairs.values().any(|taken| taken == at);
    records.into_iter().enumerate().filter(move |(at, _)| free(at)).map(|(_, record)| record)
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

/// A task that rested on this item alone, and that it no longer speaks of: it goes if it was open and nobody touched
/// it. Others keep their evidence, because no task is without.
fn goes(record: TaskRecord) -> Option<TaskChange> {
    let goes = record.status() == TaskStatus::Open && !record.is_touched();
    goes.then_some(TaskChange::Remove(record))
}

/// Completes the open task that a mention of something done means; an item speaks of a task once at most.
fn complete(among: &CandidateTasks, rest: &mut [UnclaimedTask], mut mention: Mention) -> Option<TaskId> {
    let mut open: Vec<&mut UnclaimedTask> = rest
        .iter_mut()
        .filter(|rest| rest.after.status() == TaskStatus::Open && rest.after.mention_of(&mention.item).is_none())
        .collect();
    let records: Vec<_> = open.iter().map(|rest| &rest.after).collect();
    let at = among.completed_by(&records, &mention)?;
    let record = &mut open.get_mut(at)?.after;
    mention.title = record.title().to_owned();
    mention.confidence = record.confidence();
    record.put_mention(mention);
    Some(record.id)
}

/// Which record each of so many findings means: the most alike first, none of them twice.
fn pairs(
    found: usize,
    records: &[TaskRecord],
    alike: impl Fn(usize, &TaskRecord) -> Option<f64>,
) -> BTreeMap<usize, usize> {
    let mut scored: Vec<(f64, usize, usize)> = Vec::new();
    for finding in 0..found {
        for (place, record) in records.iter().enumerate() {
            scored.extend(alike(finding, record).map(|score| (score, finding, place)));
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
