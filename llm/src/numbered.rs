//! A text as a model is shown it: numbered lines with speaker and time, and the way back from words to their place.

use crate::find::FoldedText;
use gleaner_extract::{
    Context, Document, Quote,
    people::Roster,
    reader::{Kind, Transcript, Utterance, read},
};
use std::ops::Range;

/// Longest line, in bytes: what one person says in one breath stays whole, a text without line ends does not.
const MAX_LINE_BYTES: usize = 1200;
/// Seconds after which the time is shown again.
const TIME_EVERY_SECONDS: f64 = 300.0;
/// Longest quote, in characters.
const MAX_QUOTE: usize = 400;

/// A text in lines.
#[derive(Debug)]
pub struct NumberedText<'a> {
    transcript: Transcript<'a>,
    roster: Roster,
    lines: Vec<NumberedLine>,
    folded: FoldedText,
}

/// One line: a stretch of one utterance.
#[derive(Clone, Debug)]
struct NumberedLine {
    utterance: usize,
    /// Its bytes of the utterance's words.
    words: Range<usize>,
    shown: String,
}

impl<'a> NumberedText<'a> {
    /// Numbers the lines of a text, as the model is shown it.
    #[must_use]
    pub fn read(document: &Document<'a>, context: &Context) -> Self {
        let transcript = read(document);
        let roster = Roster::of(&transcript, context);
        let mut lines = Vec::new();
        let (mut folded, mut clock) = (FoldedText::default(), f64::NEG_INFINITY);
        for (number, utterance) in transcript.utterances.iter().enumerate() {
            for words in cut(utterance.text.as_str(), MAX_LINE_BYTES) {
                let time = utterance.time_at(words.start).filter(|time| *time >= clock + TIME_EVERY_SECONDS);
                clock = time.unwrap_or(clock);
                let text = &utterance.text.as_str()[words.clone()];
                folded.line(text);
                lines.push(NumberedLine { utterance: number, shown: shown(utterance, text, time), words });
            }
        }
        Self { transcript, roster, lines, folded }
    }

    /// How many lines there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether nothing can be seen in the text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// A line as it is shown, without its number.
    #[must_use]
    pub fn line(&self, line: usize) -> &str {
        self.lines.get(line).map_or("", |line| &line.shown)
    }

    /// The line of the source that a place stands in.
    #[must_use]
    pub fn source_line(&self, place: &QuoteSpan) -> &'a str {
        let source = self.transcript.source;
        let start = source.get(..place.range.start).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
        let rest = source.get(start..).unwrap_or_default();
        rest.lines().next().unwrap_or_default()
    }

    /// The words of a range of lines.
    #[must_use]
    pub fn words(&self, lines: Range<usize>) -> String {
        let lines = self.lines.get(lines.start.min(self.lines.len())..lines.end.min(self.lines.len()));
        lines.unwrap_or_default().iter().map(|line| line.shown.as_str()).collect::<Vec<_>>().join("\n")
    }

    /// The people of the text.
    #[must_use]
    pub fn people(&self) -> &Roster {
        &self.roster
    }

    /// The text as it was taken apart.
    #[must_use]
    pub fn transcript(&self) -> &Transcript<'a> {
        &self.transcript
    }

    /// The words as they stand at or near a line, or else at the only place where they stand at all: one quote for each
    /// line of the source. White space, case and typographic marks may differ, nothing else.
    #[must_use]
    pub fn find(&self, line: usize, words: &str) -> Vec<QuoteSpan> {
        let Some(found) = self.folded.near(line, words) else { return Vec::new() };
        found.into_iter().flat_map(|(line, words)| self.places(line, words)).collect()
    }

    /// Whether these words stand anywhere.
    #[must_use]
    pub fn speaks_of(&self, words: &str) -> bool {
        self.folded.holds(words)
    }

    fn places(&self, number: usize, words: Range<usize>) -> Vec<QuoteSpan> {
        let Some(line) = self.lines.get(number) else { return Vec::new() };
        let utterance = &self.transcript.utterances[line.utterance];
        let words = line.words.start + words.start..line.words.start + words.end;
        let at_s = utterance.time_at(words.start);
        let ranges = utterance.text.lines(words).into_iter();
        let place = |range: Range<usize>| QuoteSpan {
            line: number,
            range: clipped(self.transcript.source, range),
            speaker: utterance.speaker.as_ref().map(ToString::to_string),
            at_s,
        };
        ranges.map(place).collect()
    }
}

