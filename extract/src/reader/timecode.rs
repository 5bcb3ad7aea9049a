//! Time codes: `0:42`, `00:01:02.500`, `[9:15 AM]`, `[05/12/2026, 17:58]`, `14 Jun 10:00`; and moments: `Mon 9:14 AM`, `3 days ago`.

use chrono::NaiveDateTime;

use crate::due::{self, Unit};
use crate::word_list::WordList;

/// A time code at the start of a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeCode {
    /// Seconds into the recording or, of a time of day, from midnight on; two fields are minutes and seconds or, of a time of
    /// day, hours and minutes.
    pub seconds: f64,
    /// Whether it can only be a time of day.
    pub of_day: bool,
    /// Bytes that it takes.
    pub length: usize,
}

/// Reads `M:SS`, `H:MM:SS`, with a fraction or AM or PM, at the start of a text.
pub fn clock(text: &str) -> Option<TimeCode> {
    let bytes = text.as_bytes();
    let (mut at, mut fields, mut total) = (0, 0, 0_u32);
    loop {
        let digits = bytes[at..].iter().take(4).take_while(|byte| byte.is_ascii_digit()).count();
        let wanted = if fields == 0 { 1..=3 } else { 2..=2 };
        if !wanted.contains(&digits) {
            return None;
        }
        total = total * 60 + text[at..at + digits].parse::<u32>().ok()?;
        at += digits;
        fields += 1;
        match bytes.get(at) {
            Some(b':') if fields < 3 => at += 1,
            _ => break,
        }
    }
    let fraction = fraction(&bytes[at..]);
    let end = at + fraction.1;
    let meridiem = meridiem(&text[end..]);
    let whole = if meridiem > 0 { of_day(total, fields, &text[end..end + meridiem]) } else { total };
    (fields > 1).then(|| TimeCode {
        seconds: f64::from(whole) + fraction.0,
        of_day: meridiem > 0,
        length: end + meridiem,
    })
}

/// Seconds from midnight on of a time of day whose fields were read as minutes and seconds, or as hours and these.
fn of_day(total: u32, fields: usize, meridiem: &str) -> u32 {
    const HALF: u32 = 12 * 3600;
    let seconds = if fields == 2 { total.saturating_mul(60) } else { total };
    match meridiem.trim_start().bytes().next() {
        Some(b'a' | b'A') if seconds / 3600 == 12 => seconds - HALF,
        Some(b'p' | b'P') if seconds < HALF => seconds + HALF,
        _ => seconds,
    }
}

/// `.500` or `,500`: its value and bytes.
fn fraction(bytes: &[u8]) -> (f64, usize) {
    if !matches!(bytes.first(), Some(b'.' | b',')) {
        return (0.0, 0);
    }
    let digits = bytes[1..].iter().take(6).take_while(|byte| byte.is_ascii_digit()).count();
    let value = bytes[1..=digits].iter().rev().fold(0.0, |sum, byte| (sum + f64::from(byte - b'0')) / 10.0);
    if digits == 0 { (0.0, 0) } else { (value, digits + 1) }
}

/// Bytes of ` AM`, `pm`, ` p.m.`, ` p. m.`, ` Uhr` at the start of a text.
fn meridiem(text: &str) -> usize {
    let rest = text.trim_start_matches([' ', '\u{a0}', '\u{202f}']);
    let forms = ["am", "pm", "a.m.", "p.m.", "a. m.", "p. m.", "a.\u{a0}m.", "p.\u{a0}m.", "uhr"];
    let begins = |form: &&&str| rest.get(..form.len()).is_some_and(|start| start.eq_ignore_ascii_case(form));
    let Some(length) = forms.iter().find(begins).map(|form| form.len()) else { return 0 };
    let ends = !rest[length..].starts_with(|next: char| next.is_alphanumeric());
    if ends { text.len() - rest.len() + length } else { 0 }
}

/// A time code with what stands around it: brackets, a date.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stamp {
    /// The time itself.
    pub clock: TimeCode,
    /// Whether a date stands with it.
    pub dated: bool,
    /// Bytes of the whole.
    pub length: usize,
}

