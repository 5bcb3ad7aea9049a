//! Words of a sentence, with dates marked and filler left out.

use std::borrow::Cow;

use chrono::{NaiveDate, NaiveDateTime};

use crate::due;

/// A word or a mark.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Word<'a> {
    /// As it will stand in the title.
    pub text: Cow<'a, str>,
    /// In lower case.
    pub lower: String,
    /// Whether it has no content of its own.
    pub little: bool,
    /// Whether it stands right behind the word before it.
    pub joined: bool,
    /// Whether it is the first of its sentence, so that its capital says nothing.
    pub starts: bool,
    /// Part of a date expression.
    pub date: bool,
}

impl<'a> Word<'a> {
    /// A word that does not stand in the sentence.
    pub fn new(text: impl Into<Cow<'a, str>>) -> Self {
        let text = text.into();
        let lower = text.to_lowercase();
        Self { little: is_little(&lower), lower, text, joined: false, starts: false, date: false }
    }

    /// Whether it is a comma, a dash, a bracket …
    pub fn is_mark(&self) -> bool {
        !self.lower.chars().any(char::is_alphanumeric)
    }
}

/// Words that say nothing: hesitation, softening, haste.
const FILLER: &str = "um uh uhm er erm ehm hmm eh ah oh well just actually basically maybe probably definitely really please \
        pls plz kindly anyway okay ok yeah yes yep sure right asap quickly myself yourself himself herself \
        simply perhaps possibly obviously already bitte mal noch";

/// The words of a sentence without filler. Marks are words of their own, but for those inside a word ("cut-off", "4.1%").
pub(super) fn split<'a>(text: &'a str, language: &str) -> Vec<Word<'a>> {
    let dates = due::find(text, midday(), Some(language).filter(|language| !language.is_empty()));
    let mut words: Vec<Word<'a>> = Vec::new();
    for (start, piece) in pieces(text) {
        let lower = piece.to_lowercase().replace('’', "'");
        let date = dates.iter().any(|date| date.start <= start && start < date.end);
        let joined = start > 0 && !text[..start].ends_with(char::is_whitespace);
        words.push(Word {
            text: Cow::Borrowed(piece),
            little: is_little(&lower),
            lower,
            joined,
            starts: words.is_empty(),
            date,
        });
    }
    words.retain(|word| !has(FILLER, &word.lower));
    words
}

/// Any moment: only the places of the dates are wanted, not the days.
fn midday() -> NaiveDateTime {
    NaiveDate::default().and_hms_opt(12, 0, 0).unwrap_or_default()
}

/// Words and marks with their first byte.
fn pieces(text: &str) -> Vec<(usize, &str)> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for part in text.split_inclusive(char::is_whitespace) {
        let bare = part.trim_end();
        let head = bare.len() - bare.trim_start_matches(is_mark).len();
        let tail = bare.trim_end_matches(is_mark).len().max(head);
        marks(&bare[..head], start, &mut pieces);
        if head < tail {
            pieces.push((start + head, &bare[head..tail]));
        }
        marks(&bare[tail..], start + tail, &mut pieces);
        start += part.len();
    }
    pieces
}

fn marks<'a>(text: &'a str, from: usize, pieces: &mut Vec<(usize, &'a str)>) {
    let marks = text.char_indices().filter(|(_, c)| !matches!(c, '*' | '_' | '"' | '“' | '”' | '`' | '>'));
    pieces.extend(marks.map(|(at, c)| (from + at, &text[at..at + c.len_utf8()])));
}

/// A mark at the edge of a word; '@', '#', '%' and '&' belong to it.
fn is_mark(c: char) -> bool {
    !c.is_alphanumeric() && !matches!(c, '@' | '#' | '%' | '&' | '/' | '€' | '$' | '£' | '+')
}

/// Whether a list of words, separated by spaces, holds one.
pub(super) fn has(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|known| known == word)
}

/// A word without content of its own.
pub(super) fn is_little(word: &str) -> bool {
    const LITTLE: &str = "the a an of to in on at for with and or it that this them those these you me us him her i we he she they \
        be is are do have get then so up out off one there your my our his their";
    has(LITTLE, word)
}
