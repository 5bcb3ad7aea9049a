//! Days of the calendar: "2026-03-14", "3/14", "March 14th", "14. März", "the 12th", "in June", "Christmas".

use chrono::{Datelike, NaiveDate};

use super::draft::Draft;
use super::holiday::Holiday;
use super::lexicon::{Lex, Rel, Unit};
use super::parser::Parser;

/// A day, or month, of the calendar.
pub(super) fn rule(p: &Parser<'_>, at: usize, draft: &mut Draft) -> Option<usize> {
    if draft.dom.is_some() || draft.day.is_some() || draft.month.is_some() || draft.moment.is_some() {
        return None;
    }
    marked(p, at, draft)
        .or_else(|| numeric(p, at, draft))
        .or_else(|| year_first(p, at, draft))
        .or_else(|| month_first(p, at, draft))
        .or_else(|| day_first(p, at, draft))
        .or_else(|| month_alone(p, at, draft))
        .or_else(|| day_alone(p, at, draft))
        .or_else(|| holiday(p, at, draft))
}

/// Puts a day into the draft; one that no calendar has makes the draft broken.
fn put(draft: &mut Draft, year: Option<i32>, month: u32, day: u32) {
    draft.broken |= NaiveDate::from_ymd_opt(year.unwrap_or(2024), month, day).is_none();
    (draft.year, draft.month, draft.dom) = (year, Some(month), Some(day));
}

fn full_year(value: u32, len: u8) -> Option<i32> {
    let year = match len {
        4 if (1900..2200).contains(&value) => value,
        2 => 2000 + value,
        _ => return None,
    };
    i32::try_from(year).ok()
}

/// Digits right behind a mark, and no letter or further part right behind them.
fn numeric(p: &Parser<'_>, at: usize, draft: &mut Draft) -> Option<usize> {
    let Lex::Digits { value: a, len: a_len } = p.lex(at) else { return None };
    if a_len == 8 && (!p.glued(at) || matches!(p.before(at), Lex::Mark(_))) && !tail(p, at + 1) {
        let (year, month, day) = (a / 10_000, a / 100 % 100, a % 100);
        put(draft, full_year(year, 4), month, day);
        return (!draft.broken && (1990..2100).contains(&year)).then_some(at + 1);
    }
    let Lex::Mark(sep @ ('/' | '-' | '.')) = p.lex(at + 1) else { return None };
    let Lex::Digits { value: b, len: b_len } = p.lex(at + 2) else { return None };
    if !p.free(at) || !p.glued(at + 1) || !p.glued(at + 2) || b_len > 4 {
        return None;
    }
    match (p.lex(at + 3), p.lex(at + 4)) {
        (Lex::Mark(second), Lex::Digits { value: c, len: c_len })
            if second == sep && p.glued(at + 3) && p.glued(at + 4) =>
        {
            if tail(p, at + 5) {
                return None;
            }
            three(p, draft, sep, [(a, a_len), (b, b_len), (c, c_len)]).map(|()| at + 5)
        }
        _ => two(p, at, draft, sep, [(a, a_len), (b, b_len)]),
    }
}

/// Whether something is stuck to the end of a numeric date: "1.2.3.4", "3-3-2020-A".
fn tail(p: &Parser<'_>, at: usize) -> bool {
    p.glued(at)
        && match p.lex(at) {
            Lex::Mark('/' | '-' | '.' | ':') => p.glued(at + 1) && !matches!(p.lex(at + 1), Lex::Mark(_) | Lex::Other),
            Lex::Mark('%' | '°' | '$' | '€') => true,
            Lex::Mark(_) | Lex::Possessive | Lex::Break => false,
            _ => p.words(at) != "T" && !matches!(p.lex(at), Lex::Other),
        }
}

