//! `gleaner dev`: everything on this machine, with a redis-server of its own.

use super::{extract, serve, submit, tasks};
use crate::{
    client::{ApiClient, ServerArgs},
    dev::{folder::DataFolder, redis::DevRedis, samples},
    failure::{CliError, CliResult},
    output::Output,
};
use chrono::Utc;
use gleaner_model::{PlainToken, ScopeSet, TenantId};
use gleaner_runtime::{
    Shutdown, ShutdownConfig,
    admin::{self, AdminConfig},
    log::{self, LogConfig},
    otlp::Exporter,
};
use gleaner_store::{Credential, Origin, Store, StoreConfig};
use prometheus_client::registry::Registry;
use serde_json::json;
use std::{
    net::{Ipv4Addr, SocketAddr},
    num::NonZeroUsize,
    path::PathBuf,
    sync::{Arc, OnceLock},
    time::Duration,
};

/// The admin port where nothing else is said and nobody else has it.
const ADMIN: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 9090);

/// How to run everything.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:
  gleaner dev
  gleaner dev --listen 127.0.0.1:9000 --data-dir /srv/gleaner --me 'Dana Reyes <dana@example.com>'
  gleaner dev --ingest weekly.vtt minutes.md
  gleaner dev --samples")]
pub struct DevArgs {
    /// Threads that extract [default: one for each core]
    #[arg(long, value_name = "N")]
    workers: Option<NonZeroUsize>,
    /// Where data and the token lie; they outlive a restart
    #[arg(long, env = "GLEANER_DATA_DIR", default_value = ".gleaner", value_name = "FOLDER")]
    data_dir: PathBuf,
    /// Who the token speaks for: a name, an address, or `Name <address>`
    #[arg(long, env = "GLEANER_ME", value_name = "NAME")]
    me: Option<String>,
    /// Submit these files once it serves, and print the tasks found
    #[arg(long, num_args = 1.., value_name = "FILE")]
    ingest: Vec<PathBuf>,
    /// Submit the samples that come with the program: meetings, calls, mails, chats and notes
    #[arg(long)]
    samples: bool,
    /// The redis-server or valkey-server to run [default: the one on PATH]
    #[arg(long, env = "GLEANER_REDIS_SERVER", value_name = "PROGRAM")]
    redis_server: Option<PathBuf>,
    /// Address of the admin port [default: 127.0.0.1:9090, or a free one]
    #[arg(long, env = "GLEANER_ADMIN_LISTEN", value_name = "ADDRESS")]
    admin_listen: Option<SocketAddr>,
    #[command(flatten)]
    api: gleaner_api::ApiConfig,
    #[command(flatten)]
    worker: gleaner_worker::WorkerConfig,
    #[command(flatten)]
    shutdown: ShutdownConfig,
    #[command(flatten)]
    log: LogConfig,
}

/// Where it serves, and for whom.
struct Serving {
    url: String,
    admin: SocketAddr,
    token: PlainToken,
    token_file: PathBuf,
}

/// Starts the three processes with a redis-server of their own, and serves until Ctrl-C.
pub fn run(args: DevArgs, json: bool) -> CliResult {
    let exporter = log::init(&args.log, "gleaner").map_err(|error| CliError::usage(error.to_string()))?;
    let threads = serve::threads()?;
    let outcome = threads.block_on(everything(args, exporter, json));
    threads.shutdown_timeout(Duration::from_secs(1));
    outcome
}

async fn everything(mut args: DevArgs, exporter: Option<Exporter>, json: bool) -> CliResult {
    args.worker.targets = args.api.targets.clone();
    args.worker.worker_threads = args.workers.or(args.worker.worker_threads);
    let folder = DataFolder::take(&args.data_dir)?;
    if args.samples {
        let samples = samples::write(&folder.samples())?;
        // A file is an item by its name.
        let new = |sample: &PathBuf| args.ingest.iter().all(|given| given.file_name() != sample.file_name());
        let samples: Vec<PathBuf> = samples.into_iter().filter(new).collect();
        args.ingest.extend(samples);
    }
    let shutdown = Shutdown::on_signals(&args.shutdown)
        .map_err(|error| CliError::failed(format!("cannot listen for signals: {error}")))?;
    if let Some(exporter) = exporter {
        shutdown.spawn(exporter.run(shutdown.clone()));
    }
    let mut redis = DevRedis::start(args.redis_server.as_deref(), &folder.redis()).await?;
    let url = redis.url();
    let outcome = tokio::select! {
        outcome = serve_until_stopped(&args, &url, &folder, &shutdown, json) => outcome,
        failure = redis.lost() => Err(failure),
    };
    shutdown.stop();
    shutdown.finished().await;
    // Last, because the others talk to it until they have ended.
    let stopped = redis.stop().await;
    outcome.and(stopped)
}

