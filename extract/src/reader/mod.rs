//! Readers: one format each, recognised by its content. They turn a text into utterances whose places in the text are exact.
//!
//! What later stages may rely on: utterances stand in the order of the text; [`Text`] is clean (wrapped lines joined,
//! escapes decoded, quote marks gone) and leads back to the text as submitted; time and memory are linear in the text.

mod attendees;
mod blocks;
mod captions;
mod detect;
mod entries;
mod head;
mod heads;
mod json;
mod lines;
mod mail;
mod marker;
mod text;
mod timecode;
mod turns;

use std::borrow::Cow;

use crate::Document;

pub use detect::Format;
pub(crate) use entries::is_unsettled;
pub(crate) use head::is_emoji_name;
pub use mail::{Address, Envelope};
pub use text::Text;
pub(crate) use text::trim;

/// A text as its reader understood it.
#[derive(Clone, Debug, PartialEq)]
pub struct Transcript<'a> {
    /// The text as submitted.
    pub source: &'a str,
    /// What it was recognised as.
    pub format: Format,
    /// Its utterances, in order.
    pub utterances: Vec<Utterance<'a>>,
    /// The heads of its mails, outermost first; empty for anything else.
    pub envelopes: Vec<Envelope<'a>>,
    /// Who took part, where the text lists them ("Attendees", "Present:"), as written.
    pub attendees: Vec<&'a str>,
    /// Whether people talk to each other whom the text names in a way that was not read.
    pub unread: bool,
}

/// What one person said or wrote in one go, or one item of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Utterance<'a> {
    /// Who, as the text names them.
    pub speaker: Option<Cow<'a, str>>,
    /// Seconds into the recording, where the format has time codes.
    pub at_s: Option<f64>,
    /// The words that say on which day it was said, as a chat's head or a line above has them.
    pub day: Option<&'a str>,
    /// What it is.
    pub kind: Kind,
    /// How deep it is quoted: 0 is the text's own, 1 the mail that it answers, and so on.
    pub quoted: u8,
    /// Index of the mail that it belongs to.
    pub envelope: Option<usize>,
    /// Index of the heading that it stands under.
    pub section: Option<usize>,
    /// Who is to do it, where the form says so: a column of a table, a line of its own, a heading; empty where a form leaves it open.
    pub assigned: Option<&'a str>,
    /// The words.
    pub text: Text<'a>,
    /// Times of later captions within it: first byte in the words, seconds.
    pub caption_times: Vec<(usize, f64)>,
}

/// What an utterance is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Spoken words.
    Speech,
    /// A message in a chat.
    Chat,
    /// A paragraph of a mail or letter.
    Mail,
    /// A paragraph of anything else.
    Prose,
    /// "Hi Gretchen," at the top of a mail.
    Greeting,
    /// "Best wishes, Yetunde", and what follows it.
    Signature,
    /// The title of a section; 1 is the highest.
    Heading(u8),
    /// An item of a list.
    Bullet,
    /// An item with a box to tick.
    CheckBox {
        /// Whether it is ticked.
        done: bool,
    },
    /// The first row of a table, which names its columns.
    TableHead,
    /// Any other row of a table.
    TableRow,
    /// What is about the text and not of it: head of a mail, list of those present, channel and date of a chat.
    Header,
}

impl<'a> Utterance<'a> {
    /// Words without a speaker or a place in anything.
    fn new(kind: Kind, text: Text<'a>) -> Self {
        Self {
            speaker: None,
            at_s: None,
            day: None,
            kind,
            quoted: 0,
            envelope: None,
            section: None,
            assigned: None,
            text,
            caption_times: Vec::new(),
        }
    }

    /// Seconds into the recording at a byte of the words.
    #[must_use]
    pub fn time_at(&self, byte: usize) -> Option<f64> {
        let later = self.caption_times.iter().rev().find(|time| time.0 <= byte);
        later.map_or(self.at_s, |time| Some(time.1))
    }
}

/// Reads a text: recognises its format, then takes it apart. `source_type` decides only where the content leaves it open.
#[must_use]
pub fn read<'a>(document: &Document<'a>) -> Transcript<'a> {
    let source = document.text;
    if let Some(transcript) = json::read(source) {
        return transcript;
    }
    let format = detect::recognise(source, document.source_type);
    match format {
        Format::WebVtt | Format::TeamsVtt | Format::Srt => captions::read(source, format),
        Format::Mail => mail::read(source),
        Format::Notes => blocks::notes(source),
        Format::Prose if document.source_type == "email" => mail::letter(source),
        Format::Prose | Format::Json => {
            let unread = detect::is_spoken(document.source_type) && detect::has_times(source);
            Transcript { unread, ..blocks::prose(source) }
        }
        Format::Plain | Format::Otter | Format::Zoom | Format::Meet | Format::Chat => {
            turns::read(source, format, document.source_type)
        }
    }
}
