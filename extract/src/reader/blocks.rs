//! Paragraphs, headings, lists, check boxes and tables: the blocks of notes, prose and the bodies of mails.

use std::ops::Range;

use super::lines::{TextLine, lines};
use super::text::{Builder, Text};
use super::{Format, Kind, Transcript, Utterance};
use crate::word_list::WordList;

/// What opens a line that is a block of its own; `body` is where its words begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    /// `## Title`, `**Title**`
    Heading {
        /// 1 is the highest.
        level: u8,
        /// First byte of the words.
        body: usize,
    },
    /// `- item`, `2. item`, `(a) item`
    Bullet {
        /// First byte of the words.
        body: usize,
    },
    /// `- [ ] item`, `☑ item`
    Box {
        /// Whether it is ticked.
        done: bool,
        /// First byte of the words.
        body: usize,
    },
    /// `| a | b |`
    Row,
}

/// Longest paragraph in bytes that a list below it makes a heading.
const TITLE: usize = 60;
/// Least length in characters of a line that was wrapped.
const WRAPPED: usize = 52;
/// Longest utterance, in bytes: what goes on after it is another.
const LONGEST: usize = 16_384;

/// What opens a line without white space around it.
pub fn marker(line: &str) -> Option<Marker> {
    let first = line.chars().next()?;
    match first {
        '#' => heading(line),
        '|' if line.len() > 1 && line.ends_with('|') => Some(Marker::Row),
        '☐' | '☑' | '✅' | '☒' => Some(boxed(line, first != '☐', first.len_utf8())),
        '[' => tick(line, 0),
        '*' | '_' if is_bold(line) => Some(Marker::Heading { level: 7, body: 0 }),
        '-' | '*' | '+' | '•' | '–' | '—' | '◦' | '▪' | '●' | '○' | '‣' | '·' => {
            bullet(line, first.len_utf8())
        }
        '0'..='9' | '(' | 'a'..='z' | 'A'..='H' => numbered(line),
        _ => None,
    }
}

fn heading(line: &str) -> Option<Marker> {
    let level = line.bytes().take(7).take_while(|byte| *byte == b'#').count();
    let body = level + spaces(&line[level..]);
    (level < 7 && body > level && body < line.len()).then_some(Marker::Heading { level: level as u8, body })
}

/// Whether a whole line is set in bold, as titles are where there are no headings.
fn is_bold(line: &str) -> bool {
    let inner = line.strip_prefix("**").and_then(|rest| rest.trim_end_matches(':').strip_suffix("**"));
    inner.is_some_and(|inner| inner.len() <= TITLE && !inner.contains("**") && !inner.ends_with(['.', ',']))
}

fn bullet(line: &str, after: usize) -> Option<Marker> {
    let body = after + spaces(&line[after..]);
    if body == after || body == line.len() {
        return None;
    }
    tick(&line[body..], body).or(Some(Marker::Bullet { body }))
}

/// `[ ] item`, `[x] item`; `before` bytes stand before it.
fn tick(text: &str, before: usize) -> Option<Marker> {
    let rest = text.strip_prefix('[')?;
    let state = rest.chars().next()?;
    let done = match state {
        'x' | 'X' | '✓' | '✔' | '✅' => true,
        ' ' | '-' | '/' | '~' | '_' | '>' => false,
        ']' => return body_after(text, 2).map(|body| Marker::Box { done: false, body: before + body }),
        _ => return None,
    };
    let close = 1 + state.len_utf8();
    let body = text[close..].starts_with(']').then(|| body_after(text, close + 1)).flatten()?;
    Some(Marker::Box { done, body: before + body })
}

/// Where words begin after a box: space must part them.
fn body_after(text: &str, at: usize) -> Option<usize> {
    let body = at + spaces(text.get(at..)?);
    (body > at && body < text.len()).then_some(body)
}

fn boxed(line: &str, done: bool, after: usize) -> Marker {
    Marker::Box { done, body: after + spaces(&line[after..]) }
}

/// `2. item`, `2) item`, `(a) item`, `a) item`
fn numbered(line: &str) -> Option<Marker> {
    let bytes = line.as_bytes();
    let open = usize::from(bytes[0] == b'(');
    let digits = bytes[open..].iter().take(3).take_while(|byte| byte.is_ascii_digit()).count();
    let letter = usize::from(digits == 0 && bytes.get(open).is_some_and(u8::is_ascii_alphabetic));
    let after = open + digits + letter;
    let closes = match bytes.get(after)? {
        b')' => after > open,
        b'.' => digits > 0 && open == 0,
        _ => false,
    };
    let body = after + 1 + spaces(line.get(after + 1..).unwrap_or_default());
    if !closes || body == after + 1 || body >= line.len() {
        return None;
    }
    tick(&line[body..], body).or(Some(Marker::Bullet { body }))
}

