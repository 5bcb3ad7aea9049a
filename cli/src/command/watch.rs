//! `gleaner watch`: what lands in folders goes to a server, each file once, and again when it changes.

use crate::{
    client::{ApiClient, ServerAnswer, ServerArgs, refused},
    failure::{CliError, CliResult},
    original::{Original, is_mail},
    output::Output,
    watch::{
        folder::{FileStamp, WatchedFile, WatchedFolder, milliseconds},
        state::{FileState, WatchState},
    },
};
use chrono::{DateTime, SecondsFormat, Utc};
use futures::{StreamExt as _, stream};
use gleaner_model::SourceType;
use reqwest::StatusCode;
use serde_json::json;
use sha2::{Digest as _, Sha256};
use std::{
    collections::{BTreeSet, HashMap},
    path::PathBuf,
    pin::pin,
    time::{Duration, Instant, SystemTime},
};
use tokio::{
    io::AsyncReadExt as _,
    signal::unix::{SignalKind, signal},
};

/// Requests under way at once.
const MAX_CONCURRENT: usize = 4;
/// Longest wait before a file is tried again, in seconds.
const MAX_WAIT_S: u64 = 60;
/// How often a file is tried at one look.
const MAX_ATTEMPTS: u32 = 8;
/// Longest file that is read, in bytes: more than any server takes.
const MAX_FILE: u64 = 64 << 20;

/// Which folders to follow.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  gleaner watch ~/Zoom --source-type meeting --metadata time_zone=America/Chicago
  gleaner watch inbox notes --once            what is there now, for a cron job")]
pub struct WatchArgs {
    #[command(flatten)]
    remote: ServerArgs,
    /// The folders, with all below
    #[arg(required = true)]
    folders: Vec<PathBuf>,
    /// meeting, call, email, chat, note, document or another word [default: from each file's name]
    #[arg(long, value_name = "TYPE")]
    source_type: Option<SourceType>,
    /// Anything else about every file, such as participant='Dana Reyes'; may be given several times
    #[arg(long, value_name = "KEY=VALUE", value_parser = super::submit::pair)]
    metadata: Vec<(String, String)>,
    /// Endings of the files that are sent
    #[arg(long, value_delimiter = ',', default_value = "vtt,srt,txt,md,markdown,eml,docx,pdf")]
    extensions: Vec<String>,
    /// Where to keep what was sent
    #[arg(long, env = "GLEANER_WATCH_STATE", default_value = ".gleaner/watch", value_name = "FILE")]
    state: PathBuf,
    /// Seconds between two looks at the folders
    #[arg(long, default_value_t = 2, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=3600))]
    every_s: u64,
    /// Seconds for which a file must have stayed as it is before it is sent
    #[arg(long, default_value_t = 2, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(0..=3600))]
    settle_s: u64,
    /// Send what is there now, and end
    #[arg(long)]
    once: bool,
}

/// What became of a file.
enum UploadOutcome {
    /// The server has it, as that job.
    Accepted(String),
    /// The server does not want it.
    Refused(String),
    /// It holds what was sent before.
    Before,
}

/// Runs the command until it is told to end.
pub async fn run(args: WatchArgs, output: Output) -> CliResult {
    let client = ApiClient::new(&args.remote)?;
    let folders = args.folders.iter().map(|path| WatchedFolder::new(path)).collect::<Result<Vec<_>, _>>()?;
    let mut names = BTreeSet::new();
    if let Some(twice) = folders.iter().find(|folder| !names.insert(folder.name().to_owned())) {
        let name = twice.name();
        return Err(CliError::usage(format!("two folders are called {name}, and their files would be the same items")));
    }
    let mut watch = FolderWatcher { client, state: WatchState::open(&args.state)?, seen: HashMap::new(), args, output };
    let mut end = signal(SignalKind::terminate())
        .map_err(|error| CliError::failed(format!("cannot wait for the signal to end: {error}")))?;
    loop {
        let step = async {
            watch.look(&folders).await?;
            if !watch.args.once {
                tokio::time::sleep(Duration::from_secs(watch.args.every_s)).await;
            }
            Ok::<_, CliError>(())
        };
        tokio::select! {
            done = step => done?,
            // What is under way is sent again the next time; the server knows it by its content.
            _ = end.recv() => return Ok(()),
            _ = tokio::signal::ctrl_c() => return Ok(()),
        }
        if watch.args.once {
            return Ok(());
        }
    }
}

struct FolderWatcher {
    client: ApiClient,
    state: WatchState,
    /// Files that changed, as they were at the last look, and since when they are so.
    seen: HashMap<String, (FileStamp, Instant)>,
    args: WatchArgs,
    output: Output,
}

impl FolderWatcher {
    /// Looks through the folders and sends what is new or changed and has come to rest.
    async fn look(&mut self, folders: &[WatchedFolder]) -> CliResult {
        let found: Vec<_> = folders.iter().flat_map(|folder| folder.files(&self.args.extensions)).collect();
        let mut ready = Vec::new();
        let mut moving = HashMap::new();
        for file in found.into_iter().filter(|file| self.is_news(file)) {
            if self.is_at_rest(&file) {
                ready.push(file);
            } else {
                let since = self.since(&file).unwrap_or_else(Instant::now);
                moving.insert(file.external_id, (file.look, since));
            }
        }
        self.seen = moving;
        self.send(ready).await
    }

    fn is_news(&self, file: &WatchedFile) -> bool {
        file.look.size > 0 && self.state.known(&file.external_id).is_none_or(|known| known.look != file.look)
    }