async fn serve_until_stopped(
    args: &DevArgs,
    redis: &str,
    folder: &DataFolder,
    shutdown: &Shutdown,
    json: bool,
) -> CliResult {
    let token = folder.token()?;
    let store = Store::connect(&StoreConfig::at(redis)).await.map_err(|error| CliError::failed(error.to_string()))?;
    store
        .put_credential(&credential(&token, args.me.as_deref()))
        .await
        .map_err(|error| CliError::failed(error.to_string()))?;
    let (address, admin) = start(args, store, shutdown).await?;
    let serving = Serving { url: format!("http://{address}"), admin, token, token_file: folder.token_file() };
    greet(&serving, json)?;
    if !args.ingest.is_empty() {
        tokio::select! {
            ingested = ingest(&args.ingest, &serving) => {
                if let Err(failure) = ingested {
                    tracing::error!(error = %failure, "Cannot show what is in the files; serving all the same");
                }
            }
            () = shutdown.stopping() => {}
        }
    }
    shutdown.finished().await;
    Ok(())
}

/// Starts the parts; returns where the API and the admin port listen.
async fn start(args: &DevArgs, store: Store, shutdown: &Shutdown) -> Result<(SocketAddr, SocketAddr), CliError> {
    let mut registry = Registry::default();
    let (api, worker) = (gleaner_api::ApiMetrics::default(), gleaner_worker::WorkerMetrics::default());
    api.register(&mut registry);
    worker.register(&mut registry);
    let admin = admin_port(args, registry, store.clone(), worker.clone(), shutdown).await?;
    gleaner_worker::start(&args.worker, store.clone(), worker, shutdown)
        .await
        .map_err(|error| CliError::failed(error.to_string()))?;
    let config = gleaner_api::ApiConfig { pdf_reader: std::env::current_exe().ok(), ..args.api.clone() };
    let address = gleaner_api::start(config, store, api, shutdown).await.map_err(|error| {
        CliError::failed(format!("cannot listen on {}: {error}; name another address with --listen", args.api.listen))
    })?;
    Ok((address, admin))
}

async fn admin_port(
    args: &DevArgs,
    registry: Registry,
    store: Store,
    queue: gleaner_worker::WorkerMetrics,
    shutdown: &Shutdown,
) -> Result<SocketAddr, CliError> {
    let registry = Arc::new(registry);
    let place = Arc::new(OnceLock::from(store));
    let listen = |admin_listen: SocketAddr| {
        let probe = serve::StoreProbe::new(place.clone(), Some(queue.clone()));
        let registry = registry.clone();
        async move { admin::start(&AdminConfig { admin_listen }, registry, probe, shutdown).await }
    };
    let wanted = args.admin_listen.unwrap_or(ADMIN);
    let first = listen(wanted).await;
    let address = match (first, args.admin_listen) {
        (Err(_), None) => listen(SocketAddr::new(ADMIN.ip(), 0)).await,
        (first, _) => first,
    };
    address.map_err(|error| {
        CliError::failed(format!("cannot listen on {wanted}: {error}; name another address with --admin-listen"))
    })
}

/// What the token in the data directory allows: everything, for the default tenant.
fn credential(token: &PlainToken, me: Option<&str>) -> Credential {
    Credential {
        hash: token.hash(),
        token_id: token.id(),
        tenant: TenantId::default(),
        name: Some("dev".to_owned()),
        subject: me.map(extract::person).unwrap_or_default(),
        scopes: ScopeSet::all(),
        created_at: Utc::now(),
        expires_at: None,
        suspended: false,
        last_used_at: None,
        made_by: None,
        origin: Origin::Store,
    }
}

fn greet(serving: &Serving, json: bool) -> CliResult {
    let Serving { url, admin, token, token_file } = serving;
    let output = Output::for_people();
    if json {
        return output.json(&json!({
            "url": url,
            "admin_url": format!("http://{admin}"),
            "token": token.expose(),
            "token_file": token_file,
        }));
    }
    output.text(format!("Gleaner serves on {url}"))?;
    output.text(format!("token              {}", token.expose()))?;
    output.text(format!("                   (kept in {})", token_file.display()))?;
    output.text(format!("metrics and health http://{admin}"))
}

/// Submits files, waits for them, prints what was found and what to try next.
async fn ingest(files: &[PathBuf], serving: &Serving) -> CliResult {
    let output = Output::for_people();
    let remote = ServerArgs::new(&serving.url, serving.token.expose());
    let client = ApiClient::new(&remote)?;
    submit::and_wait(&client, files).await?;
    output.text("")?;
    tasks::list_all(&client, output).await?;
    let program = std::env::args().next().unwrap_or_else(|| "gleaner".to_owned());
    let (url, file) = (&serving.url, serving.token_file.display());
    output.text("\nTry next, in another terminal:")?;
    output.text(format!("  export GLEANER_URL={url} GLEANER_TOKEN=$(cat {file})"))?;
    output.text(format!("  {program} tasks --sort priority"))?;
    output.text(format!("  {program} submit YOUR-NOTES.md --wait"))?;
    output.text(format!("  curl -H \"Authorization: Bearer $GLEANER_TOKEN\" '{url}/tasks?q=budget'"))?;
    output.text("\nCtrl-C ends it; the data stay.")
}
