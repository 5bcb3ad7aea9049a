//! Paragraphs, headings, lists, check boxes and tables: the blocks of notes, prose and the bodies of mails.

use std::ops::Range;

use super::attendees::listed_attendees;
use super::entries::{self, Columns, EntryField, Record, TITLE, WRAPPED};
use super::lines::{TextLine, lines};
use super::marker::{Marker, marker};
use super::text::{Builder, Text};
use super::{Format, Kind, Transcript, Utterance};
use crate::script::names_actions;

/// Longest utterance, in bytes: what goes on after it is another of the same speaker.
pub const LONGEST: usize = 16_384;

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
        let listed = if blocks.owes(line) { Vec::new() } else { listed_attendees(line.trimmed().text) };
        blocks.line(line);
        if !listed.is_empty() && attendees.is_empty() {
            attendees = listed;
            blocks.relabel(Kind::Header);
        }
    }
    Transcript { source, format, utterances: blocks.finish(), envelopes: Vec::new(), attendees, unread: false }
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
            Some(_) => return self.no_record(line),
        };
        let Some((field, body)) = entries::labelled(inner.text) else { return self.no_record(line) };
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
            self.flush("");
        }
        self.record.1.add(field, said);
        self.record.0.push(whole);
        true
    }

    /// Whether a line says whose the task is that the lines with labels above it are about.
    fn owes(&self, line: TextLine<'a>) -> bool {
        let text = line.trimmed().text;
        let field = || entries::labelled(text).map(|found| found.0);
        // Several are guests.
        let one = !text.contains([',', ';', '&']);
        one && self.record.1.task.is_some()
            && !self.record.1.has(EntryField::Owner)
            && field() == Some(EntryField::Owner)
    }

    fn no_record(&mut self, next: TextLine<'a>) -> bool {
        self.flush(next.text);
        false
    }

    /// Writes down the task that lines with labels make up, or the lines as they are; `next` is the line below them.
    fn flush(&mut self, next: &str) {
        let (lines, record) = std::mem::take(&mut self.record);
        // The entry above, whose words are nowhere else.
        let above = record.task.zip(lines.first()).is_some_and(|(task, line)| task.start < line.start);
        let labels: Vec<&str> = lines.iter().map(|line| line.trimmed().text).collect();
        if above || record.is_whole() && !record.is_event(&labels, next) {
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
            self.flush("");
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
