//! Phrases of a sentence: nouns with what belongs to them, and what a preposition leads.

use std::ops::Range;

use super::kind::{ARTICLE, DATE, FRONT, FUNCTION, LEAD, LINK, MARK};
use super::piece::Piece;
use super::verb;
use super::word::Word;
use crate::cue::join;

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
        let inner: Vec<usize> = (at + 1..end).filter(|inner| words[*inner].is(LINK)).collect();
        found.push(at..end);
        found.extend(inner.iter().filter(|inner| **inner > at + 1 || !words[at].is(ARTICLE)).map(|inner| at..*inner));
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
        let led = words[at].is(LEAD) && !next.is_mark() && !next.date && heads(words, at + 1);
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
    if word.is(ARTICLE) {
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
            .is_some_and(|next| !next.date && !next.is_mark() && (!next.function || next.is(ARTICLE)));
        let links = words[end].is(LINK) && (end > start + 1 || !words[start].is(ARTICLE)) && goes_on;
        let article = words[end].is(ARTICLE) && words[end - 1].is(LINK);
        if words[end].is_mark() || words[end].date || (words[end].function && !links && !article) {
            break;
        }
        end += 1;
    }
    end
}

/// Where a word stands in its phrase: how it is led, and whether it closes it.
pub(super) fn place(words: &[Piece], at: usize) -> u64 {
    let plain = |word: &Piece| !word.is(MARK | DATE | FUNCTION);
    if !plain(&words[at]) {
        return 0;
    }
    let start = (0..at).rev().find(|before| !plain(&words[*before]));
    let lead = start.map_or(1, |start| words[start].class);
    let before = start.and_then(|start| start.checked_sub(1)).map_or(1, |before| u64::from(words[before].is(LINK)));
    let closes = !words.get(at + 1).is_some_and(plain);
    let opens = at.checked_sub(1) == start;
    let fronted = start.is_none_or(|start| words[..=start].iter().all(|word| word.is(MARK | FRONT)));
    let rest = (at + 1..words.len()).find(|next| !plain(&words[*next])).map_or(0, |next| words.len() - next);
    let told = u64::from(fronted) * 3 + u64::from(fronted && rest < 3) + u64::from(fronted && rest < 1);
    join(join(lead, before), told * 4 + u64::from(closes) * 2 + u64::from(opens))
}
