//! Date expressions: what "by Friday", "in zwei Wochen" or "end of Q2" mean, said at a given time in a given zone.
//!
//! A text is cut into tokens (`token`), each looked up once in the words of its language (`lexicon`). A grammar over
//! these meanings (`parser`) reads pieces (a day in digits or words, a weekday, a stretch of days, a span, a time) and
//! joins those that can be meant together in a `partial_date`, which then resolves to a day. The grammar is the same
//! for all languages. README.md beside this file says what each form means.

mod context;
mod correction;
mod date_names;
mod deadline;
mod holiday;
mod interval;
mod lexicon;
mod number;
mod numeric;
mod order;
mod parser;
mod partial_date;
mod period;
mod span;
mod time_of_day;
mod token;
mod weekday;

use chrono::{NaiveDate, NaiveDateTime, NaiveTime, TimeDelta};

pub(crate) use context::{NO_NOUN, Stance};
pub(crate) use correction::takes_back;
pub use deadline::deadline;
pub(crate) use deadline::{DayMention, mentions};
pub use lexicon::Unit;
use lexicon::{DateLexicon, Lex};
pub(crate) use lexicon::{is_month, names_of_days};
pub(crate) use order::writes_day_first;
use parser::Parser;
use partial_date::{Outcome, PartialDate};

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
    partial: PartialDate,
    resolved: Resolved,
    /// Whether it is said of a time before it: "before April".
    before: bool,
}

impl Expression {
    /// Whether it is a weekday and nothing else that says which.
    fn is_bare_weekday(&self) -> bool {
        let partial = &self.partial;
        partial.weekday.is_some()
            && partial.rel.is_none()
            && partial.day_of_month.is_none()
            && partial.day.is_none()
            && partial.interval.is_none()
            && partial.nth.is_none()
    }
}

fn scan(text: &str, said_at: NaiveDateTime, offset: Option<TimeDelta>, language: Option<&str>) -> Vec<Expression> {
    let lexicon = DateLexicon::of(language);
    let tokens = token::tokenise(text, lexicon);
    if !tokens.iter().any(|token| says_when(token.lex)) {
        return Vec::new();
    }
    let DateLexicon { day_first, pointed, .. } = *lexicon;
    let parser = Parser { text, tokens: &tokens, now: said_at, offset, day_first, pointed, depth: 0 };
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        at = match parser.expression(at) {
            Some((partial, end)) => {
                let first = partial.resolve(said_at);
                let range = first.and_then(|first| range_end(&parser, at, end, &first));
                let end = range.map_or(end, |(_, end)| end);
                let whole = first.map(|first| range.map_or(first, |(last, _)| Outcome { date: last, last, ..first }));
                if let Some(outcome) = whole {
                    let resolved = resolved(&tokens, at, end, &outcome);
                    let before = parser.before(at) == Lex::Before;
                    correction::push(&mut found, Expression { partial, resolved, before }, text);
                }
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
fn range_end(p: &Parser<'_>, start: usize, end: usize, first: &Outcome) -> Option<(NaiveDate, usize)> {
    let joins = match p.lex(end) {
        Lex::To | Lex::Mark('-' | '–' | '—') => true,
        Lex::And => matches!(p.before(start), Lex::Between),
        _ => false,
    };
    if !joins || first.grain < Unit::Day {
        return None;
    }
    // "Monday to Friday" is the Friday after that Monday.
    let seen_from = |now: NaiveDateTime| {
        let (partial, end) = Parser { now, ..*p }.expression(end + 1)?;
        let last = partial.resolve(now).filter(|last| partial.names_a_day() && last.date >= first.date)?;
        Some((last.last, end))
    };
    seen_from(p.now).or_else(|| seen_from(first.date.and_time(p.now.time())))
}

/// The first date expression of a text that says a day.
#[must_use]
pub fn first(text: &str, said_at: NaiveDateTime, language: Option<&str>) -> Option<Resolved> {
    find(text, said_at, language).into_iter().next()
}

fn resolved(tokens: &[token::DateToken], from: usize, to: usize, outcome: &Outcome) -> Resolved {
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

    /// When most of them are said, a Tuesday.
    pub const TUESDAY: &str = "2026-03-03T10:00";

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

    /// Checks which day each expression names, said at that minute in that language.
    pub fn means(said: &str, language: &str, rows: &Rows<'_>) {
        check(said, language, rows, |found| found.date.to_string());
    }

    /// Checks which day and time each expression names.
    pub fn means_at(said: &str, language: &str, rows: &Rows<'_>) {
        check(said, language, rows, |found| {
            format!("{}T{}", found.date, found.time.unwrap_or_default().format("%H:%M"))
        });
    }

    /// Checks the last day that each expression allows.
    pub fn ends(said: &str, rows: &Rows<'_>) {
        check(said, "en", rows, |found| found.last.to_string());
    }
}

#[cfg(test)]
mod tests;
