//! How fast the engine is beside one aho-corasick pass over the same text: megabytes per second of processor time.
//! `cargo bench -p gleaner-extract`.

use aho_corasick::AhoCorasick;
use gleaner_extract::{Context, Document, extract};
use gleaner_model::{Subject, Zone};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Least time that a measurement goes on for.
const LEAST: Duration = Duration::from_millis(800);

/// A meeting of about this many bytes: the same talk over and over, with a number that changes.
fn meeting(bytes: usize) -> String {
    let talk = include_str!("../tests/documents/weekly.txt");
    let mut text = String::new();
    for number in 0.. {
        if text.len() >= bytes {
            break;
        }
        text.push_str(&talk.replace("Northwind", &format!("client {number}")));
    }
    text.truncate((0..=bytes).rev().find(|&at| text.is_char_boundary(at)).unwrap_or_default());
    text
}

/// Megabytes per second of a function over a text.
fn speed(text: &str, mut work: impl FnMut(&str)) -> f64 {
    let (begin, mut rounds) = (Instant::now(), 0_usize);
    while begin.elapsed() < LEAST {
        work(black_box(text));
        rounds += 1;
    }
    (text.len() * rounds) as f64 / begin.elapsed().as_secs_f64() / 1e6
}

fn main() {
    let context = Context {
        me: Subject::named("Dana Reyes"),
        occurred_at: chrono::DateTime::UNIX_EPOCH.fixed_offset(),
        zone: Zone::Named(chrono_tz::UTC),
        participants: Vec::new(),
        language: None,
        threshold: None,
    };
    let cues =
        ["i'll", "can you", "could you", "please", "by friday", "need to", "should", "tomorrow", "action", "todo"];
    let Ok(reference) = AhoCorasick::builder().ascii_case_insensitive(true).build(cues) else { return };
    let run_on = "and then i'll send it to you by friday ".repeat(5_100);
    let texts = [
        ("5 KB", meeting(5_000)),
        ("60 KB", meeting(60_000)),
        ("200 KB", meeting(200_000)),
        ("200 KB without punctuation, all cues", run_on),
    ];
    for (name, text) in texts {
        let document = Document { source_type: "meeting", title: None, text: &text };
        let own = speed(&text, |_| drop(black_box(extract(&document, &context))));
        let pass = speed(&text, |text| {
            black_box(reference.find_iter(text).count());
        });
        println!("{name}: {own:.1} MB/s, one aho-corasick pass {pass:.0} MB/s, ratio {:.3}", own / pass);
    }
}
