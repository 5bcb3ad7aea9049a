//! What people see on a terminal of texts that somebody else wrote, and where content goes.

use super::dev::start;
use gleaner_testkit::gleaner::{binary, gleaner, stdout};
use std::{
    io::{Read as _, Write as _},
    net::TcpListener,
    path::Path,
    process::{Command, Output},
};
use tempfile::TempDir;

/// Sets the clipboard, clears the screen, and writes from right to left.
const HOSTILE: &str =
    "Dana: I'll send the \u{1b}]52;c;cm0gLXJm\u{7} revised \u{1b}[2JSOW to \u{9b}31m Northwind\u{202e} by Friday.\n";

/// Runs a command on a terminal of its own.
fn on_terminal(command: &str, folder: &Path, settings: &[(&str, &str)]) -> Output {
    let mut terminal = Command::new("script");
    terminal.args(["-qec", command, "/dev/null"]).current_dir(folder).env("NO_COLOR", "1");
    terminal.envs(settings.iter().copied()).output().expect("script(1) of util-linux")
}

#[track_caller]
fn shows_no_control(output: &Output, title: &str) {
    let text = stdout(output);
    assert!(text.contains(title), "{text}");
    let steering = |c: char| (c.is_control() && !matches!(c, '\n' | '\r' | '\t')) || c == '\u{202e}';
    let found: Vec<char> = text.chars().filter(|c| steering(*c)).collect();
    assert!(found.is_empty(), "{found:?} in {text:?}");
    assert!(text.contains('␛'), "what is left out of sight is no safer: {text}");
}

#[test]
#[cfg(target_os = "linux")]
fn no_text_of_a_transcript_steers_the_terminal() {
    let place = TempDir::new().unwrap();
    std::fs::write(place.path().join("weekly.txt"), HOSTILE).unwrap();
    let program = binary().display();
    let offline = format!("{program} extract weekly.txt --source-type meeting --occurred-at 2026-03-03T15:00:00Z");
    shows_no_control(&on_terminal(&offline, place.path(), &[]), "Northwind");

    let dev = start(&place.path().join("data"));
    let file = place.path().join("weekly.txt").display().to_string();
    let job = dev.ask(&["submit", &file, "--source-type", "meeting", "--wait"]);
    let id = job["task_ids"][0].as_str().expect("a task").to_owned();
    let settings = [("GLEANER_URL", dev.url.as_str()), ("GLEANER_TOKEN", dev.token.as_str())];
    for command in ["tasks".to_owned(), format!("tasks get {id}")] {
        shows_no_control(&on_terminal(&format!("{program} {command}"), place.path(), &settings), "Northwind");
    }
}

#[test]
fn a_client_follows_no_redirect() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (here, elsewhere) = (listener.local_addr().unwrap(), TcpListener::bind("127.0.0.1:0").unwrap());
    let target = elsewhere.local_addr().unwrap();
    elsewhere.set_nonblocking(true).unwrap();
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = [0; 8192];
        let _ = stream.read(&mut request).unwrap();
        let answer = format!("HTTP/1.1 307 x\r\nlocation: http://{target}/ingest/items\r\ncontent-length: 0\r\n\r\n");
        stream.write_all(answer.as_bytes()).unwrap();
    });
    let place = TempDir::new().unwrap();
    let file = place.path().join("weekly.txt");
    std::fs::write(&file, "Dana: I'll go.\n").unwrap();
    let url = format!("http://{here}");
    let mut command = gleaner(&["submit", &file.display().to_string(), "--url", &url, "--token", "x"]);
    let output = command.output().unwrap();
    server.join().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap() + &String::from_utf8(output.stdout).unwrap();
    assert!(!output.status.success() && errors.contains("GLEANER_URL"), "{errors}");
    assert!(elsewhere.accept().is_err(), "nobody asks the other place");
}