fn spaces(text: &str) -> usize {
    text.len() - text.trim_start_matches([' ', '\t', '\u{a0}']).len()
}

/// The cells of a row between bars, without white space around them, as byte ranges of the row.
pub fn cells(row: &str) -> Vec<Range<usize>> {
    let inner = row.strip_prefix('|').unwrap_or(row);
    let mut start = row.len() - inner.len();
    let whole = inner.strip_suffix('|').unwrap_or(inner);
    let cell = |text: &str| {
        let line = TextLine { start, text }.trimmed();
        start += text.len() + 1;
        line.start..line.end()
    };
    whole.split('|').map(cell).collect()
}

/// Whether a row only rules a line under the head of a table.
fn is_rule(row: &str) -> bool {
    row.bytes().all(|byte| matches!(byte, b'|' | b'-' | b':' | b' '))
}

/// Reads notes: a short paragraph above a list is its title.
pub fn notes(source: &str) -> Transcript<'_> {
    read(source, Format::Notes, true)
}

/// Reads prose: a paragraph above a list is a paragraph.
pub fn prose(source: &str) -> Transcript<'_> {
    read(source, Format::Prose, false)
}

fn read(source: &str, format: Format, titles: bool) -> Transcript<'_> {
    let mut blocks = Blocks::new(source, Kind::Prose);
    blocks.titles = titles;
    let mut attendees = Vec::new();
    for line in lines(source, 0) {
        let listed = listed_attendees(line.trimmed().text);
        blocks.line(line);
        if !listed.is_empty() && attendees.is_empty() {
            attendees = listed;
            blocks.relabel(Kind::Header);
        }
    }
    Transcript { source, format, utterances: blocks.finish(), envelopes: Vec::new(), attendees, unread: false }
}

/// Words that open a list of those present.
static PRESENT: WordList = WordList::of_phrases(
    "attendees | attending | present | participants | people | with | att | who | in the room | présents | présentes | \
    participantes | presentes | asistentes | anwesend | teilnehmer | teilnehmende | presenti | partecipanti | \
    aanwezig | deelnemers | obecni | přítomni | närvarande | deltagare | katılanlar | us",
);

/// Whether a label, in lower case, opens a list of those present.
pub fn lists_people(label: &str) -> bool {
    PRESENT.has(label) && label != "us"
}

/// The names on a line such as `Present: L. Abara (chair), Greg Sosa`, wherever on the line the word stands.
pub fn listed_attendees(line: &str) -> Vec<&str> {
    let Some(colon) = line.bytes().take(120).position(|byte| byte == b':') else { return Vec::new() };
    let label = line[..colon].trim_end().trim_end_matches(['*', '_']);
    let word = label.rsplit(['*', '_', ',', '—', '–', '(', '.', '-']).next().unwrap_or(label).trim().to_lowercase();
    if !PRESENT.has(&word) {
        return Vec::new();
    }
    let names = line[colon + 1..].trim_start_matches(['*', '_', ' ']).trim_end_matches(['.', ' ', '*', '_']);
    split_names(names)
}

/// Names in a list: parted by commas, semicolons, middle dots or plus signs outside of brackets.
pub fn split_names(list: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    let parts = list.split(move |character| {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && matches!(character, ',' | ';' | '·' | '+' | '、' | '|')
    });
    parts.map(str::trim).filter(|name| !name.is_empty() && name.len() <= 80).take(64).collect()
}

/// Puts lines together into blocks.
pub struct Blocks<'a> {
    source: &'a str,
    /// What a paragraph is called here.
    paragraph: Kind,
    /// Whether a short paragraph above a list is its title.
    pub titles: bool,
    /// What every utterance from here on starts as.
    pub model: Utterance<'a>,
    done: Vec<Utterance<'a>>,
    open: Builder<'a>,
    kind: Kind,
    /// Whether the last line was long enough to have been wrapped.
    wrapped: bool,
    /// Whether a table is open.
    table: bool,
    /// The headings above: level and index.
    above: Vec<(u8, usize)>,
}

