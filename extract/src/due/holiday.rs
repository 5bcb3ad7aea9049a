//! Holidays: fixed days, weekdays of a month, and those that go by Easter.

use chrono::{Datelike, NaiveDate, TimeDelta, Weekday};

/// How the day of a holiday is found in a year.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holiday {
    /// The same month and day each year.
    Fixed(u8, u8),
    /// Days after Easter Sunday.
    Easter(i8),
    /// The nth weekday of a month (its last, without n), and days from there.
    Nth { weekday: Weekday, n: Option<u8>, month: u8, plus: i8 },
}

impl Holiday {
    /// Reads `12-25`, `easter -2`, `mon last of 5`, `thu 4 of 11 + 1`.
    pub fn read(text: &str) -> Option<Self> {
        if let Some((month, day)) = text.split_once('-').filter(|(month, _)| month.len() < 3) {
            return Some(Self::Fixed(month.parse().ok()?, day.parse().ok()?));
        }
        let words: Vec<&str> = text.split(' ').collect();
        match words.as_slice() {
            ["easter", days] => Some(Self::Easter(days.parse().ok()?)),
            [weekday, n, "of", month, plus @ ..] => {
                let plus: i8 = plus.concat().parse().unwrap_or(0);
                Some(Self::Nth { weekday: weekday.parse().ok()?, n: n.parse().ok(), month: month.parse().ok()?, plus })
            }
            _ => None,
        }
    }

    /// Its day in a year.
    pub fn in_year(self, year: i32) -> Option<NaiveDate> {
        match self {
            Self::Fixed(month, day) => NaiveDate::from_ymd_opt(year, month.into(), day.into()),
            Self::Easter(days) => easter(year)?.checked_add_signed(TimeDelta::days(days.into())),
            Self::Nth { weekday, n, month, plus } => {
                let nth = |n| NaiveDate::from_weekday_of_month_opt(year, month.into(), weekday, n);
                let day = n.map_or_else(|| nth(5).or_else(|| nth(4)), nth)?;
                day.checked_add_signed(TimeDelta::days(plus.into()))
            }
        }
    }

    /// The first one from a day on; with `back`, the last one before it.
    pub fn nearest(self, day: NaiveDate, back: bool) -> Option<NaiveDate> {
        let this = self.in_year(day.year())?;
        match (back, this < day) {
            (true, true) | (false, false) => Some(this),
            (true, false) => self.in_year(day.year() - 1),
            (false, true) => self.in_year(day.year() + 1),
        }
    }
}

/// Easter Sunday of the Gregorian calendar (the anonymous algorithm of 1876).
fn easter(year: i32) -> Option<NaiveDate> {
    let (a, b, c) = (year % 19, year / 100, year % 100);
    let (d, e, f) = (b / 4, b % 4, (b + 8) / 25);
    let g = (b - f + 1) / 3;
    let h = (19 * a + b - d - g + 15) % 30;
    let (i, k) = (c / 4, c % 4);
    let l = (32 + 2 * e + 2 * i - h - k) % 7;
    let m = (a + 11 * h + 22 * l) / 451;
    let n = h + l - 7 * m + 114;
    NaiveDate::from_ymd_opt(year, u32::try_from(n / 31).ok()?, u32::try_from(n % 31 + 1).ok()?)
}

#[cfg(test)]
mod tests {
    use super::easter;
    use crate::due::table::means;

    #[test]
    fn easter_goes_by_the_moon() {
        let days = [
            (2000, "2000-04-23"),
            (2018, "2018-04-01"),
            (2024, "2024-03-31"),
            (2026, "2026-04-05"),
            (2038, "2038-04-25"),
        ];
        for (year, day) in days {
            assert_eq!(easter(year).map(|day| day.to_string()).as_deref(), Some(day));
        }
    }

    #[test]
    fn a_holiday_is_the_next_one_or_that_of_its_year() {
        means(
            "2026-03-03T10:00",
            "en",
            &[
                ("before Christmas", "2026-12-25"),
                ("easter 2018", "2018-04-01"),
                ("Good Friday", "2026-04-03"),
                ("thanksgiving", "2026-11-26"),
                ("memorial day", "2026-05-25"),
                ("New Year's Eve", "2026-12-31"),
                ("Valentine's Day", "2027-02-14"),
            ],
        );
        means("2026-03-03T10:00", "de", &[("vor Pfingsten", "2026-05-24"), ("Heiligabend", "2026-12-24")]);
    }

    #[test]
    fn memorial_day_is_the_last_monday_also_in_a_may_of_five() {
        means("2027-05-01T10:00", "en", &[("memorial day", "2027-05-31")]);
    }
}
