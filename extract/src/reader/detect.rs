//! Which format a text is in, by counting what its first lines look like.

use std::collections::HashMap;

use super::attendees::lists_present;
use super::entries;
use super::head::{Style, TurnHead};
use super::heads::heads;
use super::lines::{TextLine, lines};
use super::mail;
use super::marker::{Marker, marker};
use super::timecode::{moment, stamp, trailing_moment};
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
/// Longest line that a time at its end makes a head, in bytes.
const STAMPED: usize = 60;
/// Labels that open a remark and name nobody, besides those of entries and of lists of people.
static REMARKS: WordList = WordList::of_phrases(
    "agenda | ai | apologies | attachments | background | blockers | cc | context | date | decision | decisions | \
    doing | edit | from | fyi | heads-up | heads up | idea | important | later | location | nb | next | next steps | \
    note | notes | open | ps | p.s | question | re | received | reminder | result | sent | subject | summary | time \
    | title | tl;dr | tldr | to | topic | topics | type | update | urgent | warning | where | an | betreff | datum | \
    entschuldigt | gesendet | offen | thema | von | asunto | fecha | para | pendiente | objet | oggetto | assunto | \
    verantwoordelijk | onderwerp",
);

/// What the first lines of a text look like.
#[derive(Default)]
struct Tally<'a> {
    total: usize,
    styles: HashMap<Style, usize>,
    labels: HashMap<&'a str, usize>,
    /// Labels of lines with a mark of their own: of list items or quotes, or in brackets.
    items: HashMap<&'a str, usize>,
    /// Lines behind a label that somebody says.
    voiced: usize,
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
    let tally = tally(source, is_spoken(source_type));
    timed(&tally, source_type).unwrap_or_else(|| untimed(&tally, is_spoken(source_type)))
}

/// Whether texts of a kind are what people say to each other.
pub fn is_spoken(source_type: &str) -> bool {
    matches!(source_type, "meeting" | "call" | "chat")
}

/// Least lines with a time at their beginning or end that show that a text is a record of who said what when.
const TIMES: usize = 2;

/// Whether lines of a text begin or end with a time, as heads of turns do.
pub fn has_times(source: &str) -> bool {
    let seen = lines(source, 0).map(|line| line.trimmed().text).filter(|text| !text.is_empty()).take(SAMPLE);
    let stamped =
        seen.filter(|text| stamp(text).is_some() || (text.len() < STAMPED && trailing_moment(text).is_some()));
    stamped.take(TIMES).count() == TIMES
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

fn tally(source: &str, spoken: bool) -> Tally<'_> {
    let mut tally = Tally::default();
    let seen = lines(source, 0).map(|line| line.trimmed().text).filter(|text| !text.is_empty());
    let seen: Vec<&str> = seen.take(SAMPLE).collect();
    for (text, head) in seen.iter().zip(heads(&seen, spoken)) {
        tally.total += 1;
        match marker(text) {
            _ if head.is_some_and(|head| head.style == Style::NameTime) => count_head(&mut tally, text, head),
            Some(Marker::Box { .. }) => tally.boxes += 1,
            Some(Marker::Heading { .. } | Marker::Bullet { .. } | Marker::Row) => {
                tally.marks += 1;
                count_item(&mut tally, head);
            }
            None => count_head(&mut tally, text, head),
        }
    }
    tally
}

fn count_head<'a>(tally: &mut Tally<'a>, line: &str, head: Option<TurnHead<'a>>) {
    tally.meet |= line == "Transcript" || line == "Attendees" || line.ends_with("- Transcript");
    let Some(head) = head.filter(|head| head.style != Style::TimeBelow) else { return };
    *tally.styles.entry(head.style).or_default() += 1;
    if matches!(head.style, Style::Marked | Style::Bracketed) {
        *tally.items.entry(head.speaker).or_default() += 1;
    } else if head.style != Style::Time {
        tally.voiced += usize::from(is_voiced(&line[head.body..]));
        *tally.labels.entry(head.speaker).or_default() += 1;
        tally.first.get_or_insert(head);
    }
}

