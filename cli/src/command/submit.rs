//! `gleaner submit`: content on its way to a server, many files at once.

use super::{extract, job};
use crate::{
    client::{ApiClient, ServerArgs, refused},
    failure::{CliError, CliResult},
    original::{Original, goes_as_original},
    output::{Output, faint, number, plain, warm},
    show,
};
use comfy_table::Cell;
use futures::{StreamExt as _, stream};
use gleaner_model::{JobId, OccurredAt, SourceType};
use indicatif::{ProgressBar, ProgressStyle};
use mail_parser::mailbox::mbox::{Message, MessageIterator};
use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::{Map, Value, json};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs::File,
    io::{self, BufReader},
    path::{Path, PathBuf},
    time::Duration,
};

/// Requests under way at once.
const MAX_CONCURRENT: usize = 8;
/// How often a submission is repeated that the server has no room for just then.
const MAX_ATTEMPTS: u32 = 20;

/// Options of `gleaner submit`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  gleaner submit weekly.vtt --occurred-at 2026-03-03T15:00:00-06:00 --wait
  gleaner submit *.vtt --wait
  gleaner submit archive.mbox
  gleaner submit --jsonl items.jsonl
  pbpaste | gleaner submit - --source-type chat --external-id thread-9")]
pub struct SubmitArgs {
    #[command(flatten)]
    remote: ServerArgs,
    /// Texts, or `-` for stdin; with --jsonl files whose lines are ingest bodies, or nothing for stdin
    #[arg(required_unless_present = "jsonl", default_value_if("jsonl", "true", "-"))]
    files: Vec<PathBuf>,
    #[command(flatten)]
    about: FileMetadata,
    /// The lines of the files are ingest bodies
    #[arg(long, conflicts_with_all = ["source_type", "external_id", "title", "occurred_at", "metadata"])]
    jsonl: bool,
    /// Wait until the jobs have ended
    #[arg(long)]
    wait: bool,
    /// Seconds to wait for one job
    #[arg(long, default_value_t = 600, value_name = "SECONDS")]
    wait_s: u64,
}

/// What is known about the files.
#[derive(clap::Args, Debug, Default)]
struct FileMetadata {
    /// meeting, call, email, chat, note, document or another word [default: from the file's name]
    #[arg(long, value_name = "TYPE")]
    source_type: Option<SourceType>,
    /// The item's id in your own system; for one file only [default: the file's name]
    #[arg(long, value_name = "ID")]
    external_id: Option<String>,
    /// What people call it
    #[arg(long)]
    title: Option<String>,
    /// When it took place, RFC 3339 [default: when the server receives it]
    #[arg(long, value_name = "TIME")]
    occurred_at: Option<OccurredAt>,
    /// Anything else, such as participant='Dana Reyes' or time_zone=America/Chicago; may be given several times
    #[arg(long, value_name = "KEY=VALUE", value_parser = pair)]
    metadata: Vec<(String, String)>,
}

/// One submission on its way.
struct Upload {
    label: String,
    body: Body,
}

enum Body {
    Json(Value),
    Original(Original),
}

impl Body {
    fn request(&self, client: &ApiClient) -> RequestBuilder {
        match self {
            Self::Json(body) => client.request(Method::POST, &["ingest", "items"]).json(body),
            Self::Original(file) => file.request(client),
        }
    }
}

pub async fn run(args: SubmitArgs, output: Output) -> CliResult {
    let client = ApiClient::new(&args.remote)?;
    let uploads = if args.jsonl { lines(&args.files)? } else { files(&args.files, &args.about)? };
    let wait_limit = args.wait.then(|| Duration::from_secs(args.wait_s));
    let results = send(&client, uploads, wait_limit).await;
    report(&results, output)?;
    let failed = results.iter().filter(|(_, result)| !result.as_ref().is_ok_and(is_fine)).count();
    match (failed, results.as_slice()) {
        (0, _) => Ok(()),
        (_, [(_, Err(failure))]) => Err(CliError::failed(failure.to_string())),
        (failed, results) => {
            Err(CliError::failed(format!("{failed} of {} did not succeed; send those again", results.len())))
        }
    }
}