    /// Whether it was written long enough ago, or has been as it is for as long: another machine's clock may be wrong.
    fn is_at_rest(&self, file: &WatchedFile) -> bool {
        let settle = Duration::from_secs(self.args.settle_s);
        let age = milliseconds(SystemTime::now()).saturating_sub(file.look.modified_ms);
        Duration::from_millis(age) >= settle || self.since(file).is_some_and(|since| since.elapsed() >= settle)
    }

    /// Since when it is as it is, as far as was looked.
    fn since(&self, file: &WatchedFile) -> Option<Instant> {
        self.seen.get(&file.external_id).filter(|(look, _)| *look == file.look).map(|(_, since)| *since)
    }

    /// Sends some at a time, and remembers each as soon as the server has it.
    async fn send(&mut self, files: Vec<WatchedFile>) -> CliResult {
        let Self { client, state, args, output, .. } = self;
        let known = |file: WatchedFile| {
            let before = state.known(&file.external_id).map(|known| known.sha256.clone());
            (file, before)
        };
        let files: Vec<_> = files.into_iter().map(known).collect();
        let sending = stream::iter(files).map(|(file, before)| one(client, args, file, before));
        let mut results = pin!(sending.buffer_unordered(MAX_CONCURRENT));
        let mut left = 0;
        while let Some((file, outcome)) = results.next().await {
            match outcome? {
                Some((known, sent)) => {
                    print(*output, &file, &sent)?;
                    state.remember(&file.external_id, known)?;
                }
                None => left += 1,
            }
        }
        match left {
            0 => Ok(()),
            _ if !args.once => Ok(()),
            left => Err(CliError::failed(format!("{left} files could not be read or sent; run it again"))),
        }
    }
}

fn print(output: Output, file: &WatchedFile, sent: &UploadOutcome) -> CliResult {
    let id = &file.external_id;
    match sent {
        UploadOutcome::Before => Ok(()),
        UploadOutcome::Accepted(job) if output.is_json() => output.json(&json!({"external_id": id, "job_id": job})),
        UploadOutcome::Accepted(_) => output.text(format!("sent {}", id.escape_debug())),
        UploadOutcome::Refused(why) if output.is_json() => output.json(&json!({"external_id": id, "refused": why})),
        UploadOutcome::Refused(why) => output.text(format!("refused {}: {why}", id.escape_debug())),
    }
}

/// Sends one file, unless it holds what was sent before. `None` where it has to be tried again at the next look.
///
/// # Errors
/// When the server lets nobody in with this token: no other file would fare better.
async fn one(
    client: &ApiClient,
    args: &WatchArgs,
    file: WatchedFile,
    before: Option<String>,
) -> (WatchedFile, Result<SendAttempt, CliError>) {
    let Some(bytes) = read(&file).await else { return (file, Ok(None)) };
    let sha256 = format!("{:x}", Sha256::digest(&bytes));
    let known = |refused| FileState { look: file.look, sha256: sha256.clone(), refused };
    if before.as_ref() == Some(&sha256) {
        let known = known(None);
        return (file, Ok(Some((known, UploadOutcome::Before))));
    }
    let written = DateTime::<Utc>::from_timestamp_millis(i64::try_from(file.look.modified_ms).unwrap_or_default());
    let written = written.filter(|_| !is_mail(&file.path)).map(|time| time.to_rfc3339_opts(SecondsFormat::Secs, true));
    let original = Original::new(&file.path, bytes, args.source_type.as_ref(), &file.external_id)
        .with("occurred_at", written)
        .with_metadata(&args.metadata);
    let tried = submitted(client, &original).await.map(|sent| {
        let sent = sent?;
        let refused = if let UploadOutcome::Refused(why) = &sent { Some(why.clone()) } else { None };
        Some((known(refused), sent))
    });
    (file, tried)
}

/// What is to be remembered of a file, and what became of it.
type SendAttempt = Option<(FileState, UploadOutcome)>;

/// The file's bytes, if it can be read and did not change meanwhile.
async fn read(file: &WatchedFile) -> Option<Vec<u8>> {
    if file.look.size > MAX_FILE {
        // Its beginning alone: the server says how long a file may be.
        let mut bytes = Vec::new();
        let mut reader = tokio::fs::File::open(&file.path).await.ok()?.take(MAX_FILE);
        reader.read_to_end(&mut bytes).await.ok()?;
        return Some(bytes);
    }
    let bytes = tokio::fs::read(&file.path).await.ok()?;
    (u64::try_from(bytes.len()) == Ok(file.look.size)).then_some(bytes)
}

/// Submits, again while the server is away or has no room. `None` where that lasts.
async fn submitted(client: &ApiClient, original: &Original) -> Result<Option<UploadOutcome>, CliError> {
    let mut wait = 1;
    for _ in 0..MAX_ATTEMPTS {
        match client.send(original.request(client)).await {
            Ok(answer) if is_full(&answer) => wait = answer.retry_after_s.unwrap_or(wait * 2),
            Ok(answer) if answer.status.is_success() => {
                let job = answer.body["job_id"].as_str().unwrap_or_default();
                return Ok(Some(UploadOutcome::Accepted(job.to_owned())));
            }
            Ok(answer) if matches!(answer.status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) => {
                return Err(refused(&answer));
            }
            Ok(answer) if answer.status.is_client_error() => {
                return Ok(Some(UploadOutcome::Refused(refused(&answer).to_string())));
            }
            // A fault of the server, or nobody there.
            Ok(_) | Err(_) => wait *= 2,
        }
        wait = wait.clamp(1, MAX_WAIT_S);
        tokio::time::sleep(Duration::from_secs(wait)).await;
    }
    eprintln!("gleaner: the server takes nothing; it is tried again");
    Ok(None)
}

fn is_full(answer: &ServerAnswer) -> bool {
    matches!(answer.status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE)
}
