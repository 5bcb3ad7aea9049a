//! Times of day: "5pm", "17:30", "17 Uhr", "half past three", "noon", "in the morning".

use chrono::{NaiveTime, TimeDelta, Timelike};

use super::draft::{Clock, Draft};
use super::lexicon::{Lex, Part, Rel, Unit};
use super::parser::Parser;

/// A time of day, or a part of the day.
pub(super) fn rule(p: &Parser<'_>, at: usize, draft: &mut Draft) -> Option<usize> {
    if draft.clock.is_some() {
        return zone(p, at, draft).or_else(|| part(p, at, draft));
    }
    if draft.moment.is_some() {
        return None;
    }
    past_hour(p, at, draft)
        .or_else(|| named(p, at, draft))
        .or_else(|| digits(p, at, draft))
        .or_else(|| words(p, at, draft))
        .or_else(|| part(p, at, draft))
}

fn put(draft: &mut Draft, hour: u32, minute: u32, second: u32, sure: bool) -> Option<()> {
    let hour = if hour == 24 && minute == 0 { 0 } else { hour };
    draft.clock = Some(Clock { time: NaiveTime::from_hms_opt(hour, minute, second)?, sure });
    Some(())
}

/// "noon", "midnight".
fn named(p: &Parser<'_>, at: usize, draft: &mut Draft) -> Option<usize> {
    let hour = match p.lex(at) {
        Lex::Noon => 12,
        Lex::Midnight => 0,
        _ => return None,
    };
    put(draft, hour, 0, 0, true).map(|()| at + 1)
}

/// "half past three", "a quarter to noon", "twenty after 3pm", "half three".
fn past_hour(p: &Parser<'_>, at: usize, draft: &mut Draft) -> Option<usize> {
    let start = p.skip(at, |lex| matches!(lex, Lex::A | Lex::The));
    let (minutes, next) = match p.lex(start) {
        Lex::Half | Lex::HalfTo => (30, start + 1),
        Lex::Quarter => (15, start + 1),
        _ => {
            let (n, next) = p.whole(start).filter(|(n, _)| *n < 60)?;
            let hour = p.skip(next, |lex| lex == Lex::Unit(Unit::Minute));
            (hour > next || n % 5 == 0).then_some((n, hour))?
        }
    };
    let sign = match p.lex(next) {
        _ if p.lex(start) == Lex::HalfTo => -1,
        Lex::Past | Lex::After => 1,
        Lex::To | Lex::Before if p.lex(start) != Lex::Half => -1,
        // English "half three" is half past.
        Lex::Number(_) if p.lex(start) == Lex::Half => 0,
        _ => return None,
    };
    let joined = sign != 0 && p.lex(start) != Lex::HalfTo;
    let hour_at = if joined { next + 1 } else { next };
    if joined
        && !matches!(p.lex(hour_at), Lex::Digits { len: 1 | 2, .. } | Lex::Number(1..=12) | Lex::Noon | Lex::Midnight)
    {
        return None;
    }
    let mut hour = Draft::default();
    let end = named(p, hour_at, &mut hour).or_else(|| full_hour(p, hour_at, &mut hour))?;
    let clock = hour.clock?;
    let total =
        i64::from(clock.time.num_seconds_from_midnight() / 60) + if sign < 0 { -1 } else { 1 } * i64::from(minutes);
    let total = u32::try_from(total.rem_euclid(24 * 60)).ok()?;
    put(draft, total / 60, total % 60, 0, clock.sure).map(|()| end)
}

/// An hour for "past" and "to": "3", "three", "3pm".
fn full_hour(p: &Parser<'_>, at: usize, draft: &mut Draft) -> Option<usize> {
    let (hour, end) = p.whole(at).filter(|(n, _)| *n <= 24)?;
    let (hour, sure, end) = meridiem(p, end, hour);
    put(draft, hour, 0, 0, sure).map(|()| end)
}

