//! Heads of turns: how a line says who speaks, in the styles of transcripts and chats.

use std::collections::HashSet;

use super::mail;
use super::timecode::{TimeCode, bounded_find, clock, stamp};

/// How a line names its speaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Style {
    /// `Name: words`, also `**Name:** words`.
    Colon,
    /// `[00:12] Name: words`, `Name (00:12): words`, and the like.
    TimedColon,
    /// `[05/12/2026, 17:58] Name: words`.
    DatedColon,
    /// `<nick> words`, with or without a time.
    Angle,
    /// `Name  0:12`, `Name [9:15 AM]`, `Name, [14 Jun 10:00]`, alone on its line.
    NameTime,
    /// `[Name] 16:00:09`, alone on its line.
    BracketName,
    /// `15:01:12 From Name to Everyone:`.
    ChatFrom,
    /// `00:12:00`, alone on its line: a time for what follows.
    Time,
    /// The same under a line that names the speaker: that line has taken it already.
    TimeBelow,
}

/// The head of a turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TurnHead<'a> {
    /// How it is written.
    pub style: Style,
    /// Who, as written; empty for a time alone.
    pub speaker: &'a str,
    /// When.
    pub clock: Option<TimeCode>,
    /// Where the words begin in the line; its length where they follow on the next lines.
    pub body: usize,
    /// How name and time are set apart, where they stand alone: one document does it one way.
    pub shape: HeadLayout,
}

/// How name and time are set apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct HeadLayout {
    /// Brackets around the time.
    pub bracketed: bool,
    /// More than one space between them.
    pub wide: bool,
    /// AM or PM.
    pub of_day: bool,
}

/// Most words of a name that stands on a line of its own above its time.
const NAME_WORDS: usize = 4;

/// The heads of lines that have words. A name may stand on a line of its own with the time on the next: one line of this kind is
/// like any short remark, so that most times of the text must have a name above them and some name must come again. The fields of
/// a mail's head name nobody.
pub fn heads<'a>(lines: &[&'a str]) -> Vec<Option<TurnHead<'a>>> {
    let mut found: Vec<Option<TurnHead<'a>>> = lines.iter().map(|line| head(line)).collect();
    mail::fields(lines).into_iter().for_each(|at| found[at] = None);
    let is_time = |head: &Option<TurnHead<'_>>| head.is_some_and(|head| head.style == Style::Time);
    let times = found.iter().filter(|head| is_time(head)).count();
    let above: Vec<usize> = (1..lines.len())
        .filter(|&at| is_time(&found[at]) && found[at - 1].is_none() && is_name_line(lines[at - 1]))
        .collect();
    let names: HashSet<&str> = above.iter().map(|&at| lines[at - 1]).collect();
    if names.len() == above.len() || above.len() * 10 < times * 8 {
        return found;
    }
    for at in above {
        let clock = found[at].and_then(|head| head.clock);
        let shape = HeadLayout { wide: true, ..HeadLayout::default() };
        let (speaker, body) = (lines[at - 1], lines[at - 1].len());
        found[at - 1] = Some(TurnHead { style: Style::NameTime, speaker, clock, body, shape });
        found[at] = found[at].map(|head| TurnHead { style: Style::TimeBelow, ..head });
    }
    found
}

/// Whether a line holds nothing but what can be a name.
fn is_name_line(line: &str) -> bool {
    is_label(line)
        && line.split_whitespace().count() <= NAME_WORDS
        && line.split_whitespace().all(|word| !word.starts_with(char::is_lowercase))
        && !line.ends_with(['.', ','])
}

