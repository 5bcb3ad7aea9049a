//! The words of an utterance as one clean string, and the way back from each of its bytes to the text as submitted.
//!
//! A reader leaves things out (numbers of captions, `> ` prefixes, line ends of wrapped paragraphs) and decodes others (JSON
//! escapes). What is left is cut into pieces that lie end to end both in the words and in the source: a piece of equal
//! length on both sides is mapped byte by byte, any other (an escape, a gap) is mapped as a whole.

use std::borrow::Cow;
use std::ops::Range;

/// Words with their place in the text that they come from.
#[derive(Clone, Debug, PartialEq)]
pub struct Text<'a> {
    source: &'a str,
    words: Cow<'a, str>,
    /// Where each piece begins, and at last where the last one ends. Empty where the words are one slice of the source.
    stops: Vec<Stop>,
    start: usize,
}

/// A border between two pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stop {
    words: usize,
    source: usize,
}

impl<'a> Text<'a> {
    /// The words of one slice of the source. The range must be within it and on character boundaries.
    pub fn slice(source: &'a str, range: Range<usize>) -> Self {
        let words = source.get(range.clone()).unwrap_or_default();
        Self { source, words: Cow::Borrowed(words), stops: Vec::new(), start: range.start }
    }

    /// The words in one piece; their places are those of the source.
    pub fn as_str(&self) -> &str {
        &self.words
    }

    /// The whole range of the source that the words come from.
    pub fn whole(&self) -> Range<usize> {
        self.source_range(0..self.words.len())
    }

    /// The range of the source that gave a range of the words: one piece, verbatim, on character boundaries.
    pub fn source_range(&self, range: Range<usize>) -> Range<usize> {
        let length = self.words.len();
        let (first, last) = (range.start.min(length), range.end.min(length));
        if self.stops.is_empty() {
            return self.start + first..self.start + last.max(first);
        }
        let start = self.source_start(first);
        start..self.source_end(last).max(start)
    }

    /// The words of the source that gave a range of the words.
    pub fn quote(&self, range: Range<usize>) -> &'a str {
        self.source.get(self.source_range(range)).unwrap_or_default()
    }

    /// The ranges of the source that gave a range of the words, one for each line of the source.
    pub fn lines(&self, range: Range<usize>) -> Vec<Range<usize>> {
        let mut lines: Vec<Range<usize>> = Vec::new();
        for piece in self.pieces(range) {
            for slice in split_lines(self.source, piece) {
                match lines.last_mut() {
                    Some(last) if last.end == slice.start && !self.breaks_before(slice.start) => last.end = slice.end,
                    _ => lines.push(slice),
                }
            }
        }
        lines.retain_mut(|line| trim(self.source, line));
        lines
    }

    /// Whether the byte before this one ends a line of the source.
    fn breaks_before(&self, at: usize) -> bool {
        at.checked_sub(1).and_then(|before| self.source.as_bytes().get(before)) == Some(&b'\n')
    }

    /// The source ranges of the pieces under a range of the words, without gaps that hold a line end.
    fn pieces(&self, range: Range<usize>) -> Vec<Range<usize>> {
        if self.stops.is_empty() {
            return vec![self.source_range(range)];
        }
        let first = self.piece_of(range.start);
        let under = self.stops.windows(2).skip(first).take_while(|pair| pair[0].words < range.end);
        let ranges = under.filter_map(|pair| {
            let words = pair[0].words.max(range.start)..pair[1].words.min(range.end);
            let linear = pair[1].words - pair[0].words == pair[1].source - pair[0].source;
            let whole = pair[0].source..pair[1].source;
            let gap = !linear && self.source.get(whole.clone()).is_some_and(|gap| gap.contains('\n'));
            (!gap).then(|| if linear { self.source_range(words) } else { whole })
        });
        ranges.collect()
    }

    /// The last piece that begins at or before a byte of the words.
    fn piece_of(&self, at: usize) -> usize {
        self.stops.partition_point(|stop| stop.words <= at).saturating_sub(1).min(self.stops.len() - 2)
    }

    fn source_start(&self, at: usize) -> usize {
        let (from, to) = self.piece(self.piece_of(at));
        if to.words - from.words == to.source - from.source { from.source + (at - from.words) } else { from.source }
    }

    fn source_end(&self, at: usize) -> usize {
        let piece = self.stops.partition_point(|stop| stop.words < at).saturating_sub(1).min(self.stops.len() - 2);
        let (from, to) = self.piece(piece);
        match at - from.words {
            0 => from.source,
            into if to.words - from.words == to.source - from.source => from.source + into,
            _ => to.source,
        }
    }

    fn piece(&self, index: usize) -> (Stop, Stop) {
        (self.stops[index], self.stops[index + 1])
    }
}

