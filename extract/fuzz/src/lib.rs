//! The laws that reading keeps for every text. The fuzz targets and the property tests check the same ones.

use gleaner_extract::reader::{Text, Transcript, read};
use gleaner_extract::{Document, sentence};

/// Reads a text and panics where a law is broken.
pub fn hold(source_type: &str, text: &str) {
    let document = Document { source_type, title: None, text };
    let transcript = read(&document);
    assert_eq!(transcript, read(&document), "the same text is read the same way");
    for utterance in &transcript.utterances {
        places(text, &utterance.text);
        assert!(utterance.envelope.is_none_or(|index| index < transcript.envelopes.len()));
        assert!(utterance.section.is_none_or(|index| index < transcript.utterances.len()));
    }
    order(&transcript);
}

/// Every sentence leads back to a place in the text, and every line of that place too.
fn places(source: &str, text: &Text<'_>) {
    let mut last = 0;
    for range in sentence::split(text.as_str()) {
        assert!(range.start >= last && text.as_str().get(range.clone()).is_some_and(|words| !words.is_empty()));
        last = range.end;
        let place = text.source_range(range.clone());
        assert!(source.get(place.clone()).is_some(), "a place on character boundaries");
        assert_eq!(text.quote(range.clone()), &source[place.clone()], "a quote is verbatim");
        for line in text.lines(range) {
            assert!(place.start <= line.start && line.end <= place.end && source.get(line).is_some());
        }
    }
}

/// Utterances stand in the order of the text and don't overlap.
fn order(transcript: &Transcript<'_>) {
    let places = transcript.utterances.iter().map(|utterance| utterance.text.whole());
    let mut last = 0;
    for place in places {
        assert!(last <= place.start, "utterances in order");
        last = place.end;
    }
}