/// Reads a stamp at the start of a text.
pub fn stamp(text: &str) -> Option<Stamp> {
    if !text.as_bytes().first().is_some_and(|first| first.is_ascii_digit() || matches!(first, b'[' | b'(')) {
        return None;
    }
    let Some(close) = closing(text) else {
        let (clock, before) = dated_clock(text)?;
        let length = before + clock.length;
        let zone = usize::from(before > 0 && text[length..].starts_with("Z "));
        return Some(Stamp { clock, dated: before > 0, length: length + zone });
    };
    let length = bounded_find(text, close, 48)? + 1;
    let inner = text[1..length - 1].trim();
    let plain = dated_clock(inner).filter(|(clock, before)| before + clock.length == inner.len());
    let (clock, dated) = match plain {
        Some((clock, before)) => (clock, before > 0),
        None => range(inner).map(|clock| (clock, false)).or_else(|| {
            let moment = moment(inner)?;
            Some((moment.clock?, moment.dated))
        })?,
    };
    Some(Stamp { clock, dated, length })
}

/// The start of `00:05 --> 00:11`.
fn range(text: &str) -> Option<TimeCode> {
    let start = clock(text)?;
    let end = text[start.length..].trim_start_matches([' ', '-', '–', '—', '>', '→']);
    (end.len() < text.len() - start.length).then_some(())?;
    clock(end).filter(|clock| clock.length == end.len()).map(|_| start)
}

/// What a text says that is nothing but a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// The time of day or into the recording, where it is said.
    pub clock: Option<TimeCode>,
    /// Whether it says the day.
    pub dated: bool,
}

/// Longest moment, in bytes.
const LONGEST: usize = 48;
/// Words that join a day and a time, or follow them.
static JOINTS: WordList = WordList::of("at um à a las alle às om kl o edited bearbeitet modifié editado modificato");
/// Units of spoken times into a recording.
static UNITS: WordList = WordList::of(
    "hour hours minute minutes second seconds stunde stunden minuten sekunde sekunden heure heures seconde secondes \
    hora horas minuto minutos segundo segundos ora ore minuti secondo secondi uur minuut seconden",
);

/// Reads a text that is as a whole a day, a time or both: `9:14 AM`, `Mon 9:14 AM`, `Mar 5, 2026 at 3:12 PM`, `3 days ago`.
pub fn moment(text: &str) -> Option<Moment> {
    let text = text.trim_matches([' ', ',', '_', '*', '\u{a0}']);
    let text = ["(edited)", "Edited", "edited"].iter().find_map(|end| text.strip_suffix(end)).unwrap_or(text);
    let text = text.trim_end_matches([' ', ',']);
    let words = || text.split_whitespace();
    let closed = text.ends_with(['.', '!', '?']) && !text.ends_with("m.");
    if text.is_empty() || text.len() > LONGEST || words().count() > 8 || closed {
        return None;
    }
    if let Some(clock) = clock(text).filter(|clock| clock.length == text.len()) {
        return Some(Moment { clock: Some(clock), dated: false });
    }
    if let Some(clock) = spoken(text) {
        return Some(Moment { clock: Some(clock), dated: false });
    }
    let mut starts = text.match_indices(|one: char| one.is_ascii_digit()).map(|found| found.0);
    let time = starts.find_map(|at| {
        let free = !text[..at].ends_with(|before: char| {
            before.is_alphanumeric() && before != 'T' || matches!(before, ':' | '/' | '.' | '-')
        });
        clock(&text[at..]).filter(|_| free).map(|clock| (at, clock))
    });
    if time.is_none() && words().count() > 1 && !text.contains(|one: char| one.is_numeric()) {
        return None;
    }
    let (before, after) = time.map_or((text, ""), |(at, clock)| (&text[..at], &text[at + clock.length..]));
    let (begins, ends) = (says_day(before)?, says_day(after)?);
    (begins || ends || time.is_some()).then_some(Moment { clock: time.map(|time| time.1), dated: begins || ends })
}

