//! The engine's judgement of likeness, in the terms of tasks' records.

use gleaner_extract::link::related;
use gleaner_model::Mention;
use std::{cmp::Reverse, collections::BTreeSet};

/// Most words of a mention under which tasks are looked for.
const WORDS: usize = 8;
/// Likeness of titles from which a finding means what the same item said before.
const REPETITION: f64 = 0.5;
/// The same where both rest on the same words: one quote may still hold two tasks.
const REPETITION_SAME_QUOTE: f64 = 0.2;

/// How alike a finding is to what the same item said before; `None` where it is something else.
#[must_use]
pub fn repetition(mention: &Mention, before: &Mention) -> Option<f64> {
    let likeness = like(mention, before);
    let same_title = mention.title == before.title;
    let same_quote = mention.quotes.iter().any(|quote| before.quotes.iter().any(|other| other.text == quote.text));
    let least = if same_quote { REPETITION_SAME_QUOTE } else { REPETITION };
    let score = f64::from(u8::from(same_title)) + f64::from(u8::from(same_quote)) + likeness;
    (same_title || likeness >= least).then_some(score)
}

fn like(one: &Mention, other: &Mention) -> f64 {
    let (mine, theirs) = (texts(one), texts(other));
    related::likeness(&view(one, &mine), &view(other, &theirs))
}

/// Keys under which a later mention of the same commitment is looked for.
#[must_use]
pub fn keys(mention: &Mention) -> Vec<String> {
    let quotes = texts(mention);
    related::keys(&view(mention, &quotes))
}

/// The words of a mention under which the tasks are looked for that it may mean: its longest ones, which few others share.
pub fn words(mention: &Mention) -> impl Iterator<Item = String> {
    let texts = mention.quotes.iter().map(|quote| quote.text.as_str()).chain([mention.title.as_str()]);
    let words: BTreeSet<_> = texts.flat_map(related::words_of).map(|word| (Reverse(word.len()), word)).collect();
    words.into_iter().take(WORDS).map(|(_, word)| word)
}

/// The words that a mention rests on.
#[must_use]
pub fn texts(mention: &Mention) -> Vec<&str> {
    mention.quotes.iter().map(|quote| quote.text.as_str()).collect()
}

/// A mention in the engine's terms.
#[must_use]
pub fn view<'a>(mention: &'a Mention, quotes: &'a [&'a str]) -> related::TaskMention<'a> {
    related::TaskMention {
        speakers: &[],
        title: &mention.title,
        owner: mention.owner.as_ref().map(|owner| owner.name.as_str()),
        quotes,
        due: mention.due.as_ref().map(|due| due.date),
        status: mention.status,
        occurred_at: mention.occurred_at,
    }
}
