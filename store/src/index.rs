//! What the index holds of a task: the terms it is found by and the columns it is sorted by.
//!
//! A term's first byte says its kind, see the constants. Postings may say too much, never too little: every task that
//! they lead to is compared with the query itself.

use crate::search::words::FoldedWords;
use chrono::{DateTime, NaiveDate, Utc};
use gleaner_model::{ExternalId, Task, TaskRecord, TaskStatus, priority};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

/// A whole word of four letters or more. The vocabulary lists these.
const WORD: u8 = b'w';
/// The first one, two or three letters of a word.
const PREFIX: u8 = b'p';
/// One or two neighbouring characters of a run.
const GRAM: u8 = b'g';
/// A whole word of the owner's name.
const OWNER: u8 = b'o';
const SOURCE: u8 = b's';
/// The id of an item that speaks of the task.
const EXTERNAL_ID: u8 = b'x';
const STATUS: u8 = b'=';
/// Rows of links among the postings of layout 2.
pub(crate) const LINKS_BEFORE: u8 = b'l';
/// Somebody else owes it, or nobody else does.
const WAITING: &[u8] = b"?y";
const NOT_WAITING: &[u8] = b"?n";
const OWNER_IS_ME: &[u8] = b"?m";

/// Tasks in a chunk.
pub(crate) const CHUNK: u32 = 1 << 16;
/// Letters of the longest prefix that has a posting of its own.
pub(crate) const PREFIX_LETTERS: usize = 3;
/// Letters of a word that the index looks at.
const WORD_LETTERS: usize = 48;
/// Bytes of a digest that stand for an external id.
const DIGEST: usize = 5;

/// The day number of a task that is not due.
pub(crate) const NEVER: u16 = u16::MAX;
/// Moments are moved by this much, so that those before 1970 are positive too: 48 bits hold the years 1 to 6429.
const MOMENT_ZERO: i64 = 1 << 47;

/// A task as the index sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct IndexEntry {
    pub(crate) status: TaskStatus,
    /// Moment of the last mention, see [`moment`].
    pub(crate) at: u64,
    /// Due day, see [`day_number`].
    pub(crate) day: u16,
    /// [`priority::static_score`].
    pub(crate) rank: u16,
    pub(crate) terms: BTreeSet<Vec<u8>>,
    pub(crate) links: BTreeSet<Link>,
}

/// Stands for a key under which other mentions of the task are looked for.
pub(crate) type Link = [u8; LINK];
pub(crate) const LINK: usize = 3;

impl IndexEntry {
    pub(crate) fn of(record: &TaskRecord, task: &Task) -> Self {
        Self {
            status: task.status,
            at: moment(record.last_mentioned_at()),
            day: task.due.as_ref().map_or(NEVER, |due| day_number(due.date)),
            rank: priority::static_score(record),
            terms: terms_of(record, task),
            links: record.mentions.iter().flat_map(|mention| &mention.links).map(|key| link(key)).collect(),
        }
    }

    /// The column by which `recent` sorts.
    pub(crate) fn at_column(&self) -> [u8; 6] {
        let [_, _, bytes @ ..] = self.at.to_be_bytes();
        bytes
    }

    /// The column by which `priority` sorts.
    pub(crate) fn rank_column(&self) -> [u8; 4] {
        let ([a, b], [c, d]) = (self.day.to_be_bytes(), self.rank.to_be_bytes());
        [a, b, c, d]
    }
}

/// A moment as a number that sorts.
pub(crate) fn moment(time: DateTime<Utc>) -> u64 {
    // In range by the clamp.
    (time.timestamp_millis() + MOMENT_ZERO).clamp(0, (1 << 48) - 1) as u64
}

/// Days since 1970, from 0 to 65,534 (the year 2149); what lies outside counts as the first or last.
pub(crate) fn day_number(date: NaiveDate) -> u16 {
    // In range by the clamp.
    date.signed_duration_since(NaiveDate::default()).num_days().clamp(0, i64::from(NEVER) - 1) as u16
}

/// The day of a number; none for [`NEVER`].
pub(crate) fn date_of(day: u16) -> Option<NaiveDate> {
    (day != NEVER).then(|| NaiveDate::default() + chrono::TimeDelta::days(day.into()))
}

/// The words of a task that `q` looks at.
pub(crate) fn words_of(task: &Task) -> FoldedWords {
    let mut words = FoldedWords::of(&task.title);
    task.evidence.iter().for_each(|evidence| words.add(&evidence.quote));
    task.owner.iter().for_each(|owner| words.add(&owner.name));
    words
}

