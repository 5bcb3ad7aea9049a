//! The ends of a title: what cannot begin or end one goes.

use super::boundary::QUESTIONS;
use super::kind;
use super::word::Word;
use crate::word_list::WordList;

/// Verbs that something must follow.
pub(super) static OPEN: WordList = WordList::of(
    "see say know find check ask tell do achieve determine decide make get think look figure reflect confirm let",
);

/// Takes away what cannot end or begin a title.
pub(super) fn tidy(words: &mut Vec<Word<'_>>) {
    if let Some(comma) = addressed(words) {
        words.truncate(comma);
    }
    while let [.., before, last] = words.as_slice() {
        // "… and see", "… to find", "…, give": what should follow was cut off.
        let open = words.len() > 3
            && (before.is(kind::MARK) && last.is(kind::VERB)
                || matches!(before.lower.as_ref(), "to" | "and") && OPEN.has(&last.lower));
        let asked = || words.iter().any(|word| QUESTIONS.has(&word.lower));
        let whole = before.lower == "going" && last.lower == "on"
            || matches!(last.lower.as_ref(), "is" | "are" | "was" | "be") && asked();
        let mention = last.lower.starts_with('@');
        let stands = stands_last(before, last, words.len());
        if whole || !open && !mention && (stands || !last.is(kind::MARK | kind::DANGLING | kind::TAIL | kind::FILLER)) {
            break;
        }
        words.pop();
    }
    let mark = words.iter().take_while(|word| word.is(kind::MARK)).count();
    words.drain(..mark);
}

/// Whether a word that mostly cannot end a title does so behind another: "look into this", "the service guys", "tell everyone".
fn stands_last(before: &Word<'_>, last: &Word<'_>, length: usize) -> bool {
    let verb = length == 2 && before.is(kind::VERB);
    let led = before.is(kind::LINK) || matches!(before.lower.as_ref(), "into" | "onto" | "over" | "through");
    match last.lower.as_ref() {
        "this" | "that" => before.is(kind::VERB) || led,
        // "A firm yes or no", "a nice thank you".
        "no" => before.lower == "or",
        "everybody" | "everyone" => verb || led,
        "guys" => before.is(kind::ARTICLE) || before.tells() && !before.is(kind::DATE) && !verb,
        "time" => before.lower == "more",
        "us" | "you" => before.is(kind::VERB) && before.lower != "thank",
        "there" | "here" => {
            length == 2 && before.is(kind::LIGHT)
                || matches!(before.lower.as_ref(), "in" | "on" | "up" | "down" | "over")
        }
        // "Supplier A".
        "a" => last.text == "A",
        _ => false,
    }
}

/// The comma behind which nothing follows but who is spoken to: "send the parking map, Kofi".
fn addressed(words: &[Word<'_>]) -> Option<usize> {
    static TITLES: WordList = WordList::of("mr mrs ms dr prof herr frau mme");
    let comma = words.iter().rposition(|word| word.lower == ",").filter(|comma| *comma > 1)?;
    let called = |word: &Word<'_>| word.is(kind::NAME | kind::MARK) || TITLES.has(&word.lower);
    let name = words[comma + 1..].iter().any(|word| word.is(kind::NAME)) && words[comma + 1..].iter().all(called);
    (name && !words[comma - 1].is(kind::NAME)).then_some(comma)
}
