//! Our own labelled documents: each line is one, with values that the engine knows, and a sentence that is quoted stands in its
//! text, word for word.

use super::text;
use gleaner_eval::data::GoldDocument;
use gleaner_extract::score::SOURCES;
use std::collections::HashSet;

const FILES: [&str; 5] = ["train", "aside", "fresh", "short", "short-aside"];

fn documents() -> Vec<(String, GoldDocument)> {
    let of_file = |name: &str| {
        let path = format!("extract/eval/documents/{name}.jsonl");
        let read = |(number, line): (usize, &str)| {
            let place = format!("{path}:{}", number + 1);
            let document = serde_json::from_str(line).unwrap_or_else(|error| panic!("{place}: {error}"));
            (place, document)
        };
        text(&path).lines().enumerate().map(read).collect::<Vec<_>>()
    };
    FILES.iter().flat_map(|name| of_file(name)).collect()
}

#[test]
fn every_document_says_what_it_is_in_words_that_the_engine_knows() {
    let (mut wrong, mut ids) = (Vec::new(), HashSet::new());
    for (place, document) in documents() {
        let is_language = document.language.len() == 2 && document.language.bytes().all(|b| b.is_ascii_lowercase());
        for (holds, what) in [
            (SOURCES.contains(&document.source_type.as_str()), "source_type"),
            (["single", "series"].contains(&document.kind.as_str()), "kind"),
            (is_language, "language"),
            (document.occurred_at.parse::<chrono::DateTime<chrono::FixedOffset>>().is_ok(), "occurred_at"),
            (ids.insert(document.id.clone()), "id, which another has"),
        ] {
            if !holds {
                wrong.push(format!("{place}: {what}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_quote_of_a_document_stands_in_its_text() {
    let mut wrong = Vec::new();
    let mut looked_at = 0;
    for (place, document) in documents() {
        let evidence = document.tasks.iter().flat_map(|task| &task.evidence).map(|evidence| evidence.quote());
        for quote in evidence.chain(document.hard_negatives.iter().map(|trap| trap.quote.as_str())) {
            looked_at += 1;
            if !document.transcript.contains(quote) {
                wrong.push(format!("{place}: {quote:.60}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(looked_at > 1_000, "{looked_at}");
}
