//! One commitment, one task, over the windows of a text: what two windows both found, and what a later one says again.

use crate::grounding::GroundedTask;
use gleaner_extract::{Found, link::related};
use gleaner_model::TaskStatus;

/// Joins the tasks of windows in their order: what a later window says of a task that an earlier one gave makes no second one.
/// Within a window the model has told them apart. In the order of the text.
#[must_use]
pub fn join(windows: impl IntoIterator<Item = Vec<GroundedTask>>) -> Vec<GroundedTask> {
    let mut joined: Vec<GroundedTask> = Vec::new();
    for window in windows {
        let before = joined.len();
        for task in window {
            let is_one = |(place, earlier): &(usize, &mut GroundedTask)| {
                if *place < before { are_one(earlier, &task) } else { mean_one(earlier, &task) }
            };
            match joined.iter_mut().enumerate().find(is_one) {
                Some((_, earlier)) => merge(earlier, task),
                None => joined.push(task),
            }
        }
    }
    joined.sort_by_key(|task| task.found.evidence.first().map_or(0, |quote| quote.start));
    joined
}

fn mean_one(one: &GroundedTask, other: &GroundedTask) -> bool {
    one.means.is_some() && one.means.map(|means| means.task) == other.means.map(|means| means.task)
}

fn are_one(one: &GroundedTask, other: &GroundedTask) -> bool {
    if one.means.is_some() && other.means.is_some() {
        return mean_one(one, other);
    }
    let (mine, theirs) = (texts(&one.found), texts(&other.found));
    let (mine, theirs) = (view(&one.found, &mine), view(&other.found, &theirs));
    let same_owner = one.found.owner == other.found.owner || one.found.owner.is_none() || other.found.owner.is_none();
    let same_words = overlap(&one.found, &other.found);
    let alike = related::likeness(&mine, &theirs);
    same_owner && (related::same_commitment(&mine, &theirs) || (same_words && alike >= 0.3))
}

fn overlap(one: &Found, other: &Found) -> bool {
    let meets = |a: &gleaner_extract::Quote, b: &gleaner_extract::Quote| a.start < b.end && b.start < a.end;
    one.evidence.iter().any(|a| other.evidence.iter().any(|b| meets(a, b)))
}

fn texts(found: &Found) -> Vec<&str> {
    found.evidence.iter().map(|quote| quote.text.as_str()).collect()
}

fn view<'a>(found: &'a Found, quotes: &'a [&'a str]) -> related::TaskMention<'a> {
    related::TaskMention {
        speakers: &[],
        title: &found.title,
        owner: found.owner.as_deref(),
        quotes,
        due: found.due.as_ref().map(|due| due.date),
        status: found.status,
        occurred_at: chrono::DateTime::UNIX_EPOCH,
    }
}

/// The later word on a task counts, where it says anything.
fn merge(earlier: &mut GroundedTask, later: GroundedTask) {
    // Every member is named, so that none that is new can be forgotten.
    let GroundedTask { found, means } = later;
    let Found {
        title: _,
        owner,
        is_me,
        due,
        status,
        urgency,
        confidence,
        explicit: _,
        evidence,
        reasons: _,
        signals,
        shift: _,
        moved_days: _,
    } = found;
    earlier.means = earlier.means.or(means);
    let into = &mut earlier.found;
    if owner.is_some() {
        (into.owner, into.is_me) = (owner, is_me);
    }
    into.due = due.or(into.due.take());
    if status == TaskStatus::Completed {
        into.status = TaskStatus::Completed;
    }
    into.urgency = into.urgency.max(urgency);
    if confidence > into.confidence {
        (into.confidence, into.signals) = (confidence, signals);
    }
    into.evidence.extend(evidence);
    into.evidence.sort_by_key(|quote| (quote.start, quote.end));
    into.evidence.dedup_by(|later, earlier| later.start < earlier.end);
}
