//! Titles: of any sentences, always the same one, short, without control characters, and the same whether or not other
//! titles were made of the same page before.
#![no_main]

use gleaner_extract::title::{TitleRequest, Cited, Page, Said, Strength, title};
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
                let cited = |at: usize| (at, (at % 3 == proof).then(Strength::default));
                let lines: Vec<Cited> = (0..said.len()).map(cited).collect();
                let asked = TitleRequest { lines: &lines, owner, others: &[] };
                let alone = title(&mut Page::new(said.clone(), &NAMES, "Weekly", language), &asked, &weights.title);
                let title = title(&mut page, &asked, &weights.title);
                assert_eq!(title, alone);
                let title = title.text;
                assert!(title.split_whitespace().count() <= 24, "{title}");
                assert!(!title.chars().any(char::is_control), "{title:?}");
            }
        }
    }
});
