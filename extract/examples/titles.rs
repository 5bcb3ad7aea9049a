//! Titles of gold tasks from their own evidence: a line of `documents-*.jsonl` in, a line `{gold, title, language}` out for
//! each of its tasks.

use std::io::{BufRead, Write};

use gleaner_extract::Document;
use gleaner_extract::reader;
use gleaner_extract::script::Script;
use gleaner_extract::title::{Line, TitleInput, compose};
use serde_json::{Value, json};

/// Sentences before each evidence that a title may draw on.
const CONTEXT: usize = 3;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {
        let gold: Value = serde_json::from_str(&line?)?;
        for answer in titles(&gold) {
            writeln!(out, "{answer}")?;
        }
    }
    Ok(())
}

fn titles(gold: &Value) -> Vec<Value> {
    let text = gold["transcript"].as_str().unwrap_or_default();
    let document = Document { source_type: gold["source_type"].as_str().unwrap_or_default(), title: None, text };
    let transcript = reader::read(&document);
    let script = Script::of(&transcript);
    let tasks = gold["tasks"].as_array().map(Vec::as_slice).unwrap_or_default();
    tasks.iter().map(|task| title(gold, task, &transcript, &script)).collect()
}

fn title(gold: &Value, task: &Value, transcript: &reader::Transcript<'_>, script: &Script<'_>) -> Value {
    let text = gold["transcript"].as_str().unwrap_or_default();
    let quotes: Vec<&str> = task["evidence"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let spans: Vec<_> = quotes.iter().filter_map(|quote| text.find(quote).map(|at| at..at + quote.len())).collect();
    let proves = |index: usize| {
        script
            .lines(transcript, index)
            .iter()
            .any(|line| spans.iter().any(|span| line.start < span.end && span.start < line.end))
    };
    let evidence: Vec<usize> = (0..script.sentences.len()).filter(|index| proves(*index)).collect();
    let wanted = |index: &usize| evidence.iter().any(|at| *index <= *at && at - index <= CONTEXT);
    let lines: Vec<Line<'_>> = (0..script.sentences.len())
        .filter(wanted)
        .map(|index| Line {
            text: script.sentences[index].text,
            speaker: script.sentences[index].speaker.map(|number| script.speakers[number as usize]),
            evidence: evidence.contains(&index),
        })
        .collect();
    let input = TitleInput {
        lines: &lines,
        owner: task["owner"].as_str(),
        names: &script.speakers,
        language: gold["language"].as_str().unwrap_or_default(),
    };
    let evidence: Vec<&str> = lines.iter().filter(|line| line.evidence).map(|line| line.text).collect();
    json!({"id": gold["id"], "language": gold["language"], "gold": task["title"], "title": compose(&input), "evidence": evidence, "owner": task["owner"],
           "context": lines.iter().filter(|line| !line.evidence).map(|line| line.text).collect::<Vec<_>>()})
}
