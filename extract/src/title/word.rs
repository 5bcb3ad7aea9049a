//! Words of a sentence, with dates marked and filler left out.

use std::borrow::Cow;

use chrono::{NaiveDate, NaiveDateTime};

use super::kind::{self, Kinds, Lexicon};
use super::visible::visible;
use crate::due;
use crate::hash;
use crate::reader::is_emoji_name;
use crate::word_list::{PairList, WordList};

/// A word or a mark.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Word<'a> {
    /// As it will stand in the title.
    pub text: Cow<'a, str>,
    /// In lower case.
    pub lower: Cow<'a, str>,
    /// What kinds of word it is.
    pub kinds: Kinds,
}

impl<'a> Word<'a> {
    /// A word of a language.
    pub fn new(text: impl Into<Cow<'a, str>>, lexicon: &Lexicon) -> Self {
        let text = text.into();
        let lower = match &text {
            Cow::Borrowed(text) => lowered(text),
            Cow::Owned(text) => Cow::Owned(lowered(text).into_owned()),
        };
        let mark = !lower.chars().any(char::is_alphanumeric);
        let digit = lower.bytes().any(|byte| byte.is_ascii_digit());
        let own = if mark { kind::MARK } else { lexicon.kinds(hash::text(&lower)) };
        Self { kinds: own | if digit { kind::DIGIT } else { 0 }, text, lower }
    }

    /// Whether it is of one of these kinds.
    pub fn is(&self, kinds: Kinds) -> bool {
        self.kinds & kinds != 0
    }

    /// Whether it says something: no mark, no small word, no pronoun.
    pub fn tells(&self) -> bool {
        !self.is(kind::MARK | kind::FUNCTION | kind::PRONOUN | kind::ARTICLE | kind::FILLER)
    }

    /// The same with words of its own.
    fn into_owned<'b>(self) -> Word<'b> {
        let (text, lower) = (Cow::Owned(self.text.into_owned()), Cow::Owned(self.lower.into_owned()));
        Word { text, lower, kinds: self.kinds }
    }
}

/// The first five letters of a word as a number, by which forms of one word meet.
pub(super) fn stem(word: &str) -> u64 {
    let end = word.char_indices().nth(5).map_or(word.len(), |(at, _)| at);
    hash::text(&word[..end])
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
    let lexicon = Lexicon::of(language);
    let mut dates = due::find(text, midday(), Some(language).filter(|language| !language.is_empty()));
    dates.retain(|date| !names_a_thing(text, date.start, date.end, lexicon));
    let mut words: Vec<Word<'a>> = Vec::with_capacity(text.len() / 4 + 2);
    let english = language.is_empty() || language.starts_with("en");
    let pieces = pieces(text);
    for (at, &(start, piece)) in pieces.iter().enumerate() {
        let asked = pieces.get(at + 1).is_some_and(|(_, next)| matches!(*next, "u" | "you"));
        let full = match piece {
            _ if !english => piece,
            "r" if asked => "are",
            _ => FULL.get(piece).unwrap_or(piece),
        };
        let mut word = Word::new(full, lexicon);
        let date = dates.iter().any(|date| date.start <= start && start < date.end);
        let joined = start > 0 && !text[..start].ends_with(char::is_whitespace);
        let capital = !words.is_empty() && piece.starts_with(char::is_uppercase);
        for (holds, kind) in [(date, kind::DATE), (joined, kind::JOINED), (capital, kind::CAPITAL)] {
            word.kinds |= if holds { kind } else { 0 };
        }
        words.push(word);
    }
    for at in 1..words.len() {
        // "Fill it in", "log in by Friday": what ends what is said there belongs to its verb.
        let ends = words.get(at + 1).is_none_or(|next| next.is(kind::MARK) || ENDS.contains(&next.lower.as_ref()));
        if ends
            && english
            && matches!(words[at].lower.as_ref(), "in" | "on" | "over" | "by")
            && !words[at].is(kind::DATE)
        {
            words[at].kinds &= !kind::DANGLING;
        }
    }
    let spoken: Vec<bool> = (0..words.len()).map(|at| !words[at].is(kind::FILLER) || says(&words, at)).collect();
    let mut spoken = spoken.into_iter();
    words.retain(|word| spoken.next().unwrap_or(true) || word.is(kind::MODAL));
    without_stumbles(words)
}

