//! The skeleton of the grammar: an expression is a few pieces, joined by words that say nothing themselves.
//!
//! A piece is read by the first rule that knows it, and joins the others where both can be meant together
//! ([`PartialDate::join`]); so any day goes with any time, any weekday with any week, in any order. Each rule looks at
//! a bounded number of tokens, and an expression has a bounded number of pieces, so the whole is linear in the text.

use chrono::{NaiveDateTime, TimeDelta};

use super::lexicon::{Lex, Part, Unit};
use super::partial_date::PartialDate;
use super::token::DateToken;
use super::{date_names, numeric, period, span, time_of_day, weekday};

/// Pieces of an expression at most: "Thu", "Oct 26", "11:00", "in the morning", "CET", "2026".
const MOST_PIECES: usize = 7;

/// Expressions inside expressions at most: "two weeks after the third Tuesday after Easter".
const MOST_DEPTH: usize = 3;

/// The tokens of a text, and when it was said.
#[derive(Clone, Copy)]
pub(super) struct Parser<'t> {
    pub text: &'t str,
    pub tokens: &'t [DateToken],
    pub now: NaiveDateTime,
    /// How much later the local clock is than that of Greenwich, where it is known.
    pub offset: Option<TimeDelta>,
    pub day_first: bool,
    /// Whether a number may be a day with a point behind it, or without anything: "am 4.5.", "bis 12".
    pub pointed: bool,
    pub depth: usize,
}

