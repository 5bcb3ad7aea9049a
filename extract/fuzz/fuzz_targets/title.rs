//! Titles: of any sentences, always the same one, short, and none only where they hold no word.
#![no_main]

use gleaner_extract::title::{Line, TitleInput, compose};
use gleaner_extract::weights::weights;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let lines: Vec<Line<'_>> = text.lines().take(12).enumerate().map(|(at, text)| Line { text, speaker: Some(["Sam Ortiz", "Dana"][at % 2]), evidence: at % 3 != 0 }).collect();
    let Some(weights) = weights() else { return };
    for language in ["en", "de", ""] {
        let input = TitleInput { lines: &lines, owner: Some("Dana"), names: &["Sam Ortiz", "Dana"], topic: "Weekly", language };
        let title = compose(&input, &weights.title);
        assert_eq!(title, compose(&input, &weights.title));
        assert!(title.split_whitespace().count() <= 24, "{title}");
    }
});
