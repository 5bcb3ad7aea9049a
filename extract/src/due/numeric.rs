//! Days in digits: "2026-03-14", "3/14", "14.3.2027", "20260314", "2026年3月14日".

use chrono::{Datelike, NaiveDate};

use super::lexicon::Lex;
use super::parser::{Parsed, Parser};
use super::partial_date::PartialDate;

/// A number and how many digits it is written with.
type Number = (u32, u8);

/// A day in digits.
pub(super) fn rule(p: &Parser<'_>, at: usize, so_far: &PartialDate) -> Parsed {
    marked(p, at).or_else(|| packed(p, at)).or_else(|| {
        let (sep, numbers, end) = group(p, at)?;
        match numbers {
            [a, b, Some(c)] => three(p, (at, end), so_far, sep, [a?, b?, c]).map(|partial| (partial, after_t(p, end))),
            [a, b, None] => two(p, (at, end), so_far, sep, [a?, b?]),
        }
    })
}

/// The year that two or four digits say.
pub(super) fn full_year((value, len): Number) -> Option<i32> {
    let year = match len {
        4 if (1900..2200).contains(&value) => value,
        2 => 2000 + value,
        _ => return None,
    };
    i32::try_from(year).ok()
}

/// A day of the calendar; in a year that has none such, it is read as a date that means nothing.
pub(super) fn date(year: Option<i32>, month: u32, day: u32) -> PartialDate {
    PartialDate { year, month: Some(month), day_of_month: Some(day), ..PartialDate::default() }
}

fn digits(p: &Parser<'_>, at: usize) -> Option<Number> {
    let Lex::Digits { value, len } = p.lex(at) else { return None };
    Some((value, len))
}

/// "20260314", also within a name of a file.
fn packed(p: &Parser<'_>, at: usize) -> Parsed {
    let (value, 8) = digits(p, at)? else { return None };
    let alone = !p.glued(at) || matches!(p.before(at), Lex::Mark('-' | '_' | '/' | '(' | '.'));
    let (year, month, day) = (value / 10_000, value / 100 % 100, value % 100);
    let year = i32::try_from(year).ok().filter(|year| (1990..2100).contains(year) && alone && !is_stuck(p, at + 1))?;
    NaiveDate::from_ymd_opt(year, month, day).map(|_| (date(Some(year), month, day), after_t(p, at + 1)))
}

/// Two or three numbers with the same mark between them and nothing stuck to either end.
fn group(p: &Parser<'_>, at: usize) -> Option<(char, [Option<Number>; 3], usize)> {
    let first = digits(p, at).filter(|_| p.free(at))?;
    let Lex::Mark(sep @ ('/' | '-' | '.')) = p.lex(at + 1) else { return None };
    let next = |at: usize| {
        let follows = p.lex(at) == Lex::Mark(sep) && p.glued(at) && p.glued(at + 1);
        digits(p, at + 1).filter(|_| follows)
    };
    let second = next(at + 1).filter(|(_, len)| *len <= 4)?;
    let third = next(at + 3);
    let end = if third.is_some() { at + 5 } else { at + 3 };
    (!is_stuck(p, end)).then_some((sep, [Some(first), Some(second), third], end))
}

/// Whether something is stuck to the end of a numeric date: "1.2.3.4", "3-3-2020-A", "1.5%".
fn is_stuck(p: &Parser<'_>, at: usize) -> bool {
    p.glued(at)
        && match p.lex(at) {
            Lex::Mark('/' | '-' | '.' | ':' | ',') => p.glued(at + 1) && matches!(p.lex(at + 1), Lex::Digits { .. }),
            Lex::Mark('%' | '°' | '$' | '€' | '£' | '"') => true,
            Lex::Mark(_) | Lex::Possessive | Lex::Break => false,
            _ => p.words(at) != "T" && p.words(at).is_ascii(),
        }
}

/// Past the "T" of "2026-03-14T10:00".
fn after_t(p: &Parser<'_>, at: usize) -> usize {
    let t = p.glued(at) && p.words(at) == "T" && p.glued(at + 1) && digits(p, at + 1).is_some();
    at + usize::from(t)
}

