//! Days and times as bodies write them. Days are the same everywhere: `YYYY-MM-DD`, which ends with the year 9999.

use chrono::{DateTime, Datelike as _, NaiveDate, Utc};
use serde::{Deserialize, Deserializer, de::Error as _};

/// Whether a day can be written: its year is 0 to 9999.
#[must_use]
pub fn fits(day: NaiveDate) -> bool {
    (0..=9999).contains(&day.year())
}

/// Reads a day; `None` where it is written in another way, or there is no such day.
#[must_use]
pub fn read(text: &str) -> Option<NaiveDate> {
    let plain = |(at, byte): (usize, u8)| if matches!(at, 4 | 7) { byte == b'-' } else { byte.is_ascii_digit() };
    let written = text.len() == 10 && text.bytes().enumerate().all(plain);
    written.then(|| text.parse().ok()).flatten()
}

/// Reads a day of a body.
///
/// # Errors
/// For what is no day.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<NaiveDate, D::Error> {
    let day = String::deserialize(deserializer).ok().and_then(|text| read(&text));
    day.ok_or_else(|| D::Error::custom("must be a date such as 2026-03-06"))
}

/// Reads a time of a body, with its distance from UTC.
///
/// # Errors
/// For what is no time.
pub fn time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<DateTime<Utc>, D::Error> {
    let time = String::deserialize(deserializer).ok().and_then(|text| text.parse().ok());
    time.ok_or_else(|| D::Error::custom("must be a time such as 2026-03-03T15:00:00Z"))
}

/// Reads a time of a body that may be null.
///
/// # Errors
/// For what is neither a time nor null.
pub fn optional_time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<DateTime<Utc>>, D::Error> {
    // A marker type, because an option hands its content on to a type, not to a function.
    struct Time(DateTime<Utc>);
    impl<'de> Deserialize<'de> for Time {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            time(deserializer).map(Self)
        }
    }
    Ok(Option::<Time>::deserialize(deserializer)?.map(|time| time.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_has_four_two_and_two_digits() {
        assert_eq!(read("2026-03-06"), NaiveDate::from_ymd_opt(2026, 3, 6));
        for bad in
            ["", "2026-3-6", "+2026-03-6", "+12026-03-06", "-001-03-06", " 2026-03-06", "2026-02-30", "2026-03-0é"]
        {
            assert_eq!(read(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_day_behind_the_last_year_cannot_be_written() {
        let last = NaiveDate::from_ymd_opt(9999, 12, 31).unwrap();
        assert!(fits(last) && !fits(last.succ_opt().unwrap()));
    }
}
