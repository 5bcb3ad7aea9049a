//! Turns: transcripts and chats in which a head names who speaks, on the line of the words or on the line above.

use std::borrow::Cow;
use std::collections::HashMap;

use super::blocks::{self, LONGEST, listed_attendees, split_names};
use super::detect::is_speaker;
use super::head::{HeadLayout, Style, TurnHead, heads};
use super::lines::{TextLine, lines};
use super::text::{Builder, Text};
use super::timecode::{clock, stamp};
use super::{Format, Kind, Transcript, Utterance};

/// Least length in characters of a line that was wrapped.
const WRAPPED: usize = 60;
/// A first time from here on, in seconds, is a time of day and not into the recording.
const OF_DAY: f64 = 3600.0;

/// Reads a transcript in which a head with name or time begins each turn.
pub fn read(source: &str, format: Format) -> Transcript<'_> {
    let (heads, found) = Heads::of(source, format);
    let mut reader = TurnReader::new(source, heads);
    let mut heads = found.into_iter();
    for line in lines(source, 0).map(|line| line.trimmed()) {
        let head = if line.text.is_empty() { None } else { heads.next().flatten() };
        reader.line(line, head);
    }
    reader.close();
    if reader.done.iter().all(|utterance| utterance.kind == Kind::Header) {
        return blocks::prose(source);
    }
    count_from_start(&mut reader.done, format);
    Transcript { source, format, utterances: reader.done, envelopes: Vec::new(), attendees: reader.attendees }
}

/// Makes times of day seconds into the recording; a chat has none.
fn count_from_start(utterances: &mut [Utterance<'_>], format: Format) {
    let first = utterances.iter().find_map(|utterance| utterance.at_s).unwrap_or_default();
    let base = if first >= OF_DAY { first } else { 0.0 };
    for utterance in utterances {
        utterance.at_s = utterance.at_s.map(|at_s| at_s - base).filter(|at_s| format != Format::Chat && *at_s >= 0.0);
    }
}

/// Which heads a document uses.
struct Heads<'a> {
    format: Format,
    /// Each label, with whether it names a speaker.
    labels: HashMap<&'a str, bool>,
    shape: Option<HeadLayout>,
    timed: bool,
}

impl<'a> Heads<'a> {
    /// The heads of a text, and those of each of its lines that has words.
    fn of(source: &'a str, format: Format) -> (Self, Vec<Option<TurnHead<'a>>>) {
        let texts: Vec<&str> =
            lines(source, 0).map(|line| line.trimmed().text).filter(|text| !text.is_empty()).collect();
        let found = heads(&texts);
        let mut labels: HashMap<&str, usize> = HashMap::new();
        let mut shapes: HashMap<HeadLayout, usize> = HashMap::new();
        let (mut timed, mut plain) = (0_usize, 0_usize);
        for head in found.iter().flatten() {
            match head.style {
                Style::Colon => plain += 1,
                Style::TimedColon | Style::DatedColon | Style::Angle => timed += 1,
                Style::NameTime => *shapes.entry(head.shape).or_default() += 1,
                Style::BracketName | Style::ChatFrom | Style::Time | Style::TimeBelow => {}
            }
            *labels.entry(head.speaker).or_default() += 1;
        }
        let shape = shapes.into_iter().max_by_key(|(shape, count)| (*count, shape.bracketed, shape.wide, shape.of_day));
        let labels = labels.into_iter().map(|(label, count)| (label, is_speaker(label, count))).collect();
        (Self { format, labels, shape: shape.map(|shape| shape.0), timed: timed >= plain }, found)
    }

    /// Whether a head opens a turn here.
    fn accepts(&self, head: &TurnHead<'_>) -> bool {
        let speaks = self.labels.get(head.speaker).copied().unwrap_or_default();
        match (self.format, head.style) {
            (_, Style::TimeBelow) => true,
            (_, Style::Time) => matches!(self.format, Format::Meet | Format::Plain),
            (Format::Plain, Style::Colon) => !self.timed && speaks,
            (Format::Meet, Style::Colon | Style::TimedColon) => speaks,
            (Format::Plain | Format::Chat, Style::TimedColon | Style::DatedColon | Style::Angle) => self.timed,
            (Format::Zoom, style) => matches!(style, Style::BracketName | Style::ChatFrom),
            (Format::Otter | Format::Chat, Style::NameTime) => {
                let marked = head.shape.bracketed || head.shape.wide || head.shape.of_day;
                Some(head.shape) == self.shape && (marked || speaks)
            }
            _ => false,
        }
    }
}

struct TurnReader<'a> {
    source: &'a str,
    heads: Heads<'a>,
    done: Vec<Utterance<'a>>,
    attendees: Vec<&'a str>,
    /// The turn that is open, and its words.
    open: Option<(Utterance<'a>, Builder<'a>)>,
    /// The last line, where it stood after a blank one and may not belong to the turn.
    apart: Option<TextLine<'a>>,
    /// Time that a line of its own gave to what follows.
    time: Option<f64>,
    blank: bool,
    wrapped: bool,
    /// Whether the next line lists who took part.
    listing: bool,
}

impl<'a> TurnReader<'a> {
    fn new(source: &'a str, heads: Heads<'a>) -> Self {
        Self {
            source,
            heads,
            done: Vec::new(),
            attendees: Vec::new(),
            open: None,
            apart: None,
            time: None,
            blank: false,
            wrapped: false,
            listing: false,
        }
    }

