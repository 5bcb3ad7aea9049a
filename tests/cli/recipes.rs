//! The recipes do what they say: their commands, pasted as they stand on the page.

use super::dev::{Dev, start_with};
use gleaner_testkit::{
    api::titles,
    gleaner::binary,
    receiver::Receiver,
    redis::free_port,
    wait::{LIMIT, until_blocking},
};
use serde_json::{Value, json};
use std::{
    fs,
    io::{BufRead as _, BufReader, Write as _},
    net::{TcpListener, TcpStream},
    os::unix::process::CommandExt as _,
    path::PathBuf,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, SystemTime},
};
use tempfile::TempDir;

const PAGE: &str = include_str!("../../docs/recipes.md");
/// What lets webhooks go to a relay on this machine.
const LOCAL: [&str; 3] = ["--webhook-allow-cidrs", "127.0.0.0/8", "--webhook-allow-http"];

/// A place where somebody pastes recipes.
struct RecipeShell {
    folder: TempDir,
    dev: Dev,
}

/// What a recipe left running; it ends with the test.
struct Left(Child);

impl Drop for Left {
    fn drop(&mut self) {
        let _ = Command::new("kill").args(["-KILL", "--", &format!("-{}", self.0.id())]).status();
        let _ = self.0.wait();
    }
}

impl RecipeShell {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let dev = start_with(&folder.path().join("data"), &LOCAL);
        Self { folder, dev }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, script: &str, settings: &[(&str, &str)]) -> Command {
        let mut command = Command::new("bash");
        let path = format!("{}:{}", binary().parent().unwrap().display(), std::env::var("PATH").unwrap());
        command.args(["-c", &format!("set -euo pipefail\n{script}")]).current_dir(self.folder.path());
        command.env("PATH", path).env("GLEANER_URL", &self.dev.url).env("GLEANER_TOKEN", &self.dev.token);
        command.envs(settings.iter().copied());
        command
    }

    /// Pastes a script that ends; what it says.
    #[track_caller]
    fn paste(&self, script: &str, settings: &[(&str, &str)]) -> String {
        let output = self.command(script, settings).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{script}\n{errors}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Pastes a script that leaves something running.
    fn leave(&self, script: &str, settings: &[(&str, &str)]) -> Left {
        let mut command = self.command(&format!("{script}\nwait"), settings);
        Left(command.process_group(0).stdout(Stdio::null()).spawn().unwrap())
    }

    /// Submits a text, and waits until its tasks are there.
    fn submit(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::write(&path, text).unwrap();
        self.dev.ask(&["submit", path.to_str().unwrap(), "--source-type", "meeting", "--wait"]);
    }

    /// The titles of the open tasks, once there are so many.
    fn titles(&self, count: usize) -> Vec<String> {
        until_blocking(&format!("{count} tasks"), || {
            Some(titles(&self.dev.ask(&["tasks"]))).filter(|titles| titles.len() >= count)
        })
    }
}

/// What stands in the shell block under a heading of the page.
fn recipe(heading: &str) -> &'static str {
    let under = PAGE.split(&format!("## {heading}\n")).nth(1).unwrap_or_else(|| panic!("no {heading}"));
    under.split("```sh\n").nth(1).unwrap().split("```").next().unwrap()
}

#[test]
fn every_command_of_the_page_is_run_here() {
    assert_eq!(PAGE.matches("```sh\n").count(), 9, "a test for each");
}