fn three(
    p: &Parser<'_>,
    (at, end): (usize, usize),
    so_far: &PartialDate,
    sep: char,
    [a, b, c]: [Number; 3],
) -> Option<PartialDate> {
    if a.1 == 4 {
        let year = full_year(a)?;
        let (month, day) = if b.0 > 12 && c.0 <= 12 { (c.0, b.0) } else { (b.0, c.0) };
        return Some(date(Some(year), month, day));
    }
    let year = full_year(c).filter(|_| a.1 <= 2 && b.1 <= 2)?;
    // "1.10.30" is a version, but one of these years, or behind "by", is rather a year.
    let near = (-1..=NEAR).contains(&(year - p.now.year())) && !ends_in_version(p, at);
    let led = matches!(p.before(at), Lex::On | Lex::By | Lex::Before);
    if c.1 == 2 && sep == '.' && !p.pointed && !near && !led {
        return None;
    }
    let (month, day) = fitting(p, so_far, end, Some(year), month_and_day(p.day_first || sep == '.', a.0, b.0)?);
    Some(date(Some(year), month, day))
}

/// How many years ahead a year of two digits behind dots may lie, where a language does not write dates so.
const NEAR: i32 = 2;

/// "version 2.10.26".
fn ends_in_version(p: &Parser<'_>, at: usize) -> bool {
    let words = at.checked_sub(1).map(|at| p.words(at).to_lowercase()).unwrap_or_default();
    ["version", "release", "build"].iter().any(|word| words.trim_end_matches('s').ends_with(word))
}

/// Which of two numbers is the month: the second or the first, unless only the other can be.
fn month_and_day(day_first: bool, a: u32, b: u32) -> Option<(u32, u32)> {
    let (first, second) = if day_first { (b, a) } else { (a, b) };
    let possible = |month: u32, day: u32| NaiveDate::from_ymd_opt(2024, month, day).is_some();
    if possible(first, second) {
        return Some((first, second));
    }
    possible(second, first).then_some((second, first))
}

/// Month and day the other way round, where only so the day falls on the weekday that stands before or behind it.
fn fitting(
    p: &Parser<'_>,
    so_far: &PartialDate,
    end: usize,
    year: Option<i32>,
    (month, day): (u32, u32),
) -> (u32, u32) {
    let behind = match p.lex(p.skip(end, |lex| matches!(lex, Lex::Mark(',' | '(')))) {
        Lex::Weekday(weekday) => Some(weekday),
        _ => None,
    };
    let weekday = so_far.weekday.or(behind);
    let falls = |month: u32, day: u32| Some(weekday? == date(year, month, day).resolve(p.now)?.date.weekday());
    let turned = falls(month, day) == Some(false) && falls(day, month) == Some(true);
    if turned { (day, month) } else { (month, day) }
}

/// Day and month, or month and year.
fn two(p: &Parser<'_>, (at, end): (usize, usize), so_far: &PartialDate, sep: char, [a, b]: [Number; 2]) -> Parsed {
    let month_of = |month: u32, year| {
        (1..=12).contains(&month).then_some(PartialDate { month: Some(month), year, ..PartialDate::default() })
    };
    if a.1 <= 2 && b.1 == 4 && sep != '.' {
        return Some((month_of(a.0, Some(full_year(b)?))?, end));
    }
    if a.1 == 4 && b.1 == 2 && sep != '.' {
        return Some((month_of(b.0, Some(full_year(a)?))?, end));
    }
    if a.1 > 2 || b.1 > 2 {
        return None;
    }
    let led = so_far.weekday.is_some()
        || matches!(p.before(at), Lex::On | Lex::By | Lex::Before | Lex::To | Lex::From | Lex::Between)
        || p.is_whole(at, end)
        || at == 0 && p.lex(end) == Lex::At;
    let closed = sep == '.' && p.lex(end) == Lex::Mark('.') && p.glued(end);
    let dotted = closed && p.pointed;
    let timed = matches!(p.lex(end), Lex::Am | Lex::Pm | Lex::Clock) || p.before(at) == Lex::At;
    let counts = p.is_counted(end) && !matches!(p.lex(end), Lex::Number(_));
    let clear = match sep {
        '/' => (led || !is_share(p, end, a.0, b.0)) && (a.0, b.0) != (24, 7) && !counts,
        '.' => dotted || led && !timed && p.lex(end) != Lex::Other && !p.is_whole(at, end),
        _ => led && !timed && !counts,
    };
    let (month, day) = month_and_day(p.day_first || closed, a.0, b.0).filter(|_| clear)?;
    let (month, day) = fitting(p, so_far, end, None, (month, day));
    // "Thursday 10-11" are hours, unless that day is a Thursday.
    let falls = |weekday| date(None, month, day).resolve(p.now).is_some_and(|found| found.date.weekday() == weekday);
    if sep == '-' && !so_far.weekday.is_none_or(falls) {
        return None;
    }
    Some((date(None, month, day), end + usize::from(dotted)))
}

