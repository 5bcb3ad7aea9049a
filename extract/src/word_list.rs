//! Lists of words, phrases and pairs of words, each written as one text and taken apart at its first use.

use std::collections::{HashMap, HashSet};
use std::hash::BuildHasherDefault;
use std::sync::OnceLock;

use crate::hash::Fnv;

/// Words that spaces part.
pub struct WordList {
    text: &'static str,
    entries: OnceLock<Entries>,
}

impl WordList {
    pub const fn of(text: &'static str) -> Self {
        Self { text, entries: OnceLock::new() }
    }

    /// Whether a word is one of them.
    pub fn has(&self, word: &str) -> bool {
        self.entries().set.contains(word)
    }

    /// One after the other, as written.
    pub fn all(&self) -> &[&'static str] {
        &self.entries().list
    }

    fn entries(&self) -> &Entries {
        self.entries.get_or_init(|| Entries::of(self.text.split_whitespace()))
    }
}

/// Phrases that bars part.
pub struct PhraseList {
    text: &'static str,
    entries: OnceLock<Entries>,
}

impl PhraseList {
    pub const fn of(text: &'static str) -> Self {
        Self { text, entries: OnceLock::new() }
    }

    /// Whether a text is one of them.
    pub fn has(&self, phrase: &str) -> bool {
        self.entries().set.contains(phrase)
    }

    /// One after the other, as written.
    pub fn all(&self) -> &[&'static str] {
        &self.entries().list
    }

    fn entries(&self) -> &Entries {
        self.entries.get_or_init(|| Entries::of(phrases(self.text)))
    }
}

/// Pairs of words that spaces part: `sent=send wrote=write`.
pub struct PairList {
    text: &'static str,
    pairs: OnceLock<Pairs>,
}

impl PairList {
    pub const fn of(text: &'static str) -> Self {
        Self { text, pairs: OnceLock::new() }
    }

    /// What stands beside a first word, of which each is in one pair only.
    pub fn get(&self, first: &str) -> Option<&'static str> {
        self.pairs().map.get(first).copied()
    }

    /// One after the other, as written.
    pub fn all(&self) -> &[(&'static str, &'static str)] {
        &self.pairs().list
    }

    fn pairs(&self) -> &Pairs {
        self.pairs.get_or_init(|| {
            let list: Vec<_> = self.text.split_whitespace().filter_map(|pair| pair.split_once('=')).collect();
            Pairs { map: list.iter().copied().collect(), list }
        })
    }
}

/// The phrases of a text, which bars part.
pub fn phrases(text: &str) -> impl Iterator<Item = &str> {
    text.split('|').map(str::trim)
}

type Hashing = BuildHasherDefault<Fnv>;

struct Entries {
    list: Vec<&'static str>,
    set: HashSet<&'static str, Hashing>,
}

impl Entries {
    fn of(entries: impl Iterator<Item = &'static str>) -> Self {
        let list: Vec<_> = entries.collect();
        Self { set: list.iter().copied().collect(), list }
    }
}

struct Pairs {
    list: Vec<(&'static str, &'static str)>,
    map: HashMap<&'static str, &'static str, Hashing>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_keep_their_order_and_are_found_as_wholes() {
        static WORDS: WordList = WordList::of("till until till");
        static PHRASES: PhraseList = PhraseList::of("on time | in time |late");
        static PAIRS: PairList = PairList::of("sent=send kate=catherine");
        assert_eq!(WORDS.all(), ["till", "until", "till"]);
        assert_eq!(PHRASES.all(), ["on time", "in time", "late"]);
        assert_eq!(PAIRS.all(), [("sent", "send"), ("kate", "catherine")]);
        assert!(WORDS.has("until") && !WORDS.has("unti") && !WORDS.has(""));
        assert!(PHRASES.has("in time") && !PHRASES.has("in"));
        assert_eq!((PAIRS.get("sent"), PAIRS.get("send")), (Some("send"), None));
    }
}
