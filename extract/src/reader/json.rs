//! Turns as JSON, whatever the fields are called. Places lead into the JSON as submitted, through its escapes.

use std::borrow::Cow;
use std::ops::Range;

use super::lines::is_space;
use super::text::{Builder, Text};
use super::timecode::clock;
use super::{Format, Kind, Transcript, Utterance};
use crate::word_list::WordList;

/// Deepest nesting that is read; anything deeper is no list of turns.
const DEEPEST: usize = 32;

/// What the members of a turn are called, in lower case: who speaks, the words, the time.
static SPEAKERS: WordList = WordList::of(
    "speaker speaker_name speakername name author user username user_name sender from participant who display_name \
    displayname real_name full_name fullname speaker_label speakerlabel speaker_id actor role nick user_profile profile",
);
static WORDS: WordList = WordList::of(
    "text message content body transcript sentence utterance value caption transcription msg line said raw_text \
    display",
);
static TIMES: WordList = WordList::of(
    "start start_time starttime t ts time timestamp offset begin at start_s start_ms startms start_timestamp offset_s \
    seconds at_s",
);
/// What lists of single words are called.
static PIECES: WordList = WordList::of("words tokens alternatives");
/// What one of them is called.
static PIECE: WordList = WordList::of("text word punctuated_word value content transcript");
/// Seconds a byte of slow speech takes.
const SLOWEST: f64 = 6.0;
/// Largest number of seconds that is a time into a recording, and no time of day since some epoch.
const LONGEST_S: f64 = 400_000.0;

/// Reads JSON; `None` where the text is not JSON or holds no turns.
pub fn read(source: &str) -> Option<Transcript<'_>> {
    let start = source.find(|character| !is_space(character))?;
    let bytes = source.as_bytes();
    let next = bytes[start + 1..].iter().find(|byte| !byte.is_ascii_whitespace())?;
    let opens = matches!((bytes[start], next), (b'{', b'"') | (b'[', b'{' | b'['));
    let mut reader = JsonReader { source, at: start, frames: Vec::new(), done: Vec::new() };
    if !opens || reader.values().is_none() || reader.done.is_empty() {
        return None;
    }
    milliseconds(&mut reader.done);
    Some(Transcript {
        source,
        format: Format::Json,
        utterances: reader.done,
        envelopes: Vec::new(),
        attendees: Vec::new(),
        unread: false,
    })
}

