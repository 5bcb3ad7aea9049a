//! Whether two mentions speak of one commitment.

use chrono::TimeDelta;
use gleaner_model::{Mention, TaskRecord, TaskStatus};
use std::collections::BTreeSet;

/// Longest time between two items that speak of one commitment.
const REACH: TimeDelta = TimeDelta::days(60);
/// Words of a title that make keys: 28 pairs.
const KEYED_WORDS: usize = 8;
/// Share of words that a title has in common with the same task's title after its item was edited.
const AGAIN: f64 = 0.5;
/// Share of words that titles from two items have in common where they mean one commitment.
const SAME: f64 = 0.6;

/// How alike a finding is to what the same item said before, from 0 to 1; `None` where it is something else.
#[must_use]
pub fn again(mention: &Mention, before: &Mention) -> Option<f64> {
    let quoted = |mention: &Mention| mention.quotes.iter().map(|quote| quote.text.clone()).collect::<BTreeSet<_>>();
    let (now, then) = (quoted(mention), quoted(before));
    let share = overlap(&words(&mention.title), &words(&before.title));
    // The same quote may hold two tasks, so it takes a little of the title as well.
    let same_quote = !now.is_disjoint(&then) && share > 0.2;
    let score = if same_quote { f64::midpoint(1.0, share) } else { share * 0.9 };
    (score >= AGAIN).then_some(score)
}

/// How likely a finding means a task that other items speak of, from 0 to 1; `None` where it does not.
#[must_use]
pub fn same_commitment(mention: &Mention, record: &TaskRecord) -> Option<f64> {
    let near = record.mentions.iter().any(|other| (other.occurred_at - mention.occurred_at).abs() <= REACH);
    if !near || other_owner(mention, record) || done_before(mention, record) {
        return None;
    }
    let mine = words(&mention.title);
    let titles = record.mentions.iter().map(|other| other.title.as_str()).chain([record.title()]);
    let score = titles.map(|title| overlap(&mine, &words(title))).fold(0.0, f64::max);
    (score >= SAME).then_some(score)
}

/// Two people may owe the same kind of thing: then these are two tasks.
fn other_owner(mention: &Mention, record: &TaskRecord) -> bool {
    let owner = record.owner();
    match (&mention.owner, &owner) {
        (Some(mine), Some(theirs)) => !mine.is_me.eq(&theirs.is_me) || !same_person(&mine.name, &theirs.name),
        _ => false,
    }
}

/// "Dana" and "Dana Reyes" may be one; "Dana Reyes" and "Dana Park" are two.
fn same_person(one: &str, other: &str) -> bool {
    let (one, other) = (words(one), words(other));
    one.is_subset(&other) || other.is_subset(&one)
}

/// What was done before is not meant when something is promised anew.
fn done_before(mention: &Mention, record: &TaskRecord) -> bool {
    let done = record.status() == TaskStatus::Completed;
    done && mention.status != TaskStatus::Completed && record.last_mentioned_at() < mention.occurred_at
}

/// Keys under which a later mention of the same commitment is looked for: pairs of the words of its title. One word
/// alone is shared by too many tasks to tell anything.
#[must_use]
pub fn keys(mention: &Mention) -> Vec<String> {
    let words: Vec<_> = words(&mention.title).into_iter().take(KEYED_WORDS).collect();
    if let [word] = words.as_slice() {
        return vec![word.clone()];
    }
    let pairs = words.iter().enumerate().flat_map(|(at, one)| words[at + 1..].iter().map(move |other| (one, other)));
    pairs.map(|(one, other)| format!("{one} {other}")).collect()
}

/// Share of the words of both that both have (Dice).
fn overlap(one: &BTreeSet<String>, other: &BTreeSet<String>) -> f64 {
    let shared = one.intersection(other).count();
    if shared == 0 { 0.0 } else { 2.0 * shared as f64 / (one.len() + other.len()) as f64 }
}

/// Content words, lower case, cut to five letters so that "reviewing" meets "review".
fn words(text: &str) -> BTreeSet<String> {
    let split = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let folded = split.map(str::to_lowercase);
    folded.filter(|word| !FILLERS.contains(&word.as_str())).map(|word| word.chars().take(5).collect()).collect()
}

const FILLERS: [&str; 22] = [
    "a", "an", "and", "at", "by", "for", "from", "her", "his", "in", "it", "its", "my", "of", "on", "our", "that",
    "the", "their", "to", "with", "your",
];
