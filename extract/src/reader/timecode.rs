//! Time codes: `0:42`, `00:01:02.500`, `[9:15 AM]`, `[05/12/2026, 17:58]`, `14 Jun 10:00`.

/// A time code at the start of a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeCode {
    /// Seconds, two fields read as minutes and seconds.
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
    (fields > 1).then(|| TimeCode {
        seconds: f64::from(total) + fraction.0,
        of_day: meridiem > 0,
        length: end + meridiem,
    })
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

/// Bytes of ` AM`, `pm`, ` p.m.` at the start of a text.
fn meridiem(text: &str) -> usize {
    let rest = text.trim_start_matches([' ', '\u{a0}', '\u{202f}']);
    let bytes = rest.as_bytes();
    let letter =
        |at: usize, wanted: &[u8]| bytes.get(at).is_some_and(|byte| wanted.contains(&byte.to_ascii_lowercase()));
    let length = match () {
        () if letter(0, b"ap") && letter(1, b"m") => 2,
        () if letter(0, b"ap") && letter(1, b".") && letter(2, b"m") && letter(3, b".") => 4,
        () => return 0,
    };
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
    /// Whether brackets stand around it.
    pub bracketed: bool,
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
        return Some(Stamp { clock, dated: before > 0, bracketed: false, length: length + zone });
    };
    let length = bounded_find(text, close, 48)? + 1;
    let inner = text[1..length - 1].trim();
    let (clock, before) = dated_clock(inner)?;
    let whole = before + clock.length == inner.len();
    whole.then_some(Stamp { clock, dated: before > 0, bracketed: true, length })
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
    fn clocks_are_read_with_hours_fractions_and_halves_of_the_day() {
        assert_eq!(clock("0:42 x").map(|clock| (clock.seconds, clock.length)), Some((42.0, 4)));
        assert_eq!(clock("01:02:03.250").map(|clock| (clock.seconds, clock.length)), Some((3723.25, 12)));
        assert_eq!(clock("9:15 AM").map(|clock| (clock.of_day, clock.length)), Some((true, 7)));
        assert_eq!(clock("9:15 amen").map(|clock| (clock.of_day, clock.length)), Some((false, 4)));
        assert_eq!(clock("9:1"), None);
        assert_eq!(clock("12"), None);
    }

    #[test]
    fn stamps_have_brackets_and_dates() {
        let found = |text| stamp(text).map(|stamp| (stamp.length, stamp.dated, stamp.bracketed));
        assert_eq!(found("[05/12/2026, 17:58] Ilze: did"), Some((19, true, true)));
        assert_eq!(found("[14 Jun 10:00]"), Some((14, true, true)));
        assert_eq!(found("[9:15 AM]"), Some((9, false, true)));
        assert_eq!(found("05/12/2026, 17:58 - Ilze"), Some((17, true, false)));
        assert_eq!(found("00:12 Sam"), Some((5, false, false)));
        assert_eq!(found("[22-Aug-26 08:45 PM] anna"), Some((20, true, true)));
        assert_eq!(found("[laughs] no"), None);
    }
}
