//! Words to tokens: one pass over the text, each word looked up once in the [`DateLexicon`].

use super::lexicon::{DateLexicon, Lex};
use gleaner_model::is_spaceless;

/// A word, number or mark of the text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct DateToken {
    /// What it means to a date expression.
    pub lex: Lex,
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// No white space stands between it and the token before.
    pub glued: bool,
}

/// Longest word, in bytes, that a lexicon may hold: longer ones are unknown without a look.
const LONGEST: usize = 32;

/// Splits a text into tokens. Runs of unknown words become one token.
pub(super) fn tokenise(text: &str, lexicon: &DateLexicon) -> Vec<DateToken> {
    let mut tokens: Vec<DateToken> = Vec::with_capacity(text.len() / 12 + 8);
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let len = match c {
            _ if c.is_whitespace() => {
                let (len, hard) = white(text, at);
                if hard {
                    push(&mut tokens, Lex::Break, at, at + len);
                }
                len
            }
            '0'..='9' | '０'..='９' => {
                sounded(text, at, lexicon, &mut tokens).unwrap_or_else(|| digits(text, at, &mut tokens))
            }
            '\'' | '’' | '´' | '`' => apostrophe(text, at, c, &mut tokens),
            _ if is_spaceless(c) => character(text, at, c, lexicon, &mut tokens),
            _ if c.is_alphabetic() => word(text, at, lexicon, &mut tokens),
            _ => {
                push(&mut tokens, Lex::Mark(narrow(c)), at, at + c.len_utf8());
                c.len_utf8()
            }
        };
        at += len;
    }
    tokens
}

fn push(tokens: &mut Vec<DateToken>, lex: Lex, start: usize, end: usize) {
    let glued = tokens.last().is_some_and(|last| last.end == start);
    if let Some(last) = tokens.last_mut()
        && last.lex == Lex::Other
        && lex == Lex::Other
    {
        last.end = end;
        return;
    }
    tokens.push(DateToken { lex, start, end, glued });
}

/// White space: its length, and whether a date cannot go on behind it. A line break inside a sentence can be the
/// wrapping of a mail; one before anything but a letter starts a list, a table or a new speaker.
fn white(text: &str, at: usize) -> (usize, bool) {
    let rest = &text[at..];
    let len = rest.len() - rest.trim_start().len();
    let lines = rest[..len].matches('\n').count();
    let wraps = rest[len..].chars().next().is_some_and(char::is_lowercase);
    (len, lines > 1 || (lines == 1 && !wraps))
}

/// "2nite", "2moro": a word of which a digit is a syllable.
fn sounded(text: &str, at: usize, lexicon: &DateLexicon, tokens: &mut Vec<DateToken>) -> Option<usize> {
    let digit = text[at..].chars().next().map_or(1, char::len_utf8);
    let len = digit + word_len(&text[at + digit..]);
    let folded = Folded::of(&text[at..at + len]).filter(|_| len > 1)?;
    let (lex, end) = lexicon.look_up(folded.as_str(), text, at + len)?;
    push(tokens, lex, at, end);
    Some(end - at)
}

fn digits(text: &str, at: usize, tokens: &mut Vec<DateToken>) -> usize {
    let (mut value, mut count, mut len) = (0_u32, 0_usize, 0);
    for c in text[at..].chars().take_while(|c| narrow(*c).is_ascii_digit()) {
        if count < 9 {
            value = value * 10 + narrow(c).to_digit(10).unwrap_or_default();
        }
        (count, len) = (count + 1, len + c.len_utf8());
    }
    let suffix = ordinal_suffix(&text[at + len..]);
    let lex = match u8::try_from(value) {
        Ok(day) if suffix > 0 && count < 3 => Lex::Ordinal(day),
        _ => Lex::Digits { value, len: u8::try_from(count).unwrap_or(u8::MAX) },
    };
    let len = if matches!(lex, Lex::Ordinal(_)) { len + suffix } else { len };
    push(tokens, lex, at, at + len);
    len
}

/// A digit, or a mark between digits, as wide as a Chinese character, as it is in ASCII; any other character as it is.
fn narrow(c: char) -> char {
    match c {
        '－'..='９' => u32::from(c).checked_sub(0xfee0).and_then(char::from_u32).unwrap_or(c),
        _ => c,
    }
}

