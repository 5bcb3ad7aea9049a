//! Date expressions: what "by Friday", "in zwei Wochen" or "end of Q2" mean, said at a given time in a given zone.
//!
//! A text is cut into tokens ([`token`]), each looked up once in the words of its language ([`lexicon`], [`lang`]). A
//! grammar over these meanings ([`parser`]) collects the pieces of an expression in a [`draft`], which then resolves to
//! a day. The grammar is the same for all languages.

mod calendar;
mod context;
mod deadline;
mod draft;
mod holiday;
mod lang;
mod lexicon;
mod number;
mod parser;
mod period;
mod relative;
mod time;
mod token;
mod weekday;

use chrono::{NaiveDate, NaiveDateTime, NaiveTime, TimeDelta};

pub(crate) use context::Stance;
pub use deadline::deadline;
pub(crate) use deadline::{Mention, mentions};
use draft::Draft;
pub(crate) use lexicon::Fnv;
pub use lexicon::Unit;
use lexicon::{Lex, Lexicon};
use parser::Parser;

/// A date expression found in a text and what it means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// The day. Of a range or a quarter, its last; of a week, its Friday; of a weekend, its Sunday; of a month, its first.
    pub date: NaiveDate,
    /// The time of day, where one is said.
    pub time: Option<NaiveTime>,
    /// First byte of the expression in the text.
    pub start: usize,
    /// One past its last byte.
    pub end: usize,
    /// Last day of what is meant: of a month its last, otherwise `date`.
    pub last: NaiveDate,
    /// How exactly it is said.
    pub grain: Unit,
}

/// Every date expression in a text, in order, without overlaps. `said_at` is the local time in the item's zone;
/// `language` is BCP 47, or `None` to recognise the words of every language that is known. Recurring expressions
/// ("every Friday") and impossible ones ("February 30") are left out.
#[must_use]
pub fn find(text: &str, said_at: NaiveDateTime, language: Option<&str>) -> Vec<Resolved> {
    scan(text, said_at, None, language).into_iter().map(|expression| expression.resolved).collect()
}

/// As [`find`], where it is also known how much later the local clock is than that of Greenwich: then "5pm PST" is the
/// local time, and day, of that moment.
#[must_use]
pub fn find_in(text: &str, said_at: NaiveDateTime, offset: TimeDelta, language: Option<&str>) -> Vec<Resolved> {
    scan(text, said_at, Some(offset), language).into_iter().map(|expression| expression.resolved).collect()
}

/// An expression with the pieces it was read from.
struct Expression {
    draft: Draft,
    resolved: Resolved,
}

impl Expression {
    /// Whether it names a day, not only an hour or a part of the day.
    fn names_a_day(&self) -> bool {
        let draft = &self.draft;
        draft.day.is_some()
            || draft.weekday.is_some()
            || draft.dom.is_some()
            || draft.period.is_some()
            || draft.month.is_some()
    }

    /// Whether it is a weekday and nothing else that says which.
    fn is_bare_weekday(&self) -> bool {
        let draft = &self.draft;
        draft.weekday.is_some()
            && draft.rel.is_none()
            && draft.dom.is_none()
            && draft.day.is_none()
            && draft.period.is_none()
    }
}

fn scan(text: &str, said_at: NaiveDateTime, offset: Option<TimeDelta>, language: Option<&str>) -> Vec<Expression> {
    let lexicon = Lexicon::of(language);
    let tokens = token::tokenise(text, lexicon);
    if !tokens.iter().any(|token| says_when(token.lex)) {
        return Vec::new();
    }
    let parser = Parser { text, tokens: &tokens, now: said_at, offset, day_first: lexicon.day_first, depth: 0 };
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        at = match parser.expression(at) {
            Some((draft, end)) => {
                let first = draft.resolve(said_at);
                let range = first.and_then(|first| range_end(&parser, at, end, &first));
                let end = range.map_or(end, |(_, end)| end);
                let whole =
                    first.map(|first| range.map_or(first, |(last, _)| draft::Outcome { date: last, last, ..first }));
                found.extend(whole.map(|outcome| Expression { draft, resolved: resolved(&tokens, at, end, &outcome) }));
                end.max(at + 1)
            }
            None => at + 1,
        };
    }
    found
}

/// Whether a word may say when something is; the others only join those that do.
fn says_when(lex: Lex) -> bool {
    !matches!(
        lex,
        Lex::Other
            | Lex::Mark(_)
            | Lex::Break
            | Lex::Possessive
            | Lex::A
            | Lex::The
            | Lex::Of
            | Lex::In
            | Lex::Within
            | Lex::On
            | Lex::At
            | Lex::By
            | Lex::Before
            | Lex::After
            | Lex::From
            | Lex::To
            | Lex::Between
            | Lex::And
            | Lex::For
            | Lex::About
    )
}

/// The last day of a range whose first is known, and the token after it: "Monday to Friday", "between the 9th and the 11th".
fn range_end(p: &Parser<'_>, start: usize, end: usize, first: &draft::Outcome) -> Option<(NaiveDate, usize)> {
    let joins = match p.lex(end) {
        Lex::To | Lex::Mark('-' | '–' | '—') => true,
        Lex::And => matches!(p.before(start), Lex::Between),
        _ => false,
    };
    if !joins || first.grain < Unit::Day {
        return None;
    }
    let from_first = Parser { now: first.date.and_time(p.now.time()), ..*p };
    let (draft, end) = from_first.expression(end + 1)?;
    let last = draft.resolve(from_first.now)?;
    let names_a_day = draft.day.is_some() || draft.weekday.is_some() || draft.dom.is_some();
    (names_a_day && last.date >= first.date).then_some((last.last, end))
}

