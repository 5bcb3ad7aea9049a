//! WebVTT and SubRip: captions with times, which WebVTT calls cues. Captions of one speaker that go on with one sentence become one utterance.

use std::borrow::Cow;

use super::detect::is_speaker;
use super::head::{Style, TurnHead, head};
use super::lines::{TextLine, lines};
use super::text::Builder;
use super::timecode::clock;
use super::{Format, Kind, Transcript, Utterance};
use crate::word_list::WordList;

/// Longest utterance in bytes that another caption is added to.
const LONGEST: usize = 600;

/// One line of a caption.
struct CaptionLine<'a> {
    speaker: Option<&'a str>,
    at_s: Option<f64>,
    words: TextLine<'a>,
    /// Whether a new caption begins here.
    fresh: bool,
}

/// Reads subtitles; captions of one speaker that go on in one sentence become one utterance.
pub fn read(source: &str, format: Format) -> Transcript<'_> {
    let captions: Vec<_> = scan(source);
    let named = captions.iter().any(|caption| caption.speaker.is_some());
    let ended = captions.iter().filter(|caption| ends_sentence(caption.words.text)).count();
    let mut reader =
        CaptionReader { source, named, punctuated: ended * 10 >= captions.len() * 4, done: Vec::new(), open: None };
    for caption in captions {
        reader.caption(caption);
    }
    reader.close();
    let (envelopes, attendees) = (Vec::new(), Vec::new());
    Transcript { source, format, utterances: reader.done, envelopes, attendees, unread: false }
}

/// The lines of all captions, without numbers, times, notes and styles.
fn scan(source: &str) -> Vec<CaptionLine<'_>> {
    let mut captions = Vec::new();
    let (mut at_s, mut fresh, mut inside) = (None, false, false);
    let mut titled = None;
    for line in lines(source, 0) {
        let line = line.trimmed();
        if line.text.is_empty() {
            (inside, titled) = (false, None);
        } else if let Some((start, _)) = line.text.split_once("-->") {
            at_s = clock(start.trim()).map(|clock| clock.seconds);
            (fresh, inside) = (true, true);
        } else if inside {
            let found = words(line).map(|(speaker, words)| (speaker.or(titled), words));
            captions.extend(found.map(|(speaker, words)| CaptionLine { speaker, at_s, words, fresh }));
            fresh = false;
        } else {
            titled = quoted_name(line.text);
        }
    }
    captions
}

/// The name that Webex writes behind the number of a caption: `1 "Tom Abara" (1842337408)`.
fn quoted_name(title: &str) -> Option<&str> {
    let (number, rest) = title.split_once(" \"")?;
    let (name, _) = rest.split_once('"')?;
    (!name.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(name)
}

/// Speaker and words of a line: `<v Name>words</v>`, `Name: words`, words.
fn words(line: TextLine<'_>) -> Option<(Option<&str>, TextLine<'_>)> {
    let mut speaker = None;
    let mut rest = line;
    if let Some(close) = line.text.starts_with("<v").then(|| line.text.find('>')).flatten() {
        speaker = line.text[2..close].split_once(' ').map(|(_, name)| name.trim());
        rest = line.from(close + 1);
    } else if let Some(head) = head(line.text).filter(names_speaker) {
        speaker = Some(head.speaker);
        rest = line.from(head.body);
    }
    let rest = without_tags(rest).trimmed();
    let dash = rest.text.strip_prefix("- ").map_or(0, |_| 2);
    let rest = rest.from(dash);
    (!rest.text.is_empty()).then_some((speaker.filter(|name| !name.is_empty()), rest))
}

/// Whether a head within a caption names who speaks.
fn names_speaker(head: &TurnHead<'_>) -> bool {
    let colon = matches!(head.style, Style::Colon | Style::TimedColon | Style::Bracketed | Style::Marked);
    colon && is_speaker(head.speaker, 2) && head.speaker.split(' ').count() <= 5
}

/// A line without the tags around it.
fn without_tags(line: TextLine<'_>) -> TextLine<'_> {
    let mut rest = line;
    while let Some(close) = rest.text.starts_with('<').then(|| rest.text.find('>')).flatten() {
        rest = rest.from(close + 1);
    }
    let mut text = rest.text.trim_end();
    while let Some(open) = text.ends_with('>').then(|| text.rfind("</")).flatten() {
        text = text[..open].trim_end();
    }
    TextLine { start: rest.start, text }
}

/// Whether words end a sentence.
pub fn ends_sentence(words: &str) -> bool {
    let words = words.trim_end_matches(['"', '”', '’', ')', ']', ' ']);
    words.ends_with(['.', '?', '!', '…', '。', '？', '！', ':', ';'])
}

/// The utterance that captions are added to.
struct OpenUtterance<'a> {
    utterance: Utterance<'a>,
    words: Builder<'a>,
}

struct CaptionReader<'a> {
    source: &'a str,
    named: bool,
    punctuated: bool,
    done: Vec<Utterance<'a>>,
    open: Option<OpenUtterance<'a>>,
}

impl<'a> CaptionReader<'a> {
    fn caption(&mut self, caption: CaptionLine<'a>) {
        let joint = self.open.as_ref().and_then(|open| self.joint(open, &caption));
        let range = caption.words.start..caption.words.end();
        if let (Some(joint), Some(open)) = (joint, self.open.as_mut()) {
            open.words.slice(range, joint);
            let start = open.words.len() - caption.words.text.len();
            open.utterance.caption_times.extend(caption.at_s.filter(|_| caption.fresh).map(|at_s| (start, at_s)));
            return;
        }
        let before = self.open.as_ref().and_then(|open| open.utterance.speaker.clone());
        self.close();
        let mut words = Builder::new(self.source);
        words.slice(range, ' ');
        let mut utterance = Utterance::new(Kind::Speech, super::Text::slice(self.source, 0..0));
        utterance.speaker = caption.speaker.map(Cow::Borrowed).or(before);
        utterance.at_s = caption.at_s;
        self.open = Some(OpenUtterance { utterance, words });
    }

    /// What joins a caption to the open utterance; `None` where it is one of its own.
    fn joint(&self, open: &OpenUtterance<'a>, caption: &CaptionLine<'a>) -> Option<char> {
        let same = match caption.speaker {
            Some(name) => open.utterance.speaker.as_deref() == Some(name),
            None => true,
        };
        if !same || open.words.len() > LONGEST {
            return None;
        }
        let on = !caption.fresh || goes_on(open.words.as_str(), caption.words.text, self.punctuated);
        if on { Some(' ') } else { self.named.then_some('\n') }
    }

    fn close(&mut self) {
        if let Some(open) = self.open.take() {
            let text = open.words.finish();
            self.done.push(Utterance { text, ..open.utterance });
        }
    }
}

/// Words that a sentence does not end in.
static OPEN_WORDS: WordList = WordList::of(
    "a an the to of and or but for with my your our their his her in on at by from that if because is are was will \
    i'll we'll i'm can der die das den und oder mit von für zu ein eine le la les de du des et ou un une el los las \
    y que para con por il di e che per",
);

/// Whether a sentence goes on from one caption to the next.
fn goes_on(before: &str, after: &str, punctuated: bool) -> bool {
    if ends_sentence(before) {
        return false;
    }
    let last = before.rsplit([' ', '\n']).next().unwrap_or_default().to_lowercase();
    let lower = after.starts_with(char::is_lowercase);
    OPEN_WORDS.has(&last) || (punctuated && (lower || before.ends_with([',', '-', '–'])))
}
