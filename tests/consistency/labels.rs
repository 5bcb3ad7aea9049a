//! Our own labelled documents: a sentence that is quoted stands in its text, word for word.

use super::text;
use serde_json::Value;

/// The texts under a member of each entry: a list of texts, or of objects with a `quote`.
fn quotes(entry: &Value, member: &str) -> Vec<String> {
    let quotes = entry[member].as_array().into_iter().flatten();
    quotes.map(|quote| quote.as_str().or(quote["quote"].as_str()).unwrap().to_owned()).collect()
}

#[test]
fn every_quote_of_a_document_stands_in_its_text() {
    let mut wrong = Vec::new();
    let mut looked_at = 0;
    for path in ["extract/eval/documents/train.jsonl", "extract/eval/documents/aside.jsonl"] {
        for line in text(path).lines() {
            let document: Value = serde_json::from_str(line).unwrap();
            let transcript = document["transcript"].as_str().unwrap();
            let evidence = document["tasks"].as_array().into_iter().flatten().flat_map(|task| quotes(task, "evidence"));
            for quote in evidence.chain(quotes(&document, "hard_negatives")) {
                looked_at += 1;
                if !transcript.contains(&quote) {
                    wrong.push(format!("{path}: {}: {quote:.60}", document["id"]));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(looked_at > 1_000, "{looked_at}");
}
