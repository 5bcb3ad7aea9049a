//! Days seen from today, and spans: "tomorrow", "in two weeks", "three days after the 12th", "five minutes ago".

use chrono::Days;

use super::draft::Draft;
use super::lexicon::{Lex, Part, Rel};
use super::number::Span;
use super::parser::Parser;

/// A day or moment seen from now, or from another one.
pub(super) fn rule(p: &Parser<'_>, at: usize, draft: &mut Draft) -> Option<usize> {
    if draft.day.is_some() || draft.moment.is_some() || draft.dom.is_some() || draft.month.is_some() {
        return None;
    }
    today(p, at, draft)
        .or_else(|| ahead(p, at, draft))
        .or_else(|| anchored(p, at, draft))
        .or_else(|| signed(p, at, draft))
}

/// "today", "tomorrow", "tonight", "now".
fn today(p: &Parser<'_>, at: usize, draft: &mut Draft) -> Option<usize> {
    match p.lex(at) {
        Lex::Day(shift) => {
            draft.day = shifted(p, shift);
            draft.day.map(|_| at + 1)
        }
        Lex::DayPart(shift, part) if draft.part.is_none() && draft.weekday.is_none() => {
            draft.day = shifted(p, shift);
            draft.part = Some(part);
            draft.day.map(|_| at + 1)
        }
        Lex::Rel(Rel::Last) if p.lex(at + 1) == Lex::Part(Part::Night) => {
            (draft.day, draft.part) = (shifted(p, -1), Some(Part::Night));
            draft.day.map(|_| at + 2)
        }
        // "after this", "after this call": as soon as people have parted, so the same day.
        Lex::After if p.lex(at + 1) == Lex::Rel(Rel::This) && p.goes_on(at + 2) => {
            draft.day = shifted(p, 0);
            Some(at + 2)
        }
        Lex::ThisSession => {
            draft.day = shifted(p, 0);
            Some(at + 1)
        }
        Lex::Now if *draft == Draft::default() => {
            // "now + 40 minutes"
            if matches!(p.lex(at + 1), Lex::Mark('+')) {
                let (span, end) = p.span(at + 2)?;
                return put(p, draft, &span, 1).map(|()| end);
            }
            draft.moment = Some(p.now);
            Some(at + 1)
        }
        _ => None,
    }
}

fn shifted(p: &Parser<'_>, by: i8) -> Option<chrono::NaiveDate> {
    let today = p.now.date();
    let days = Days::new(by.unsigned_abs().into());
    if by < 0 { today.checked_sub_days(days) } else { today.checked_add_days(days) }
}

/// "in two weeks", "within 3 days", "in the next three days", "next two years", "after an hour".
fn ahead(p: &Parser<'_>, at: usize, draft: &mut Draft) -> Option<usize> {
    let leads = |lex| {
        matches!(
            lex,
            Lex::In
                | Lex::Within
                | Lex::The
                | Lex::Rel(Rel::Next | Rel::Coming | Rel::This)
                | Lex::About
                | Lex::Mark('~')
        )
    };
    let start = p.skip(at, leads);
    let led = match p.lex(at) {
        Lex::In | Lex::Within => true,
        Lex::Rel(Rel::Next | Rel::Coming) => start == at + 1 && p.lex(start) != Lex::A,
        Lex::The => start == at + 2 && matches!(p.lex(at + 1), Lex::Rel(_)),
        Lex::After => return after_span(p, at, draft),
        Lex::Mark('~') => p.glued(start),
        _ => false,
    };
    if !led {
        return upcoming(p, at, draft);
    }
    let (span, end) = p.span(start)?;
    let end = p.skip(end, |lex| matches!(lex, Lex::Possessive | Lex::Mark('\'' | '’')));
    if let Some(end) = from_anchor(p, &span, end, draft) {
        return Some(end);
    }
    put(p, draft, &span, 1)?;
    Some(if p.lex(end) == Lex::Later { end + 1 } else { end })
}

fn after_span(p: &Parser<'_>, at: usize, draft: &mut Draft) -> Option<usize> {
    let (span, end) = p.span(at + 1)?;
    put(p, draft, &span, 1).map(|()| end)
}