/// A piece and the token after it, seen from those that stand before it.
pub(super) type Parsed = Option<(PartialDate, usize)>;
type Rule = fn(&Parser<'_>, usize, &PartialDate) -> Parsed;

const RULES: [Rule; 6] = [time_of_day::rule, numeric::rule, span::rule, weekday::rule, period::rule, date_names::rule];

impl Parser<'_> {
    /// The meaning of a token; past the end, [`Lex::Break`].
    pub fn lex(&self, at: usize) -> Lex {
        self.tokens.get(at).map_or(Lex::Break, |token| token.lex)
    }

    /// The meaning of the token before one.
    pub fn before(&self, at: usize) -> Lex {
        at.checked_sub(1).map_or(Lex::Break, |at| self.lex(at))
    }

    /// Whether a token stands right behind the one before it.
    pub fn glued(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.glued)
    }

    /// Whether a number stands for itself and is not the tail of "A4", "1.10" or "$12".
    pub fn free(&self, at: usize) -> bool {
        !self.glued(at)
            || match self.before(at) {
                Lex::Mark('#' | '$' | '€' | '£' | '¥' | '№') => false,
                Lex::Mark('.' | '/' | '-' | ':' | '_' | ',') => !at.checked_sub(2).is_some_and(|left| {
                    self.glued(at - 1) && matches!(self.lex(left), Lex::Digits { .. } | Lex::Other)
                }),
                Lex::Mark(_) | Lex::Unit(_) | Lex::Break | Lex::Month(_) | Lex::MaybeMonth(_) | Lex::Clock => true,
                // "2026-03-14T10:00"
                Lex::Other if self.words(at - 1) == "T" => true,
                _ => !self.words(at - 1).is_ascii(),
            }
    }

    /// The words of a token.
    pub fn words(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| &self.text[token.start..token.end])
    }

    /// Whether a token is a mark stuck to both of its neighbours.
    pub fn hyphen(&self, at: usize) -> bool {
        matches!(self.lex(at), Lex::Mark('-' | '‐' | '‑')) && self.glued(at) && self.glued(at + 1)
    }

    /// The first token from one on that is not of a kind; at most four are skipped.
    pub fn skip(&self, at: usize, kind: impl Fn(Lex) -> bool) -> usize {
        (at..at + 4).find(|at| !kind(self.lex(*at))).unwrap_or(at + 4)
    }

    /// Whether the tokens from one to another are the whole text, but for a mark at its end.
    pub fn is_whole(&self, from: usize, to: usize) -> bool {
        let len = self.tokens.len();
        from == 0 && (to == len || to + 1 == len && self.ends(to))
    }

    /// Whether a sentence ends at a token.
    pub fn ends(&self, at: usize) -> bool {
        matches!(self.lex(at), Lex::Break)
            || matches!(self.lex(at), Lex::Mark('.' | '!' | '?' | ';' | ')' | ',')) && !self.glued(at + 1)
    }

    /// Whether a token goes on with the sentence and is no noun for the number before it to count.
    pub fn goes_on(&self, at: usize) -> bool {
        const GOES_ON: &str = "and or so but because if when then that is it i we you with works would will please latest as yes yeah ok \
            okay he she they cause isn at from either instead too anyway like which who this no thanks fine should can could there \
            i'll i'm we'll au max maximum donc et y que si como e vale máximo massimo max. ou o alors quindi então pues je yo io eu";
        match self.lex(at) {
            Lex::Break
            | Lex::Mark(_)
            | Lex::And
            | Lex::At
            | Lex::To
            | Lex::For
            | Lex::In
            | Lex::On
            | Lex::By
            | Lex::Before
            | Lex::After => true,
            Lex::Other => {
                let first = self.words(at).split([' ', '\n']).next().unwrap_or_default();
                GOES_ON.split_whitespace().any(|little| little.eq_ignore_ascii_case(first))
            }
            _ => false,
        }
    }

    /// Whether a day or a part of one is named at a token, behind words that join it to a time.
    pub fn day_follows(&self, at: usize) -> bool {
        let next = self.skip(at, |lex| matches!(lex, Lex::On | Lex::In | Lex::The | Lex::Mark(',') | Lex::Rel(_)));
        match self.lex(next) {
            // "2 day after tomorrow" counts days.
            Lex::Day(_) => self.words(next).starts_with("the") || !self.words(next).contains(' ') || next > at,
            Lex::DayPart(..) => true,
            Lex::Weekday(_) => true,
            Lex::Month(_) => next > at && self.before(next) != Lex::The,
            Lex::Part(part) => next > at && !part.is_meal(),
            _ => false,
        }
    }

    /// The expression that starts at a token, and the token after it.
    pub fn expression(&self, at: usize) -> Parsed {
        if self.depth > MOST_DEPTH {
            return None;
        }
        let (mut partial, mut end) = self.piece(at, &PartialDate::default())?;
        for _ in 1..MOST_PIECES {
            let Some(more) = self.more(end, &partial) else { break };
            (partial, end) = more;
        }
        Some((partial, end))
    }

    /// The expression inside another one.
    pub fn inner(&self, at: usize) -> Parsed {
        Parser { depth: self.depth + 1, ..*self }.expression(at)
    }

    /// The piece at a token, joined to those before it.
    fn piece(&self, at: usize, partial: &PartialDate) -> Parsed {
        if matches!(self.lex(at), Lex::Other | Lex::Break) {
            return None;
        }
        RULES.iter().find_map(|rule| {
            let (piece, end) = rule(self, at, partial)?;
            Some((partial.join(&piece)?, end))
        })
    }

    /// The next piece, behind the words that may join it to the last.
    fn more(&self, at: usize, partial: &PartialDate) -> Parsed {
        let joins = |lex| {
            matches!(
                lex,
                Lex::On
                    | Lex::At
                    | Lex::Of
                    | Lex::In
                    | Lex::The
                    | Lex::About
                    | Lex::Possessive
                    | Lex::Mark(',' | '(' | '@' | '.' | '-' | '/')
            )
        };
        let next = self.skip(at, joins);
        let found = self.piece(next, partial).or_else(|| (at..next).find_map(|at| self.piece(at, partial)));
        // "By Friday, the March numbers" says no month of the Friday.
        let apart = (at..next).any(|at| matches!(self.lex(at), Lex::The | Lex::Mark(_)));
        let found = found.filter(|(joined, _)| !(apart && joined.is_any_of_month()));
        found.or_else(|| self.time_for(at, partial))
    }

    /// "on Saturday for 9am", "tomorrow before four": a time may follow where a second day may not.
    fn time_for(&self, at: usize, partial: &PartialDate) -> Parsed {
        if !matches!(self.lex(at), Lex::For | Lex::By | Lex::Before | Lex::After | Lex::From | Lex::To | Lex::Between) {
            return None;
        }
        let (piece, end) = time_of_day::rule(self, at + 1, partial)?;
        (piece.clock.is_some() || piece.part.is_some_and(Part::is_meal)).then_some(())?;
        Some((partial.join(&piece)?, end))
    }

    /// Whether a token is a unit or a sign that a number before it counts.
    pub fn is_counted(&self, at: usize) -> bool {
        match self.lex(at) {
            Lex::Unit(_) | Lex::Business | Lex::Quarter | Lex::Number(_) => true,
            Lex::Mark('%' | '$' | '€' | '£' | '°') => self.glued(at),
            Lex::Mark('.' | ',' | ':' | '-' | '/') => {
                self.glued(at) && self.glued(at + 1) && matches!(self.lex(at + 1), Lex::Digits { .. })
            }
            Lex::Weekdays(_) => true,
            // "3/20まで"
            Lex::Other => self.glued(at) && !self.words(at).starts_with(|c| matches!(c, 'ぁ'..='ゖ')),
            _ => false,
        }
    }

    /// A unit of the calendar, "business days" among them.
    pub fn unit(&self, at: usize) -> Option<(Unit, usize)> {
        match self.lex(at) {
            Lex::Unit(unit) => Some((unit, at + 1)),
            Lex::Second => Some((Unit::Second, at + 1)),
            Lex::Quarter => Some((Unit::Quarter, at + 1)),
            Lex::Business if matches!(self.lex(at + 1), Lex::Unit(Unit::Day)) => Some((Unit::Workday, at + 2)),
            _ => None,
        }
    }
}
