//! What the pieces of an expression say: how two are put together, and what day all of them come to.

use chrono::{Datelike, Days, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Timelike, Weekday};

use super::holiday::Holiday;
use super::interval::{Interval, add_months, monday, on_or_after};
use super::lexicon::{Edge, Part, Rel, Unit};
use super::number::workdays;

/// The pieces of one expression: each is filled at most once.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct PartialDate {
    /// A day that is already certain: "tomorrow", "in three days".
    pub day: Option<NaiveDate>,
    /// A moment that is already certain: "in two hours".
    pub moment: Option<NaiveDateTime>,
    pub weekday: Option<Weekday>,
    /// Which of the weekdays, months or holidays: "next Friday"; `None` is the first from today on.
    pub rel: Option<Rel>,
    /// The nth weekday (or another unit) of a stretch of days; negative counts from its end.
    pub nth: Option<(i8, Unit)>,
    pub day_of_month: Option<u32>,
    /// Day of the month on which a range ends.
    pub until: Option<u32>,
    pub month: Option<u32>,
    pub year: Option<i32>,
    pub holiday: Option<Holiday>,
    pub interval: Option<Interval>,
    pub edge: Option<Edge>,
    pub clock: Option<ClockTime>,
    pub part: Option<Part>,
    /// How much later the local clock is than the zone that is said.
    pub zone: Option<TimeDelta>,
    /// "EOD".
    pub end_of_day: bool,
    /// "every Friday".
    pub recurring: bool,
}

/// A time of day as said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ClockTime {
    pub time: NaiveTime,
    /// Whether morning or afternoon is certain: "5pm", "17:00".
    pub sure: bool,
}

/// What a partial date comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Outcome {
    pub date: NaiveDate,
    pub time: Option<NaiveTime>,
    /// Last day of what is meant: of a week its Friday, of a month its last day.
    pub last: NaiveDate,
    pub grain: Unit,
}

impl Outcome {
    fn day(date: NaiveDate) -> Self {
        Self { date, time: None, last: date, grain: Unit::Day }
    }

    fn at(moment: NaiveDateTime) -> Self {
        Self { time: Some(moment.time()), grain: Unit::Minute, ..Self::day(moment.date()) }
    }
}

/// One of two, where not both are said.
#[allow(clippy::option_option)]
fn one<T>(a: Option<T>, b: Option<T>) -> Option<Option<T>> {
    if a.is_some() && b.is_some() { None } else { Some(a.or(b)) }
}

impl PartialDate {
    /// Both pieces together; `None` where they say the same thing twice or contradict each other.
    pub fn join(&self, piece: &Self) -> Option<Self> {
        // "Next Friday, 9 October": which Friday it is, the day of the month says.
        let which = |said: &Self, other: &Self| {
            let settled = said.weekday.is_some() && other.day_of_month.is_some() && other.month.is_some();
            said.rel.filter(|_| !settled)
        };
        let both = Self {
            day: one(self.day, piece.day)?,
            moment: one(self.moment, piece.moment)?,
            weekday: one(self.weekday, piece.weekday)?,
            rel: one(which(self, piece), which(piece, self))?,
            nth: one(self.nth, piece.nth)?,
            day_of_month: one(self.day_of_month, piece.day_of_month)?,
            until: one(self.until, piece.until)?,
            month: one(self.month, piece.month)?,
            year: one(self.year, piece.year)?,
            holiday: one(self.holiday, piece.holiday)?,
            interval: one(self.interval, piece.interval)?,
            edge: one(self.edge, piece.edge)?,
            clock: one(self.clock, piece.clock)?,
            part: one(self.part, piece.part)?,
            zone: one(self.zone, piece.zone)?,
            end_of_day: self.end_of_day || piece.end_of_day,
            recurring: self.recurring || piece.recurring,
        };
        both.is_possible().then_some(both)
    }

    /// Whether it says which time of the day is meant.
    pub fn says_a_time(&self) -> bool {
        self.clock.is_some() || self.part.is_some() || self.end_of_day
    }