/// Reads the head of a turn off a line without white space around it.
pub fn head(line: &str) -> Option<TurnHead<'_>> {
    if let Some(rest) = line.strip_prefix(">>") {
        let rest = rest.trim_start();
        let found = head(rest).filter(|head| head.style == Style::Colon);
        return found.map(|head| TurnHead { body: head.body + line.len() - rest.len(), ..head });
    }
    if !line.starts_with('<') && !line.contains(':') && !line.contains('：') {
        return None;
    }
    if let Some(head) = bracket_name(line) {
        return Some(head);
    }
    let (lead, dated, at) = match stamp(line) {
        Some(stamp) => (Some(stamp.clock), stamp.dated, stamp.length),
        None => (None, false, 0),
    };
    let after = at + separators(&line[at..]);
    let rest = &line[after..];
    if rest.is_empty() {
        return lead.map(|clock| TurnHead {
            style: Style::Time,
            speaker: "",
            clock: Some(clock),
            body: line.len(),
            shape: HeadLayout::default(),
        });
    }
    if lead.is_some() && after == at {
        return None;
    }
    let tabbed = || lead.and_then(|_| tabbed(rest));
    let found =
        chat_from(rest).or_else(|| angle(rest)).or_else(tabbed).or_else(|| colon(rest)).or_else(|| name_time(rest));
    let mut head = found.or_else(|| lead.and_then(|clock| name_alone(rest, clock, dated)))?;
    head.body += after;
    if lead.is_some() {
        head.clock = lead;
        head.style = match head.style {
            Style::Colon | Style::TimedColon if dated => Style::DatedColon,
            Style::Colon => Style::TimedColon,
            Style::NameTime if head.body < line.len() => return None,
            style => style,
        };
    }
    Some(head)
}

/// Bytes of space and dashes between a time and what it belongs to.
fn separators(text: &str) -> usize {
    text.len() - text.trim_start_matches([' ', '\t', '-', '–', '—', '|', '\u{a0}', '\u{200e}']).len()
}

/// `[Name] 16:00:09`
fn bracket_name(line: &str) -> Option<TurnHead<'_>> {
    let close = line.starts_with('[').then(|| bounded_find(line, ']', 80)).flatten()?;
    let speaker = line[1..close].trim();
    let rest = line[close + 1..].trim();
    let clock = clock(rest).filter(|clock| clock.length == rest.len())?;
    let head = TurnHead {
        style: Style::BracketName,
        speaker,
        clock: Some(clock),
        body: line.len(),
        shape: HeadLayout::default(),
    };
    is_label(speaker).then_some(head)
}

/// `From Name to Everyone: words`
fn chat_from(text: &str) -> Option<TurnHead<'_>> {
    let rest = text.strip_prefix("From ")?;
    let colon = bounded_find(rest, ':', 160)?;
    let parties = &rest[..colon];
    let speaker = parties.split_once(" to ").or_else(|| parties.split_once(" To ")).map_or(parties, |(from, _)| from);
    let body = text.len() - rest.len() + colon + 1;
    let body = body + separators(&text[body..]);
    is_label(speaker.trim()).then(|| TurnHead {
        style: Style::ChatFrom,
        speaker: speaker.trim(),
        clock: None,
        body,
        shape: HeadLayout::default(),
    })
}

/// `<nick> words`
fn angle(text: &str) -> Option<TurnHead<'_>> {
    let close = text.starts_with('<').then(|| bounded_find(text, '>', 40)).flatten()?;
    let speaker = text[1..close].trim_start_matches(['@', '+', '%', '~']).trim();
    let body = close + 1 + separators(&text[close + 1..]);
    is_label(speaker).then_some(TurnHead {
        style: Style::Angle,
        speaker,
        clock: None,
        body,
        shape: HeadLayout::default(),
    })
}

/// `Name: words`, `Name (00:12): words`, `**Name:** words`
fn colon(text: &str) -> Option<TurnHead<'_>> {
    let (at, width) = label_end(text)?;
    let label = text[..at].trim_end();
    let mut body = at + width;
    let (label, clock) = match trailing_stamp(label) {
        Some((name, clock)) => (name, Some(clock)),
        None => (label, None),
    };
    let speaker = label.trim_matches(['*', '_', ' ']);
    if label.starts_with('*') || label.starts_with("__") {
        body += text[body..].len() - text[body..].trim_start_matches(['*', '_']).len();
    }
    body += text[body..].len() - text[body..].trim_start().len();
    let style = if clock.is_some() { Style::TimedColon } else { Style::Colon };
    is_label(speaker).then_some(TurnHead { style, speaker, clock, body, shape: HeadLayout::default() })
}

