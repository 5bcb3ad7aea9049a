//! Times of day: "5pm", "17:30", "17 Uhr", "half past three", "five-thirty", "noon", "in the morning".
//!
//! A time that says so itself ("5pm", "17:30", "noon") needs no company. A bare number ("5", "five thirty", "1030") is a
//! time behind "at", beside a day, or where a day or a part of it follows.

use chrono::{NaiveTime, TimeDelta};

use super::lexicon::{Lex, Rel, Unit};
use super::parser::{Parsed, Parser};
use super::partial_date::{ClockTime, PartialDate};

/// A time as written, and what is known of it.
#[derive(Clone, Copy, Debug)]
struct WrittenTime {
    hour: u32,
    minute: u32,
    second: u32,
    /// Morning or afternoon is certain.
    sure: bool,
    /// Nothing else is written so.
    plain: bool,
    end: usize,
}

/// A time of day, a part of the day, or a time zone.
pub(super) fn rule(p: &Parser<'_>, at: usize, so_far: &PartialDate) -> Parsed {
    if so_far.moment.is_some() {
        return None;
    }
    if so_far.clock.is_some() {
        return zone(p, at).or_else(|| part(p, at, so_far));
    }
    let start = p.skip(at, |lex| lex == Lex::At);
    let found = past_hour(p, start, so_far)
        .or_else(|| named(p, start).or_else(|| digits(p, start, so_far)))
        .or_else(|| words(p, start, so_far));
    let Some(said) = found else { return part(p, at, so_far) };
    let time = NaiveTime::from_hms_opt(said.hour % 24, said.minute, said.second)?;
    let end = past_range(p, said.end);
    Some((PartialDate { clock: Some(ClockTime { time, sure: said.sure }), ..PartialDate::default() }, end))
}

/// "noon", "midnight".
fn named(p: &Parser<'_>, at: usize) -> Option<WrittenTime> {
    let hour = match p.lex(at) {
        Lex::Noon => 12,
        Lex::Midnight => 0,
        _ => return None,
    };
    Some(WrittenTime { hour, minute: 0, second: 0, sure: true, plain: true, end: at + 1 })
}

/// Reads am or pm and "o'clock" behind an hour.
fn meridiem(p: &Parser<'_>, said: WrittenTime) -> Option<WrittenTime> {
    let at = p.skip(said.end, |lex| lex == Lex::Clock);
    let glued = p.glued(at) && p.lex(at) == Lex::Other;
    let letter = |letter: &str| glued && p.words(at).eq_ignore_ascii_case(letter) && !p.words(at + 1).starts_with('\'');
    // "3p.m." and "3 p." end in a mark of their own.
    let dotted =
        |end: usize| end + usize::from(p.lex(end) == Lex::Mark('.') && p.glued(end) && p.words(end - 1).contains('.'));
    let hour = said.hour;
    let stuck = p.glued(at + 1) && matches!(p.lex(at + 1), Lex::Other | Lex::Digits { .. });
    let known = |hour, end| Some(WrittenTime { hour, sure: true, plain: true, end, ..said });
    match p.lex(at) {
        Lex::Am | Lex::Pm if !(1..=12).contains(&hour) || stuck => None,
        Lex::Noon if hour == 12 => known(12, at + 1),
        Lex::Midnight if hour == 12 => known(0, at + 1),
        Lex::Am => known(hour % 12, dotted(at + 1)),
        Lex::Pm => known(hour % 12 + 12, dotted(at + 1)),
        _ if letter("p") && hour <= 12 => known(hour % 12 + 12, at + 1),
        _ if letter("a") && hour <= 12 && said.plain => known(hour % 12, at + 1),
        _ => Some(WrittenTime {
            end: at,
            sure: said.sure || hour > 12 || hour == 0,
            plain: said.plain || at > said.end,
            ..said
        }),
    }
}

