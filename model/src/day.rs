//! Days as they are written everywhere: `YYYY-MM-DD`, which ends with the year 9999.

use chrono::{Datelike as _, NaiveDate};
use serde::{Deserialize as _, Deserializer, de::Error as _};

/// Whether a day can be written.
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
    let text = String::deserialize(deserializer)?;
    read(&text).ok_or_else(|| D::Error::custom("expected a date such as 2026-03-06"))
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
