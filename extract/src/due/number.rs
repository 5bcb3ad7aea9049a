//! Numbers and lengths of time: "twenty-three", "a couple of", "1.5 hours", "one year, two months and three days".

use chrono::{Datelike, Days, NaiveDate, NaiveDateTime, TimeDelta, Weekday};

use super::interval::add_months;
use super::lexicon::{Lex, Rel, Unit};
use super::parser::Parser;

/// A length of time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct TimeSpan {
    months: i32,
    days: i64,
    workdays: i32,
    seconds: i64,
    /// The smallest unit that is said; a part of one counts as the next smaller.
    pub grain: Option<Unit>,
}

/// Beyond this, a number is not meant as a length of any unit.
const MOST: f64 = 100_000.0;

impl TimeSpan {
    /// One of a unit.
    pub fn one(unit: Unit) -> Option<Self> {
        let mut span = Self::default();
        span.add(1.0, unit)?;
        Some(span)
    }

    fn add(&mut self, count: f64, unit: Unit) -> Option<()> {
        if count > MOST {
            return None;
        }
        let whole = count.floor();
        let part = count - whole;
        // Halves of a unit are said in the next smaller one.
        #[allow(clippy::cast_possible_truncation)]
        let (n, rest) = (whole as i32, |of: f64| (part * of).round() as i64);
        match unit {
            Unit::Second => self.seconds += i64::from(n),
            Unit::Minute => self.seconds += i64::from(n) * 60 + rest(60.0),
            Unit::Hour => self.seconds += i64::from(n) * 3600 + rest(3600.0),
            Unit::Day => {
                self.days += i64::from(n);
                self.seconds += rest(86400.0);
            }
            Unit::Workday => self.workdays += n,
            Unit::Week | Unit::Weekend => self.days += i64::from(n) * 7 + rest(7.0),
            Unit::Fortnight => self.days += i64::from(n) * 14,
            Unit::Month => {
                self.months += n;
                self.days += rest(30.0);
            }
            Unit::Quarter => self.months += n * 3,
            Unit::Year => {
                self.months += n.checked_mul(12)?;
                self.months += i32::try_from(rest(12.0)).ok()?;
            }
        }
        let grain = if part > 0.0 { Unit::Day.min(unit) } else { unit };
        self.grain = Some(self.grain.map_or(grain, |known| known.min(grain)));
        Some(())
    }

    /// Whether hours or smaller are said, so that it leads to a time and not to a day.
    pub fn is_clock(&self) -> bool {
        self.grain.is_some_and(|grain| grain <= Unit::Hour)
    }

    /// The moment that lies a span after another (before it, with `sign` -1).
    pub fn from(&self, start: NaiveDateTime, sign: i32) -> Option<NaiveDateTime> {
        let day = add_months(start.date(), self.months * sign)?;
        let day = day.checked_add_signed(TimeDelta::try_days(self.days * i64::from(sign))?)?;
        let day = workdays(day, self.workdays * sign)?;
        day.and_time(start.time()).checked_add_signed(TimeDelta::try_seconds(self.seconds * i64::from(sign))?)
    }
}

/// Most working days that are counted one by one.
const MOST_WORKDAYS: i32 = 1000;

/// A day some working days on: Saturdays and Sundays do not count.
pub(super) fn workdays(mut day: NaiveDate, by: i32) -> Option<NaiveDate> {
    let one = Days::new(1);
    for _ in 0..by.abs().min(MOST_WORKDAYS) {
        loop {
            day = if by > 0 { day.checked_add_days(one)? } else { day.checked_sub_days(one)? };
            if !matches!(day.weekday(), Weekday::Sat | Weekday::Sun) {
                break;
            }
        }
    }
    Some(day)
}