/// "half past three", "a quarter to noon", "twenty after 3pm", "half three", "halb drei".
fn past_hour(p: &Parser<'_>, at: usize, so_far: &PartialDate) -> Option<WrittenTime> {
    let start = p.skip(at, |lex| matches!(lex, Lex::A | Lex::The));
    let (minutes, next) = match p.lex(start) {
        Lex::Half | Lex::HalfTo => (30, start + 1),
        Lex::Quarter => (15, start + 1),
        _ => {
            let (n, next) = p.whole(start).filter(|(n, _)| (1..60).contains(n))?;
            let end = p.skip(next, |lex| lex == Lex::Unit(Unit::Minute));
            // "from 9 to 11am" is a range, and so is "10 to 11am"
            let range = p.lex(next) == Lex::To && (n % 5 != 0 || n <= 12 && p.before(start) != Lex::At);
            let digits = matches!(p.lex(start), Lex::Digits { .. });
            if range && digits || matches!(p.before(at), Lex::From | Lex::Between) {
                return None;
            }
            (n, end)
        }
    };
    let half = matches!(p.lex(start), Lex::Half | Lex::HalfTo);
    let (sign, hour_at) = match p.lex(next) {
        _ if p.lex(start) == Lex::HalfTo => (-1, next),
        Lex::Past | Lex::After => (1, next + 1),
        Lex::To | Lex::Before if !half => (-1, next + 1),
        // English "half three" is half past.
        Lex::Number(_) if half => (1, next),
        _ => return None,
    };
    let hour = named(p, hour_at).or_else(|| {
        let (hour, end) = p.whole(hour_at).filter(|(hour, _)| (1..=24).contains(hour))?;
        meridiem(p, WrittenTime { hour, minute: 0, second: 0, sure: hour > 12, plain: false, end })
    })?;
    if is_taken(p, hour) {
        return None;
    }
    // "5 to 10 people" counts them.
    let counted = sign < 0 && !half && p.lex(start) != Lex::Quarter && !hour.plain;
    let company =
        p.before(at) == Lex::At || so_far.names_a_day() || p.day_follows(hour.end) || p.is_whole(at, hour.end);
    if counted && !(company && minutes % 5 == 0) {
        return None;
    }
    let total = i64::from(hour.hour * 60) + sign * i64::from(minutes);
    let total = u32::try_from(total.rem_euclid(24 * 60)).ok()?;
    Some(WrittenTime { hour: total / 60, minute: total % 60, ..hour })
}

/// "17:30", "5pm", "15h30", "at 5", "11.00am", "17 Uhr", "at 1030".
fn digits(p: &Parser<'_>, at: usize, so_far: &PartialDate) -> Option<WrittenTime> {
    let Lex::Digits { value, len } = p.lex(at) else { return None };
    // "20260314T101500Z"
    let stamp = len == 6 && p.glued(at) && p.words(at.saturating_sub(1)) == "T";
    if !p.free(at) || len > 4 && !stamp {
        return None;
    }
    let (hour, minute, second, end) = match len {
        1 | 2 => minutes(p, at, value),
        6 => (value / 10_000, Some(value / 100 % 100), value % 100, at + 1),
        _ => (value / 100, Some(value % 100), 0, at + 1),
    };
    if hour > 24 || minute.is_some_and(|minute| minute > 59) || second > 59 {
        return None;
    }
    let packed = len == 3 || len == 4;
    let plain = minute.is_some() && !packed && p.lex(at + 1) != Lex::Mark('.');
    let bare = WrittenTime { hour, minute: minute.unwrap_or(0), second, sure: false, plain, end };
    let french = matches!(p.lex(at + 1), Lex::Unit(Unit::Hour)) || len == 2 && hour < 10 && plain;
    let said = meridiem(p, bare)?;
    let said = WrittenTime { sure: said.sure || french, ..said };
    // "3-4pm": the first hour is of the same half of the day.
    if let Some(said) = lends(p, said) {
        return Some(said);
    }
    // "at 1430 hours"
    if len == 4 && p.lex(said.end) == Lex::Unit(Unit::Hour) {
        return Some(WrittenTime { sure: true, plain: true, end: said.end + 1, ..said });
    }
    let ish = p.glued(said.end) && p.words(said.end).starts_with("ish");
    if is_taken(p, said) && !ish || !said.plain && p.hyphen(said.end) {
        return None;
    }
    (said.plain || has_company(p, at, so_far, said, packed)).then_some(said)
}

/// Whether a number is of something else: "5 people" are no hours. What says that it is a time need only not be part of a
/// longer number.
fn is_taken(p: &Parser<'_>, said: WrittenTime) -> bool {
    let range = p.lex(said.end) == Lex::Mark('-');
    p.is_counted(said.end) && (!said.plain || p.glued(said.end) && !range)
}

/// Whether a bare number is a time: behind "at", beside a day, or where a day or a part of it follows.
fn has_company(p: &Parser<'_>, at: usize, so_far: &PartialDate, said: WrittenTime, packed: bool) -> bool {
    let lead = p.before(at);
    let end = said.end;
    let ish = p.glued(end) && p.words(end).starts_with("ish");
    let goes_on = p.lex(end) != Lex::Other || p.goes_on(end) || ish;
    // "floor 2 tomorrow" numbers a floor.
    let numbers = lead == Lex::Other;
    let follows = p.day_follows(end) && !numbers;
    let part = !packed && so_far.part.is_some() && lead != Lex::Other;
    let dotted = p.lex(at + 1) == Lex::Mark('.') && end > at + 1;
    match lead {
        Lex::At | Lex::Mark('@') => !packed || p.ends(end) || goes_on,
        Lex::By | Lex::Before if !p.pointed && !packed && !dotted => p.goes_on(end) || follows,
        Lex::After if !packed && !dotted => so_far.names_a_day() && p.goes_on(end) || follows,
        Lex::About if packed => goes_on,
        _ if packed => follows || ish,
        _ => follows || part && goes_on || (dotted || ish) && so_far.names_a_day() && goes_on,
    }
}