fn terms_of(record: &TaskRecord, task: &Task) -> BTreeSet<Vec<u8>> {
    let mut terms = BTreeSet::from([status(task.status), waiting(task.waiting_on.is_some())]);
    let words = words_of(task);
    for word in &words.words {
        terms.extend((1..=PREFIX_LETTERS).map(|letters| prefix(word, letters)));
        if word.chars().nth(PREFIX_LETTERS).is_some() {
            terms.insert(term(WORD, clip(word)));
        }
    }
    words.runs.iter().for_each(|run| terms.extend(grams(run, 1).chain(grams(run, 2))));
    if let Some(owner) = &task.owner {
        let name = FoldedWords::of(&owner.name);
        terms.extend(name.words.iter().map(|word| owner_word(word)));
        terms.extend(owner.is_me.then(owner_me));
    }
    for item in record.mentions.iter().map(|mention| &mention.item).chain(&record.counted) {
        terms.insert(source(item.source_type.as_str()));
        terms.insert(external_id(&item.external_id));
    }
    terms
}

fn term(kind: u8, text: &str) -> Vec<u8> {
    [&[kind], text.as_bytes()].concat()
}

/// A word of the vocabulary, as far as the index looks at it.
pub(crate) fn clip(word: &str) -> &str {
    word.char_indices().nth(WORD_LETTERS).map_or(word, |(end, _)| &word[..end])
}

/// The first letters of a word, at most `letters`.
pub(crate) fn prefix(word: &str, letters: usize) -> Vec<u8> {
    let end = word.char_indices().nth(letters).map_or(word.len(), |(end, _)| end);
    term(PREFIX, &word[..end])
}

/// Every `length` neighbouring characters of a run.
pub(crate) fn grams(run: &str, length: usize) -> impl Iterator<Item = Vec<u8>> {
    let ends = run.char_indices().map(|(at, _)| at).chain([run.len()]).skip(length);
    run.char_indices().zip(ends).map(|((start, _), end)| term(GRAM, &run[start..end]))
}

pub(crate) fn owner_word(word: &str) -> Vec<u8> {
    term(OWNER, clip(word))
}

pub(crate) fn owner_me() -> Vec<u8> {
    OWNER_IS_ME.to_vec()
}

pub(crate) fn link(key: &str) -> Link {
    let hash = Sha256::digest(key.as_bytes());
    [hash[0], hash[1], hash[2]]
}

pub(crate) fn source(source_type: &str) -> Vec<u8> {
    term(SOURCE, source_type)
}

pub(crate) fn external_id(id: &ExternalId) -> Vec<u8> {
    let digest = format!("{:x}", Sha256::digest(id.as_str().as_bytes()));
    [&[EXTERNAL_ID], &digest.as_bytes()[..2 * DIGEST]].concat()
}

/// Whether a term is a word of four letters or more that begins so.
pub(crate) fn word_begins(term: &[u8], beginning: &str) -> bool {
    term.split_first().is_some_and(|(kind, word)| *kind == WORD && word.starts_with(beginning.as_bytes()))
}

/// Whether a term stands for the kind of an item that speaks of the task.
pub(crate) fn is_source(term: &[u8]) -> bool {
    term.first() == Some(&SOURCE)
}

/// Whether a term stands for an item that speaks of the task.
pub(crate) fn is_item(term: &[u8]) -> bool {
    term.first() == Some(&EXTERNAL_ID)
}

pub(crate) fn status(status: TaskStatus) -> Vec<u8> {
    term(STATUS, status.as_str())
}

pub(crate) fn waiting(waits: bool) -> Vec<u8> {
    if waits { WAITING } else { NOT_WAITING }.to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_sort_from_the_first_year_on() {
        let at = |text: &str| moment(text.parse().unwrap());
        let times = ["0001-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "1970-01-01T00:00:00Z", "2026-03-03T15:00:00Z"];
        assert!(times.windows(2).all(|pair| at(pair[0]) < at(pair[1])));
        assert!(at("9999-12-31T23:59:59Z") < 1 << 48);
    }

    #[test]
    fn days_read_back() {
        let date = NaiveDate::from_ymd_opt(2026, 3, 6).unwrap();
        assert_eq!(date_of(day_number(date)), Some(date));
        assert_eq!((day_number(NaiveDate::MIN), day_number(NaiveDate::MAX), date_of(NEVER)), (0, NEVER - 1, None));
    }

    #[test]
    fn runs_are_found_by_one_and_by_two_characters() {
        let all: Vec<_> = grams("会議室", 1).chain(grams("会議室", 2)).collect();
        let text: Vec<_> = all.iter().map(|term| std::str::from_utf8(term).unwrap()).collect();
        assert_eq!(text, ["g会", "g議", "g室", "g会議", "g議室"]);
        assert_eq!(grams("会", 2).count(), 0);
    }

    #[test]
    fn a_prefix_ends_between_letters() {
        assert_eq!(prefix("übermut", 2), "püb".as_bytes());
        assert_eq!(prefix("a", 3), b"pa");
        assert_eq!(clip(&"é".repeat(99)).chars().count(), WORD_LETTERS);
    }
}
