//! Date expressions: what "by Friday", "in zwei Wochen" or "end of Q2" mean, said at a given time in a given zone.

use chrono::{NaiveDate, NaiveDateTime, NaiveTime};

/// A date expression found in a text and what it means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// The day.
    pub date: NaiveDate,
    /// The time of day, where one is said.
    pub time: Option<NaiveTime>,
    /// First byte of the expression in the text.
    pub start: usize,
    /// One past its last byte.
    pub end: usize,
}

/// Every date expression in a text, in order, without overlaps. `said_at` is the local time in the item's zone;
/// `language` is BCP 47, or `None` to recognise the words of every language that is known.
#[must_use]
pub fn find(text: &str, said_at: NaiveDateTime, language: Option<&str>) -> Vec<Resolved> {
    let _ = (text, said_at, language);
    Vec::new()
}
