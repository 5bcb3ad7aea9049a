//! Weekdays: "Friday", "this Monday", "Tuesday after next", "the last Sunday of March", "three Fridays from now".

use chrono::{Days, TimeDelta, Weekday};

use super::date_names::rel_ends;
use super::interval::on_or_after;
use super::lexicon::{Lex, Rel, Unit};
use super::parser::{Parsed, Parser};
use super::partial_date::PartialDate;

/// A weekday, with what says which one.
pub(super) fn rule(p: &Parser<'_>, at: usize, so_far: &PartialDate) -> Parsed {
    from_day(p, at).or_else(|| several(p, at)).or_else(|| nth(p, at, so_far)).or_else(|| named(p, at, so_far))
}

fn day_of(p: &Parser<'_>, at: usize) -> Option<Weekday> {
    match p.lex(at) {
        Lex::Weekday(weekday) | Lex::Weekdays(weekday) | Lex::MaybeWeekday(weekday) => Some(weekday),
        _ => None,
    }
}

/// "third Tuesday after Christmas", "the Monday before Easter".
fn from_day(p: &Parser<'_>, at: usize) -> Parsed {
    let start = p.skip(at, |lex| lex == Lex::The);
    let several =
        || p.whole(start).filter(|(n, next)| (1..100).contains(n) && matches!(p.lex(*next), Lex::Weekdays(_)));
    let (n, next) = p.ordinal(start).or_else(several).unwrap_or((1, start));
    let weekday = day_of(p, next)?;
    let sign = match p.lex(next + 1) {
        Lex::After => 1,
        Lex::Before => -1,
        // "the Monday following Easter"
        Lex::Rel(Rel::Next) if matches!(p.lex(next + 2), Lex::Holiday(_)) => 1,
        _ => return None,
    };
    let (anchor, end) = p.inner(next + 2).filter(|(partial, _)| partial.names_a_day() && partial.rel.is_none())?;
    let anchor = anchor.resolve(p.now)?;
    let first = match sign {
        1 => on_or_after(anchor.last.succ_opt()?, weekday)?,
        _ => on_or_after(anchor.date.checked_sub_days(Days::new(7))?, weekday)?,
    };
    let day = first.checked_add_signed(TimeDelta::weeks(i64::from(n - 1) * sign));
    Some((PartialDate { day, ..PartialDate::default() }, end))
}

/// "three Fridays from now".
fn several(p: &Parser<'_>, at: usize) -> Parsed {
    let (n, next) = p.whole(at).filter(|(n, _)| (1..100).contains(n))?;
    let (Lex::Weekdays(weekday) | Lex::Weekday(weekday)) = p.lex(next) else { return None };
    let weeks = TimeDelta::weeks(i64::from(n - 1));
    let day = match p.lex(next + 1) {
        Lex::Later => on_or_after(p.now.date().succ_opt()?, weekday)?.checked_add_signed(weeks),
        Lex::Ago => on_or_after(p.now.date().checked_sub_days(Days::new(7))?, weekday)?.checked_sub_signed(weeks),
        _ => return None,
    };
    Some((PartialDate { day, ..PartialDate::default() }, next + 2))
}