/// Where the colon after a label stands and how many bytes it takes; colons within a time don't count.
fn label_end(text: &str) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len().min(90) {
        match bytes[at] {
            b':' if at > 0 && bytes[at - 1].is_ascii_digit() && bytes.get(at + 1).is_some_and(u8::is_ascii_digit) => {}
            b':' => {
                let next = bytes.get(at + 1);
                let ends = next.is_none_or(|next| next.is_ascii_whitespace() || matches!(next, b'*' | b'_' | 0x80..));
                return ends.then_some((at, 1));
            }
            0xef if text[at..].starts_with('：') => return Some((at, 3)),
            b'?' | b'!' | b';' | b'=' | b'{' | b'}' | b'|' | b'\\' | b'#' => return None,
            _ => {}
        }
        at += 1;
    }
    None
}

/// `Name  0:12`, `Name [9:15 AM]`, `Name, [14 Jun 10:00]`, with nothing after it.
fn name_time(text: &str) -> Option<TurnHead<'_>> {
    let (name, clock) = trailing_stamp(text)?;
    let speaker = without_badge(name.trim_matches(['*', '_', ' ']));
    let gap = &text[name.len()..text.len() - clock.length];
    let shape = HeadLayout { bracketed: text.ends_with([']', ')']), wide: gap.starts_with("  "), of_day: clock.of_day };
    let head = TurnHead { style: Style::NameTime, speaker, clock: Some(clock), body: text.len(), shape };
    (text.len() <= 120 && is_label(speaker)).then_some(head)
}

/// `Name⇥words`, after a time.
fn tabbed(text: &str) -> Option<TurnHead<'_>> {
    let (speaker, words) = text.split_once('\t')?;
    let body = text.len() - words.trim_start().len();
    is_label(speaker.trim()).then(|| TurnHead {
        style: Style::TimedColon,
        speaker: speaker.trim(),
        clock: None,
        body,
        shape: HeadLayout::default(),
    })
}

/// `[9:15 AM] Name`, with nothing after it; a nick in lower case only behind a date.
fn name_alone(text: &str, clock: TimeCode, dated: bool) -> Option<TurnHead<'_>> {
    let nick = dated && !text.contains(char::is_whitespace);
    let capital = nick || text.split_whitespace().all(|word| !word.starts_with(char::is_lowercase));
    let head = TurnHead {
        style: Style::NameTime,
        speaker: text,
        clock: Some(clock),
        body: text.len(),
        shape: HeadLayout::default(),
    };
    (capital && text.len() <= 60 && is_label(text) && !text.ends_with(['.', ','])).then_some(head)
}

/// A text that ends in a stamp: what stands before it, and the time.
fn trailing_stamp(text: &str) -> Option<(&str, TimeCode)> {
    let last = text.as_bytes().last()?;
    if matches!(last, b']' | b')') {
        let open = text.rfind(if *last == b']' { '[' } else { '(' })?;
        let found = stamp(&text[open..]).filter(|stamp| open + stamp.length == text.len())?;
        return Some((text[..open].trim_end_matches([' ', ',', '-', '–', '—', '@']), found.clock));
    }
    let colon = text.rfind(':')?;
    let before = text[..colon].trim_end_matches(|character: char| character.is_ascii_digit() || character == ':');
    let found = clock(&text[before.len()..]).filter(|clock| before.len() + clock.length == text.len())?;
    let separated = before.ends_with([' ', '\t', '|', '\u{a0}', '\u{3000}']);
    let name = before.trim_end_matches([' ', '\t', ',', '-', '–', '—', '|', '@', '\u{a0}', '\u{3000}']);
    let name =
        ["Today at", "Yesterday at", "today at", "yesterday at", " at"].iter().find_map(|day| name.strip_suffix(day));
    let plain = before.trim_end_matches([' ', '\t', ',', '-', '–', '—', '|', '@', '\u{a0}', '\u{3000}']);
    let name = name.map_or(plain, |name| name.trim_end_matches([' ', '-', '–', '—']));
    separated.then_some((without_date(name), found))
}

