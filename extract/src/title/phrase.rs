//! Phrases of a sentence: nouns with what belongs to them, and what a preposition leads.

use std::ops::Range;

use super::verb;
use super::word::{Word, has};

/// Words that lead what may be said behind an action.
const LEADS: &str = "for to about with from on in at of into before between onto without over under until during after against \
    including";

/// The noun phrases of a sentence, each with up to two more that are linked to it, and each alone.
pub(super) fn nouns(words: &[Word<'_>]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        if !heads(words, at) {
            at += 1;
            continue;
        }
        let end = end(words, at);
        let inner: Vec<usize> = (at + 1..end).filter(|inner| is_link(&words[*inner].lower)).collect();
        found.push(at..end);
        found.extend(
            inner.iter().filter(|inner| **inner > at + 1 || !is_article(&words[at].lower)).map(|inner| at..*inner),
        );
        if let Some(last) = inner.last().filter(|last| **last + 1 < end) {
            found.push(last + 1..end);
        }
        at = end.max(at + 1);
    }
    found.retain(|range| says(&words[range.clone()]));
    found
}

/// What prepositions lead: "to Northwind", "for the board deck".
pub(super) fn tails<'w>(words: &'w [Word<'_>]) -> impl Iterator<Item = Range<usize>> + 'w {
    (0..words.len()).filter_map(|at| {
        let next = words.get(at + 1)?;
        let led = has(LEADS, &words[at].lower) && !next.is_mark() && !next.date && heads(words, at + 1);
        let end = end(words, at + 1);
        let range = at..end;
        (led && range.len() <= 7 && says(&words[at + 1..end])).then_some(range)
    })
}

/// Whether a noun phrase may begin at a word.
fn heads(words: &[Word<'_>], at: usize) -> bool {
    let word = &words[at];
    if word.is_mark() || word.date {
        return false;
    }
    if is_article(&word.lower) {
        return true;
    }
    let before = at.checked_sub(1).map(|before| &words[before]);
    let fresh = before.is_none_or(|before| before.is_mark() || before.function || before.verb);
    fresh && !word.function
}

/// Whether a phrase says what a thing is: some content, and more than one plain verb or adverb.
fn says(words: &[Word<'_>]) -> bool {
    let content = words.iter().filter(|word| !word.little && !word.date && !word.is_mark()).count();
    let only = words.len() == 1;
    let vain = only && (words[0].verb || verb::from_past(&words[0].lower).is_some() || words[0].lower.ends_with("ly"));
    content > 0 && !vain
}

/// Where the noun phrase that begins at a word ends, with up to two more linked to it.
pub(super) fn end(words: &[Word<'_>], start: usize) -> usize {
    let mut end = start + 1;
    while end < words.len() && end - start < 8 {
        let goes_on = words
            .get(end + 1)
            .is_some_and(|next| !next.date && !next.is_mark() && (!next.function || is_article(&next.lower)));
        let links = is_link(&words[end].lower) && (end > start + 1 || !is_article(&words[start].lower)) && goes_on;
        let article = is_article(&words[end].lower) && is_link(&words[end - 1].lower);
        if words[end].is_mark() || words[end].date || (words[end].function && !links && !article) {
            break;
        }
        end += 1;
    }
    end
}

/// Words that link one noun phrase to another.
pub(super) fn is_link(word: &str) -> bool {
    matches!(word, "of" | "for" | "on" | "in" | "from" | "about" | "at")
}

/// Words that open a noun phrase.
pub(super) fn is_article(word: &str) -> bool {
    matches!(word, "the" | "a" | "an" | "your" | "my" | "our" | "his" | "her" | "their" | "another")
}