fn count_item<'a>(tally: &mut Tally<'a>, head: Option<TurnHead<'a>>) {
    if let Some(head) = head.filter(|head| head.style == Style::Marked) {
        *tally.styles.entry(head.style).or_default() += 1;
        *tally.items.entry(head.speaker).or_default() += 1;
    }
}

/// Words of the first and second person, and others that answer: who uses them speaks.
static VOICE: WordList = WordList::of(
    "i i'm i'll i've i'd im ill me my we we'll we've we're our us you you'll you've you're your u ok okay yes yeah yep no \
    sure thanks thx hi hello hey sorry great ich wir du ihr sie mir mich uns dir ja nein danke hallo je j'ai nous vous tu \
    moi oui non merci bonjour yo me nosotros tú usted sí gracias hola io mi noi lei grazie ciao eu nós você obrigado \
    obrigada sim não ik wij jij je u dank hoi",
);

/// Whether somebody says these words, to somebody.
fn is_voiced(words: &str) -> bool {
    let wide = |one: char| matches!(one, '\u{3040}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}');
    let mut each = words.split(|one: char| !one.is_alphanumeric() && !matches!(one, '\'' | '’'));
    words.contains(['?', '？', '@'])
        || words.contains(wide)
        || each.any(|word| VOICE.has(&word.replace('’', "'").to_lowercase()))
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
fn untimed(tally: &Tally<'_>, spoken: bool) -> Format {
    let colons = tally.styles.get(&Style::Colon).copied().unwrap_or(0);
    let marks = tally.marks + tally.boxes;
    let speakers = speakers(&tally.labels, spoken).values().filter(|speaks| **speaks).count();
    let dense = colons * 100 >= tally.total * 50 && marks * 100 < tally.total * 30;
    let repeated = tally.labels.values().any(|&count| count > 2);
    let sparse = repeated && colons * 100 >= tally.total * 25 && marks * 100 < tally.total * 10;
    let items: usize = tally.items.values().sum();
    let again = tally.items.values().any(|&count| count > 1);
    let whole = tally.items.keys().any(|label| label.contains(' '));
    let bracketed = tally.styles.contains_key(&Style::Bracketed) && tally.items.len() > 1 && (again || whole);
    let itemised = items * 100 >= tally.total * 80 && tally.boxes == 0 && ((again && items > 2) || bracketed);
    // In notes, labels that come once each may be anything: topics, places. Somebody must speak.
    let heard = spoken
        || tally.voiced > 0
        || tally.labels.len() == 1
        || tally.labels.iter().any(|(label, &count)| count > 1 && is_speaker(label, count));
    match () {
        () if speakers > 0 && heard && (dense || sparse) => Format::Plain,
        () if itemised => Format::Plain,
        () if tally.boxes > 0 || (marks > 1 && marks * 100 >= tally.total * 20) => Format::Notes,
        () => Format::Prose,
    }
}

/// Which labels name speakers, given how often each stands before a colon. Where people talk, several nicks in lower case are
/// theirs even if each comes once.
pub fn speakers<'a>(labels: &HashMap<&'a str, usize>, spoken: bool) -> HashMap<&'a str, bool> {
    let nick = |label: &str| label.starts_with(char::is_lowercase) && !label.contains(' ');
    let nicks = labels.keys().filter(|label| nick(label) && is_speaker(label, 2)).count();
    let count = |label: &str, count: usize| count + usize::from(spoken && nicks > 1 && nick(label));
    labels.iter().map(|(&label, &times)| (label, is_speaker(label, count(label, times)))).collect()
}

/// Whether a label names a speaker, given how often it stands before a colon.
pub fn is_speaker(label: &str, count: usize) -> bool {
    let lower = label.to_lowercase();
    let remark = REMARKS.has(&lower) || entries::is_field(&lower) || lists_present(&lower) || moment(label).is_some();
    let few = label.split(' ').count() <= 5;
    let capital = label.split([' ', '-']).all(|word| !word.starts_with(char::is_lowercase) || word.len() <= 3);
    let keeper = matches!(lower.as_str(), "scribe" | "minutes" | "chair" | "moderator");
    let address = label.split_once('@').is_some_and(|(_, host)| host.contains('.'));
    !remark
        && (count > 1
            || keeper
            || address
            || (few && capital && label.starts_with(|first: char| !first.is_lowercase())))
}