    /// Whether the pieces can be meant together: "Friday, tomorrow" only on a Thursday.
    fn is_possible(&self) -> bool {
        let calendar =
            self.day_of_month.is_some() || self.month.is_some() || self.nth.is_some() || self.holiday.is_some();
        if self.moment.is_some() {
            let other = self.day.is_some() || self.weekday.is_some() || self.interval.is_some() || self.clock.is_some();
            return !calendar && !other;
        }
        if let Some(day) = self.day {
            let same = |said: Option<u32>, is: u32| said.is_none_or(|said| said == is);
            return self.weekday.is_none_or(|weekday| weekday == day.weekday())
                && same(self.day_of_month, day.day())
                && same(self.month, day.month())
                && self.year.is_none_or(|year| year == day.year())
                && self.nth.is_none()
                && self.holiday.is_none()
                && self.interval.is_none();
        }
        if self.holiday.is_some() && (self.day_of_month.is_some() || self.month.is_some() || self.weekday.is_some()) {
            return false;
        }
        // A year is said of a month, a holiday or a stretch of days.
        if self.year.is_some() && self.month.is_none() && self.holiday.is_none() && self.nth.is_none() {
            return false;
        }
        self.interval.is_none_or(|interval| {
            let wide = interval.unit >= Unit::Month;
            let month = self.month.is_none() || interval.unit == Unit::Year && self.year.is_none();
            let day = self.day_of_month.is_none() || interval.unit == Unit::Month || self.month.is_some();
            let weekday = self.weekday.is_none()
                || self.nth.is_some()
                || !wide
                || interval.is_span
                || self.day_of_month.is_some();
            month && day && weekday && (self.holiday.is_none() || wide)
        })
    }

    /// What the pieces mean, seen from a local time. `None` where they say no day, or one that no calendar has.
    pub fn resolve(&self, now: NaiveDateTime) -> Option<Outcome> {
        if self.recurring {
            return None;
        }
        if let Some(moment) = self.moment {
            return Some(Outcome::at(moment));
        }
        if !self.names_a_day() {
            return if self.edge.is_some() && self.part.is_none() && self.clock.is_none() {
                None
            } else {
                self.of_today(now)
            };
        }
        let outcome = self.dated(now.date())?;
        // "Tuesday morning", said on a Tuesday afternoon.
        let weekday = Self { clock: None, part: None, zone: None, end_of_day: false, ..*self };
        let plain = weekday == Self { weekday: self.weekday, ..Self::default() };
        let days = if plain && outcome.date == now.date() && self.is_over(now.time()) { 7 } else { 0 };
        let date = outcome.date.checked_add_days(Days::new(days))?;
        Some(self.timed(Outcome { date, last: outcome.last.max(date), ..outcome }))
    }

    /// Whether the hour or the part of the day that is said lies before a time of that day.
    fn is_over(&self, time: NaiveTime) -> bool {
        let hour = match (self.clock, self.part) {
            (Some(clock), part) if clock.sure || part.is_some() => return clock.on(part) < time,
            (None, Some(Part::Morning)) => 12,
            (None, Some(Part::Lunch)) => 14,
            (None, Some(Part::Afternoon)) => 18,
            _ => return false,
        };
        time.hour() >= hour
    }

    /// Whether a day is named, not only an hour or a part of one.
    pub fn names_a_day(&self) -> bool {
        self.day.is_some()
            || self.weekday.is_some()
            || self.day_of_month.is_some()
            || self.interval.is_some()
            || self.month.is_some()
            || self.holiday.is_some()
            || self.nth.is_some()
    }

    fn dated(&self, today: NaiveDate) -> Option<Outcome> {
        if let Some(day) = self.day {
            return Some(Outcome::day(day));
        }
        if let Some(holiday) = self.holiday {
            return self.celebrated(holiday, today).map(Outcome::day);
        }
        if let Some((n, unit)) = self.nth {
            return self.counted(n, unit, today);
        }
        if self.day_of_month.is_some() {
            let day = self.of_month(today)?;
            let last = self.until.map_or(Some(day), |until| day.with_day(until))?;
            return Some(Outcome::day(last));
        }
        if let Some(weekday) = self.weekday {
            // "A Friday in June" may be any of them.
            return self.on_weekday(weekday, today).filter(|_| !self.is_any_of_month()).map(Outcome::day);
        }
        self.within(&self.stretch(today)?)
    }

    /// Whether it may be several days of a month: "a Friday in June".
    pub fn is_any_of_month(&self) -> bool {
        self.weekday.is_some() && self.month.is_some() && self.day_of_month.is_none() && self.nth.is_none()
    }

    /// The first day of a month or more that is said by itself.
    pub fn first_day(&self, today: NaiveDate) -> Option<NaiveDate> {
        let finer = self.day_of_month.is_some() || self.weekday.is_some() || self.nth.is_some() || self.edge.is_some();
        let stretch = self.stretch(today).filter(|stretch| stretch.unit >= Unit::Month && !stretch.is_span)?;
        (!finer && self.holiday.is_none()).then_some(stretch.first)
    }

