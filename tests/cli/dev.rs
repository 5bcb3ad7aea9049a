//! `gleaner dev`: one command, a data directory, nothing left behind.

use gleaner_testkit::{
    api,
    gleaner::{GleanerProcess, gleaner, stdout},
    wait::until_blocking,
};
use serde_json::{Value, json};
use std::{
    net::{SocketAddr, TcpStream},
    os::unix::fs::PermissionsExt as _,
    path::Path,
    process::Output,
    thread,
    time::Duration,
};
use tempfile::TempDir;

/// A running `gleaner dev` and what it said of itself.
pub struct Dev {
    pub process: GleanerProcess,
    pub url: String,
    pub token: String,
}

/// Starts one on a data directory, at a free port.
pub fn start(folder: &Path) -> Dev {
    start_with(folder, &[])
}

/// The same with further arguments.
pub fn start_with(folder: &Path, arguments: &[&str]) -> Dev {
    let mut command = gleaner(&["dev", "--json", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"]);
    command.args(["--log", "off", "--me", "Dana Reyes", "--data-dir"]).arg(folder).args(arguments);
    let mut process = GleanerProcess::start(command);
    let line = process.line();
    let greeting: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("no greeting: {line:?}"));
    let text = |member: &str| greeting[member].as_str().unwrap().to_owned();
    Dev { process, url: text("url"), token: text("token") }
}

impl Dev {
    /// Runs a command against it.
    pub fn run(&self, arguments: &[&str]) -> Output {
        gleaner(arguments).env("GLEANER_URL", &self.url).env("GLEANER_TOKEN", &self.token).output().unwrap()
    }

    /// What a command answers.
    #[track_caller]
    pub fn ask(&self, arguments: &[&str]) -> Value {
        serde_json::from_str(&stdout(&self.run(arguments))).unwrap()
    }
}

/// Where the redis-server of a data directory listens.
fn redis_address(folder: &Path) -> SocketAddr {
    let settings = std::fs::read_to_string(folder.join("redis/redis.conf")).unwrap();
    let port = settings.lines().find_map(|line| line.strip_prefix("port ")).unwrap();
    format!("127.0.0.1:{port}").parse().unwrap()
}

/// Waits until nobody listens there any more.
fn gone(address: SocketAddr) {
    until_blocking(&format!("nobody to listen on {address}"), || TcpStream::connect(address).err());
}

fn notes(folder: &Path) -> String {
    let path = folder.join("weekly.txt");
    std::fs::write(&path, "Dana: I'll send the revised SOW to Northwind by Friday.\n").unwrap();
    path.display().to_string()
}

#[test]
fn data_and_token_outlive_a_restart_and_ctrl_c_leaves_nothing_behind() {
    let place = TempDir::new().unwrap();
    let folder = place.path().join("data");
    let mut first = start(&folder);
    let job = first.ask(&["submit", &notes(place.path()), "--source-type", "meeting", "--wait"]);
    assert_eq!(job["status"], "succeeded", "{job}");
    let tasks = first.ask(&["tasks"]);
    assert_eq!(tasks["items"].as_array().unwrap().len(), job["task_ids"].as_array().unwrap().len());
    assert_eq!(std::fs::metadata(folder.join("token")).unwrap().permissions().mode() & 0o777, 0o600);
    let redis = redis_address(&folder);
    first.process.signal("-INT");
    assert!(first.process.ended().success());
    gone(redis);
    let second = start(&folder);
    assert_eq!(second.token, first.token);
    assert_eq!(second.ask(&["tasks"])["items"], tasks["items"]);
}

#[test]
fn a_killed_process_takes_its_redis_server_with_it() {
    let place = TempDir::new().unwrap();
    let mut first = start(place.path());
    let job = first.ask(&["submit", &notes(place.path()), "--wait"]);
    let redis = redis_address(place.path());
    first.process.kill();
    gone(redis);
    let second = start(place.path());
    assert_eq!(second.ask(&["job", "get", job["job_id"].as_str().unwrap()])["status"], "succeeded");
}

#[test]
fn a_data_directory_serves_one_process_at_a_time() {
    let place = TempDir::new().unwrap();
    let _first = start(place.path());
    let second = gleaner(&["dev", "--listen", "127.0.0.1:0", "--data-dir"]).arg(place.path()).output().unwrap();
    assert_eq!(second.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&second.stderr).contains("--data-dir"));
}

#[test]
fn a_machine_without_a_redis_server_is_told_what_to_install() {
    let place = TempDir::new().unwrap();
    let mut command = gleaner(&["dev", "--listen", "127.0.0.1:0", "--log", "off", "--data-dir"]);
    let output = command.arg(place.path()).env("PATH", place.path()).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(errors.contains("apt-get install redis-server") && errors.lines().count() == 1, "{errors}");
}

#[test]
fn the_token_works_for_everything_the_command_line_does() {
    let place = TempDir::new().unwrap();
    let dev = start(place.path());
    assert_eq!(dev.ask(&["token", "me"])["subject"]["name"], "Dana Reyes");
    let made = dev.ask(&["token", "create", "bot", "--scope", "tasks:read"]);
    assert!(made["token"].as_str().unwrap().starts_with("gln_"));
    stdout(&dev.run(&["token", "revoke", made["token_id"].as_str().unwrap()]));
    let refused = gleaner(&["tasks", "--url", &dev.url, "--token", made["token"].as_str().unwrap()]).output().unwrap();
    assert_eq!(refused.status.code(), Some(1));
    assert_eq!(dev.ask(&["tasks", "--limit", "1"])["items"], json!([]));
}

#[test]
fn the_samples_show_what_is_found_in_each_kind_of_text() {
    let place = TempDir::new().unwrap();
    // As `make run ARGS=--samples` has it: one of them is given by itself too.
    let weekly = concat!(env!("CARGO_MANIFEST_DIR"), "/../samples/weekly.vtt");
    let dev = start_with(place.path(), &["--samples", "--ingest", weekly]);
    let wanted =
        ["Northwind", "badges", "warehouse", "pilot contract", "incident", "test suite", "launch party", "old dumps"];
    let foreign = ["Angebot", "invitations", "factura", "招待状"];
    let mut titles = Vec::new();
    for _ in 0..600 {
        titles = api::titles(&dev.ask(&["tasks", "--limit", "100"]));
        let named = |word: &&str| titles.iter().any(|title: &String| title.contains(*word));
        if wanted.iter().chain(&foreign).all(named) {
            return;
        }
        thread::sleep(Duration::from_millis(100));
    }
    panic!("some samples gave nothing: {titles:#?}");
}
