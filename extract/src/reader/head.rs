//! Heads of turns: how a line says who speaks, in the styles of transcripts and chats.

use super::timecode::{TimeCode, bounded_find, clock, moment, stamp, trailing_moment};
use crate::word_list::WordList;

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
    /// The same beside a line that names the speaker: that line has taken it already.
    TimeBelow,
    /// `- Name: words`, `> Name: words`.
    Marked,
    /// `[Name] words`.
    Bracketed,
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
    /// The words that say on which day, with the time among them.
    pub day: Option<&'a str>,
}

impl<'a> TurnHead<'a> {
    pub fn new(style: Style, speaker: &'a str, clock: Option<TimeCode>, body: usize) -> Self {
        Self { style, speaker, clock, body, shape: HeadLayout::default(), day: None }
    }
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

/// What programs write beside a name: badges, and what somebody did.
pub static BADGES: WordList = WordList::of_phrases(
    "app | bot | member | contributor | author | owner | collaborator | guest | external | commented | edited | (edited)",
);
/// Words in lower case within names.
static PARTICLES: WordList = WordList::of("da de del della den der di dos du el la le ten ter van von zu bin al");

/// Whether a word is an emoji by its name, or several: ":pray:", ":+1::tada:".
pub fn is_emoji_name(word: &str) -> bool {
    let named = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '+' | ':');
    let name = word.strip_prefix(':').and_then(|rest| rest.strip_suffix(':'));
    name.is_some_and(|name| !name.is_empty() && name.chars().all(named))
}

/// A line without badges, signs and `:codes:` before its first word.
pub fn without_badges(line: &str) -> &str {
    let sign = |one: char| !one.is_alphanumeric() && !matches!(one, '[' | '(' | ':' | '<' | '-');
    let mut rest = line.trim_start_matches(sign);
    while let Some((word, after)) = rest.split_once(char::is_whitespace) {
        if !is_emoji_name(word) && !BADGES.has(&word.to_lowercase()) {
            break;
        }
        rest = after.trim_start_matches(sign);
    }
    rest
}

/// A name without bold type, emoji, `:codes:` and the mark of one that is in nobody's address book (`~ Name`).
pub fn without_marks(name: &str) -> &str {
    let mut bare = name.trim();
    while let Some((before, _)) = bare.rsplit_once(' ').filter(|(_, word)| is_emoji_name(word)) {
        bare = before.trim_end();
    }
    let keeps = |one: char| one.is_alphanumeric() || is_mark(one) || matches!(one, '\u{300}'..='\u{36f}');
    let bare = bare.trim_end_matches(|one| !keeps(one) && !matches!(one, ')' | '.' | '\'' | '’' | '"' | '”'));
    bare.trim_start_matches(|one: char| one.is_whitespace() || matches!(one, '*' | '_' | '~'))
}

/// Whether a line holds nothing but what can be a name; a nick is one word in lower case.
pub fn is_name_line(line: &str, nick: bool) -> bool {
    let name = without_marks(line);
    let words = || name.split_whitespace().filter(|word| !word.starts_with('('));
    let capital = words().all(|word| !word.starts_with(char::is_lowercase) || PARTICLES.has(word));
    let count = words().count();
    is_label(name)
        && (1..=NAME_WORDS).contains(&count)
        && (capital || (nick && count == 1))
        && !line.ends_with([',', '?', '!'])
        && !(line.ends_with('.') && count == 1)
}

/// Reads the head of a turn off a line without white space around it.
pub fn head(line: &str) -> Option<TurnHead<'_>> {
    let (mark, mut rest) = without_mark(line);
    while mark == ">>" && rest.starts_with(mark) {
        rest = without_mark(rest).1;
    }
    if !mark.is_empty() {
        let shift = line.len() - rest.len();
        // A list within one names nobody, and a line may hold a hundred thousand marks.
        let nested = matches!(without_mark(rest).0, "-" | "*" | "•" | ">");
        let found = if nested { None } else { head(rest) }?;
        let style = match (mark, found.style) {
            (">>", Style::Colon) | ("@" | "`", _) => found.style,
            ("-" | "*" | "•" | ">", Style::Colon) if found.body < rest.len() => Style::Marked,
            _ => return None,
        };
        return Some(TurnHead { style, body: found.body + shift, ..found });
    }
    if let Some(head) = commented(line).or_else(|| bracket_name(line)) {
        return Some(head);
    }
    if !line.starts_with('<') && !line.contains(':') && !line.contains('：') {
        // "Tom Abara 0 minutes 5 seconds"
        return bracketed(line).or_else(|| name_time(line).filter(|head| is_name_line(head.speaker, false)));
    }
    timed(line).or_else(|| bracketed(line))
}

