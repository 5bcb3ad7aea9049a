//! Weekdays: "Friday", "this Monday", "Tuesday after next", "the last Sunday of March", "three Fridays from now".

use chrono::{Days, Weekday};

use super::draft::{Draft, on_or_after};
use super::lexicon::{Lex, Rel, Unit};
use super::parser::Parser;

/// A weekday, with what says which one.
pub(super) fn rule(p: &Parser<'_>, at: usize, draft: &mut Draft) -> Option<usize> {
    if draft.weekday.is_some() {
        return None;
    }
    nth_after(p, at, draft)
        .or_else(|| several(p, at, draft))
        .or_else(|| nth(p, at, draft))
        .or_else(|| named(p, at, draft))
}

/// "third Tuesday after Christmas".
fn nth_after(p: &Parser<'_>, at: usize, draft: &mut Draft) -> Option<usize> {
    let (n, next) = p
        .ordinal(p.skip(at, |lex| lex == Lex::The))
        .or_else(|| matches!(p.lex(at), Lex::The).then_some((1, at + 1)))?;
    let weekday = day_of(p, next)?;
    if p.lex(next + 1) != Lex::After {
        return None;
    }
    let (anchor, end) = p.inner(next + 2)?;
    let first = on_or_after(anchor.resolve(p.now)?.date.succ_opt()?, weekday)?;
    draft.day = first.checked_add_days(Days::new(u64::from(n - 1) * 7));
    draft.day.map(|_| end)
}

/// "three Fridays from now".
fn several(p: &Parser<'_>, at: usize, draft: &mut Draft) -> Option<usize> {
    let (n, next) = p.whole(at)?;
    let (Lex::Weekdays(weekday) | Lex::Weekday(weekday)) = p.lex(next) else { return None };
    if p.lex(next + 1) != Lex::Later || n == 0 || n > 100 {
        return None;
    }
    let first = on_or_after(p.now.date().succ_opt()?, weekday)?;
    draft.day = first.checked_add_days(Days::new(u64::from(n - 1) * 7));
    Some(next + 2)
}

/// "the third Tuesday of September", "last Friday of the month": the period is the next piece.
fn nth(p: &Parser<'_>, at: usize, draft: &mut Draft) -> Option<usize> {
    let at = p.skip(at, |lex| lex == Lex::The);
    let (n, next) = match p.lex(at) {
        Lex::Rel(Rel::Last) => (-1, at + 1),
        _ => {
            let (n, next) = p.ordinal(at)?;
            let n = i8::try_from(n).ok()?;
            if matches!(p.lex(next), Lex::Rel(Rel::Last)) { (-n, next + 1) } else { (n, next) }
        }
    };
    let weekday = match p.lex(next) {
        Lex::Unit(Unit::Day) if n < 0 => None,
        _ => Some(day_of(p, next)?),
    };
    if draft.nth.is_some() || (n != -1 || weekday.is_none()) && !matches!(p.lex(next + 1), Lex::Of | Lex::In) {
        return None;
    }
    (draft.nth, draft.weekday) = (Some(n), weekday);
    Some(next + 1)
}

/// "next Friday", "Friday after next", "Friday".
fn named(p: &Parser<'_>, at: usize, draft: &mut Draft) -> Option<usize> {
    let start = p.skip(at, |lex| matches!(lex, Lex::The));
    let (rel, here) = match p.lex(start) {
        Lex::Rel(rel) => (Some(rel), start + 1),
        _ => (None, start),
    };
    let weekday = match p.lex(here) {
        Lex::MaybeWeekday(weekday) if rel.is_some() || has_company(p, here, draft) => weekday,
        Lex::Weekday(weekday) => weekday,
        Lex::Weekdays(weekday) => {
            (draft.weekday, draft.recurring) = (Some(weekday), true);
            return Some(here + 1);
        }
        _ => return None,
    };
    draft.weekday = Some(weekday);
    draft.recurring |= p.before(at) == Lex::Every;
    let end = if p.lex(here + 1) == Lex::Mark('.') && short(p, here) && p.lex(here + 2) != Lex::Break {
        here + 2
    } else {
        here + 1
    };
    let (behind, end) = behind(p, end);
    draft.rel = rel.or(behind).or(draft.rel);
    Some(end)
}