/// An hour that takes am or pm from the end of its range: "3-4pm", "from 3 to 4pm".
fn lends(p: &Parser<'_>, said: WrittenTime) -> Option<WrittenTime> {
    if said.plain && said.sure || !matches!(p.lex(said.end), Lex::Mark('-' | '–') | Lex::To) {
        return None;
    }
    let Lex::Digits { value, len: 1 | 2 } = p.lex(said.end + 1) else { return None };
    let (hour, minute, second, end) = minutes(p, said.end + 1, value);
    let last = WrittenTime { hour, minute: minute.unwrap_or(0), second, sure: false, plain: false, end };
    let last = meridiem(p, last).filter(|last| last.sure && last.end > end)?;
    let later = last.hour >= 12 && said.hour < 12 && said.hour + 12 <= last.hour;
    Some(WrittenTime { hour: said.hour + if later { 12 } else { 0 }, sure: true, plain: true, ..said })
}

/// Past the end of a range of hours: "- 11:30", "to 4pm". The first is the time meant.
fn past_range(p: &Parser<'_>, at: usize) -> usize {
    let between = p.lex(at) == Lex::And && (1..=6).any(|back| at >= back && p.lex(at - back) == Lex::Between);
    if !matches!(p.lex(at), Lex::To | Lex::Mark('-' | '–')) && !between {
        return at;
    }
    let end = match p.lex(at + 1) {
        Lex::Digits { value, len: 1 | 2 } => {
            let (hour, minute, second, end) = minutes(p, at + 1, value);
            let said =
                WrittenTime { hour, minute: minute.unwrap_or(0), second, sure: false, plain: minute.is_some(), end };
            let said = meridiem(p, said).filter(|said| said.hour <= 24);
            let last = said.filter(|said| {
                said.plain || (p.goes_on(said.end) || p.day_follows(said.end)) && !p.is_counted(said.end)
            });
            last.map(|said| said.end)
        }
        _ => named(p, at + 1).map(|said| said.end),
    };
    end.unwrap_or(at)
}

/// Hour, minutes and seconds: ":30", ":30:15", "h30", ".30".
fn minutes(p: &Parser<'_>, at: usize, hour: u32) -> (u32, Option<u32>, u32, usize) {
    let next = at + 1;
    let h = p.lex(next) == Lex::Unit(Unit::Hour) && p.glued(next) && p.words(next).eq_ignore_ascii_case("h");
    let Lex::Digits { value, len: 2 } = p.lex(next + 1) else {
        // "15h", but "in 5h"
        let big = hour > 12 || p.before(at) == Lex::At;
        return if h && big { (hour, Some(0), 0, next + 1) } else { (hour, None, 0, next) };
    };
    let glued = p.glued(next) && p.glued(next + 1);
    let fits = match p.lex(next) {
        Lex::Mark(':') => glued,
        // "at 2.30", "2.30pm", but not "3.14" or "2.30.1"
        Lex::Mark('.') => glued && !(p.glued(next + 2) && p.lex(next + 2) == Lex::Mark('.') && p.glued(next + 3)),
        Lex::Clock => true,
        _ => h && glued,
    };
    if !fits || value > 59 {
        return (hour, None, 0, next);
    }
    match (p.lex(next + 2), p.lex(next + 3)) {
        (Lex::Mark(':'), Lex::Digits { value: second, len: 2 }) if p.glued(next + 3) => {
            (hour, Some(value), second, past_fraction(p, next + 4))
        }
        _ => (hour, Some(value), 0, next + 2),
    }
}

/// Past the parts of a second and the zone of a time stamp: ".487", "Z", "+01:00".
fn past_fraction(p: &Parser<'_>, at: usize) -> usize {
    let part = matches!(p.lex(at), Lex::Mark('.' | ',')) && p.glued(at) && p.glued(at + 1);
    if part && matches!(p.lex(at + 1), Lex::Digits { .. }) { at + 2 } else { at }
}