/// "3/4 of the team", "1/2 cup".
fn is_share(p: &Parser<'_>, end: usize, a: u32, b: u32) -> bool {
    let noun = p.lex(end) == Lex::Of || p.lex(end) == Lex::Other && !p.goes_on(end);
    noun && a < b && b <= 5
}

/// "2026年3月14日", "3월 14일", "14号", "三月".
fn marked(p: &Parser<'_>, at: usize) -> Parsed {
    let number = |at: usize, mark: Lex| {
        let (value, end) = p.whole(at)?;
        (p.lex(end) == mark).then_some((value, end + 1))
    };
    let (year, next) = number(at, Lex::YearMark).map_or((None, at), |(year, end)| (full_year((year, 4)), end));
    let Some((month, next)) = number(next, Lex::MonthMark).filter(|(month, _)| (1..=12).contains(month)) else {
        let (day, end) = number(next, Lex::DayMark).filter(|(day, _)| (1..=31).contains(day) && year.is_none())?;
        return Some((PartialDate { day_of_month: Some(day), ..PartialDate::default() }, end));
    };
    let named = PartialDate { year, month: Some(month), ..PartialDate::default() };
    Some(match (number(next, Lex::DayMark), p.lex(next)) {
        (Some((day, end)), _) => (PartialDate { day_of_month: Some(day), ..named }, end),
        // "3月中旬"
        (None, Lex::Edge(edge)) if p.glued(next) => (PartialDate { edge: Some(edge), ..named }, next + 1),
        _ => (named, next),
    })
}

#[cfg(test)]
mod tests {
    use crate::due::table::{TUESDAY, means};

    /// Said on Tuesday, 3 March 2026, at ten.
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
                ("by 4.5.", "2026-05-04"),
                ("due 12.03.2026", "2026-03-12"),
                ("12.3.26", "2026-03-12"),
                ("version 2.10.26", ""),
                ("Wednesday 11/3", "2026-03-11"),
                ("by 11/3, Wednesday", "2026-03-11"),
                ("11/03/2026 (Wednesday)", "2026-03-11"),
                ("12/12/30", "2030-12-12"),
                ("04/2027", "2027-04-01"),
                ("3-14", "2026-03-14"),
                ("by 3-14", "2026-03-14"),
                ("report-20260314.pdf", "2026-03-14"),
                ("2026-03-14T10:00:00Z", "2026-03-14"),
            ],
        );
        means(
            TUESDAY,
            "pt",
            &[
                ("na 4ª feira", "2026-03-04"),
                ("até 6a-feira", "2026-03-06"),
                ("até 6ª.", "2026-03-06"),
                ("na 4ª reunião", ""),
            ],
        );
        means(TUESDAY, "en-GB", &[("due 4/5", "2026-05-04")]);
        means(TUESDAY, "de", &[("am 4.5.", "2026-05-04"), ("14.3.2027", "2027-03-14"), ("bis zum 12.", "2026-03-12")]);
        means(
            TUESDAY,
            "ja",
            &[
                ("2026年3月14日", "2026-03-14"),
                ("三月十四日", "2026-03-14"),
                ("14日まで", "2026-03-14"),
                ("３月２０日", "2026-03-20"),
                ("３／２０", "2026-03-20"),
                ("3月中旬", "2026-03-15"),
                ("3/20まで", "2026-03-20"),
            ],
        );
    }

    #[test]
    fn numbers_that_only_look_like_dates_are_none() {
        means(
            TUESDAY,
            "en",
            &[
                ("Version: 1.10.30", ""),
                ("call 650-650-6500", ""),
                ("code 133-03-03-2020", ""),
                ("at 101,194 points", ""),
                ("pages 2-15 please", ""),
                ("2-3 people", ""),
                ("see section 3.4 of it", ""),
                ("12.53%", ""),
                ("it costs $12.50", ""),
                ("8/32/2014", ""),
                ("2014-08-32", ""),
            ],
        );
    }
}
