//! Sentences: the units in which commitments are looked for.
//!
//! A line end, a full stop, a question or exclamation mark end one. A comma, a dash or a bare "and" does where another
//! person starts to act after it ("can you send it, and I'll sign"), and speech without punctuation is cut where a
//! speaker sets in anew ("… okay so …"): two commitments should not share a sentence.

mod words;

use std::ops::Range;

pub(crate) use words::ends_in_abbreviation;
use words::{is_month, opens_clause, sets_in};

/// Least words on both sides of a cut within a sentence.
const CLAUSE: usize = 3;
/// Least words without any punctuation before a cut where a speaker sets in anew.
const RUN: usize = 9;
/// Words after which speech without punctuation is cut whatever comes.
const LONGEST: usize = 60;

/// The sentences of a text as byte ranges, in order, without white space around them.
#[must_use]
pub fn split(text: &str) -> Vec<Range<usize>> {
    let mut splitter = Splitter { text, start: 0, words: 0, run: 0, found: Vec::new() };
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        at = match bytes[at] {
            b' ' | b'\t' => splitter.space(at),
            b'.' | b'?' | b'!' => splitter.stop(at),
            b'\n' => splitter.cut(at, at + 1),
            b',' | b';' => splitter.comma(at),
            0xe2 | 0xe3 | 0xef => splitter.wide(at),
            _ => at + 1,
        };
    }
    splitter.cut(text.len(), text.len());
    splitter.found
}

struct Splitter<'a> {
    text: &'a str,
    /// First byte of the open sentence.
    start: usize,
    /// Words of the open sentence so far.
    words: usize,
    /// Words since the last mark of punctuation.
    run: usize,
    found: Vec<Range<usize>>,
}

impl Splitter<'_> {
    /// Ends the open sentence; the next one begins at `next`, which is also where to go on.
    fn cut(&mut self, end: usize, next: usize) -> usize {
        let open = &self.text[self.start..end];
        let bare = open.trim_start();
        let start = end - bare.len();
        let length = bare.trim_end().len();
        if bare.chars().any(|character| !character.is_whitespace() && character != '\u{200b}') && length > 0 {
            self.found.push(start..start + length);
        }
        self.start = next;
        self.words = 0;
        self.run = 0;
        next
    }

    fn space(&mut self, at: usize) -> usize {
        let next = at + 1;
        if self.text.as_bytes().get(next).is_none_or(|byte| matches!(byte, b' ' | b'\t')) {
            return next;
        }
        self.words += 1;
        self.run += 1;
        let rest = &self.text[next..];
        let joined = self.run > CLAUSE && opens_clause(rest, true) && has_words(rest, CLAUSE);
        let anew = self.run >= RUN && sets_in(rest);
        if joined || anew || self.run >= LONGEST { self.cut(at, next) } else { next }
    }

    /// `.`, `?`, `!`, with those that follow it.
    fn stop(&mut self, at: usize) -> usize {
        let bytes = self.text.as_bytes();
        let marks = bytes[at..].iter().take_while(|byte| matches!(byte, b'.' | b'?' | b'!')).count();
        let closing = closing(&self.text[at + marks..]);
        let after = at + marks + closing;
        let next = self.text[after..].chars().next();
        if next.is_some_and(|next| !next.is_whitespace() && !is_wide(next)) {
            return after.max(at + 1);
        }
        let ends = match (bytes[at], marks) {
            (b'.', 1) => self.full_stop(at, after),
            (b'.', _) if self.text[at..at + marks].bytes().all(|byte| byte == b'.') => !self.goes_on(after),
            _ => closing == 0 || !self.goes_on(after),
        };
        self.run = 0;
        if ends { self.cut(after, after) } else { after }
    }

    /// Whether a full stop ends a sentence, and no abbreviation, initial or ordinal.
    fn full_stop(&self, at: usize, after: usize) -> bool {
        let before = &self.text[self.start..at];
        let following = self.text[after..].trim_start();
        let lower = following.starts_with(char::is_lowercase);
        if ends_in_abbreviation(before, following) {
            return false;
        }
        let digits = before.bytes().rev().take(5).take_while(u8::is_ascii_digit).count();
        let ordinal = (1..=2).contains(&digits) && (lower || is_month(following));
        let numbering = digits > 0 && digits == before.trim_start().len();
        !(ordinal || numbering)
    }

    fn goes_on(&self, after: usize) -> bool {
        self.text[after..].trim_start().starts_with(char::is_lowercase)
    }

    /// A comma or semicolon: the end where somebody starts to act after it.
    fn comma(&mut self, at: usize) -> usize {
        let next = at + 1;
        let spaced = self.text.as_bytes().get(next) == Some(&b' ');
        let rest = &self.text[next..];
        let long = self.words + 1 >= CLAUSE && spaced && has_words(rest.trim_start(), CLAUSE);
        self.run = 0;
        let ends = long && (self.text.as_bytes()[at] == b';' || opens_clause(rest.trim_start(), false));
        if ends { self.cut(next, next) } else { next }
    }

    /// Dashes, ellipses and the full stops of Chinese and Japanese.
    fn wide(&mut self, at: usize) -> usize {
        let Some(character) = self.text[at..].chars().next() else { return at + 1 };
        let next = at + character.len_utf8();
        match character {
            '。' | '！' | '？' | '．' => {
                let end = next + closing(&self.text[next..]);
                self.cut(end, end)
            }
            '…' if self.text[next..].starts_with(char::is_whitespace) && !self.goes_on(next) => self.cut(next, next),
            '–' | '—' => {
                let rest = self.text[next..].trim_start();
                self.run = 0;
                let ends = self.words >= CLAUSE && opens_clause(rest, false) && has_words(rest, CLAUSE);
                if ends { self.cut(at, next) } else { next }
            }
            _ => next,
        }
    }
}