fn three(p: &Parser<'_>, draft: &mut Draft, sep: char, parts: [(u32, u8); 3]) -> Option<()> {
    let [(a, a_len), (b, b_len), (c, c_len)] = parts;
    if a_len == 4 {
        let year = full_year(a, 4)?;
        let (month, day) = if b > 12 && c <= 12 { (c, b) } else { (b, c) };
        put(draft, Some(year), month, day);
        return Some(());
    }
    if a_len > 2 || b_len > 2 || (sep == '.' && c_len == 2 && !p.day_first) {
        return None;
    }
    let (month, day) = month_and_day(p, a, b)?;
    put(draft, Some(full_year(c, c_len)?), month, day);
    Some(())
}

/// Which of two numbers is the month: as the language has it, unless only the other can be.
fn month_and_day(p: &Parser<'_>, a: u32, b: u32) -> Option<(u32, u32)> {
    let (first, second) = if p.day_first { (b, a) } else { (a, b) };
    let possible = |month: u32, day: u32| (1..=12).contains(&month) && (1..=31).contains(&day);
    if possible(first, second) {
        return Some((first, second));
    }
    possible(second, first).then_some((second, first))
}

/// Month and day the other way round, where only so the day falls on the weekday that stands before it.
fn fitting(p: &Parser<'_>, draft: &Draft, month: u32, day: u32) -> (u32, u32) {
    let falls = |month: u32, day: u32| {
        let coming = Draft { month: Some(month), dom: Some(day), ..Draft::default() }.resolve(p.now)?;
        Some(draft.weekday? == coming.date.weekday())
    };
    let turned = falls(month, day) == Some(false) && falls(day, month) == Some(true);
    if turned { (day, month) } else { (month, day) }
}

/// Day and month, or month and year.
fn two(p: &Parser<'_>, at: usize, draft: &mut Draft, sep: char, parts: [(u32, u8); 2]) -> Option<usize> {
    let [(a, a_len), (b, b_len)] = parts;
    let dotted = sep == '.' && p.lex(at + 3) == Lex::Mark('.') && p.glued(at + 3) && p.day_first;
    let end = if dotted { at + 4 } else { at + 3 };
    if tail(p, at + 3) && !dotted {
        return None;
    }
    if sep == '/' && a_len <= 2 && b_len == 4 && (1..=12).contains(&a) {
        (draft.month, draft.year) = (Some(a), full_year(b, 4));
        return draft.year.map(|_| at + 3);
    }
    if a_len > 2 || b_len > 2 {
        return None;
    }
    let company = draft.weekday.is_some() || matches!(p.before(at), Lex::On | Lex::By | Lex::Before | Lex::To);
    let clear = match sep {
        '/' => !matches!(p.lex(at + 3), Lex::Unit(_)),
        '.' => {
            dotted || (company && b_len <= 2 && !matches!(p.lex(at + 3), Lex::Am | Lex::Pm | Lex::Clock | Lex::Other))
        }
        _ => draft.weekday.is_some(),
    };
    let (month, day) = month_and_day(p, a, b).filter(|_| clear)?;
    let (month, day) = fitting(p, draft, month, day);
    put(draft, None, month, day);
    Some(year_behind(p, end, draft))
}

/// "2026年3月14日", "3월 14일", "14号".
fn marked(p: &Parser<'_>, at: usize, draft: &mut Draft) -> Option<usize> {
    let number = |at: usize, mark: Lex| match p.lex(at) {
        Lex::Digits { value, .. } if p.lex(at + 1) == mark => Some(value),
        _ => None,
    };
    let year = number(at, Lex::YearMark);
    let at = if year.is_some() { at + 2 } else { at };
    let Some(month) = number(at, Lex::MonthMark) else {
        draft.dom = Some(number(at, Lex::DayMark).filter(|day| (1..=31).contains(day) && year.is_none())?);
        return Some(at + 2);
    };
    match number(at + 2, Lex::DayMark) {
        Some(day) => put(draft, year.and_then(|year| full_year(year, 4)), month, day),
        None => {
            draft.month = Some(month).filter(|month| (1..=12).contains(month));
            draft.year = year.and_then(|year| full_year(year, 4));
            return draft.month.map(|_| at + 2);
        }
    }
    Some(at + 4)
}

