//! Stretches of days: "next week", "the end of the month", "Q2 2027", "the week of the 9th", "mid-March", "EOM".

use chrono::{Datelike, NaiveDate, Weekday};

use super::date_names::rel_ends;
use super::interval::{Interval, add_months};
use super::lexicon::{Edge, Lex, Rel, Unit};
use super::number::TimeSpan;
use super::parser::{Parsed, Parser};
use super::partial_date::PartialDate;

/// A stretch of days, or where in one.
pub(super) fn rule(p: &Parser<'_>, at: usize, so_far: &PartialDate) -> Parsed {
    edge(p, at)
        .or_else(|| in_one_word(p, at))
        .or_else(|| week_of(p, at))
        .or_else(|| quarter(p, at))
        .or_else(|| calendar_week(p, at))
        .or_else(|| year(p, at, so_far))
        .or_else(|| relative(p, at, so_far))
}

fn of_interval(interval: Option<Interval>, end: usize) -> Parsed {
    Some((PartialDate { interval: Some(interval?), ..PartialDate::default() }, end))
}

/// "the end of", "early", "mid-": of what comes next. "EOD" is all of it.
fn edge(p: &Parser<'_>, at: usize) -> Parsed {
    if p.lex(at) == Lex::EndOfDay {
        return Some((PartialDate { end_of_day: true, ..PartialDate::default() }, at + 1));
    }
    let at = p.skip(at, |lex| lex == Lex::The);
    let edge = match p.lex(at) {
        Lex::Edge(edge) => edge,
        // "half maart"
        Lex::HalfTo if matches!(p.lex(at + 1), Lex::Month(_) | Lex::MaybeMonth(_)) => Edge::Middle,
        _ => return None,
    };
    let next = p.skip(at + 1, |lex| matches!(lex, Lex::Of | Lex::The | Lex::Mark('-') | Lex::In | Lex::About));
    let goes_on = matches!(
        p.lex(next),
        Lex::Rel(_)
            | Lex::Unit(_)
            | Lex::Month(_)
            | Lex::MaybeMonth(_)
            | Lex::Day(_)
            | Lex::Weekday(_)
            | Lex::MaybeWeekday(_)
            | Lex::Q
            | Lex::Quarter
            | Lex::Ordinal(_)
            | Lex::Second
            | Lex::Part(_)
            | Lex::DayPart(..)
            | Lex::NextMonth
            | Lex::WeekFromNow(_)
            | Lex::Digits { .. }
    );
    goes_on.then_some((PartialDate { edge: Some(edge), ..PartialDate::default() }, at + 1))
}

/// "EOM", "Monatsende", "来週", "下周五", "来月末".
fn in_one_word(p: &Parser<'_>, at: usize) -> Parsed {
    match p.lex(at) {
        Lex::EndOf(unit) => {
            let interval = Interval::around(p.now.date(), unit, 0);
            Some((PartialDate { interval: Some(interval?), edge: Some(Edge::End), ..PartialDate::default() }, at + 1))
        }
        Lex::NextMonth => {
            let edge = (p.lex(at + 1) == Lex::Edge(Edge::End)).then_some(Edge::End);
            let interval = moved(p, Unit::Month, Some(Rel::Next));
            let end = at + 1 + usize::from(edge.is_some());
            Some((PartialDate { interval: Some(interval?), edge, ..PartialDate::default() }, end))
        }
        Lex::WeekFromNow(shift) => {
            let weekday = match p.lex(at + 1) {
                Lex::Number(n @ 1..=6) if p.glued(at + 1) => Weekday::try_from(u8::try_from(n - 1).ok()?).ok(),
                Lex::DayMark | Lex::Unit(Unit::Day) if p.glued(at + 1) => Some(Weekday::Sun),
                _ => None,
            };
            let interval = Interval::around(p.now.date(), Unit::Week, i32::from(shift) + weekend(p, shift.into()));
            let end = at + 1 + usize::from(weekday.is_some());
            Some((PartialDate { interval: Some(interval?), weekday, ..PartialDate::default() }, end))
        }
        _ => None,
    }
}

/// One at a weekend, when "this week" has its Friday behind it and the one about to start is meant.
fn weekend(p: &Parser<'_>, shift: i32) -> i32 {
    i32::from(shift == 0 && matches!(p.now.weekday(), Weekday::Sat | Weekday::Sun))
}

