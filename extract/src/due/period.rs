//! Periods: "next week", "the end of the month", "Q2 2027", "the week of the 9th", "mid-March", "EOM".

use chrono::{Datelike, NaiveDate, Weekday};

use super::draft::{Draft, Period};
use super::lexicon::{Edge, Lex, Rel, Unit};
use super::parser::Parser;

/// A period, or where in one.
pub(super) fn rule(p: &Parser<'_>, at: usize, draft: &mut Draft) -> Option<usize> {
    if let Some(end) = edge(p, at, draft) {
        return Some(end);
    }
    if draft.period.is_some() || draft.month.is_some() || draft.day.is_some() || draft.moment.is_some() {
        return None;
    }
    end_of(p, at, draft)
        .or_else(|| in_one_word(p, at, draft))
        .or_else(|| week_of(p, at, draft))
        .or_else(|| quarter(p, at, draft))
        .or_else(|| calendar_week(p, at, draft))
        .or_else(|| year(p, at, draft))
        .or_else(|| relative(p, at, draft))
}

/// "the end of", "early", "mid-": the period is the next piece.
fn edge(p: &Parser<'_>, at: usize, draft: &mut Draft) -> Option<usize> {
    if draft.edge.is_some() {
        return None;
    }
    if p.lex(at) == Lex::EndOfDay && !draft.end_of_day {
        draft.end_of_day = true;
        return Some(at + 1);
    }
    let at = p.skip(at, |lex| lex == Lex::The);
    let Lex::Edge(edge) = p.lex(at) else { return None };
    let next = p.skip(at + 1, |lex| matches!(lex, Lex::Of | Lex::The | Lex::Mark('-') | Lex::In));
    let goes_on = matches!(
        p.lex(next),
        Lex::Rel(_)
            | Lex::Unit(_)
            | Lex::Month(_)
            | Lex::MaybeMonth(_)
            | Lex::Day(_)
            | Lex::Weekday(_)
            | Lex::Q
            | Lex::Quarter
            | Lex::Ordinal(_)
            | Lex::Part(_)
            | Lex::Digits { .. }
            | Lex::MaybeWeekday(_)
    );
    draft.edge = Some(edge);
    goes_on.then_some(at + 1)
}

/// "EOM", "Wochenende", "year end".
fn end_of(p: &Parser<'_>, at: usize, draft: &mut Draft) -> Option<usize> {
    let Lex::EndOf(unit) = p.lex(at) else { return None };
    draft.period = Period::around(p.now.date(), unit, 0);
    draft.edge = Some(Edge::End);
    draft.period.map(|_| at + 1)
}

/// "来週", "下周五", "来月末".
fn in_one_word(p: &Parser<'_>, at: usize, draft: &mut Draft) -> Option<usize> {
    if p.lex(at) == Lex::NextMonth {
        put(p, draft, Unit::Month, 1)?;
        draft.rel = Some(Rel::Next);
        draft.edge = (p.lex(at + 1) == Lex::Edge(Edge::End)).then_some(Edge::End);
        return Some(at + 1 + usize::from(draft.edge.is_some()));
    }
    let Lex::WeekFromNow(shift) = p.lex(at) else { return None };
    put(p, draft, Unit::Week, shift.into())?;
    let weekday = match p.lex(at + 1) {
        Lex::Number(n @ 1..=6) if p.glued(at + 1) => Weekday::try_from(u8::try_from(n - 1).ok()?).ok(),
        Lex::DayMark | Lex::Unit(Unit::Day) if p.glued(at + 1) => Some(Weekday::Sun),
        _ => None,
    };
    draft.weekday = weekday.or(draft.weekday);
    Some(at + 1 + usize::from(weekday.is_some()))
}

