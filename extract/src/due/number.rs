//! Numbers and spans: "twenty-three", "a couple of", "1.5 hours", "one year, two months and three days".

use chrono::{Datelike, Days, NaiveDate, NaiveDateTime, TimeDelta, Weekday};

use super::draft::add_months;
use super::lexicon::{Lex, Unit};
use super::parser::Parser;

/// A length of time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Span {
    months: i32,
    days: i64,
    workdays: i32,
    seconds: i64,
    /// Whether hours or smaller are said, so that it leads to a time and not to a day.
    pub clock: bool,
}

/// Beyond this, a number is not meant as a span of any unit.
const MOST: f64 = 100_000.0;

impl Span {
    /// A number of units.
    pub fn of(count: f64, unit: Unit) -> Option<Self> {
        let mut span = Self::default();
        span.add(count, unit)?;
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
        self.clock |= unit <= Unit::Hour;
        Some(())
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
fn workdays(mut day: NaiveDate, by: i32) -> Option<NaiveDate> {
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
        match self.lex(at) {
            Lex::Digits { value, .. } if self.free(at) => Some((value, at + 1)),
            Lex::Number(tens) if tens >= 20 && tens % 10 == 0 => {
                let next = if self.lex(at + 1) == Lex::Mark('-') { at + 2 } else { at + 1 };
                match self.lex(next) {
                    Lex::Number(ones @ 1..=9) => Some((tens + ones, next + 1)),
                    _ => Some((tens, at + 1)),
                }
            }
            Lex::Number(n) => Some((n, at + 1)),
            _ => None,
        }
    }

    /// An ordinal in digits or words, up to the thirty-first.
    pub fn ordinal(&self, at: usize) -> Option<(u32, usize)> {
        let found = match self.lex(at) {
            Lex::Ordinal(n) => (u32::from(n), at + 1),
            Lex::Second => (2, at + 1),
            Lex::Number(tens @ (20 | 30)) => {
                let next = if self.lex(at + 1) == Lex::Mark('-') { at + 2 } else { at + 1 };
                match self.lex(next) {
                    Lex::Ordinal(ones @ 1..=9) => (tens + u32::from(ones), next + 1),
                    Lex::Second => (tens + 2, next + 1),
                    _ => return None,
                }
            }
            _ => return None,
        };
        (1..=31).contains(&found.0).then_some(found)
    }

    /// A number that counts a unit: whole, decimal, a fraction, or an article.
    fn count(&self, at: usize) -> Option<(f64, usize)> {
        let at = self.skip(at, |lex| matches!(lex, Lex::About | Lex::Mark('~')));
        if let Some(found) = self.fraction(at) {
            return Some(found);
        }
        let (n, next) = match self.lex(at) {
            Lex::A => (1, at + 1),
            _ => self.whole(at)?,
        };
        let and_half =
            matches!((self.lex(next), self.lex(next + 1), self.lex(next + 2)), (Lex::And, Lex::A, Lex::Half));
        Some(if and_half { (f64::from(n) + 0.5, next + 3) } else { (f64::from(n), next) })
    }

    fn fraction(&self, at: usize) -> Option<(f64, usize)> {
        let of = |at: usize| self.skip(at, |lex| matches!(lex, Lex::Of | Lex::A));
        match (self.lex(at), self.lex(at + 1), self.lex(at + 2)) {
            (Lex::Half, ..) => Some((0.5, of(at + 1))),
            (Lex::A, Lex::Half, _) => Some((0.5, of(at + 2))),
            (Lex::A, Lex::Quarter, Lex::Of) => Some((0.25, of(at + 2))),
            (Lex::Number(n), Lex::Mark('-'), Lex::Quarter | Lex::Unit(Unit::Quarter))
            | (Lex::Number(n), Lex::Quarter | Lex::Unit(Unit::Quarter), _)
                if n < 4 =>
            {
                let end = if self.lex(at + 1) == Lex::Mark('-') { at + 3 } else { at + 2 };
                (self.lex(end) == Lex::Of).then(|| (f64::from(n) / 4.0, of(end)))
            }
            (Lex::Digits { value: n, .. }, Lex::Mark('.' | ','), Lex::Digits { value: d, len })
                if self.glued(at + 2) =>
            {
                Some((f64::from(n) + f64::from(d) / 10f64.powi(len.into()), at + 3))
            }
            (Lex::Digits { value: n, .. }, Lex::Mark('/'), Lex::Digits { value: d, .. }) if d > n && d <= 4 => {
                Some((f64::from(n) / f64::from(d), at + 3))
            }
            _ => None,
        }
    }

    /// A unit, "business days" among them.
    pub fn unit(&self, at: usize) -> Option<(Unit, usize)> {
        match self.lex(at) {
            Lex::Unit(unit) => Some((unit, at + 1)),
            Lex::Second => Some((Unit::Second, at + 1)),
            // "in 1 mon"
            Lex::MaybeWeekday(Weekday::Mon) if matches!(self.before(at), Lex::Digits { .. }) => {
                Some((Unit::Month, at + 1))
            }
            Lex::Quarter => Some((Unit::Quarter, at + 1)),
            Lex::Business if matches!(self.lex(at + 1), Lex::Unit(Unit::Day)) => Some((Unit::Workday, at + 2)),
            Lex::Mark('"') => Some((Unit::Second, at + 1)),
            Lex::Mark('\'') => Some((Unit::Minute, at + 1)),
            _ => None,
        }
    }

    /// A number with its unit.
    pub fn counted_unit(&self, at: usize) -> Option<(f64, Unit, usize)> {
        let (count, next) = self.count(at)?;
        let next = self.skip(next, |lex| matches!(lex, Lex::Rel(_)));
        let (unit, mut end) = self.unit(next)?;
        if self.lex(end) == Lex::Business {
            return Some((count, Unit::Workday, end + 1));
        }
        let mut count = count;
        if matches!((self.lex(end), self.lex(end + 1), self.lex(end + 2)), (Lex::And, Lex::A, Lex::Half)) {
            (count, end) = (count + 0.5, end + 3);
        }
        Some((count, unit, end))
    }

    /// A span: up to six numbers with their units, the larger first.
    pub fn span(&self, at: usize) -> Option<(Span, usize)> {
        let mut span = Span::default();
        let (count, mut last, mut end) = self.counted_unit(at)?;
        span.add(count, last)?;
        for _ in 0..5 {
            let next = self.skip(end, |lex| matches!(lex, Lex::And | Lex::Mark(',')));
            let Some((count, unit, stop)) = self.counted_unit(next).filter(|(_, unit, _)| *unit < last) else { break };
            span.add(count, unit)?;
            (last, end) = (unit, stop);
        }
        Some((span, end))
    }
}