    /// The stretch of days that is said: as a month, a year, or by itself.
    fn stretch(&self, today: NaiveDate) -> Option<Interval> {
        match (self.month, self.year) {
            (Some(month), _) => Interval::month(self.year_of(month, today)?, month),
            (None, Some(year)) => Interval::year(year),
            (None, None) => self.interval,
        }
    }

    /// The year of a month: the one said, else the one in which it next ends.
    fn year_of(&self, month: u32, today: NaiveDate) -> Option<i32> {
        if let Some(year) = self.year.or(self.interval.map(|interval| interval.first.year())) {
            return Some(year);
        }
        let year = today.year();
        Some(match self.rel {
            Some(Rel::Last) => year - i32::from(month >= today.month()),
            Some(Rel::Next | Rel::Coming) => year + i32::from(month <= today.month()),
            Some(Rel::AfterNext) => year + 1 + i32::from(month <= today.month()),
            _ => year + i32::from(month < today.month()),
        })
    }

    fn within(&self, interval: &Interval) -> Option<Outcome> {
        let outcome = |date, last| Outcome { date, time: None, last, grain: interval.unit };
        match (self.edge, interval.own) {
            (Some(edge), _) => interval.at(edge).map(Outcome::day),
            (None, _) if interval.is_bare => None,
            (None, Some(own)) if interval.is_span => Some(outcome(own, own)),
            (None, Some(own)) => Some(outcome(own, interval.last.max(own))),
            (None, None) => Some(outcome(interval.first, interval.last)),
        }
    }

    fn celebrated(&self, holiday: Holiday, today: NaiveDate) -> Option<NaiveDate> {
        if let Some(year) = self.year {
            return holiday.in_year(year);
        }
        match self.interval {
            Some(interval) if interval.unit == Unit::Year => holiday.in_year(interval.first.year()),
            Some(interval) => holiday.nearest(interval.first, false),
            None => holiday.nearest(today, self.rel == Some(Rel::Last)),
        }
    }

    /// The nth of a unit within a stretch of days.
    fn counted(&self, n: i8, unit: Unit, today: NaiveDate) -> Option<Outcome> {
        let Some(interval) = self.stretch(today) else {
            let weekday = self.weekday.filter(|_| n == -1)?;
            let back = u64::from((today.weekday().days_since(weekday) + 6) % 7 + 1);
            return today.checked_sub_days(Days::new(back)).map(Outcome::day);
        };
        let steps = i64::from(n.unsigned_abs().max(1) - 1) * if n > 0 { 1 } else { -1 };
        let inside = |day: &NaiveDate| (interval.first..=interval.last).contains(day);
        if let Some(weekday) = self.weekday {
            let from = if n > 0 { interval.first } else { interval.last.checked_sub_days(Days::new(6))? };
            let day = on_or_after(from, weekday)?.checked_add_signed(TimeDelta::weeks(steps))?;
            return Some(day).filter(inside).map(Outcome::day);
        }
        let first = if n > 0 { interval.first } else { interval.last };
        match unit {
            Unit::Day => first.checked_add_signed(TimeDelta::days(steps)).filter(inside).map(Outcome::day),
            Unit::Workday => {
                let (before, by) = if n > 0 { (first.pred_opt()?, steps + 1) } else { (first.succ_opt()?, steps - 1) };
                workdays(before, i32::try_from(by).ok()?).filter(inside).map(Outcome::day)
            }
            Unit::Week | Unit::Weekend => {
                let nearest = Interval::around(first, unit, 0)?;
                // A week belongs where its Thursday lies, a weekend where its Saturday does.
                let thursday = nearest.first.checked_add_days(Days::new(if unit == Unit::Week { 3 } else { 0 }))?;
                let outside = if inside(&thursday) { 0 } else { n.signum() };
                let steps = i32::try_from(steps).ok()? + i32::from(outside);
                self.within(&Interval::around(nearest.first, unit, steps)?)
            }
            _ => self.within(&Interval::around(first, unit, i32::try_from(steps).ok()?)?),
        }
    }

    /// A day of a month: of the one said, else the next that has it (and falls on the weekday said).
    fn of_month(&self, today: NaiveDate) -> Option<NaiveDate> {
        let day_of_month = self.day_of_month?;
        if let (Some(interval), None) = (self.interval, self.month) {
            return interval.first.with_day(day_of_month);
        }
        let falls = |day: &NaiveDate| self.weekday.is_none_or(|weekday| day.weekday() == weekday);
        let Some(month) = self.month else {
            let months = (0..14).filter_map(|ahead| add_months(today.with_day(1)?, ahead)?.with_day(day_of_month));
            return months.filter(|day| *day >= today).find(falls);
        };
        if self.year.is_some() || self.interval.is_some() || self.rel.is_some() {
            return NaiveDate::from_ymd_opt(self.year_of(month, today)?, month, day_of_month);
        }
        let of_year = |year| NaiveDate::from_ymd_opt(year, month, day_of_month);
        let mut coming = (0..8).filter_map(|ahead| of_year(today.year() + ahead)).filter(|day| *day >= today);
        let next = coming.next()?;
        Some(if falls(&next) { next } else { coming.next().filter(falls).unwrap_or(next) })
    }

