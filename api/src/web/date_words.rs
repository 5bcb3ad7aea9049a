//! Dates and times in words.

use chrono::{DateTime, Datelike as _, NaiveDate, Utc};

/// A due day seen from today: the words, and the class that colours them.
pub fn due(date: NaiveDate, today: NaiveDate, open: bool) -> (String, &'static str) {
    let days = (date - today).num_days();
    let words = match days {
        0 => "today".to_owned(),
        1 => "tomorrow".to_owned(),
        -1 => "yesterday".to_owned(),
        2..=6 => date.format("%A").to_string(),
        -30..=-2 => format!("{} days ago", -days),
        _ => day(date, today),
    };
    let class = match days {
        _ if !open => "",
        ..=-1 => "late",
        0..=2 => "soon",
        _ => "",
    };
    (if class == "late" { format!("late: {words}") } else { format!("due {words}") }, class)
}

/// A day, with its year where that is not this one.
pub fn day(date: NaiveDate, today: NaiveDate) -> String {
    let form = if date.year() == today.year() { "%-d %b" } else { "%-d %b %Y" };
    date.format(form).to_string()
}

/// How long ago a time was, in minutes or hours; from a day on, the day.
pub fn ago(time: DateTime<Utc>, now: DateTime<Utc>) -> String {
    let minutes = (now - time).num_minutes();
    match minutes {
        ..1 => "just now".to_owned(),
        1..60 => format!("{minutes} min ago"),
        60..1_440 => format!("{} h ago", minutes / 60),
        _ => day(time.date_naive(), now.date_naive()),
    }
}

/// Seconds into a recording, as a player shows them.
pub fn clock(seconds: f64) -> String {
    // Recordings are shorter than 2^32 seconds, and a negative time is none.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the range just before")]
    let whole = seconds.clamp(0.0, 4_000_000_000.0) as u64;
    let (hours, minutes, seconds) = (whole / 3_600, whole / 60 % 60, whole % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_due_day_is_told_from_today() {
        let today = NaiveDate::from_ymd_opt(2026, 3, 4).unwrap();
        let told = |days: i64| due(today + chrono::TimeDelta::days(days), today, true);
        assert_eq!(told(0), ("due today".into(), "soon"));
        assert_eq!(told(1), ("due tomorrow".into(), "soon"));
        assert_eq!(told(5), ("due Monday".into(), ""));
        assert_eq!(told(60), ("due 3 May".into(), ""));
        assert_eq!(told(-1), ("late: yesterday".into(), "late"));
        assert_eq!(told(-400), ("late: 28 Jan 2025".into(), "late"));
        assert_eq!(due(today, today, false).1, "");
    }

    #[test]
    fn a_time_code_reads_as_in_a_player() {
        assert_eq!((clock(431.0), clock(3_725.9), clock(-1.0)), ("7:11".into(), "1:02:05".into(), "0:00".into()));
    }
}