impl<'a> Blocks<'a> {
    /// No blocks yet; `paragraph` is what a paragraph will be.
    pub fn new(source: &'a str, paragraph: Kind) -> Self {
        Self {
            source,
            paragraph,
            titles: false,
            model: Utterance::new(paragraph, Text::slice(source, 0..0)),
            done: Vec::new(),
            open: Builder::new(source),
            kind: paragraph,
            wrapped: false,
            table: false,
            above: Vec::new(),
        }
    }

    /// Takes the next line.
    pub fn line(&mut self, whole: TextLine<'a>) {
        let line = whole.trimmed();
        if line.text.is_empty() {
            self.close();
            self.table = false;
            return;
        }
        match marker(line.text) {
            Some(Marker::Row) => return self.row(line),
            Some(Marker::Heading { level, body }) => self.heading(level, bold_body(line.from(body))),
            Some(Marker::Bullet { body }) => self.item(Kind::Bullet, line.from(body)),
            Some(Marker::Box { done, body }) => self.item(Kind::CheckBox { done }, line.from(body)),
            None if is_ornament(line.text) => self.close(),
            None => self.words(line),
        }
        self.table = false;
    }

    /// Adds an utterance of its own.
    pub fn lone(&mut self, kind: Kind, line: TextLine<'a>) {
        self.close();
        self.push(kind, Text::slice(self.source, line.start..line.end()));
    }

    /// Closes the open paragraph or item and says that it is something else.
    pub fn relabel(&mut self, kind: Kind) {
        self.close();
        if let Some(last) = self.done.last_mut() {
            last.kind = kind;
        }
    }

    /// Ends the open paragraph or item.
    pub fn close(&mut self) {
        let open = std::mem::replace(&mut self.open, Builder::new(self.source));
        if !open.is_empty() {
            self.push(self.kind, open.finish());
        }
        self.kind = self.paragraph;
    }

    /// Closes the open block, and hands everything over in the order of the text.
    pub fn finish(mut self) -> Vec<Utterance<'a>> {
        self.close();
        self.done
    }

    fn push(&mut self, kind: Kind, text: Text<'a>) {
        let section = self.above.last().map(|heading| heading.1);
        self.done.push(Utterance { kind, text, section, ..self.model.clone() });
    }

    fn heading(&mut self, level: u8, line: TextLine<'a>) {
        self.close();
        self.above.retain(|heading| heading.0 < level);
        self.push(Kind::Heading(level), Text::slice(self.source, line.start..line.end()));
        self.above.push((level, self.done.len() - 1));
    }

    fn item(&mut self, kind: Kind, line: TextLine<'a>) {
        self.close();
        if self.titles {
            self.promote();
        }
        self.kind = kind;
        self.words(line);
    }

    /// Makes a short paragraph right above a list its heading.
    fn promote(&mut self) {
        let index = self.done.len().checked_sub(1);
        let Some(last) = index.and_then(|index| self.done.get_mut(index)) else { return };
        let words = last.text.as_str();
        let short = words.len() <= TITLE && !words.ends_with(['.', '!', ',', ';']) && !words.contains('\n');
        if last.kind != Kind::Prose || !short {
            return;
        }
        last.kind = Kind::Heading(8);
        self.above.retain(|heading| heading.0 < 8);
        last.section = self.above.last().map(|heading| heading.1);
        self.above.push((8, index.unwrap_or_default()));
    }

    fn row(&mut self, line: TextLine<'a>) {
        self.close();
        if is_rule(line.text) {
            return;
        }
        let kind = if self.table { Kind::TableRow } else { Kind::TableHead };
        self.push(kind, Text::slice(self.source, line.start..line.end()));
        self.table = true;
    }

    fn words(&mut self, line: TextLine<'a>) {
        let lower = line.text.starts_with(char::is_lowercase);
        if self.open.len() > LONGEST {
            let kind = self.kind;
            self.close();
            self.kind = kind;
        }
        let joint = if self.wrapped || (lower && !self.open.as_str().ends_with(['.', '?', '!'])) { ' ' } else { '\n' };
        self.open.slice(line.start..line.end(), joint);
        self.wrapped = line.text.chars().nth(WRAPPED).is_some();
    }
}

/// The words of a heading without the marks of bold type around them.
fn bold_body(line: TextLine<'_>) -> TextLine<'_> {
    let inner = line.text.trim_matches(|character| matches!(character, '*' | '_' | ' '));
    let offset = line.text.find(inner).unwrap_or_default();
    TextLine { start: line.start + offset, text: inner }
}

/// Whether a line is only drawn.
fn is_ornament(line: &str) -> bool {
    line.len() >= 3 && line.chars().all(|character| matches!(character, '-' | '_' | '=' | '*' | '~' | '—' | '#' | ' '))
}
