//! Durations as the resource writes them: `720h`, `1h30m`, `45s`.

use chrono::TimeDelta;

/// Reads hours, minutes and seconds in this order, each at most once and at most six digits.
/// `None` when the text is anything else.
pub(crate) fn parse(text: &str) -> Option<TimeDelta> {
    let (mut rest, mut seconds) = (text, 0_i64);
    for (unit, worth) in [('h', 3600), ('m', 60), ('s', 1)] {
        if let Some((digits, after)) = rest.split_once(unit) {
            let fits = (1..=6).contains(&digits.len()) && digits.bytes().all(|c| c.is_ascii_digit());
            seconds += fits.then(|| digits.parse::<i64>().ok()).flatten()? * worth;
            rest = after;
        }
    }
    (rest.is_empty() && !text.is_empty()).then(|| TimeDelta::seconds(seconds))
}

/// Writes a duration in hours, minutes and seconds, without those that are 0.
pub(crate) fn format(span: TimeDelta) -> String {
    let seconds = span.num_seconds();
    let parts = [(seconds / 3600, 'h'), (seconds / 60 % 60, 'm'), (seconds % 60, 's')];
    let said = parts.iter().filter(|(count, _)| *count > 0).map(|(count, unit)| format!("{count}{unit}"));
    let said = said.collect::<String>();
    if said.is_empty() { "0s".to_owned() } else { said }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_minutes_and_seconds_add_up() {
        for (text, seconds) in [("720h", 2_592_000), ("1h30m", 5400), ("45s", 45), ("1h1s", 3601), ("0s", 0)] {
            assert_eq!(parse(text), Some(TimeDelta::seconds(seconds)), "{text}");
        }
    }

    #[test]
    fn a_duration_reads_back_as_it_was_written() {
        for text in ["720h", "1h30m", "45s", "1h1s", "0s"] {
            assert_eq!(format(parse(text).unwrap()), text);
        }
        assert_eq!(format(TimeDelta::seconds(5400)), "1h30m");
    }

    #[test]
    fn anything_else_is_no_duration() {
        for text in ["", "h", "30", "1d", "1m1h", "1h1h", "-1h", "1.5h", "1234567h", " 1h", "1h ", "é1h"] {
            assert_eq!(parse(text), None, "{text:?}");
        }
    }
}
