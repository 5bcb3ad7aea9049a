//! Scores the engine: `eval DATA` prints every figure, and trains anew for those that are cross-validated; `--errors` lists
//! each miss on the documents, `--weights DIR` takes weights from a folder instead of the built-in ones, `--documents` and `--series` print the figures of those alone, `--aside` takes those
//! series of our own that nobody should tune by.

use anyhow::{Context as _, Result};
use gleaner_eval::data::{self, GoldDocument, Meeting};
use gleaner_eval::records::Records;
use gleaner_eval::series::{Series, Strangers, of};
use gleaner_eval::train::{Data, train};
use gleaner_eval::{corpora, expressions, extract, story};
use gleaner_extract::weights::Weights;
use std::path::{Path, PathBuf};

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let has = |flag: &str| args.iter().any(|arg| arg == flag);
    let folder = args.first().map(PathBuf::from).context("name the folder of the labelled data: eval DATA")?;
    let own = args.iter().position(|arg| arg == "--weights").and_then(|at| args.get(at + 1));
    let weights = gleaner_eval::weights(own.map(Path::new))?;
    let documents: Vec<GoldDocument> = data::read(&folder, "documents-dev.jsonl")?;
    let talk: Vec<GoldDocument> = data::read(&folder, "talk-dev.jsonl.gz")?;
    let folder_of_own = Path::new(env!("CARGO_MANIFEST_DIR")).join("documents");
    let own: Vec<GoldDocument> = data::read(&folder_of_own, "aside.jsonl")?;
    let fresh: Vec<GoldDocument> = data::read(&folder_of_own, "fresh.jsonl")?;
    let short: Vec<GoldDocument> = data::read(&folder_of_own, "short-aside.jsonl")?;
    if !has("--series") {
        println!("documents-dev\n{}", score(&documents, &weights, has("--errors"))?);
        println!("talk-dev\n{}", score(&talk, &weights, has("--errors"))?);
        for (name, own) in
            [("our own, kept aside", &own), ("written after training", &fresh), ("short texts, kept aside", &short)]
        {
            println!("{name}\n{}", score(own, &weights, false)?);
            for language in languages(own) {
                let some: Vec<GoldDocument> = own.iter().filter(|one| one.language == language).cloned().collect();
                println!("{name} {language}, {} documents\n{}", some.len(), score(&some, &weights, false)?);
            }
        }
    }
    println!("documents-dev, series\n{}", series(&of(&documents), &weights, has("--errors"))?);
    let strangers = Strangers::of(&documents, &weights, &mut |error| tell(has("--errors"), &error))?;
    let Strangers { documents, tasks, merged, completed } = strangers;
    println!("{documents} unrelated documents, {tasks} tasks: {merged} mentions merged, {completed} of them as done");
    let aside = has("--aside");
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join(if aside { "series/aside" } else { "series" });
    let stories = story::read_all(&own)?;
    let stories: Vec<Vec<&GoldDocument>> = stories.iter().map(|story| story.iter().collect()).collect();
    let name = if aside { "series of our own, kept aside" } else { "series of our own" };
    println!("{name}\n{}", series(&stories, &weights, has("--errors") && !aside)?);
    if !has("--documents") && !has("--series") {
        meetings(&folder, &weights)?;
        println!("dates  {}", expressions::score(&folder)?);
        trained_anew(&folder, &weights)?;
    }
    Ok(())
}

/// Trains, prints what is cross-validated on the way, and says whether the same weights come out.
fn trained_anew(folder: &Path, weights: &Weights) -> Result<()> {
    println!("trained anew, cross-validated:");
    let trained = train(&Data::read(folder)?)?;
    for line in &trained.report {
        println!("  {line}");
    }
    let same = trained.weights.files() == weights.files();
    println!(
        "  weights {}",
        if same { "the same, bit for bit" } else { "NOT the same: is this the data they came from?" }
    );
    Ok(())
}

fn series(all: &[Vec<&GoldDocument>], weights: &Weights, errors: bool) -> Result<Series> {
    let mut series = Series::default();
    for documents in all {
        series.add(documents, weights, &mut |error| tell(errors, &error))?;
    }
    Ok(series)
}

fn tell(errors: bool, error: &str) {
    if errors {
        println!("{error}");
    }
}

/// The languages of documents.
fn languages(documents: &[GoldDocument]) -> Vec<String> {
    let mut all: Vec<String> = documents.iter().map(|document| document.language.clone()).collect();
    all.sort();
    all.dedup();
    all
}

fn score(documents: &[GoldDocument], weights: &Weights, errors: bool) -> Result<Records> {
    let mut records = Records::default();
    for document in documents {
        records.add(document, &extract(document, weights)?, &mut |error| tell(errors, &error));
    }
    Ok(records)
}

fn meetings(folder: &Path, weights: &Weights) -> Result<()> {
    let read = |name| data::read::<Meeting>(folder, name);
    let (precision, recall, f1) = corpora::utterances(&read("ami.jsonl.gz")?, weights)?;
    println!("AMI (seen in training), utterances  P {precision:.3}  R {recall:.3}  F1 {f1:.3}");
    let (found, owner) = corpora::marked(&read("w3c_marked.jsonl.gz")?, weights)?;
    println!("W3C, marked lines  found {found:.3}  owner {owner:.3}");
    let (precision, recall, f1) = corpora::unmarked(&read("w3c.jsonl.gz")?, weights)?;
    println!("W3C, unmarked  P {precision:.3}  R {recall:.3}  one-to-one F1 {f1:.3}");
    let (precision, recall, f1) = corpora::mails(&data::read(folder, "email.jsonl.gz")?, weights)?;
    println!("mail sentences (seen in training)  P {precision:.3}  R {recall:.3}  F1 {f1:.3}");
    Ok(())
}
