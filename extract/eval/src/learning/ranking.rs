//! Does the list by priority put first what matters? NDCG@10 against the gold's urgency and due dates.

use super::{case::Case, tenant};
use crate::data::Gold;
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use gleaner_extract::Found;
use gleaner_model::{
    ItemKey, JobId, Mention, Owner, Quote, TaskId, TaskRecord, UnknownMembers,
    learning::{Learnt, Lesson, TaskFeatures, VoteKind},
    priority,
};

/// A task in a list, with how much it matters by the gold.
#[derive(Clone, Debug)]
pub struct Listed {
    /// The task.
    pub record: TaskRecord,
    /// From 0 to 4.
    pub gain: f64,
}

/// How much a gold task matters on a day: urgency, and how near its day is. 0 to 4.
fn gain(task: &Gold, today: NaiveDate) -> f64 {
    let urgent = match task.urgency.as_str() {
        "high" => 2.0,
        "low" => 0.0,
        _ => 0.5,
    };
    let due: Option<NaiveDate> = task.due.as_deref().and_then(|due| due.parse().ok());
    let near = due.map_or(0.0, |due| match (due - today).num_days() {
        ..=1 => 2.0,
        2..=3 => 1.5,
        4..=7 => 1.0,
        8..=14 => 0.5,
        _ => 0.0,
    });
    if task.status == "completed" { 0.0 } else { urgent + near }
}

/// The tasks that a tenant sees after its texts, all as if said within the last week before `now`.
#[must_use]
pub fn list(cases: &[Case], now: DateTime<Utc>, learnt: &Learnt) -> Vec<Listed> {
    let mut listed = Vec::new();
    for (number, case) in cases.iter().enumerate() {
        // Whole weeks, so that names of days keep their meaning.
        let said = case.context.occurred_at.to_utc();
        let back = TimeDelta::days((now - said).num_days() / 7 * 7);
        let found = case.extract(learnt).tasks;
        let partners = case.partners(&found);
        for (task, partner) in found.iter().zip(partners) {
            let gold = partner.and_then(|gold| case.task(gold));
            let gain = gold.map_or(0.0, |gold| gain(gold, (now - back).date_naive()));
            listed.push(Listed { record: record(case, number, task, said + back, back, learnt), gain });
        }
    }
    listed
}

fn record(case: &Case, number: usize, task: &Found, at: DateTime<Utc>, back: TimeDelta, learnt: &Learnt) -> TaskRecord {
    let text = |quote: &gleaner_extract::Quote| Quote {
        text: quote.text.clone(),
        start: quote.start,
        end: quote.end,
        speaker: quote.speaker.clone(),
        at_s: quote.at_s,
    };
    let external_id = number.to_string().parse().ok();
    let source_type = case.source_type().parse().ok();
    let item = source_type.zip(external_id).map(|(source_type, external_id)| ItemKey { source_type, external_id });
    let mention = Mention {
        item: item.unwrap_or_else(|| unreachable!("numbers are ids")),
        item_title: None,
        occurred_at: at,
        job_id: JobId::new(),
        content_sha256: String::new(),
        title: task.title.clone(),
        owner: task.owner.clone().map(|name| Owner { name, is_me: task.is_me }),
        waiting_on: task.owner.clone().filter(|_| !task.is_me),
        due: task.due.clone().map(|due| gleaner_model::Due { date: due.date + back, ..due }),
        status: task.status,
        urgency: task.urgency,
        confidence: task.confidence,
        explicit: task.explicit,
        quotes: task.evidence.iter().map(text).collect(),
        reasons: Vec::new(),
        links: Vec::new(),
        signals: task.signals.clone(),
        moved_days: task.moved_days,
        reported: None,
        unknown: UnknownMembers::new(),
    };
    let offset = learnt.shift(&TaskFeatures::of_mention(&mention)).importance;
    let mut record = TaskRecord::new(TaskId::new(), mention, at);
    record.importance_offset = offset;
    record
}

/// NDCG@10 of a list by priority on that day, and of the same list by recency.
#[must_use]
pub fn ndcg(listed: &[Listed], now: DateTime<Utc>) -> (f64, f64) {
    let by_priority = |task: &Listed| {
        let due = task.record.due().map(|due| due.date);
        priority::priority(priority::static_score(&task.record), due, now.date_naive())
    };
    let by_recency = |task: &Listed| task.record.last_mentioned_at().timestamp() as f64;
    (sorted(listed, by_priority), sorted(listed, by_recency))
}

fn sorted(listed: &[Listed], key: impl Fn(&Listed) -> f64) -> f64 {
    let mut order: Vec<(f64, f64)> = listed.iter().map(|task| (key(task), task.gain)).collect();
    order.sort_by(|one, other| other.0.total_cmp(&one.0));
    let gains: Vec<f64> = order.iter().map(|(_, gain)| *gain).collect();
    let mut best = gains.clone();
    best.sort_by(|one, other| other.total_cmp(one));
    let sum = |gains: &[f64]| -> f64 {
        let terms = gains.iter().take(10).enumerate();
        terms.map(|(place, gain)| (2.0_f64.powf(*gain) - 1.0) / (place as f64 + 2.0).log2()).sum()
    };
    if sum(&best) == 0.0 { 1.0 } else { sum(&gains) / sum(&best) }
}

/// What a tenant says of the importance of its tasks: of those that matter most and least by the gold.
#[must_use]
pub fn lessons(cases: &[Case]) -> Vec<Lesson> {
    let mut lessons = Vec::new();
    for case in cases {
        let at = case.context.occurred_at.to_utc();
        let found = case.extract(&Learnt::default()).tasks;
        for (task, partner) in found.iter().zip(case.partners(&found)) {
            let Some(gold) = partner.and_then(|gold| case.task(gold)) else { continue };
            let kind = match gain(gold, at.date_naive()) {
                gain if gain >= 1.5 => VoteKind::Important,
                gain if gain < 0.75 => VoteKind::NotImportant,
                _ => continue,
            };
            lessons.push(tenant::lesson(case, task, kind, at));
        }
    }
    lessons
}