/// The first date expression of a text that says a day.
#[must_use]
pub fn first(text: &str, said_at: NaiveDateTime, language: Option<&str>) -> Option<Resolved> {
    find(text, said_at, language).into_iter().next()
}

fn resolved(tokens: &[token::Token], from: usize, to: usize, outcome: &draft::Outcome) -> Resolved {
    let first = (from..to).find(|at| !matches!(tokens[*at].lex, Lex::In | Lex::At | Lex::On)).unwrap_or(from);
    Resolved {
        date: outcome.date,
        time: outcome.time,
        start: tokens[first].start,
        end: tokens[to - 1].end,
        last: outcome.last,
        grain: outcome.grain,
    }
}

/// Tables of what expressions mean, for the tests of each part.
#[cfg(test)]
mod table {
    use super::{Resolved, first};
    use chrono::NaiveDateTime;

    /// Texts, each with the day (or moment) that it should mean; an empty one for none.
    type Rows<'a> = [(&'a str, &'a str)];

    fn check(said: &str, language: &str, rows: &Rows<'_>, show: impl Fn(Resolved) -> String) {
        let said: NaiveDateTime = format!("{said}:00").parse().unwrap();
        let language = Some(language).filter(|language| !language.is_empty());
        let mean = |text: &str| first(text, said, language).map(&show).unwrap_or_default();
        let wrong: Vec<String> = rows
            .iter()
            .filter(|(text, wanted)| mean(text) != *wanted)
            .map(|(text, wanted)| format!("{text:?}: {:?}, not {wanted:?}", mean(text)))
            .collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    /// Checks days.
    pub fn means(said: &str, language: &str, rows: &Rows<'_>) {
        check(said, language, rows, |found| found.date.to_string());
    }

    /// Checks moments.
    pub fn means_at(said: &str, language: &str, rows: &Rows<'_>) {
        check(said, language, rows, |found| {
            format!("{}T{}", found.date, found.time.unwrap_or_default().format("%H:%M"))
        });
    }

    /// Checks last days.
    pub fn ends(said: &str, rows: &Rows<'_>) {
        check(said, "en", rows, |found| found.last.to_string());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pieces that expressions are made of, and that break them.
    const PIECES: [&str; 64] = [
        "by ",
        "the ",
        "12th",
        "Friday",
        " next ",
        "week",
        " of ",
        "March",
        "3/14",
        "2026",
        "-",
        ".",
        ",",
        " ",
        "\n",
        "in ",
        "two",
        " days",
        "after ",
        "before ",
        "every ",
        "at ",
        "5",
        "pm",
        ":",
        "30",
        "Q2",
        "end ",
        "EOD",
        "tomorrow",
        "'s",
        "’",
        "(",
        ")",
        "th",
        "99999999999",
        "0",
        "31",
        "février",
        "übermorgen",
        "明天",
        "来週",
        "の",
        "3月",
        "금요일",
        "까지",
        "é",
        "🦀",
        "\u{301}",
        "Ⅷ",
        "ß",
        "İ",
        "a ",
        "half ",
        "quarter ",
        "past ",
        "to ",
        "last ",
        "second ",
        "christmas ",
        "+",
        "~",
        "business ",
        "mid",
    ];

    /// A text of random pieces; the same for the same seed.
    fn text(mut seed: u64) -> String {
        let mut next = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize
        };
        let len = next() % 40;
        (0..len).map(|_| PIECES[next() % PIECES.len()]).collect()
    }

    #[test]
    fn offsets_are_in_range_in_order_and_on_character_boundaries() {
        let said: NaiveDateTime = "2026-03-03T10:00:00".parse().unwrap();
        for seed in 0..4_000 {
            let text = text(seed);
            for language in [None, Some("en"), Some("de"), Some("ja")] {
                let mut from = 0;
                for found in find(&text, said, language) {
                    assert!(from <= found.start && found.start < found.end && found.end <= text.len(), "{text:?}");
                    assert!(text.is_char_boundary(found.start) && text.is_char_boundary(found.end), "{text:?}");
                    assert!(found.last >= found.date, "{text:?}");
                    from = found.end;
                }
                assert_eq!(find(&text, said, language), find(&text, said, language), "{text:?}");
                let due = deadline(&text, said, language);
                assert!(due.is_none_or(|due| due.date >= said.date()), "{text:?}");
            }
        }
    }

    #[test]
    fn the_ends_of_time_are_no_trouble() {
        for said in [
            "9999-12-31T23:59:59",
            "0001-01-01T00:00:00",
            "-0001-01-01T00:00:00",
            "+262142-12-31T23:59:59",
            "-262143-01-01T00:00:00",
        ] {
            let Ok(said) = said.parse::<NaiveDateTime>() else { continue };
            for seed in 0..1_000 {
                let _ = find(&text(seed), said, None);
            }
        }
    }

    #[test]
    fn the_words_that_lead_a_day_are_not_part_of_it() {
        let text = "ok – by Friday the 6th, please";
        let found = first(text, "2026-03-03T10:00:00".parse().unwrap(), Some("en")).unwrap();
        assert_eq!(&text[found.start..found.end], "Friday the 6th");
    }
}