/// A name without the date behind it: `anna — 22/08/2026`.
fn without_date(name: &str) -> &str {
    let Some((before, last)) = name.rsplit_once(' ') else { return name };
    let date = last.bytes().filter(|byte| matches!(byte, b'/' | b'.' | b'-')).count() == 2
        && last.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'/' | b'.' | b'-'));
    if date { before.trim_end_matches([' ', ',', '-', '–', '—', '|']) } else { name }
}

/// A name without the badge of a program.
fn without_badge(name: &str) -> &str {
    let bare = ["APP", "BOT", "App", "Bot"].iter().find_map(|badge| name.strip_suffix(badge));
    bare.filter(|bare| bare.ends_with(' ')).map_or(name, str::trim_end)
}

/// Whether a text can be the label of a speaker: short, few words, no sentence.
pub fn is_label(text: &str) -> bool {
    let first = text.chars().next();
    let starts = first.is_some_and(|first| first.is_alphanumeric() || matches!(first, '@' | '+' | '~'));
    starts
        && text.len() <= 72
        && text.split(' ').filter(|word| !word.is_empty()).count() <= 7
        && text.chars().all(fits)
        && !["http", "https", "mailto", "file", "tel"].contains(&text)
        && text.chars().any(char::is_alphabetic)
        && !ends_sentence(text)
}

fn fits(character: char) -> bool {
    character.is_alphanumeric()
        || matches!(
            character,
            ' ' | '.' | '\'' | '’' | '-' | '–' | '—' | '_' | '(' | ')' | '@' | '&' | ',' | '/' | '+' | '·' | '・'
        )
        || matches!(character, '~' | '\u{a0}' | '\u{200d}' | '\u{300}'..='\u{36f}' | '"' | '“' | '”')
        || is_mark(character)
}

/// Vowel signs and other marks within names of Indic and South East Asian scripts.
fn is_mark(character: char) -> bool {
    matches!(character, '\u{900}'..='\u{dff}' | '\u{e30}'..='\u{e4e}')
}