    /// Reads a line without white space around it, and its head if it has one.
    fn line(&mut self, line: TextLine<'a>, head: Option<TurnHead<'a>>) {
        if line.text.is_empty() {
            self.blank = true;
            return;
        }
        let titled = self.heads.format == Format::Meet && self.open.is_none() && self.time.is_none();
        match head.filter(|head| self.heads.accepts(head) && (!titled || head.style == Style::Time)) {
            Some(head) => self.head(line, head),
            None => self.words(line),
        }
        self.blank = false;
    }

    fn head(&mut self, line: TextLine<'a>, head: TurnHead<'a>) {
        if head.style == Style::TimeBelow {
            return;
        }
        let apart = self.apart.take();
        if apart.is_some_and(|apart| !is_date(apart.text)) {
            self.add(apart);
        }
        self.close();
        if let Some(date) = apart.filter(|apart| is_date(apart.text)) {
            self.header(date);
        }
        let time = head.clock.map(|clock| clock.seconds);
        if head.style == Style::Time {
            self.time = time;
            return;
        }
        let kind = if self.is_chat(&head) { Kind::Chat } else { Kind::Speech };
        let mut turn = Utterance::new(kind, Text::slice(self.source, 0..0));
        turn.speaker = Some(Cow::Borrowed(head.speaker));
        turn.at_s = time.or_else(|| self.time.take());
        self.open = Some((turn, Builder::new(self.source)));
        self.wrapped = false;
        let body = line.from(head.body);
        let code = clock(body.text).filter(|clock| clock.length == body.text.len());
        match (code, &mut self.open) {
            (Some(code), Some((turn, _))) => turn.at_s = turn.at_s.or(Some(code.seconds)),
            _ if body.text.is_empty() => {}
            _ => self.append(body),
        }
    }

    fn is_chat(&self, head: &TurnHead<'_>) -> bool {
        self.heads.format == Format::Chat || head.style == Style::ChatFrom
    }

    fn words(&mut self, line: TextLine<'a>) {
        let system = self.heads.format == Format::Chat && stamp(line.text).is_some_and(|stamp| stamp.dated);
        if self.open.is_none() || system {
            self.close();
            self.header(line);
            return;
        }
        let pending = self.apart.take();
        self.add(pending);
        if self.blank {
            self.apart = Some(line);
        } else {
            self.add(Some(line));
        }
    }

    fn add(&mut self, line: Option<TextLine<'a>>) {
        let wordy = self.open.as_ref().is_some_and(|open| !open.1.is_empty());
        let chat = self.heads.format == Format::Chat;
        if let Some(line) = line.filter(|line| !(chat && wordy && is_reaction(line.text))) {
            self.append(line);
        }
    }

    fn append(&mut self, line: TextLine<'a>) {
        if self.open.as_ref().is_some_and(|open| open.1.len() > LONGEST) {
            self.split();
        }
        let joint = if self.wrapped && !self.blank { ' ' } else { '\n' };
        if let Some((_, words)) = &mut self.open {
            words.slice(line.start..line.end(), joint);
        }
        let letters = line.text.bytes().filter(|byte| byte & 0xc0 != 0x80).count();
        self.wrapped = letters > WRAPPED;
    }

    /// Goes on with an utterance of the same speaker.
    fn split(&mut self) {
        let turn = self.open.as_ref().map(|open| open.0.clone());
        self.close();
        self.open = turn.map(|turn| (turn, Builder::new(self.source)));
    }

    fn header(&mut self, line: TextLine<'a>) {
        let listed =
            if std::mem::take(&mut self.listing) { split_names(line.text) } else { listed_attendees(line.text) };
        if self.attendees.is_empty() {
            self.attendees = listed;
        }
        self.listing = is_list_title(line.text);
        self.done.push(Utterance::new(Kind::Header, Text::slice(self.source, line.start..line.end())));
    }

    fn close(&mut self) {
        let pending = self.apart.take();
        self.add(pending);
        if let Some((turn, words)) = self.open.take().filter(|open| !open.1.is_empty()) {
            self.done.push(Utterance { text: words.finish(), ..turn });
        }
    }
}

/// Whether a line announces that the next one lists who took part.
fn is_list_title(line: &str) -> bool {
    ["attendees", "participants", "invited", "teilnehmer", "participantes", "partecipanti", "参加者", "与会者"]
        .contains(&line.trim_end_matches(':').to_lowercase().as_str())
}

/// Whether a line between two messages only says which day it is.
fn is_date(line: &str) -> bool {
    let bare = line.trim_matches(|character: char| matches!(character, '-' | '*' | '_' | '—' | '–' | '=' | ' '));
    let day = ["Today", "Yesterday", "Heute", "Gestern", "Hoy", "Ayer", "Aujourd’hui", "Hier"].contains(&bare);
    let starts = bare.starts_with(|first: char| first.is_uppercase() || first.is_ascii_digit() || !first.is_ascii());
    let spelled = bare.bytes().any(|byte| byte.is_ascii_digit()) && bare.len() <= 48 && bare.split(' ').count() <= 6;
    day || (spelled && starts && !bare.ends_with(['.', '!', '?']) && !bare.contains(['@', ':', '/']))
}

/// Whether a line only counts reactions or replies: `:tada: 5  :rocket: 2`, `👍 3`, `2 replies`.
fn is_reaction(line: &str) -> bool {
    let words = || line.split_whitespace();
    let counts = words().any(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
    let signs = words().all(|word| {
        let code = word.len() > 2 && word.starts_with(':') && word.ends_with(':');
        code || word
            .chars()
            .all(|character| !character.is_alphabetic() && !matches!(character, '+' | '#' | '€' | '$' | '%'))
    });
    let replies = words().count() <= 2 && words().nth(1).is_some_and(|word| matches!(word, "reply" | "replies"));
    counts && (replies || (signs && words().any(|word| !word.is_ascii() || word.starts_with(':'))))
}
