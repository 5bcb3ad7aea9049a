//! Lists of words, phrases and pairs of words, each written as one text and taken apart at its first use.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::ops::BitOrAssign;
use std::sync::OnceLock;

use crate::hash::Fnv;

/// Words or phrases.
pub type WordList = List<&'static str>;
/// Pairs of words: `sent=send wrote=write`.
pub type PairList = List<(&'static str, &'static str)>;

/// What a text lists.
pub struct List<E> {
    text: &'static str,
    read: fn(&'static str) -> Entries<E>,
    entries: OnceLock<Entries<E>>,
}

/// One after the other, and by their first words; a word or a phrase stands beside itself.
type Entries<E> = (Vec<E>, HashMap<&'static str, &'static str, BuildHasherDefault<Fnv>>);

impl<E> List<E> {
    const fn new(text: &'static str, read: fn(&'static str) -> Entries<E>) -> Self {
        Self { text, read, entries: OnceLock::new() }
    }

    /// One after the other, as written.
    pub fn all(&self) -> &[E] {
        &self.entries().0
    }

    fn entries(&self) -> &Entries<E> {
        self.entries.get_or_init(|| (self.read)(self.text))
    }
}

impl WordList {
    /// Words that spaces part.
    pub const fn of(text: &'static str) -> Self {
        Self::new(text, |text| text.split_whitespace().map(|word| (word, (word, word))).unzip())
    }

    /// Phrases that bars part.
    pub const fn of_phrases(text: &'static str) -> Self {
        Self::new(text, |text| phrases(text).map(|phrase| (phrase, (phrase, phrase))).unzip())
    }

    /// Whether a word or a phrase is one of them.
    pub fn has(&self, entry: &str) -> bool {
        self.entries().1.contains_key(entry)
    }
}

impl PairList {
    /// Pairs that spaces part.
    pub const fn of(text: &'static str) -> Self {
        Self::new(text, |text| {
            text.split_whitespace().filter_map(|pair| pair.split_once('=')).map(|pair| (pair, pair)).unzip()
        })
    }

    /// What stands beside a first word, of which each is in one pair only.
    pub fn get(&self, first: &str) -> Option<&'static str> {
        self.entries().1.get(first).copied()
    }
}

/// Words with the bits of every list that holds them.
pub type WordBits<B> = HashMap<&'static str, B, BuildHasherDefault<Fnv>>;

/// The words of some lists, which spaces part, with the bits of their lists.
pub fn word_bits<B: Copy + Default + BitOrAssign>(lists: impl IntoIterator<Item = (B, &'static str)>) -> WordBits<B> {
    let mut found = WordBits::default();
    for (bits, words) in lists {
        words.split_whitespace().for_each(|word| *found.entry(word).or_default() |= bits);
    }
    found
}

/// The phrases of a text, which bars part.
pub fn phrases(text: &str) -> impl Iterator<Item = &str> {
    text.split('|').map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_keep_their_order_and_are_found_as_wholes() {
        static WORDS: WordList = WordList::of("till until till");
        static PHRASES: WordList = WordList::of_phrases("on time | in time |late");
        static PAIRS: PairList = PairList::of("sent=send kate=catherine");
        assert_eq!(WORDS.all(), ["till", "until", "till"]);
        assert_eq!(PHRASES.all(), ["on time", "in time", "late"]);
        assert_eq!(PAIRS.all(), [("sent", "send"), ("kate", "catherine")]);
        assert!(WORDS.has("until") && !WORDS.has("unti") && !WORDS.has(""));
        assert!(PHRASES.has("in time") && !PHRASES.has("in"));
        assert_eq!((PAIRS.get("sent"), PAIRS.get("send")), (Some("send"), None));
    }
}