/// Whether a word that is filler elsewhere says something: "make sure", "I'd like a quote", "if you like", "a firm yes or no".
fn says(words: &[Word<'_>], at: usize) -> bool {
    let before = |back: usize| at.checked_sub(back).map_or("", |at| words[at].lower.as_ref());
    let next = |ahead: usize| words.get(at + ahead).map_or("", |word| word.lower.as_ref());
    match words[at].lower.as_ref() {
        "sure" => matches!(before(1), "make" | "making"),
        "like" => {
            let compares = words.get(at + 1).is_some_and(|next| next.is(kind::ARTICLE)) && COMPARES.has(before(1));
            before(1) == "would" || before(1).ends_with("'d") || before(1) == "you" && before(2) == "if" || compares
        }
        "yes" => next(1) == "or" && next(2) == "no",
        _ => false,
    }
}

/// Verbs behind which "like" compares.
static COMPARES: WordList = WordList::of(
    "look looks looked sound sounds sounded read reads feel feels felt seem seems seemed work works be is are",
);

/// What leads to a time or goes on otherwise, behind the end of what is said.
const ENDS: [&str; 9] = ["by", "on", "before", "until", "today", "tomorrow", "tonight", "for", "with"];

/// What hasty fingers write for a word.
static FULL: PairList = PairList::of("u=you ur=your wd=would cld=could");

/// Leaves out what a speaker broke off ("protu- product") or said twice ("the the model", "I can I can"), and the second of
/// two commas between which filler stood.
fn without_stumbles(words: Vec<Word<'_>>) -> Vec<Word<'_>> {
    let mut kept: Vec<Word<'_>> = Vec::with_capacity(words.len());
    for at in 0..words.len() {
        let (word, next) = (&words[at], words.get(at + 1));
        let broken = word.lower == "-"
            && word.is(kind::JOINED)
            && next.is_some_and(|next| {
                !next.is(kind::JOINED) && !matches!(next.lower.as_ref(), "and" | "or" | "und" | "oder")
            })
            && kept.last().is_some_and(|last| !last.is(kind::MARK));
        let same = |one: usize, other: usize| match (words.get(one), words.get(other)) {
            (Some(one), Some(other)) => one.lower == other.lower && one.lower.chars().any(char::is_alphabetic),
            _ => false,
        };
        let again = same(at, at + 1) || (1..4).any(|more| at + more < words.len() && run(&same, at, more + 1));
        let empty = word.lower == "," && kept.last().is_none_or(|last| last.lower == ",");
        if broken {
            kept.pop();
        } else if !again && !empty {
            kept.push(word.clone());
        }
    }
    kept
}

/// Whether the words from a place on are said again right behind.
fn run(same: &impl Fn(usize, usize) -> bool, at: usize, length: usize) -> bool {
    (0..length).all(|step| same(at + step, at + length + step))
}

/// Whether a date only says which thing is meant: "the Q3 report", "Q3 numbers", "the Friday meeting", "last year's answers";
/// not so "before Friday's call", which says when.
fn names_a_thing(text: &str, start: usize, end: usize, lexicon: &Lexicon) -> bool {
    const WHEN: [&str; 6] = ["by", "before", "until", "till", "on", "after"];
    let (date, after) = (&text[start..end], &text[end..]);
    let bare = after.strip_prefix(['\'', '’']).and_then(|rest| rest.strip_prefix('s'));
    let possessive = bare.is_some() || date.ends_with("'s") || date.ends_with("’s");
    let before = text[..start].split_whitespace().next_back().unwrap_or_default();
    let when = WHEN.iter().any(|word| word.eq_ignore_ascii_case(before));
    let after = bare.unwrap_or(after);
    let led = date.get(..4).is_some_and(|head| head.eq_ignore_ascii_case("the "))
        || ["the", "a", "an", "our", "your", "my", "their"].iter().any(|word| word.eq_ignore_ascii_case(before));
    let quarter = matches!(date.as_bytes(), [b'Q' | b'q', b'1'..=b'4']);
    let noun =
        after.strip_prefix(' ').map(|rest| rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default());
    let noun = noun.filter(|noun| noun.starts_with(char::is_lowercase));
    (led || quarter || (possessive && !when))
        && noun
            .is_some_and(|noun| lexicon.kinds(hash::text(noun)) & (kind::FUNCTION | kind::FILLER | kind::SUBJECT) == 0)
}

/// A word in lower case, with the plain apostrophe.
pub(super) fn lowered(word: &str) -> Cow<'_, str> {
    if word.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase()) {
        return Cow::Borrowed(word);
    }
    Cow::Owned(if word.is_ascii() { word.to_ascii_lowercase() } else { word.to_lowercase().replace('’', "'") })
}

/// Any moment: only the places of the dates are wanted, not the days.
pub(super) fn midday() -> NaiveDateTime {
    NaiveDate::default().and_hms_opt(12, 0, 0).unwrap_or_default()
}

/// Words and marks with their first byte; the names of emoji are none.
fn pieces(text: &str) -> Vec<(usize, &str)> {
    let mut pieces = Vec::with_capacity(text.len() / 4 + 2);
    let mut start = 0;
    for part in text.split_inclusive(char::is_whitespace) {
        let bare = if is_emoji_name(part.trim_end()) { "" } else { part.trim_end() };
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
