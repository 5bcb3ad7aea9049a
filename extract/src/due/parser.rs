//! The grammar's frame: an expression is a few pieces, joined by words that say nothing themselves.
//!
//! Each piece looks at a bounded number of tokens, and an expression has a bounded number of pieces, so the whole is
//! linear in the length of the text.

use chrono::{Datelike, NaiveDateTime, TimeDelta};

use super::draft::Draft;
use super::lexicon::{Lex, Part};
use super::token::Token;
use super::{calendar, period, relative, time, weekday};

/// Pieces of an expression at most: "Thu", "Oct 26", "2026", "11:00", "in the morning", "CET".
const MOST_PIECES: usize = 6;

/// Expressions inside expressions at most: "two weeks after the third Tuesday after Easter".
const MOST_DEPTH: usize = 3;

/// The tokens of a text, and when it was said.
#[derive(Clone, Copy)]
pub(super) struct Parser<'t> {
    pub text: &'t str,
    pub tokens: &'t [Token],
    pub now: NaiveDateTime,
    /// How much later the local clock is than that of Greenwich, where it is known.
    pub offset: Option<TimeDelta>,
    pub day_first: bool,
    pub depth: usize,
}

/// A piece: fills its part of the draft and returns the token after it, or leaves the draft alone.
type Rule = fn(&Parser<'_>, usize, &mut Draft) -> Option<usize>;

const RULES: [Rule; 5] = [calendar::rule, relative::rule, period::rule, weekday::rule, time::rule];

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

    /// Whether a number stands for itself and is not the tail of "A4" or "1.10".
    pub fn free(&self, at: usize) -> bool {
        !self.glued(at)
            || match self.before(at) {
                Lex::Mark('.' | '/' | '-' | ':' | '_' | '#' | '$' | '€' | '£') => {
                    !at.checked_sub(2).is_some_and(|left| matches!(self.lex(left), Lex::Digits { .. } | Lex::Other))
                }
                Lex::Mark(_) | Lex::Unit(_) | Lex::Break | Lex::Month(_) | Lex::MaybeMonth(_) | Lex::Clock => true,
                _ => false,
            }
    }

    /// The words of a token.
    pub fn words(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| &self.text[token.start..token.end])
    }

    /// The first token from one on that is not of a kind; at most four are skipped.
    pub fn skip(&self, at: usize, kind: impl Fn(Lex) -> bool) -> usize {
        (at..at + 4).find(|at| !kind(self.lex(*at))).unwrap_or(at + 4)
    }

    /// Whether a token goes on with the sentence and is no noun for the number before it to count.
    pub fn goes_on(&self, at: usize) -> bool {
        const LITTLE: &str = "and or so but because if when then that is it i we you with works would will please latest as yes yeah ok \
            okay he she they cause isn at from either instead too anyway like which who this";
        match self.lex(at) {
            Lex::Break
            | Lex::Mark(_)
            | Lex::And
            | Lex::At
            | Lex::To
            | Lex::For
            | Lex::In
            | Lex::On
            | Lex::Before
            | Lex::After => true,
            Lex::Other => {
                let first = self.words(at).split([' ', '\n']).next().unwrap_or_default();
                LITTLE.split_whitespace().any(|little| little.eq_ignore_ascii_case(first))
            }
            _ => false,
        }
    }

    /// The expression that starts at a token, and the token after it.
    pub fn expression(&self, at: usize) -> Option<(Draft, usize)> {
        if self.depth > MOST_DEPTH {
            return None;
        }
        let mut draft = Draft::default();
        let mut end = self.piece(at, &mut draft)?;
        for _ in 1..MOST_PIECES {
            let Some(next) = self.more(end, &mut draft) else { break };
            end = next;
        }
        Some((draft, end))
    }

    /// The expression inside another one.
    pub fn inner(&self, at: usize) -> Option<(Draft, usize)> {
        Parser { depth: self.depth + 1, ..*self }.expression(at)
    }

    fn piece(&self, at: usize, draft: &mut Draft) -> Option<usize> {
        if matches!(self.lex(at), Lex::Other | Lex::Break) {
            return None;
        }
        RULES.iter().find_map(|rule| {
            let mut filled = *draft;
            let end = rule(self, at, &mut filled)?;
            consistent(&filled).then(|| *draft = filled)?;
            Some(end)
        })
    }

    /// The next piece, behind the words that may join it to the last.
    fn more(&self, at: usize, draft: &mut Draft) -> Option<usize> {
        let joins = |lex| {
            matches!(
                lex,
                Lex::On | Lex::At | Lex::Of | Lex::In | Lex::The | Lex::About | Lex::Mark(',' | '(' | '@' | '.' | '-')
            )
        };
        let next = self.skip(at, joins);
        let found = self.piece(next, draft).or_else(|| (next > at).then(|| self.piece(at, draft)).flatten());
        found.or_else(|| self.time_for(at, draft))
    }

    /// "on Saturday for 9am", "tomorrow before four": a time may follow where a second day may not.
    fn time_for(&self, at: usize, draft: &mut Draft) -> Option<usize> {
        if !matches!(self.lex(at), Lex::For | Lex::By | Lex::Before | Lex::After | Lex::From) {
            return None;
        }
        let mut filled = *draft;
        let end = time::rule(self, at + 1, &mut filled)?;
        (filled.clock.is_some() || filled.part == Some(Part::Lunch)).then(|| *draft = filled)?;
        Some(end)
    }
}

/// Whether the pieces can be meant together: "Friday, tomorrow" only on a Thursday.
fn consistent(draft: &Draft) -> bool {
    match (draft.day, draft.weekday) {
        (Some(day), Some(weekday)) => day.weekday() == weekday && draft.dom.is_none() && draft.period.is_none(),
        (Some(_), None) => draft.dom.is_none() && draft.period.is_none() && draft.month.is_none(),
        (None, _) => draft.period.is_none() || draft.month.is_none(),
    }
}
