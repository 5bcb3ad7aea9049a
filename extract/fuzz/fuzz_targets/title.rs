//! Titles: of any sentences, always the same one, short, without control characters, and the same whether or not other
//! titles were made of the same page before.
#![no_main]

use gleaner_extract::title::{Asked, Line, Page, Said, TitleInput, compose, title};
use gleaner_extract::weights::weights;
use libfuzzer_sys::fuzz_target;

const NAMES: [&str; 2] = ["Sam Ortiz", "Dana"];

fuzz_target!(|text: &str| {
    let said: Vec<Said<'_>> =
        text.lines().take(12).enumerate().map(|(at, text)| Said { text, speaker: Some(NAMES[at % 2]) }).collect();
    let Some(weights) = weights() else { return };
    for language in ["en", "de", ""] {
        let mut page = Page::new(said.clone(), &NAMES, "Weekly", language);
        for owner in [Some("Dana"), Some("Sam Ortiz"), Some("Lee Park"), None] {
            for proof in 0..3 {
                let asked: Vec<(usize, bool)> = (0..said.len()).map(|at| (at, at % 3 == proof)).collect();
                let line =
                    |&(at, evidence): &(usize, bool)| Line { text: said[at].text, speaker: said[at].speaker, evidence };
                let lines: Vec<Line<'_>> = asked.iter().map(line).collect();
                let alone = compose(
                    &TitleInput { lines: &lines, owner, names: &NAMES, topic: "Weekly", language },
                    &weights.title,
                );
                let title = title(&mut page, &Asked { lines: &asked, owner }, &weights.title);
                assert_eq!(title, alone);
                assert!(title.split_whitespace().count() <= 24, "{title}");
                assert!(!title.chars().any(char::is_control), "{title:?}");
            }
        }
    }
});
