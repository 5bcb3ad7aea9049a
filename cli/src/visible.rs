//! Text from transcripts and servers, fit for a terminal: what would steer the terminal is shown instead.

/// The text with its control characters as pictures (`␛`) or codes (`\u{9b}`); lines and tabs stay.
pub fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\t' => out.push(c),
            '\0'..='\x1f' => out.extend(char::from_u32(0x2400 + u32::from(c))),
            '\x7f' => out.push('\u{2421}'),
            // What turns the direction of writing makes one thing look like another.
            _ if c.is_control()
                || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}') =>
            {
                out.extend(c.escape_unicode());
            }
            c => out.push(c),
        }
    }
    out
}

/// A text that comes in pieces, which may break off within a character.
#[derive(Default)]
pub struct Utf8Pieces {
    rest: Vec<u8>,
}

impl Utf8Pieces {
    /// What can be shown of the next piece.
    pub fn next(&mut self, piece: &[u8]) -> String {
        self.rest.extend_from_slice(piece);
        let whole = match std::str::from_utf8(&self.rest) {
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            _ => self.rest.len(),
        };
        let text: Vec<u8> = self.rest.drain(..whole).collect();
        visible(&String::from_utf8_lossy(&text).replace("\r\n", "\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_in_pieces_is_shown_whole() {
        let text = "é \u{9b}2J 👩 \u{1b}[0m\r\nend";
        for cut in 1..9 {
            let mut shown = Utf8Pieces::default();
            let out: String = text.as_bytes().chunks(cut).map(|piece| shown.next(piece)).collect();
            let breaks = out.replace("␍\n", "\n");
            assert_eq!(breaks, "é \\u{9b}2J 👩 ␛[0m\nend", "{cut}");
        }
    }

    #[test]
    fn what_would_steer_a_terminal_is_shown() {
        assert_eq!(visible("\u{1b}]52;c;eA==\u{7}x"), "␛]52;c;eA==␇x");
        assert_eq!(visible("a\u{9b}2J\u{202e}b\r\u{7f}"), "a\\u{9b}2J\\u{202e}b␍␡");
        assert_eq!(visible("two\nlines\tand 日本 é 👩‍💻"), "two\nlines\tand 日本 é 👩‍💻");
    }
}