/// Reads am or pm, and "o'clock"; hours beyond 12 need neither.
fn meridiem(p: &Parser<'_>, at: usize, hour: u32) -> (u32, bool, usize) {
    let end = p.skip(at, |lex| lex == Lex::Clock);
    let dot = |end: usize| {
        if p.lex(end) == Lex::Mark('.') && p.glued(end) && p.glued(end - 1) && p.words(end - 1).contains('.') {
            end + 1
        } else {
            end
        }
    };
    match p.lex(end) {
        Lex::Am if hour <= 12 => (hour % 12, true, dot(end + 1)),
        Lex::Pm if hour <= 12 => (hour % 12 + 12, true, dot(end + 1)),
        Lex::Other if p.glued(end) && p.words(end) == "p" && hour <= 12 => (hour % 12 + 12, true, end + 1),
        _ => (hour, hour > 12 || hour == 0, end),
    }
}

/// "17:30", "5pm", "15h30", "at 5", "11.00am", "17 Uhr".
fn digits(p: &Parser<'_>, at: usize, draft: &mut Draft) -> Option<usize> {
    let start = p.skip(at, |lex| lex == Lex::At);
    let Lex::Digits { value: hour, len } = p.lex(start) else { return None };
    if !p.free(start) {
        return None;
    }
    if len >= 3 {
        return run_together(p, start, hour, len, draft);
    }
    if hour > 24 {
        return None;
    }
    let (minute, second, end) = minutes(p, start + 1);
    let clear = minute.is_some();
    let (said, sure, end) = meridiem(p, end, hour);
    let marked = clear || end > start + 1;
    let by = matches!(p.before(start), Lex::Before | Lex::By) && p.goes_on(end) && !p.day_first;
    let led = by
        || matches!(p.before(start), Lex::At | Lex::Mark('@'))
        || draft.part.is_some() && p.before(start) != Lex::Other;
    // "floor 2 tomorrow" numbers a floor.
    let numbers = !marked && start == at && p.before(start) == Lex::Other;
    let day_behind = !numbers && matches!(p.lex(end), Lex::Day(_) | Lex::DayPart(..)) || part_behind(p, end);
    let counts = matches!(p.lex(end), Lex::Unit(_) | Lex::Mark('%' | '$' | '€' | '/') | Lex::Business | Lex::Number(_))
        || matches!(p.lex(end), Lex::Mark('.' | ':' | '-'))
            && p.glued(end)
            && matches!(p.lex(end + 1), Lex::Digits { .. })
            && p.glued(end + 1);
    let wanted =
        marked || (led && (p.lex(end) != Lex::Other || p.before(start) == Lex::At || p.goes_on(end))) || day_behind;
    if !wanted || (!marked && counts) {
        return None;
    }
    let french = matches!(p.lex(start + 1), Lex::Unit(Unit::Hour));
    let sure = sure || clear && (french || len == 2 && hour < 10 || hour > 12);
    put(draft, said, minute.unwrap_or(0), second, sure).map(|()| end)
}

/// "in the morning", "this evening" behind an hour.
fn part_behind(p: &Parser<'_>, at: usize) -> bool {
    let next = p.skip(at, |lex| matches!(lex, Lex::In | Lex::The | Lex::At | Lex::Rel(Rel::This)));
    next > at && matches!(p.lex(next), Lex::Part(_))
}

