//! A large model's answers, recorded, over real HTTP: what is made of them, in figures (`make eval EXTRACTOR=llm` prints them).

use gleaner_eval::{
    data::{self, GoldDocument},
    records::Records,
};
use gleaner_extract::{Found, Quote};
use gleaner_testkit::{
    gleaner::{run, stdout},
    model::{FakeModel, ModelAnswer},
};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use std::{collections::HashMap, fmt::Write as _, path::Path};

/// What the answers are worth at least: detection, tasks with owner, day, side and status right, share of traps fallen into.
const DOCUMENTS: [f64; 3] = [0.94, 0.86, 0.05];
/// The same of natural meetings.
const TALK: [f64; 3] = [0.75, 0.55, 0.05];

#[tokio::test(flavor = "multi_thread")]
async fn a_large_models_answers_are_worth_what_the_page_says() {
    assert_worth("documents", &documents(), &[], DOCUMENTS).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_natural_meetings_too() {
    let Ok(folder) = std::env::var("GLEANER_TEST_DATA") else {
        eprintln!(
            "SKIPPED: natural meetings were not read. GLEANER_TEST_DATA names the folder that holds talk-dev.jsonl.gz."
        );
        return;
    };
    let meetings = data::read(Path::new(&folder), "talk-dev.jsonl.gz").unwrap();
    assert_worth("natural meetings", &meetings, &["--llm-context-tokens", "32768"], TALK).await;
}

async fn assert_worth(name: &str, documents: &[GoldDocument], flags: &[&str], least: [f64; 3]) {
    let records = read(documents, flags).await;
    println!("{name}: {records}");
    let ((detection, record), trapped) = (records.f1(), records.trap_rate());
    assert!(detection >= least[0] && record >= least[1] && trapped <= least[2], "{detection} {record} {trapped}");
}

/// What `gleaner extract` makes of the recorded answers.
async fn read(documents: &[GoldDocument], flags: &[&str]) -> Records {
    let model = recorded().await;
    let items: String = documents.iter().fold(String::new(), |mut items, document| {
        _ = writeln!(items, "{}", submission(document));
        items
    });
    let url = model.url();
    let fixed = ["extract", "--extractor", "llm", "--llm-url", &url, "--llm-model", "recorded", "--jsonl", "-"];
    let flags: Vec<String> = fixed.iter().chain(flags).map(|flag| (*flag).to_owned()).collect();
    let output = tokio::task::spawn_blocking(move || {
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        run(&flags, &items)
    });
    let output = stdout(&output.await.unwrap());
    let mut records = Records::default();
    for (document, line) in documents.iter().zip(lines(&output)) {
        assert_eq!(line["extractor"], "llm/recorded", "{}: its question has changed", document.id);
        let found: Vec<Found> = line["tasks"].as_array().unwrap().iter().map(found).collect();
        records.add(document, &found, &mut |_| {});
    }
    records
}

/// The development documents.
pub fn documents() -> Vec<GoldDocument> {
    lines(include_str!("../recordings/documents.jsonl")).map(|line| serde_json::from_value(line).unwrap()).collect()
}

/// A document as it is submitted, with who "me" is.
pub fn submission(document: &GoldDocument) -> Value {
    let me = &document.me;
    json!({
        "source_type": document.source_type, "external_id": document.id, "occurred_at": document.occurred_at,
        "title": document.title, "transcript": document.transcript, "metadata": document.metadata,
        "subject": { "name": me.name, "email": me.email, "aliases": me.aliases },
    })
}

/// A model that says what was recorded, and nothing to other questions.
pub async fn recorded() -> FakeModel {
    let answers: HashMap<String, String> = lines(include_str!("../recordings/answers.jsonl"))
        .map(|line| (line["key"].as_str().unwrap().to_owned(), line["content"].as_str().unwrap().to_owned()))
        .collect();
    FakeModel::start_with(move |body| match answers.get(&key(body)) {
        Some(content) => ModelAnswer::Says(content.clone()),
        None => ModelAnswer::Status(400),
    })
    .await
}

fn lines(text: &str) -> impl Iterator<Item = Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap())
}

/// As `endpoint.py` reckons it.
fn key(body: &Value) -> String {
    let digest = Sha256::digest(body["messages"].to_string());
    digest.iter().take(12).fold(String::new(), |mut key, byte| {
        _ = write!(key, "{byte:02x}");
        key
    })
}

/// A task as it is printed, for the scorer.
fn found(task: &Value) -> Found {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let place = |value: &Value| value.as_u64().unwrap() as usize;
    let quote = |quote: &Value| Quote {
        text: text(&quote["quote"]).unwrap(),
        start: place(&quote["start"]),
        end: place(&quote["end"]),
        speaker: None,
        at_s: None,
    };
    let owner = text(&task["owner"]["name"]);
    Found {
        title: text(&task["title"]).unwrap(),
        is_me: owner.is_some() && task["waiting_on"].is_null(),
        owner,
        due: serde_json::from_value(task["due"].clone()).unwrap(),
        status: serde_json::from_value(task["status"].clone()).unwrap(),
        urgency: serde_json::from_value(task["urgency"].clone()).unwrap(),
        confidence: task["confidence"].as_f64().unwrap(),
        explicit: false,
        evidence: task["evidence"].as_array().unwrap().iter().map(quote).collect(),
        reasons: Vec::new(),
        signals: Default::default(),
        shift: 0.0,
        moved_days: 0,
    }
}
