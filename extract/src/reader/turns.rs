//! Turns: transcripts and chats in which a head names who speaks, on the line of the words or on the line above.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::attendees::{listed_attendees, split_names};
use super::blocks::{self, LONGEST};
use super::detect::{is_spoken, speakers};
use super::head::{BADGES, HeadLayout, Style, TurnHead, is_emoji_name};
use super::heads::heads;
use super::lines::{TextLine, lines};
use super::text::{Builder, Text};
use super::timecode::{clock, moment, stamp};
use super::{Format, Kind, Transcript, Utterance};
use crate::word_list::WordList;

/// Least length in characters of a line that was wrapped.
const WRAPPED: usize = 60;
/// A first time from here on, in seconds, is a time of day and not into the recording.
const OF_DAY: f64 = 3600.0;

/// What a day is ruled off with.
const RULES: [char; 7] = ['-', '*', '_', '—', '–', '=', ' '];

/// Reads a transcript in which a head with name or time begins each turn.
pub fn read<'a>(source: &'a str, format: Format, source_type: &str) -> Transcript<'a> {
    let lines: Vec<TextLine<'_>> = lines(source, 0).map(|line| line.trimmed()).collect();
    let texts: Vec<&str> = lines.iter().map(|line| line.text).filter(|text| !text.is_empty()).collect();
    let (heads, found) = Heads::of(&texts, format, is_spoken(source_type));
    let mut reader = TurnReader::new(source, heads);
    let mut at = 0;
    for line in lines {
        if line.text.is_empty() {
            reader.blank = true;
            continue;
        }
        if format != Format::Chat || !is_furniture(&texts, at) {
            reader.line(line, found[at]);
        }
        at += 1;
    }
    reader.close();
    if reader.done.iter().all(|utterance| utterance.kind == Kind::Header) {
        return blocks::prose(source);
    }
    let of_day = found.iter().flatten().find_map(|head| head.clock).is_some_and(|clock| clock.of_day);
    count_from_start(&mut reader.done, format, of_day);
    let (envelopes, attendees) = (Vec::new(), reader.attendees);
    Transcript { source, format, utterances: reader.done, envelopes, attendees, unread: false }
}

/// Seconds. A time of day that falls by more is one of the day after.
const HALF_A_DAY: f64 = 43_200.0;

/// Makes times of day seconds into the recording; a chat has none. `of_day` says that they can be nothing else.
fn count_from_start(utterances: &mut [Utterance<'_>], format: Format, of_day: bool) {
    let first = utterances.iter().find_map(|utterance| utterance.at_s).unwrap_or_default();
    let base = if of_day || first >= OF_DAY { first } else { 0.0 };
    let mut midnights = 0.0;
    let mut last = first;
    for utterance in utterances {
        utterance.at_s = utterance.at_s.map(|at_s| {
            if of_day && at_s + HALF_A_DAY < last {
                midnights += 2.0 * HALF_A_DAY;
            }
            last = at_s;
            at_s + midnights - base
        });
        utterance.at_s = utterance.at_s.filter(|at_s| format != Format::Chat && *at_s >= 0.0);
    }
}

/// Which heads a document uses.
struct Heads<'a> {
    format: Format,
    /// Each label, with whether it names a speaker.
    labels: HashMap<&'a str, bool>,
    shape: Option<HeadLayout>,
    /// Who speaks by a head of that shape.
    named: HashSet<&'a str>,
    timed: bool,
    /// Whether labels stand within items and brackets alone.
    itemised: bool,
}