/// Makes times seconds where they count thousandths: where nobody could have spoken so slowly.
fn milliseconds(utterances: &mut [Utterance<'_>]) {
    let latest = utterances.iter().filter_map(|one| one.at_s).fold(0.0, f64::max);
    let whole = utterances.iter().filter_map(|one| one.at_s).all(|at_s| at_s.fract() == 0.0);
    let bytes: usize = utterances.iter().map(|one| one.text.as_str().len()).sum();
    if whole && latest > 600.0 && latest > SLOWEST * bytes as f64 {
        for one in utterances {
            one.at_s = one.at_s.map(|at_s| at_s / 1000.0);
        }
    }
}

/// Whether a name is but the number of an account: "U02OLU".
fn is_number_of(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
    name.bytes().all(plain) && name.bytes().any(|byte| byte.is_ascii_digit())
}

/// A sender without the address behind the name.
fn without_address(name: Cow<'_, str>) -> Cow<'_, str> {
    match name.find('<').filter(|at| *at > 0 && name.ends_with('>') && name.contains('@')) {
        Some(at) => Cow::Owned(name[..at].trim_end().to_owned()),
        None => name,
    }
}

/// What is known of an object or list that is open.
#[derive(Default)]
struct OpenContainer {
    list: bool,
    key: Option<Range<usize>>,
    speaker: Option<Range<usize>>,
    words: Option<Range<usize>>,
    at_s: Option<f64>,
    /// Whether it stands under `words`: pieces of the utterance above, not utterances.
    pieces: bool,
    /// Its pieces, where it has no words of its own.
    parts: Vec<Range<usize>>,
    /// Utterances that there were before it.
    first: usize,
}

struct JsonReader<'a> {
    source: &'a str,
    at: usize,
    frames: Vec<OpenContainer>,
    done: Vec<Utterance<'a>>,
}

impl<'a> JsonReader<'a> {
    /// Reads all values to the end of the text; several after each other are JSON lines.
    fn values(&mut self) -> Option<()> {
        loop {
            self.space();
            let Some(&byte) = self.source.as_bytes().get(self.at) else { break };
            match byte {
                b'{' | b'[' => self.open(byte == b'[')?,
                b'}' | b']' => self.shut(byte == b']')?,
                b',' => self.at += 1,
                b'"' => self.string()?,
                _ => self.scalar()?,
            }
        }
        self.frames.is_empty().then_some(())
    }

    fn space(&mut self) {
        let bytes = self.source.as_bytes();
        self.at += bytes[self.at..].iter().take_while(|byte| matches!(byte, b' ' | b'\n' | b'\r' | b'\t')).count();
        while self.source[self.at..].starts_with('\u{feff}') {
            self.at += 3;
        }
    }

    fn open(&mut self, list: bool) -> Option<()> {
        let above = self.frames.last();
        let key = above.and_then(|frame| frame.key.clone());
        let under_words = key.as_ref().is_some_and(|key| PIECES.has(&self.name(key)));
        let pieces = under_words || above.is_some_and(|frame| frame.pieces);
        let inherited = if list { key } else { None };
        self.at += 1;
        self.frames.push(OpenContainer {
            list,
            key: inherited,
            pieces,
            first: self.done.len(),
            ..OpenContainer::default()
        });
        (self.frames.len() <= DEEPEST).then_some(())
    }

    fn shut(&mut self, list: bool) -> Option<()> {
        let frame = self.frames.pop().filter(|frame| frame.list == list)?;
        self.at += 1;
        if frame.list || frame.pieces {
            return Some(());
        }
        let words = match &frame.words {
            Some(words) => std::slice::from_ref(words),
            None => frame.parts.as_slice(),
        };
        if words.is_empty() {
            self.hand_up(frame);
        } else {
            self.utterance(&frame, words);
        }
        Some(())
    }

    /// An object without words may be the speaker of the one that holds it.
    fn hand_up(&mut self, frame: OpenContainer) {
        let Some(key) = self.frames.last().and_then(|above| above.key.clone()) else { return };
        let speaks = SPEAKERS.has(&self.name(&key));
        let source = self.source;
        if let (true, Some(above)) = (speaks, self.frames.last_mut()) {
            let named =
                above.speaker.take().filter(|name| !is_number_of(&source[name.clone()]) || frame.speaker.is_none());
            above.speaker = named.or(frame.speaker);
        }
    }

    /// Adds what an object says where it stands among the objects within it; a summary of theirs is left out.
    fn utterance(&mut self, frame: &OpenContainer, words: &[Range<usize>]) {
        let mut text = Builder::new(self.source);
        for part in words {
            text.bridge(part.start, ' ');
            decode(self.source, part.clone(), &mut text);
        }
        let text = if words.len() == 1 { trimmed(self.source, text) } else { text.finish() };
        let within = &self.done[frame.first..];
        // One after another, and most of it: a reply "ok" stands in "book the hall" too, which is no summary.
        let said: usize = within.iter().map(|one| one.text.as_str().len()).sum();
        let mut rest = text.as_str();
        let repeats = !within.is_empty()
            && 2 * said >= rest.len()
            && within.iter().all(|one| {
                rest.split_once(one.text.as_str()).is_some_and(|(_, behind)| {
                    rest = behind;
                    true
                })
            });
        if text.as_str().chars().all(is_space) || repeats || (words.len() > 1 && !within.is_empty()) {
            return;
        }
        let place = frame.first + within.partition_point(|one| one.text.whole().start < text.whole().start);
        let mut utterance = Utterance::new(Kind::Speech, text);
        let speaker = frame.speaker.clone().map(|range| without_address(self.value(range)));
        utterance.speaker = speaker.filter(|name| !name.trim().is_empty());
        utterance.at_s = frame.at_s.filter(|at_s| (0.0..LONGEST_S).contains(at_s));
        self.done.insert(place, utterance);
    }

    /// A string: a key where a colon follows, a value otherwise.
    fn string(&mut self) -> Option<()> {
        let start = self.at + 1;
        let length = string_length(self.source.as_bytes().get(start..)?)?;
        let range = start..start + length;
        self.at = range.end + 1;
        self.space();
        let colon = self.source.as_bytes().get(self.at) == Some(&b':');
        let frame = self.frames.last_mut()?;
        if colon && !frame.list {
            frame.key = Some(range);
            self.at += 1;
        } else {
            self.member(range, true);
        }
        Some(())
    }

    /// A number, `true`, `false` or `null`.
    fn scalar(&mut self) -> Option<()> {
        let rest = &self.source.as_bytes()[self.at..];
        let plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.');
        let length = rest.iter().take(40).take_while(|byte| plain(byte)).count();
        if length == 0 {
            return None;
        }
        let range = self.at..self.at + length;
        self.at = range.end;
        let word = &self.source[range.clone()];
        let number = word.parse::<f64>().is_ok();
        if number {
            self.member(range, false);
        }
        (number || matches!(word, "true" | "false" | "null")).then_some(())
    }

    fn member(&mut self, value: Range<usize>, text: bool) {
        let Some(key) = self.frames.last().filter(|frame| !frame.list).and_then(|frame| frame.key.clone()) else {
            return;
        };
        let name = self.name(&key).into_owned();
        if text && self.frames.last().is_some_and(|frame| frame.pieces) {
            self.piece(&name, value);
            return;
        }
        let at_s = TIMES.has(&name).then(|| seconds(&self.source[value.clone()], &name)).flatten();
        let rank = |names: &WordList, held: Option<&Range<usize>>| names.has(&name) && held.is_none();
        let Some(frame) = self.frames.last_mut() else { return };
        if at_s.is_some() {
            frame.at_s = frame.at_s.or(at_s);
        } else if text && rank(&WORDS, frame.words.as_ref()) {
            frame.words = Some(value);
        } else if rank(&SPEAKERS, frame.speaker.as_ref()) {
            frame.speaker = Some(value);
        }
    }

    /// One word of a list of words belongs to the object that holds the list.
    fn piece(&mut self, name: &str, value: Range<usize>) {
        let owner = self.frames.iter_mut().rev().find(|frame| !frame.pieces && !frame.list);
        if let Some(owner) = owner.filter(|_| PIECE.has(name)) {
            owner.parts.push(value);
        }
    }

    /// A key in lower case.
    fn name(&self, key: &Range<usize>) -> Cow<'a, str> {
        let key = self.source.get(key.clone()).unwrap_or_default();
        if key.bytes().any(|byte| byte.is_ascii_uppercase()) {
            Cow::Owned(key.to_ascii_lowercase())
        } else {
            Cow::Borrowed(key)
        }
    }

    fn value(&self, range: Range<usize>) -> Cow<'a, str> {
        let raw = self.source.get(range.clone()).unwrap_or_default();
        if !raw.contains('\\') {
            return Cow::Borrowed(raw);
        }
        let mut text = Builder::new(self.source);
        decode(self.source, range, &mut text);
        Cow::Owned(text.as_str().to_owned())
    }
}