/// "the third Tuesday of September", "last Friday of the month", "last day of", "first week of": what it is of comes next.
fn nth(p: &Parser<'_>, at: usize, so_far: &PartialDate) -> Parsed {
    let at = p.skip(at, |lex| lex == Lex::The);
    let last = |at: usize| p.lex(at) == Lex::Rel(Rel::Last);
    let (n, next) = match p.ordinal(at) {
        _ if last(at) => (-1, at + 1),
        Some((n, next)) if last(next) => (-i8::try_from(n).ok()?, next + 1),
        Some((n, next)) if p.lex(next) == Lex::To && last(next + 1) => (-i8::try_from(n).ok()?, next + 2),
        Some((n, next)) => (i8::try_from(n).ok()?, next),
        None => return None,
    };
    let (unit, end) = match day_of(p, next) {
        Some(_) => (Unit::Day, next + 1),
        // "the last of the month"
        None if n == -1 && p.lex(next) == Lex::Of => (Unit::Day, next),
        None => p.unit(next).filter(|(unit, _)| *unit >= Unit::Day && *unit < Unit::Year)?,
    };
    let weekday = day_of(p, next);
    let of = matches!(p.lex(end), Lex::Of | Lex::In)
        || weekday.is_some() && matches!(p.lex(end), Lex::Rel(_) | Lex::Month(_));
    let past = n == -1 && weekday.is_some();
    // "next month's first Friday"
    let of = of
        || so_far.interval.is_some_and(|interval| interval.unit >= Unit::Month)
        || so_far.month.is_some() && so_far.day_of_month.is_none();
    // "the 15th day of" a month is a day of the calendar.
    let counted = unit != Unit::Day || weekday.is_some() || n < 0 || n <= 5;
    (counted && (of || past)).then_some((PartialDate { nth: Some((n, unit)), weekday, ..PartialDate::default() }, end))
}

/// "next Friday", "Friday after next", "Friday".
fn named(p: &Parser<'_>, at: usize, so_far: &PartialDate) -> Parsed {
    let start = p.skip(at, |lex| lex == Lex::The);
    let (rel, here) = match p.lex(start) {
        Lex::Rel(rel) => (Some(rel), start + 1),
        _ => (None, start),
    };
    // "by 4/5, Tue 5/5": the weekday of the next.
    let next_one = matches!((p.lex(here + 1), p.lex(here + 2)), (Lex::Digits { .. }, Lex::Mark('/' | '.')));
    if so_far.day_of_month.is_some() && next_one {
        return None;
    }
    let mut partial = PartialDate::default();
    partial.weekday = Some(match p.lex(here) {
        Lex::MaybeWeekday(weekday) if rel.is_some() || has_company(p, here, so_far) => weekday,
        Lex::Weekday(weekday) => weekday,
        Lex::Ordinal(number) => feira(p, here, number)?,
        Lex::Weekdays(weekday) => {
            return Some((PartialDate { weekday: Some(weekday), recurring: true, ..partial }, here + 1));
        }
        _ => return None,
    });
    partial.recurring = p.before(at) == Lex::Every || p.before(at) == Lex::A && is_any(p, here + 1);
    let dotted = p.lex(here + 1) == Lex::Mark('.') && p.words(here).len() <= 5 && p.lex(here + 2) != Lex::Break;
    let next = here + 1 + usize::from(dotted);
    if let Some((weeks, end)) = weeks_in_days(p, next).filter(|_| rel.is_none()) {
        let first = on_or_after(p.now.date().succ_opt()?, partial.weekday?)?;
        let day = first.checked_add_signed(TimeDelta::weeks(weeks));
        return Some((PartialDate { day, ..PartialDate::default() }, end));
    }
    let (behind, end) = behind(p, next);
    partial.rel = rel.or(behind);
    Some((partial, end))
}

/// Whether a weekday is one of several, as what stands behind it says: "a Monday next month".
fn is_any(p: &Parser<'_>, at: usize) -> bool {
    let next = p.skip(at, |lex| matches!(lex, Lex::In | Lex::Of));
    p.inner(next).is_some_and(|(partial, _)| partial.interval.is_some_and(|interval| interval.unit >= Unit::Month))
}

/// "até 6ª": Portuguese counts its weekdays, Monday the second.
fn feira(p: &Parser<'_>, at: usize, number: u8) -> Option<Weekday> {
    let led = matches!(p.before(at), Lex::On | Lex::By | Lex::Before | Lex::To);
    let alone = p.words(at).ends_with('ª') && (p.ends(at + 1) || p.goes_on(at + 1));
    Weekday::try_from(number.checked_sub(2)?).ok().filter(|_| led && alone && number < 7)
}

