//! `gleaner extract`: the engine alone, without server, store or network.

use super::serve;
use crate::{
    failure::{CliError, CliResult},
    lines,
    output::Output,
    show,
};
use chrono::{DateTime, Utc};
use gleaner_extract::{Context, Document};
use gleaner_llm::{LanguageModel, LlmConfig, PromptContext, Unlimited};
use gleaner_model::{
    Item, ItemKey, JobId, MAX_TRANSCRIPT, Mention, OccurredAt, SourceType, Subject, Task, TaskId, TaskRecord, words,
};
use gleaner_worker::ExtractorKind;
use serde::Serialize;
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};
use std::{
    io::Read as _,
    panic::AssertUnwindSafe,
    path::{Path, PathBuf},
};
use tokio::runtime::Runtime;
use uuid::Uuid;

/// What to read, and what is known about it.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  gleaner extract weekly.vtt --me 'Dana Reyes' --occurred-at 2026-03-03T15:00:00-06:00
  pbpaste | gleaner extract - --source-type chat
  gleaner extract --jsonl items.jsonl > tasks.jsonl")]
pub struct ExtractArgs {
    /// The text, or `-` for stdin; with --jsonl nothing means stdin too
    #[arg(required = false, required_unless_present = "jsonl", default_value_if("jsonl", "true", "-"))]
    file: PathBuf,
    /// Who "me" is: a name, an address, or `Name <address>`
    #[arg(long, value_name = "NAME", env = "GLEANER_ME")]
    me: Option<String>,
    /// When it took place, RFC 3339 [default: now]
    #[arg(long, value_name = "TIME")]
    occurred_at: Option<OccurredAt>,
    /// meeting, call, email, chat, note or document [default: from the file's name]
    #[arg(long, value_name = "TYPE")]
    source_type: Option<SourceType>,
    /// What people call it
    #[arg(long)]
    title: Option<String>,
    /// The zone in which its dates are meant, e.g. America/Chicago
    #[arg(long, value_name = "ZONE", value_parser = zone)]
    time_zone: Option<String>,
    /// Each line is an ingest body, optionally with `subject`; each line out is its tasks, in the same order
    #[arg(long)]
    jsonl: bool,
    /// Who extracts; llm asks the model at --llm-url
    #[arg(long, env = "GLEANER_EXTRACTOR", value_enum, default_value_t = ExtractorKind::Builtin)]
    extractor: ExtractorKind,
    #[command(flatten)]
    llm: LlmConfig,
}

/// What was found in one item.
#[derive(Serialize)]
struct ExtractedItem {
    #[serde(skip_serializing_if = "Option::is_none")]
    external_id: Option<String>,
    extractor: String,
    tasks: Vec<Task>,
    /// What was left aside of the line, in the words of the API.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
}

pub fn run(args: &ExtractArgs, output: Output) -> CliResult {
    if args.jsonl {
        let received_at = Utc::now();
        let me = args.me.as_deref().map(person).unwrap_or_default();
        let (engine, threads) = (Engine::of(args)?, threads(args));
        return lines::transform(&args.file, threads, move |line| body(line, received_at, &me, &engine));
    }
    let mut members = Map::new();
    members.insert("transcript".to_owned(), json!(text(&args.file)?));
    members.insert("external_id".to_owned(), json!(external_id(&args.file)));
    let guessed = guess_source_type(&args.file);
    members.insert("source_type".to_owned(), json!(args.source_type.as_ref().map_or(guessed, SourceType::as_str)));
    if let Some(title) = &args.title {
        members.insert("title".to_owned(), json!(title));
    }
    if let Some(zone) = &args.time_zone {
        members.insert("metadata".to_owned(), json!({ "time_zone": zone }));
    }
    let occurred_at = args.occurred_at.unwrap_or_else(|| OccurredAt::utc(Utc::now()));
    members.insert("occurred_at".to_owned(), json!(occurred_at));
    let (item, _) = Item::from_json(members, Utc::now(), MAX_TRANSCRIPT)
        .map_err(|error| CliError::failed(format!("{}: {error}", args.file.display())))?;
    let found = find(&item, &args.me.as_deref().map(person).unwrap_or_default(), &Engine::of(args)?);
    if output.is_json() {
        return output.json(&ExtractedItem { external_id: None, ..found });
    }
    if found.tasks.is_empty() {
        return output.text("no tasks found");
    }
    show::found(&found.tasks, output)
}