/// Minutes and seconds behind an hour: ":30", ":30:15", "h30", ".30" before am, pm or Uhr.
fn minutes(p: &Parser<'_>, at: usize) -> (Option<u32>, u32, usize) {
    let glued = p.glued(at) && p.glued(at + 1);
    let Lex::Digits { value, len: 2 } = p.lex(at + 1) else {
        // "15h"
        let big = matches!(p.before(at), Lex::Digits { value: 13..=24, .. }) || at > 1 && p.lex(at - 2) == Lex::At;
        let hour = matches!(p.lex(at), Lex::Unit(Unit::Hour)) && p.glued(at) && p.words(at) == "h" && big;
        return if hour { (Some(0), 0, at + 1) } else { (None, 0, at) };
    };
    let fits = match p.lex(at) {
        Lex::Mark(':') => glued,
        Lex::Unit(Unit::Hour) => glued && p.words(at) == "h",
        Lex::Mark('.') => glued && matches!(p.lex(at + 2), Lex::Am | Lex::Pm | Lex::Clock),
        Lex::Clock => true,
        _ => false,
    };
    if !fits || value > 59 {
        return (None, 0, at);
    }
    match (p.lex(at + 2), p.lex(at + 3)) {
        (Lex::Mark(':'), Lex::Digits { value: second @ 0..=59, len: 2 }) if p.glued(at + 3) => {
            (Some(value), second, at + 4)
        }
        _ => (Some(value), 0, at + 2),
    }
}

/// "at 1030", "730 in the evening".
fn run_together(p: &Parser<'_>, at: usize, value: u32, len: u8, draft: &mut Draft) -> Option<usize> {
    let (hour, minute) = (value / 100, value % 100);
    let led = matches!(p.before(at), Lex::At | Lex::About) && !matches!(p.lex(at + 1), Lex::Unit(_) | Lex::Mark(_));
    let (said, sure, end) = meridiem(p, at + 1, hour);
    if len > 4 || hour > 24 || minute > 59 || !(led || end > at + 1 || part_behind(p, end)) {
        return None;
    }
    put(draft, said, minute, 0, sure).map(|()| end)
}

/// "at three twenty", "nine fifty-nine a m", "eight tonight".
fn words(p: &Parser<'_>, at: usize, draft: &mut Draft) -> Option<usize> {
    let start = p.skip(at, |lex| lex == Lex::At);
    let Lex::Number(hour @ 1..=12) = p.lex(start) else { return None };
    let (minute, end) = match p.whole(start + 1).filter(|(n, _)| (10..60).contains(n)) {
        Some((minute, end)) => (minute, end),
        None => (0, start + 1),
    };
    let leads =
        matches!(p.before(start), Lex::At | Lex::Before | Lex::By | Lex::About) && !p.words(start).contains("a ");
    let led = leads && (p.goes_on(end) || matches!(p.lex(end), Lex::Day(_) | Lex::Weekday(_)));
    let (said, sure, after) = meridiem(p, end, hour);
    let day_behind = matches!(p.lex(after), Lex::Day(_) | Lex::DayPart(..)) || part_behind(p, after);
    if !(led || after > end || day_behind) {
        return None;
    }
    put(draft, said, minute, 0, sure).map(|()| after)
}

/// "tomorrow morning", "this afternoon", "in the evening", "after lunch".
fn part(p: &Parser<'_>, at: usize, draft: &mut Draft) -> Option<usize> {
    if draft.part.is_some() || draft.moment.is_some() {
        return None;
    }
    let this = p.lex(at) == Lex::Rel(Rel::This) && draft.weekday.is_none();
    let start = p.skip(at, |lex| matches!(lex, Lex::In | Lex::The | Lex::At) || lex == Lex::Rel(Rel::This) && this);
    let (part, rel) = match p.lex(start) {
        Lex::Part(part) => (part, this.then_some(Rel::This)),
        Lex::DayPart(0, part) if draft.clock.is_some() => (part, Some(Rel::This)),
        _ => return None,
    };
    let led = match part {
        Part::Lunch if this && !p.goes_on(start + 1) => return None,
        Part::Lunch => matches!(p.before(start), Lex::After | Lex::At | Lex::Before | Lex::By),
        _ => p.lex(at) == Lex::In || matches!(p.before(start), Lex::At | Lex::By),
    };
    let dated = draft.day.is_some() || draft.weekday.is_some() || draft.dom.is_some() || draft.clock.is_some();
    if !(led || this || dated) {
        return None;
    }
    draft.part = Some(part);
    if !dated || draft.clock.is_some() && draft.weekday.is_none() {
        draft.rel = rel.or((part == Part::Lunch).then_some(Rel::This)).or(draft.rel);
    }
    Some(start + 1)
}

