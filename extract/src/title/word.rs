//! Words of a sentence, with dates marked and filler left out.

use std::borrow::Cow;

use chrono::{NaiveDate, NaiveDateTime};

use super::kind::{self, Kinds};
use super::piece::Piece;
use super::visible::visible;
use crate::due;

/// A word or a mark.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Word<'a> {
    /// As it will stand in the title.
    pub text: Cow<'a, str>,
    /// In lower case.
    pub lower: Cow<'a, str>,
    /// Its lower case as a number.
    pub hash: u64,
    /// What kind of word it is: a small word stands for itself.
    pub class: u64,
    /// Whether it has no content of its own.
    pub little: bool,
    /// Whether it ends a noun phrase.
    pub function: bool,
    /// Whether it is the plain form of a verb that people do.
    pub verb: bool,
    /// Whether it stands right behind the word before it.
    pub joined: bool,
    /// Whether it is the first of its sentence, so that its capital says nothing.
    pub starts: bool,
    /// Part of a date expression.
    pub date: bool,
    /// The lists that hold it.
    pub kinds: Kinds,
    /// What titles are put together of in its place, where that is known already.
    pub piece: Option<Piece>,
}

impl<'a> Word<'a> {
    /// A word that does not stand in the sentence.
    pub fn new(text: impl Into<Cow<'a, str>>) -> Self {
        let text = text.into();
        let lower = match &text {
            Cow::Borrowed(text) => lowered(text),
            Cow::Owned(text) => Cow::Owned(text.to_lowercase()),
        };
        Self::of(text, lower)
    }

    fn of(text: Cow<'a, str>, lower: Cow<'a, str>) -> Self {
        let hash = hash(&lower);
        let mark = lower.len() < 5 && !lower.chars().any(char::is_alphanumeric);
        let kinds = kind::of(hash) | if mark { kind::MARK } else { 0 };
        let function = kinds & kind::FUNCTION != 0 || (lower.contains('\'') && !lower.ends_with("'s"));
        let mut word = Self {
            little: kinds & kind::LITTLE != 0,
            verb: kinds & kind::VERB != 0,
            function,
            kinds,
            piece: None,
            hash,
            class: 0,
            lower,
            text,
            joined: false,
            starts: false,
            date: false,
        };
        word.class = class(&word);
        word
    }

    /// Whether it is a comma, a dash, a bracket …
    pub fn is_mark(&self) -> bool {
        self.is(kind::MARK)
    }

    /// The same with words of its own.
    fn into_owned<'b>(self) -> Word<'b> {
        let (text, lower) = (Cow::Owned(self.text.into_owned()), Cow::Owned(self.lower.into_owned()));
        Word { text, lower, ..self }
    }

    /// Counts it among the verbs.
    pub fn make_verb(&mut self) {
        self.verb = true;
        self.kinds |= kind::VERB;
        self.class = class(self);
    }

    /// Whether a list of one of these kinds holds it.
    pub fn is(&self, kinds: Kinds) -> bool {
        self.kinds & kinds != 0
    }
}

/// Whether a lower-case word is the plain form of a verb that people do.
pub(super) fn is_verb(word: &str) -> bool {
    kind::of(hash(word)) & kind::VERB != 0
}

/// A word as a number (FNV-1a).
pub(super) fn hash(word: &str) -> u64 {
    word.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

/// What kind of word it is: a small word stands for itself.
fn class(word: &Word<'_>) -> u64 {
    if word.is_mark() || word.little || word.function {
        return word.hash;
    }
    let capital = !word.starts && word.text.starts_with(char::is_uppercase);
    match () {
        () if word.date => 2,
        () if word.lower.bytes().any(|byte| byte.is_ascii_digit()) => 3,
        () if capital => 4,
        () if word.verb => 5,
        () => 10 + lettered(&word.lower),
    }
}

/// What kind of word it is by its letters.
pub(super) fn lettered(word: &str) -> u64 {
    match () {
        () if word.bytes().any(|byte| byte.is_ascii_digit()) => 1,
        () if word.ends_with("ing") => 2,
        () if word.ends_with("ed") => 3,
        () if word.ends_with("ly") => 4,
        () if word.ends_with("'s") => 5,
        () if word.ends_with('s') && !word.ends_with("ss") => 6,
        () if ["tion", "ment", "ence", "ance"].iter().any(|tail| word.ends_with(tail)) => 7,
        () if word.len() < 3 => 8,
        () => 9,
    }
}

/// The words of a sentence without filler. Marks are words of their own, but for those inside a word ("cut-off", "4.1%").
/// What cannot be seen is left out.
pub(super) fn split<'a>(text: &'a str, language: &str) -> Vec<Word<'a>> {
    match visible(text) {
        Cow::Borrowed(text) => split_visible(text, language),
        Cow::Owned(text) => split_visible(&text, language).into_iter().map(Word::into_owned).collect(),
    }
}

