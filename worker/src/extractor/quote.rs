//! Where words stand in a transcript, and who said them: for words that a language model claims to have copied.

use gleaner_extract::{
    Document, Quote,
    reader::{Utterance, read},
};
use gleaner_model::Item;

/// A transcript in which words can be found.
pub struct Transcript<'a> {
    text: &'a str,
    /// The text with every stretch of white space as one space.
    flat: String,
    /// For each byte of `flat`, the byte of the text that it comes from.
    origin: Vec<usize>,
    utterances: Vec<Utterance<'a>>,
}

impl<'a> Transcript<'a> {
    /// Reads an item's transcript.
    pub fn read(item: &'a Item) -> Self {
        let text = item.transcript.as_str();
        let (flat, origin) = flatten(text);
        Self { text, flat, origin, utterances: read(&Document::of(item)).utterances }
    }

    /// The words as they stand in the transcript, with their place. White space may differ, nothing else.
    pub fn find(&self, words: &str) -> Option<Quote> {
        let wanted = words.split_whitespace().collect::<Vec<_>>().join(" ");
        if wanted.is_empty() {
            return None;
        }
        let at = self.flat.find(&wanted)?;
        let (first, last) = (*self.origin.get(at)?, *self.origin.get(at + wanted.len() - 1)?);
        let end = self.text.get(last..)?.char_indices().nth(1).map_or(self.text.len(), |(next, _)| last + next);
        // A character of several bytes has several origins that are the same.
        let quoted = self.text.get(first..end)?;
        let start = self.text.get(..first)?.chars().count();
        let (speaker, at_s) = self.speaker_at(first);
        Some(Quote { text: quoted.to_owned(), start, end: start + quoted.chars().count(), speaker, at_s })
    }

    /// Whether these words stand anywhere in it, whatever their case.
    pub fn speaks_of(&self, words: &str) -> bool {
        let wanted = words.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        !wanted.is_empty() && self.flat.to_lowercase().contains(&wanted)
    }

    fn speaker_at(&self, byte: usize) -> (Option<String>, Option<f64>) {
        let spoken = self.utterances.iter().rev().find(|utterance| utterance.text.whole().start <= byte);
        let speaker = spoken.and_then(|utterance| utterance.speaker.as_ref()).map(ToString::to_string);
        (speaker, spoken.and_then(|utterance| utterance.at_s))
    }
}

fn flatten(text: &str) -> (String, Vec<usize>) {
    let (mut flat, mut origin) = (String::with_capacity(text.len()), Vec::with_capacity(text.len()));
    for (at, letter) in text.char_indices() {
        let blank = letter.is_whitespace();
        if blank && flat.ends_with(' ') {
            continue;
        }
        flat.push(if blank { ' ' } else { letter });
        origin.resize(flat.len(), at);
    }
    (flat, origin)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn item(text: &str) -> Item {
        let body = json!({ "source_type": "meeting", "external_id": "m", "transcript": text });
        let serde_json::Value::Object(body) = body else { unreachable!() };
        Item::from_json(body, chrono::Utc::now(), 0).unwrap().0
    }

    #[test]
    fn words_are_found_across_line_breaks_and_quoted_as_they_stand() {
        let item = item("Dana: Grüße! I'll send\n  the SOW by Friday.\nSam: Thanks.");
        let quote = Transcript::read(&item).find("I'll send the  SOW").unwrap();
        assert_eq!(quote.text, "I'll send\n  the SOW");
        let taken: String = item.transcript.chars().skip(quote.start).take(quote.end - quote.start).collect();
        assert_eq!(taken, quote.text);
        assert_eq!(quote.speaker.as_deref(), Some("Dana"));
    }

    #[test]
    fn words_that_do_not_stand_there_are_not_found() {
        let item = item("Dana: I'll send the SOW.");
        let transcript = Transcript::read(&item);
        assert!(transcript.find("I will send the SOW").is_none());
        assert!(transcript.find("  ").is_none());
        assert!(transcript.speaks_of("dana") && !transcript.speaks_of("Omar"));
    }

    #[test]
    fn a_quote_may_end_in_a_character_of_several_bytes() {
        let item = item("Я пришлю отчёт");
        let quote = Transcript::read(&item).find("Я пришлю отчёт").unwrap();
        assert_eq!((quote.start, quote.end), (0, 14));
    }
}