/// The mark before the head of a line, and the rest: of captions, a list, a quote, a time in code.
fn without_mark(line: &str) -> (&str, &str) {
    let marks = [(">>", ""), ("- ", ""), ("* ", ""), ("• ", ""), ("> ", ""), ("@", "0123456789"), ("`", "0123456789")];
    let found = marks.iter().find_map(|(mark, next)| {
        let rest = line.strip_prefix(mark)?.trim_start();
        (next.is_empty() || rest.starts_with(|first| next.contains(first))).then_some((mark.trim_end(), rest))
    });
    found.unwrap_or(("", line))
}

/// A head that may have a time before it.
fn timed(line: &str) -> Option<TurnHead<'_>> {
    let (lead, dated, at) = match stamp(line) {
        Some(stamp) => (Some(stamp.clock), stamp.dated, stamp.length),
        None => (None, false, 0),
    };
    let day = Some(&line[..at]).filter(|_| dated);
    let mut after = at + separators(&line[at..]);
    // "00:05 - 00:09  Name"
    if let Some(end) = lead.and_then(|_| clock(&line[after..])).filter(|_| after > at) {
        let next = after + end.length;
        after = next + separators(&line[next..]);
    }
    let rest = &line[after..];
    if rest.is_empty() {
        return lead.map(|clock| TurnHead { day, ..TurnHead::new(Style::Time, "", Some(clock), line.len()) });
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
        head.day = day;
        head.style = match head.style {
            Style::Colon | Style::TimedColon if dated => Style::DatedColon,
            Style::Colon => Style::TimedColon,
            Style::NameTime if head.body < line.len() => return None,
            style => style,
        };
    }
    Some(head)
}

/// `[Name] words`
fn bracketed(line: &str) -> Option<TurnHead<'_>> {
    let close = line.starts_with('[').then(|| bounded_find(line, ']', 48)).flatten()?;
    let speaker = &line[1..close];
    let words = line[close + 1..].trim_start();
    let body = line.len() - words.len();
    let name = speaker.chars().nth(1).is_some() && is_name_line(speaker, false);
    let plain = !speaker.bytes().any(|byte| byte.is_ascii_digit());
    (name && plain && body > close + 1 && body < line.len())
        .then(|| TurnHead::new(Style::Bracketed, speaker, None, body))
}

/// `name commented on Mar 4, 2026`, `Name added a comment - 31/Mar/26 9:14 AM`, alone on its line.
fn commented(line: &str) -> Option<TurnHead<'_>> {
    let verbs = [" added a comment", " commented on", " commented", " opened this issue on"];
    let (name, rest) = verbs.iter().find_map(|verb| line.split_once(verb)).filter(|_| line.len() <= 120)?;
    let when = rest.split('·').next().unwrap_or(rest).trim().trim_end_matches("edited");
    let when = when.trim_matches([' ', '-', '–', '—']);
    let clock = moment(when)?.clock;
    let speaker = without_marks(name.trim_start_matches('@'));
    let shape = HeadLayout { of_day: true, ..HeadLayout::default() };
    let head = TurnHead::new(Style::NameTime, speaker, clock, line.len());
    is_label(speaker).then_some(TurnHead { shape, day: Some(when), ..head })
}

/// Bytes of space and dashes between a time and what it belongs to.
fn separators(text: &str) -> usize {
    text.len() - text.trim_start_matches([' ', '\t', '-', '–', '—', '|', '→', '`', '\u{a0}', '\u{200e}']).len()
}

/// `[Name] 16:00:09`
fn bracket_name(line: &str) -> Option<TurnHead<'_>> {
    let close = line.starts_with('[').then(|| bounded_find(line, ']', 80)).flatten()?;
    let speaker = line[1..close].trim();
    let rest = line[close + 1..].trim();
    let clock = clock(rest).filter(|clock| clock.length == rest.len())?;
    let head = TurnHead::new(Style::BracketName, speaker, Some(clock), line.len());
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
    is_label(speaker.trim()).then(|| TurnHead::new(Style::ChatFrom, speaker.trim(), None, body))
}