/// "2012/Aug/10", "2018 March 18".
fn year_first(p: &Parser<'_>, at: usize, draft: &mut Draft) -> Option<usize> {
    let Lex::Digits { value, len: 4 } = p.lex(at) else { return None };
    let year = full_year(value, 4)?;
    let next = p.skip(at + 1, |lex| matches!(lex, Lex::Mark('/' | '-' | ',')));
    let (Lex::Month(month) | Lex::MaybeMonth(month)) = p.lex(next) else { return None };
    let (day, end) = day_number(p, p.skip(next + 1, |lex| matches!(lex, Lex::Mark('/' | '-' | ','))))?;
    put(draft, Some(year), month.into(), day);
    Some(end)
}

/// "March 14", "Nov/2", "February twenty-second, 2027".
fn month_first(p: &Parser<'_>, at: usize, draft: &mut Draft) -> Option<usize> {
    let (month, sure) = match p.lex(at) {
        Lex::Month(month) => (month, true),
        Lex::MaybeMonth(month) => (month, false),
        _ => return None,
    };
    let next = p.skip(at + 1, |lex| matches!(lex, Lex::Mark('.' | ',' | '/' | '-') | Lex::The));
    let (day, end) = day_number(p, next)?;
    let counts = matches!(p.lex(end), Lex::Unit(_) | Lex::Am | Lex::Pm | Lex::Clock)
        || (p.lex(end) == Lex::Mark(':') && p.glued(end));
    let verb =
        !sure && !p.words(at).starts_with(char::is_uppercase) && p.lex(end) == Lex::Other && !ordinal_at(p, next);
    if counts || verb {
        return None;
    }
    let (until, end) = until_day(p, end)
        .filter(|(_, end)| !is_month(p, *end) && p.lex(*end) != Lex::Mark(':'))
        .map_or((None, end), |(day, end)| (Some(day), end));
    put(draft, None, month.into(), day);
    ends(draft, until);
    let end = year_behind(p, end, draft);
    ends(draft, until);
    Some(end)
}

/// The day that ends a range: "- 28", "to the 28th".
fn until_day(p: &Parser<'_>, at: usize) -> Option<(u32, usize)> {
    if !matches!(p.lex(at), Lex::To | Lex::And | Lex::Mark('-' | '–' | '/')) {
        return None;
    }
    let (day, end) = day_number(p, p.skip(at + 1, |lex| lex == Lex::The))?;
    let counts = matches!(p.lex(end), Lex::Unit(_) | Lex::Am | Lex::Pm | Lex::Clock)
        || (matches!(p.lex(end), Lex::Mark('/' | '-')) && p.glued(end));
    (!counts).then_some((day, end))
}

/// Puts the end of a range into the draft.
fn ends(draft: &mut Draft, until: Option<u32>) {
    let Some(day) = until else { return };
    let known = draft.month.and_then(|month| NaiveDate::from_ymd_opt(draft.year.unwrap_or(2024), month, day));
    draft.until = Some(day);
    draft.broken |= known.is_none();
}

fn is_month(p: &Parser<'_>, at: usize) -> bool {
    matches!(p.lex(at), Lex::Month(_) | Lex::MaybeMonth(_))
}

fn ordinal_at(p: &Parser<'_>, at: usize) -> bool {
    p.ordinal(at).is_some()
}

/// A day of the month as a number or an ordinal, also "23rd day".
fn day_number(p: &Parser<'_>, at: usize) -> Option<(u32, usize)> {
    let (day, end) = match p.lex(at) {
        Lex::Digits { value, len: 1 | 2 } => (value, at + 1),
        Lex::Digits { .. } => return None,
        _ => p.ordinal(at).or_else(|| p.whole(at))?,
    };
    (1..=31).contains(&day).then_some((day, end))
}

