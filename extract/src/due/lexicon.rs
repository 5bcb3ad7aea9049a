//! What words mean to a date expression, and the tables of the languages put together for look-up.

use std::collections::HashMap;
use std::sync::OnceLock;

use chrono::Weekday;

use super::holiday::Holiday;
use super::lang;
use super::token::{Folded, word_len};

/// The meaning of one token. The grammar is written over these alone and so serves every language.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Lex {
    /// A word that no table knows.
    Other,
    /// A mark: comma, slash, …
    Mark(char),
    /// A line break that ends whatever stood before it.
    Break,
    /// "'s".
    Possessive,
    /// Digits as written; `len` tells "5" from "05" and "2026".
    Digits {
        value: u32,
        len: u8,
    },
    /// "three", "drei"; also "couple" and "few".
    Number(u32),
    /// "12th", "third", "dritten".
    Ordinal(u8),
    /// "second": an ordinal or a unit.
    Second,
    /// An article that can count one: "a", "ein".
    A,
    /// The definite article.
    The,
    Of,
    /// "in", where it may lead a span: "in two weeks", "dans deux jours".
    In,
    /// "within".
    Within,
    On,
    At,
    /// "by", "before", "no later than": what leads a deadline.
    By,
    Before,
    After,
    /// "from" a day on: "two weeks from Friday".
    From,
    /// "until", "to", "through": what joins the ends of a range.
    To,
    Between,
    And,
    For,
    /// "about", "around", "approximately": says nothing about the day.
    About,
    Ago,
    /// "later", "hence", "out": behind a span that starts now.
    Later,
    Past,
    Weekday(Weekday),
    /// "sun", "sat", "wed": a weekday only in company.
    MaybeWeekday(Weekday),
    /// "Mondays".
    Weekdays(Weekday),
    Month(u8),
    /// "may", "march": a month only in company.
    MaybeMonth(u8),
    Unit(Unit),
    /// "business", "working": makes the days after it working days.
    Business,
    Rel(Rel),
    /// Days from today: today 0, tomorrow 1, yesterday -1.
    Day(i8),
    Now,
    Part(Part),
    /// Day and part in one word: "tonight", "vanmiddag".
    DayPart(i8, Part),
    Edge(Edge),
    /// End of a unit in one word: "eow", "Monatsende".
    EndOf(Unit),
    /// "KW": the number of a week of the year follows.
    CalendarWeek,
    /// A week in one word, counted from this one: "来週".
    WeekFromNow(u8),
    /// "来月".
    NextMonth,
    /// What follows the numbers of a date: "2026年3月14日".
    YearMark,
    MonthMark,
    DayMark,
    /// "after this call": soon, so today.
    ThisSession,
    /// "EOD".
    EndOfDay,
    Q,
    Quarter,
    Half,
    /// "halb drei": half an hour before.
    HalfTo,
    Am,
    Pm,
    /// "o'clock", "Uhr", "heures".
    Clock,
    Noon,
    Midnight,
    Holiday(Holiday),
    /// A time zone, by its minutes east of Greenwich.
    Zone(i16),
    Every,
}

/// A unit of the calendar or the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unit {
    /// Of a time to the second.
    Second,
    /// Of a time of day.
    Minute,
    /// Of whole hours.
    Hour,
    /// A day.
    Day,
    /// A day from Monday to Friday.
    Workday,
    /// Saturday and Sunday.
    Weekend,
    /// Monday to Friday.
    Week,
    /// Two weeks.
    Fortnight,
    /// A month of the calendar.
    Month,
    /// A quarter of the calendar year.
    Quarter,
    /// A year of the calendar.
    Year,
}

/// Which one, seen from now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rel {
    This,
    /// "coming", "upcoming": the first from tomorrow on.
    Coming,
    Next,
    /// "übernächste": the one after the next.
    AfterNext,
    Last,
}

/// A part of the day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Morning,
    Lunch,
    Afternoon,
    Evening,
    Night,
}

/// Where in a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edge {
    Start,
    Middle,
    End,
}

/// A table of a language: words (or phrases, their words separated by one space) and what they mean.
pub(super) type Table = &'static [(&'static str, Lex)];

/// Tables put together. A phrase is found under its first word.
pub(super) struct Lexicon {
    entries: HashMap<&'static str, Entry, std::hash::BuildHasherDefault<Fnv>>,
    /// In numeric dates the day stands before the month.
    pub day_first: bool,
}

