//! Days seen from today, and lengths of time from now or from another day: "tomorrow", "in two weeks", "three days after
//! the 12th", "five minutes ago".
//!
//! Hours lead to a moment and days to a day. Weeks and more lead to an [`Interval`], in which a finer piece may say
//! which day: "Monday two weeks from now".

use chrono::{Days, NaiveDate, NaiveDateTime, TimeDelta};

use super::interval::Interval;
use super::lexicon::{Lex, Part, Rel, Unit};
use super::number::TimeSpan;
use super::parser::{Parsed, Parser};
use super::partial_date::PartialDate;
use super::weekday::weeks_in_days;

/// A day or moment seen from now, or from another one.
pub(super) fn rule(p: &Parser<'_>, at: usize, so_far: &PartialDate) -> Parsed {
    today(p, at, so_far).or_else(|| ahead(p, at)).or_else(|| anchored(p, at)).or_else(|| signed(p, at))
}

fn day(day: NaiveDate) -> PartialDate {
    PartialDate { day: Some(day), ..PartialDate::default() }
}

fn shifted(p: &Parser<'_>, by: i8) -> Option<NaiveDate> {
    let today = p.now.date();
    let days = Days::new(by.unsigned_abs().into());
    if by < 0 { today.checked_sub_days(days) } else { today.checked_add_days(days) }
}

/// "today", "tomorrow", "tonight", "now".
fn today(p: &Parser<'_>, at: usize, so_far: &PartialDate) -> Parsed {
    match p.lex(at) {
        // "tomorrow week"
        Lex::Day(shift @ 0..) if p.lex(at + 1) == Lex::Unit(Unit::Week) => {
            Some((day(shifted(p, shift)?.checked_add_days(Days::new(7))?), at + 2))
        }
        Lex::Day(shift @ 0..) if p.lex(at + 1) == Lex::In => {
            let today = shifted(p, shift)?;
            if let Some((weeks, end)) = weeks_in_days(p, at + 1) {
                return Some((day(today.checked_add_signed(TimeDelta::weeks(weeks))?), end));
            }
            // "heute in einer Woche", but "today in two hours" is today.
            match p.span(at + 2).filter(|(span, _)| !span.is_clock()) {
                Some((span, end)) => Some((day(span.from(today.and_time(p.now.time()), 1)?.date()), end)),
                None => Some((day(today), at + 1)),
            }
        }
        Lex::Day(shift) => Some((day(shifted(p, shift)?), at + 1)),
        // "eight tonight": the part of the day that was said already is the better one.
        Lex::DayPart(shift, part) => {
            let part = Some(part).filter(|_| so_far.part.is_none());
            Some((PartialDate { part, ..day(shifted(p, shift)?) }, at + 1))
        }
        Lex::Rel(Rel::Last) if p.lex(at + 1) == Lex::Part(Part::Night) => {
            Some((PartialDate { part: Some(Part::Night), ..day(shifted(p, -1)?) }, at + 2))
        }
        // "after this", "after this call": as soon as people have parted, so the same day.
        Lex::After if p.lex(at + 1) == Lex::Rel(Rel::This) && p.goes_on(at + 2) => Some((day(p.now.date()), at + 2)),
        // "tomorrow after the meeting", "after work on Friday": of the day beside it.
        Lex::ThisSession if so_far.names_a_day() || p.day_follows(at + 1) || p.lex(at + 1) == Lex::Every => {
            Some((PartialDate::default(), at + 1))
        }
        Lex::ThisSession => Some((day(p.now.date()), at + 1)),
        // "now + 40 minutes"
        Lex::Now if p.lex(at + 1) == Lex::Mark('+') => {
            let (span, end) = p.span(at + 2)?;
            Some((led_to(&span, p.now, 1)?, end))
        }
        Lex::Now => Some((PartialDate { moment: Some(p.now), ..PartialDate::default() }, at + 1)),
        _ => None,
    }
}

/// Where a span leads from a moment.
fn led_to(span: &TimeSpan, from: NaiveDateTime, sign: i32) -> Option<PartialDate> {
    let moment = span.from(from, sign)?;
    Some(match span.grain? {
        unit if unit <= Unit::Hour => PartialDate { moment: Some(moment), ..PartialDate::default() },
        unit if unit >= Unit::Week => {
            PartialDate { interval: Interval::span(moment.date(), unit), ..PartialDate::default() }
        }
        _ => day(moment.date()),
    })
}