/// "the week of the 9th", "week of March 9", "calendar week 12".
fn week_of(p: &Parser<'_>, at: usize, draft: &mut Draft) -> Option<usize> {
    let at = p.skip(at, |lex| lex == Lex::The);
    let Lex::Unit(unit @ (Unit::Week | Unit::Weekend)) = p.lex(at) else { return None };
    let commencing = p.lex(at + 1) == Lex::Mark('/') && p.words(at + 2).starts_with(['c', 'C']) && p.glued(at + 2);
    let next = match p.lex(at + 1) {
        Lex::Of | Lex::Edge(Edge::Start) => at + 2,
        _ if commencing => at + 3,
        _ => return None,
    };
    let (day, end) = p.inner(next).or_else(|| {
        let Lex::Digits { value, .. } = p.lex(next) else { return None };
        Some((Draft { dom: Some(value), ..Draft::default() }, next + 1))
    })?;
    let day = day.resolve(p.now).filter(|o| o.grain <= Unit::Day)?.date;
    draft.period = Period::around(day, unit, 0);
    draft.period.map(|_| end)
}

/// "Q2", "Q2 2027", "second quarter of 2027".
fn quarter(p: &Parser<'_>, at: usize, draft: &mut Draft) -> Option<usize> {
    let start = p.skip(at, |lex| lex == Lex::The);
    let (n, end) = match (p.lex(start), p.lex(start + 1)) {
        (Lex::Q, Lex::Digits { value, len: 1 }) if p.glued(start + 1) => (value, start + 2),
        _ => {
            let (n, end) = p.ordinal(start)?;
            (p.lex(end) == Lex::Quarter).then_some((n, end + 1))?
        }
    };
    if !(1..=4).contains(&n) {
        return None;
    }
    let today = p.now.date();
    let next = p.skip(end, |lex| matches!(lex, Lex::Of | Lex::Mark(',' | '/' | '-' | '\'')));
    let of_year = |year| Period::around(NaiveDate::from_ymd_opt(year, n * 3, 1)?, Unit::Quarter, 0);
    if let Lex::Digits { value, len: len @ (2 | 4) } = p.lex(next)
        && (len == 4 || p.before(next) == Lex::Mark('\''))
    {
        draft.period = of_year(i32::try_from(if len == 2 { 2000 + value } else { value }).ok()?);
        return draft.period.map(|_| next + 1);
    }
    draft.period = of_year(today.year()).filter(|quarter| quarter.last >= today).or_else(|| of_year(today.year() + 1));
    draft.period.map(|_| end)
}

/// "KW 12": the ISO week of this year, or of the next where it is over.
fn calendar_week(p: &Parser<'_>, at: usize, draft: &mut Draft) -> Option<usize> {
    let (Lex::CalendarWeek, Lex::Digits { value, len: 1 | 2 }) = (p.lex(at), p.lex(at + 1)) else { return None };
    let today = p.now.date();
    let of_year = |year| Period::around(NaiveDate::from_isoywd_opt(year, value, Weekday::Mon)?, Unit::Week, 0);
    draft.period = of_year(today.year()).filter(|week| week.last >= today).or_else(|| of_year(today.year() + 1));
    draft.period.map(|_| at + 2)
}

/// "end of 2026".
fn year(p: &Parser<'_>, at: usize, draft: &mut Draft) -> Option<usize> {
    let Lex::Digits { value: year @ 1990..=2199, len: 4 } = p.lex(at) else { return None };
    draft.edge.filter(|_| !p.glued(at + 1) || p.lex(at + 1) != Lex::Mark(':'))?;
    draft.period = Period::around(NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, 1, 1)?, Unit::Year, 0);
    draft.period.map(|_| at + 1)
}

