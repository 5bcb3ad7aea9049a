//! Paragraphs, headings, lists, check boxes and tables: the blocks of notes, prose and the bodies of mails.

use std::ops::Range;

use super::entries::{self, Columns, EntryField, Record, TITLE, WRAPPED};
use super::lines::{TextLine, lines};
use super::text::{Builder, Text};
use super::{Format, Kind, Transcript, Utterance};
use crate::script::names_actions;
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

/// Longest utterance, in bytes: what goes on after it is another of the same speaker.
pub const LONGEST: usize = 16_384;

/// What opens a line without white space around it.
pub fn marker(line: &str) -> Option<Marker> {
    let first = line.chars().next()?;
    match first {
        '#' => heading(line),
        '|' if line.len() > 1 && line.ends_with('|') => Some(Marker::Row),
        _ if is_box(first).is_some() => sign(line, 0),
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
    let body = body_after(line, level).filter(|_| level < 7)?;
    Some(Marker::Heading { level: level as u8, body })
}

/// Whether a whole line is set in bold, as titles are where there are no headings.
fn is_bold(line: &str) -> bool {
    let inner = line.strip_prefix("**").and_then(|rest| rest.trim_end_matches(':').strip_suffix("**"));
    inner.is_some_and(|inner| inner.len() <= TITLE && !inner.contains("**") && !inner.ends_with(['.', ',']))
}

fn bullet(line: &str, after: usize) -> Option<Marker> {
    let body = body_after(line, after)?;
    tick(&line[body..], body).or_else(|| sign(&line[body..], body)).or(Some(Marker::Bullet { body }))
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

/// Where words begin after a mark or a box: space must part them.
fn body_after(text: &str, at: usize) -> Option<usize> {
    let body = at + spaces(text.get(at..)?);
    (body > at && body < text.len()).then_some(body)
}

/// `☑ item`; `before` bytes stand before it.
fn sign(text: &str, before: usize) -> Option<Marker> {
    let first = text.chars().next()?;
    let done = is_box(first)?;
    let body = first.len_utf8() + spaces(&text[first.len_utf8()..]);
    (body < text.len()).then_some(Marker::Box { done, body: before + body })
}

/// Whether a sign is a box, and a ticked one.
fn is_box(sign: char) -> Option<bool> {
    match sign {
        '☑' | '✅' | '☒' | '✔' | '✓' | '🗹' => Some(true),
        '☐' | '⬜' | '🔲' | '🔳' | '◻' | '◽' | '□' | '▢' => Some(false),
        _ => None,
    }
}

/// `2. item`, `2) item`, `(a) item`, `a) item`
fn numbered(line: &str) -> Option<Marker> {
    if line.starts_with("( )") {
        return body_after(line, 3).map(|body| Marker::Box { done: false, body });
    }
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
    if closes { bullet(line, after + 1) } else { None }
}

fn spaces(text: &str) -> usize {
    text.len() - text.trim_start_matches([' ', '\t', '\u{a0}', '\u{fe0f}']).len()
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
pub fn lists_present(label: &str) -> bool {
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
    /// The lines of the open paragraph.
    lines: Vec<TextLine<'a>>,
    /// White space before the marker of the open item.
    indent: usize,
    /// The open item, while it has but one line.
    entry: Option<TextLine<'a>>,
    /// What the next row of the open table is.
    table: Option<Kind>,
    /// The columns of the open table, where it is one of tasks.
    columns: Option<Columns>,
    /// The lines with labels that may make up one task, and what they say.
    record: (Vec<TextLine<'a>>, Record<'a>),
    /// What the heading of the open list says of its entries: that they are done, and whose they are.
    heading_says: (bool, Option<&'a str>),
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
            lines: Vec::new(),
            indent: 0,
            entry: None,
            table: None,
            columns: None,
            record: Default::default(),
            heading_says: (false, None),
            above: Vec::new(),
        }
    }

    /// Goes on in another text: what a heading says ends with the text that it stands in.
    pub fn leave(&mut self) {
        self.close();
        self.above.clear();
        self.heading_says = (false, None);
    }

    /// Takes the next line.
    pub fn line(&mut self, whole: TextLine<'a>) {
        let line = whole.trimmed();
        if line.text.is_empty() {
            self.close();
            (self.table, self.columns) = (None, None);
        } else if !self.labelled(whole) && !self.tabled(line) {
            self.block(whole);
        }
    }

    /// Takes a line that is none of a table of tasks and none of a task in lines with labels.
    fn block(&mut self, whole: TextLine<'a>) {
        let line = whole.trimmed();
        let marker = marker(line.text);
        match marker {
            Some(Marker::Row) => return self.row(line),
            Some(Marker::Heading { level, body }) => self.heading(level, bold_body(line.from(body))),
            Some(Marker::Bullet { body }) => self.item(Kind::Bullet, line.from(body)),
            Some(Marker::Box { done, body }) => self.item(Kind::CheckBox { done }, line.from(body)),
            None if is_ornament(line.text) => self.close(),
            None if !self.wrapped
                && (entries::settled(line.text, true).is_some() || entries::pending(line.text).is_some()) =>
            {
                self.item(Kind::Bullet, line);
            }
            None => self.plain(whole),
        }
        if marker.is_some() {
            self.indent = whole.indent();
        }
        self.table = None;
    }

    /// Takes a line without a marker: it goes on with the open item where that was wrapped or the line is set in below it.
    fn plain(&mut self, whole: TextLine<'a>) {
        let line = whole.trimmed();
        let lower = self.kind == Kind::Bullet && line.text.starts_with(char::is_lowercase);
        if self.kind != self.paragraph && !(self.wrapped || lower || whole.indent() > self.indent) {
            self.close();
        }
        if self.kind == self.paragraph {
            self.lines.push(line);
            self.wrapped = is_long(line);
        } else {
            self.words(line);
            self.entry = None;
        }
    }

    /// Takes a line such as `Owner: Sam`, which with those beside it may make up one task.
    fn labelled(&mut self, whole: TextLine<'a>) -> bool {
        let line = whole.trimmed();
        let inner = match marker(line.text) {
            None => line,
            Some(Marker::Bullet { body }) => line.from(body),
            Some(_) => return self.no_record(),
        };
        let Some((field, body)) = entries::labelled(inner.text) else { return self.no_record() };
        let said = inner.from(body);
        if self.record.0.is_empty() && matches!(field, EntryField::Owner | EntryField::Due) {
            // "- Book the hall", or that alone on a line, and below it "Owner: Sam".
            let line = if field == EntryField::Owner { self.lines.pop() } else { None };
            if let Some(task) = self.entry.take().or(line) {
                self.record.1 =
                    Record { task: Some(task), done: self.kind == Kind::CheckBox { done: true }, ..Record::default() };
                self.open = Builder::new(self.source);
            }
        }
        if self.record.1.has(field) {
            self.flush();
        }
        self.record.1.add(field, said);
        self.record.0.push(whole);
        true
    }

    fn no_record(&mut self) -> bool {
        self.flush();
        false
    }

    /// Writes down the task that lines with labels make up, or the lines as they are.
    fn flush(&mut self) {
        let (lines, record) = std::mem::take(&mut self.record);
        // The entry above, whose words are nowhere else.
        let above = record.task.zip(lines.first()).is_some_and(|(task, line)| task.start < line.start);
        if above || record.is_whole() {
            self.task(record);
        } else {
            lines.into_iter().for_each(|line| self.block(line));
        }
    }

    /// Takes a line that is the head or a row of a table of tasks.
    fn tabled(&mut self, line: TextLine<'a>) -> bool {
        if let Some(columns) = &self.columns {
            if is_rule(line.text) {
                return true;
            }
            if let Some(record) = columns.record(line) {
                self.task(record);
                return true;
            }
        }
        self.columns = if self.table.is_none() { Columns::of(line.text) } else { None };
        let heads = self.columns.is_some();
        if heads {
            self.lone(Kind::Header, line);
        }
        heads
    }

    /// Adds a task of which each part stands in a place of its own.
    fn task(&mut self, record: Record<'a>) {
        self.close();
        let Some(task) = record.task.filter(|task| task.text.contains(char::is_alphanumeric)) else { return };
        let settled = entries::settled(task.text, false);
        let task_words =
            settled.clone().map_or(task, |range| TextLine { start: task.start + range.start, text: &task.text[range] });
        let mut parts = [Some(task_words), record.due];
        parts.sort_by_key(|part| part.map(|part| part.start));
        let mut words = Builder::new(self.source);
        for part in parts.into_iter().flatten() {
            words.bridge(part.start, ',');
            words.slice(part.start..part.end(), ' ');
        }
        self.push(Kind::CheckBox { done: record.done || settled.is_some() }, words.finish());
        if let Some(last) = self.done.last_mut() {
            last.assigned = record.owner.or(last.assigned);
        }
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
        if !self.record.0.is_empty() {
            self.flush();
        }
        let lines = std::mem::take(&mut self.lines);
        if !lines.is_empty() {
            self.paragraph(lines);
        }
        let open = std::mem::replace(&mut self.open, Builder::new(self.source));
        if !open.is_empty() {
            self.push(self.kind, open.finish());
        }
        (self.kind, self.wrapped, self.entry) = (self.paragraph, false, None);
    }

    /// Adds the lines of a paragraph, which may be a list without bullets; any other ends what the heading above says of its list.
    fn paragraph(&mut self, mut lines: Vec<TextLine<'a>>) {
        let Some(first) = self.listed(&lines) else {
            self.heading_says = (false, None);
            return lines.into_iter().for_each(|line| self.words(line));
        };
        let listed = lines.split_off(first);
        lines.into_iter().for_each(|title| self.heading(8, title));
        for entry in listed {
            self.item(Kind::Bullet, entry);
            self.close();
        }
    }

    /// Which line of a paragraph is the first entry of a list.
    fn listed(&self, lines: &[TextLine<'a>]) -> Option<usize> {
        let right_above = self.above.last().is_some_and(|(_, index)| index + 1 == self.done.len());
        entries::listed(lines, right_above && self.is_under_actions(), self.paragraph == Kind::Prose)
    }

    /// Whether the heading above announces a list of actions.
    fn is_under_actions(&self) -> bool {
        let heading = self.above.last().and_then(|(_, index)| self.done.get(*index));
        heading.is_some_and(|heading| names_actions(heading.text.as_str()))
    }

    /// Closes the open block, and hands everything over in the order of the text.
    pub fn finish(mut self) -> Vec<Utterance<'a>> {
        self.close();
        self.done
    }

    fn push(&mut self, kind: Kind, text: Text<'a>) {
        let section = self.above.last().map(|heading| heading.1);
        let is_entry = matches!(kind, Kind::Bullet | Kind::CheckBox { .. }) && !entries::leads(text.as_str());
        let assigned = self.heading_says.1.filter(|_| is_entry);
        self.done.push(Utterance { kind, text, section, assigned, ..self.model.clone() });
    }

    fn heading(&mut self, level: u8, line: TextLine<'a>) {
        self.close();
        self.above.retain(|heading| heading.0 < level);
        self.push(Kind::Heading(level), Text::slice(self.source, line.start..line.end()));
        self.above.push((level, self.done.len() - 1));
        self.says(line.text);
    }

    /// Takes in what a heading says of the entries of its list.
    fn says(&mut self, heading: &'a str) {
        let owner = entries::person(heading).filter(|_| self.paragraph == Kind::Prose);
        self.heading_says = (entries::settles(heading), owner);
    }

    fn item(&mut self, kind: Kind, line: TextLine<'a>) {
        self.promote();
        let settled = entries::settled(line.text, false);
        let done = settled.is_some() || self.heading_says.0 || kind == Kind::CheckBox { done: true };
        let line = settled.map_or(line, |range| TextLine { start: line.start + range.start, text: &line.text[range] });
        let pending = entries::pending(line.text).filter(|_| !done);
        let kind = if done || pending.is_some() { Kind::CheckBox { done } } else { kind };
        let line = line.from(pending.unwrap_or_default());
        let is_task = kind != Kind::Bullet || self.is_under_actions();
        if let Some((owner, body)) = entries::wide_label(line.text).filter(|_| is_task) {
            return self.task(Record { task: Some(line.from(body)), owner: Some(owner), done, ..Record::default() });
        }
        if let Some([task, name, due]) = entries::parts(line.text) {
            let part = |range: Range<usize>| TextLine { start: line.start + range.start, text: &line.text[range] };
            let mut record =
                Record { task: Some(part(task)), owner: Some(&line.text[name]), done, ..Record::default() };
            let is_link = line.text[due.clone()].contains("://");
            record.due = Some(part(due)).filter(|_| !is_link);
            return self.task(record);
        }
        self.kind = kind;
        self.words(line);
        self.entry = Some(line);
    }

    /// Ends what is open above a list; a short paragraph right above, or a line that says so, is its heading.
    fn promote(&mut self) {
        let people = self.paragraph == Kind::Prose;
        let title = self.lines.pop_if(|line| entries::is_title(line.text, people));
        self.close();
        if let Some(title) = title {
            return self.heading(8, title);
        }
        let index = self.done.len().checked_sub(1);
        let Some(last) = index.and_then(|index| self.done.get_mut(index)) else { return };
        let words = last.text.as_str();
        let short = words.len() <= TITLE && !words.ends_with(['.', '!', ',', ';']) && !words.contains('\n');
        if last.kind != self.paragraph || !short || !(self.titles || entries::is_title(words, people)) {
            return;
        }
        let words = last.text.quote(0..words.len());
        last.kind = Kind::Heading(8);
        self.above.retain(|heading| heading.0 < 8);
        last.section = self.above.last().map(|heading| heading.1);
        self.above.push((8, index.unwrap_or_default()));
        self.says(words);
    }

    fn row(&mut self, line: TextLine<'a>) {
        self.close();
        if is_rule(line.text) {
            return;
        }
        let people = self.table.is_none() && entries::lists_contacts(line.text);
        let kind = self.table.unwrap_or(if people { Kind::Header } else { Kind::TableHead });
        self.push(kind, Text::slice(self.source, line.start..line.end()));
        self.table = Some(if kind == Kind::Header { kind } else { Kind::TableRow });
    }

    /// Adds a line to the open paragraph or item, to an item without the marks of links and tags.
    fn words(&mut self, line: TextLine<'a>) {
        let lower = line.text.starts_with(char::is_lowercase);
        if self.open.len() > LONGEST {
            let kind = self.kind;
            let open = std::mem::replace(&mut self.open, Builder::new(self.source));
            self.push(kind, open.finish());
        }
        let joint = if self.wrapped || (lower && !self.open.as_str().ends_with(['.', '?', '!'])) { ' ' } else { '\n' };
        let whole = || std::iter::once(0..line.text.len()).collect();
        let kept = if self.kind == self.paragraph { whole() } else { entries::unmarked(line.text) };
        for (at, range) in kept.into_iter().enumerate() {
            let range = line.start + range.start..line.start + range.end;
            if at == 0 {
                self.open.slice(range, joint);
            } else {
                self.open.skip(range.start);
                self.open.verbatim(range);
            }
        }
        self.wrapped = is_long(line);
    }
}

/// Whether a line is so long that it may have been wrapped.
fn is_long(line: TextLine<'_>) -> bool {
    line.text.chars().nth(WRAPPED).is_some()
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