/// "in two weeks", "within 3 days", "in the next three days", "next two years", "after an hour".
fn ahead(p: &Parser<'_>, at: usize) -> Parsed {
    let rel = |lex| matches!(lex, Lex::Rel(Rel::Next | Rel::Coming | Rel::This));
    let start = p.skip(at, |lex| {
        matches!(lex, Lex::In | Lex::Within | Lex::The | Lex::About | Lex::Mark('~') | Lex::After) || rel(lex)
    });
    let led = match p.lex(at) {
        Lex::In | Lex::Within => true,
        Lex::After => start == at + 1,
        Lex::Rel(Rel::Next | Rel::Coming) => start == at + 1 && p.lex(start) != Lex::A,
        Lex::The => start == at + 2 && rel(p.lex(at + 1)),
        Lex::Mark('~') => p.glued(start),
        // "two upcoming days"
        _ => p.whole(at).is_some_and(|(_, next)| matches!(p.lex(next), Lex::Rel(Rel::Coming | Rel::Next))),
    };
    let (span, end) = p.span(start).filter(|_| led)?;
    let end = past_possessive(p, end);
    if p.lex(end) != Lex::On
        && let Some(found) = from_anchor(p, &span, end)
    {
        return Some(found);
    }
    Some((led_to(&span, p.now, 1)?, end + usize::from(p.lex(end) == Lex::Later)))
}

/// Past the mark of "in two weeks' time".
fn past_possessive(p: &Parser<'_>, at: usize) -> usize {
    p.skip(at, |lex| matches!(lex, Lex::Possessive | Lex::Mark('\'' | '’')))
}

/// "two weeks from Friday", "three days ago", "a week later", "the day after".
fn anchored(p: &Parser<'_>, at: usize) -> Parsed {
    // "two days after tomorrow", where the lexicon reads "day after tomorrow" as one word
    if let Some((n, next)) = p.whole(at).filter(|(_, next)| p.lex(*next) == Lex::Day(2) && p.words(*next).contains(' '))
    {
        return Some((day(p.now.date().checked_add_days(Days::new(u64::from(n.min(1000)) + 1))?), next + 1));
    }
    let the = p.lex(at) == Lex::The;
    if let Some(found) = beside(p, at + usize::from(the)) {
        return Some(found);
    }
    let (span, end) = p.span(at + usize::from(the)).or_else(|| one(p, at + usize::from(the)))?;
    let end = past_possessive(p, end);
    if let Some(found) = from_anchor(p, &span, end) {
        return Some(found);
    }
    // "the last day of the month before noon" goes on with the day.
    if matches!(p.lex(end), Lex::After | Lex::Before) && p.inner(end + 1).is_some() {
        return None;
    }
    let sign = match p.lex(end) {
        Lex::Later => 1,
        Lex::After if the => 1,
        Lex::Ago | Lex::Before => -1,
        _ => return None,
    };
    Some((led_to(&span, p.now, sign)?, end + 1))
}

/// "the week after Easter", "the month before Christmas": a whole one, not a span.
fn beside(p: &Parser<'_>, at: usize) -> Parsed {
    let (unit, end) = p.unit(at).filter(|(unit, _)| *unit >= Unit::Weekend)?;
    let sign = match p.lex(end) {
        Lex::After => 1,
        Lex::Before => -1,
        _ => return None,
    };
    let (anchor, end) = p.inner(end + 1).filter(|(partial, _)| partial.names_a_day())?;
    let interval = Interval::around(anchor.resolve(p.now)?.date, unit, sign)?;
    Some((PartialDate { interval: Some(interval), ..PartialDate::default() }, end))
}

/// One of a unit, without a number: "the day after", "day before".
fn one(p: &Parser<'_>, at: usize) -> Option<(TimeSpan, usize)> {
    let (unit, end) = p.unit(at)?;
    matches!(p.lex(end), Lex::After | Lex::Before).then_some(())?;
    (p.lex(end + 1) != Lex::Rel(Rel::Next)).then_some((TimeSpan::one(unit)?, end))
}

/// "from Friday", "after tomorrow", "before Christmas" behind a span; also "a week on Friday", "two weeks tomorrow".
fn from_anchor(p: &Parser<'_>, span: &TimeSpan, at: usize) -> Parsed {
    let (sign, next) = match p.lex(at) {
        Lex::From | Lex::After => (1, at + 1),
        Lex::Before => (-1, at + 1),
        Lex::On if matches!(p.lex(at + 1), Lex::Weekday(_)) => (1, at + 1),
        Lex::Day(0 | 1) if !span.is_clock() => (1, at),
        _ => return None,
    };
    if p.lex(next) == Lex::Now {
        return Some((led_to(span, p.now, sign)?, next + 1));
    }
    // "in three days before noon": days are counted from a day.
    let (anchor, end) = p.inner(next).filter(|(anchor, _)| span.is_clock() || anchor.names_a_day())?;
    let anchor = anchor.resolve(p.now)?;
    let partial = led_to(span, anchor.date.and_time(anchor.time.unwrap_or_default()), sign)?;
    match (anchor.time, partial.moment) {
        (Some(time), None) => {
            Some((PartialDate { moment: span.from(anchor.date.and_time(time), sign), ..PartialDate::default() }, end))
        }
        _ => Some((partial, end)),
    }
}

