//! Titles: of any sentences, always the same one, short, and none only where they hold no word.
#![no_main]

use gleaner_extract::title::{Line, TitleInput, compose};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let lines: Vec<Line<'_>> = text.lines().take(12).enumerate().map(|(at, text)| Line { text, speaker: Some(["Sam Ortiz", "Dana"][at % 2]), evidence: at % 3 != 0 }).collect();
    for language in ["en", "de", ""] {
        let input = TitleInput { lines: &lines, owner: Some("Dana"), names: &["Sam Ortiz", "Dana"], language };
        let title = compose(&input);
        assert_eq!(title, compose(&input));
        assert!(title.split_whitespace().count() <= 24, "{title}");
    }
});