/// Where words stand in the source.
#[derive(Clone, Debug, PartialEq)]
pub struct QuoteSpan {
    /// The line.
    pub line: usize,
    /// Bytes of the source.
    pub range: Range<usize>,
    /// Who said them.
    pub speaker: Option<String>,
    /// Seconds into the recording.
    pub at_s: Option<f64>,
}

/// Turns places into quotes; offsets are counted in one pass.
#[must_use]
pub fn quotes(source: &str, places: Vec<QuoteSpan>) -> Vec<Quote> {
    let mut ordered = places;
    ordered.sort_by_key(|place| place.range.start);
    ordered.dedup_by(|later, earlier| later.range == earlier.range);
    let (mut byte, mut scalar) = (0, 0);
    let quote = |place: QuoteSpan| {
        scalar += source.get(byte..place.range.start).map_or(0, |between| between.chars().count());
        byte = place.range.start;
        let text = source.get(place.range)?.to_owned();
        let end = scalar + text.chars().count();
        Some(Quote { start: scalar, end, speaker: place.speaker, at_s: place.at_s, text })
    };
    ordered.into_iter().filter_map(quote).collect()
}

fn clipped(source: &str, range: Range<usize>) -> Range<usize> {
    let text = source.get(range.clone()).unwrap_or_default();
    let end = text.char_indices().nth(MAX_QUOTE).map_or(range.end, |(at, _)| range.start + at);
    range.start..end
}

/// Cuts words into stretches of at most so many bytes, where possible after a sentence or between words.
fn cut(words: &str, most: usize) -> Vec<Range<usize>> {
    let (mut stretches, mut start) = (Vec::new(), 0);
    while words.len() - start > most {
        let mut end = start + most;
        while !words.is_char_boundary(end) {
            end -= 1;
        }
        let window = &words[start..end];
        let sentence = window.rfind(['.', '?', '!', '\n']).filter(|at| *at > most / 2).map(|at| at + 1);
        let word = || window.rfind(char::is_whitespace).filter(|at| *at > 0);
        let end = sentence.or_else(word).map_or(end, |at| start + at);
        stretches.push(start..end);
        start = end;
    }
    stretches.push(start..words.len());
    stretches.retain(|range| words[range.clone()].chars().any(char::is_alphanumeric));
    stretches
}

fn shown(utterance: &Utterance<'_>, text: &str, time: Option<f64>) -> String {
    let mut shown = String::with_capacity(text.len() + 24);
    if let Some(time) = time {
        let seconds = time.max(0.0) as u64;
        shown.push_str(&format!("[{}:{:02}] ", seconds / 60, seconds % 60));
    }
    for _ in 0..utterance.quoted.min(4) {
        shown.push_str("> ");
    }
    if let (Some(speaker), false) = (&utterance.speaker, utterance.kind == Kind::Header) {
        shown.push_str(&visible(speaker));
        shown.push_str(": ");
    }
    shown.push_str(match utterance.kind {
        Kind::Heading(_) => "# ",
        Kind::Bullet => "- ",
        Kind::CheckBox { done: false } => "- [ ] ",
        Kind::CheckBox { done: true } => "- [x] ",
        _ => "",
    });
    // Whom the form of an entry gives it to stands apart from its words: in another cell, in a heading.
    if let Some(owner) = utterance.assigned.filter(|owner| !owner.is_empty()) {
        shown.push_str(&visible(owner));
        shown.push_str(": ");
    }
    shown.push_str(&visible(text));
    shown
}

/// Words on one line, without characters that cannot be seen.
pub(crate) fn visible(text: &str) -> String {
    let hidden = |one: char| {
        matches!(one, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{ad}'
            | '\u{e0000}'..='\u{e007f}' | '\u{fe00}'..='\u{fe0f}')
    };
    let mut line = String::with_capacity(text.len());
    for one in text.chars().filter(|one| !hidden(*one)) {
        let one = if one.is_whitespace() || one.is_control() { ' ' } else { one };
        if one != ' ' || !line.ends_with(' ') {
            line.push(one);
        }
    }
    line.trim().to_owned()
}
