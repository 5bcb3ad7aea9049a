//! Words of a sentence, with dates marked and filler left out.

use std::borrow::Cow;
use std::sync::OnceLock;

use chrono::{NaiveDate, NaiveDateTime};

use crate::due;
use crate::feature::word::HashedMap;

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
        let traits = traits(hash);
        let function = traits & FUNCTION != 0 || (lower.contains('\'') && !lower.ends_with("'s"));
        let mut word = Self {
            little: traits & LITTLE != 0,
            verb: traits & VERB != 0,
            function,
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
        self.lower.len() < 5 && !self.lower.chars().any(char::is_alphanumeric)
    }
}

/// Words that say nothing: hesitation, softening, haste.
const FILLERS: &str = "um uh uhm er erm ehm hmm eh ah oh well just actually basically maybe probably definitely really please \
        pls plz kindly anyway okay ok yeah yes yep sure right asap quickly myself yourself himself herself \
        simply perhaps possibly obviously already bitte mal noch";

/// Words without content of their own.
const LITTLES: &str = "the a an of to in on at for with and or it that this them those these you me us him her i we he she they \
        be is are do have get then so up out off one there your my our his their";

/// Words that end a noun phrase.
const FUNCTIONS: &str = "is are was were has have had will would can could should must do does did and or but so to of for on in \
        at from with by about that this it i you he she we they me us him them who which what where when how if \
        because as then not no there says said still the a an into onto be been being get got let go going gone just \
        whether than too also yet again already here out off up down over before after until while these those its \
        say think know mean want need needs all both each every everybody somebody someone anyone nobody \
        same later soon back";

const FILLER: u8 = 1;
const LITTLE: u8 = 2;
const FUNCTION: u8 = 4;
const VERB: u8 = 8;

/// What is known of a word, one bit each.
fn traits(hash: u64) -> u8 {
    static KNOWN: OnceLock<HashedMap<u8>> = OnceLock::new();
    let known = KNOWN.get_or_init(|| {
        let mut known: HashedMap<u8> = HashedMap::default();
        let verbs = include_str!("../feature/verbs.txt");
        for (list, bit) in [(FILLERS, FILLER), (LITTLES, LITTLE), (FUNCTIONS, FUNCTION), (verbs, VERB)] {
            list.split_whitespace().for_each(|word| *known.entry(self::hash(word)).or_default() |= bit);
        }
        known
    });
    known.get(&hash).copied().unwrap_or_default()
}

/// Whether a lower-case word is the plain form of a verb that people do.
pub(super) fn is_verb(word: &str) -> bool {
    traits(hash(word)) & VERB != 0
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
pub(super) fn split<'a>(text: &'a str, language: &str) -> Vec<Word<'a>> {
    let mut dates = due::find(text, midday(), Some(language).filter(|language| !language.is_empty()));
    dates.retain(|date| !names_a_thing(text, date.start, date.end));
    let mut words: Vec<Word<'a>> = Vec::new();
    for (start, piece) in pieces(text) {
        let lower = lowered(piece);
        let date = dates.iter().any(|date| date.start <= start && start < date.end);
        let joined = start > 0 && !text[..start].ends_with(char::is_whitespace);
        let mut word = Word { joined, date, starts: words.is_empty(), ..Word::of(Cow::Borrowed(piece), lower) };
        word.class = class(&word);
        words.push(word);
    }
    words.retain(|word| traits(word.hash) & FILLER == 0);
    words
}

/// Whether a date only says which thing is meant: "the Q3 report", "Q3 numbers", "the Friday meeting".
fn names_a_thing(text: &str, start: usize, end: usize) -> bool {
    let (date, after) = (&text[start..end], &text[end..]);
    let led = date.get(..4).is_some_and(|head| head.eq_ignore_ascii_case("the "));
    let quarter = matches!(date.as_bytes(), [b'Q' | b'q', b'1'..=b'4']);
    let noun =
        after.strip_prefix(' ').map(|rest| rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default());
    let noun = noun.filter(|noun| noun.starts_with(char::is_lowercase));
    (led || quarter) && noun.is_some_and(|noun| traits(hash(noun)) & (FUNCTION | FILLER) == 0)
}

/// A word in lower case, with the plain apostrophe.
fn lowered(word: &str) -> Cow<'_, str> {
    if word.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase()) {
        return Cow::Borrowed(word);
    }
    Cow::Owned(word.to_lowercase().replace('’', "'"))
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
    list.as_bytes().split(|byte| *byte == b' ').any(|known| known == word.as_bytes())
}
