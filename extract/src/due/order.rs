//! Whether an English text writes 12/3 for 12 March or for 3 December, as far as its own dates show.

use chrono::{NaiveDate, NaiveDateTime, TimeDelta};

use super::{Resolved, find};

/// Within so many days of when a text was written lie the days that it is about.
const NEAR: i64 = 62;
/// Beyond so many, a day is rather another one, its numbers read the other way round.
const FAR: i64 = 180;

/// Whether the day stands before the month in a text's numeric dates. What proves it comes first: a part over 12, a weekday
/// beside it, points between the parts; then the day of the text itself, and what is near where the other reading is far.
/// `None` where its dates tell nothing.
pub(crate) fn writes_day_first(text: &str, said_at: NaiveDateTime) -> Option<bool> {
    if !text.as_bytes().windows(2).any(|pair| pair[0].is_ascii_digit() && matches!(pair[1], b'/' | b'.')) {
        return None;
    }
    let [month_first, day_first] = ["en-US", "en-GB"].map(|language| find(text, said_at, Some(language)));
    let (mut proven, mut likely) = (0_i32, 0_i32);
    for one in &month_first {
        let Some((first, second)) = numbers(&text[one.start..one.end]).filter(|(first, second)| first != second) else {
            continue;
        };
        let Some(other) = day_first.iter().find(|other| other.start == one.start) else { continue };
        if one.date != other.date {
            likely +=
                i32::from(is_likelier(other, one, said_at.date())) - i32::from(is_likelier(one, other, said_at.date()));
        } else if let [true, false] | [false, true] = [first, second].map(|number| number == month(one.date)) {
            proven += if first == month(one.date) { -1 } else { 1 };
        }
    }
    [proven, likely].into_iter().find(|votes| *votes != 0).map(|votes| votes > 0)
}

fn month(date: NaiveDate) -> u32 {
    chrono::Datelike::month(&date)
}

/// Whether a day is rather meant than another.
fn is_likelier(day: &Resolved, other: &Resolved, today: NaiveDate) -> bool {
    let ahead = |day: &Resolved| (day.date - today).num_days();
    let same = |day: &Resolved| (day.date - today).abs() <= TimeDelta::days(1);
    same(day) && !same(other) || (0..=NEAR).contains(&ahead(day)) && ahead(other) > FAR
}

/// The first two numbers of an expression that have a stroke or point between them.
fn numbers(words: &str) -> Option<(u32, u32)> {
    let mark = words.match_indices(['/', '.']).map(|(at, _)| at);
    let digit = |c: char| c.is_ascii_digit();
    mark.filter_map(|at| {
        let (before, behind) = (&words[..at], &words[at + 1..]);
        let first = &before[before.trim_end_matches(digit).len()..];
        let second = &behind[..behind.len() - behind.trim_start_matches(digit).len()];
        Some((first, second)).filter(|(first, second)| first.len() < 3 && second.len() < 3)
    })
    .find_map(|(first, second)| Some((first.parse().ok()?, second.parse().ok()?)))
}

#[cfg(test)]
mod tests {
    use super::writes_day_first;

    #[test]
    fn the_dates_of_a_text_show_in_which_order_it_writes_them() {
        for (text, day_first) in [
            ("rent by 13/3, lease by 12/3", Some(true)),
            ("rent by 3/13, lease by 3/12", Some(false)),
            ("minutes of 03.02.2026, lease by 4/5", Some(true)),
            ("lease by 4/5, Tue 5/5, Wed 6/5", Some(true)),
            ("lease by 4/5, then Wed 5/6", Some(false)),
            ("03/04/2026\nlease by 4/5", Some(false)),
            ("lease by 4/3", Some(true)),
            ("lease by 3/4", Some(false)),
            ("lease by 4/5", None),
            ("chapter 3.4 and 24/7", None),
        ] {
            assert_eq!(writes_day_first(text, "2026-03-03T10:00:00".parse().unwrap()), day_first, "{text}");
        }
    }
}