#[test]
fn new_tasks_turn_up_in_a_chat() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let chat = runtime.block_on(Receiver::start());
    let place = RecipeShell::new();
    let port = free_port().to_string();
    let relay = format!("http://127.0.0.1:{port}/");
    let settings = [("RELAY_URL", relay.as_str()), ("RELAY_PORT", &port), ("CHAT_URL", &chat.url("/channel"))];
    let _relay = place.leave(recipe("New tasks in a chat"), &settings);
    until_blocking("the relay", || TcpStream::connect(format!("127.0.0.1:{port}")).ok());
    place.submit("weekly.txt", "Dana: I'll send the revised SOW to Northwind by Friday.\n");
    let told = runtime.block_on(chat.until("/channel", |told| !told.is_empty()));
    let text = told[0].json()["text"].as_str().unwrap().to_owned();
    assert!(text.starts_with("New task: ") && text.contains("SOW") && text.contains(", by 20"), "{text}");

    // What nobody signed is not passed on.
    let forged = r#"curl -s -o /dev/null -w '%{http_code}' "$RELAY_URL" -d '{"data": {"title": "Forged"}}' \
        -H 'webhook-id: a' -H "webhook-timestamp: $(date +%s)" -H 'webhook-signature: v1,AAAA'"#;
    assert_eq!(place.paste(forged, &settings), "401");
    assert_eq!(chat.at("/channel").len(), told.len());
}

#[test]
fn due_dates_turn_up_in_a_calendar() {
    let place = RecipeShell::new();
    place.submit("weekly.txt", "Dana Reyes: I'll send the revised SOW to Northwind by Friday.\n");
    let said = place.paste(recipe("Due dates in a calendar"), &[]);
    assert!(said.contains("subscribe to http://") && said.contains("BEGIN:VEVENT") && said.contains("SOW"), "{said}");
}

#[test]
fn a_tracker_gets_its_own_columns() {
    let place = RecipeShell::new();
    place.submit("weekly.txt", "Dana Reyes: I'll send the revised SOW to Northwind by Friday.\n");
    place.paste(recipe("Export to a tracker"), &[]);
    let table = fs::read_to_string(place.path("jira.csv")).unwrap();
    let mut rows = csv::Reader::from_reader(table.as_bytes());
    assert_eq!(rows.headers().unwrap(), vec!["Summary", "Assignee", "Due date", "Description", "External issue id"]);
    let row = rows.records().next().unwrap().unwrap();
    assert!(row[0].contains("SOW") && row[2].len() == 10 && row[3].contains("Northwind"), "{table}");
    assert_eq!(row[4], *place.dev.ask(&["tasks"])["items"][0]["id"].as_str().unwrap());
}

#[test]
fn a_folder_of_transcripts_is_sent_once() {
    let place = RecipeShell::new();
    fs::create_dir(place.path("transcripts")).unwrap();
    let file = place.path("transcripts").join("weekly.txt");
    fs::write(&file, "Dana: I'll send the revised SOW to Northwind by Friday.\n").unwrap();
    // One that was written this moment may still be written to, and waits for the next time.
    let earlier = SystemTime::now() - Duration::from_secs(60);
    fs::File::options().append(true).open(&file).unwrap().set_modified(earlier).unwrap();
    let script = recipe("A folder of transcripts");
    assert_eq!(place.paste(script, &[]).lines().count(), 1);
    assert!(place.titles(1)[0].contains("SOW"));
    assert_eq!(place.paste(script, &[]), "");
}

#[test]
fn an_export_of_slack_is_an_item_for_each_channel_and_day() {
    let place = RecipeShell::new();
    let users = json!([
        { "id": "U1", "name": "dana", "profile": { "real_name": "Dana Reyes" } },
        { "id": "U2", "name": "priya", "profile": { "real_name": "" } },
    ]);
    let said = |at: u32, user: &str, text: &str| json!({ "type": "message", "user": user, "ts": format!("{at}.000100"), "text": text });
    let mut answer =
        said(1_772_530_900, "U1", "yes, I&apos;ll send <https://example.com/sow|the SOW> to <@U2> by Friday");
    answer["thread_ts"] = json!("1772530200.000100");
    let day = json!([
        said(1_772_530_200, "U2", "<@U1> can you send the SOW by Friday?"),
        { "type": "message", "subtype": "channel_join", "user": "U2", "ts": "1772530300.000100", "text": "<@U2> has joined" },
        said(1_772_530_800, "U2", "lunch?"),
        answer,
    ]);
    fs::create_dir_all(place.path("export/sales")).unwrap();
    fs::write(place.path("export/users.json"), users.to_string()).unwrap();
    fs::write(place.path("export/sales/2026-03-03.json"), day.to_string()).unwrap();
    assert_eq!(place.paste(recipe("An export of Slack"), &[]).lines().count(), 1);
    let item: Value = serde_json::from_str(&fs::read_to_string(place.path("items.jsonl")).unwrap()).unwrap();
    assert_eq!(
        item["transcript"],
        "[09:30] priya: @Dana Reyes can you send the SOW by Friday?\n\
         [09:41] Dana Reyes: yes, I'll send the SOW to @priya by Friday\n[09:40] priya: lunch?"
    );
    assert_eq!(item["external_id"], "slack/sales/2026-03-03");
    assert!(place.titles(1)[0].contains("SOW"));
}

