//! What the pieces of an expression say, before and after they are put together into a day.

use chrono::{Datelike, Days, Months, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Timelike, Weekday};

use super::lexicon::{Edge, Part, Rel, Unit};

/// The pieces of one expression: each is filled at most once.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Draft {
    /// A day that is already certain: "tomorrow", "in two weeks", "2026-03-06".
    pub day: Option<NaiveDate>,
    /// A moment that is already certain: "in two hours".
    pub moment: Option<NaiveDateTime>,
    pub weekday: Option<Weekday>,
    /// Which of the weekdays: "next Friday"; `None` is the first from today on.
    pub rel: Option<Rel>,
    /// The nth weekday (or day, without a weekday) of a period; negative counts from its end.
    pub nth: Option<i8>,
    /// Day of the month.
    pub dom: Option<u32>,
    /// Day of the month on which a range ends.
    pub until: Option<u32>,
    pub month: Option<u32>,
    pub year: Option<i32>,
    pub period: Option<Period>,
    pub edge: Option<Edge>,
    pub clock: Option<Clock>,
    pub part: Option<Part>,
    /// How much later the local clock is than the zone that is said.
    pub zone: Option<TimeDelta>,
    /// "EOD".
    pub end_of_day: bool,
    /// "every Friday".
    pub recurring: bool,
    /// Reads like a date and can be none: "February 30".
    pub broken: bool,
}

/// A stretch of days.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Period {
    pub unit: Unit,
    pub first: NaiveDate,
    pub last: NaiveDate,
    /// Named by "the week" alone: only an edge makes it a day.
    pub bare: bool,
}

/// A time of day as said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Clock {
    pub time: NaiveTime,
    /// Whether morning or afternoon is certain: "5pm", "17:00".
    pub sure: bool,
}

/// What a draft comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Outcome {
    pub date: NaiveDate,
    pub time: Option<NaiveTime>,
    /// Last day of what is meant: of a week its Friday, of a month its last day.
    pub last: NaiveDate,
    pub grain: Unit,
}

impl Period {
    /// The period of a unit that holds a day, moved by whole units.
    pub fn around(day: NaiveDate, unit: Unit, shift: i32) -> Option<Self> {
        let (first, last) = match unit {
            Unit::Week | Unit::Weekend | Unit::Workday => {
                let monday = monday(day)?.checked_add_signed(TimeDelta::weeks(shift.into()))?;
                let (from, to) = if unit == Unit::Weekend { (5, 6) } else { (0, 4) };
                (monday.checked_add_days(Days::new(from))?, monday.checked_add_days(Days::new(to))?)
            }
            Unit::Month => months(day.with_day(1)?, shift, 1)?,
            Unit::Quarter => months(NaiveDate::from_ymd_opt(day.year(), day.month0() / 3 * 3 + 1, 1)?, shift * 3, 3)?,
            Unit::Year => months(NaiveDate::from_ymd_opt(day.year(), 1, 1)?, shift * 12, 12)?,
            Unit::Fortnight => (day, day.checked_add_days(Days::new(14))?),
            Unit::Day | Unit::Second | Unit::Minute | Unit::Hour => {
                let day = day.checked_add_signed(TimeDelta::days(shift.into()))?;
                (day, day)
            }
        };
        Some(Self { unit, first, last, bare: false })
    }

    /// A month of a year.
    pub fn month(year: i32, month: u32) -> Option<Self> {
        Self::around(NaiveDate::from_ymd_opt(year, month, 1)?, Unit::Month, 0)
    }