/// Weeks that are counted in days, with both ends: "vendredi en huit", "Freitag in acht Tagen", "heute in 14 Tagen".
pub(super) fn weeks_in_days(p: &Parser<'_>, at: usize) -> Option<(i64, usize)> {
    let (days, end) = p.whole(at + 1).filter(|_| p.lex(at) == Lex::In)?;
    let weeks = match days {
        8 => 1,
        14 | 15 => 2,
        _ => return None,
    };
    match p.lex(end) {
        Lex::Unit(Unit::Day) => Some((weeks, end + 1)),
        _ if p.ends(end) || p.goes_on(end) => Some((weeks, end)),
        _ => None,
    }
}

/// What follows a weekday: "after next", "prochain", "week" (British for the one after).
fn behind(p: &Parser<'_>, at: usize) -> (Option<Rel>, usize) {
    match (p.lex(at), p.lex(at + 1)) {
        (Lex::After, Lex::Rel(Rel::Next)) => (Some(Rel::AfterNext), at + 2),
        (Lex::After, Lex::Break | Lex::Mark(_) | Lex::And) => (Some(Rel::AfterNext), at + 1),
        (Lex::Unit(Unit::Week), _) => (Some(Rel::AfterNext), at + 1),
        (Lex::Rel(rel @ (Rel::Next | Rel::Last)), _) if rel_ends(p, at + 1) => (Some(rel), at + 1),
        _ => (None, at),
    }
}

/// Whether "sun" or "sat" is a day here: alone, behind a word that leads a day, or in front of a number or a part of the day.
fn has_company(p: &Parser<'_>, at: usize, so_far: &PartialDate) -> bool {
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
    let next = p.skip(at + 1, |lex| matches!(lex, Lex::Mark(',' | '.') | Lex::The | Lex::At));
    let follows = match p.lex(next) {
        Lex::Digits { .. } | Lex::Ordinal(_) | Lex::Part(_) | Lex::Noon | Lex::EndOfDay => p.before(at) != Lex::The,
        Lex::Month(_) | Lex::MaybeMonth(_) => true,
        // "mon-fri"
        Lex::Mark('-' | '–') | Lex::To => day_of(p, next + 1).is_some(),
        _ => false,
    };
    let leads = leads || matches!(p.before(at), Lex::Mark('-' | '–')) && at > 1 && day_of(p, at - 2).is_some();
    let capital = p.words(at).starts_with(char::is_uppercase)
        && matches!(p.before(at), Lex::Other | Lex::Mark(',' | '-' | '–' | '→' | ':' | '|'));
    leads || follows || capital || p.tokens.len() <= 2 || *so_far != PartialDate::default()
}

#[cfg(test)]
mod tests {
    use crate::due::table::{TUESDAY, means};

    /// Said on Tuesday, 3 March 2026, at ten.
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
    fn of_a_part_of_today_that_is_over_the_next_is_meant() {
        means("2026-03-03T12:30", "en", &[("Tuesday morning", "2026-03-10"), ("on Tuesday at 9am", "2026-03-10")]);
        means("2026-03-03T12:30", "en", &[("Tuesday afternoon", "2026-03-03"), ("Tuesday at 3", "2026-03-03")]);
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
    fn a_weekday_of_a_month_is_no_certain_day() {
        let any = ["on a Friday in June", "some Friday in June", "on Friday in June", "an April Monday"];
        means(TUESDAY, "en", &any.map(|text| (text, "")));
        means(
            TUESDAY,
            "en",
            &[("by Friday, the March numbers", "2026-03-06"), ("by Friday the March close", "2026-03-06")],
        );
        means(TUESDAY, "en", &[("the first Friday in June", "2026-06-05"), ("Friday 5 June", "2026-06-05")]);
        means(TUESDAY, "en", &[("on a Tuesday", "2026-03-03"), ("a Monday next month", "2026-04-03")]);
        means(TUESDAY, "de", &[("an einem Freitag im Juni", ""), ("übers Wochenende", "2026-03-08")]);
        means(TUESDAY, "fr", &[("un vendredi de juin", "")]);
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
