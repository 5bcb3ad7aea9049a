//! The readers against texts in every format, and against texts that nobody would write.

mod formats;
mod mails;
mod properties;
mod samples;

use gleaner_extract::Document;
use gleaner_extract::reader::{Transcript, Utterance, read};

/// Reads a text.
fn reading<'a>(source_type: &'a str, text: &'a str) -> Transcript<'a> {
    read(&Document { source_type, title: None, text })
}

/// "Who: words" of an utterance, as the assertions spell it.
fn line(utterance: &Utterance<'_>) -> String {
    format!("{}: {}", utterance.speaker.as_deref().unwrap_or("-"), utterance.text.as_str())
}

/// All utterances, headers left out.
fn lines(transcript: &Transcript<'_>) -> Vec<String> {
    let said = |one: &&Utterance<'_>| one.kind != gleaner_extract::reader::Kind::Header;
    transcript.utterances.iter().filter(said).map(line).collect()
}
