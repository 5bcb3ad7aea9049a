//! The engine's judgement of likeness, in the terms of tasks' records.

use chrono::{DateTime, Utc};
use gleaner_extract::link::related::{self, Report};
use gleaner_model::{Mention, Quote, TaskRecord, TaskStatus};

/// Likeness of titles from which a finding means what the same item said before.
const AGAIN: f64 = 0.5;
/// The same where both rest on the same words: one quote may still hold two tasks.
const AGAIN_SAME_QUOTE: f64 = 0.2;
/// Mentions of a task that a finding is compared with: the latest ones.
const LATEST: usize = 8;

/// How alike a finding is to what the same item said before; `None` where it is something else.
#[must_use]
pub fn again(mention: &Mention, before: &Mention) -> Option<f64> {
    let likeness = like(mention, before);
    let same_title = mention.title == before.title;
    let same_quote = mention.quotes.iter().any(|quote| before.quotes.iter().any(|other| other.text == quote.text));
    let asked = if same_quote { AGAIN_SAME_QUOTE } else { AGAIN };
    let score = f64::from(u8::from(same_title)) + f64::from(u8::from(same_quote)) + likeness;
    (same_title || likeness >= asked).then_some(score)
}

fn like(one: &Mention, other: &Mention) -> f64 {
    let (mine, theirs) = (texts(one), texts(other));
    related::likeness(&view(one, &mine), &view(other, &theirs))
}

/// How alike a finding is to a task that other items speak of; `None` where it does not mean that task.
#[must_use]
pub fn same_commitment(mention: &Mention, record: &TaskRecord) -> Option<f64> {
    let quotes = texts(mention);
    let mine = view(mention, &quotes);
    let (due, status, owner) = (record.due().map(|due| due.date), record.status(), record.owner());
    let scores = record.mentions.iter().rev().take(LATEST).filter_map(|other| {
        let quotes = texts(other);
        let theirs = related::Mention {
            due,
            status,
            owner: owner.as_ref().map(|owner| owner.name.as_str()),
            ..view(other, &quotes)
        };
        related::same_commitment(&mine, &theirs).then(|| related::likeness(&mine, &theirs))
    });
    scores.max_by(f64::total_cmp)
}

/// Which of these tasks a report completes, if any.
#[must_use]
pub fn completed_by(records: &[&TaskRecord], report: &Quote, at: DateTime<Utc>) -> Option<usize> {
    let owners: Vec<_> = records.iter().map(|record| record.owner()).collect();
    let open: Vec<_> = records
        .iter()
        .zip(&owners)
        .map(|(record, owner)| related::Mention {
            title: record.title(),
            owner: owner.as_ref().map(|owner| owner.name.as_str()),
            quotes: &[],
            due: None,
            status: TaskStatus::Open,
            occurred_at: record.last_mentioned_at(),
        })
        .collect();
    related::completed_by(&open, &Report { text: &report.text, speaker: report.speaker.as_deref(), at })
}

/// Keys under which a later mention of the same commitment is looked for.
#[must_use]
pub fn keys(mention: &Mention) -> Vec<String> {
    let quotes = texts(mention);
    related::keys(&view(mention, &quotes))
}

/// Keys under which the task that a report completes is looked for.
#[must_use]
pub fn report_keys(report: &Quote, at: DateTime<Utc>) -> Vec<String> {
    related::keys(&related::Mention {
        title: &report.text,
        owner: None,
        quotes: &[],
        due: None,
        status: TaskStatus::Completed,
        occurred_at: at,
    })
}

fn texts(mention: &Mention) -> Vec<&str> {
    mention.quotes.iter().map(|quote| quote.text.as_str()).collect()
}

fn view<'a>(mention: &'a Mention, quotes: &'a [&'a str]) -> related::Mention<'a> {
    related::Mention {
        title: &mention.title,
        owner: mention.owner.as_ref().map(|owner| owner.name.as_str()),
        quotes,
        due: mention.due.as_ref().map(|due| due.date),
        status: mention.status,
        occurred_at: mention.occurred_at,
    }
}
