//! Word classes: the skeleton of a sentence keeps its function words and puts one letter for each other word, so that
//! "I'll send the revised plan by Friday" and "I'll print the flyers by noon" share the pattern `i 'll V the O by D`.

use super::token::{Shape, Token, hash_word};
use crate::cue::{Cue, Cues};
use crate::hash::HashedMap;
use crate::link::done;
use std::sync::OnceLock;

/// What kind of word it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// A function word: it stands for itself.
    Function,
    /// A verb in its base form.
    Verb,
    /// Somebody's name.
    Name,
    /// A number.
    Number,
    /// A day or time.
    Date,
    /// Ends in -ing.
    Ing,
    /// Ends in -ed.
    Past,
    /// Ends in -ly.
    Adverb,
    /// A link.
    Link,
    /// Anything else; a run of them is one.
    Other,
}

/// Whether a word is a known verb or function word.
#[must_use]
pub fn known(hash: u64) -> Option<Class> {
    static WORDS: OnceLock<HashedMap<Class>> = OnceLock::new();
    let words = WORDS.get_or_init(|| {
        let verbs = include_str!("verbs.txt").split_whitespace().map(|word| (hash_word(word), Class::Verb));
        let function = include_str!("function.txt").split_whitespace().map(|word| (hash_word(word), Class::Function));
        verbs.chain(function).collect()
    });
    words.get(&hash).copied()
}

/// Whether people tell of something done with a word.
#[must_use]
pub fn tells_done(hash: u64) -> bool {
    static WORDS: OnceLock<HashedMap<()>> = OnceLock::new();
    WORDS.get_or_init(|| done::hints().map(|word| (hash_word(word), ())).collect()).contains_key(&hash)
}

/// The class of a token, given the cues that begin at it and whether it names somebody.
#[must_use]
pub fn class(token: &Token, word: &str, cues: Cues, is_name: bool) -> Class {
    match token.shape {
        Shape::Number => Class::Number,
        Shape::Link => Class::Link,
        Shape::Question => Class::Function,
        Shape::Mention => Class::Name,
        _ if is_name => Class::Name,
        _ => known(token.hash).unwrap_or_else(|| unknown(word, cues)),
    }
}

fn unknown(word: &str, cues: Cues) -> Class {
    let ends = |tail: &str| word.len() > tail.len() + 2 && word.ends_with(tail);
    if Cue::Date.of(cues) {
        Class::Date
    } else if ends("ing") {
        Class::Ing
    } else if ends("ed") {
        Class::Past
    } else if ends("ly") {
        Class::Adverb
    } else {
        Class::Other
    }
}