/// "14 March", "the second of Aug.", "15Sep", "14. März 2026", "28 June in 2020".
fn day_first(p: &Parser<'_>, at: usize, draft: &mut Draft) -> Option<usize> {
    let start = p.skip(at, |lex| lex == Lex::The);
    let (day, end) = day_number(p, start).filter(|_| p.free(start))?;
    let end = if p.lex(end) == Lex::Unit(Unit::Day) { end + 1 } else { end };
    let next = p.skip(end, |lex| matches!(lex, Lex::Of | Lex::Mark('.' | '/' | '-') | Lex::The));
    let (until, next) =
        until_day(p, end).filter(|(_, next)| is_month(p, *next)).map_or((None, next), |(day, next)| (Some(day), next));
    let (Lex::Month(month) | Lex::MaybeMonth(month)) = p.lex(next) else { return None };
    if matches!((p.lex(start), p.lex(next)), (Lex::Number(_), Lex::MaybeMonth(_))) {
        return None;
    }
    put(draft, None, month.into(), day);
    ends(draft, until);
    let dot = p.lex(next + 1) == Lex::Mark('.') && p.words(next).len() <= 4;
    Some(year_behind(p, if dot && matches!(p.lex(next + 2), Lex::Digits { .. }) { next + 2 } else { next + 1 }, draft))
}

/// Takes a year that follows: ", 2026", "of 2026", "'26".
fn year_behind(p: &Parser<'_>, at: usize, draft: &mut Draft) -> usize {
    let next = p.skip(at, |lex| matches!(lex, Lex::Mark(',' | '.' | '/' | '-') | Lex::Of | Lex::In));
    match p.lex(next) {
        Lex::Digits { value, len: 4 } if !clock_follows(p, next) => {
            if let Some(year) = full_year(value, 4) {
                draft.year = Some(year);
                draft.broken |=
                    draft.month.zip(draft.dom).is_some_and(|(m, d)| NaiveDate::from_ymd_opt(year, m, d).is_none());
                return next + 1;
            }
        }
        Lex::Mark('\'') => {
            if let Lex::Digits { value, len: 2 } = p.lex(next + 1) {
                draft.year = full_year(value, 2);
                return next + 2;
            }
        }
        Lex::Number(2) if matches!(p.words(next + 1), "thousand") => {
            let tail = p.skip(next + 2, |lex| lex == Lex::And);
            if let Some((years, end)) = p.whole(tail).filter(|(n, _)| *n < 100) {
                draft.year = i32::try_from(2000 + years).ok();
                return end;
            }
        }
        _ => {}
    }
    at
}

fn clock_follows(p: &Parser<'_>, at: usize) -> bool {
    matches!(p.lex(at + 1), Lex::Mark(':') | Lex::Clock) && p.glued(at + 1)
}

/// "in June", "March 2026".
fn month_alone(p: &Parser<'_>, at: usize, draft: &mut Draft) -> Option<usize> {
    let (month, sure) = match p.lex(at) {
        Lex::Month(month) => (month, true),
        Lex::MaybeMonth(month) => (month, false),
        _ => return None,
    };
    if draft.weekday.is_some() && draft.nth.is_none() {
        return None;
    }
    draft.month = Some(month.into());
    let end = year_behind(p, at + 1, draft);
    let led =
        matches!(p.before(at), Lex::In | Lex::By | Lex::Of | Lex::Before | Lex::Rel(_) | Lex::Edge(_) | Lex::Between)
            || draft.nth.is_some()
            || draft.edge.is_some();
    (sure || end > at + 1 || (led && p.words(at).starts_with(char::is_uppercase))).then_some(end)
}

