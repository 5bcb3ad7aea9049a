//! Which words a text has in lower case, as words of their own: what never stands there without its capital is a name.

use crate::hash::{self, HashedMap};
use std::cell::{Cell, OnceCell};

/// The words of a text that stand in lower case.
#[derive(Debug)]
pub struct Lowered<'t> {
    source: &'t str,
    /// How often was asked.
    asked: Cell<usize>,
    words: OnceCell<Words>,
}

/// How often the text itself is searched before its words are gathered.
const FEW: usize = 8;

impl<'t> Lowered<'t> {
    /// The words of a text.
    pub fn of(source: &'t str) -> Self {
        Self { source, asked: Cell::new(0), words: OnceCell::new() }
    }

    /// Whether a word in lower case stands there. Asking seldom searches the text, asking often gathers its words once.
    pub fn has(&self, word: &str) -> bool {
        self.asked.set(self.asked.get() + 1);
        if self.asked.get() <= FEW {
            return stands(self.source, word);
        }
        self.words.get_or_init(|| Words::of(self.source)).has(self.source, word)
    }
}

/// Words by hash.
#[derive(Debug, Default)]
struct Words {
    /// Words of letters and digits alone.
    whole: HashedMap<()>,
    /// How words begin that go on after a mark: `up` of `up-to-date`, `o` of `o'clock`.
    heads: HashedMap<()>,
}

impl Words {
    /// The words of a text.
    fn of(source: &str) -> Self {
        let mut found = Self::default();
        let mut rest = source;
        let mut before = ' ';
        while let Some(first) = rest.chars().next() {
            let length = if first.is_alphanumeric() { run(rest) } else { first.len_utf8() };
            let (word, after) = rest.split_at(length);
            if first.is_alphanumeric() && !first.is_uppercase() && !holds_on(before) {
                let hash = hash::text(word);
                if ends(after) {
                    found.whole.insert(hash, ());
                }
                if after.starts_with(|next: char| !next.is_whitespace()) {
                    found.heads.insert(hash, ());
                }
            }
            before = word.chars().next_back().unwrap_or(' ');
            rest = after;
        }
        found
    }

    /// Whether a word in lower case stands in the source that these are the words of.
    fn has(&self, source: &str, word: &str) -> bool {
        let head = &word[..run(word)];
        if head.len() == word.len() {
            return self.whole.contains_key(&hash::text(word));
        }
        (head.is_empty() || self.heads.contains_key(&hash::text(head))) && stands(source, word)
    }
}

/// Whether a word stands in a text by itself.
fn stands(source: &str, word: &str) -> bool {
    let apart = |at: usize| !source[..at].ends_with(holds_on) && ends(&source[at + word.len()..]);
    source.match_indices(word).any(|(at, _)| apart(at))
}

/// Bytes of the letters and digits that a text begins with.
fn run(text: &str) -> usize {
    text.find(|one: char| !one.is_alphanumeric()).unwrap_or(text.len())
}

/// Whether what follows this is part of the same word or address.
fn holds_on(one: char) -> bool {
    part(one) || matches!(one, '.' | '-')
}

fn part(one: char) -> bool {
    one.is_alphanumeric() || matches!(one, '@' | '_' | '/')
}

/// Whether a word ends where this follows.
fn ends(after: &str) -> bool {
    let address = after.strip_prefix(['.', '-']).is_some_and(|rest| rest.starts_with(char::is_alphanumeric));
    !after.starts_with(part) && !address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_count_where_they_stand_alone_and_in_lower_case() {
        let source = "Rose will mark it. a rose by mark, mark@x.org, up-to-date in jo-ann's Anna-lena o'brien";
        let words = Words::of(source);
        for word in
            ["rose", "it", "mark", "o'brien", "up-to-date", "anna", "x", "up", "anna-lena", "jo-ann", "org", "o"]
        {
            assert_eq!(words.has(source, word), stands(source, word), "{word}");
        }
        let lowered = Lowered::of(source);
        for _ in 0..FEW + 1 {
            assert!(lowered.has("rose") && !lowered.has("anna"));
        }
    }
}