/// A range of the source cut at its line ends, which are left out.
fn split_lines(source: &str, range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut start = range.start;
    source.get(range).unwrap_or_default().split('\n').map(move |line| {
        let slice = start..start + line.len();
        start = slice.end + 1;
        slice
    })
}

/// Narrows a range to what can be seen; says whether anything is left.
pub fn trim(source: &str, range: &mut Range<usize>) -> bool {
    let text = source.get(range.clone()).unwrap_or_default();
    range.end = range.start + text.trim_end().len();
    range.start += text.len() - text.trim_start().len();
    range.start < range.end
}

/// Puts the words of an utterance together, piece by piece, in the order of the source.
#[derive(Clone, Debug)]
pub struct Builder<'a> {
    source: &'a str,
    /// The words, once they are no longer one slice of the source.
    words: Option<String>,
    stops: Vec<Stop>,
}

impl<'a> Builder<'a> {
    /// An empty text of that source.
    pub fn new(source: &'a str) -> Self {
        Self { source, words: None, stops: Vec::new() }
    }

    /// Whether nothing was added yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of the words so far.
    pub fn len(&self) -> usize {
        self.stops.last().map_or(0, |stop| stop.words)
    }

    /// One past the last source byte so far.
    pub fn end(&self) -> usize {
        self.stops.last().map_or(0, |stop| stop.source)
    }

    /// The words so far.
    pub fn as_str(&self) -> &str {
        self.words.as_deref().unwrap_or_else(|| self.source.get(self.range()).unwrap_or_default())
    }

    /// Where the pieces so far come from.
    fn range(&self) -> Range<usize> {
        self.stops.first().map_or(0, |stop| stop.source)..self.end()
    }

    /// Adds a slice of the source as it is, after `joint` where something stands already.
    pub fn slice(&mut self, range: Range<usize>, joint: char) {
        if range.is_empty() {
            return;
        }
        if !self.is_empty() {
            self.gap(range.start, joint);
        }
        self.verbatim(range);
    }

    /// Adds a slice of the source that follows the last piece directly.
    pub fn verbatim(&mut self, range: Range<usize>) {
        let words = self.source.get(range.clone()).unwrap_or_default();
        if let Some(own) = &mut self.words {
            own.push_str(words);
        }
        if !words.is_empty() {
            self.piece(words.len(), range);
        }
    }

    /// Adds a character that stands for a range of the source, such as an escape.
    pub fn decoded(&mut self, character: char, range: Range<usize>) {
        self.own().push(character);
        self.piece(character.len_utf8(), range);
    }