/// "this week", "next month", "the weekend", "semaine prochaine"; "the week" alone waits for its edge.
fn relative(p: &Parser<'_>, at: usize, draft: &mut Draft) -> Option<usize> {
    let start = p.skip(at, |lex| lex == Lex::The);
    let (before, here) = match p.lex(start) {
        Lex::Rel(rel) => (Some(rel), start + 1),
        _ => (None, start),
    };
    let here = p.skip(here, |lex| lex == Lex::Business);
    let unit = match p.lex(here) {
        Lex::Quarter => Unit::Quarter,
        Lex::Unit(unit @ (Unit::Day | Unit::Week | Unit::Weekend | Unit::Month | Unit::Quarter | Unit::Year)) => unit,
        _ => return None,
    };
    let (behind, end) = match p.lex(here + 1) {
        Lex::Rel(rel @ (Rel::Next | Rel::Last | Rel::AfterNext)) if before.is_none() => (Some(rel), here + 2),
        Lex::After if p.lex(here + 2) == Lex::Rel(Rel::Next) => (Some(Rel::AfterNext), here + 3),
        _ => (None, here + 1),
    };
    let rel = before.or(behind);
    if unit == Unit::Day && (matches!(rel, None | Some(Rel::This)) || p.lex(end) == Lex::Of) {
        return None;
    }
    let after_week = p.lex(at) == Lex::The
        && unit == Unit::Week
        && p.lex(end) == Lex::After
        && p.lex(end + 1) != Lex::Rel(Rel::Next);
    let shift = match rel {
        _ if after_week => return None,
        Some(Rel::Next) => 1,
        Some(Rel::Coming) => i32::from(unit != Unit::Weekend),
        Some(Rel::AfterNext) => 2,
        Some(Rel::Last) => -1,
        Some(Rel::This) | None => 0,
    };
    put(p, draft, unit, shift)?;
    let bare = rel.is_none() && (unit != Unit::Weekend || start == at && p.before(at) == Lex::Other);
    if let Some(period) = draft.period.as_mut() {
        period.bare = bare;
    }
    if draft.weekday.is_none() {
        draft.rel = rel;
    }
    Some(end)
}

fn put(p: &Parser<'_>, draft: &mut Draft, unit: Unit, shift: i32) -> Option<()> {
    let today = p.now.date();
    if unit == Unit::Day {
        draft.day = Period::around(today, unit, shift).map(|day| day.first);
        return draft.day.map(|_| ());
    }
    // At a weekend "this week" has its Friday behind it, and the one that is about to start is meant.
    let over = unit == Unit::Week && shift == 0 && matches!(today.weekday(), Weekday::Sat | Weekday::Sun);
    draft.period = Period::around(today, unit, shift + i32::from(over));
    draft.period.map(|_| ())
}

#[cfg(test)]
mod tests {
    use crate::due::table::{ends, means};

    /// Said on Tuesday, 3 March 2026, at ten.
    const TUESDAY: &str = "2026-03-03T10:00";

    #[test]
    fn a_week_is_its_friday_and_a_weekend_its_sunday() {
        means(
            TUESDAY,
            "en",
            &[
                ("this week", "2026-03-06"),
                ("next week", "2026-03-13"),
                ("this weekend", "2026-03-08"),
                ("the week of the 9th", "2026-03-13"),
                ("w/c 9 March", "2026-03-13"),
                ("EOW", "2026-03-06"),
            ],
        );
        means("2026-03-08T10:00", "en", &[("this week", "2026-03-13")]);
        means(TUESDAY, "de", &[("in KW 12", "2026-03-20")]);
    }

    #[test]
    fn an_edge_makes_a_day_of_a_period() {
        means(
            TUESDAY,
            "en",
            &[
                ("end of next week", "2026-03-13"),
                ("by the end of the month", "2026-03-31"),
                ("mid-March", "2026-03-15"),
                ("end of Q2", "2026-06-30"),
                ("end of 2026", "2026-12-31"),
                ("start of May", "2026-05-01"),
                ("year-end", "2026-12-31"),
                ("end of tomorrow", "2026-03-04"),
            ],
        );
    }

    #[test]
    fn a_longer_period_ends_on_its_last_day() {
        ends(
            TUESDAY,
            &[
                ("Q2", "2026-06-30"),
                ("in June", "2026-06-30"),
                ("next month", "2026-04-30"),
                ("second quarter of 2027", "2027-06-30"),
            ],
        );
    }

    #[test]
    fn a_period_that_is_only_named_is_no_date() {
        means(TUESDAY, "en", &[("the week", ""), ("Have a great month.", ""), ("the end of the line", "")]);
    }
}
