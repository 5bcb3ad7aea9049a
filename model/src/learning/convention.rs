//! Conventions of dates: that "next Friday" means this week's, or that a week ends on Sunday, as corrections show.

use crate::{Mention, TaskRecord, words};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Furthest that a convention moves a date, in days.
const FURTHEST: i64 = 7;
/// The names of days; three letters of one are enough.
const DAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
/// Words whose meaning is a matter of convention.
const OPEN: [&str; 6] = ["next", "this", "end", "week", "weekend", "month"];

/// What people mean by words for a day.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Convention {
    /// The words, each name of a day as `<day>`.
    pub words: String,
    /// How many days later than the engine reads them; below 0: earlier.
    pub days: i64,
    /// When that was said.
    pub at: DateTime<Utc>,
}

/// What a person's date says of the words that the engine read.
pub(super) fn taught(record: &TaskRecord, at: DateTime<Utc>) -> Option<Convention> {
    let said: &Mention = record.mentions.iter().rev().find(|mention| mention.due.is_some())?;
    let read = said.due.as_ref()?;
    let meant = record.due().filter(|due| due.text.is_none())?;
    let words = pattern(read.text.as_deref()?)?;
    // What an earlier convention had moved was read elsewhere by the engine itself.
    let days = (meant.date - read.date).num_days() + said.moved_days;
    (days.abs() <= FURTHEST).then_some(Convention { words, days, at })
}

/// Words for a day as conventions know them; `None` where their meaning is none.
#[must_use]
pub(super) fn pattern(text: &str) -> Option<String> {
    let mut open = false;
    let words = words(text).map(|word| {
        let word = word.to_lowercase();
        open |= OPEN.contains(&word.as_str());
        let is_day = word.chars().count() >= 3 && DAYS.iter().any(|day| day.starts_with(&word));
        if is_day { "<day>".to_owned() } else { word }
    });
    let skip =
        |word: &String| !matches!(word.as_str(), "by" | "on" | "the" | "of" | "before" | "until" | "for" | "due");
    let words: Vec<String> = words.filter(skip).collect();
    (open && !words.is_empty() && words.len() <= 4).then(|| words.join(" "))
}

/// The conventions that count: for each pattern what most corrections say; of equals the latest.
pub(super) fn counted<'a>(conventions: impl Iterator<Item = &'a Convention>) -> BTreeMap<String, i64> {
    let mut said: BTreeMap<&str, BTreeMap<i64, (usize, DateTime<Utc>)>> = BTreeMap::new();
    for convention in conventions {
        let entry = said.entry(&convention.words).or_default().entry(convention.days).or_insert((0, convention.at));
        *entry = (entry.0 + 1, entry.1.max(convention.at));
    }
    let settled = said.into_iter().filter_map(|(words, days)| {
        let (days, _) = days.into_iter().max_by_key(|(_, votes)| *votes)?;
        (days != 0).then(|| (words.to_owned(), days))
    });
    settled.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_words_with_an_open_meaning_have_a_pattern() {
        assert_eq!(pattern("by next Friday").as_deref(), Some("next <day>"));
        assert_eq!(pattern("the end of the week").as_deref(), Some("end week"));
        assert_eq!(pattern("by Friday"), None);
        assert_eq!(pattern("March 3"), None);
    }

    #[test]
    fn what_most_corrections_say_counts() {
        let at = DateTime::UNIX_EPOCH;
        let said = |days| Convention { words: "next <day>".to_owned(), days, at };
        let all = [said(-7), said(-7), said(0)];
        assert_eq!(counted(all.iter()), BTreeMap::from([("next <day>".to_owned(), -7)]));
        assert_eq!(counted(all[2..].iter()), BTreeMap::new());
    }
}