/// Sends everything, some at a time, in order; with `wait_limit` waits for each job to end.
async fn send(
    client: &ApiClient,
    uploads: Vec<Upload>,
    wait_limit: Option<Duration>,
) -> Vec<(String, Result<Value, CliError>)> {
    let bar = &progress(uploads.len());
    let results = stream::iter(uploads)
        .map(|upload| async move {
            let result = one(client, &upload.body, wait_limit).await;
            bar.inc(1);
            (upload.label, result)
        })
        .buffered(MAX_CONCURRENT)
        .collect()
        .await;
    bar.finish_and_clear();
    results
}

/// Sends the files and waits for their jobs: what `gleaner dev --ingest` does.
pub async fn and_wait(client: &ApiClient, paths: &[PathBuf]) -> CliResult {
    let uploads = files(paths, &FileMetadata::default())?;
    for (label, result) in send(client, uploads, Some(Duration::from_secs(60))).await {
        let job = result?;
        if !is_fine(&job) {
            return Err(CliError::failed(format!("{label} did not succeed; `gleaner job list` says why")));
        }
    }
    Ok(())
}

/// Sends one submission; waits and repeats while the server has no room. Repeating is safe: the same content is the
/// same job.
async fn one(client: &ApiClient, body: &Body, wait_limit: Option<Duration>) -> Result<Value, CliError> {
    for _ in 0..MAX_ATTEMPTS {
        let answer = client.send(body.request(client)).await?;
        match (answer.status, wait_limit) {
            (StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE, _) => {
                tokio::time::sleep(Duration::from_secs(answer.retry_after_s.unwrap_or(1).min(60))).await;
            }
            (status, Some(wait_limit)) if status.is_success() => {
                return job::ended(client, job_id(&answer.body)?, wait_limit).await;
            }
            (status, None) if status.is_success() => return Ok(answer.body),
            _ => return Err(refused(&answer)),
        }
    }
    Err(CliError::failed("the server has had no room for a long time; try again later"))
}

fn job_id(body: &Value) -> Result<JobId, CliError> {
    show::text(body, "job_id")
        .parse()
        .map_err(|_| CliError::failed("the server named no job; use a client of the server's version"))
}

fn is_fine(job: &Value) -> bool {
    show::text(job, "status") != "failed"
}

fn files(paths: &[PathBuf], about: &FileMetadata) -> Result<Vec<Upload>, CliError> {
    if about.external_id.is_some() && paths.len() > 1 {
        return Err(CliError::usage("--external-id names one item; leave it out for several files"));
    }
    let mut known = BTreeSet::new();
    let (mailboxes, paths): (Vec<_>, Vec<_>) = paths.iter().partition(|path| is_mailbox(path));
    let alone = paths.into_iter().map(|path| {
        let external_id = about.external_id.clone().unwrap_or_else(|| extract::external_id(path));
        if !known.insert(external_id.clone()) {
            return Err(CliError::usage(format!(
                "two files are called {external_id} and would be one item; send them apart, with --external-id"
            )));
        }
        Ok(vec![Upload { label: path.display().to_string(), body: body(path, external_id, about)? }])
    });
    let uploads: Vec<Vec<Upload>> =
        alone.chain(mailboxes.into_iter().map(|path| mailbox(path, about))).collect::<Result<_, _>>()?;
    Ok(uploads.into_iter().flatten().collect())
}

fn is_mailbox(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("mbox"))
}

/// The mails of a mailbox, an item each: they say themselves what they are.
fn mailbox(path: &Path, about: &FileMetadata) -> Result<Vec<Upload>, CliError> {
    if about.external_id.is_some() || about.title.is_some() || about.occurred_at.is_some() {
        return Err(CliError::usage(
            "the mails of a mailbox say themselves what they are called and when they were sent",
        ));
    }
    let unreadable = |error| CliError::failed(format!("cannot read {}: {error}", path.display()));
    let file = BufReader::new(File::open(path).map_err(unreadable)?);
    let upload = |(number, mail): (usize, io::Result<Message>)| {
        let original = Original::mail(mail.map_err(unreadable)?.unwrap_contents())
            .with("source_type", about.source_type.as_ref().map(|kind| kind.as_str().to_owned()))
            .with_metadata(&about.metadata);
        Ok(Upload { label: format!("{}, mail {number}", path.display()), body: Body::Original(original) })
    };
    let uploads: Vec<Upload> = (1..).zip(MessageIterator::new(file)).map(upload).collect::<Result<_, CliError>>()?;
    if uploads.is_empty() {
        let path = path.display();
        return Err(CliError::usage(format!("{path} holds no mail: each begins with a line \"From …\" in a mailbox")));
    }
    Ok(uploads)
}

