//! Holidays: fixed days, weekdays of a month, and those that go by Easter.

use chrono::{Datelike, Days, NaiveDate, Weekday};

/// A day that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub(super) enum Holiday {
    NewYear,
    Epiphany,
    AustraliaDay,
    GroundhogDay,
    Valentine,
    WomensDay,
    StPatrick,
    AprilFools,
    EarthDay,
    AnzacDay,
    MayDay,
    CincoDeMayo,
    Juneteenth,
    CanadaDay,
    IndependenceDay,
    BastilleDay,
    Assumption,
    GermanUnity,
    Halloween,
    AllSaints,
    GuyFawkes,
    VeteransDay,
    StNicholas,
    ChristmasEve,
    Christmas,
    BoxingDay,
    NewYearsEve,
    MartinLutherKing,
    PresidentsDay,
    MothersDay,
    MemorialDay,
    FathersDay,
    LaborDay,
    ColumbusDay,
    Thanksgiving,
    BlackFriday,
    CyberMonday,
    AdminDay,
    RoseMonday,
    ShroveTuesday,
    AshWednesday,
    PalmSunday,
    MaundyThursday,
    GoodFriday,
    Easter,
    EasterMonday,
    Ascension,
    Pentecost,
    WhitMonday,
    CorpusChristi,
}

impl Holiday {
    /// Its day in a year.
    pub fn in_year(self, year: i32) -> Option<NaiveDate> {
        if let Some((month, day)) = self.fixed() {
            return NaiveDate::from_ymd_opt(year, month, day);
        }
        if let Some(days) = self.after_easter() {
            return easter(year)?.checked_add_signed(chrono::TimeDelta::days(days));
        }
        self.by_weekday(year)
    }

    fn fixed(self) -> Option<(u32, u32)> {
        use Holiday as H;
        Some(match self {
            H::NewYear => (1, 1),
            H::Epiphany => (1, 6),
            H::AustraliaDay => (1, 26),
            H::GroundhogDay => (2, 2),
            H::Valentine => (2, 14),
            H::WomensDay => (3, 8),
            H::StPatrick => (3, 17),
            H::AprilFools => (4, 1),
            H::EarthDay => (4, 22),
            H::AnzacDay => (4, 25),
            H::MayDay => (5, 1),
            H::CincoDeMayo => (5, 5),
            H::Juneteenth => (6, 19),
            H::CanadaDay => (7, 1),
            H::IndependenceDay => (7, 4),
            H::BastilleDay => (7, 14),
            H::Assumption => (8, 15),
            H::GermanUnity => (10, 3),
            H::Halloween => (10, 31),
            H::AllSaints => (11, 1),
            H::GuyFawkes => (11, 5),
            H::VeteransDay => (11, 11),
            H::StNicholas => (12, 6),
            H::ChristmasEve => (12, 24),
            H::Christmas => (12, 25),
            H::BoxingDay => (12, 26),
            H::NewYearsEve => (12, 31),
            _ => return None,
        })
    }

    fn after_easter(self) -> Option<i64> {
        use Holiday as H;
        Some(match self {
            H::RoseMonday => -48,
            H::ShroveTuesday => -47,
            H::AshWednesday => -46,
            H::PalmSunday => -7,
            H::MaundyThursday => -3,
            H::GoodFriday => -2,
            H::Easter => 0,
            H::EasterMonday => 1,
            H::Ascension => 39,
            H::Pentecost => 49,
            H::WhitMonday => 50,
            H::CorpusChristi => 60,
            _ => return None,
        })
    }

    fn by_weekday(self, year: i32) -> Option<NaiveDate> {
        use Holiday as H;
        use Weekday::{Mon, Sun, Thu};
        let nth = |month, weekday, n| NaiveDate::from_weekday_of_month_opt(year, month, weekday, n);
        match self {
            H::MartinLutherKing => nth(1, Mon, 3),
            H::PresidentsDay => nth(2, Mon, 3),
            H::MothersDay => nth(5, Sun, 2),
            H::MemorialDay => nth(5, Mon, 5).or(nth(5, Mon, 4)),
            H::FathersDay => nth(6, Sun, 3),
            H::LaborDay => nth(9, Mon, 1),
            H::ColumbusDay => nth(10, Mon, 2),
            H::Thanksgiving => nth(11, Thu, 4),
            H::BlackFriday => nth(11, Thu, 4)?.checked_add_days(Days::new(1)),
            H::CyberMonday => nth(11, Thu, 4)?.checked_add_days(Days::new(4)),
            // Wednesday of the last full week of April.
            H::AdminDay => {
                let last = NaiveDate::from_ymd_opt(year, 4, 30)?;
                let saturday =
                    last.checked_sub_days(Days::new(u64::from((last.weekday().num_days_from_sunday() + 1) % 7)))?;
                saturday.checked_sub_days(Days::new(3))
            }
            _ => None,
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
    use super::{Holiday, easter};
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
        assert_eq!(Holiday::MemorialDay.in_year(2027).map(|day| day.to_string()).as_deref(), Some("2027-05-31"));
    }
}