/// What follows a weekday: "after next", "prochain", "week" (British for the one after).
fn behind(p: &Parser<'_>, at: usize) -> (Option<Rel>, usize) {
    match (p.lex(at), p.lex(at + 1), p.lex(at + 2)) {
        (Lex::After, Lex::Rel(Rel::Next), _) => (Some(Rel::AfterNext), at + 2),
        (Lex::After, Lex::Break | Lex::Mark(_) | Lex::And, _) => (Some(Rel::AfterNext), at + 1),
        (Lex::Unit(Unit::Week), ..) => (Some(Rel::AfterNext), at + 1),
        (Lex::Rel(_), Lex::Unit(_), _) => (None, at),
        (Lex::Rel(Rel::Next), ..) => (Some(Rel::Next), at + 1),
        _ => (None, at),
    }
}

fn day_of(p: &Parser<'_>, at: usize) -> Option<Weekday> {
    match p.lex(at) {
        Lex::Weekday(weekday) | Lex::Weekdays(weekday) | Lex::MaybeWeekday(weekday) => Some(weekday),
        _ => None,
    }
}

fn short(p: &Parser<'_>, at: usize) -> bool {
    p.words(at).len() <= 5
}

/// Whether "sun" or "sat" is a day here: alone, behind a word that leads a day, or in front of a number or a part of the day.
fn has_company(p: &Parser<'_>, at: usize, draft: &Draft) -> bool {
    let leads = matches!(
        p.before(at),
        Lex::On
            | Lex::By
            | Lex::Before
            | Lex::To
            | Lex::Between
            | Lex::From
            | Lex::Every
            | Lex::Mark('(' | '/' | '~')
            | Lex::EndOfDay
    );
    let follows = match p.lex(p.skip(at + 1, |lex| matches!(lex, Lex::Mark(',' | '.') | Lex::The))) {
        Lex::Digits { .. } | Lex::Ordinal(_) => p.before(at) != Lex::The,
        Lex::Month(_) | Lex::MaybeMonth(_) => true,
        Lex::Part(_) | Lex::Noon | Lex::EndOfDay => p.before(at) != Lex::The,
        _ => false,
    };
    let alone = p.tokens.len() <= 2;
    let capital = p.words(at).starts_with(char::is_uppercase)
        && matches!(p.before(at), Lex::Other | Lex::Mark(',' | '-' | '–' | '→' | ':' | '|'));
    leads || follows || alone || capital || *draft != Draft::default()
}

#[cfg(test)]
mod tests {
    use crate::due::table::means;

    /// Said on Tuesday, 3 March 2026, at ten.
    const TUESDAY: &str = "2026-03-03T10:00";

    #[test]
    fn a_weekday_is_the_first_from_today_on() {
        means(
            TUESDAY,
            "en",
            &[
                ("by Friday", "2026-03-06"),
                ("Tuesday", "2026-03-03"),
                ("on monday morning", "2026-03-09"),
                ("this Thursday", "2026-03-05"),
                ("(Sam, Wed)", "2026-03-04"),
            ],
        );
    }

    #[test]
    fn next_is_in_the_next_week_and_coming_the_first_after_today() {
        means(
            TUESDAY,
            "en",
            &[
                ("next Friday", "2026-03-13"),
                ("next Tuesday", "2026-03-10"),
                ("the coming Tuesday", "2026-03-10"),
                ("Friday after next", "2026-03-13"),
                ("Friday next week", "2026-03-13"),
                ("wednesday of this week", "2026-03-04"),
                ("the Monday after", "2026-03-16"),
            ],
        );
    }

    #[test]
    fn weekdays_are_counted_from_now_and_in_a_month() {
        means(
            TUESDAY,
            "en",
            &[
                ("three Fridays from now", "2026-03-20"),
                ("the third Tuesday of September 2026", "2026-09-15"),
                ("last Sunday of March", "2026-03-29"),
                ("last day of October", "2026-10-31"),
                ("third Tuesday after Easter", "2026-04-21"),
            ],
        );
    }

    #[test]
    fn a_date_with_its_weekday_is_the_next_on_which_both_fall() {
        means("2022-05-01T00:00", "en", &[("Fri 14th", "2022-10-14"), ("Tuesday the 13th", "2022-09-13")]);
        means("2026-06-05T09:00", "en", &[("by Wed 10/6", "2026-06-10"), ("Thu 11/6", "2026-06-11")]);
    }

    #[test]
    fn words_that_only_look_like_weekdays_are_none() {
        means(
            TUESDAY,
            "en",
            &[
                ("the sun is out", ""),
                ("she sat down", ""),
                ("we wed the two", ""),
                ("every Friday", ""),
                ("on Fridays", ""),
            ],
        );
    }
}
