//! Titles of gold tasks from their own evidence: a line of `documents-*.jsonl` in, a line `{gold, title, …}` out for each of
//! its tasks, with the best that could have been chosen. With `--fit`, the weights of the choice are fitted to these
//! documents and printed, as `weights/title.txt` has them.

mod fit;
mod rouge;

use std::io::{BufRead, Write};

use gleaner_extract::Document;
use gleaner_extract::reader;
use gleaner_extract::script::Script;
use gleaner_extract::title::{FEATURES, Features, Line, TitleInput, candidates, compose};
use serde_json::{Value, json};

/// Sentences before each evidence that a title may draw on.
const CONTEXT: usize = 8;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let fitting = std::env::args().any(|arg| arg == "--fit");
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut tasks: Vec<fit::Task> = Vec::new();
    for line in std::io::stdin().lock().lines() {
        let gold: Value = serde_json::from_str(&line?)?;
        if fitting && gold["language"] != "en" {
            continue;
        }
        each(&gold, |answer, titles| {
            let wanted = answer["gold"].as_str().unwrap_or_default();
            tasks.push(titles.iter().map(|(title, features)| (*features, rouge::l(title, wanted))).collect());
            if fitting { Ok(()) } else { writeln!(out, "{answer}") }
        })?;
    }
    if fitting {
        for (name, weight) in FEATURES.iter().zip(fit::weights(&tasks)) {
            writeln!(out, "{name}\t{weight:.4}")?;
        }
    }
    Ok(())
}

type Candidates = [(String, Features)];

fn each(gold: &Value, mut take: impl FnMut(&Value, &Candidates) -> std::io::Result<()>) -> std::io::Result<()> {
    let text = gold["transcript"].as_str().unwrap_or_default();
    let document = Document { source_type: gold["source_type"].as_str().unwrap_or_default(), title: None, text };
    let transcript = reader::read(&document);
    let script = Script::of(&transcript, false);
    let tasks = gold["tasks"].as_array().map(Vec::as_slice).unwrap_or_default();
    tasks.iter().try_for_each(|task| {
        let (answer, titles) = title(gold, task, &transcript, &script);
        take(&answer, &titles)
    })
}

fn title(
    gold: &Value,
    task: &Value,
    transcript: &reader::Transcript<'_>,
    script: &Script<'_>,
) -> (Value, Vec<(String, Features)>) {
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
    let titles = candidates(&input);
    let wanted = task["title"].as_str().unwrap_or_default();
    let best = titles
        .iter()
        .map(|(title, _)| (rouge::l(title, wanted), title))
        .reduce(|best, next| if next.0 > best.0 { next } else { best });
    let answer = json!({"best": best, "candidates": titles.len(), "id": gold["id"], "language": gold["language"], "gold": task["title"], "title": compose(&input), "evidence": evidence, "owner": task["owner"],
           "context": lines.iter().filter(|line| !line.evidence).map(|line| line.text).collect::<Vec<_>>()});
    (answer, titles)
}
