//! What titles are put together of: words of a text as small things to copy, each with its number in the text's lexicon.

use std::borrow::Cow;
use std::collections::HashMap;

use super::kind::{self, Kinds};
use super::word::{Word, hash, lettered};
use crate::feature::word::HashedMap;

/// A word or mark that may stand in a title.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Piece {
    /// The number of what will stand in the title.
    text: u32,
    /// The number of its lower case.
    pub number: u32,
    /// Its lower case as a number of its own.
    pub hash: u64,
    /// What kind of word it is: a small word stands for itself.
    pub class: u64,
    /// The lists that hold it, and how it stands in its sentence.
    pub kinds: Kinds,
}

impl Piece {
    /// Whether it is of one of these kinds.
    pub fn is(&self, kinds: Kinds) -> bool {
        self.kinds & kinds != 0
    }

    /// Whether it is a comma, a dash, a bracket …
    pub fn is_mark(&self) -> bool {
        self.is(kind::MARK)
    }

    /// Whether it is a word with content of its own, or a mark.
    pub fn is_content(&self) -> bool {
        !self.is(kind::LITTLE)
    }
}

/// The words of a text that titles may hold.
#[derive(Debug, Default)]
pub(super) struct Lexicon<'a> {
    texts: Vec<Cow<'a, str>>,
    known: HashedMap<u32>,
    entries: Vec<Entry<'a>>,
    /// Words that stood first, as they are inside a sentence.
    smaller: HashMap<u32, Piece>,
}

/// A word in lower case.
#[derive(Debug)]
pub(super) struct Entry<'a> {
    /// The word.
    pub word: Cow<'a, str>,
    /// The word as a number.
    pub hash: u64,
    /// What kind of word it is by its letters.
    pub shape: u64,
    /// Its last three letters.
    pub ending: u64,
}

impl<'a> Lexicon<'a> {
    /// How many different words it holds.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// A word by its number.
    pub fn entry(&self, number: u32) -> &Entry<'a> {
        &self.entries[number as usize]
    }

    /// A word that stood first, now inside.
    pub fn small(&self, piece: Piece) -> Piece {
        self.smaller.get(&piece.text).copied().unwrap_or(piece)
    }

    /// What will stand in the title.
    pub fn text(&self, piece: Piece) -> &str {
        &self.texts[piece.text as usize]
    }

    /// A word as a piece.
    pub fn piece(&mut self, word: &Word<'a>) -> Piece {
        if let Some(piece) = word.piece {
            return piece;
        }
        let entries = &mut self.entries;
        let number = *self.known.entry(word.hash).or_insert_with(|| {
            let (shape, ending) = (lettered(&word.lower), ending(&word.lower));
            entries.push(Entry { word: word.lower.clone(), hash: word.hash, shape, ending });
            entries.len() as u32 - 1
        });
        let text = self.texts.len() as u32;
        self.texts.push(word.text.clone());
        if word.starts && word.text.chars().skip(1).all(char::is_lowercase) {
            let small = self.piece(&Word::new(word.lower.clone()));
            self.smaller.insert(text, small);
        }
        Piece { text, number, hash: word.hash, class: word.class, kinds: kinds(word) }
    }

    /// Words as pieces.
    pub fn pieces(&mut self, words: &[Word<'a>]) -> Vec<Piece> {
        words.iter().map(|word| self.piece(word)).collect()
    }

    /// A word that does not stand in a sentence.
    pub fn new_piece(&mut self, word: &'static str) -> Piece {
        self.piece(&Word::new(word))
    }
}

/// The lists that hold a word, and how it stands in its sentence.
fn kinds(word: &Word<'_>) -> Kinds {
    let shapes = [
        (kind::FUNCTION, word.function),
        (kind::DATE, word.date),
        (kind::STARTS, word.starts),
        (kind::JOINED, word.joined),
        (kind::CAPITAL, word.text.starts_with(char::is_uppercase)),
        (kind::ADDRESS, word.lower.contains("://") || word.lower.contains('?')),
        (kind::LONG, word.text.len() > 1),
    ];
    shapes.iter().fold(word.kinds, |kinds, (kind, is)| if *is { kinds | kind } else { kinds })
}

/// The last three letters of a word.
fn ending(word: &str) -> u64 {
    let start = word.char_indices().rev().nth(2).map_or(0, |(at, _)| at);
    hash(&word[start..])
}