/// `<nick> words`
fn angle(text: &str) -> Option<TurnHead<'_>> {
    let close = text.starts_with('<').then(|| bounded_find(text, '>', 40)).flatten()?;
    let speaker = text[1..close].trim_start_matches(['@', '+', '%', '~']).trim();
    let body = close + 1 + separators(&text[close + 1..]);
    is_label(speaker).then_some(TurnHead::new(Style::Angle, speaker, None, body))
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
    // "Name [Host]:"
    let role = label.ends_with(']').then(|| label.rfind('[')).flatten().filter(|&open| open > 0);
    let label = role.map_or(label, |open| label[..open].trim_end());
    let speaker = without_firm(without_marks(label));
    if label.starts_with('*') || label.starts_with("__") {
        body += text[body..].len() - text[body..].trim_start_matches(['*', '_']).len();
    }
    body += text[body..].len() - text[body..].trim_start().len();
    let style = if clock.is_some() { Style::TimedColon } else { Style::Colon };
    is_label(speaker).then_some(TurnHead::new(style, speaker, clock, body))
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

/// `Name  0:12`, `Name [9:15 AM]`, `Name, [14 Jun 10:00]`, `Name, Mon 9:14 AM`, with nothing after it.
fn name_time(text: &str) -> Option<TurnHead<'_>> {
    let (name, clock, day) = trailing_moment_of(text)?;
    let speaker = without_marks(without_badge(without_marks(name)));
    let wide = text[name.len()..].starts_with("  ");
    let shape = HeadLayout { bracketed: text.ends_with([']', ')']), wide, of_day: clock.of_day };
    let head = TurnHead { shape, day, ..TurnHead::new(Style::NameTime, speaker, Some(clock), text.len()) };
    is_label(speaker).then_some(head)
}

/// The name before a moment that ends a line, the time, and the words that say the day.
fn trailing_moment_of(text: &str) -> Option<(&str, TimeCode, Option<&str>)> {
    let bracketed = trailing_stamp(text).filter(|_| text.ends_with([']', ')']));
    if let Some((name, clock)) = bracketed {
        return Some((name, clock, Some(&text[name.len()..]).filter(|when| when.len() > clock.length + 4)));
    }
    let text = text.trim_end_matches(['_', '*']);
    let ends = text.len() <= 120 && text.bytes().rev().take(14).any(|byte| byte.is_ascii_digit());
    let (name, moment, when) = trailing_moment(text).filter(|_| ends)?;
    Some((name, moment.clock?, Some(when).filter(|_| moment.dated)))
}

/// `Name⇥words`, after a time.
fn tabbed(text: &str) -> Option<TurnHead<'_>> {
    let (speaker, words) = text.split_once('\t')?;
    let body = text.len() - words.trim_start().len();
    is_label(speaker.trim()).then(|| TurnHead::new(Style::TimedColon, speaker.trim(), None, body))
}

/// `[9:15 AM] Name`, with nothing after it; a nick in lower case only behind a date.
fn name_alone(text: &str, clock: TimeCode, dated: bool) -> Option<TurnHead<'_>> {
    let nick = dated && !text.contains(char::is_whitespace);
    let capital = nick || text.split_whitespace().all(|word| !word.starts_with(char::is_lowercase));
    let head = TurnHead::new(Style::NameTime, text, Some(clock), text.len());
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
    let ends = last.is_ascii_digit() || matches!(last, b'm' | b'M' | b'.' | b'r');
    let (name, moment, _) = trailing_moment(text).filter(|_| ends)?;
    Some((name, moment.clock?))
}

