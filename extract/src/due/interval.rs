//! Stretches of days in which a finer piece says which: weeks, months, quarters, years.

use chrono::{Datelike, Days, Months, NaiveDate, TimeDelta, Weekday};

use super::lexicon::{Edge, Unit};

/// A stretch of days.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Interval {
    pub unit: Unit,
    pub first: NaiveDate,
    pub last: NaiveDate,
    /// The day meant where nothing finer is said; otherwise its first.
    pub own: Option<NaiveDate>,
    /// Named by "the week" alone: only an edge or a finer piece makes it a day.
    pub is_bare: bool,
    /// Said as a span: "in two weeks".
    pub is_span: bool,
}

impl Interval {
    /// The stretch of a unit that holds a day, moved by whole units.
    pub fn around(day: NaiveDate, unit: Unit, shift: i32) -> Option<Self> {
        let (first, last) = match unit {
            Unit::Week | Unit::Weekend | Unit::Workday => {
                let monday = monday(day)?.checked_add_signed(TimeDelta::weeks(shift.into()))?;
                let (from, to) = if unit == Unit::Weekend { (5, 6) } else { (0, 4) };
                (monday.checked_add_days(Days::new(from))?, monday.checked_add_days(Days::new(to))?)
            }
            Unit::Month => months(day.with_day(1)?, shift, 1)?,
            Unit::Quarter => {
                months(NaiveDate::from_ymd_opt(day.year(), day.month0() / 3 * 3 + 1, 1)?, shift.checked_mul(3)?, 3)?
            }
            Unit::Year => months(NaiveDate::from_ymd_opt(day.year(), 1, 1)?, shift.checked_mul(12)?, 12)?,
            Unit::Fortnight => (day, day.checked_add_days(Days::new(14))?),
            Unit::Day | Unit::Second | Unit::Minute | Unit::Hour => {
                let day = day.checked_add_signed(TimeDelta::days(shift.into()))?;
                (day, day)
            }
        };
        let ends = matches!(unit, Unit::Week | Unit::Weekend | Unit::Quarter);
        Some(Self { unit, first, last, own: ends.then_some(last), is_bare: false, is_span: false })
    }

    /// The one that holds a day to which a span leads.
    pub fn span(day: NaiveDate, unit: Unit) -> Option<Self> {
        let unit = if unit == Unit::Fortnight { Unit::Week } else { unit };
        Some(Self { own: Some(day), is_span: true, ..Self::around(day, unit, 0)? })
    }

    /// A month of a year.
    pub fn month(year: i32, month: u32) -> Option<Self> {
        Self::around(NaiveDate::from_ymd_opt(year, month, 1)?, Unit::Month, 0)
    }

    pub fn year(year: i32) -> Option<Self> {
        Self::around(NaiveDate::from_ymd_opt(year, 1, 1)?, Unit::Year, 0)
    }

    /// A day in it. The start of a week is its Tuesday: who says so does not mean Monday morning.
    pub fn at(&self, edge: Edge) -> Option<NaiveDate> {
        match (edge, self.unit) {
            (Edge::Start, Unit::Week) => self.first.succ_opt(),
            (Edge::Start, _) => Some(self.first),
            (Edge::Middle, Unit::Month) => self.first.with_day(15),
            (Edge::Middle, _) => self.first.checked_add_signed((self.last - self.first) / 2),
            (Edge::End, _) => Some(self.last),
        }
    }
}

fn months(first: NaiveDate, shift: i32, len: u32) -> Option<(NaiveDate, NaiveDate)> {
    let first = add_months(first, shift)?;
    Some((first, first.checked_add_months(Months::new(len))?.pred_opt()?))
}

/// A day some months on, or back; the last day of the month where it has no such day.
pub(super) fn add_months(day: NaiveDate, by: i32) -> Option<NaiveDate> {
    let step = Months::new(by.unsigned_abs());
    if by < 0 { day.checked_sub_months(step) } else { day.checked_add_months(step) }
}

/// The Monday of a day's week.
pub(super) fn monday(day: NaiveDate) -> Option<NaiveDate> {
    day.checked_sub_days(Days::new(day.weekday().num_days_from_monday().into()))
}

/// The first such weekday on or after a day.
pub(super) fn on_or_after(day: NaiveDate, weekday: Weekday) -> Option<NaiveDate> {
    day.checked_add_days(Days::new(weekday.days_since(day.weekday()).into()))
}