/// Somebody's HTTP API: what it answers to a path and query, for who has the token.
fn http_api(
    runtime: &tokio::runtime::Runtime,
    token: &'static str,
    answer: impl Fn(&str) -> Option<String> + Clone + Send + Sync + 'static,
) -> String {
    let handler = move |uri: axum::http::Uri, headers: axum::http::HeaderMap| async move {
        assert_eq!(headers["authorization"], format!("Bearer {token}"), "{uri}");
        answer(&uri.to_string()).ok_or(axum::http::StatusCode::NOT_FOUND)
    };
    let app = axum::Router::new().fallback(handler);
    let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
    let address = listener.local_addr().unwrap();
    runtime.spawn(async move { axum::serve(listener, app).await });
    format!("http://{address}")
}

#[test]
fn a_transcript_of_zoom_is_fetched_and_submitted() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let vtt =
        "WEBVTT\n\n1\n00:00:01.000 --> 00:00:04.000\nDana Reyes: I'll send the revised SOW to Northwind by Friday.\n";
    let zoom = http_api(&runtime, "for one day", move |path| (path == "/rec/download/abc").then(|| vtt.to_owned()));
    let place = RecipeShell::new();
    let port = free_port().to_string();
    let relay = format!("http://127.0.0.1:{port}/");
    let settings = [("ZOOM_SECRET", "hush"), ("RELAY_PORT", port.as_str()), ("RELAY_URL", &relay)];
    let _relay = place.leave(recipe("Transcripts of Zoom"), &settings);
    until_blocking("the relay", || TcpStream::connect(format!("127.0.0.1:{port}")).ok());
    // As Zoom signs: the key, then `v0:`, the time, and the body.
    let tell = |event: &Value, secret: &str| {
        fs::write(place.path("event.json"), event.to_string()).unwrap();
        let script = format!(
            r#"at=$(date +%s); sig=$( (printf 'v0:%s:' "$at"; cat event.json) | openssl dgst -sha256 -hmac {secret} -r | cut -d' ' -f1)
            curl -s -w '%{{http_code}}' "$RELAY_URL" --data-binary @event.json -H "x-zm-request-timestamp: $at" -H "x-zm-signature: v0=$sig""#
        );
        place.paste(&script, &settings)
    };
    let check = tell(
        &json!({ "event": "endpoint.url_validation", "payload": { "plainToken": "qgg8vlvZRS6UYooatFL8Aw" } }),
        "hush",
    );
    let answer: Value = serde_json::from_str(check.strip_suffix("200").unwrap()).unwrap();
    assert_eq!(answer["plainToken"], "qgg8vlvZRS6UYooatFL8Aw");
    assert_eq!(answer["encryptedToken"].as_str().unwrap().len(), 64);
    let ready = json!({ "event": "recording.transcript_completed", "download_token": "for one day", "payload": { "object": {
        "uuid": "4444AAAiAAAAAiAiAiiAii==", "topic": "Weekly", "start_time": "2026-03-03T15:00:00Z", "timezone": "America/Chicago",
        "recording_files": [
            { "file_type": "MP4", "download_url": format!("{zoom}/rec/download/video") },
            { "file_type": "TRANSCRIPT", "file_extension": "VTT", "download_url": format!("{zoom}/rec/download/abc") },
        ],
    } } });
    assert!(tell(&ready, "guessed").ends_with("401"));
    assert_eq!(tell(&ready, "hush"), "{}200");
    assert!(place.titles(1)[0].contains("SOW"));
    let task = &place.dev.ask(&["tasks"])["items"][0];
    assert_eq!(task["due"]["date"], "2026-03-06", "{task}");
}

