//! What texts cost that somebody wrote to be dear, by the kilobyte, beside dense ordinary talk of the same length.
//! `cargo bench -p gleaner-extract --bench hostile`. No ratio is to be above 2, and twice the text costs about twice as much.

mod texts;

use gleaner_extract::{Context, Document, extract};
use gleaner_model::Subject;
use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Instant;
use texts::{meeting, processor};

/// As long as a transcript may be, in bytes; all texts are ASCII but the talk.
const LONGEST: usize = 199_000;

/// One kind of text: its name, what it is submitted as, a line for each number, and who took part.
struct HostileText {
    name: &'static str,
    source_type: &'static str,
    line: fn(usize) -> String,
    participants: usize,
}

const KINDS: [HostileText; 16] = [
    kind("a check list", "note", |n| format!("- [ ] call {n}\n"), 0),
    kind("a check list, 500 participants", "note", |n| format!("- [ ] call {n}\n"), 500),
    kind("a check list, 13,000 participants", "note", |n| format!("- [ ] call {n}\n"), 13_000),
    kind("a check list with names", "note", |n| format!("- [ ] Person{n} to call Family{n} by Friday\n"), 500),
    kind("quoted lines, empty, in notes", "note", |_| "> \n".to_owned(), 0),
    kind("quoted lines, empty, in a mail", "email", |_| ">\n".to_owned(), 0),
    kind("quoted letters", "note", |_| "> a\n".to_owned(), 0),
    kind("quoted check list", "email", |n| format!("> - [ ] call {n}\n"), 0),
    kind("quoted promises", "email", |n| format!("> I will call Sam about {n} by Friday.\n"), 0),
    kind("quoted ever deeper", "email", |n| format!("{}I will call Sam {n}\n", ">".repeat(n % 60)), 0),
    kind("quotes of quotes", "email", |n| format!("{}On Tue, 3 Mar 2026, Sam{n} wrote:\n", "> ".repeat(n % 20)), 0),
    kind("questions and answers in a mail", "email", |_| "> Can you call Sam?\nYes I will.\n".to_owned(), 0),
    kind("as many speakers as lines", "meeting", |n| format!("Person{n}: I'll call Sam{n}\n"), 500),
    kind(
        "mails",
        "email",
        |n| format!("From: P{n} <p{n}@x.example>\nTo: Q{n} <q{n}@x.example>\n\nI'll send it.\n\n"),
        0,
    ),
    kind("short promises", "meeting", |_| "I'll go. ".to_owned(), 0),
    kind("headings", "note", |n| format!("# I'll call {n}\n"), 0),
];

const fn kind(
    name: &'static str,
    source_type: &'static str,
    line: fn(usize) -> String,
    participants: usize,
) -> HostileText {
    HostileText { name, source_type, line, participants }
}

fn main() {
    let talk = meeting(LONGEST);
    let mut worst: f64 = 0.0;
    for kind in &KINDS {
        let context = context(kind.participants);
        let whole = text(kind.line, LONGEST);
        let half = text(kind.line, LONGEST / 2);
        // In turns, so that what else the machine does strikes both.
        let mut ratios: Vec<(f64, f64)> = (0..3)
            .map(|_| {
                let own = seconds(kind.source_type, &whole, &context);
                (own / seconds("meeting", &talk, &context), own / seconds(kind.source_type, &half, &context))
            })
            .collect();
        ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (ratio, growth) = ratios[1];
        worst = worst.max(ratio);
        println!("{}: {ratio:.2} of dense talk; twice the text costs {growth:.2} times as much", kind.name);
    }
    println!("the dearest: {worst:.2} of dense talk");
}

fn text(line: fn(usize) -> String, bytes: usize) -> String {
    let mut text = String::new();
    let mut number = 0;
    while text.len() < bytes {
        let _ = write!(text, "{}", line(number));
        number += 1;
    }
    text.truncate(bytes);
    text
}

fn context(participants: usize) -> Context {
    Context {
        participants: (0..participants).map(|n| format!("Person{n} Family{n}")).collect(),
        ..Context::new(Subject::named("Dana Reyes"), Default::default())
    }
}

/// Processor time of one extraction.
fn seconds(source_type: &str, text: &str, context: &Context) -> f64 {
    let begin = Instant::now();
    let start = processor(begin);
    black_box(extract(&Document { source_type, title: None, text }, context));
    processor(begin) - start
}