/// One line of `--jsonl`; `me` is its subject where it names none.
fn body(line: &str, received_at: DateTime<Utc>, me: &Subject, engine: &Engine) -> Result<String, String> {
    let mut members: Map<String, Value> = serde_json::from_str(line).map_err(|error| format!("not JSON: {error}"))?;
    let subject = match members.remove("subject") {
        None | Some(Value::Null) => me.clone(),
        Some(subject) => serde_json::from_value(subject).map_err(|error| format!("/subject: {error}"))?,
    };
    let (item, warnings) = Item::from_json(members, received_at, MAX_TRANSCRIPT).map_err(|error| error.to_string())?;
    let found = std::panic::catch_unwind(AssertUnwindSafe(|| find(&item, &subject, engine)))
        .map_err(|_| "the engine gave up on this text")?;
    serde_json::to_string(&ExtractedItem { warnings, ..found }).map_err(|error| error.to_string())
}

/// The extractor: the engine, or a language model with a runtime to ask it in.
#[derive(Debug)]
enum Engine {
    Builtin,
    Llm(Box<LanguageModel>, Runtime),
}

impl Engine {
    fn of(args: &ExtractArgs) -> Result<Self, CliError> {
        match args.extractor {
            ExtractorKind::Builtin => Ok(Self::Builtin),
            ExtractorKind::Llm => {
                let model = LanguageModel::new(&args.llm).map_err(|error| CliError::usage(error.to_string()))?;
                Ok(Self::Llm(Box::new(model), serve::threads()?))
            }
        }
    }

    /// The tasks, and whose they are. Where the model fails, the builtin engine stands in and says so.
    fn extract(&self, document: &Document<'_>, context: &Context) -> (Vec<gleaner_extract::Found>, String) {
        let builtin = || gleaner_extract::extract(document, context).tasks;
        let Self::Llm(model, runtime) = self else { return (builtin(), gleaner_extract::ENGINE.to_owned()) };
        match runtime.block_on(model.extract(document, context, &PromptContext::default(), &Unlimited)).outcome {
            Ok(tasks) => (tasks.into_iter().map(|task| task.found).collect(), model.name()),
            Err(error) => {
                eprintln!("gleaner: {error}; the builtin engine stands in");
                (builtin(), format!("{} (llm unavailable)", gleaner_extract::ENGINE))
            }
        }
    }
}

/// Lines that are worked on at once: one for each core, or as many as the model may be asked at once.
fn threads(args: &ExtractArgs) -> usize {
    match args.extractor {
        ExtractorKind::Builtin => lines::cores(),
        ExtractorKind::Llm => args.llm.llm_concurrency as usize,
    }
}

/// Extracts as a worker would; everything in the answer follows from the item, so that it is the same every time.
fn find(item: &Item, subject: &Subject, engine: &Engine) -> ExtractedItem {
    let (tasks, extractor) = engine.extract(&Document::of(item), &Context::of(item, subject));
    let content = item.content_sha256();
    let job_id = JobId(derived(&item.key, &[&content]));
    let now = item.occurred_at.time.to_utc();
    let mentions = tasks.into_iter().map(|found| gleaner_worker::mention(item, &content, job_id, found));
    let tasks = mentions.filter_map(|mention| TaskRecord::new(task_id(&mention), mention, now).view(now)).collect();
    ExtractedItem { external_id: Some(item.key.external_id.to_string()), extractor, tasks, warnings: Vec::new() }
}

