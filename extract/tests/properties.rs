//! What holds for any text: quotes stand at their offsets, the same text gives the same tasks, nothing panics.

use crate::tasks_of;
use gleaner_extract::DoneStatement;

/// Bits of documents, and of things that are none.
const PIECES: [&str; 40] = [
    "I'll send the report by Friday",
    "could you please check the numbers",
    "yes, sure",
    "no",
    "\n",
    "\n\n",
    ". ",
    "? ",
    ", ",
    ": ",
    "Dana Reyes: ",
    "Priya Nair: ",
    "<v Tomás Whitlock>",
    "</v>",
    "WEBVTT\n\n",
    "00:00:04.873 --> 00:00:09.295\n",
    "1\n",
    "- [ ] ",
    "- [x] ",
    "ACTION: ",
    "> ",
    "From: a@b.example\n",
    "Subject: x\n",
    "| a | b |\n|---|---|\n",
    "[{\"speaker\":\"A\",\"text\":\"",
    "\"}]",
    "\\u00e9\\n",
    "@sam ",
    "明日までに送ります。",
    "könntest du das prüfen",
    "👩‍👩‍👧",
    "\u{301}",
    "\u{0}",
    "\u{feff}",
    "’ll",
    "''",
    "\t",
    "um uh ",
    "http://x.example/?q=1 ",
    "somebody has to update the page by the thirtieth of February",
];

/// A small generator of even numbers (xorshift), so that each run tests the same texts.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }

    fn text(&mut self) -> String {
        let pieces = 1 + self.below(60);
        (0..pieces).map(|_| PIECES[self.below(PIECES.len())]).collect()
    }
}

fn check(source_type: &str, text: &str) {
    let found = tasks_of(source_type, text);
    let letters: Vec<char> = text.chars().collect();
    for task in &found.tasks {
        assert!(!task.evidence.is_empty() && !task.title.is_empty(), "{text:?}");
        assert!((0.0..=1.0).contains(&task.confidence), "{text:?}");
    }
    for quote in found
        .tasks
        .iter()
        .flat_map(|task| &task.evidence)
        .chain(found.done_statements.iter().flat_map(DoneStatement::quotes))
    {
        assert!(quote.start < quote.end && quote.end <= letters.len(), "{text:?}");
        assert!(quote.end - quote.start <= 400, "{text:?}");
        assert_eq!(quote.text, letters[quote.start..quote.end].iter().collect::<String>(), "{text:?}");
    }
    assert_eq!(found, tasks_of(source_type, text), "not the same twice: {text:?}");
}

#[test]
fn quotes_stand_at_their_offsets_in_any_text() {
    let mut chance = Chance(0x2545_f491_4f6c_dd1d);
    for round in 0..600 {
        check(["meeting", "email", "chat", "note", "other"][round % 5], &chance.text());
    }
}

#[test]
fn any_prefix_of_a_document_can_be_read() {
    let text = include_str!("weekly.txt");
    for (end, _) in text.char_indices().step_by(7) {
        check("meeting", &text[..end]);
    }
}

#[test]
fn the_longest_texts_without_punctuation_or_with_nothing_but_cues_are_read() {
    check("meeting", &"and then I'll send it to you by friday ".repeat(5_000));
    check("meeting", &"Dana: I'll do it. ".repeat(11_000));
    check("note", &"- [ ] a thing to do\n".repeat(10_000));
    check("other", &"x".repeat(200_000));
    check("chat", &"明日".repeat(100_000));
}

#[test]
fn a_word_without_an_end_is_no_task() {
    let endless = "x".repeat(199_000);
    for text in [endless.clone(), format!("Dana: {endless}"), format!("- {endless}"), "send".repeat(60)] {
        for source_type in ["meeting", "note", "chat", "other"] {
            assert_eq!(tasks_of(source_type, &text).tasks, [], "{source_type}: {:.20}", text);
        }
    }
    let found = tasks_of("meeting", &format!("Dana: {endless}\nDana: I'll send the report by Friday.")).tasks;
    assert_eq!(found.len(), 1);
    assert!(found[0].title.starts_with("Send the report"), "{:.40}", found[0].title);
}

#[test]
fn titles_hold_nothing_that_drives_a_terminal() {
    let text = "Dana: \u{1b}[1mI'll send\u{1b}[0m the \u{0}report by Friday.\n- [ ] \u{1b}]0;x\u{7}order the \u{202e}tank\n- [ ] \u{0}\n";
    let titles: Vec<String> = tasks_of("note", text).tasks.into_iter().map(|task| task.title).collect();
    assert_eq!(titles, ["Send the report", "Order the tank"]);
}
