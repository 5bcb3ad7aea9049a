//! Aliases: what people correct in titles and owners, and so call something else than the text does ("NW" is Northwind).
//!
//! One correction teaches where the short form can be read as one of the long one; other renamings need two that agree.

use crate::{Mention, TaskRecord};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Most words of either form.
const MOST_WORDS: usize = 4;
/// Longest form, in characters.
const LONGEST: usize = 60;

/// A name or word that stands for another.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Alias {
    /// As the text has it.
    pub from: String,
    /// As it is to be called.
    pub to: String,
    /// Whether owners were corrected so; else words of titles.
    pub owner: bool,
    /// When that was said.
    pub at: DateTime<Utc>,
}

/// What the corrections of a record call something else.
pub(super) fn aliases(record: &TaskRecord, seen: &Mention, at: DateTime<Utc>) -> Vec<Alias> {
    let mut found = Vec::new();
    let title = record.title();
    if title != seen.title && !title.is_empty() {
        found.extend(renamed(&seen.title, title).map(|(from, to)| Alias { from, to, owner: false, at }));
    }
    if let (Some(owner), Some(said)) = (record.owner(), &seen.owner)
        && owner.name != said.name
        && fits(&said.name)
        && fits(&owner.name)
    {
        found.push(Alias { from: said.name.clone(), to: owner.name, owner: true, at });
    }
    found
}

fn fits(text: &str) -> bool {
    !text.trim().is_empty() && text.chars().count() <= LONGEST && text.split_whitespace().count() <= MOST_WORDS
}

/// The one stretch of words in which two titles differ, if it is short on both sides and names something: it begins
/// with a capital or a digit.
fn renamed(before: &str, after: &str) -> Option<(String, String)> {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.split_whitespace().collect(), after.split_whitespace().collect());
    let head = old.iter().zip(&new).take_while(|(one, other)| one == other).count();
    let most = old.len().min(new.len()) - head;
    let tail = old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(one, other)| one == other).count();
    let bare = |words: &[&str]| words.join(" ").trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let (from, to) = (bare(&old[head..old.len() - tail]), bare(&new[head..new.len() - tail]));
    // Where nothing is left in common, it is another title and not another word.
    let kept = head + tail > 0;
    let names = |text: &str| text.chars().next().is_some_and(|c| c.is_uppercase() || c.is_numeric());
    (kept && head > 0 && fits(&from) && fits(&to) && names(&from) && names(&to)).then_some((from, to))
}

/// The aliases that count, by what they stand for: those that can be read as short forms from one correction on, others
/// from two that agree. Of contradictions the latest counts.
pub(super) fn counted<'a>(aliases: impl Iterator<Item = &'a Alias>) -> Vec<Alias> {
    let mut said: BTreeMap<(bool, &str), Vec<&Alias>> = BTreeMap::new();
    for alias in aliases {
        said.entry((alias.owner, &alias.from)).or_default().push(alias);
    }
    let settled = said.into_values().filter_map(|mut said| {
        said.sort_by_key(|alias| alias.at);
        let last = (*said.last()?).clone();
        let agreeing = said.iter().filter(|alias| alias.to == last.to).count();
        (agreeing > 1 || stands_for(&last.from, &last.to)).then_some(last)
    });
    settled.collect()
}

/// Whether a short form can be read as one of a long one: its letters are initials, or its beginning, or begin with the
/// same letter and come in the same order.
fn stands_for(short: &str, long: &str) -> bool {
    let low =
        |text: &str| text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>();
    let (short_letters, long_letters) = (low(short), low(long));
    if short_letters.len() < 2 || short_letters.len() >= long_letters.len() {
        return false;
    }
    let mut words = long.split_whitespace().map(low);
    let begins = long_letters.starts_with(short_letters.chars().next().unwrap_or_default());
    let mut rest = long_letters.chars();
    let ordered = short_letters.chars().all(|letter| rest.any(|other| other == letter));
    let few = short_letters.chars().count() <= 4;
    words.any(|word| word == short_letters) || long_letters.starts_with(&short_letters) || (few && begins && ordered)
}

/// Replaces whole words of a text by what they stand for.
#[must_use]
pub(super) fn replaced(text: &str, from: &str, to: &str) -> Option<String> {
    let edge = |letter: Option<char>| letter.is_none_or(|letter| !letter.is_alphanumeric());
    let mut out = String::with_capacity(text.len());
    let (mut rest, mut before, mut changed) = (text, None, false);
    while let Some(at) = rest.find(from) {
        let (head, tail) = (&rest[..at], &rest[at + from.len()..]);
        let whole = edge(head.chars().next_back().or(before)) && edge(tail.chars().next());
        // A title that has the long form already stays as it is.
        let there = whole && to.contains(from) && rest[at..].starts_with(to);
        out.push_str(head);
        out.push_str(if whole && !there { to } else { from });
        changed |= whole && !there;
        before = from.chars().next_back();
        rest = tail;
    }
    out.push_str(rest);
    changed.then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_forms_are_told_from_other_names() {
        for (short, long) in [("NW", "Northwind"), ("Sam", "Samuel Lee"), ("Lee", "Samuel Lee"), ("PR", "Priya Raman")]
        {
            assert!(stands_for(short, long), "{short}");
        }
        for (short, long) in [("Dana", "Sam Lee"), ("Northwind", "NW"), ("Omar", "Dana Omarov Reyes")] {
            assert!(!stands_for(short, long), "{short}");
        }
    }

    #[test]
    fn a_title_tells_which_word_was_renamed() {
        let names = |before, after| renamed(before, after);
        let pair = Some(("NW".to_owned(), "Northwind".to_owned()));
        assert_eq!(names("Send the SOW to NW", "Send the SOW to Northwind"), pair);
        assert_eq!(names("Send the SOW", "Call the bank about rates"), None);
        assert_eq!(names("Send the plan", "Send the draft"), None);
    }

    #[test]
    fn whole_words_are_replaced() {
        assert_eq!(replaced("Call NW, not NWX", "NW", "Northwind").as_deref(), Some("Call Northwind, not NWX"));
        assert_eq!(replaced("Ask Sam Lee", "Sam", "Sam Lee"), None);
        assert_eq!(replaced("Ask Sam", "Sam", "Sam Lee").as_deref(), Some("Ask Sam Lee"));
    }
}