fn task_id(mention: &Mention) -> TaskId {
    let start = mention.quotes.first().map_or(0, |quote| quote.start);
    TaskId(derived(&mention.item, &[&mention.content_sha256, &mention.title, &start.to_string()]))
}

/// An id that follows from what it stands for.
fn derived(key: &ItemKey, parts: &[&str]) -> Uuid {
    let mut hash = Sha256::new();
    for part in [key.source_type.as_str(), key.external_id.as_str()].iter().chain(parts) {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash.finalize()[..16]);
    uuid::Builder::from_custom_bytes(bytes).into_uuid()
}

/// The text of a file or of stdin.
pub fn text(file: &Path) -> Result<String, CliError> {
    let read = if file == Path::new("-") {
        let mut text = String::new();
        std::io::stdin().lock().read_to_string(&mut text).map(|_| text)
    } else {
        std::fs::read_to_string(file)
    };
    let text = read.map_err(|error| CliError::failed(format!("cannot read {}: {error}", file.display())))?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// What an item is called that comes from a file: the file's name.
pub fn external_id(file: &Path) -> String {
    match file.file_name() {
        Some(name) if file != Path::new("-") => name.to_string_lossy().into_owned(),
        _ => "stdin".to_owned(),
    }
}

/// The kind of source that a file's name suggests: "chat" and "call" in it say so themselves, else its ending.
pub fn guess_source_type(file: &Path) -> &'static str {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
    if let Some(kind) = words(&stem).find_map(|word| ["chat", "call"].into_iter().find(|kind| *kind == word)) {
        return kind;
    }
    match file.extension().and_then(|extension| extension.to_str()).unwrap_or_default() {
        "vtt" | "srt" => "meeting",
        "eml" | "mbox" => "email",
        "md" | "markdown" | "org" => "note",
        _ => "document",
    }
}

fn zone(name: &str) -> Result<String, String> {
    let known = name.parse::<chrono_tz::Tz>();
    known.map(|_| name.to_owned()).map_err(|_| "not an IANA time zone such as America/Chicago".to_owned())
}

/// A person as people write one: `Dana Reyes`, `dana@example.com`, `Dana Reyes <dana@example.com>`.
pub fn person(text: &str) -> Subject {
    let (name, email) = match text.trim().strip_suffix('>').and_then(|text| text.split_once('<')) {
        Some((name, email)) => (name.trim(), Some(email.trim())),
        None if text.contains('@') => ("", Some(text.trim())),
        None => (text.trim(), None),
    };
    let filled = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    Subject { name: filled(name), email: email.and_then(filled), ..Subject::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_is_read_as_people_write_one() {
        let read = |text| {
            let subject = person(text);
            (subject.name.unwrap_or_default(), subject.email.unwrap_or_default())
        };
        assert_eq!(read("Dana Reyes"), ("Dana Reyes".to_owned(), String::new()));
        assert_eq!(read("dana@example.com"), (String::new(), "dana@example.com".to_owned()));
        assert_eq!(read("Dana Reyes <dana@example.com>"), ("Dana Reyes".to_owned(), "dana@example.com".to_owned()));
    }

    #[test]
    fn ids_follow_from_what_they_stand_for() {
        let key = ItemKey { source_type: "note".parse().unwrap(), external_id: "n-1".parse().unwrap() };
        assert_eq!(derived(&key, &["a", "b"]), derived(&key, &["a", "b"]));
        assert_ne!(derived(&key, &["a", "b"]), derived(&key, &["ab", ""]));
    }

    #[test]
    fn a_line_that_is_no_item_says_which_member_breaks_which_rule() {
        let error = body(
            r#"{"source_type":"Note","external_id":"","transcript":" "}"#,
            Utc::now(),
            &Subject::default(),
            &Engine::Builtin,
        )
        .unwrap_err();
        assert!(error.contains("/source_type") && error.contains("/external_id") && error.contains("/transcript"));
    }
}
