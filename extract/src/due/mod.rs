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

use chrono::{NaiveDate, NaiveDateTime, NaiveTime};

pub use deadline::deadline;
use draft::Draft;
pub use lexicon::Unit;
use lexicon::{Lex, Lexicon};
use parser::Parser;

/// A date expression found in a text and what it means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// The day. Of a range, its first; of a week, its Friday; of a weekend, its Sunday; of a month, its first.
    pub date: NaiveDate,
    /// The time of day, where one is said.
    pub time: Option<NaiveTime>,
    /// First byte of the expression in the text.
    pub start: usize,
    /// One past its last byte.
    pub end: usize,
    /// Last day of what is meant: of a range its end, of a month its last day; otherwise `date`.
    pub last: NaiveDate,
    /// How exactly it is said.
    pub grain: Unit,
}

/// Every date expression in a text, in order, without overlaps. `said_at` is the local time in the item's zone;
/// `language` is BCP 47, or `None` to recognise the words of every language that is known. Recurring expressions
/// ("every Friday") and impossible ones ("February 30") are left out.
#[must_use]
pub fn find(text: &str, said_at: NaiveDateTime, language: Option<&str>) -> Vec<Resolved> {
    scan(text, said_at, language).into_iter().map(|expression| expression.resolved).collect()
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

fn scan(text: &str, said_at: NaiveDateTime, language: Option<&str>) -> Vec<Expression> {
    let lexicon = Lexicon::of(language);
    let tokens = token::tokenise(text, lexicon);
    let parser = Parser { text, tokens: &tokens, now: said_at, day_first: lexicon.day_first, depth: 0 };
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        at = match parser.expression(at) {
            Some((draft, end)) => {
                let first = draft.resolve(said_at);
                let range = first.and_then(|first| range_end(&parser, at, end, &first));
                let end = range.map_or(end, |(_, end)| end);
                let whole =
                    first.map(|first| draft::Outcome { last: range.map_or(first.last, |(last, _)| last), ..first });
                found.extend(whole.map(|outcome| Expression { draft, resolved: resolved(&tokens, at, end, &outcome) }));
                end.max(at + 1)
            }
            None => at + 1,
        };
    }
    found
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
