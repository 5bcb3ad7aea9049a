//! The samples with their expected tasks, for reading. `GLEANER_WRITE=1 cargo test -p gleaner-extract` writes them anew.

use crate::tasks_of;
use gleaner_model::TaskStatus;
use std::fmt::Write as _;
use std::path::Path;

/// The tasks of a text as a person would note them down.
fn noted(source_type: &str, text: &str) -> String {
    let mut notes = String::new();
    for task in tasks_of(source_type, text).tasks {
        let mark = if task.status == TaskStatus::Completed { 'x' } else { ' ' };
        let owner = task.owner.as_deref().unwrap_or("nobody");
        let due = task.due.map_or_else(|| "no date".to_owned(), |due| due.date.to_string());
        writeln!(notes, "[{mark}] {} — {owner}, {due}", task.title).unwrap();
        for quote in task.evidence {
            writeln!(notes, "    {}–{} {}", quote.start, quote.end, quote.text).unwrap();
        }
    }
    notes
}

fn compare(name: &str, source_type: &str) {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(here.join("../samples").join(name)).unwrap();
    let expected = here.join("tests/documents").join(name).with_extension("tasks");
    let found = noted(source_type, &text);
    if std::env::var_os("GLEANER_WRITE").is_some() {
        std::fs::write(&expected, &found).unwrap();
    }
    assert_eq!(found, std::fs::read_to_string(&expected).unwrap(), "{name}");
}

#[test]
fn a_weekly_gives_its_promises_and_none_of_its_musings() {
    compare("weekly.vtt", "meeting");
}

#[test]
fn a_kickoff_gives_what_people_take_on() {
    compare("kickoff.txt", "meeting");
}

#[test]
fn a_call_gives_what_each_side_owes() {
    compare("vendor-call.srt", "call");
}

#[test]
fn a_mail_gives_what_it_asks_for() {
    compare("pilot.eml", "email");
}

#[test]
fn notes_give_their_boxes_and_labelled_lines() {
    compare("launch.md", "note");
    compare("stand-up.md", "note");
}

#[test]
fn a_chat_gives_what_was_taken_on_and_what_is_done() {
    compare("incident-chat.txt", "chat");
}

#[test]
fn minutes_give_their_action_lines() {
    compare("minutes.txt", "meeting");
}

#[test]
fn other_languages_give_their_promises() {
    compare("angebot.eml", "email");
    compare("reunion.json", "meeting");
    compare("grupo-chat.txt", "chat");
    compare("junbi.txt", "meeting");
}