    fn on_weekday(&self, weekday: Weekday, today: NaiveDate) -> Option<NaiveDate> {
        if let Some(interval) = self.interval {
            return on_or_after(monday(interval.own.filter(|_| interval.is_span).unwrap_or(interval.first))?, weekday);
        }
        let tomorrow = today.succ_opt()?;
        match self.rel {
            None | Some(Rel::This) => on_or_after(today, weekday),
            Some(Rel::Coming) => on_or_after(tomorrow, weekday),
            Some(Rel::Next) => on_or_after(monday(today)?.checked_add_days(Days::new(7))?, weekday),
            Some(Rel::AfterNext) => on_or_after(tomorrow, weekday)?.checked_add_days(Days::new(7)),
            Some(Rel::Last) => on_or_after(today.checked_sub_days(Days::new(7))?, weekday),
        }
    }

    /// Puts the time said to a day.
    fn timed(&self, outcome: Outcome) -> Outcome {
        let Some(time) = self.time_on_day() else { return outcome };
        let shifted = self.in_zone(outcome.date.and_time(time));
        Outcome { last: outcome.last.max(shifted.date()), ..Outcome::at(shifted) }
    }

    fn time_on_day(&self) -> Option<NaiveTime> {
        let ends = self.end_of_day || self.edge == Some(Edge::End) && self.interval.is_none() && self.month.is_none();
        match (self.clock, self.part) {
            (Some(clock), part) => Some(clock.on(part)),
            (None, Some(part)) => part.time(),
            (None, None) => NaiveTime::from_hms_opt(23, 59, 0).filter(|_| ends),
        }
    }

    /// A time without a day: the next such time from now on.
    fn of_today(&self, now: NaiveDateTime) -> Option<Outcome> {
        if self.end_of_day {
            return Some(Outcome::at(now.date().and_hms_opt(23, 59, 0)?));
        }
        let Some(clock) = self.clock else {
            let part = self.part?;
            let tomorrow = part == Part::Morning && self.rel.is_none() && now.hour() >= 12;
            let day = now.date().checked_add_days(Days::new(tomorrow.into()))?;
            return Some(Outcome::at(day.and_time(part.time()?)));
        };
        let mut moment = self.in_zone(now.date().and_time(clock.on(self.part)));
        if self.rel.is_some() {
            return Some(Outcome::at(moment));
        }
        let step = if clock.sure || self.part.is_some() { 24 } else { 12 };
        while moment < now {
            moment = moment.checked_add_signed(TimeDelta::hours(step))?;
        }
        Some(Outcome::at(moment))
    }

    /// The local moment of one said in another zone.
    fn in_zone(&self, moment: NaiveDateTime) -> NaiveDateTime {
        self.zone.and_then(|later| moment.checked_add_signed(later)).unwrap_or(moment)
    }
}

impl ClockTime {
    /// The time, with morning and afternoon decided by the part of the day.
    fn on(self, part: Option<Part>) -> NaiveTime {
        let hour = self.time.hour();
        let later = match part {
            _ if self.sure => false,
            Some(Part::Afternoon | Part::Dinner | Part::Evening) => hour < 12,
            Some(Part::Night) => (6..12).contains(&hour),
            Some(Part::Lunch) => hour < 6,
            Some(Part::Morning) | None => false,
        };
        if later { self.time.with_hour(hour + 12).unwrap_or(self.time) } else { self.time }
    }
}

impl Part {
    /// Whether it is a meal, which says when only behind "at", "before", "after".
    pub(super) fn is_meal(self) -> bool {
        matches!(self, Self::Lunch | Self::Dinner)
    }

    /// The hour that stands for it.
    fn time(self) -> Option<NaiveTime> {
        let hour = match self {
            Self::Morning => 6,
            Self::Lunch => 12,
            Self::Afternoon => 15,
            Self::Dinner => 18,
            Self::Evening => 20,
            Self::Night => 22,
        };
        NaiveTime::from_hms_opt(hour, 0, 0)
    }
}