/// "the 12th", "on the first", "Tuesday 19th", "Eleventh."
fn day_alone(p: &Parser<'_>, at: usize, draft: &mut Draft) -> Option<usize> {
    let start = p.skip(at, |lex| lex == Lex::The);
    if let Lex::Digits { value: day @ 1..=31, len: 1 | 2 } = p.lex(start) {
        return digits_alone(p, start, day, draft);
    }
    let (day, mut end) = p.ordinal(start)?;
    if p.lex(end) == Lex::Unit(Unit::Day) && p.lex(end + 1) == Lex::Of {
        end += 1;
    }
    let of_month = p.lex(end) == Lex::Of
        && matches!(p.lex(p.skip(end + 1, |lex| lex == Lex::The)), Lex::Rel(_) | Lex::Unit(Unit::Month));
    let digits = matches!(p.lex(start), Lex::Ordinal(_)) && p.words(start).starts_with(|c: char| c.is_ascii_digit());
    let open = p.lex(end) == Lex::Other && !p.goes_on(end)
        || matches!(p.lex(end), Lex::Unit(_) | Lex::Quarter | Lex::Half | Lex::Part(_) | Lex::Weekday(_) | Lex::Rel(_))
        || p.lex(end) == Lex::Of && !of_month;
    let settled = ["so", "say", "it's"].iter().any(|word| at > 0 && p.words(at - 1).ends_with(word));
    let leads = matches!(p.before(at), Lex::On | Lex::By | Lex::Before | Lex::To | Lex::Between | Lex::And);
    let led = start > at && (leads || settled);
    let plain = match digits {
        true => !counted_noun(p, end),
        false if open => false,
        false => led || (day > 3 || of_month || draft.weekday.is_some()) && p.lex(start) != Lex::Second,
    };
    if !plain && !of_month {
        return None;
    }
    draft.dom = Some(day);
    Some(end)
}

/// Digits without an ordinal's ending: only behind a weekday ("Monday 21"), and with no time or unit behind them.
fn digits_alone(p: &Parser<'_>, at: usize, day: u32, draft: &mut Draft) -> Option<usize> {
    let taken = matches!(
        p.lex(at + 1),
        Lex::Am | Lex::Pm | Lex::Clock | Lex::Unit(_) | Lex::Quarter | Lex::Part(_) | Lex::DayPart(..)
    ) || matches!(p.lex(at + 1), Lex::Mark(':' | '.' | '/' | '%')) && p.glued(at + 1) && p.glued(at + 2)
        || matches!(p.before(at), Lex::At | Lex::For | Lex::By | Lex::About | Lex::Mark('@'))
        || p.lex(at + 1) == Lex::Mark('-') && matches!(p.lex(at + 2), Lex::Digits { .. });
    let dotted = p.lex(at + 1) == Lex::Mark('.') && p.glued(at + 1);
    let closed = matches!(p.lex(at + 1), Lex::Break | Lex::Mark(_));
    let led = p.day_first && matches!(p.before(at), Lex::The | Lex::On | Lex::By | Lex::To) && closed;
    if p.glued(at) || !led && (taken || draft.weekday.is_none() || draft.rel.is_some()) {
        return None;
    }
    draft.dom = Some(day);
    Some(at + 1 + usize::from(dotted && led))
}

/// "12th floor": a noun that ordinals count.
fn counted_noun(p: &Parser<'_>, at: usize) -> bool {
    const NOUNS: [&str; 21] = [
        "floor",
        "century",
        "street",
        "st",
        "avenue",
        "ave",
        "grade",
        "time",
        "anniversary",
        "edition",
        "version",
        "attempt",
        "line",
        "row",
        "page",
        "chapter",
        "percentile",
        "person",
        "place",
        "birthday",
        "graders",
    ];
    match p.lex(at) {
        Lex::Other => {
            let first = p.words(at).split([' ', '\n']).next().unwrap_or_default();
            NOUNS.contains(&first)
        }
        Lex::Quarter | Lex::Half | Lex::Later | Lex::Unit(_) | Lex::Rel(Rel::Last) => true,
        _ => false,
    }
}