/// Bytes up to the quote that ends a string.
fn string_length(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += bytes.get(at..)?.iter().position(|byte| matches!(byte, b'"' | b'\\'))?;
        if bytes[at] == b'"' {
            return Some(at);
        }
        at += 2;
    }
}

/// Seconds of a number or a time code; keys that end in `ms` count thousandths.
fn seconds(value: &str, key: &str) -> Option<f64> {
    let number = value.parse::<f64>().ok();
    let whole = number.map(|number| if key.ends_with("ms") { number / 1000.0 } else { number });
    whole.or_else(|| clock(value.trim()).map(|clock| clock.seconds))
}

/// Adds the contents of a string, escapes decoded.
fn decode<'a>(source: &'a str, range: Range<usize>, text: &mut Builder<'a>) {
    let mut at = range.start;
    while at < range.end {
        let rest = &source[at..range.end];
        let plain = rest.find('\\').unwrap_or(rest.len());
        text.verbatim(at..at + plain);
        at += plain;
        if at < range.end {
            let (character, length) = escape(&source[at..range.end]);
            text.decoded(character, at..at + length);
            at += length;
        }
    }
}

/// The character of an escape at the start of a text, and its bytes.
fn escape(text: &str) -> (char, usize) {
    let second = text[1..].chars().next().unwrap_or('\\');
    match second {
        'n' => ('\n', 2),
        't' => ('\t', 2),
        'r' => ('\r', 2),
        'b' | 'f' => (' ', 2),
        'u' => unicode(text),
        other => (other, (1 + other.len_utf8()).min(text.len())),
    }
}

/// `\u00e9`, or the two of a surrogate pair.
fn unicode(text: &str) -> (char, usize) {
    let unit = |at: usize| text.get(at..at + 4).and_then(|digits| u32::from_str_radix(digits, 16).ok());
    let Some(first) = unit(2) else { return (char::REPLACEMENT_CHARACTER, 2) };
    let second = text.get(6..8).filter(|next| *next == "\\u").and_then(|_| unit(8));
    match (first, second) {
        (0xd800..=0xdbff, Some(low @ 0xdc00..=0xdfff)) => {
            let code = 0x1_0000 + ((first - 0xd800) << 10) + (low - 0xdc00);
            (char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), 12)
        }
        _ => (char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER), 6),
    }
}

/// Finishes words; where they are one slice, white space around them goes.
fn trimmed<'a>(source: &'a str, text: Builder<'a>) -> Text<'a> {
    let text = text.finish();
    let words = text.as_str().trim();
    if words.len() == text.as_str().len() {
        return text;
    }
    let before = text.as_str().len() - text.as_str().trim_start().len();
    let range = text.source_range(before..before + words.len());
    let mut again = Builder::new(source);
    decode(source, range, &mut again);
    again.finish()
}