impl<'a> Heads<'a> {
    /// The heads of the lines of a text that have words.
    fn of(texts: &[&'a str], format: Format, spoken: bool) -> (Self, Vec<Option<TurnHead<'a>>>) {
        let found = heads(texts, spoken);
        let mut labels: HashMap<&str, usize> = HashMap::new();
        let mut shapes: HashMap<HeadLayout, usize> = HashMap::new();
        let (mut timed, mut plain) = (0_usize, 0_usize);
        for head in found.iter().flatten() {
            match head.style {
                Style::Colon => plain += 1,
                Style::TimedColon | Style::DatedColon | Style::Angle => timed += 1,
                Style::NameTime => *shapes.entry(head.shape).or_default() += 1,
                Style::BracketName
                | Style::ChatFrom
                | Style::Time
                | Style::TimeBelow
                | Style::Marked
                | Style::Bracketed => {}
            }
            *labels.entry(head.speaker).or_default() += 1;
        }
        let shape = shapes.into_iter().max_by_key(|(shape, count)| (*count, shape.bracketed, shape.wide, shape.of_day));
        let shape = shape.map(|shape| shape.0);
        let shaped = |head: &&TurnHead<'_>| head.style == Style::NameTime && Some(head.shape) == shape;
        let named = found.iter().flatten().filter(shaped).map(|head| head.speaker).collect();
        (
            Self {
                format,
                labels: speakers(&labels, spoken),
                shape,
                named,
                timed: timed >= plain,
                itemised: timed + plain == 0,
            },
            found,
        )
    }

    /// Whether a line with a time says what somebody did: `Pieter de Vries changed the Status - 02/Apr/26 8:45 AM`.
    fn is_notice(&self, head: &TurnHead<'_>) -> bool {
        let did = |(at, _): (usize, &str)| {
            let (name, rest) = (&head.speaker[..at], &head.speaker[at + 1..]);
            rest.starts_with(char::is_lowercase) && rest.contains(' ') && self.named.contains(name)
        };
        head.style == Style::NameTime && head.speaker.match_indices(' ').any(did)
    }

    /// Whether a head opens a turn here.
    fn accepts(&self, head: &TurnHead<'_>) -> bool {
        let speaks = self.labels.get(head.speaker).copied().unwrap_or_default();
        match (self.format, head.style) {
            (_, Style::TimeBelow) => true,
            (_, Style::Time) => matches!(self.format, Format::Meet | Format::Plain | Format::Chat | Format::Otter),
            (Format::Plain, Style::Colon) => !self.timed && speaks,
            (Format::Plain, Style::Marked | Style::Bracketed) => speaks && self.itemised,
            (Format::Meet, Style::Colon | Style::TimedColon) => speaks,
            (Format::Plain | Format::Chat, Style::TimedColon | Style::DatedColon | Style::Angle) => self.timed,
            (Format::Zoom, style) => matches!(style, Style::BracketName | Style::ChatFrom),
            (Format::Otter | Format::Chat, Style::NameTime) => {
                let marked = head.shape.bracketed || head.shape.wide || head.shape.of_day;
                (Some(head.shape) == self.shape && (marked || speaks)) || self.named.contains(head.speaker)
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
    /// The day that a line of its own gave to what follows.
    day: Option<&'a str>,
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
            day: None,
            blank: false,
            wrapped: false,
            listing: false,
        }
    }

    /// Reads a line without white space around it, and its head if it has one.
    fn line(&mut self, line: TextLine<'a>, head: Option<TurnHead<'a>>) {
        let titled = self.heads.format == Format::Meet && self.open.is_none() && self.time.is_none();
        match head {
            Some(head) if self.heads.is_notice(&head) => {
                self.close();
                self.header(line);
            }
            Some(head) if self.heads.accepts(&head) && (!titled || head.style == Style::Time) => self.head(line, head),
            _ => self.words(line),
        }
        self.blank = false;
    }

    fn head(&mut self, line: TextLine<'a>, head: TurnHead<'a>) {
        if head.style == Style::TimeBelow {
            return;
        }
        if head.style == Style::Time && matches!(self.heads.format, Format::Chat | Format::Otter) {
            return self.time_alone(line, &head);
        }
        let date = self.apart.take_if(|apart| is_date(apart.text));
        self.close();
        if let Some(date) = date {
            self.header(date);
            self.day = says_day(date.text).or(self.day);
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
        turn.day = head.day.or(self.day);
        self.open = Some((turn, Builder::new(self.source)));
        self.wrapped = false;
        let body = line.from(head.body);
        // WhatsApp begins what it says itself with a mark that cannot be seen.
        let marked = |text: &str| text.starts_with('\u{200e}') || self.source[..body.start].ends_with('\u{200e}');
        if self.is_chat(&head) && head.body > 0 && (marked(body.text) || is_placeholder(body.text)) {
            self.open = None;
            return;
        }
        let code = clock(body.text).filter(|clock| clock.length == body.text.len());
        match (code, &mut self.open) {
            (Some(code), Some((turn, _))) => turn.at_s = turn.at_s.or(Some(code.seconds)),
            _ if body.text.is_empty() => {}
            _ => self.append(body),
        }
    }

    /// A time without a name: one more message of who spoke last. Right below a head it says no more than that.
    fn time_alone(&mut self, line: TextLine<'a>, head: &TurnHead<'a>) {
        let begun = self.open.as_ref().is_some_and(|open| !open.1.is_empty()) || self.apart.is_some();
        if begun && self.heads.format == Format::Chat {
            self.split();
        } else if self.open.is_none() {
            self.header(line);
            self.day = head.day.or(self.day);
        }
    }

    fn is_chat(&self, head: &TurnHead<'_>) -> bool {
        self.heads.format == Format::Chat || head.style == Style::ChatFrom
    }

    fn words(&mut self, line: TextLine<'a>) {
        let chat = self.heads.format == Format::Chat;
        let fresh = self.open.as_ref().is_some_and(|open| open.1.is_empty());
        if chat && fresh && BADGES.has(&line.text.to_lowercase()) {
            return;
        }
        let day = says_day(line.text).filter(|_| chat);
        // "09:15 -!- Ann has joined" is a program's; "9:30 works for me" goes on with what was said.
        let marked = |rest: &str| rest.trim_start().starts_with(['-', '*', '<', '=', '→', '←']);
        let system = chat
            && stamp(line.text)
                .is_some_and(|stamp| stamp.dated || self.heads.timed && marked(&line.text[stamp.length..]));
        let listed = self.heads.format == Format::Plain && !listed_attendees(line.text).is_empty();
        if self.open.is_none() || system || day.is_some() || listed {
            self.close();
            self.header(line);
            self.day = day.or(self.day);
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
    let bare = line.trim_matches(RULES);
    let day = ["Today", "Yesterday", "Heute", "Gestern", "Hoy", "Ayer", "Aujourd’hui", "Hier"].contains(&bare);
    let starts = bare.starts_with(|first: char| first.is_uppercase() || first.is_ascii_digit() || !first.is_ascii());
    let spelled = bare.bytes().any(|byte| byte.is_ascii_digit()) && bare.len() <= 48 && bare.split(' ').count() <= 6;
    day || (spelled && starts && !bare.ends_with(['.', '!', '?']) && !bare.contains(['@', ':', '/']))
}

/// The line, where all that it says is a day: `Thursday, March 5th`, `--- Day changed Thu Mar 05 2026`.
fn says_day(line: &str) -> Option<&str> {
    let bare = line.trim_matches(RULES);
    let bare = ["Day changed ", "Log opened "].iter().find_map(|lead| bare.strip_prefix(lead)).unwrap_or(bare);
    let said = moment(bare).is_some_and(|moment| moment.dated && (moment.clock.is_none() || bare.len() < line.len()));
    // A day and nothing else may be an answer, unless it is ruled off or says which one.
    let which =
        bare.len() + 4 < line.len() || bare.bytes().filter(u8::is_ascii_digit).count() > 0 && bare.contains(' ');
    (said && which).then_some(bare)
}

/// What programs write in place of a message, or below it.
static FURNITURE: WordList = WordList::of_phrases(
    "this message was deleted | you deleted this message | message deleted | null | delivered | view thread | replyedit | \
    edited | (edited) | bearbeitet | diese nachricht wurde gelöscht | du hast diese nachricht gelöscht | \
    ce message a été supprimé | vous avez supprimé ce message | se eliminó este mensaje | eliminaste este mensaje | \
    questo messaggio è stato eliminato | hai eliminato questo messaggio | essa mensagem foi apagada | \
    mensagem apagada | dit bericht is verwijderd | je hebt dit bericht verwijderd",
);
/// What they say of a file that they leave out: "image omitted", "Medien ausgeschlossen".
static OMITTED: WordList = WordList::of(
    "omitted weggelassen ausgeschlossen omitida omitido omitidos omis omise omesso omessi weggelaten oculta oculto",
);

/// Whether words stand for a message or below it, and are none.
fn is_placeholder(words: &str) -> bool {
    let bare = words.trim_matches(|one: char| matches!(one, '<' | '>' | '.' | ' ') || super::lines::is_space(one));
    let lower = bare.to_lowercase();
    let last = lower.rsplit(' ').next().unwrap_or_default();
    let read = lower.strip_prefix("read ").is_some_and(|when| moment(when).is_some());
    let replies = ["last reply ", "letzte antwort ", "dernière réponse ", "última respuesta "];
    FURNITURE.has(&lower)
        || (OMITTED.has(last) && lower.split(' ').count() <= 3)
        || read
        || replies.iter().any(|lead| lower.starts_with(lead))
}

/// Whether a line is not said by anybody: it counts reactions or replies, names a badge, or says that something was deleted.
fn is_furniture(lines: &[&str], at: usize) -> bool {
    let line = lines[at];
    let number = |line: &str| (1..=3).contains(&line.len()) && line.bytes().all(|byte| byte.is_ascii_digit());
    let near = |at: Option<usize>| at.and_then(|at| lines.get(at)).copied().unwrap_or_default();
    let counted = is_signs(line) && number(near(Some(at + 1)));
    let counts = number(line) && is_signs(near(at.checked_sub(1)));
    let badge = line.split_once(' ').is_some_and(|(name, count)| {
        matches!(name, "like" | "heart" | "laugh" | "surprised" | "sad" | "angry") && number(count)
    });
    let forwarded = line.starts_with('[') && line.ends_with(']') && line.contains("eply to");
    counted || counts || badge || forwarded || is_placeholder(line)
}

/// Whether a line is nothing but emoji and `:codes:`.
fn is_signs(line: &str) -> bool {
    let sign = |word: &str| is_emoji_name(word) || (!word.is_ascii() && !word.contains(char::is_alphanumeric));
    !line.is_empty() && line.split_whitespace().all(sign)
}

/// Whether a line only counts reactions or replies: `:tada: 5  :rocket: 2`, `👍 3`, `2 replies`.
fn is_reaction(line: &str) -> bool {
    let words = || line.split_whitespace();
    let counts = words().any(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
    let worded = |one: char| one.is_alphabetic() || matches!(one, '+' | '#' | '€' | '$' | '%');
    let signs = words().all(|word| is_emoji_name(word) || !word.contains(worded));
    let replies = words().count() <= 2
        && words().nth(1).is_some_and(|word| {
            matches!(word, "reply" | "replies" | "Antwort" | "Antworten" | "respuestas" | "réponses")
        });
    counts && (replies || (signs && words().any(|word| !word.is_ascii() || word.starts_with(':'))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Document;

    fn said(source_type: &str, text: &str) -> Vec<(String, String, String)> {
        let transcript = crate::reader::read(&Document { source_type, title: None, text });
        let turns = transcript.utterances.iter().filter(|one| one.kind != Kind::Header);
        let of = |one: &Utterance<'_>| {
            let speaker = one.speaker.as_deref().unwrap_or("-");
            (speaker.to_owned(), one.day.unwrap_or("-").to_owned(), one.text.as_str().to_owned())
        };
        turns.map(of).collect()
    }

    fn check(text: &str, turns: &[(&str, &str, &str)]) {
        let wanted: Vec<_> =
            turns.iter().map(|(speaker, day, words)| ((*speaker).into(), (*day).into(), (*words).into())).collect();
        assert_eq!(said("chat", text), wanted);
    }

    #[test]
    fn a_message_knows_its_day_by_its_head_or_by_the_line_that_parts_the_days() {
        check(
            "Hana Ito, [05.03.2026 09:14]\nhi\n\nEmre Tan, [06.03.2026 09:14]\nyes\n",
            &[("Hana Ito", ", [05.03.2026 09:14]", "hi"), ("Emre Tan", ", [06.03.2026 09:14]", "yes")],
        );
        check(
            "Thursday, March 5th\nHana Ito  9:14 AM\nhi\n--- Friday, March 6th ---\nEmre Tan  9:14 AM\nyes\n",
            &[("Hana Ito", "Thursday, March 5th", "hi"), ("Emre Tan", "Friday, March 6th", "yes")],
        );
    }

    #[test]
    fn a_time_of_day_counts_from_the_first_one() {
        let times = |text: &str| {
            let transcript = crate::reader::read(&Document { source_type: "meeting", title: None, text });
            transcript.utterances.iter().filter_map(|one| one.at_s).collect::<Vec<_>>()
        };
        let morning = "[9:14 AM] Dana: hi\n[9:16 AM] Sam: hello\n[1:14 PM] Dana: bye\n";
        assert_eq!(times(morning), [0.0, 120.0, 14_400.0]);
        assert_eq!(times("[12:05 AM] Dana: hi\n[12:06 AM] Sam: hello\n"), [0.0, 60.0]);
        assert_eq!(times("[11:58 PM] Dana: hi\n[12:03 AM] Sam: hello\n"), [0.0, 300.0], "over midnight");
        assert_eq!(times("[9:14] Dana: hi\n[9:16] Sam: hello\n"), [554.0, 556.0], "minutes into a recording");
    }

    #[test]
    fn what_a_program_writes_around_messages_is_not_said() {
        check(
            "Ann Lee  9:14 AM\nplease call\n:eyes:\n1\n2 replies\nLast reply today at 10:02 AM\nView thread\n\
             9:15\nand write\nTom Abara  9:17 AM\nok\n",
            &[("Ann Lee", "-", "please call"), ("Ann Lee", "-", "and write"), ("Tom Abara", "-", "ok")],
        );
        check(
            "10/03/26, 09:14 - Ann: call\n10/03/26, 09:15 - Tom: This message was deleted\n\
             10/03/26, 09:16 - You deleted this message\n10/03/26, 09:17 - Tom: \u{200e}image omitted\n",
            &[("Ann", "10/03/26, 09:14", "call")],
        );
    }

    #[test]
    fn fields_topics_and_days_are_no_speakers() {
        for text in [
            "Responsible: Brandt\nDeadline: 25 Sept 2026\n",
            "Attendees: Sven Aalto, Thandi Mokoena\n\nI'll call the bank.\n",
            "Monday: pay the rent\nTuesday: call the bank\n",
            "Kitchen: order the tiles\nBathroom: call the plumber\n",
        ] {
            assert!(said("note", text).iter().all(|turn| turn.0 == "-"), "{text}");
        }
        let nicks = said("chat", "lena: could you ask?\nyusuf: on it\n");
        assert_eq!(nicks.iter().map(|turn| turn.0.as_str()).collect::<Vec<_>>(), ["lena", "yusuf"]);
    }
}
