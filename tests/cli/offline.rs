//! `gleaner extract` and `gleaner due`: no server, no store.

use gleaner_testkit::{
    fixture::time,
    gleaner::{run, stdout},
};
use serde_json::{Value, json};

const NOTES: &str = "Dana: I'll send the revised SOW to Northwind by Friday.\nSam: Great, thanks.\n";

fn records(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn extract_answers_with_whole_tasks_whose_quotes_stand_in_the_text() {
    let arguments =
        ["extract", "-", "--source-type", "meeting", "--me", "Dana Reyes", "--occurred-at", "2026-03-03T15:00:00Z"];
    let answer: Value = serde_json::from_str(&stdout(&run(&arguments, NOTES))).unwrap();
    assert!(answer["extractor"].as_str().unwrap().starts_with("builtin/"));
    let task = &answer["tasks"][0];
    let evidence = &task["evidence"][0];
    let (start, end) = (evidence["start"].as_u64().unwrap() as usize, evidence["end"].as_u64().unwrap() as usize);
    let quoted: String = NOTES.chars().skip(start).take(end - start).collect();
    assert_eq!(evidence["quote"], quoted);
    assert_eq!(task["due"]["date"], "2026-03-06");
    assert_eq!(task["status"], "open");
    for member in ["id", "title", "owner", "waiting_on", "priority", "confidence", "urgency", "source", "feedback"] {
        assert!(task.get(member).is_some(), "{member} is there");
    }
}

#[test]
fn extract_gives_the_same_bytes_every_time() {
    let arguments = ["extract", "-", "--source-type", "meeting", "--occurred-at", "2026-03-03T15:00:00Z"];
    assert_eq!(run(&arguments, NOTES).stdout, run(&arguments, NOTES).stdout);
}

#[test]
fn an_item_without_a_time_takes_place_now_to_the_millisecond() {
    let answer: Value =
        serde_json::from_str(&stdout(&run(&["extract", "-", "--source-type", "meeting"], NOTES))).unwrap();
    time(&answer["tasks"][0]["evidence"][0]["occurred_at"]);
}

#[test]
fn lines_come_out_in_the_order_in_which_they_went_in() {
    let line = |n: usize| {
        json!({
            "source_type": "meeting", "external_id": format!("m-{n}"), "transcript": NOTES.repeat(1 + n % 7),
            "occurred_at": "2026-03-03T15:00:00Z", "subject": { "name": "Dana Reyes" },
        })
    };
    let input: String = (0..200).map(|n| format!("{}\n", line(n))).collect();
    let answers = records(&stdout(&run(&["extract", "--jsonl", "-"], &input)));
    let ids: Vec<_> = answers.iter().map(|answer| answer["external_id"].as_str().unwrap().to_owned()).collect();
    assert_eq!(ids, (0..200).map(|n| format!("m-{n}")).collect::<Vec<_>>());
    assert_eq!(answers[0]["tasks"][0]["owner"]["is_me"], true);
}

#[test]
fn lines_come_from_stdin_where_no_file_is_named() {
    let said = json!({ "source_type": "meeting", "external_id": "m", "transcript": NOTES });
    let tasks = records(&stdout(&run(&["extract", "--jsonl", "--me", "Dana Reyes"], &format!("{said}\n"))));
    assert_eq!(tasks[0]["tasks"][0]["owner"]["is_me"], true, "--me speaks for lines without a subject");
    let mut misnamed = said;
    misnamed["me"] = json!({ "name": "Dana Reyes" });
    let warned = records(&stdout(&run(&["extract", "--jsonl"], &format!("{misnamed}\n"))));
    assert_eq!(warned[0]["warnings"], json!(["unknown member ignored: me"]));
    let words = json!({ "text": "tomorrow", "occurred_at": "2026-03-03T15:00:00Z" });
    let dates = records(&stdout(&run(&["due", "--jsonl"], &format!("{words}\n"))));
    assert_eq!(dates[0]["date"], "2026-03-04");
}

#[test]
fn a_line_that_is_no_item_is_named_and_the_others_are_done() {
    let good = json!({ "source_type": "note", "external_id": "n-1", "transcript": NOTES });
    let output = run(&["extract", "--jsonl", "-"], &format!("{good}\nnot JSON\n\n{good}\n"));
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(records(&String::from_utf8(output.stdout).unwrap()).len(), 2);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("line 2: not JSON"), "{errors}");
}

#[test]
fn due_resolves_words_against_when_and_where_they_were_said() {
    let arguments = ["due", "by Friday", "--occurred-at", "2026-03-03T15:00:00Z", "--json"];
    let answer: Value = serde_json::from_str(&stdout(&run(&arguments, ""))).unwrap();
    assert_eq!(answer["date"], "2026-03-06");
    // In Auckland it is the day after already.
    let line = json!({
        "id": 7, "text": "let's do it tomorrow", "occurred_at": "2026-03-03T15:00:00Z", "time_zone": "Pacific/Auckland",
    });
    let none = json!({ "text": "no date here", "occurred_at": "2026-03-03T15:00:00Z" });
    let answers = records(&stdout(&run(&["due", "--jsonl", "-"], &format!("{line}\n{none}\n"))));
    assert_eq!((&answers[0]["id"], &answers[0]["date"]), (&json!(7), &json!("2026-03-05")));
    let last = ["due", "in two weeks", "--occurred-at", "9999-12-31T12:00:00Z", "--json"];
    let beyond: Value = serde_json::from_str(&stdout(&run(&last, ""))).unwrap();
    assert!(beyond["date"].is_null(), "there is no way to write it: {beyond}");
    assert_eq!(answers[1], json!({ "date": null, "time": null, "text": null, "start": null, "end": null }));
}

#[test]
fn wrong_usage_is_one_line_that_says_what_to_do_and_exit_code_2() {
    for arguments in
        [&["extract"][..], &["due"], &["tasks", "--sort", "best"], &["nonsense"], &["extract", "-", "--bogus"], &[]]
    {
        let output = run(arguments, "");
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
        assert_eq!(errors.lines().count(), 1, "{errors}");
        assert!(errors.contains("--help"), "{errors}");
    }
    let missing = run(&["extract", "/nowhere/at/all.txt"], "");
    assert_eq!(missing.status.code(), Some(1));
    assert_eq!(String::from_utf8(missing.stderr).unwrap().lines().count(), 1);
}

#[test]
fn every_command_explains_itself() {
    let commands = [
        "dev",
        "extract",
        "due",
        "api",
        "worker",
        "controller",
        "submit",
        "job",
        "tasks",
        "done",
        "feedback",
        "learning",
        "missed",
        "token",
        "webhook",
        "crd",
        "completions",
    ];
    for command in commands {
        assert!(stdout(&run(&[command, "--help"], "")).contains("Usage: gleaner"), "{command}");
    }
    assert!(stdout(&run(&["api", "--help"], "")).contains("GLEANER_RATE_LIMIT_PER_MINUTE"));
    let crds = stdout(&run(&["crd"], ""));
    assert_eq!(crds.matches("kind: CustomResourceDefinition").count(), 2, "{crds}");
    assert!(!stdout(&run(&["crd", "webhooks"], "")).contains("apitokens.gleaner.dev"));
    assert!(stdout(&run(&["completions", "bash"], "")).contains("_gleaner"));
}