/// "the week of the 9th", "week of March 9", "w/c 9 March", "week beginning the 9th".
fn week_of(p: &Parser<'_>, at: usize) -> Parsed {
    let at = p.skip(at, |lex| lex == Lex::The);
    let Lex::Unit(unit @ (Unit::Week | Unit::Weekend)) = p.lex(at) else { return None };
    let commencing = p.lex(at + 1) == Lex::Mark('/') && p.words(at + 2).starts_with(['c', 'C']) && p.glued(at + 2);
    let next = match p.lex(at + 1) {
        Lex::Of | Lex::Edge(Edge::Start) => at + 2,
        _ if commencing => at + 3,
        _ => return None,
    };
    let next = p.skip(next, |lex| lex == Lex::On);
    let (day, end) = p.inner(next).or_else(|| {
        let Lex::Digits { value, .. } = p.lex(next) else { return None };
        Some((PartialDate { day_of_month: Some(value), ..PartialDate::default() }, next + 1))
    })?;
    let day = day.resolve(p.now).filter(|outcome| outcome.grain <= Unit::Day)?.date;
    of_interval(Interval::around(day, unit, 0), end)
}

/// "Q2", "Q2 2027", "second quarter of 2027", "18q4".
fn quarter(p: &Parser<'_>, at: usize) -> Parsed {
    let start = p.skip(at, |lex| lex == Lex::The);
    let (n, end) = match (p.lex(start), p.lex(start + 1)) {
        (Lex::Q, Lex::Digits { value, len: 1 }) if p.glued(start + 1) => (value, start + 2),
        _ => {
            let (n, end) = p.ordinal(start)?;
            matches!(p.lex(end), Lex::Quarter | Lex::Unit(Unit::Quarter)).then_some((n, end + 1))?
        }
    };
    let first = (1..=4).contains(&n).then(|| n * 3 - 2)?;
    let of_year = |year| Interval::around(NaiveDate::from_ymd_opt(year, first, 1)?, Unit::Quarter, 0);
    let next = p.skip(end, |lex| matches!(lex, Lex::Of | Lex::Mark(',' | '/' | '-' | '\'') | Lex::The));
    if let Lex::Digits { value, len: len @ (2 | 4) } = p.lex(next)
        && (len == 4 || p.before(next) == Lex::Mark('\''))
    {
        return of_interval(of_year(i32::try_from(if len == 2 { 2000 + value } else { value }).ok()?), next + 1);
    }
    let today = p.now.date();
    if let (Lex::Rel(rel), Lex::Unit(Unit::Year)) = (p.lex(next), p.lex(next + 1)) {
        return of_interval(of_year(today.year() + shift(rel)), next + 2);
    }
    let this_year = of_year(today.year()).filter(|quarter| quarter.last >= today);
    of_interval(this_year.or_else(|| of_year(today.year() + 1)), end)
}

/// "KW 12": the ISO week of this year, or of the next where it is over.
fn calendar_week(p: &Parser<'_>, at: usize) -> Parsed {
    let (Lex::CalendarWeek, Lex::Digits { value, len: 1 | 2 }) = (p.lex(at), p.lex(at + 1)) else { return None };
    let today = p.now.date();
    let of_year = |year| Interval::around(NaiveDate::from_isoywd_opt(year, value, Weekday::Mon)?, Unit::Week, 0);
    of_interval(of_year(today.year()).filter(|week| week.last >= today).or_else(|| of_year(today.year() + 1)), at + 2)
}

/// "end of 2026", "last Friday of 2026".
fn year(p: &Parser<'_>, at: usize, so_far: &PartialDate) -> Parsed {
    let Lex::Digits { value: year @ 1990..=2199, len: 4 } = p.lex(at) else { return None };
    (so_far.edge.is_some() || so_far.nth.is_some()).then_some(())?;
    if p.glued(at + 1) && matches!(p.lex(at + 1), Lex::Mark(':' | '-' | '/')) || so_far.month.is_some() {
        return None;
    }
    of_interval(Interval::year(i32::try_from(year).ok()?), at + 1)
}

/// How many units on.
fn shift(rel: Rel) -> i32 {
    match rel {
        Rel::Next | Rel::Coming => 1,
        Rel::AfterNext => 2,
        Rel::Last => -1,
        Rel::This => 0,
    }
}

/// A unit counted from today's. "Next month" without a finer piece is a month from today.
fn moved(p: &Parser<'_>, unit: Unit, rel: Option<Rel>) -> Option<Interval> {
    let today = p.now.date();
    let by = match rel {
        Some(Rel::Coming) if unit == Unit::Weekend => 0,
        _ => rel.map_or(0, shift),
    };
    let over = if unit == Unit::Week { weekend(p, by) } else { 0 };
    let mut interval = Interval::around(today, unit, by + over)?;
    let months = match unit {
        Unit::Month => 1,
        Unit::Quarter => 3,
        Unit::Year => 12,
        _ => return Some(interval),
    };
    interval.own = rel.map_or(Some(interval.first), |_| add_months(today, months * by));
    // "This quarter" lasts as long as any other.
    interval.own = interval.own.map(|own| if unit == Unit::Quarter && by == 0 { interval.last } else { own });
    Some(interval)
}