/// Length of "st", "nd", "rd", "th", "er", "º" … right behind a number, where nothing else follows them.
fn ordinal_suffix(rest: &str) -> usize {
    const SUFFIXES: [&str; 13] = ["st", "nd", "rd", "th", "er", "ème", "eme", "º", "ª", "°", "ste", "de", "e"];
    let fits = |s: &&str| {
        rest.get(..s.len()).is_some_and(|head| head.eq_ignore_ascii_case(s))
            && !rest[s.len()..].chars().next().is_some_and(char::is_alphanumeric)
    };
    SUFFIXES.iter().find(|s| fits(s)).map_or(0, |s| s.len())
}

/// "'s" belongs to the word before it and means nothing; any other apostrophe is a mark.
fn apostrophe(text: &str, at: usize, c: char, tokens: &mut Vec<DateToken>) -> usize {
    let len = c.len_utf8();
    let rest = &text[at + len..];
    let possessive = rest.starts_with(['s', 'S']) && !rest[1..].chars().next().is_some_and(char::is_alphanumeric);
    if possessive && tokens.last().is_some_and(|last| last.end == at) {
        push(tokens, Lex::Possessive, at, at + len + 1);
        return len + 1;
    }
    push(tokens, Lex::Mark('\''), at, at + len);
    len
}

fn word(text: &str, at: usize, lexicon: &DateLexicon, tokens: &mut Vec<DateToken>) -> usize {
    let len = word_len(&text[at..]);
    let Some(folded) = Folded::of(&text[at..at + len]) else {
        push(tokens, Lex::Other, at, at + len);
        return len;
    };
    if let Some((lex, end)) = lexicon.look_up(folded.as_str(), text, at + len) {
        push(tokens, lex, at, end);
        return end - at;
    }
    match lexicon.weekday_and_part(folded.as_str()) {
        // Lower case may be longer or shorter than what was written; of these words it never is.
        Some((weekday, part, split)) if text.is_char_boundary(at + split) => {
            push(tokens, weekday, at, at + split);
            push(tokens, part, at + split, at + len);
        }
        _ => push(tokens, Lex::Other, at, at + len),
    }
    len
}

/// A word of a script without spaces; of Korean only at the start of its syllables.
fn character(text: &str, at: usize, c: char, lexicon: &DateLexicon, tokens: &mut Vec<DateToken>) -> usize {
    let hangul = |c: char| matches!(c, '\u{ac00}'..='\u{d7a3}');
    let inside = hangul(c) && text[..at].chars().next_back().is_some_and(hangul);
    let found = if inside { None } else { lexicon.look_up_cjk(text, at) };
    let (lex, end) = found.unwrap_or((Lex::Other, at + c.len_utf8()));
    push(tokens, lex, at, end);
    end - at
}

/// Length of the letters at the start of a text. Letters of scripts without spaces are one word each.
pub(super) fn word_len(rest: &str) -> usize {
    let ascii = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
    let tail = rest[ascii..].chars().take_while(|c| {
        !c.is_ascii() && !is_spaceless(*c) && (c.is_alphabetic() || is_joiner(*c)) || c.is_ascii_alphabetic()
    });
    ascii + tail.map(char::len_utf8).sum::<usize>()
}

/// Vowel signs and accents that stand as characters of their own.
fn is_joiner(c: char) -> bool {
    matches!(c, '\u{0300}'..='\u{036f}' | '\u{0900}'..='\u{0903}' | '\u{093c}'..='\u{094d}')
}

/// A word in lower case, without an allocation.
pub(super) struct Folded {
    bytes: [u8; LONGEST],
    len: usize,
}

impl Folded {
    /// The lower-case form, or `None` where it is longer than any word of a lexicon.
    pub fn of(word: &str) -> Option<Self> {
        let mut folded = Self { bytes: [0; LONGEST], len: 0 };
        if word.len() > LONGEST {
            return None;
        }
        if word.is_ascii() {
            folded.len = word.len();
            folded.bytes[..word.len()].copy_from_slice(word.as_bytes());
            folded.bytes.make_ascii_lowercase();
            return Some(folded);
        }
        for c in word.chars().flat_map(char::to_lowercase) {
            let room = folded.bytes.get_mut(folded.len..folded.len + c.len_utf8())?;
            c.encode_utf8(room);
            folded.len += c.len_utf8();
        }
        Some(folded)
    }

    /// The word in lower case.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.len]).unwrap_or_default()
    }
}
