//! What can be seen of a text: without the codes that drive a terminal, without control characters, and without those that
//! turn the direction of writing.

use std::borrow::Cow;

/// What begins a code for a terminal.
const ESCAPE: char = '\u{1b}';
/// The same and a bracket in one.
const SEQUENCE: char = '\u{9b}';
/// What ends the longer codes, besides an escape with a backslash.
const BELL: char = '\u{7}';

/// What can be seen of a text.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut seen = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let hidden = if is_hidden(letter) { code(rest) } else { 0 };
        if hidden == 0 {
            seen.push(letter);
        }
        rest = &rest[hidden.max(letter.len_utf8())..];
    }
    Cow::Owned(seen)
}

/// Whether a character cannot be seen but changes what is; white space is none of them.
fn is_hidden(letter: char) -> bool {
    (letter.is_control() && !letter.is_whitespace())
        || matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Bytes of the code or hidden character that a text begins with.
fn code(text: &str) -> usize {
    let mut letters = text.char_indices();
    let Some((_, first)) = letters.next() else { return 0 };
    let behind = letters.as_str();
    match (first, behind.chars().next()) {
        (SEQUENCE, _) => first.len_utf8() + sequence(behind),
        (ESCAPE, Some('[')) => 2 + sequence(&behind[1..]),
        (ESCAPE, Some(']' | 'P' | '^' | '_' | 'X')) => 1 + command(behind),
        (ESCAPE, Some('@'..='Z' | '\\')) => 2,
        _ => first.len_utf8(),
    }
}

/// Bytes of numbers and of the letter that they are for.
fn sequence(text: &str) -> usize {
    let numbers = text.bytes().take_while(|byte| (0x20..0x40).contains(byte)).count();
    let ends = text.as_bytes().get(numbers).is_some_and(|byte| (0x40..0x7f).contains(byte));
    numbers + usize::from(ends)
}

/// Bytes up to the end of a longer code; of one without an end, those of its first letter.
fn command(text: &str) -> usize {
    let line = text.split('\n').next().unwrap_or_default();
    let bell = line.find(BELL).map(|at| at + 1);
    let slash = line.find("\u{1b}\\").map(|at| at + 2);
    bell.into_iter().chain(slash).min().unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::visible;

    #[test]
    fn codes_of_terminals_and_control_characters_are_not_seen() {
        for (text, seen) in [
            ("send the file\tto Sam", "send the file\tto Sam"),
            ("\u{1b}[1;31msend\u{1b}[0m the file", "send the file"),
            ("\u{9b}4msend\u{0} the\u{8} file\u{7f}", "send the file"),
            ("\u{1b}]8;;https://x.example\u{7}send\u{1b}]8;;\u{1b}\\ it", "send it"),
            ("\u{1b}]0;no end", "0;no end"),
            ("\u{1b}cgo\u{1b}", "cgo"),
            ("\u{202e}elif eht\u{202c}", "elif eht"),
            ("über \u{1b}[é", "über é"),
        ] {
            assert_eq!(visible(text), seen, "{text:?}");
        }
    }
}
