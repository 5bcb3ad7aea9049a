//! Titles: one line, and no name or number in them that the text does not hold.

use crate::{find::folded, numbered::NumberedText, prompt_context::KnownTask};
use gleaner_model::words;
use std::collections::BTreeSet;

/// Longest title, in characters.
const MAX_TITLE: usize = 160;
/// Lines before and after the evidence whose words a title may be made of.
const NEARBY_LINES: usize = 12;
/// Letters by which forms of one word are known.
const STEM_LETTERS: usize = 4;

/// A title that the text bears out: of its words of content past the verb, a third at least stand in or near the evidence,
/// in the item's title or in that of the known task that is meant.
#[must_use]
pub fn borne_out(
    said: &str,
    page: &NumberedText<'_>,
    evidence: &[usize],
    item_title: &str,
    known: Option<&KnownTask>,
) -> Option<String> {
    let title = said.split_whitespace().collect::<Vec<_>>().join(" ");
    let title: String = title.trim_end_matches(['.', ';', ',']).chars().take(MAX_TITLE).collect();
    if title.is_empty() {
        return None;
    }
    let wanted = stems(title.split_once(' ').map_or("", |(_, rest)| rest));
    if wanted.is_empty() {
        return Some(title);
    }
    let mut held: BTreeSet<String> = stems(item_title).into_iter().collect();
    held.extend(known.into_iter().flat_map(|known| stems(&known.title)));
    for line in evidence {
        held.extend(stems(&page.words(line.saturating_sub(NEARBY_LINES)..line + NEARBY_LINES + 1)));
    }
    let borne = wanted.iter().filter(|stem| held.contains(*stem)).count();
    (borne * 3 >= wanted.len()).then_some(title)
}

/// The words of content, cut to the letters by which they are known.
fn stems(text: &str) -> Vec<String> {
    let text = folded(text);
    let telling = |word: &&str| word.chars().count() > 2 || word.chars().any(|one| one.is_numeric() || !one.is_ascii());
    let empty = ["the", "and", "for", "with", "from", "about", "into", "that", "this", "them", "all", "new", "out"];
    words(&text)
        .filter(|word| !empty.contains(word))
        .filter(telling)
        .map(|word| word.chars().take(STEM_LETTERS).collect())
        .collect()
}
