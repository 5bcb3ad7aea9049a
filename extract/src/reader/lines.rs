//! Lines of a text with their places, and what counts as blank.

/// A line without its terminator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextLine<'a> {
    /// First byte in the text.
    pub start: usize,
    /// The words.
    pub text: &'a str,
}

impl<'a> TextLine<'a> {
    /// One past the last byte in the text.
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// The line from a byte of its own on.
    pub fn from(&self, offset: usize) -> Self {
        Self { start: self.start + offset, text: self.text.get(offset..).unwrap_or_default() }
    }

    /// The line without white space around it.
    pub fn trimmed(&self) -> Self {
        let text = self.text.trim_end_matches(is_space);
        let inner = text.trim_start_matches(is_space);
        Self { start: self.start + text.len() - inner.len(), text: inner }
    }

    /// Whether nothing on it can be seen.
    pub fn is_blank(&self) -> bool {
        self.text.chars().all(is_space)
    }

    /// Bytes of white space before the first word.
    pub fn indent(&self) -> usize {
        self.text.len() - self.text.trim_start_matches(is_space).len()
    }
}

/// White space, and characters that have no width.
pub fn is_space(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{ad}')
}

/// The lines of a text from a byte on; `\n` and `\r\n` end a line.
pub fn lines(source: &str, from: usize) -> impl Iterator<Item = TextLine<'_>> {
    let mut start = from;
    source.get(from..).unwrap_or_default().split_inclusive('\n').map(move |whole| {
        let text = whole.strip_suffix('\n').unwrap_or(whole);
        let line = TextLine { start, text: text.strip_suffix('\r').unwrap_or(text) };
        start += whole.len();
        line
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_know_their_places_across_both_line_ends() {
        let found: Vec<_> = lines("a\r\nbc\n\nd", 0).map(|line| (line.start, line.text)).collect();
        assert_eq!(found, [(0, "a"), (3, "bc"), (6, ""), (7, "d")]);
    }

    #[test]
    fn characters_without_width_are_blank() {
        assert!(TextLine { start: 0, text: " \u{200b}\u{feff}\t" }.is_blank());
        assert_eq!(TextLine { start: 4, text: "\u{200b} x " }.trimmed(), TextLine { start: 8, text: "x" });
    }
}
