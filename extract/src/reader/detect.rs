//! Which format a text is in, by counting what its first lines look like.

use std::collections::HashMap;

use super::blocks::{self, Marker};
use super::entries;
use super::head::{Style, TurnHead, heads};
use super::lines::{TextLine, lines};
use super::mail;
use crate::word_list::WordList;

/// The formats that are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// `Name: words`, with or without time codes.
    Plain,
    /// Web Video Text Tracks.
    WebVtt,
    /// The same as Microsoft Teams writes it.
    TeamsVtt,
    /// SubRip subtitles.
    Srt,
    /// Zoom's transcript and chat files.
    Zoom,
    /// Otter's text export, and what looks like it.
    Otter,
    /// The document that Google Meet writes.
    Meet,
    /// Turns as JSON, under several field names.
    Json,
    /// Text copied or exported from Slack, Teams, Discord, Telegram, WhatsApp, IRC.
    Chat,
    /// A mail with its head, and what it answers or forwards.
    Mail,
    /// Notes with headings, bullets, check boxes, tables.
    Notes,
    /// Anything else.
    Prose,
}

/// Lines that are not blank and are looked at.
const SAMPLE: usize = 400;
/// Labels that open a remark and name nobody.
static REMARKS: WordList = WordList::of_phrases(
    "action | action item | action items | actions | agenda | ai | background | context | date | deadline | decision | \
    decisions | edit | fyi | heads-up | heads up | idea | important | location | nb | next | next steps | note | \
    notes | ps | p.s | question | re | reminder | result | status | subject | summary | time | title | tl;dr | tldr | \
    todo | to do | topic | topics | update | warning | where | when | who",
);

/// What the first lines of a text look like.
#[derive(Default)]
struct Tally<'a> {
    total: usize,
    styles: HashMap<Style, usize>,
    labels: HashMap<&'a str, usize>,
    marks: usize,
    boxes: usize,
    meet: bool,
    first: Option<TurnHead<'a>>,
}

/// The format of a text that is not JSON.
pub fn recognise(source: &str, source_type: &str) -> Format {
    if let Some(format) = subtitles(source) {
        return format;
    }
    if mail::begins(source) {
        return Format::Mail;
    }
    let tally = tally(source);
    timed(&tally, source_type).unwrap_or_else(|| untimed(&tally))
}

/// The formats with captions: a `WEBVTT` line, or an arrow between two times among the first lines.
fn subtitles(source: &str) -> Option<Format> {
    let mut first =
        lines(source, 0).map(|line| line.trimmed()).filter(|line| !line.text.is_empty()).take(12).peekable();
    let header = first.peek()?.text.starts_with("WEBVTT");
    let mut before: Option<TextLine<'_>> = None;
    for line in first {
        if line.text.contains(" --> ") && line.text.starts_with(|first: char| first.is_ascii_digit()) {
            let teams = before.is_some_and(|id| id.text.contains('/') && id.text.contains('-'));
            let webvtt = if teams { Format::TeamsVtt } else { Format::WebVtt };
            let comma = line.text.split(" --> ").next().is_some_and(|start| start.contains(','));
            return Some(if header || !comma { webvtt } else { Format::Srt });
        }
        before = Some(line);
    }
    header.then_some(Format::WebVtt)
}

fn tally(source: &str) -> Tally<'_> {
    let mut tally = Tally::default();
    let seen = lines(source, 0).map(|line| line.trimmed().text).filter(|text| !text.is_empty());
    let seen: Vec<&str> = seen.take(SAMPLE).collect();
    for (text, head) in seen.iter().zip(heads(&seen)) {
        tally.total += 1;
        match blocks::marker(text) {
            Some(Marker::Box { .. }) => tally.boxes += 1,
            Some(Marker::Heading { .. } | Marker::Bullet { .. } | Marker::Row) => tally.marks += 1,
            None => count_head(&mut tally, text, head),
        }
    }
    tally
}

fn count_head<'a>(tally: &mut Tally<'a>, line: &str, head: Option<TurnHead<'a>>) {
    tally.meet |= line == "Transcript" || line == "Attendees" || line.ends_with("- Transcript");
    let Some(head) = head.filter(|head| head.style != Style::TimeBelow) else { return };
    *tally.styles.entry(head.style).or_default() += 1;
    if head.style != Style::Time {
        *tally.labels.entry(head.speaker).or_default() += 1;
        tally.first.get_or_insert(head);
    }
}

/// Formats whose turns carry a time, or a mark of their own.
fn timed(tally: &Tally<'_>, source_type: &str) -> Option<Format> {
    let count = |style| tally.styles.get(&style).copied().unwrap_or(0);
    let share = |number: usize, percent: usize| number > 0 && number * 100 >= tally.total * percent;
    let zoom = count(Style::BracketName) + count(Style::ChatFrom);
    let named = count(Style::NameTime);
    match () {
        () if share(zoom, 20) => Some(Format::Zoom),
        () if tally.meet && count(Style::Time) > 0 => Some(Format::Meet),
        () if share(count(Style::Angle) + count(Style::DatedColon), 40) => Some(Format::Chat),
        () if named > 1 && share(named, 15) || share(named, 50) => Some(otter_or_chat(tally, source_type)),
        () if share(count(Style::TimedColon), 40) => Some(Format::Plain),
        () => None,
    }
}

/// Both write a name and a time on a line of its own: a recording starts at `0:00`, a day does not.
fn otter_or_chat(tally: &Tally<'_>, source_type: &str) -> Format {
    let early = tally.first.and_then(|head| head.clock).is_some_and(|clock| !clock.of_day && clock.seconds < 300.0);
    if early && source_type != "chat" { Format::Otter } else { Format::Chat }
}

/// Formats without times: turns, notes or prose.
fn untimed(tally: &Tally<'_>) -> Format {
    let colons = tally.styles.get(&Style::Colon).copied().unwrap_or(0);
    let marks = tally.marks + tally.boxes;
    let speakers = tally.labels.iter().filter(|(label, count)| is_speaker(label, **count)).count();
    let dense = colons * 100 >= tally.total * 50 && marks * 100 < tally.total * 30;
    let repeated = tally.labels.values().any(|&count| count > 2);
    let sparse = repeated && colons * 100 >= tally.total * 25 && marks * 100 < tally.total * 10;
    match () {
        () if speakers > 0 && (dense || sparse) => Format::Plain,
        () if tally.boxes > 0 || (marks > 1 && marks * 100 >= tally.total * 20) => Format::Notes,
        () => Format::Prose,
    }
}

/// Whether a label names a speaker, given how often it stands before a colon.
pub fn is_speaker(label: &str, count: usize) -> bool {
    let lower = label.to_lowercase();
    let remark = REMARKS.has(&lower) || entries::is_field(&lower) || blocks::PRESENT.has(&lower);
    let few = label.split(' ').count() <= 5;
    let capital = label.split([' ', '-']).all(|word| !word.starts_with(char::is_lowercase) || word.len() <= 3);
    let keeper = matches!(lower.as_str(), "scribe" | "minutes" | "chair" | "moderator");
    !remark && (count > 1 || keeper || (few && capital && label.starts_with(|first: char| !first.is_lowercase())))
}
