//! What words mean to a date expression, read from one file for each language, and put together for look-up.
//!
//! A line of a file is a meaning and the words (or phrases) that have it: `which next: next, following`. A meaning with
//! `..` counts on from word to word, `/` between words that mean the same and `-` where there is none: `month 1..:
//! january / jan, february`. Words behind `[known]` mean something else in other languages, and are read only in texts
//! that are known to be in this one.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use chrono::Weekday;
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::Error;

use super::holiday::Holiday;
use super::token::{Folded, word_len};
use crate::hash::Fnv;

/// The meaning of one token. The grammar is written over these alone and so serves every language.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
pub(super) enum Lex {
    /// A word that no lexicon knows.
    Other,
    /// A mark: comma, slash, …
    #[serde(skip)]
    Mark(char),
    /// A line break that ends whatever stood before it.
    Break,
    /// "'s".
    Possessive,
    /// Digits as written; `len` tells "5" from "05" and "2026".
    #[serde(skip)]
    Digits {
        value: u32,
        len: u8,
    },
    /// "three", "drei"; also "couple" and "few".
    #[serde(skip)]
    Number(u32),
    /// "12th", "third", "dritten".
    #[serde(skip)]
    Ordinal(u8),
    /// "second": an ordinal or a unit.
    Second,
    /// An article that can count one: "a", "ein".
    A,
    The,
    Of,
    /// "in", where it may lead a span: "in two weeks", "dans deux jours".
    In,
    Within,
    On,
    At,
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
    #[serde(skip)]
    Weekday(Weekday),
    /// "sun", "sat", "wed": a weekday only in company.
    #[serde(skip)]
    MaybeWeekday(Weekday),
    /// "Mondays".
    #[serde(skip)]
    Weekdays(Weekday),
    #[serde(skip)]
    Month(u8),
    /// "may", "march": a month only in company.
    #[serde(skip)]
    MaybeMonth(u8),
    #[serde(skip)]
    Unit(Unit),
    /// "business", "working": makes the days after it working days.
    Business,
    #[serde(skip)]
    Rel(Rel),
    /// Days from today: today 0, tomorrow 1, yesterday -1.
    #[serde(skip)]
    Day(i8),
    Now,
    #[serde(skip)]
    Part(Part),
    /// Day and part in one word: "tonight", "vanmiddag".
    #[serde(skip)]
    DayPart(i8, Part),
    #[serde(skip)]
    Edge(Edge),
    /// End of a unit in one word: "eow", "Monatsende".
    #[serde(skip)]
    EndOf(Unit),
    /// "KW": the number of a week of the year follows.
    CalendarWeek,
    /// A week in one word, counted from this one: "来週".
    #[serde(skip)]
    WeekFromNow(u8),
    /// "来月".
    NextMonth,
    /// What follows the numbers of a date: "2026年3月14日".
    #[serde(rename = "markyear")]
    YearMark,
    #[serde(rename = "markmonth")]
    MonthMark,
    #[serde(rename = "markday")]
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
    #[serde(skip)]
    Holiday(Holiday),
    /// A time zone, by its minutes east of Greenwich.
    #[serde(skip)]
    Zone(i16),
    Every,
}

/// A unit of the calendar or the clock.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "lowercase")]
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
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
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
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(super) enum Part {
    Morning,
    Lunch,
    Dinner,
    Afternoon,
    Evening,
    Night,
}

/// Where in a period.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(super) enum Edge {
    Start,
    Middle,
    End,
}

/// A language: its words, and its habits with numbers.
struct Language {
    /// BCP 47.
    tag: &'static str,
    /// Its file.
    words: &'static str,
    /// In numeric dates the day stands before the month.
    day_first: bool,
}

const fn language(tag: &'static str, words: &'static str, day_first: bool) -> Language {
    Language { tag, words, day_first }
}

const ENGLISH: &str = include_str!("lexicon/en.txt");
/// Chinese, Japanese and Korean, whose words are known wherever they stand.
const CJK: &str = include_str!("lexicon/cjk.txt");

/// Every language with spaces between its words, English first.
const LANGUAGES: [Language; 13] = [
    language("en", ENGLISH, false),
    language("en-GB", ENGLISH, true),
    language("de", include_str!("lexicon/de.txt"), true),
    language("fr", include_str!("lexicon/fr.txt"), true),
    language("es", include_str!("lexicon/es.txt"), true),
    language("it", include_str!("lexicon/it.txt"), true),
    language("pt", include_str!("lexicon/pt.txt"), true),
    language("nl", include_str!("lexicon/nl.txt"), true),
    language("sv", include_str!("lexicon/sv.txt"), true),
    language("pl", include_str!("lexicon/pl.txt"), true),
    language("cs", include_str!("lexicon/cs.txt"), true),
    language("tr", include_str!("lexicon/tr.txt"), true),
    language("hi", include_str!("lexicon/hi.txt"), true),
];