/// Whether what stands beside a time says a day; `None` where it says anything else.
fn says_day(text: &str) -> Option<bool> {
    let edge = |one: char| matches!(one, ' ' | ',' | '\u{a0}' | '-' | '–' | '—' | '(' | ')');
    let joint = |word: &str| word.is_empty() || JOINTS.has(word) || is_zone(word);
    let bare = text.trim_matches(edge);
    let bare = bare.strip_suffix('T').filter(|date| date.ends_with(|last: char| last.is_ascii_digit())).unwrap_or(bare);
    let last = bare.rsplit(' ').next().unwrap_or_default();
    let bare = if joint(last) { bare[..bare.len() - last.len()].trim_matches(edge) } else { bare };
    if joint(bare) {
        return Some(false);
    }
    let said_at = NaiveDateTime::default();
    let covers = |text: &str| {
        let found = due::find(text, said_at, None).into_iter().next();
        found.is_some_and(|found| found.start == 0 && found.end == text.len() && found.grain <= Unit::Day)
    };
    (is_numeric_date(bare) || covers(bare)).then_some(true)
}

/// `+0100`, `Z`, a year.
fn is_zone(word: &str) -> bool {
    let digits = word.trim_start_matches(['+', '-']);
    matches!(word, "Z" | "UTC" | "GMT") || (digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

/// `05.03.`, `3/5`, `10.3.2026`: two or three numbers.
fn is_numeric_date(word: &str) -> bool {
    let mut parts = word.trim_end_matches('.').split(['.', '/', '-']);
    let number = |part: &str| (1..=4).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    parts.clone().all(number) && (2..=3).contains(&parts.by_ref().count())
}

/// `0 minutes 5 seconds`.
fn spoken(text: &str) -> Option<TimeCode> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let pairs = words.chunks(2).map(|pair| match pair {
        [number, unit] if UNITS.has(&unit.to_lowercase()) => Some((number.parse::<u32>().ok()?, *unit)),
        _ => None,
    });
    let pairs: Vec<(u32, &str)> = pairs.collect::<Option<_>>()?;
    let factor = |unit: &str| match unit.to_lowercase().chars().next() {
        Some('m') => 60,
        Some('s') if !unit.to_lowercase().starts_with("st") => 1,
        _ => 3600,
    };
    let seconds: u32 =
        pairs.iter().map(|(number, unit)| number.saturating_mul(factor(unit))).fold(0, u32::saturating_add);
    (!pairs.is_empty()).then_some(TimeCode { seconds: f64::from(seconds), of_day: false, length: text.len() })
}

/// A text that a moment ends, set apart from what stands before it: those words, and the moment.
pub fn trailing_moment(text: &str) -> Option<(&str, Moment, &str)> {
    let gap = |one: char| matches!(one, ' ' | '\t' | '|' | '\u{a0}' | '\u{3000}');
    let starts = text.match_indices(gap).map(|(at, mark)| at + mark.len()).filter(|&at| text.len() - at <= LONGEST);
    let starts: Vec<usize> = starts.filter(|&at| !text[at..].starts_with(gap)).collect();
    // The longest one: "Mar 5, 9:14 AM" and not "9:14 AM". A day's name may be somebody's unless something parts it.
    starts.iter().rev().take(9).rev().find_map(|&at| {
        let moment = moment(&text[at..])?;
        let before = text[..at].trim_end_matches([' ', '\t', ',', '-', '–', '—', '|', '@', '·', '\u{a0}', '\u{3000}']);
        let parted = text[before.len()..at] != *" ";
        let long = text[at..].trim_start_matches('_').starts_with(|first: char| first.is_ascii_digit())
            || text[at..].split(' ').count() > 3;
        (!before.is_empty() && (parted || long)).then_some((before, moment, &text[at..]))
    })
}

fn closing(text: &str) -> Option<char> {
    match text.as_bytes().first()? {
        b'[' => Some(']'),
        b'(' => Some(')'),
        _ => None,
    }
}

/// Where an ASCII character first stands within some bytes.
pub fn bounded_find(text: &str, wanted: char, most: usize) -> Option<usize> {
    text.bytes().take(most).position(|byte| byte == wanted as u8)
}

/// A clock that up to four words of a date stand before, such as `05/12/2026, ` or `14 Jun `; and the bytes before it.
fn dated_clock(text: &str) -> Option<(TimeCode, usize)> {
    let mut at = 0;
    for word in 0..5 {
        if let Some(clock) = clock(&text[at..]) {
            return Some((clock, at));
        }
        let rest = &text[at..];
        let length = rest.find([' ', 'T']).filter(|&length| length < 16)?;
        if !dates(&rest[..length], word) {
            return None;
        }
        at += length + 1;
        at += text[at..].len() - text[at..].trim_start_matches(' ').len();
    }
    None
}

/// Whether a word can be part of a date before a time: digits with separators, `22-Aug-26`, or a short name after or
/// before digits.
fn dates(word: &str, place: usize) -> bool {
    let word = word.trim_end_matches(',');
    let numeric = word.bytes().any(|byte| byte.is_ascii_digit())
        && word.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'/' | b'.' | b'-'));
    let spelled = word.splitn(3, '-').count() == 3
        && word.starts_with(|first: char| first.is_ascii_digit())
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    numeric || spelled || (place > 0 && (2..=12).contains(&word.len()) && word.chars().all(char::is_alphabetic))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_days_times_or_both_and_nothing_else() {
        for (text, timed, dated) in [
            ("9:14 AM", true, false),
            ("09:14 Uhr", true, false),
            ("0 minutes 5 seconds", true, false),
            ("Mon 9:14 AM", true, true),
            ("Tue 9:20 AM", true, true),
            ("Today at 8:02 PM", true, true),
            ("Yesterday at 9:17 AM", true, true),
            ("Thursday 9:14 AM", true, true),
            ("Mar 5, 9:14 AM", true, true),
            ("March 5, 2026 at 3:12 PM (edited)", true, true),
            ("Fri 6 Mar, 14:30", true, true),
            ("05.03. 09:14", true, true),
            ("9:14 AM, 3/10/2026", true, true),
            ("Wed Apr 22 19:00:11 2026", true, true),
            ("Tue, 03 Mar 2026 16:05:47 +0100", true, true),
            ("hier à 09:14", true, true),
            ("5. März 2026 um 09:14", true, true),
            ("3 days ago", false, true),
            ("Mar 4, 2026", false, true),
            ("Thursday, March 5th", false, true),
        ] {
            let found = moment(text).map(|moment| (moment.clock.is_some(), moment.dated));
            assert_eq!(found, Some((timed, dated)), "{text}");
        }
        for text in ["Okay", "Anna", "call at 9:30", "May", "by Friday 9:00", "Room 5", "2 boxes"] {
            assert_eq!(moment(text), None, "{text}");
        }
    }

    #[test]
    fn clocks_are_read_with_hours_fractions_and_halves_of_the_day() {
        assert_eq!(clock("0:42 x").map(|clock| (clock.seconds, clock.length)), Some((42.0, 4)));
        assert_eq!(clock("01:02:03.250").map(|clock| (clock.seconds, clock.length)), Some((3723.25, 12)));
        assert_eq!(clock("9:15 AM").map(|clock| (clock.of_day, clock.length)), Some((true, 7)));
        for (text, seconds) in [
            ("9:15 AM", 33_300.0),
            ("12:05 am", 300.0),
            ("12:05 p.m.", 43_500.0),
            ("1:05:30 PM", 47_130.0),
            ("9:15 Uhr", 33_300.0),
        ] {
            assert_eq!(clock(text).map(|clock| clock.seconds), Some(seconds), "{text}");
        }
        assert_eq!(clock("9:15 amen").map(|clock| (clock.of_day, clock.length)), Some((false, 4)));
        assert_eq!(clock("9:1"), None);
        assert_eq!(clock("12"), None);
    }

    #[test]
    fn stamps_have_brackets_and_dates() {
        let found = |text| stamp(text).map(|stamp| (stamp.length, stamp.dated));
        assert_eq!(found("[05/12/2026, 17:58] Ilze: did"), Some((19, true)));
        assert_eq!(found("[14 Jun 10:00]"), Some((14, true)));
        assert_eq!(found("[9:15 AM]"), Some((9, false)));
        assert_eq!(found("05/12/2026, 17:58 - Ilze"), Some((17, true)));
        assert_eq!(found("00:12 Sam"), Some((5, false)));
        assert_eq!(found("[22-Aug-26 08:45 PM] anna"), Some((20, true)));
        assert_eq!(found("[laughs] no"), None);
    }
}
