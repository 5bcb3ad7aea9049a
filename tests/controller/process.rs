//! The controller, and an API that issues tokens as resources, as processes: this test binary, run again for the one
//! test that is the process.

use clap::Parser as _;
use gleaner_controller::{ControllerConfig, ControllerMetrics};
use gleaner_runtime::{
    Shutdown, ShutdownConfig,
    admin::{self, AdminConfig, ReadinessProbe},
    log::{self, LogConfig},
};
use gleaner_store::{Store, StoreConfig};
use gleaner_testkit::child::{ChildGuard, cpu_seconds, memory_mib};
use prometheus_client::registry::Registry;
use std::{
    fs::File,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Arc,
    time::Duration,
};

#[derive(clap::Parser)]
struct Settings<C: clap::Args> {
    #[command(flatten)]
    own: C,
    #[command(flatten)]
    store: StoreConfig,
    #[command(flatten)]
    log: LogConfig,
    #[command(flatten)]
    admin: AdminConfig,
    #[command(flatten)]
    shutdown: ShutdownConfig,
}

/// Names the file that a process writes its address into.
const ADDRESS_FILE: &str = "GLEANER_TEST_ADDRESS_FILE";

struct Alive;

impl ReadinessProbe for Alive {
    async fn ready(&self) -> Result<(), String> {
        Ok(())
    }
}

#[tokio::test]
#[ignore = "this is the controller's process, which the other tests start"]
async fn the_controllers_process() {
    let Some(address_file) = std::env::var_os(ADDRESS_FILE) else { return };
    let settings = Settings::<ControllerConfig>::parse_from(["controller"]);
    log::init(&settings.log, "gleaner-controller").unwrap();
    let shutdown = Shutdown::on_signals(&settings.shutdown).unwrap();
    let store = connect(&settings.store).await;
    let (metrics, mut registry) = (ControllerMetrics::default(), Registry::default());
    metrics.register(&mut registry);
    let address = admin::start(&settings.admin, Arc::new(registry), Alive, &shutdown).await.unwrap();
    std::fs::write(address_file, address.to_string()).unwrap();
    if let Err(error) = gleaner_controller::run(settings.own, store, metrics, shutdown).await {
        tracing::error!(%error, "The controller gives up");
        std::process::exit(1);
    }
}

#[tokio::test]
#[ignore = "this is the API's process, which the other tests start"]
async fn the_apis_process() {
    let Some(address_file) = std::env::var_os(ADDRESS_FILE) else { return };
    let settings = Settings::<gleaner_api::ApiConfig>::parse_from(["api"]);
    log::init(&settings.log, "gleaner-api").unwrap();
    let shutdown = Shutdown::on_signals(&settings.shutdown).unwrap();
    let store = connect(&settings.store).await;
    let metrics = gleaner_api::ApiMetrics::default();
    let address = gleaner_api::start(settings.own, store, metrics, &shutdown).await.unwrap();
    std::fs::write(address_file, address.to_string()).unwrap();
    shutdown.finished().await;
}

/// Tries until the store answers: a process that ends because its store is late is started again elsewhere.
async fn connect(config: &StoreConfig) -> Store {
    loop {
        match Store::connect(config).await {
            Ok(store) => return store,
            Err(error) => tracing::warn!(%error, "No store yet"),
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// Which process to start.
#[derive(Clone, Copy)]
pub enum ProcessRole {
    Controller,
    Api,
}

/// A running controller, or API.
pub struct ControlProcess {
    child: ChildGuard,
    address: PathBuf,
}

impl ControlProcess {
    /// Starts one whose output goes to `log`, with these settings.
    pub fn start(role: ProcessRole, folder: &Path, name: &str, settings: &[(String, String)]) -> Self {
        let output = File::options().create(true).append(true).open(folder.join(format!("{name}.log"))).unwrap();
        let address = folder.join(format!("{name}.address"));
        let _ = std::fs::remove_file(&address);
        let test = match role {
            ProcessRole::Controller => "process::the_controllers_process",
            ProcessRole::Api => "process::the_apis_process",
        };
        let mut command = Command::new(std::env::current_exe().unwrap());
        command
            .args(["--exact", test, "--ignored", "--nocapture"])
            .envs(settings.iter().map(|(key, value)| (key, value)))
            .env(ADDRESS_FILE, &address)
            .stdin(Stdio::null())
            .stdout(output.try_clone().unwrap())
            .stderr(output);
        Self { child: ChildGuard::spawn(&mut command), address }
    }

    /// Where it serves, once it does: a controller its metrics, an API everything.
    pub fn address(&self) -> Option<std::net::SocketAddr> {
        std::fs::read_to_string(&self.address).ok()?.parse().ok()
    }

    /// Memory that it holds, in MiB.
    pub fn memory_mib(&self) -> u64 {
        memory_mib(self.child.id(), "VmRSS:").unwrap()
    }

    /// Processor time that it has used, in seconds.
    pub fn cpu_seconds(&self) -> f64 {
        cpu_seconds(self.child.id())
    }

    /// Whether it has ended by itself, as by a failpoint.
    pub fn has_died(&mut self) -> bool {
        self.child.ended().is_some()
    }

    /// Ends it as a crash would.
    pub fn kill(&mut self) {
        self.child.kill();
    }

    /// Stops it in the middle of whatever it does.
    pub fn freeze(&self) {
        self.child.signal("-STOP");
    }

    /// Lets it go on.
    pub fn thaw(&self) {
        self.child.signal("-CONT");
    }

    /// Asks it to end, and waits until it has.
    pub fn stop(&mut self) {
        self.child.signal("-TERM");
        self.child.wait();
    }
}