/// "GMT", "(CET)" behind a time.
fn zone(p: &Parser<'_>, at: usize, draft: &mut Draft) -> Option<usize> {
    let Lex::Zone(minutes) = p.lex(at) else { return None };
    if draft.zone.is_some() {
        return None;
    }
    draft.zone = Some(p.offset.map_or_else(TimeDelta::zero, |offset| offset - TimeDelta::minutes(minutes.into())));
    let closed = p.lex(at + 1) == Lex::Mark(')') && p.before(at) == Lex::Mark('(');
    Some(at + 1 + usize::from(closed))
}

#[cfg(test)]
mod tests {
    use crate::due::table::{means, means_at};

    /// Said on Tuesday, 12 February 2013, at half past four in the morning.
    const EARLY: &str = "2013-02-12T04:30";

    #[test]
    fn a_time_alone_is_the_next_one() {
        means_at(
            EARLY,
            "en",
            &[
                ("at 3pm", "2013-02-12T15:00"),
                ("15:30", "2013-02-12T15:30"),
                ("at 3am", "2013-02-13T03:00"),
                ("at three twenty", "2013-02-12T15:20"),
                ("half past three", "2013-02-12T15:30"),
                ("a quarter to noon", "2013-02-12T11:45"),
                ("nine fifty-nine a.m.", "2013-02-12T09:59"),
                ("before eleven", "2013-02-12T11:00"),
            ],
        );
    }

    #[test]
    fn a_time_belongs_to_the_day_beside_it() {
        means_at(
            EARLY,
            "en",
            &[
                ("Saturday morning at 9", "2013-02-16T09:00"),
                ("8 tonight", "2013-02-12T20:00"),
                ("on Saturday for 9am", "2013-02-16T09:00"),
                ("tomorrow before four", "2013-02-13T04:00"),
                ("tomorrow evening at 5", "2013-02-13T17:00"),
                ("at 19h30 on Fri, Sep 20", "2013-09-20T19:30"),
                ("EOD Friday", "2013-02-15T23:59"),
            ],
        );
        means_at(EARLY, "de", &[("morgen um 17 Uhr", "2013-02-13T17:00"), ("um halb drei", "2013-02-12T14:30")]);
        means_at(EARLY, "fr", &[("demain à 17h30", "2013-02-13T17:30")]);
    }

    #[test]
    fn a_time_of_another_zone_is_put_on_the_local_clock_and_day() {
        let said = "2013-02-12T04:30:00".parse().unwrap();
        let local = |text: &str, hours| {
            let found = crate::due::find_in(text, said, chrono::TimeDelta::hours(hours), Some("en")).remove(0);
            format!("{}T{}", found.date, found.time.unwrap())
        };
        assert_eq!(local("Thursday 8:00 GMT", -2), "2013-02-14T06:00:00");
        assert_eq!(local("Friday 5pm (PST)", 1), "2013-02-16T02:00:00");
    }

    #[test]
    fn parts_of_the_day_are_today_unless_they_are_over() {
        means(
            EARLY,
            "en",
            &[("this afternoon", "2013-02-12"), ("after lunch", "2013-02-12"), ("tonight", "2013-02-12")],
        );
        means("2013-02-12T20:00", "en", &[("first thing in the morning", "2013-02-13")]);
    }

    #[test]
    fn numbers_that_only_look_like_times_are_none() {
        means(
            EARLY,
            "en",
            &[
                ("three twenty", ""),
                ("A4 A5", ""),
                ("two sixty a m", ""),
                ("Rat 6", ""),
                ("two to four people", ""),
                ("Good morning Paul", ""),
            ],
        );
    }
}
