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

/// Long talk of about this many bytes, in which tasks are rare: one round of the meeting in so many rounds of chatter.
fn talk(bytes: usize) -> String {
    const CHATTER: [&str; 12] = [
        "Priya Nair: um, so the thing with the colours is that half of them look the same on a small screen.",
        "Dana Reyes: yeah, I saw that too, uh, on the train this morning actually.",
        "Tomás Whitlock: but it looked fine in the office, didn't it?",
        "Priya Nair: it did. The light is different there, I suppose.",
        "Dana Reyes: mm-hmm.",
        "Tomás Whitlock: and what did the others think of the second one, the one with the round corners?",
        "Dana Reyes: they liked it, mostly. Um, two people said it reminded them of a kettle.",
        "Priya Nair: a kettle? Okay. Well, kettles sell.",
        "Tomás Whitlock: the battery was what they asked about most, how long it lasts and whether it can be changed.",
        "Dana Reyes: and the price, of course, it's always the price in the end.",
        "Priya Nair: right, uh, twelve fifty was the number that came up again and again.",
        "Tomás Whitlock: which is less than it costs us to make at the moment, if I read the table right.",
    ];
    let mut text = String::new();
    for round in 0.. {
        if text.len() >= bytes {
            break;
        }
        for line in CHATTER.iter().cycle().skip(round % 12).take(11) {
            text.push_str(&line.replace("twelve", &format!("{round}")));
            text.push('\n');
        }
        if round % 20 == 10 {
            text.push_str(include_str!("../tests/documents/weekly.txt"));
        }
    }
    text.truncate((0..=bytes).rev().find(|&at| text.is_char_boundary(at)).unwrap_or_default());
    text
}

/// Processor time of this thread in seconds; where the system does not tell, time on the wall.
fn processor(begin: Instant) -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|told| told.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| begin.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

/// Megabytes per second of processor time of a function over a text.
fn speed(text: &str, mut work: impl FnMut(&str)) -> f64 {
    let begin = Instant::now();
    let (start, mut rounds) = (processor(begin), 0_usize);
    while begin.elapsed() < LEAST || rounds < 2 {
        work(black_box(text));
        rounds += 1;
    }
    (text.len() * rounds) as f64 / (processor(begin) - start) / 1e6
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
    let (asks, lines) =
        ("Dana: can you send it by Friday?\nSam: I'll do it tomorrow\n".repeat(3_500), "\n".repeat(200_000));
    let run_on = "and then i'll send it to you by friday ".repeat(5_100);
    let texts = [
        ("long talk, 5 KB", talk(5_000)),
        ("long talk, 60 KB", talk(60_000)),
        ("long talk, 200 KB", talk(200_000)),
        ("a task in every third sentence, 5 KB", meeting(5_000)),
        ("a task in every third sentence, 60 KB", meeting(60_000)),
        ("a task in every third sentence, 200 KB", meeting(200_000)),
        ("200 KB, an ask or an answer in every line", asks),
        ("200,000 line ends", lines),
        ("200 KB without punctuation, all cues", run_on),
    ];
    for (name, text) in texts {
        let document = Document { source_type: "meeting", title: None, text: &text };
        let own = speed(&text, |_| drop(black_box(extract(&document, &context))));
        let pass = speed(&text, |text| {
            black_box(reference.find_iter(text).count());
        });
        println!("{name}: {own:.1} MB/s, one aho-corasick pass {pass:.0} MB/s, ratio {:.4}", own / pass);
    }
}