    /// The words as they are now.
    pub fn finish(self) -> Text<'a> {
        let range = self.range();
        match self.words {
            None => Text::slice(self.source, range),
            Some(words) => {
                Text { source: self.source, words: Cow::Owned(words), start: range.start, stops: self.stops }
            }
        }
    }

    /// Goes on at a byte of the source after `joint`, where something stands already.
    pub fn bridge(&mut self, to: usize, joint: char) {
        if !self.is_empty() {
            self.gap(to, joint);
        }
    }

    /// Leaves out what lies between the last piece and a byte of the source.
    pub fn skip(&mut self, to: usize) {
        if !self.is_empty() && to > self.end() {
            self.own();
            self.piece(0, self.end()..to);
        }
    }

    /// Bridges what lies between the last piece and the next.
    fn gap(&mut self, to: usize, joint: char) {
        let range = self.end()..to;
        let mut bytes = [0; 4];
        let same = self.source.get(range.clone()) == Some(&*joint.encode_utf8(&mut bytes));
        if !same || self.words.is_some() {
            self.own().push(joint);
        }
        self.piece(joint.len_utf8(), range);
    }

    fn own(&mut self) -> &mut String {
        if self.words.is_none() {
            self.words = Some(self.as_str().to_owned());
        }
        self.words.get_or_insert_default()
    }

    fn piece(&mut self, length: usize, range: Range<usize>) {
        let first = Stop { words: 0, source: range.start };
        if self.stops.is_empty() {
            self.stops.push(first);
        }
        let next = Stop { words: self.len() + length, source: range.end };
        let count = self.stops.len();
        let linear = |from: Stop, to: Stop| to.words - from.words == to.source - from.source;
        let (last, before) = (self.stops[count - 1], count.checked_sub(2).map(|index| self.stops[index]));
        match before {
            Some(before) if linear(before, last) && linear(last, next) => self.stops[count - 1] = next,
            _ => self.stops.push(next),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_slice_is_borrowed_and_maps_straight() {
        let text = Text::slice("ab cde", 3..6);
        assert_eq!((text.as_str(), text.source_range(1..2), text.whole()), ("cde", 4..5, 3..6));
    }

    #[test]
    fn wrapped_lines_are_one_string_and_each_line_finds_its_place() {
        let source = "> send the\n> plan today";
        let mut builder = Builder::new(source);
        builder.slice(2..10, ' ');
        builder.slice(13..23, ' ');
        let text = builder.finish();
        assert_eq!(text.as_str(), "send the plan today");
        assert_eq!(text.quote(5..13), "the\n> plan");
        assert_eq!(text.lines(5..13), [7..10, 13..17]);
        assert_eq!(text.quote(9..13), "plan");
        assert_eq!(text.quote(0..8), "send the");
    }

    #[test]
    fn a_line_end_between_two_lines_is_kept_without_a_copy() {
        let source = "one\ntwo";
        let mut builder = Builder::new(source);
        builder.slice(0..3, '\n');
        builder.slice(4..7, '\n');
        let text = builder.finish();
        assert!(matches!(text.words, Cow::Borrowed("one\ntwo")));
        assert_eq!(text.lines(0..7), [0..3, 4..7]);
    }

    #[test]
    fn a_joined_line_end_of_one_byte_still_separates_lines() {
        let source = "one\ntwo";
        let mut builder = Builder::new(source);
        builder.slice(0..3, ' ');
        builder.slice(4..7, ' ');
        let text = builder.finish();
        assert_eq!(text.as_str(), "one two");
        assert_eq!(text.lines(1..6), [1..3, 4..6]);
    }

    #[test]
    fn an_escape_is_mapped_as_a_whole() {
        let source = r#"a\"b\u00e9c"#;
        let mut builder = Builder::new(source);
        builder.slice(0..1, ' ');
        builder.decoded('"', 1..3);
        builder.verbatim(3..4);
        builder.decoded('é', 4..10);
        builder.verbatim(10..11);
        let text = builder.finish();
        assert_eq!(text.as_str(), "a\"béc");
        assert_eq!(text.quote(1..2), r#"\""#);
        assert_eq!(text.quote(2..5), r"b\u00e9");
        assert_eq!(text.quote(3..6), r"\u00e9c");
        assert_eq!(text.lines(0..6), vec![0..source.len()]);
    }
}
