//! How fast the engine is beside one aho-corasick pass over the same text: megabytes per second of processor time.
//! `cargo bench -p gleaner-extract`.

mod texts;

use aho_corasick::AhoCorasick;
use gleaner_extract::{Context, Document, extract};
use gleaner_model::Subject;
use std::hint::black_box;
use std::time::{Duration, Instant};
use texts::{meeting, processor, talk};

/// Least time that a measurement goes on for.
const LEAST: Duration = Duration::from_millis(800);

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
    let context = Context::new(Subject::named("Dana Reyes"), Default::default());
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