/// "this week", "next month", "the weekend", "semaine prochaine", "the week after next"; "the week" alone waits for its edge.
fn relative(p: &Parser<'_>, at: usize, so_far: &PartialDate) -> Parsed {
    let start = p.skip(at, |lex| lex == Lex::The);
    let (before, here) = match p.lex(start) {
        Lex::Rel(rel) => (Some(rel), start + 1),
        _ => (None, start),
    };
    let here = p.skip(here, |lex| lex == Lex::Business);
    let (unit, next) = p.unit(here).filter(|(unit, _)| *unit != Unit::Workday)?;
    let (behind, end) = match (p.lex(next), p.lex(next + 1)) {
        (Lex::Rel(rel @ (Rel::Next | Rel::Last | Rel::AfterNext)), _) if before.is_none() && rel_ends(p, next + 1) => {
            (Some(rel), next + 1)
        }
        (Lex::After, Lex::Rel(Rel::Next)) => (Some(Rel::AfterNext), next + 2),
        (Lex::Before, Lex::Rel(Rel::Last)) => (None, next),
        _ => (None, next),
    };
    let rel = behind.or(before);
    if unit <= Unit::Hour {
        // "next hour" is an hour from now
        let by = rel.filter(|rel| matches!(rel, Rel::Next | Rel::Coming) && start == at).map(shift)?;
        let moment = TimeSpan::one(unit)?.from(p.now, by)?;
        return Some((PartialDate { moment: Some(moment), ..PartialDate::default() }, end));
    }
    if unit == Unit::Day {
        let by = rel.filter(|rel| *rel != Rel::This && p.lex(end) != Lex::Of).map(shift)?;
        let day = Interval::around(p.now.date(), unit, by)?.first;
        return Some((PartialDate { day: Some(day), ..PartialDate::default() }, end));
    }
    if rel.is_none() && unit == Unit::Week && p.lex(end) == Lex::After {
        return None;
    }
    if rel.is_none() && (so_far.month.is_some() || so_far.holiday.is_some()) {
        return None;
    }
    let mut interval = moved(p, unit, rel)?;
    let plain = rel.is_none() && so_far.weekday.is_none();
    interval.is_bare = plain && (unit != Unit::Weekend || start == at && p.before(at) == Lex::Other);
    if unit == Unit::Weekend && p.before(at) == Lex::Before {
        // "The day before the weekend" is counted from its Saturday.
        let counted = matches!(p.before(at - 1), Lex::Unit(_) | Lex::Weekday(_));
        let day = if counted { interval.first } else { interval.first.pred_opt()? };
        interval = Interval { first: day, last: day, own: Some(day), ..interval };
    }
    of_interval(Some(interval), end)
}

#[cfg(test)]
mod tests {
    use crate::due::table::{TUESDAY, ends, means};

    /// Said on Tuesday, 3 March 2026, at ten.
    #[test]
    fn a_week_is_its_friday_and_a_weekend_its_sunday_or_the_friday_before_it() {
        means(
            TUESDAY,
            "en",
            &[
                ("this week", "2026-03-06"),
                ("next week", "2026-03-13"),
                ("this weekend", "2026-03-08"),
                ("before the weekend", "2026-03-06"),
                ("before next weekend", "2026-03-13"),
                ("the day before the weekend", "2026-03-06"),
                ("the Friday before the weekend", "2026-03-06"),
                ("the week of the 9th", "2026-03-13"),
                ("w/c 9 March", "2026-03-13"),
                ("EOW", "2026-03-06"),
            ],
        );
        means("2026-03-08T10:00", "en", &[("this week", "2026-03-13")]);
        means(TUESDAY, "de", &[("in KW 12", "2026-03-20"), ("noch vor dem Wochenende", "2026-03-06")]);
        means(TUESDAY, "nl", &[("voor het weekend", "2026-03-06")]);
        means(TUESDAY, "fr", &[("avant le week-end", "2026-03-06")]);
        means(TUESDAY, "it", &[("prima del fine settimana", "2026-03-06")]);
        means(TUESDAY, "es", &[("antes del fin de semana", "2026-03-06")]);
        means(TUESDAY, "pt", &[("antes do fim de semana", "2026-03-06")]);
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
