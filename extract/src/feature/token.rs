//! Words: a text cut into tokens, each known by the hash of its lower-case form. One pass, no allocation per token.
//!
//! Clitics stand alone (`I'll` is `i` and `'ll`), digits fold (`14th` is `0th`), scripts without spaces are cut into
//! characters, a link is one token.

use crate::hash::{SEED, step};
use gleaner_model::is_spaceless;

/// A word of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Hash of the lower-case word, see [`hash_word`].
    pub hash: u64,
    /// First byte in the text.
    pub start: u32,
    /// One past its last byte.
    pub end: u32,
    /// What it looks like.
    pub shape: Shape,
}

/// What a token looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Letters.
    Word,
    /// Digits, perhaps with letters: `14th`, `10:30`, `3pm`.
    Number,
    /// One character of a script written without spaces.
    Glyph,
    /// `@name`.
    Mention,
    /// A web address.
    Link,
    /// A question mark.
    Question,
}

/// What stands for every link.
pub const LINK: u64 = 0x6c69_6e6b;
/// What stands for a question mark.
pub const QUESTION: u64 = 0x3f3f_3f3f;

/// The hash of a word as [`tokens`] computes it, for a word that is one token.
#[must_use]
pub fn hash_word(word: &str) -> u64 {
    let mut found = SEED;
    tokens(word, |token| found = token.hash);
    found
}

/// Calls `visit` with each token of a text, in order.
pub fn tokens(text: &str, mut visit: impl FnMut(Token)) {
    let mut at = 0;
    let bytes = text.as_bytes();
    while at < bytes.len() {
        let byte = bytes[at];
        let next = match byte {
            b'?' => Some(Token { hash: QUESTION, ..token(at, at + 1, Shape::Question) }),
            b'@' => mention(text, at),
            _ if byte.is_ascii_alphanumeric() || byte >= 0x80 || byte == b'\'' => word(text, at),
            _ => None,
        };
        match next {
            Some(next) => {
                at = next.end as usize;
                visit(next);
            }
            None => at += width(byte),
        }
    }
}

fn token(start: usize, end: usize, shape: Shape) -> Token {
    Token { hash: SEED, start: start as u32, end: end as u32, shape }
}

/// Bytes of the character that begins with this byte.
fn width(first: u8) -> usize {
    match first {
        0x00..0x80 => 1,
        0x80..0xE0 => 2,
        0xE0..0xF0 => 3,
        _ => 4,
    }
}

fn mention(text: &str, at: usize) -> Option<Token> {
    let name = word(text, at + 1).filter(|name| name.start as usize == at + 1 && name.shape == Shape::Word)?;
    Some(Token { start: at as u32, shape: Shape::Mention, ..name })
}

/// The word that begins at or after `at`, unless something else comes first.
fn word(text: &str, at: usize) -> Option<Token> {
    plain(text, at).or_else(|| any(text, at))
}

/// A word of plain letters, behind which neither a digit nor an apostrophe stands; most words are.
fn plain(text: &str, at: usize) -> Option<Token> {
    let rest = &text.as_bytes()[at..];
    let first = rest.first().filter(|first| first.is_ascii_alphabetic())?;
    let mut hash = SEED;
    let mut length = 0;
    while let Some(letter) = rest.get(length).filter(|letter| letter.is_ascii_alphabetic()) {
        hash = step(hash, letter.to_ascii_lowercase());
        length += 1;
    }
    let ends = rest.get(length).is_none_or(|next| next.is_ascii() && !next.is_ascii_digit() && *next != b'\'');
    let may_be_link = *first == b'h' && rest.starts_with(b"http");
    (ends && !may_be_link).then(|| Token { hash, ..token(at, at + length, Shape::Word) })
}

/// See [`word`].
fn any(text: &str, at: usize) -> Option<Token> {
    let rest = &text[at..];
    let first = rest.chars().next()?;
    if is_glyph(first) {
        let end = at + first.len_utf8();
        let hash = rest.as_bytes()[..first.len_utf8()].iter().fold(SEED, |hash, &byte| step(hash, byte));
        return Some(Token { hash, ..token(at, end, Shape::Glyph) });
    }
    if let Some(link) = link(text, at) {
        return Some(link);
    }
    let (clitic, body) = clitic(rest);
    if first == '\'' && !clitic {
        return None;
    }
    let mut read = token(at, at, Shape::Word);
    read_word(rest, body, &mut read);
    (read.end > read.start).then_some(read)
}