/// "Christmas", "Easter 2018", "next Thanksgiving".
fn holiday(p: &Parser<'_>, at: usize, draft: &mut Draft) -> Option<usize> {
    let (rel, here) = match p.lex(at) {
        Lex::Rel(rel) => (Some(rel), at + 1),
        _ => (None, at),
    };
    let Lex::Holiday(holiday) = p.lex(here) else { return None };
    let mut years = Draft::default();
    let end = year_behind(p, here + 1, &mut years);
    draft.day = years.year.map_or_else(|| nearest(p.now.date(), holiday, rel), |year| holiday.in_year(year));
    draft.day.map(|_| end)
}

/// The next such day from today on; with "last", the one before.
fn nearest(today: NaiveDate, holiday: Holiday, rel: Option<Rel>) -> Option<NaiveDate> {
    let this = holiday.in_year(today.year())?;
    match rel {
        Some(Rel::Last) if this < today => Some(this),
        Some(Rel::Last) => holiday.in_year(today.year() - 1),
        _ if this < today => holiday.in_year(today.year() + 1),
        _ => Some(this),
    }
}

#[cfg(test)]
mod tests {
    use crate::due::table::means;

    /// Said on Tuesday, 3 March 2026, at ten.
    const TUESDAY: &str = "2026-03-03T10:00";

    #[test]
    fn numbers_are_read_as_the_language_orders_them() {
        means(
            TUESDAY,
            "en",
            &[
                ("2026-03-14", "2026-03-14"),
                ("2026/3/14", "2026-03-14"),
                ("3/14", "2026-03-14"),
                ("14/3", "2026-03-14"),
                ("due 4/5", "2026-04-05"),
                ("12/12/30", "2030-12-12"),
                ("04/2027", "2027-04-01"),
            ],
        );
        means(TUESDAY, "en-GB", &[("due 4/5", "2026-05-04")]);
        means(TUESDAY, "de", &[("am 4.5.", "2026-05-04"), ("14.3.2027", "2027-03-14"), ("bis zum 12.", "2026-03-12")]);
    }

    #[test]
    fn months_are_named_before_and_behind_the_day() {
        means(
            TUESDAY,
            "en",
            &[
                ("March 14th", "2026-03-14"),
                ("14 March 2027", "2027-03-14"),
                ("the second of Aug.", "2026-08-02"),
                ("february twenty second", "2027-02-22"),
                ("Sunday, March, 6th 2016", "2016-03-06"),
                ("2012/Aug/10", "2012-08-10"),
                ("15Sep", "2026-09-15"),
                ("28 june in 2020", "2020-06-28"),
            ],
        );
    }

    #[test]
    fn a_day_of_the_month_is_the_next_one() {
        means(
            TUESDAY,
            "en",
            &[
                ("by the 12th", "2026-03-12"),
                ("on the first", "2026-04-01"),
                ("the twenty-sixth", "2026-03-26"),
                ("Eleventh. Ugly.", "2026-03-11"),
                ("20th of the next month", "2026-04-20"),
                ("on the 15th day of next month", "2026-04-15"),
            ],
        );
    }

    #[test]
    fn a_range_is_its_last_day() {
        means(
            TUESDAY,
            "en",
            &[
                ("March 9 - 11", "2026-03-11"),
                ("10-12 March", "2026-03-12"),
                ("Oct 26 - 28, 2026", "2026-10-28"),
                ("between the 9th and the 11th", "2026-03-11"),
                ("Monday to Friday", "2026-03-13"),
            ],
        );
    }

    #[test]
    fn days_that_no_calendar_has_are_none() {
        means(
            TUESDAY,
            "en",
            &[("8/32/2014", ""), ("2014-08-32", ""), ("June 31, 2022", ""), ("February 20 - 29, 2022", "")],
        );
    }

    #[test]
    fn numbers_and_words_that_only_look_like_dates_are_none() {
        means(
            TUESDAY,
            "en",
            &[
                ("Version: 1.10.30", ""),
                ("call 650-650-6500", ""),
                ("code 133-03-03-2020", ""),
                ("at 101,194 points", ""),
                ("the 12th floor", ""),
                ("the first thing", ""),
                ("You may get it", ""),
                ("they march on", ""),
                ("12.53%", ""),
            ],
        );
    }
}