/// "+15 minutes", "-2hr5min".
fn signed(p: &Parser<'_>, at: usize) -> Parsed {
    let sign = match p.lex(at) {
        Lex::Mark('+') => 1,
        Lex::Mark('-') if !p.glued(at) && matches!(p.lex(at + 2), Lex::Unit(_)) => -1,
        _ => return None,
    };
    let (span, end) = p.span(at + 1).filter(|_| p.glued(at + 1))?;
    Some((led_to(&span, p.now, sign)?, end))
}

#[cfg(test)]
mod tests {
    use crate::due::table::{means, means_at};

    /// Said on Friday, 10 August 2012, at 12:14.
    const NOON: &str = "2012-08-10T12:14";

    #[test]
    fn days_are_counted_from_today() {
        means(
            NOON,
            "en",
            &[
                ("today", "2012-08-10"),
                ("Tomorrow morning", "2012-08-11"),
                ("the day after tomorrow", "2012-08-12"),
                ("2 days after tomorrow", "2012-08-13"),
                ("yesterday", "2012-08-09"),
                ("right after this call", "2012-08-10"),
            ],
        );
    }

    #[test]
    fn the_course_of_a_day_is_that_of_today_or_of_the_day_beside_it() {
        means(
            NOON,
            "en",
            &[
                ("I'll look after dinner", "2012-08-10"),
                ("on my way home from work", "2012-08-10"),
                ("call him 2nite", "2012-08-10"),
                ("tomorrow after work", "2012-08-11"),
                ("after work on Monday", "2012-08-13"),
                ("before dinner on Monday", "2012-08-13"),
                ("dinner with Ana", ""),
            ],
        );
        means(NOON, "de", &[("in der Mittagspause", "2012-08-10"), ("morgen nach der Arbeit", "2012-08-11")]);
        means(
            NOON,
            "nl",
            &[("straks", "2012-08-10"), ("half maart", "2013-03-15"), ("morgen na het werk", "2012-08-11")],
        );
        means(NOON, "fr", &[("après le déjeuner", "2012-08-10"), ("demain après le boulot", "2012-08-11")]);
        means(NOON, "it", &[("in giornata", "2012-08-10"), ("domani dopo il lavoro", "2012-08-11")]);
        means(NOON, "pt", &[("depois do almoço", "2012-08-10"), ("amanhã depois da aula", "2012-08-11")]);
        means(NOON, "ja", &[("このあと電話します", "2012-08-10"), ("明日の会議後に", "2012-08-11")]);
    }

    #[test]
    fn spans_lead_from_now_or_from_another_day() {
        means(
            NOON,
            "en",
            &[
                ("in two weeks", "2012-08-24"),
                ("within the next 3 days", "2012-08-13"),
                ("in a fortnight", "2012-08-24"),
                ("in a fortnight's time", "2012-08-24"),
                ("over the weekend", "2012-08-12"),
                ("over next weekend", "2012-08-19"),
                ("next two years", "2014-08-10"),
                ("a week from tomorrow", "2012-08-18"),
                ("a week on Friday", "2012-08-17"),
                ("two weeks tomorrow", "2012-08-25"),
                ("3 days before Christmas", "2012-12-22"),
                ("2 weeks from January 15", "2013-01-29"),
                ("in a couple of months", "2012-10-10"),
            ],
        );
    }

    #[test]
    fn a_week_may_be_counted_in_eight_days() {
        means(
            NOON,
            "de",
            &[
                ("heute in einer Woche", "2012-08-17"),
                ("Montag in acht Tagen", "2012-08-20"),
                ("heute in 14 Tagen", "2012-08-24"),
            ],
        );
        means(NOON, "fr", &[("lundi en huit", "2012-08-20"), ("lundi en quinze", "2012-08-27")]);
        means(NOON, "es", &[("de hoy en ocho", "2012-08-17")]);
        means(NOON, "it", &[("oggi a otto", "2012-08-17"), ("lunedì a otto", "2012-08-20")]);
    }

    #[test]
    fn working_days_skip_the_weekend() {
        means(NOON, "en", &[("in 3 business days", "2012-08-15"), ("within five working days", "2012-08-17")]);
    }

    #[test]
    fn hours_and_minutes_lead_to_a_time() {
        means_at(
            NOON,
            "en",
            &[
                ("in half an hour", "2012-08-10T12:44"),
                ("in 1d, 2hr, and 5min", "2012-08-11T14:19"),
                ("in 2 and a half hours", "2012-08-10T14:44"),
                ("+15min", "2012-08-10T12:29"),
                ("15 minutes ago", "2012-08-10T11:59"),
                ("now + 40minutes", "2012-08-10T12:54"),
                ("in 48h", "2012-08-12T12:14"),
            ],
        );
    }

    #[test]
    fn a_length_of_time_alone_is_no_date() {
        means(NOON, "en", &[("5 days", ""), ("a few hours", ""), ("it took 3 weeks", ""), ("in them", "")]);
    }
}