/// A name without the firm behind it: `Tom Abara - Acme Ltd`, `Tom Abara / Acme`.
fn without_firm(label: &str) -> &str {
    let parted = [" - ", " – ", " / ", " | "].iter().find_map(|mark| label.split_once(mark));
    let whole =
        |name: &str| name.contains(' ') && is_name_line(name, false) && !name.bytes().any(|one| one.is_ascii_digit());
    parted.filter(|(name, _)| whole(name)).map_or(label, |(name, _)| name.trim_end())
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
        && (text.chars().any(char::is_alphabetic) || is_phone(text))
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

/// `+49 170 1234567`, which a chat shows of somebody whose name it does not know.
fn is_phone(text: &str) -> bool {
    text.starts_with('+') && text.bytes().filter(u8::is_ascii_digit).count() > 6
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
        assert_eq!(read("PagerDuty  APP  [1:52 AM]"), Some((Style::NameTime, "PagerDuty", Some(6720.0), "")));
        assert_eq!(
            read("*Store 044 – Gisela*  [08:12]"),
            Some((Style::NameTime, "Store 044 – Gisela", Some(492.0), ""))
        );
        assert_eq!(
            read("Aroha Lindenbaum, [14 Jun 10:00]"),
            Some((Style::NameTime, "Aroha Lindenbaum", Some(600.0), ""))
        );
        assert_eq!(read("欧阳岫 10:02"), Some((Style::NameTime, "欧阳岫", Some(602.0), "")));
        assert_eq!(read("Sam — Today at 9:15 AM"), Some((Style::NameTime, "Sam", Some(33300.0), "")));
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
    fn nicks_in_lower_case_dates_tabs_and_caption_marks_are_read() {
        assert_eq!(read("[22-Aug-26 08:45 PM] anna"), Some((Style::NameTime, "anna", Some(74700.0), "")));
        assert_eq!(read("anna — 22/08/2026 5:04 PM"), Some((Style::NameTime, "anna", Some(61440.0), "")));
        assert_eq!(read("05:04\tAnna\tso the wifi"), Some((Style::TimedColon, "Anna", Some(304.0), "so the wifi")));
        assert_eq!(read(">> AGNES: so the wifi"), Some((Style::Colon, "AGNES", None, "so the wifi")));
        assert_eq!(read(">> a quoted line"), None);
    }

    #[test]
    fn a_line_of_many_marks_is_read_as_soon_as_one_of_few() {
        for mark in ["- ", "> ", "* ", "• ", ">> - ", "- >> "] {
            assert_eq!(read(&format!("{}Sam: hi", mark.repeat(100_000))), None, "{mark}");
        }
        let line = format!("{}Sam: hi", ">>".repeat(100_000));
        assert_eq!(read(&line), Some((Style::Colon, "Sam", None, "hi")));
    }

    #[test]
    fn sentences_and_addresses_are_no_heads() {
        for line in
            ["https://x.example", "see you at 9:30", "We agreed. Sam: yes", "what? no: really", "1:1 with Anneke"]
        {
            assert!(head(line).is_none_or(|head| head.style == Style::NameTime), "{line}: {:?}", head(line));
        }
    }

    #[test]
    fn nicks_stand_in_angle_brackets() {
        assert_eq!(read("[18:41] <hanneke> anyone"), Some((Style::Angle, "hanneke", Some(1121.0), "anyone")));
    }

    #[test]
    fn days_roles_and_firms_are_no_part_of_a_name() {
        for line in [
            "Rita Gomes, Mon 9:14 AM",
            "Rita Gomes, Mar 5, 9:14 AM, Edited",
            "Rita Gomes added a comment - 31/Mar/26 9:14 AM",
            "**Rita Gomes** commented 3 days ago",
            "**Rita Gomes** _9:14 AM_",
            "Rita Gomes 🌴  9:14 AM",
            "Rita Gomes 0 minutes 5 seconds",
            "[Thursday 9:14 AM] Rita Gomes",
            "@0:12 - Rita Gomes",
            "00:05 - 00:09  Rita Gomes",
            "[9:14 AM, 3/10/2026] Rita Gomes: hi",
            "[00:05 --> 00:11] Rita Gomes: hi",
            "`00:05` **Rita Gomes**: hi",
            "Rita Gomes [Host]: hi",
            "Rita Gomes - Acme Ltd: hi",
            "~ Rita Gomes: hi",
            "[Rita Gomes] hi",
            "- Rita Gomes: hi",
        ] {
            assert_eq!(head(line).map(|head| head.speaker), Some("Rita Gomes"), "{line}");
        }
        assert_eq!(head("5/3/26, 9:14 a. m. - Ana: hola").map(|head| head.day), Some(Some("5/3/26, 9:14 a. m.")));
    }
}