/// "two upcoming days".
fn upcoming(p: &Parser<'_>, at: usize, draft: &mut Draft) -> Option<usize> {
    let (_, next) = p.whole(at)?;
    if !matches!(p.lex(next), Lex::Rel(Rel::Coming | Rel::Next)) {
        return None;
    }
    let (span, end) = p.span(at)?;
    put(p, draft, &span, 1).map(|()| end)
}

/// "two weeks from Friday", "three days ago", "a week later", "the day after".
fn anchored(p: &Parser<'_>, at: usize, draft: &mut Draft) -> Option<usize> {
    if let (Some((n, next)), false) = (p.whole(at), p.lex(at) == Lex::A)
        && p.lex(next) == Lex::Day(2)
        && p.words(next).contains(' ')
    {
        draft.day = p.now.date().checked_add_days(Days::new(u64::from(n.min(1000)) + 1));
        return draft.day.map(|_| next + 1);
    }
    let (span, end) = match p.lex(at) {
        Lex::The => p.one(at + 1)?,
        _ => p.span(at)?,
    };
    let end = p.skip(end, |lex| matches!(lex, Lex::Possessive | Lex::Mark('\'' | '’')));
    if let Some(end) = from_anchor(p, &span, end, draft) {
        return Some(end);
    }
    match p.lex(end) {
        Lex::Later => put(p, draft, &span, 1).map(|()| end + 1),
        Lex::Ago | Lex::Before => put(p, draft, &span, -1).map(|()| end + 1),
        Lex::After if p.lex(at) == Lex::The => put(p, draft, &span, 1).map(|()| end + 1),
        _ => None,
    }
}

/// "from Friday", "after tomorrow", "before Christmas" behind a span; also "a week on Friday".
fn from_anchor(p: &Parser<'_>, span: &Span, at: usize, draft: &mut Draft) -> Option<usize> {
    let sign = match p.lex(at) {
        Lex::From | Lex::After => 1,
        Lex::Before => -1,
        Lex::On if matches!(p.lex(at + 1), Lex::Weekday(_)) => 1,
        Lex::Day(0 | 1) if !span.clock => {
            let day = shifted(p, if p.lex(at) == Lex::Day(0) { 0 } else { 1 })?;
            draft.day = Some(span.from(day.and_time(p.now.time()), 1)?.date());
            return Some(at + 1);
        }
        _ => return None,
    };
    if p.lex(at + 1) == Lex::Now {
        return put(p, draft, span, sign).map(|()| at + 2);
    }
    let (anchor, end) = p.inner(at + 1)?;
    let anchor = anchor.resolve(p.now)?;
    let start = anchor.date.and_time(anchor.time.unwrap_or_default());
    let moment = span.from(start, sign)?;
    if span.clock || anchor.time.is_some() {
        draft.moment = Some(moment);
    } else {
        draft.day = Some(moment.date());
    }
    Some(end)
}

/// "+15 minutes", "-2hr5min".
fn signed(p: &Parser<'_>, at: usize, draft: &mut Draft) -> Option<usize> {
    let sign = match p.lex(at) {
        Lex::Mark('+') => 1,
        Lex::Mark('-') if !p.glued(at) && p.glued(at + 1) && matches!(p.lex(at + 2), Lex::Unit(_)) => -1,
        _ => return None,
    };
    let (span, end) = p.span(at + 1).filter(|_| p.glued(at + 1))?;
    put(p, draft, &span, sign).map(|()| end)
}

fn put(p: &Parser<'_>, draft: &mut Draft, span: &Span, sign: i32) -> Option<()> {
    let moment = span.from(p.now, sign)?;
    if span.clock {
        draft.moment = Some(moment);
    } else {
        draft.day = Some(moment.date());
    }
    Some(())
}

impl Parser<'_> {
    /// One of a unit, without a number: "the day" of "the day after".
    fn one(&self, at: usize) -> Option<(Span, usize)> {
        let (unit, end) = self.unit(at)?;
        matches!(self.lex(end), Lex::After | Lex::Before | Lex::Later).then_some(())?;
        Some((Span::of(1.0, unit)?, end))
    }
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
    fn spans_lead_from_now_or_from_another_day() {
        means(
            NOON,
            "en",
            &[
                ("in two weeks", "2012-08-24"),
                ("within the next 3 days", "2012-08-13"),
                ("in a fortnight's time", "2012-08-24"),
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
