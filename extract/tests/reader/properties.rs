//! What holds for every text: places in range and on character boundaries, quotes verbatim, the same answer twice, no panic.

use super::reading;
use super::samples::SAMPLES;

#[path = "../../fuzz/src/lib.rs"]
mod laws;

/// Mutated texts for each sample.
const ROUNDS: usize = 150;
/// What is put into texts: marks that mean something in one format or another, and characters that are hard to handle.
const SHARDS: &[&str] = &[
    "\n",
    "\n\n",
    "\r\n",
    "> ",
    ">>",
    ": ",
    "[",
    "]",
    "(",
    "<v ",
    ">",
    "</v>",
    " --> ",
    "00:01",
    "\"",
    "\\",
    "\\u00e9",
    "\\ud83d",
    "{",
    "}",
    "- [ ] ",
    "|",
    "# ",
    "\u{feff}",
    "\u{200b}",
    "\u{202e}",
    "“",
    "é",
    "漢。",
    "ש",
    "🙏",
    "From: ",
    "On 1 x wrote:",
    "--",
    "**",
    "PS ",
    "：",
    "…",
    "—",
    "Mr.",
    " I'll ",
    "@sam",
];

/// A small generator: the same texts on every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}

fn mutate(text: &str, dice: &mut Dice) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for _ in 0..=dice.below(8) {
        let at = dice.below(characters.len() + 1);
        match dice.below(4) {
            0 | 1 => drop(characters.splice(at..at, SHARDS[dice.below(SHARDS.len())].chars())),
            2 => drop(characters.drain(at..(at + dice.below(30)).min(characters.len()))),
            _ => {
                let from = dice.below(characters.len() + 1);
                let copy = characters[from..(from + 40).min(characters.len())].to_vec();
                characters.splice(at..at, copy);
            }
        }
    }
    characters.into_iter().collect()
}

#[test]
fn every_sample_and_what_becomes_of_it_keeps_the_laws() {
    let mut dice = Dice(7);
    for (_, source_type, text) in SAMPLES {
        laws::hold(source_type, text);
        for _ in 0..ROUNDS {
            laws::hold(source_type, &mutate(text, &mut dice));
        }
    }
}

#[test]
fn long_texts_without_any_shape_keep_the_laws() {
    const LONG: usize = 40_000;
    for unit in [
        "\n",
        "a",
        "word ",
        "[",
        "{\"a\":",
        "\u{200b}",
        "\u{202e}שלום ",
        ".",
        ", ",
        "A: b\n",
        "> a\n",
        "- [ ] a\n",
        "|a|b|\n",
        "<v ",
        "🙏",
        "。",
        "From: a\n",
    ] {
        let text = unit.repeat(LONG / unit.len());
        laws::hold("document", &text);
        laws::hold("email", &format!("From: a@b.example\nTo: c\nSubject: d\n\n{text}"));
        laws::hold("meeting", &format!("WEBVTT\n\n00:01 --> 00:02\n{text}"));
    }
}

#[test]
fn what_is_read_is_bounded_by_the_text() {
    let text = "- a\n".repeat(10_000);
    assert!(reading("note", &text).utterances.len() <= 10_000);
}
