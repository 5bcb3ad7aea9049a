//! Titles: of any sentences, always the same one, short, without control characters, and the same whether or not other
//! titles were made of the same context before.
#![no_main]

use gleaner_extract::title::{Said, Strength, TitleContext, TitleLine, TitleRequest, title};
use gleaner_extract::weights::weights;
use libfuzzer_sys::fuzz_target;

const NAMES: [&str; 2] = ["Sam Ortiz", "Dana"];
const LANGUAGES: [&str; 3] = ["en", "de", ""];
const OWNERS: [Option<&str>; 4] = [Some("Dana"), Some("Sam Ortiz"), Some("Lee Park"), None];

// Each title asks the tagger, which takes most of a run: so the length of a text says which of all requests is made.
fuzz_target!(|text: &str| {
    let said: Vec<Said<'_>> =
        text.lines().take(12).enumerate().map(|(at, text)| Said { text, speaker: Some(NAMES[at % 2]) }).collect();
    let Some(weights) = weights() else { return };
    let pick = text.len();
    let (language, owner) = (LANGUAGES[pick % 3], OWNERS[pick / 3 % 4]);
    let context = || TitleContext::new(said.clone(), &NAMES, "Weekly", language);
    let make = |context: &mut TitleContext<'_>, evidence: usize| {
        let line = |at: usize| (at, (at % 3 == evidence % 3).then(Strength::default));
        let lines: Vec<TitleLine> = (0..said.len()).map(line).collect();
        title(context, &TitleRequest { lines: &lines, owner, others: &[] }, &weights.title)
    };
    let mut shared = context();
    make(&mut shared, pick + 1);
    let title = make(&mut shared, pick);
    assert_eq!(title, make(&mut context(), pick));
    let title = title.text;
    assert!(title.split_whitespace().count() <= 24, "{title}");
    assert!(!title.chars().any(char::is_control), "{title:?}");
});
