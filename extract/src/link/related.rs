//! Links across texts: is the task that this text speaks of one that is known already? Pure, symmetric, and careful:
//! where in doubt, two tasks stay two.

use super::stem::{Stem, StemKind, stems};
use chrono::{DateTime, NaiveDate, Utc};
use gleaner_model::{TaskStatus, words};

/// A task as one text has it.
#[derive(Clone, Copy, Debug)]
pub struct TaskMention<'a> {
    /// What is to be done.
    pub title: &'a str,
    /// Who is to do it.
    pub owner: Option<&'a str>,
    /// The words it rests on.
    pub quotes: &'a [&'a str],
    /// Who says them.
    pub speakers: &'a [&'a str],
    /// By when.
    pub due: Option<NaiveDate>,
    /// Whether it is done.
    pub status: TaskStatus,
    /// When the text took place.
    pub occurred_at: DateTime<Utc>,
}

/// Most single words among the keys of a task, and most of them that its title gives.
const SINGLE: usize = 6;
const SINGLE_OF_TITLE: usize = 3;
/// Longest time between two texts that speak of one task, in days.
pub(super) const DAYS: i64 = 75;
/// Least likeness of two titles that mean one task.
const ALIKE: f64 = 0.66;
/// What is asked on top where the owners differ.
const STRICTER: f64 = 0.2;
/// What is taken off where two titles begin with different verbs.
const OTHER_VERB: f64 = 0.12;

/// Keys under which a task is to be found: pairs of its title's words first, which few other tasks share ("a+b"), then
/// single words of title and quotes. At most nine, the same each time.
#[must_use]
pub fn keys(mention: &TaskMention<'_>) -> Vec<String> {
    let mut words = content(mention.title);
    words.sort_by_key(|stem| (stem.is_verb(), std::cmp::Reverse(stem.text.len()), stem.text.clone()));
    let mut keys = pairs(&words[..words.len().min(3)]);
    let quoted: Vec<Stem> = mention.quotes.iter().flat_map(|quote| content(quote)).collect();
    let rank = |stem: &Stem| {
        let twice = quoted.iter().any(|met| met.text == stem.text);
        (!twice, std::cmp::Reverse(stem.text.len()), stem.text.clone())
    };
    let things = |stem: &&Stem| stem.kind == StemKind::Thing;
    let mut singles: Vec<Stem> = words.iter().filter(things).cloned().collect();
    singles.sort_by_key(rank);
    singles.truncate(SINGLE_OF_TITLE);
    let mut others: Vec<Stem> = quoted.iter().filter(things).filter(|stem| !singles.contains(stem)).cloned().collect();
    others.sort_by_key(rank);
    others.dedup();
    singles.extend(others);
    singles.truncate(SINGLE);
    keys.extend(singles.into_iter().map(|stem| stem.text));
    keys
}

/// The single words of a text among which those are that tasks may have as keys.
pub fn words_of(text: &str) -> impl Iterator<Item = String> {
    stems(text).into_iter().filter(|stem| stem.kind == StemKind::Thing).map(|stem| stem.text)
}

/// Whether a key is so telling that two tasks which come under it at the same moment may be one.
#[must_use]
pub fn is_telling(key: &str) -> bool {
    key.contains('+')
}

/// Pairs of words; a single word pairs with nothing.
fn pairs(words: &[Stem]) -> Vec<String> {
    if let [only] = words {
        return vec![format!("{}+", only.text)];
    }
    let mut pairs = Vec::new();
    for (second, one) in words.iter().enumerate() {
        for other in &words[..second] {
            let (low, high) = if one.text < other.text { (one, other) } else { (other, one) };
            pairs.push(format!("{}+{}", low.text, high.text));
        }
    }
    pairs.sort_unstable();
    pairs
}

/// Whether two mentions mean one and the same commitment.
#[must_use]
pub fn same_commitment(one: &TaskMention<'_>, other: &TaskMention<'_>) -> bool {
    let apart = (one.occurred_at - other.occurred_at).num_days().abs();
    let asked = match owners(one.owner, other.owner) {
        Owners::Same => ALIKE - 0.04,
        Owners::Unknown => ALIKE,
        Owners::Different => ALIKE + STRICTER,
    };
    apart <= DAYS && !recurs(one, other) && !told_apart(one.title, other.title) && likeness(one, other) >= asked
}

/// Whether each title names or numbers something that the other does not: report 17 is not report 18.
fn told_apart(one: &str, other: &str) -> bool {
    let beyond = |a: &str, b: &str| {
        let known: Vec<String> = words(b).map(str::to_lowercase).collect();
        words(a).skip(1).filter(|word| is_mark(word)).any(|mark| !known.contains(&mark.to_lowercase()))
    };
    beyond(one, other) && beyond(other, one)
}

/// Names and numbers; the word that a title begins with has a capital of its own.
fn is_mark(word: &str) -> bool {
    word.starts_with(char::is_uppercase) || word.contains(|c: char| c.is_ascii_digit())
}

/// Whether the earlier is completed and the later one open with a later day: what recurs is a task each time.
fn recurs(one: &TaskMention<'_>, other: &TaskMention<'_>) -> bool {
    let (earlier, later) = if one.occurred_at <= other.occurred_at { (one, other) } else { (other, one) };
    let ended = earlier.status == TaskStatus::Completed;
    ended && later.status == TaskStatus::Open && later.due > earlier.due && later.due.is_some()
}