/// The words of a file with their meanings: those for any text, and those for texts in this language.
fn read(file: &'static str) -> [Vec<(&'static str, Lex)>; 2] {
    let (any, known) = file.split_once("[known]").unwrap_or((file, ""));
    [any, known].map(|part| part.lines().filter_map(line).flatten().collect())
}

/// The names that a language has for days, months and the units of a calendar, but for the shortest, which are names of
/// other things elsewhere. None where the language is not known.
pub(crate) fn names_of_days(tag: &str) -> impl Iterator<Item = &'static str> {
    let file = LANGUAGES.iter().find(|language| language.tag == tag).map_or("", |language| language.words);
    let [any, _] = read(file);
    let names = |lex| match lex {
        Lex::Weekday(_) | Lex::Month(_) | Lex::Day(_) => true,
        Lex::Unit(unit) => unit >= Unit::Day,
        _ => false,
    };
    any.into_iter()
        .filter(move |(word, lex)| names(*lex) && word.len() > 3 && !word.contains(' '))
        .map(|(word, _)| word)
}

/// Whether a word, however written, is the name of a month in some language.
pub(crate) fn is_month(word: &str) -> bool {
    static MONTHS: OnceLock<HashSet<&str>> = OnceLock::new();
    let months = MONTHS.get_or_init(|| {
        let words = LANGUAGES.iter().flat_map(|language| read(language.words)).flatten();
        words.filter(|(_, lex)| matches!(lex, Lex::Month(_) | Lex::MaybeMonth(_))).map(|(word, _)| word).collect()
    });
    months.contains(word.trim_end_matches('.').to_lowercase().as_str())
}

/// The words of a line; `None` for a comment, an empty line, or one that has no meaning.
fn line(line: &'static str) -> Option<Vec<(&'static str, Lex)>> {
    let (tag, words) = line.split_once(": ").filter(|_| !line.starts_with('#'))?;
    let words = words.split(',').map(str::trim);
    let Some((kind, first)) = tag.strip_suffix("..").and_then(|tag| tag.rsplit_once(' ')) else {
        let lex = meaning(tag)?;
        return Some(words.map(|word| (word, lex)).collect());
    };
    let first: u32 = first.parse().ok()?;
    let mut found = Vec::new();
    for (number, same) in (first..).zip(words) {
        let lex = meaning(&format!("{kind} {number}"))?;
        found.extend(same.split(" / ").filter(|word| *word != "-").map(|word| (word, lex)));
    }
    Some(found)
}

/// What a tag of a file means: a kind with its value, or the name of a meaning alone.
fn meaning(tag: &str) -> Option<Lex> {
    let (kind, value) = tag.rsplit_once(' ').unwrap_or((tag, ""));
    let weekday = || Weekday::try_from(value.parse::<u8>().ok()?.checked_sub(1)?).ok();
    Some(match kind {
        "weekday" => Lex::Weekday(weekday()?),
        "weekday?" => Lex::MaybeWeekday(weekday()?),
        "every weekday" => Lex::Weekdays(weekday()?),
        "month" => Lex::Month(value.parse().ok()?),
        "month?" => Lex::MaybeMonth(value.parse().ok()?),
        "number" => Lex::Number(value.parse().ok()?),
        "ordinal" => Lex::Ordinal(value.parse().ok()?),
        "unit" => Lex::Unit(named(value)?),
        "which" => Lex::Rel(named(value)?),
        "day" => Lex::Day(value.parse().ok()?),
        "part" => Lex::Part(named(value)?),
        "edge" => Lex::Edge(named(value)?),
        "end of" if value != "day" => Lex::EndOf(named(value)?),
        "week" => Lex::WeekFromNow(value.parse().ok()?),
        "zone" => Lex::Zone(value.parse().ok()?),
        _ if tag.starts_with("holiday ") => Lex::Holiday(Holiday::read(&tag["holiday ".len()..])?),
        _ => match kind.strip_prefix("day ") {
            Some(day) => Lex::DayPart(day.parse().ok()?, named(value)?),
            None => named(&tag.replace(' ', ""))?,
        },
    })
}

/// The variant of an enumeration that has a name.
fn named<T: for<'a> Deserialize<'a>>(name: &str) -> Option<T> {
    T::deserialize(IntoDeserializer::<Error>::into_deserializer(name)).ok()
}