/// Reads letters and digits of `rest` into `read`, from its first `body` bytes on if those are a clitic.
fn read_word(rest: &str, clitic: usize, read: &mut Token) {
    let start = read.start;
    let mut digit = false;
    for (offset, letter) in rest.char_indices() {
        if offset >= clitic {
            let after = &rest[offset + letter.len_utf8()..];
            let inside = is_quote(letter) && offset > 0 && after.chars().next().is_some_and(char::is_alphabetic);
            let joined = matches!(letter, ':' | '.') && digit && after.starts_with(|c: char| c.is_ascii_digit());
            if inside && self::clitic(&rest[offset..]).0 {
                break;
            }
            if !inside && !joined && (is_glyph(letter) || !letter.is_alphanumeric()) {
                break;
            }
        }
        read.end = start + (offset + letter.len_utf8()) as u32;
        if letter.is_ascii_digit() {
            if !digit {
                read.hash = step(read.hash, b'0');
            }
            digit = true;
            read.shape = Shape::Number;
            continue;
        }
        digit = digit && matches!(letter, ':' | '.');
        fold(letter, &mut read.hash);
    }
}

/// Takes the lower-case form of a letter into a hash.
fn fold(letter: char, hash: &mut u64) {
    if letter.is_ascii() {
        *hash = step(*hash, letter.to_ascii_lowercase() as u8);
    } else if is_quote(letter) {
        *hash = step(*hash, b'\'');
    } else {
        for lower in letter.to_lowercase() {
            let mut buffer = [0; 4];
            *hash = lower.encode_utf8(&mut buffer).bytes().fold(*hash, step);
        }
    }
}

fn is_quote(letter: char) -> bool {
    letter == '\'' || letter == '\u{2019}'
}

/// Whether the text begins with an English clitic, and how many bytes it has.
fn clitic(rest: &str) -> (bool, usize) {
    let mut letters = rest.chars();
    let Some(quote) = letters.next().filter(|&letter| is_quote(letter)) else { return (false, 0) };
    let tail = letters.as_str().as_bytes();
    let known: [&[u8]; 5] = [b"ll", b"ve", b"re", b"d", b"m"];
    let length = known.iter().find(|tail_of| {
        tail.len() >= tail_of.len()
            && tail[..tail_of.len()].eq_ignore_ascii_case(tail_of)
            && !tail.get(tail_of.len()).is_some_and(u8::is_ascii_alphanumeric)
    });
    length.map_or((false, 0), |tail_of| (true, quote.len_utf8() + tail_of.len()))
}

/// A web or mail address that begins here.
fn link(text: &str, at: usize) -> Option<Token> {
    let rest = text.as_bytes().get(at..)?;
    let is_web = rest.starts_with(b"http") && rest.get(4..8).is_some_and(|tail| tail.contains(&b'/'));
    if !is_web {
        return None;
    }
    let end = rest.iter().position(|byte| byte.is_ascii_whitespace() || *byte == b'>').unwrap_or(rest.len());
    Some(Token { hash: LINK, ..token(at, at + end, Shape::Link) })
}

/// Whether a character is a word of its own. 々, 〆 and 〇 are words with what follows, as the models have learnt it.
#[must_use]
pub fn is_glyph(letter: char) -> bool {
    is_spaceless(letter) && !matches!(letter, '々' | '〆' | '〇')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        let mut found = Vec::new();
        tokens(text, |token| found.push(&text[token.start as usize..token.end as usize]));
        found
    }

    #[test]
    fn clitics_stand_alone_and_other_apostrophes_do_not() {
        assert_eq!(
            words("I'll ask, don't you’ve O'Brien's?"),
            ["I", "'ll", "ask", "don't", "you", "’ve", "O'Brien's", "?"]
        );
    }

    #[test]
    fn numbers_fold_to_their_shape() {
        assert_eq!(hash_word("14th"), hash_word("3th"));
        assert_ne!(hash_word("14th"), hash_word("14pm"));
        assert_eq!(words("at 10:30, v1.2."), ["at", "10:30", "v1.2"]);
    }

    #[test]
    fn mentions_links_and_glyphs_are_tokens() {
        assert_eq!(
            words("@sam see https://x.org/a?b=1 明日まで"),
            ["@sam", "see", "https://x.org/a?b=1", "明", "日", "ま", "で"]
        );
        assert_eq!(hash_word("@Sam"), hash_word("sam"));
    }

    #[test]
    fn any_text_is_read_without_panic() {
        for text in ["'", "''ll", "@", "@@a", "é’", "’ll", "http", "http://", "\u{0}\u{301}", "a\u{2019}"] {
            let _ = words(text);
        }
    }
}