#[derive(Default)]
struct Entry {
    word: Option<Lex>,
    /// The words after the first, and the meaning of all; longest first.
    phrases: Vec<(&'static str, Lex)>,
}

impl Lexicon {
    /// The words of a language (a BCP 47 tag) with English behind it; of all languages where none is given, without
    /// those that mean something else elsewhere.
    pub fn of(language: Option<&str>) -> &'static Self {
        static ALL: OnceLock<Lexicon> = OnceLock::new();
        static EACH: OnceLock<Vec<Lexicon>> = OnceLock::new();
        let tag = language.unwrap_or_default();
        let base = tag.split(['-', '_']).next().unwrap_or_default();
        let each = EACH.get_or_init(|| lang::ALL.iter().map(Self::of_one).collect());
        let known = lang::ALL.iter().position(|l| l.tag.eq_ignore_ascii_case(tag));
        match known.or_else(|| lang::ALL.iter().position(|l| l.tag.eq_ignore_ascii_case(base))) {
            Some(at) => &each[at],
            None => ALL.get_or_init(Self::of_all),
        }
    }

    fn of_one(language: &lang::Language) -> Self {
        let mut tables = vec![language.words, language.short];
        tables.extend([lang::en::WORDS, lang::en::SHORT, lang::cjk::WORDS]);
        Self::join(&tables, language.day_first)
    }

    fn of_all() -> Self {
        let mut tables = vec![lang::en::WORDS, lang::en::SHORT];
        tables.extend(lang::ALL.iter().map(|l| l.words));
        tables.push(lang::cjk::WORDS);
        Self::join(&tables, false)
    }

    /// Earlier tables win.
    fn join(tables: &[Table], day_first: bool) -> Self {
        let mut lexicon = Self { entries: HashMap::default(), day_first };
        for (text, lex) in tables.iter().flat_map(|table| table.iter()) {
            let (first, rest) = text.split_once(' ').unwrap_or((text, ""));
            let entry = lexicon.entries.entry(first).or_default();
            if rest.is_empty() {
                entry.word.get_or_insert(*lex);
            } else if entry.phrases.iter().all(|(known, _)| known != &rest) {
                entry.phrases.push((rest, *lex));
            }
        }
        for entry in lexicon.entries.values_mut() {
            entry.phrases.sort_by_key(|(rest, _)| std::cmp::Reverse(rest.len()));
        }
        lexicon
    }

    /// The meaning of a word, or of the longest phrase that starts with it, and where that ends in the text.
    /// `word` is lower case and ends at byte `end`.
    pub fn look_up(&self, word: &str, text: &str, end: usize) -> Option<(Lex, usize)> {
        let entry = self.entries.get(word)?;
        let phrase = entry.phrases.iter().find_map(|(rest, lex)| Some((*lex, phrase_end(rest, text, end)?)));
        phrase.or(entry.word.map(|lex| (lex, end)))
    }
}

/// Characters of the longest word in [`lang::cjk`].
const LONGEST_CJK: usize = 5;

impl Lexicon {
    /// The longest word that starts at a byte of a text written without spaces, and where it ends.
    pub fn look_up_cjk(&self, text: &str, at: usize) -> Option<(Lex, usize)> {
        let ends = text[at..].char_indices().map(|(i, c)| at + i + c.len_utf8()).take(LONGEST_CJK);
        let found = ends.filter_map(|end| self.look_up(&text[at..end], text, end));
        found.max_by_key(|(_, end)| *end)
    }
}

/// Where a phrase's remaining words end, if they follow: each behind one space, hyphen, apostrophe or line break.
fn phrase_end(rest: &str, text: &str, mut at: usize) -> Option<usize> {
    for wanted in rest.split(' ') {
        let gap = text[at..].chars().next().filter(|c| matches!(c, ' ' | '-' | '\'' | '’' | '\n' | '\u{a0}' | '.'))?;
        at += gap.len_utf8();
        if gap == '.' && text[at..].starts_with(' ') {
            at += 1;
        }
        let len = word_len(&text[at..]);
        if Folded::of(&text[at..at + len])?.as_str() != wanted {
            return None;
        }
        at += len;
    }
    Some(at)
}

/// FNV-1a: short keys, no adversary (the keys are ours), several times faster than the default.
#[derive(Clone, Copy)]
pub(crate) struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl std::hash::Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for b in bytes {
            self.0 = (self.0 ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