fn split_visible<'a>(text: &'a str, language: &str) -> Vec<Word<'a>> {
    let mut dates = due::find(text, midday(), Some(language).filter(|language| !language.is_empty()));
    dates.retain(|date| !names_a_thing(text, date.start, date.end));
    let pieces = pieces(text);
    let mut words: Vec<Word<'a>> = Vec::with_capacity(pieces.len());
    for (start, piece) in pieces {
        let lower = lowered(piece);
        let date = dates.iter().any(|date| date.start <= start && start < date.end);
        let joined = start > 0 && !text[..start].ends_with(char::is_whitespace);
        let mut word = Word { joined, date, starts: words.is_empty(), ..Word::of(Cow::Borrowed(piece), lower) };
        word.class = class(&word);
        words.push(word);
    }
    let mut makes = false;
    words.retain(|word| {
        // "Make sure" is no "sure".
        let sure =
            std::mem::replace(&mut makes, matches!(word.lower.as_ref(), "make" | "making")) && word.lower == "sure";
        sure || !word.is(kind::FILLER)
    });
    without_stumbles(words)
}

/// Leaves out what a speaker broke off ("protu- product") or said twice ("the the model"), and the second of two commas
/// between which filler stood.
fn without_stumbles(words: Vec<Word<'_>>) -> Vec<Word<'_>> {
    let mut kept: Vec<Word<'_>> = Vec::with_capacity(words.len());
    let mut rest = words.into_iter().peekable();
    while let Some(word) = rest.next() {
        let next = rest.peek();
        let breaks_off = word.lower == "-"
            && word.joined
            && next.is_some_and(|next| !next.joined && !matches!(next.lower.as_ref(), "and" | "or" | "und" | "oder"))
            && kept.last().is_some_and(|last| !last.is_mark());
        let again = next.is_some_and(|next| next.lower == word.lower && next.lower.chars().all(char::is_alphabetic));
        let empty = word.lower == "," && kept.last().is_some_and(|last| last.lower == ",");
        if breaks_off {
            kept.pop();
        } else if !again && !empty {
            kept.push(word);
        }
    }
    kept
}

/// Whether a date only says which thing is meant: "the Q3 report", "Q3 numbers", "the Friday meeting", "last year's answers";
/// not so "before Friday's call", which says when.
fn names_a_thing(text: &str, start: usize, end: usize) -> bool {
    const WHEN: [&str; 6] = ["by", "before", "until", "till", "on", "after"];
    let (date, after) = (&text[start..end], &text[end..]);
    let bare = after.strip_prefix(['\'', '’']).and_then(|rest| rest.strip_prefix('s'));
    let possessive = bare.is_some() || date.ends_with("'s") || date.ends_with("’s");
    let before = text[..start].split_whitespace().next_back().unwrap_or_default();
    let when = WHEN.iter().any(|word| word.eq_ignore_ascii_case(before));
    let after = bare.unwrap_or(after);
    let led = date.get(..4).is_some_and(|head| head.eq_ignore_ascii_case("the "));
    let quarter = matches!(date.as_bytes(), [b'Q' | b'q', b'1'..=b'4']);
    let noun =
        after.strip_prefix(' ').map(|rest| rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default());
    let noun = noun.filter(|noun| noun.starts_with(char::is_lowercase));
    (led || quarter || (possessive && !when))
        && noun.is_some_and(|noun| kind::of(hash(noun)) & (kind::FUNCTION | kind::FILLER) == 0)
}

/// A word in lower case, with the plain apostrophe.
fn lowered(word: &str) -> Cow<'_, str> {
    if word.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase()) {
        return Cow::Borrowed(word);
    }
    Cow::Owned(if word.is_ascii() { word.to_ascii_lowercase() } else { word.to_lowercase().replace('’', "'") })
}

/// Any moment: only the places of the dates are wanted, not the days.
fn midday() -> NaiveDateTime {
    NaiveDate::default().and_hms_opt(12, 0, 0).unwrap_or_default()
}

/// Words and marks with their first byte.
fn pieces(text: &str) -> Vec<(usize, &str)> {
    let mut pieces = Vec::with_capacity(text.len() / 4 + 2);
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
    list.as_bytes().split(|byte| *byte == b' ').any(|known| known == word.as_bytes())
}
