//! The client's commands against a running server.

use super::dev::start;
use gleaner_testkit::{
    gleaner::{GleanerProcess, gleaner, stdout},
    redis::{RedisServer, free_port},
};
use serde_json::Value;
use std::process::Stdio;
use tempfile::TempDir;

#[test]
fn a_task_goes_from_a_file_to_done() {
    let place = TempDir::new().unwrap();
    let dev = start(&place.path().join("data"));
    let file = place.path().join("weekly.txt");
    std::fs::write(&file, "Dana: I'll send the revised SOW to Northwind by Friday.\n").unwrap();
    let file = file.display().to_string();
    let job = dev.ask(&["submit", &file, "--source-type", "meeting", "--external-id", "m-1", "--wait"]);
    assert_eq!((&job["status"], &job["external_id"]), (&"succeeded".into(), &"m-1".into()));
    let id = job["task_ids"][0].as_str().expect("a task").to_owned();
    assert_eq!(dev.ask(&["tasks", "get", &id])["id"], id.as_str());
    assert!(!dev.ask(&["tasks", "explain", &id])["reasons"].as_array().unwrap().is_empty());
    assert_eq!(dev.ask(&["done", &id])["status"], "completed");
    assert_eq!(dev.ask(&["tasks", "--status", "completed"])["items"][0]["id"], id.as_str());
    assert_eq!(dev.ask(&["done", "--reopen", &id])["status"], "open");
    assert_eq!(dev.ask(&["feedback", &id, "up", "--reason", "important"])["rating"], "up");
    assert_eq!(dev.ask(&["feedback", &id, "down", "--reason", "not_important"])["rating"], "down");
    assert_eq!(dev.ask(&["job", "list"])["items"].as_array().unwrap().len(), 1);
    assert_eq!(dev.ask(&["job"]), dev.ask(&["job", "list"]));
    assert_eq!(dev.ask(&["job", job["job_id"].as_str().unwrap()])["external_id"], "m-1");
    stdout(&dev.run(&["item", "erase", "meeting", "m-1"]));
    assert_eq!(dev.run(&["tasks", "get", &id]).status.code(), Some(1), "the task went with its only item");
}

#[test]
fn a_check_tells_of_a_server_and_waits_as_long_as_it_is_told_for_one_that_is_yet_to_come() {
    let place = TempDir::new().unwrap();
    let address = format!("127.0.0.1:{}", free_port());
    let check = |retry_for: &str| {
        let mut command = gleaner(&["check", "--retry-for", retry_for]);
        command.env("GLEANER_URL", format!("http://{address}")).stdout(Stdio::piped());
        command
    };
    assert_eq!(check("0").output().unwrap().status.code(), Some(1), "nobody listens there");
    let waiting = check("90").spawn().unwrap();
    let mut command =
        gleaner(&["dev", "--json", "--listen", &address, "--admin-listen", "127.0.0.1:0", "--log", "off"]);
    command.arg("--data-dir").arg(place.path());
    let mut server = GleanerProcess::start(command);
    server.line();
    let told: Value = serde_json::from_str(&stdout(&waiting.wait_with_output().unwrap())).unwrap();
    assert_eq!(told["healthy"], true, "{told}");
}

#[test]
fn many_files_are_sent_at_once_and_reported_one_a_line() {
    let place = TempDir::new().unwrap();
    let dev = start(&place.path().join("data"));
    let files: Vec<_> = (0..20)
        .map(|n| {
            let path = place.path().join(format!("note-{n}.md"));
            std::fs::write(&path, format!("- [ ] Order part number {n}\n")).unwrap();
            path.display().to_string()
        })
        .collect();
    let mut arguments = vec!["submit", "--wait"];
    arguments.extend(files.iter().map(String::as_str));
    let lines = stdout(&dev.run(&arguments));
    let jobs: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(jobs.iter().map(|job| job["file"].as_str().unwrap()).collect::<Vec<_>>(), files);
    assert!(jobs.iter().all(|job| job["status"] == "succeeded"), "{lines}");
}

#[test]
fn the_mails_of_a_mailbox_are_items_of_their_own_and_a_word_document_is_one() {
    let place = TempDir::new().unwrap();
    let dev = start(&place.path().join("data"));
    let mail = |n: u32| {
        format!(
            "From dana@example.com Tue Mar  3 15:0{n}:00 2026\nFrom: Dana Reyes <dana@example.com>\nTo: sam@example.com\n\
             Subject: Part {n}\nDate: Tue, 3 Mar 2026 15:0{n}:00 +0000\nMessage-ID: <part-{n}@example.com>\n\n\
             Please order part number {n} by Friday.\n>From the shop, I mean.\n\n"
        )
    };
    let archive = place.path().join("archive.mbox");
    std::fs::write(&archive, (1..=3).map(mail).collect::<String>()).unwrap();
    let word = place.path().join("weekly.docx");
    std::fs::write(&word, include_bytes!("../api/weekly.docx")).unwrap();
    let files = [archive.display().to_string(), word.display().to_string()];
    let lines = stdout(&dev.run(&["submit", "--wait", &files[0], &files[1]]));
    let mut ids: Vec<String> = lines
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["external_id"].as_str().unwrap().to_owned())
        .collect();
    ids.sort();
    assert_eq!(ids, ["part-1@example.com", "part-2@example.com", "part-3@example.com", "weekly.docx"], "{lines}");
    let tasks = dev.ask(&["tasks"])["items"].to_string();
    assert!(tasks.contains("I\u{2019}ll send the revised SOW to Northwind"), "{tasks}");
    std::fs::write(&archive, "no mailbox\n").unwrap();
    assert_eq!(dev.run(&["submit", &files[0]]).status.code(), Some(2), "nothing to send is an error");
    let named = dev.run(&["submit", &files[0], "--external-id", "x"]);
    assert_eq!(named.status.code(), Some(2));
}

#[test]
fn a_server_that_is_not_there_is_named_with_what_to_do() {
    let output = gleaner(&["tasks", "--url", "http://127.0.0.1:1", "--token", "x"]).output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(errors.lines().count() == 1 && errors.contains("gleaner dev"), "{errors}");
    let no_token = gleaner(&["tasks", "--url", "http://gleaner.invalid"]).output().unwrap();
    assert_eq!(no_token.status.code(), Some(2));
    let empty = gleaner(&["tasks", "--url", "http://gleaner.invalid", "--token", ""]).output().unwrap();
    assert_eq!(empty.stderr, no_token.stderr, "an empty token is none");
}

#[test]
fn the_first_token_is_written_into_the_store_without_a_server() {
    let redis = RedisServer::in_memory();
    let arguments =
        ["token", "create", "first", "--store", "--tenant", "team-a", "--scope", "tokens:write", "--redis-url"];
    let made = stdout(&gleaner(&arguments).arg(redis.url()).output().unwrap());
    let made: Value = serde_json::from_str(&made).unwrap();
    let mut command = gleaner(&["api", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"]);
    command.env("GLEANER_REDIS_URL", redis.url());
    let (_api, url) = GleanerProcess::serving(command);
    let token = made["token"].as_str().unwrap();
    let me = gleaner(&["token", "me", "--url", &url, "--token", token]).output().unwrap();
    let me: Value = serde_json::from_str(&stdout(&me)).unwrap();
    assert_eq!((&me["tenant"], &me["token_id"]), (&"team-a".into(), &made["token_id"]));
}