#[test]
fn meetings_of_meet_are_read_page_by_page_and_sent_once() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let record = "conferenceRecords/r1";
    let entry = |from: &str, text: &str| json!({ "participant": format!("{record}/participants/{from}"), "text": text, "startTime": "2026-03-03T15:00:04.12Z" });
    let first = json!({ "transcriptEntries": [entry("p2", "Dana, can you send the SOW to Northwind?")], "nextPageToken": "two" });
    let second = json!({ "transcriptEntries": [entry("p1", "Yes, I'll send it by Friday.")] });
    let meet = http_api(&runtime, "ya29", move |address| {
        let (path, query) = address.split_once('?').unwrap();
        let answer = match path.strip_prefix("/v2/").unwrap() {
            "conferenceRecords" if query.starts_with("filter=start_time%3E%3D%2220") => {
                json!({ "conferenceRecords": [{ "name": record }] })
            }
            "conferenceRecords/r1/participants" => json!({ "participants": [
                { "name": format!("{record}/participants/p1"), "signedinUser": { "displayName": "Dana Reyes" } },
                { "name": format!("{record}/participants/p2"), "anonymousUser": { "displayName": "Priya" } },
            ] }),
            "conferenceRecords/r1/transcripts" => json!({ "transcripts": [
                { "name": format!("{record}/transcripts/t0"), "state": "STARTED", "startTime": "2026-03-03T14:00:00Z" },
                { "name": format!("{record}/transcripts/t1"), "state": "FILE_GENERATED", "startTime": "2026-03-03T15:00:00Z" },
            ] }),
            "conferenceRecords/r1/transcripts/t1/entries" if query.contains("pageToken=two") => second.clone(),
            "conferenceRecords/r1/transcripts/t1/entries" => first.clone(),
            _ => return None,
        };
        Some(answer.to_string())
    });
    let place = RecipeShell::new();
    let address = format!("{meet}/v2");
    let settings = [("MEET_URL", address.as_str()), ("MEET_TOKEN", "ya29")];
    let script = recipe("Transcripts of Google Meet");
    place.paste(script, &settings);
    assert!(place.titles(1)[0].contains("SOW"));
    place.paste(script, &settings);
    assert_eq!(place.dev.ask(&["job", "list"])["items"].as_array().unwrap().len(), 1, "it is sent already");
}

#[test]
fn mails_of_a_folder_are_fetched_and_sent_once() {
    let place = RecipeShell::new();
    let mail = |id: &str, text: &str| {
        format!(
            "From: Priya Raman <priya@example.com>\r\nTo: Dana Reyes <dana@example.com>\r\nSubject: To do\r\n\
            Date: Tue, 3 Mar 2026 15:00:00 +0000\r\nMessage-ID: <{id}@example.com>\r\n\r\n{text}\r\n"
        )
    };
    let mails = [
        mail("one", "Dana, could you please send me the signed budget by Thursday?"),
        mail("two", "I'll ask Legal about the liability clause tomorrow."),
    ];
    let port = mail_server(mails.to_vec());
    fs::write(place.path("netrc"), "machine 127.0.0.1 login dana password secret\n").unwrap();
    let address = format!("imap://127.0.0.1:{port}");
    let settings = [("IMAP_URL", address.as_str())];
    let script = recipe("A mailbox");
    assert_eq!(place.paste(script, &settings).lines().count(), 2);
    let titles = place.titles(2).join("; ");
    assert!(titles.contains("budget") && titles.contains("liability"), "{titles}");
    assert_eq!(place.paste(script, &settings), "", "they are sent already");
    assert_eq!(fs::read_to_string(place.path("mails").join("1.eml")).unwrap(), mails[0]);
}