/// "at three twenty", "nine fifty-nine a m", "five-thirty tomorrow", "eight tonight".
fn words(p: &Parser<'_>, at: usize, so_far: &PartialDate) -> Option<WrittenTime> {
    let Lex::Number(hour @ 1..=12) = p.lex(at) else { return None };
    let next = at + 1 + usize::from(p.hyphen(at + 1));
    let oh = usize::from(matches!(p.words(next).to_ascii_lowercase().as_str(), "oh" | "o"));
    let minute = p.whole(next + oh).filter(|(n, _)| if oh > 0 { (1..10).contains(n) } else { (10..60).contains(n) });
    let (minute, end) = minute.unwrap_or((0, at + 1));
    let said = meridiem(p, WrittenTime { hour, minute, second: 0, sure: false, plain: false, end })?;
    let article = p.words(at).split(' ').count() > 1;
    let lead = !article
        && !super::date_names::cardinal(p, at)
        && (matches!(p.before(at), Lex::At | Lex::Before | Lex::By | Lex::About | Lex::Mark('@'))
            || p.before(at) == Lex::After && so_far.names_a_day());
    let led = lead && (p.goes_on(said.end) || minute > 0 || p.day_follows(said.end));
    let part = p.lex(said.end) == Lex::In && p.day_follows(said.end);
    let follows = !article && p.day_follows(said.end) && (minute > 0 || part || p.before(at) != Lex::Other);
    let beside = so_far.part.is_some() && p.goes_on(said.end) || so_far.names_a_day() && minute > 0;
    (said.plain || led || follows || beside).then_some(said).filter(|said| !is_taken(p, *said))
}

/// "tomorrow morning", "this afternoon", "in the evening", "after lunch".
fn part(p: &Parser<'_>, at: usize, so_far: &PartialDate) -> Parsed {
    let this = p.lex(at) == Lex::Rel(Rel::This);
    let early = |lex| matches!(lex, Lex::Edge(_));
    let start =
        p.skip(at, |lex| matches!(lex, Lex::In | Lex::The | Lex::At) || lex == Lex::Rel(Rel::This) || early(lex));
    let (part, here) = match p.lex(start) {
        Lex::Part(part) => (part, this),
        Lex::DayPart(0, part) if so_far.clock.is_some() && !so_far.names_a_day() => (part, true),
        _ => return None,
    };
    let dated = so_far.names_a_day() || so_far.clock.is_some();
    // "after the dinner"
    let article = (0..start).rev().take_while(|at| p.lex(*at) == Lex::The).count();
    let led = match part {
        meal if meal.is_meal() && this && !p.goes_on(start + 1) => return None,
        meal if meal.is_meal() => matches!(p.before(start - article), Lex::After | Lex::At | Lex::Before | Lex::By),
        // "the night of the 20th"
        _ => {
            p.lex(at) == Lex::In
                || matches!(p.before(start), Lex::At | Lex::By)
                || p.lex(start + 1) == Lex::Of
                    && !matches!(p.lex(p.skip(start + 2, |lex| lex == Lex::The)), Lex::Other | Lex::Break)
        }
    };
    // "after lunch" and "this morning" are of today, also where they are over.
    let today = !so_far.names_a_day() && (here || part.is_meal()) && so_far.rel.is_none();
    let partial = PartialDate { part: Some(part), rel: today.then_some(Rel::This), ..PartialDate::default() };
    (led || this || dated).then_some((partial, start + 1))
}

/// "GMT", "(CET)", "+0100" behind a time.
fn zone(p: &Parser<'_>, at: usize) -> Parsed {
    let (minutes, end) = match p.lex(at) {
        // "10:00Z", but "10:00 z Anną"
        Lex::Zone(minutes) if p.glued(at) || p.words(at).len() > 1 => (minutes, at + 1),
        Lex::Mark(sign @ ('+' | '-' | '−')) if p.glued(at + 1) => {
            let (hours, minutes, end) = match (p.lex(at + 1), p.lex(at + 2), p.lex(at + 3)) {
                (Lex::Digits { value, len: 2 }, Lex::Mark(':'), Lex::Digits { value: minutes, len: 2 }) => {
                    (value, minutes, at + 4)
                }
                (Lex::Digits { value, len: 4 }, ..) => (value / 100, value % 100, at + 2),
                _ => return None,
            };
            let east = i16::try_from(hours * 60 + minutes).ok().filter(|east| *east <= 14 * 60)?;
            (if sign == '+' { east } else { -east }, end)
        }
        _ => return None,
    };
    let east = TimeDelta::minutes(minutes.into());
    let later = p.offset.map_or_else(TimeDelta::zero, |offset| offset - east);
    let closed = p.lex(end) == Lex::Mark(')') && p.before(at) == Lex::Mark('(');
    Some((PartialDate { zone: Some(later), ..PartialDate::default() }, end + usize::from(closed)))
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