/// Bytes of closing quotes and brackets.
fn closing(text: &str) -> usize {
    text.len() - text.trim_start_matches(['"', '”', '’', '\'', ')', ']', '»', '」', '』', '）', '*', '_']).len()
}

/// Whether a character belongs to a script that is written without spaces.
fn is_wide(character: char) -> bool {
    matches!(character, '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{ff00}'..='\u{ff60}')
}

/// Whether at least some words follow in the line.
fn has_words(text: &str, least: usize) -> bool {
    let spaces = text.bytes().take(160).take_while(|byte| *byte != b'\n').filter(|byte| *byte == b' ').count();
    spaces + 1 >= least
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentences(text: &str) -> Vec<&str> {
        split(text).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn marks_and_line_ends_end_sentences() {
        assert_eq!(sentences("Go on. Really? Yes!\nnext line"), ["Go on.", "Really?", "Yes!", "next line"]);
        assert_eq!(sentences("始めます。聞こえていますか？はい"), ["始めます。", "聞こえていますか？", "はい"]);
        assert_eq!(sentences("He said \"go.\" Then left."), ["He said \"go.\"", "Then left."]);
    }

    #[test]
    fn abbreviations_numbers_and_addresses_do_not() {
        for whole in [
            "Ask Dr. Kaul and Mr. Osgood e.g. today",
            "It is 3.5 percent, see www.x.example/a.b for more",
            "Sie bekommen sie bis zum 15. Mai per Post",
            "S. Okafor signs it",
            "Pay inv. 4471 today",
            "Ask the U.S. team about it",
            "wait... what",
        ] {
            assert_eq!(sentences(whole), [whole]);
        }
    }

    #[test]
    fn a_new_actor_begins_a_new_sentence() {
        assert_eq!(
            sentences("can you send me the form, and I'll sign it today"),
            ["can you send me the form,", "and I'll sign it today"]
        );
        assert_eq!(
            sentences("send it to me by noon and I'll look at it tonight"),
            ["send it to me by noon", "and I'll look at it tonight"]
        );
        assert_eq!(sentences("yeah, I'll do that"), ["yeah, I'll do that"]);
    }

    #[test]
    fn speech_without_punctuation_is_cut_where_the_speaker_sets_in_anew() {
        assert_eq!(
            sentences("the bill was forty one thousand last month which is a lot okay so the next point is the lease"),
            ["the bill was forty one thousand last month which is a lot", "okay so the next point is the lease"]
        );
    }

    #[test]
    fn a_text_without_any_mark_is_cut_into_bounded_pieces() {
        let text = "word ".repeat(10_000);
        assert!(split(&text).iter().all(|range| range.len() <= 5 * (LONGEST + 1)));
    }
}