/// Whether a word other than a title or an initial ends in a full stop before another word.
fn ends_sentence(text: &str) -> bool {
    text.split(' ').rev().skip(1).any(|word| {
        word.strip_suffix('.').is_some_and(|stem| stem.chars().count() > 4 || stem.starts_with(char::is_lowercase))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Option<(Style, &str, Option<f64>, &str)> {
        head(line).map(|head| (head.style, head.speaker, head.clock.map(|clock| clock.seconds), &line[head.body..]))
    }

    #[test]
    fn colons_name_a_speaker_in_many_styles() {
        assert_eq!(read("Sam: go on"), Some((Style::Colon, "Sam", None, "go on")));
        assert_eq!(read("Maëlys Kerbrat : Bon"), Some((Style::Colon, "Maëlys Kerbrat", None, "Bon")));
        assert_eq!(read("**Sam:** go"), Some((Style::Colon, "Sam", None, "go")));
        assert_eq!(read("**Sam**: go"), Some((Style::Colon, "Sam", None, "go")));
        assert_eq!(read("[00:04] Odalys: Hi"), Some((Style::TimedColon, "Odalys", Some(4.0), "Hi")));
        assert_eq!(read("Sam (01:12): Hi"), Some((Style::TimedColon, "Sam", Some(72.0), "Hi")));
        assert_eq!(read("Sam [00:01:12]: Hi"), Some((Style::TimedColon, "Sam", Some(72.0), "Hi")));
        assert_eq!(read("00:12 - Sam: Hi"), Some((Style::TimedColon, "Sam", Some(12.0), "Hi")));
        assert_eq!(read("[05/12/2026, 17:58] Ilze: did"), Some((Style::DatedColon, "Ilze", Some(1078.0), "did")));
        assert_eq!(read("DR. VANDERSLOOT: Forty"), Some((Style::Colon, "DR. VANDERSLOOT", None, "Forty")));
        assert_eq!(read("望月 彩：では"), Some((Style::Colon, "望月 彩", None, "では")));
    }

    #[test]
    fn heads_stand_alone_on_their_line() {
        assert_eq!(read("Maren Falk  0:01"), Some((Style::NameTime, "Maren Falk", Some(1.0), "")));
        assert_eq!(read("PagerDuty  APP  [1:52 AM]"), Some((Style::NameTime, "PagerDuty", Some(112.0), "")));
        assert_eq!(
            read("*Store 044 – Gisela*  [08:12]"),
            Some((Style::NameTime, "Store 044 – Gisela", Some(492.0), ""))
        );
        assert_eq!(
            read("Aroha Lindenbaum, [14 Jun 10:00]"),
            Some((Style::NameTime, "Aroha Lindenbaum", Some(600.0), ""))
        );
        assert_eq!(read("欧阳岫 10:02"), Some((Style::NameTime, "欧阳岫", Some(602.0), "")));
        assert_eq!(read("Sam — Today at 9:15 AM"), Some((Style::NameTime, "Sam", Some(555.0), "")));
        assert_eq!(
            read("[Halina Kowalczyk] 16:00:09"),
            Some((Style::BracketName, "Halina Kowalczyk", Some(57609.0), ""))
        );
        assert_eq!(
            read("15:01:12 From Priscilla Anand to Everyone:"),
            Some((Style::ChatFrom, "Priscilla Anand", Some(54072.0), ""))
        );
        assert_eq!(read("00:00:04"), Some((Style::Time, "", Some(4.0), "")));
    }

    #[test]
    fn a_name_stands_above_its_time() {
        let lines =
            ["Anna Berg", "5:04 PM", "so the wifi", "Tom Weiss", "5:05 PM", "yes", "Anna Berg", "5:07 PM", "ok"];
        let found = heads(&lines);
        let speakers: Vec<_> = found.iter().map(|head| head.map_or("", |head| head.speaker)).collect();
        assert_eq!(speakers, ["Anna Berg", "", "", "Tom Weiss", "", "", "Anna Berg", "", ""]);
        let styles: Vec<_> = found.iter().flatten().map(|head| head.style).collect();
        assert_eq!(styles, [Style::NameTime, Style::TimeBelow].repeat(3));
        let remarks = heads(&["Okay", "5:04 PM", "Anna: yes", "Right", "5:05 PM", "Tom: no"]);
        assert!(remarks[0].is_none() && remarks[3].is_none(), "remarks that come once are nobody's names");
    }

    #[test]
    fn the_fields_of_a_mail_name_nobody() {
        let lines = ["Anna: fyi", "From: Tom <t@x.example>", "Sent: Friday", "To: Anna", "Please pay.", "To: all"];
        let speakers: Vec<_> = heads(&lines).iter().map(|head| head.map_or("", |head| head.speaker)).collect();
        assert_eq!(speakers, ["Anna", "", "", "", "", "To"]);
    }

    #[test]
    fn nicks_in_lower_case_dates_tabs_and_caption_marks_are_read() {
        assert_eq!(read("[22-Aug-26 08:45 PM] anna"), Some((Style::NameTime, "anna", Some(525.0), "")));
        assert_eq!(read("anna — 22/08/2026 5:04 PM"), Some((Style::NameTime, "anna", Some(304.0), "")));
        assert_eq!(read("05:04\tAnna\tso the wifi"), Some((Style::TimedColon, "Anna", Some(304.0), "so the wifi")));
        assert_eq!(read(">> AGNES: so the wifi"), Some((Style::Colon, "AGNES", None, "so the wifi")));
        assert_eq!(read(">> a quoted line"), None);
    }

    #[test]
    fn nicks_stand_in_angle_brackets() {
        assert_eq!(read("[18:41] <hanneke> anyone"), Some((Style::Angle, "hanneke", Some(1121.0), "anyone")));
    }

    #[test]
    fn sentences_and_addresses_are_no_heads() {
        for line in
            ["https://x.example", "see you at 9:30", "We agreed. Sam: yes", "what? no: really", "1:1 with Anneke"]
        {
            assert!(head(line).is_none_or(|head| head.style == Style::NameTime), "{line}: {:?}", head(line));
        }
    }
}