fn body(path: &Path, external_id: String, about: &FileMetadata) -> Result<Body, CliError> {
    if goes_as_original(path) {
        return original(path, &external_id, about);
    }
    let guessed = extract::guess_source_type(path);
    let mut body = Map::new();
    body.insert("source_type".to_owned(), json!(about.source_type.as_ref().map_or(guessed, SourceType::as_str)));
    body.insert("external_id".to_owned(), json!(external_id));
    body.insert("transcript".to_owned(), json!(extract::text(path)?));
    if let Some(title) = &about.title {
        body.insert("title".to_owned(), json!(title));
    }
    if let Some(time) = &about.occurred_at {
        body.insert("occurred_at".to_owned(), json!(time));
    }
    if !about.metadata.is_empty() {
        let metadata: BTreeMap<_, _> = about.metadata.iter().cloned().collect();
        body.insert("metadata".to_owned(), json!(metadata));
    }
    Ok(Body::Json(Value::Object(body)))
}

/// A mail, Word document or PDF goes as it is: the server finds the text in it.
fn original(path: &Path, external_id: &str, about: &FileMetadata) -> Result<Body, CliError> {
    let bytes =
        std::fs::read(path).map_err(|error| CliError::failed(format!("cannot read {}: {error}", path.display())))?;
    let original = Original::new(path, bytes, about.source_type.as_ref(), external_id)
        .with("title", about.title.clone())
        .with("occurred_at", about.occurred_at.as_ref().map(ToString::to_string))
        .with_metadata(&about.metadata);
    Ok(Body::Original(original))
}

fn lines(paths: &[PathBuf]) -> Result<Vec<Upload>, CliError> {
    let mut uploads = Vec::new();
    for path in paths {
        for (number, line) in extract::text(path)?.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let label = format!("{}:{}", path.display(), number + 1);
            let body = serde_json::from_str(line).map_err(|error| CliError::failed(format!("{label}: {error}")))?;
            uploads.push(Upload { label, body: Body::Json(body) });
        }
    }
    Ok(uploads)
}

/// One object a line for programs, one row a submission for people.
fn report(results: &[(String, Result<Value, CliError>)], output: Output) -> CliResult {
    if output.is_json() {
        let records = results.iter().map(|(label, result)| match result {
            Ok(Value::Object(job)) => {
                let mut record = job.clone();
                record.insert("file".to_owned(), json!(label));
                Value::Object(record)
            }
            Ok(other) => other.clone(),
            Err(failure) => json!({ "file": label, "error": { "code": "not-sent", "message": failure.to_string() } }),
        });
        return records.into_iter().try_for_each(|record| output.json(&record));
    }
    let rows = results.iter().map(|(label, result)| row(label, result));
    output.table(&["FILE", "STATUS", "TASKS", "JOB"], rows.collect())
}

fn row(label: &str, result: &Result<Value, CliError>) -> Vec<Cell> {
    let (status, tasks, id) = match result {
        Err(failure) => (warm(failure), plain(""), faint("")),
        Ok(job) => {
            let status = if is_fine(job) { plain(show::text(job, "status")) } else { warm("failed") };
            let tasks = job["tasks_extracted"].as_u64().map(|count| count.to_string());
            (status, number(tasks.unwrap_or_default()), faint(show::text(job, "job_id")))
        }
    };
    vec![plain(label), status, tasks, id]
}

/// Shown on a terminal only, and only where there is something to wait for.
fn progress(count: usize) -> ProgressBar {
    if count < 2 {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(count as u64);
    match ProgressStyle::with_template("{bar:30} {pos}/{len} {eta}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Reads `KEY=VALUE`; what stands behind the first `=` is the value.
pub fn pair(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("write it as key=value")?;
    Ok((key.trim().to_owned(), value.to_owned()))
}
