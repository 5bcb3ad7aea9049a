//! Priority: how much a task wants attention on a given day, from 0 to 1.
//!
//! It has two parts. The [`static_score`] changes only when the task does, and is kept beside it. [`priority`] adds
//! the distance to the due date, so that it moves as time passes while nothing is rewritten. For tasks due on the
//! same day it grows strictly with the static score: a list per due day, sorted by static score, is sorted by priority.

use crate::{FeedbackReason, Rating, Reason, TaskRecord, Urgency};
use chrono::NaiveDate;

/// How much of the priority the due date decides.
const DUE_SHARE: f64 = 0.45;
/// What a task without a due date has in its place: a little more than one due in three months.
const NO_DUE: f64 = 0.25;
/// What the reason is called that feedback on other tasks gives.
pub const LIKE_IT: &str = "your ratings of tasks like it";
/// Priority of a score of one half among the largest and smallest.
const BASE: f64 = 0.30;

/// The part of the priority that time does not move, as 65,536 steps from 0 to 1.
#[must_use]
pub fn static_score(record: &TaskRecord) -> u16 {
    let sum = BASE + static_reasons(record).iter().map(|reason| reason.weight).sum::<f64>();
    // In range by the clamp, so nothing is cut off.
    (sum.clamp(0.0, 1.0) * f64::from(u16::MAX)).round() as u16
}

/// From 0 to 1: how much a task wants attention on the day `today`.
#[must_use]
pub fn priority(static_score: u16, due: Option<NaiveDate>, today: NaiveDate) -> f64 {
    let own = f64::from(static_score) / f64::from(u16::MAX);
    (1.0 - DUE_SHARE) * own + DUE_SHARE * due_pressure(due, today)
}

/// What moved the priority, each with its share of it: positive raises. The shares and nothing else make the number,
/// except where their sum leaves the range.
#[must_use]
pub fn explain(record: &TaskRecord, today: NaiveDate) -> Vec<Reason> {
    let mut reasons: Vec<Reason> = static_reasons(record)
        .into_iter()
        .map(|reason| Reason { weight: reason.weight * (1.0 - DUE_SHARE), ..reason })
        .collect();
    let due = record.due().map(|due| due.date);
    let weight = DUE_SHARE * due_pressure(due, today);
    reasons.push(Reason::new(due_words(due, today), weight));
    reasons.push(Reason::new("every task begins here", BASE * (1.0 - DUE_SHARE)));
    reasons.sort_by(|a, b| b.weight.abs().total_cmp(&a.weight.abs()));
    reasons
}

/// 1 from the day it is due, and less the further off that is; overdue for weeks it slowly loses its pull.
fn due_pressure(due: Option<NaiveDate>, today: NaiveDate) -> f64 {
    let Some(due) = due else { return NO_DUE };
    let days = (due - today).num_days() as f64;
    if days >= 0.0 { 0.95 / (1.0 + days / 10.0) } else { (1.0 + (days + 14.0).min(0.0) / 100.0).max(0.5) }
}

fn due_words(due: Option<NaiveDate>, today: NaiveDate) -> String {
    match due.map(|due| (due - today).num_days()) {
        None => "no due date".to_owned(),
        Some(0) => "due today".to_owned(),
        Some(1) => "due tomorrow".to_owned(),
        Some(days) if days > 0 => format!("due in {days} days"),
        Some(-1) => "due yesterday".to_owned(),
        Some(days) => format!("overdue for {} days", -days),
    }
}

fn static_reasons(record: &TaskRecord) -> Vec<Reason> {
    let mut reasons = Vec::new();
    let mut add = |text: String, weight: f64| {
        if weight != 0.0 {
            reasons.push(Reason::new(text, weight));
        }
    };
    match record.urgency() {
        Urgency::High => add("the text calls it urgent".to_owned(), 0.25),
        Urgency::Low => add("the text says there is no hurry".to_owned(), -0.15),
        Urgency::Normal => {}
    }
    match (record.owner(), record.waiting_on()) {
        (Some(owner), _) if owner.is_me => add("it is yours".to_owned(), 0.15),
        (_, Some(name)) => add(format!("you wait for {name}"), 0.05),
        (Some(_), None) => add("it is somebody else's".to_owned(), -0.05),
        (None, None) => {}
    }
    add("how sure the engine is".to_owned(), 0.20 * (record.confidence() - 0.5));
    let again = record.mention_count().saturating_sub(1).min(4) as f64;
    add(format!("mentioned in {} items", record.mention_count()), 0.04 * again);
    add("your ratings of it".to_owned(), rated(record));
    add(LIKE_IT.to_owned(), 0.25 * record.importance_offset.clamp(-1.0, 1.0));
    reasons
}

/// What the ratings of this very task say of its importance: bounded, however many there are.
fn rated(record: &TaskRecord) -> f64 {
    let each = record.feedback.iter().map(|feedback| match (feedback.request.rating, feedback.request.reason) {
        (_, Some(FeedbackReason::Important)) => 0.25,
        (_, Some(FeedbackReason::NotImportant)) => -0.25,
        (Rating::Up, _) => 0.05,
        (Rating::Down, _) => -0.05,
    });
    each.sum::<f64>().clamp(-0.35, 0.35)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::TimeDelta;

    fn today() -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 3, 3).unwrap()
    }

    #[test]
    fn priority_grows_with_the_static_score_and_stays_in_range() {
        for due in [None, Some(-4000), Some(-30), Some(-1), Some(0), Some(1), Some(30), Some(4000)] {
            let due = due.map(|days| today() + TimeDelta::days(days));
            let row: Vec<f64> = (0..=u16::MAX).map(|score| priority(score, due, today())).collect();
            assert!(row.windows(2).all(|pair| pair[0] < pair[1]), "{due:?}");
            assert!(row.iter().all(|p| (0.0..=1.0).contains(p)), "{due:?}");
        }
    }

    #[test]
    fn a_task_rises_as_its_day_comes_near() {
        let due = Some(today());
        let rising: Vec<f64> = (-90..=1).map(|days| priority(30_000, due, today() + TimeDelta::days(days))).collect();
        assert!(rising.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(priority(30_000, due, today() + TimeDelta::days(60)) < rising[91], "forgotten for two months");
        assert!(priority(30_000, None, today()) < priority(30_000, Some(today() + TimeDelta::days(21)), today()));
    }
}