/// As much of n8n as it takes to run two nodes: what is posted to the first is an expression's `$json.body` in the second.
const N8N: &str = r#"
const { nodes, connections } = JSON.parse(require("fs").readFileSync("n8n.json", "utf8"));
const [hook, request] = nodes;
if (connections[hook.name].main[0][0].node !== request.name) throw new Error("they are not connected");
const { method, url, headerParameters, rawContentType, body } = request.parameters;
const $json = { body: JSON.parse(process.env.POSTED) };
const text = new Function("$json", "return " + /^={{(.*)}}$/s.exec(body)[1])($json);
const headers = { "content-type": rawContentType };
for (const { name, value } of headerParameters.parameters) headers[name] = value;
fetch(url, { method, headers, body: text }).then(async (answer) => console.log(answer.status, await answer.text()));
"#;

#[test]
fn what_is_posted_to_a_workflow_is_submitted() {
    let place = RecipeShell::new();
    place.paste(recipe("From n8n"), &[]);
    fs::write(place.path("n8n.js"), N8N).unwrap();
    let text = "Dana Reyes: I'll send the \"revised\" SOW to Northwind by Friday.\nThanks";
    let posted = json!({"id": "ticket-7", "title": "Ticket 7", "when": "2026-03-03T15:00:00Z", "text": text});
    let answer = place.paste("node n8n.js", &[("POSTED", &posted.to_string())]);
    assert!(answer.starts_with("202 "), "{answer}");
    assert!(place.titles(1)[0].contains("SOW"));
}

/// As much of IMAP4rev1 (RFC 3501) as it takes to search a folder and to fetch mails; its port.
fn mail_server(mails: Vec<String>) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            // A client that goes away is no matter.
            let _ = serve_mail(stream, &mails);
        }
    });
    port
}

fn serve_mail(mut stream: TcpStream, mails: &[String]) -> std::io::Result<()> {
    stream.set_read_timeout(Some(LIMIT))?;
    let lines = BufReader::new(stream.try_clone()?).lines();
    stream.write_all(b"* OK ready\r\n")?;
    for line in lines {
        let line = line?;
        let (tag, command) = line.split_once(' ').unwrap_or((&line, ""));
        let upper = command.to_uppercase();
        let untagged = match upper.split([' ', '\r']).next().unwrap_or_default() {
            "CAPABILITY" => "* CAPABILITY IMAP4rev1\r\n".to_owned(),
            "LOGIN" => {
                assert!(command.contains("dana") && command.contains("secret"), "{command}");
                String::new()
            }
            "SELECT" => {
                assert!(command.contains("Gleaner"), "{command}");
                format!("* {} EXISTS\r\n* OK [UIDVALIDITY 1] valid\r\n", mails.len())
            }
            "UID" if upper.starts_with("UID SEARCH ALL") => {
                let uids: Vec<_> = (1..=mails.len()).map(|uid| uid.to_string()).collect();
                format!("* SEARCH {}\r\n", uids.join(" "))
            }
            "UID" if upper.starts_with("UID FETCH ") => {
                let uid: usize = upper.split(' ').nth(2).unwrap().parse().unwrap();
                let mail = &mails[uid - 1];
                format!("* {uid} FETCH (UID {uid} BODY[] {{{}}}\r\n{mail})\r\n", mail.len())
            }
            "LOGOUT" => "* BYE\r\n".to_owned(),
            _ => {
                write!(stream, "{tag} BAD {command}\r\n")?;
                continue;
            }
        };
        write!(stream, "{untagged}{tag} OK done\r\n")?;
    }
    Ok(())
}