    fn at(&self, edge: Edge) -> Option<NaiveDate> {
        match (edge, self.unit) {
            (Edge::Start, Unit::Week) => self.first.checked_add_days(Days::new(1)),
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

impl Draft {
    /// Puts the pieces together, seen from a local time. `None` where they say no day.
    pub fn resolve(&self, now: NaiveDateTime) -> Option<Outcome> {
        if self.broken || self.recurring {
            return None;
        }
        if let Some(moment) = self.moment {
            return Some(Outcome {
                date: moment.date(),
                time: Some(moment.time()),
                last: moment.date(),
                grain: Unit::Minute,
            });
        }
        match self.dated(now)? {
            Some(outcome) => Some(self.timed(outcome)),
            None => self.of_today(now),
        }
    }

    /// The day, where one is said; `None` outside where the pieces contradict each other.
    #[allow(clippy::option_option)]
    fn dated(&self, now: NaiveDateTime) -> Option<Option<Outcome>> {
        let today = now.date();
        let one =
            |day: Option<NaiveDate>| day.map(|date| Some(Outcome { date, time: None, last: date, grain: Unit::Day }));
        if let Some(nth) = self.nth {
            return one(self.counted(nth, today));
        }
        if self.dom.is_some() {
            let ranged = |outcome: Outcome| {
                let until = self.until.and_then(|day| outcome.date.with_day(day)).unwrap_or(outcome.date);
                Outcome { date: until, last: until, ..outcome }
            };
            return one(self.of_month(today)).map(|found| found.map(ranged));
        }
        if let Some(weekday) = self.weekday {
            return one(self.on_weekday(weekday, today));
        }
        if self.day.is_some() {
            return one(self.day);
        }
        match self.stretch(today) {
            Some(period) => self.within(&period, today).map(Some),
            None if self.edge.is_some() && self.part.is_none() && self.clock.is_none() => None,
            None => Some(None),
        }
    }

    /// The period that is said: by name, or as a month.
    fn stretch(&self, today: NaiveDate) -> Option<Period> {
        if let Some(month) = self.month {
            let year = self.year.unwrap_or(today.year() + i32::from(month < today.month()));
            return Period::month(year, month);
        }
        self.period
    }

    fn within(&self, period: &Period, today: NaiveDate) -> Option<Outcome> {
        let outcome = |date, last| Outcome { date, time: None, last, grain: period.unit };
        match (self.edge, period.unit) {
            (Some(edge), _) => period.at(edge).map(|day| Outcome { grain: Unit::Day, ..outcome(day, day) }),
            (None, _) if period.bare => None,
            (None, Unit::Week | Unit::Weekend) => Some(outcome(period.last, period.last)),
            // "next month" is a month from today; "in June" starts on its first.
            (None, Unit::Month | Unit::Quarter | Unit::Year) if self.month.is_none() && self.rel.is_some() => {
                let unit = match period.unit {
                    Unit::Month => 1,
                    Unit::Quarter => 3,
                    _ => 12,
                };
                let shift = match self.rel {
                    Some(Rel::Next | Rel::Coming) => unit,
                    Some(Rel::AfterNext) => unit * 2,
                    Some(Rel::Last) => -unit,
                    _ => 0,
                };
                Some(outcome(add_months(today, shift)?, period.last))
            }
            (None, Unit::Quarter) => Some(outcome(period.last, period.last)),
            (None, _) => Some(outcome(period.first, period.last)),
        }
    }

    fn counted(&self, nth: i8, today: NaiveDate) -> Option<NaiveDate> {
        let Some(period) = self.stretch(today) else {
            return self.weekday.filter(|_| nth == -1).and_then(|weekday| {
                today.checked_sub_days(Days::new(u64::from((today.weekday().days_since(weekday) + 6) % 7 + 1)))
            });
        };
        let steps = u64::from(nth.unsigned_abs().max(1) - 1);
        let step = if self.weekday.is_some() { 7 } else { 1 };
        let day = if nth > 0 {
            let first = self.weekday.map_or(Some(period.first), |weekday| on_or_after(period.first, weekday))?;
            first.checked_add_days(Days::new(steps * step))
        } else {
            let last = self.weekday.map_or(Some(period.last), |weekday| {
                on_or_after(period.last.checked_sub_days(Days::new(6))?, weekday)
            })?;
            last.checked_sub_days(Days::new(steps * step))
        };
        day.filter(|day| (period.first..=period.last).contains(day))
    }

    /// A day of a month: of the one said, of the period said, else the next that has it (and falls on the weekday said).
    fn of_month(&self, today: NaiveDate) -> Option<NaiveDate> {
        let dom = self.dom?;
        if let Some(period) = self.period.filter(|p| p.unit == Unit::Month && self.month.is_none()) {
            return period.first.with_day(dom);
        }
        if let (Some(month), Some(year)) = (self.month, self.year) {
            return NaiveDate::from_ymd_opt(year, month, dom);
        }
        let fits = |day: &NaiveDate| *day >= today && self.weekday.is_none_or(|weekday| day.weekday() == weekday);
        match self.month {
            Some(month) => {
                let of_year = |year| NaiveDate::from_ymd_opt(year, month, dom);
                let mut coming = (0..8).filter_map(|ahead| of_year(today.year() + ahead)).filter(|day| *day >= today);
                let next = coming.next()?;
                let falls = |day: &NaiveDate| self.weekday.is_none_or(|weekday| day.weekday() == weekday);
                Some(if falls(&next) { next } else { coming.next().filter(falls).unwrap_or(next) })
            }
            None => (0..14).filter_map(|ahead| add_months(today.with_day(1)?, ahead)?.with_day(dom)).find(fits),
        }
    }

    fn on_weekday(&self, weekday: Weekday, today: NaiveDate) -> Option<NaiveDate> {
        if let Some(day) = self.day {
            return Some(day);
        }
        if let Some(period) = self.period.filter(|p| matches!(p.unit, Unit::Week | Unit::Weekend)) {
            return on_or_after(monday(period.first)?, weekday);
        }
        let tomorrow = today.succ_opt()?;
        match self.rel {
            None => on_or_after(today, weekday),
            Some(Rel::This | Rel::Coming) if self.rel == Some(Rel::Coming) => on_or_after(tomorrow, weekday),
            Some(Rel::This | Rel::Coming) => on_or_after(today, weekday),
            Some(Rel::Next) => on_or_after(monday(today)?.checked_add_days(Days::new(7))?, weekday),
            Some(Rel::AfterNext) => on_or_after(tomorrow, weekday)?.checked_add_days(Days::new(7)),
            Some(Rel::Last) => on_or_after(today.checked_sub_days(Days::new(7))?, weekday),
        }
    }

    /// Puts the time said to a day.
    fn timed(&self, outcome: Outcome) -> Outcome {
        let Some(time) = self.time_on_day() else { return outcome };
        let shifted = self.in_zone(outcome.date.and_time(time));
        Outcome {
            date: shifted.date(),
            time: Some(shifted.time()),
            last: outcome.last.max(shifted.date()),
            grain: Unit::Minute,
        }
    }

    fn time_on_day(&self) -> Option<NaiveTime> {
        match (self.clock, self.part) {
            (Some(clock), part) => Some(clock.on(part)),
            (None, Some(part)) => part.time(),
            (None, None)
                if self.end_of_day || self.edge == Some(Edge::End) && self.period.is_none() && self.month.is_none() =>
            {
                NaiveTime::from_hms_opt(23, 59, 0)
            }
            (None, None) => None,
        }
    }

    /// A time without a day: the next such time from now on.
    fn of_today(&self, now: NaiveDateTime) -> Option<Outcome> {
        let at = |moment: NaiveDateTime| {
            let date = moment.date();
            Outcome { date, time: Some(moment.time()), last: date, grain: Unit::Minute }
        };
        if self.end_of_day {
            return Some(at(now.date().and_hms_opt(23, 59, 0)?));
        }
        let Some(clock) = self.clock else {
            let time = self.part?.time()?;
            let tomorrow = self.part == Some(Part::Morning) && self.rel.is_none() && now.hour() >= 12;
            return Some(at((now.date() + Days::new(tomorrow.into())).and_time(time)));
        };
        let mut moment = self.in_zone(now.date().and_time(clock.on(self.part)));
        if self.rel.is_some() {
            return Some(at(moment));
        }
        let step = if clock.sure || self.part.is_some() { 24 } else { 12 };
        while moment < now {
            moment = moment.checked_add_signed(TimeDelta::hours(step))?;
        }
        Some(at(moment))
    }

    /// The local moment of one said in another zone.
    fn in_zone(&self, moment: NaiveDateTime) -> NaiveDateTime {
        self.zone.and_then(|later| moment.checked_add_signed(later)).unwrap_or(moment)
    }
}

impl Clock {
    /// The time, with morning and afternoon decided by the part of the day.
    fn on(self, part: Option<Part>) -> NaiveTime {
        let hour = self.time.hour();
        let later = match part {
            _ if self.sure => false,
            Some(Part::Afternoon | Part::Evening) => hour < 12,
            Some(Part::Night) => (6..12).contains(&hour),
            Some(Part::Lunch) => hour < 6,
            Some(Part::Morning) | None => false,
        };
        if later { self.time.with_hour(hour + 12).unwrap_or(self.time) } else { self.time }
    }
}

impl Part {
    /// The hour that stands for it.
    fn time(self) -> Option<NaiveTime> {
        let hour = match self {
            Self::Morning => 6,
            Self::Lunch => 12,
            Self::Afternoon => 15,
            Self::Evening => 20,
            Self::Night => 22,
        };
        NaiveTime::from_hms_opt(hour, 0, 0)
    }
}