impl Parser<'_> {
    /// A whole number in digits or words, below a hundred in words.
    pub fn whole(&self, at: usize) -> Option<(u32, usize)> {
        let next = if self.hyphen(at + 1) { at + 2 } else { at + 1 };
        let glued = self.glued(at + 1) && !self.words(at).is_ascii();
        match (self.lex(at), self.lex(next)) {
            (Lex::Digits { value, .. }, _) if self.free(at) => Some((value, at + 1)),
            // "二十三"
            (Lex::Number(n @ 2..=9), Lex::Number(10)) if glued => match self.lex(at + 2) {
                Lex::Number(ones @ 1..=9) if self.glued(at + 2) => Some((n * 10 + ones, at + 3)),
                _ => Some((n * 10, at + 2)),
            },
            (Lex::Number(10), Lex::Number(ones @ 1..=9)) if glued => Some((10 + ones, at + 2)),
            (Lex::Number(tens), Lex::Number(ones @ 1..=9)) if tens >= 20 && tens % 10 == 0 => {
                Some((tens + ones, next + 1))
            }
            (Lex::Number(n), _) => Some((n, at + 1)),
            _ => None,
        }
    }

    /// An ordinal in digits or words, up to the thirty-first.
    pub fn ordinal(&self, at: usize) -> Option<(u32, usize)> {
        let of = |at: usize| match self.lex(at) {
            Lex::Ordinal(n) => Some(u32::from(n)),
            Lex::Second => Some(2),
            _ => None,
        };
        let found = match self.lex(at) {
            Lex::Number(tens @ (20 | 30)) => {
                let next = if self.hyphen(at + 1) { at + 2 } else { at + 1 };
                (tens + of(next).filter(|ones| *ones < 10)?, next + 1)
            }
            _ => (of(at)?, at + 1),
        };
        (1..=31).contains(&found.0).then_some(found)
    }

    /// A number that counts a unit: whole, decimal, a fraction, or an article; of "two or three" the last.
    fn count(&self, at: usize) -> Option<(f64, usize)> {
        let at = self.skip(at, |lex| matches!(lex, Lex::About | Lex::Mark('~')));
        if let Some(found) = self.fraction(at) {
            return Some(found);
        }
        let (mut n, mut next) = match self.lex(at) {
            Lex::A => (1, at + 1),
            _ => self.whole(at)?,
        };
        let or =
            matches!(self.lex(next), Lex::To | Lex::Mark('-' | '–')) || self.words(next).eq_ignore_ascii_case("or");
        let last = match self.lex(next + 1) {
            Lex::Digits { value, .. } => Some((value, next + 2)),
            _ => self.whole(next + 1),
        };
        if let Some(last) = last.filter(|(last, end)| or && *last > n && self.unit(*end).is_some()) {
            (n, next) = last;
        }
        let and_half = self.lex(next) == Lex::And && self.half(next + 1).is_some();
        Some(if and_half { (f64::from(n) + 0.5, self.half(next + 1)?) } else { (f64::from(n), next) })
    }

    /// "half", "a half".
    fn half(&self, at: usize) -> Option<usize> {
        let at = at + usize::from(self.lex(at) == Lex::A);
        (self.lex(at) == Lex::Half).then_some(at + 1)
    }

    fn fraction(&self, at: usize) -> Option<(f64, usize)> {
        let of = |at: usize| self.skip(at, |lex| matches!(lex, Lex::Of | Lex::A));
        if let Some(end) = self.half(at) {
            return Some((0.5, of(end)));
        }
        match (self.lex(at), self.lex(at + 1), self.lex(at + 2)) {
            (Lex::A, Lex::Quarter, Lex::Of) => Some((0.25, of(at + 2))),
            (Lex::Number(n @ 1..=3), ..) => {
                let quarter = if self.hyphen(at + 1) { at + 2 } else { at + 1 };
                let is = matches!(self.lex(quarter), Lex::Quarter | Lex::Unit(Unit::Quarter));
                (is && self.lex(quarter + 1) == Lex::Of).then(|| (f64::from(n) / 4.0, of(quarter + 1)))
            }
            (Lex::Digits { value: n, .. }, Lex::Mark('.' | ','), Lex::Digits { value: d, len })
                if self.glued(at + 1) && self.glued(at + 2) && self.free(at) =>
            {
                Some((f64::from(n) + f64::from(d) / 10f64.powi(len.into()), at + 3))
            }
            (Lex::Digits { value: n, .. }, Lex::Mark('/'), Lex::Digits { value: d, .. }) if d > n && d <= 4 => {
                Some((f64::from(n) / f64::from(d), at + 3))
            }
            _ => None,
        }
    }

    /// A number with its unit.
    fn counted_unit(&self, at: usize) -> Option<(f64, Unit, usize)> {
        let (count, next) = self.count(at)?;
        let next = self.skip(next, |lex| matches!(lex, Lex::Rel(Rel::Next | Rel::Coming) | Lex::About));
        let next = next + usize::from(self.hyphen(next));
        let (mut unit, mut end) = match self.lex(next) {
            Lex::Mark('"') => (Unit::Second, next + 1),
            Lex::Mark('\'') => (Unit::Minute, next + 1),
            // "in 1 mon"
            Lex::MaybeWeekday(Weekday::Mon) if matches!(self.before(next), Lex::Digits { .. }) => {
                (Unit::Month, next + 1)
            }
            _ => self.unit(next)?,
        };
        if self.lex(end) == Lex::Business {
            (unit, end) = (Unit::Workday, end + 1);
        }
        // "a week or two", "an hour and a half"
        if self.words(end).eq_ignore_ascii_case("or") && self.lex(end + 1) == Lex::Number(2) && count == 1.0 {
            return Some((2.0, unit, end + 2));
        }
        match self.half(end + 1).filter(|_| self.lex(end) == Lex::And) {
            Some(end) => Some((count + 0.5, unit, end)),
            None => Some((count, unit, end)),
        }
    }

    /// A length of time: up to six numbers with their units, the larger first.
    pub fn span(&self, at: usize) -> Option<(TimeSpan, usize)> {
        let mut span = TimeSpan::default();
        let (count, mut last, mut end) = self.counted_unit(at)?;
        span.add(count, last)?;
        // "1h30"
        if let (Unit::Hour, Lex::Digits { value: minutes @ 0..60, len: 2 }, true) =
            (last, self.lex(end), self.glued(end))
            && !self.is_counted(end + 1)
        {
            span.add(minutes.into(), Unit::Minute)?;
            return Some((span, end + 1));
        }
        // "in three days, 17h30" says when on that day
        let minutes_follow =
            |end, unit| unit == Unit::Hour && self.glued(end) && matches!(self.lex(end), Lex::Digits { .. });
        for _ in 0..5 {
            let next = self.skip(end, |lex| matches!(lex, Lex::And | Lex::Mark(',')));
            let Some((count, unit, stop)) =
                self.counted_unit(next).filter(|(_, unit, end)| *unit < last && !minutes_follow(*end, *unit))
            else {
                break;
            };
            span.add(count, unit)?;
            (last, end) = (unit, stop);
        }
        Some((span, end))
    }
}
