//! A large model's answers, recorded, over real HTTP: what is made of them, in figures (`make eval EXTRACTOR=llm` prints them).

use crate::support::{
    gleaner::{run, stdout},
    model::{Answer, Model},
};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use std::{
    collections::{BTreeSet, HashMap},
    fmt::Write as _,
    ops::Range,
};

/// What the answers are worth at least: detection, tasks with owner, day, side and status right, share of traps fallen into.
const WORTH: [f64; 3] = [0.94, 0.86, 0.05];

/// Pairs of a gold task and one found, and what else there was.
#[derive(Debug, Default)]
struct Tally {
    gold: usize,
    found: usize,
    pairs: usize,
    whole: usize,
    traps: usize,
    fallen: usize,
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_models_answers_are_worth_what_the_page_says() {
    let answers: HashMap<String, String> = lines(include_str!("../recordings/answers.jsonl"))
        .map(|line| (line["key"].as_str().unwrap().to_owned(), line["content"].as_str().unwrap().to_owned()))
        .collect();
    let model = Model::start_with(move |body| match answers.get(&key(body)) {
        Some(content) => Answer::Says(content.clone()),
        None => Answer::Status(400),
    })
    .await;
    let documents: Vec<Value> = lines(include_str!("../recordings/documents.jsonl")).collect();
    let items: String = documents.iter().fold(String::new(), |mut items, document| {
        _ = writeln!(items, "{}", document["item"]);
        items
    });
    let output = tokio::task::spawn_blocking(move || {
        let url = model.url();
        let flags = ["extract", "--extractor", "llm", "--llm-url", &url, "--llm-model", "recorded", "--jsonl", "-"];
        run(&flags, &items)
    });
    let mut tally = Tally::default();
    for (document, found) in documents.iter().zip(lines(&stdout(&output.await.unwrap()))) {
        assert_eq!(found["extractor"], "llm/recorded", "{}: its question has changed", found["external_id"]);
        tally.add(document, found["tasks"].as_array().unwrap());
    }
    let detection = tally.f1(tally.pairs);
    let (whole, fallen) = (tally.f1(tally.whole), tally.fallen as f64 / tally.traps as f64);
    println!("detection F1 {detection:.3}, record F1 {whole:.3}, trap rate {fallen:.3}: {tally:?}");
    assert!(detection >= WORTH[0] && whole >= WORTH[1] && fallen <= WORTH[2], "{detection} {whole} {fallen}");
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

impl Tally {
    fn add(&mut self, document: &Value, found: &[Value]) {
        let text = document["item"]["transcript"].as_str().unwrap();
        let gold = document["tasks"].as_array().unwrap();
        let places: Vec<Vec<Range<usize>>> = found.iter().map(spans).collect();
        let mut alike: Vec<(usize, usize, usize)> = Vec::new();
        for (g, task) in gold.iter().enumerate() {
            let quotes: Vec<_> = strings(&task["evidence"]).flat_map(|quote| places_of(quote, text)).collect();
            for (p, spans) in places.iter().enumerate() {
                if spans.iter().any(|one| quotes.iter().any(|other| meet(one, other))) {
                    alike.push((shared(&task["title"], &found[p]["title"]), g, p));
                }
            }
        }
        alike.sort_by_key(|(shared, g, p)| (std::cmp::Reverse(*shared), *g, *p));
        let (mut of_gold, mut of_found) = (BTreeSet::new(), BTreeSet::new());
        for (_, g, p) in alike {
            if !of_gold.contains(&g) && !of_found.contains(&p) {
                of_gold.insert(g);
                of_found.insert(p);
                self.whole += usize::from(is_right(&gold[g], &found[p], &document["item"]["subject"]));
            }
        }
        (self.gold, self.found, self.pairs) =
            (self.gold + gold.len(), self.found + found.len(), self.pairs + of_gold.len());
        for trap in strings(&document["hard_negatives"]) {
            self.traps += 1;
            let there = places_of(trap, text);
            let wrong = places.iter().enumerate().filter(|(p, _)| !of_found.contains(p));
            let fell = wrong.flat_map(|(_, spans)| spans).any(|one| there.iter().any(|other| meet(one, other)));
            self.fallen += usize::from(fell);
        }
    }

    fn f1(&self, right: usize) -> f64 {
        2.0 * right as f64 / (self.gold + self.found) as f64
    }
}

fn strings(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str)
}

/// Places in characters.
fn spans(task: &Value) -> Vec<Range<usize>> {
    let at = |quote: &Value, end: &str| quote[end].as_u64().unwrap() as usize;
    task["evidence"].as_array().unwrap().iter().map(|quote| at(quote, "start")..at(quote, "end")).collect()
}

fn places_of(quote: &str, text: &str) -> Vec<Range<usize>> {
    let length = quote.chars().count();
    let starts = text.match_indices(quote).map(|(byte, _)| text[..byte].chars().count());
    starts.map(|start| start..start + length).collect()
}

/// Whether two stretches share half of the shorter one.
fn meet(one: &Range<usize>, other: &Range<usize>) -> bool {
    let common = one.end.min(other.end).saturating_sub(one.start.max(other.start));
    common * 2 >= one.len().min(other.len()) && common > 0
}

fn words(text: &Value) -> BTreeSet<String> {
    let text = text.as_str().unwrap_or_default().to_lowercase();
    text.split(|one: char| !one.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

fn shared(one: &Value, other: &Value) -> usize {
    words(one).intersection(&words(other)).count()
}

/// Whether owner, day, side and status are right.
fn is_right(gold: &Value, found: &Value, me: &Value) -> bool {
    let (wanted, owner) = (words(&gold["owner"]), words(&found["owner"]["name"]));
    let mine: Vec<_> = strings(&me["aliases"]).map(|name| words(&json!(name))).chain([words(&me["name"])]).collect();
    let same =
        wanted.is_subset(&owner) || owner.is_subset(&wanted) || (mine.contains(&wanted) && mine.contains(&owner));
    wanted.is_empty() == owner.is_empty()
        && same
        && gold["due"] == found["due"]["date"]
        && gold["waiting_on"].as_bool() == Some(found["waiting_on"].is_string())
        && gold["status"] == found["status"]
}
