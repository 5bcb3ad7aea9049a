//! `gleaner watch` and `gleaner digest`.

use super::dev::start;
use gleaner_testkit::{
    child::ChildGuard,
    gleaner::{GleanerProcess, gleaner, stdout},
    redis::{RedisServer, free_port},
    wait::until_blocking,
};
use serde_json::Value;
use std::{collections::BTreeMap, fs, path::Path, process::Stdio, thread, time::Duration};
use tempfile::TempDir;

struct WatchSetup {
    redis: RedisServer,
    folder: TempDir,
    port: u16,
    token: String,
}

impl WatchSetup {
    fn new() -> Self {
        let redis = RedisServer::in_memory();
        let arguments = ["token", "create", "watch", "--store", "--scope", "ingest:write", "--redis-url"];
        let made = stdout(&gleaner(&arguments).arg(redis.url()).output().unwrap());
        let made: Value = serde_json::from_str(&made).unwrap();
        let token = made["token"].as_str().unwrap().to_owned();
        let place = Self { redis, folder: TempDir::new().unwrap(), port: free_port(), token };
        fs::create_dir_all(place.inbox().join("below")).unwrap();
        place
    }

    fn inbox(&self) -> std::path::PathBuf {
        self.folder.path().join("inbox")
    }

    fn api(&self) -> GleanerProcess {
        GleanerProcess::api(&self.redis.url(), self.port)
    }

    fn command(&self, arguments: &[&str]) -> std::process::Command {
        let mut command = gleaner(arguments);
        command.env("GLEANER_URL", format!("http://127.0.0.1:{}", self.port)).env("GLEANER_TOKEN", &self.token);
        command
    }

    /// A running `gleaner watch`, whose words nobody reads.
    fn watch(&self) -> ChildGuard {
        let mut command = self.command(&["watch", "--every-s", "1", "--settle-s", "0", "--state"]);
        command.arg(self.folder.path().join("state")).arg(self.inbox());
        ChildGuard::spawn(command.stdout(Stdio::null()).stderr(Stdio::null()))
    }

    /// How many jobs each item has.
    fn jobs(&self) -> BTreeMap<String, usize> {
        let (mut counts, mut cursor) = (BTreeMap::new(), String::new());
        loop {
            let mut command = self.command(&["job", "list", "--limit", "200"]);
            if !cursor.is_empty() {
                command.args(["--cursor", &cursor]);
            }
            let page: Value = serde_json::from_str(&stdout(&command.output().unwrap())).unwrap();
            for job in page["items"].as_array().unwrap() {
                *counts.entry(job["external_id"].as_str().unwrap().to_owned()).or_insert(0) += 1;
            }
            match page["next_cursor"].as_str() {
                Some(next) => cursor = next.to_owned(),
                None => return counts,
            }
        }
    }

    fn wait_for(&self, count: usize) -> BTreeMap<String, usize> {
        until_blocking(&format!("{count} files to arrive"), || Some(self.jobs()).filter(|jobs| jobs.len() >= count))
    }
}

fn drop_files(folder: &Path, numbers: std::ops::Range<usize>) {
    for n in numbers {
        let below = if n % 2 == 0 { "" } else { "below" };
        fs::write(folder.join(below).join(format!("note-{n}.md")), format!("- [ ] Order part number {n}\n")).unwrap();
    }
}

#[test]
fn a_thousand_files_arrive_once_each_while_server_and_watcher_restart() {
    let place = WatchSetup::new();
    let mut api = place.api();
    drop_files(&place.inbox(), 0..300);
    let watch = place.watch();
    place.wait_for(100);
    api.kill();
    drop_files(&place.inbox(), 300..600);
    let api = place.api();
    place.wait_for(400);
    drop(watch);
    drop_files(&place.inbox(), 600..1000);
    fs::write(place.inbox().join("unfinished.md.part"), "x").unwrap();
    let _watch = place.watch();
    let jobs = place.wait_for(1000);
    assert_eq!(jobs.len(), 1000);
    assert!(jobs.values().all(|count| *count == 1), "{:?}", jobs.iter().find(|(_, count)| **count > 1));
    assert!(jobs.contains_key("inbox/note-0.md") && jobs.contains_key("inbox/below/note-999.md"));
    drop(api);
}

#[test]
fn a_changed_file_is_sent_again_and_a_touched_or_refused_one_is_not() {
    let place = WatchSetup::new();
    let _api = place.api();
    let once = || {
        let mut command = place.command(&["watch", "--once", "--settle-s", "0", "--state"]);
        command.arg(place.folder.path().join("state")).arg(place.inbox());
        let said = stdout(&command.output().unwrap());
        said.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<Value>>()
    };
    let note = place.inbox().join("a.md");
    fs::write(&note, "- [ ] Order part A\n").unwrap();
    fs::write(place.inbox().join("blank.md"), "  \n").unwrap();
    fs::write(place.inbox().join("b.eml"), "From: a@example.com\r\nSubject: B\r\n\r\nPlease order part B.\r\n")
        .unwrap();
    let said = once();
    assert_eq!(said.len(), 3, "{said:?}");
    let refused = said.iter().find(|line| line["external_id"] == "inbox/blank.md").unwrap();
    assert!(refused["refused"].as_str().unwrap().contains("/transcript"), "{refused}");
    assert!(once().is_empty());
    thread::sleep(Duration::from_millis(20));
    fs::write(&note, "- [ ] Order part A\n").unwrap();
    assert!(once().is_empty(), "it holds what it held");
    fs::write(&note, "- [ ] Order part A\n- [ ] Order part C\n").unwrap();
    assert_eq!(once().len(), 1);
    assert_eq!(place.jobs()["inbox/a.md"], 2);
}

#[test]
fn a_digest_and_every_form_of_the_list_hold_what_was_submitted() {
    let folder = TempDir::new().unwrap();
    let dev = start(&folder.path().join("data"));
    let note = folder.path().join("note.md");
    let text = "- [ ] Dana Reyes: Send the SOW to Northwind (due 2026-03-06)\n- [ ] Priya Shah: Book the big room\n";
    fs::write(&note, text).unwrap();
    let path = note.display().to_string();
    dev.ask(&["submit", &path, "--wait", "--occurred-at", "2026-03-03T15:00:00Z"]);
    let digest = dev.ask(&["digest"]);
    assert_eq!(digest["late"][0]["title"], "Send the SOW to Northwind", "{digest}");
    assert_eq!(digest["waiting"][0]["waiting_on"], "Priya Shah", "{digest}");
    let page = stdout(&dev.run(&["digest", "--week", "--format", "html"]));
    assert!(page.contains("<h2>Late</h2>") && page.contains("Priya Shah: Book the big room"), "{page}");
    let of = |format: &str| stdout(&dev.run(&["tasks", "--format", format]));
    assert!(of("csv").starts_with("id,title,"));
    assert!(of("markdown").contains("- [ ] Priya Shah: Book the big room"), "{}", of("markdown"));
    assert_eq!(of("ics").matches("BEGIN:VTODO").count(), 2);
    assert!(of("table").contains("Northwind"));
    assert!(of("json").starts_with('{'));
}