/// How alike two mentions are, from 0 to 1: the share of content words that their titles have in common, with some weight
/// for those that a title shares with the other's quotes.
#[must_use]
pub fn likeness(one: &TaskMention<'_>, other: &TaskMention<'_>) -> f64 {
    let (a, b) = (content(one.title), content(other.title));
    let (most, least) = (weigh(&a).max(weigh(&b)), weigh(&a).min(weigh(&b)));
    if least == 0.0 || things(&a, &b) == 0 {
        return 0.0;
    }
    let common = weigh(&common(&a, &b));
    let short = if a.len().min(b.len()) < 3 { 0.0 } else { 0.4 };
    let titles = short * common / least + (1.0 - short) * common / most;
    let quoted = said(one, &b).max(said(other, &a));
    let verbs = if begins(one.title) == begins(other.title) { 0.0 } else { OTHER_VERB };
    (titles * 0.9 + quoted * 0.25 - verbs).clamp(0.0, 1.0)
}

/// The stem that a title begins with.
fn begins(title: &str) -> Option<String> {
    stems(title).into_iter().next().map(|stem| stem.text)
}

/// The share of these words that a mention's quotes speak of.
fn said(mention: &TaskMention<'_>, words: &[Stem]) -> f64 {
    let quoted: Vec<Stem> = mention.quotes.iter().flat_map(|quote| content(quote)).collect();
    weigh(&common(words, &quoted)) / weigh(words).max(0.1)
}

fn content(text: &str) -> Vec<Stem> {
    let mut found = stems(text);
    found.sort_by(|one, other| one.text.cmp(&other.text));
    found.dedup_by(|one, other| one.text == other.text);
    found
}

fn common(one: &[Stem], other: &[Stem]) -> Vec<Stem> {
    one.iter().filter(|stem| other.iter().any(|met| met.text == stem.text)).cloned().collect()
}

/// How many things (no verbs) two lists share.
fn things(one: &[Stem], other: &[Stem]) -> usize {
    common(one, other).iter().filter(|stem| !stem.is_verb()).count()
}

/// A verb says less than a thing: "send" goes with anything.
fn weigh(stems: &[Stem]) -> f64 {
    stems.iter().map(|stem| if stem.is_verb() { 0.5 } else { 1.0 }).sum()
}

/// How two owners compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owners {
    Same,
    Unknown,
    Different,
}

/// Compares two owners: one's words among the other's is the same person.
pub(super) fn owners(one: Option<&str>, other: Option<&str>) -> Owners {
    let (Some(one), Some(other)) = (one, other) else { return Owners::Unknown };
    let words = |name: &str| name.to_lowercase().split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let (one, other) = (words(one), words(other));
    let within = |a: &[String], b: &[String]| a.iter().all(|word| b.contains(word));
    if within(&one, &other) || within(&other, &one) { Owners::Same } else { Owners::Different }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::TimeZone as _;

    fn mention<'a>(title: &'a str, owner: Option<&'a str>, day: u32) -> TaskMention<'a> {
        let occurred_at = Utc.with_ymd_and_hms(2026, 3, day, 9, 0, 0).single().unwrap_or_default();
        TaskMention { title, owner, quotes: &[], speakers: &[], due: None, status: TaskStatus::Open, occurred_at }
    }

    fn same(one: &TaskMention<'_>, other: &TaskMention<'_>) -> bool {
        let found = same_commitment(one, other);
        assert_eq!(found, same_commitment(other, one), "not symmetric");
        let (a, b) = (keys(one), keys(other));
        assert!(!found || a.iter().any(|key| b.contains(key)), "no key in common: {a:?} {b:?}");
        found
    }

    #[test]
    fn the_same_task_in_other_words_is_one() {
        let first = mention("Send the revised SOW to Northwind", Some("Dana Reyes"), 3);
        assert!(same(&first, &mention("Send revised SOW to Northwind", Some("Dana"), 10)));
        assert!(same(&first, &mention("Get the revised SOW over to Northwind", None, 10)));
    }

    #[test]
    fn another_thing_or_another_person_is_another_task() {
        let first = mention("Send the revised SOW to Northwind", Some("Dana Reyes"), 3);
        assert!(!same(&first, &mention("Send the invoice to Northwind", Some("Dana Reyes"), 10)));
        assert!(!same(
            &mention("Draft the method section", Some("Ana"), 3),
            &mention("Draft the results section", Some("Ana"), 4)
        ));
        assert!(!same(&mention("Send the numbers", Some("Ana"), 3), &mention("Send the slides", Some("Ana"), 4)));
    }

    #[test]
    fn what_is_numbered_or_named_differently_stays_apart() {
        for (one, other) in [
            ("Send report 17 to Northwind", "Send report 18 to Northwind"),
            ("Send the signed contract to Acme", "Send the signed contract to Northwind"),
            ("Review the pull request #412", "Review the pull request #418"),
        ] {
            assert!(!same(&mention(one, Some("Ana"), 3), &mention(other, Some("Ana"), 4)), "{one} / {other}");
        }
        assert!(same(&mention("Send report 17", Some("Ana"), 3), &mention("Send report 17", Some("Ana"), 4)));
    }

    #[test]
    fn keys_are_few_and_the_same_each_time() {
        let long =
            mention("Send the final revised draft contract with annexes and drawings to the landlord's agent", None, 3);
        assert!(keys(&long).len() <= 3 + SINGLE);
        assert_eq!(keys(&long), keys(&long));
        assert!(!keys(&mention("Merge", None, 3)).is_empty());
    }
}