/// Words of one or more files put together. A phrase is found under its first word.
pub(super) struct DateLexicon {
    entries: HashMap<&'static str, LexiconEntry, std::hash::BuildHasherDefault<Fnv>>,
    /// In numeric dates the day stands before the month.
    pub day_first: bool,
    /// A number may be a day with a point behind it, or without anything.
    pub pointed: bool,
}

#[derive(Default)]
struct LexiconEntry {
    word: Option<Lex>,
    /// The words after the first, and the meaning of all; longest first.
    phrases: Vec<(&'static str, Lex)>,
}

impl DateLexicon {
    /// The words of a language (a BCP 47 tag) with English behind it; of all languages where none is given, without
    /// those that mean something else elsewhere.
    pub fn of(language: Option<&str>) -> &'static Self {
        static ALL: OnceLock<DateLexicon> = OnceLock::new();
        static EACH: OnceLock<Vec<DateLexicon>> = OnceLock::new();
        let tag = language.unwrap_or_default();
        let base = tag.split(['-', '_']).next().unwrap_or_default();
        let each = EACH.get_or_init(|| LANGUAGES.iter().map(Self::of_one).collect());
        let known = |tag: &str| LANGUAGES.iter().position(|l| l.tag.eq_ignore_ascii_case(tag));
        match known(tag).or_else(|| known(base)) {
            Some(at) => &each[at],
            None => ALL.get_or_init(Self::of_all),
        }
    }

    fn of_one(language: &Language) -> Self {
        let lexicon = Self::join([read(language.words), read(ENGLISH), read(CJK)].concat(), language.day_first);
        Self { pointed: language.day_first && language.words != ENGLISH, ..lexicon }
    }

    fn of_all() -> Self {
        let rest = LANGUAGES.iter().skip(2).map(|l| read(l.words)[0].clone());
        let mut tables = read(ENGLISH).to_vec();
        tables.extend(rest);
        tables.extend(read(CJK));
        Self::join(tables, false)
    }

    /// Puts tables of words together. Of a word that stands in several the first counts.
    fn join(tables: Vec<Vec<(&'static str, Lex)>>, day_first: bool) -> Self {
        let mut lexicon = Self { entries: HashMap::default(), day_first, pointed: false };
        for (text, lex) in tables.into_iter().flatten() {
            let (first, rest) = text.split_once(' ').unwrap_or((text, ""));
            let entry = lexicon.entries.entry(first).or_default();
            if rest.is_empty() {
                entry.word.get_or_insert(lex);
            } else if entry.phrases.iter().all(|(known, _)| *known != rest) {
                entry.phrases.push((rest, lex));
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

    /// A weekday and a part of the day in one word, and where the second begins: "Montagabend", "woensdagochtend".
    pub fn weekday_and_part(&self, word: &str) -> Option<(Lex, Lex, usize)> {
        let meaning = |word: &str| self.entries.get(word)?.word;
        // No name of a day is shorter.
        word.char_indices().skip(6).find_map(|(split, _)| {
            let weekday = meaning(&word[..split]).filter(|lex| matches!(lex, Lex::Weekday(_)))?;
            match meaning(&word[split..])? {
                part @ Lex::Part(_) => Some((weekday, part, split)),
                // German and Dutch "morgen" is tomorrow, and behind a weekday its morning.
                Lex::Day(1) => Some((weekday, Lex::Part(Part::Morning), split)),
                _ => None,
            }
        })
    }

    /// The longest word that starts at a byte of a text written without spaces, and where it ends.
    pub fn look_up_cjk(&self, text: &str, at: usize) -> Option<(Lex, usize)> {
        let ends = text[at..].char_indices().map(|(i, c)| at + i + c.len_utf8()).take(LONGEST_CJK);
        let found = ends.filter_map(|end| self.look_up(&text[at..end], text, end));
        found.max_by_key(|(_, end)| *end)
    }
}

/// Characters of the longest word of a text written without spaces.
const LONGEST_CJK: usize = 5;

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

#[cfg(test)]
mod tests {
    use super::{CJK, LANGUAGES, line};

    #[test]
    fn every_line_of_every_language_has_a_meaning() {
        let files = LANGUAGES.iter().map(|language| language.words).chain([CJK]);
        let lines = files.flat_map(str::lines).filter(|line| !line.is_empty() && !line.starts_with(['#', '[']));
        let wrong: Vec<&str> = lines.filter(|text| line(text).is_none()).collect();
        assert!(wrong.is_empty(), "{wrong:?}");
    }
}
