//! Where an action ends: at a date, a bracket, a reason, a condition, or a second clause.

use super::kind;
use super::word::{Word, has};

/// Ends the action: at a date, a bracket, a reason, a condition, or a second clause.
pub(super) fn trim(words: Vec<Word<'_>>) -> Vec<Word<'_>> {
    let end = (1..words.len()).find(|at| ends(&words, *at)).unwrap_or(words.len());
    let mut words: Vec<Word<'_>> = words.into_iter().take(end).collect();
    while words.last().is_some_and(|word| word.is_mark() || is_dangling(&word.lower)) && words.len() > 1 {
        words.pop();
    }
    words
}

fn ends(words: &[Word<'_>], at: usize) -> bool {
    let word = &words[at];
    let next = words.get(at + 1).map(|next| next.lower.as_ref()).unwrap_or_default();
    let asks = matches!(
        words[0].lower.as_ref(),
        "ask" | "check" | "see" | "find" | "know" | "confirm" | "tell" | "look" | "test" | "clarify" | "decide"
    );
    match word.lower.as_ref() {
        "if" | "when" => !asks,
        "by" => words.get(at + 1).is_none_or(|next| next.date || next.is_mark()),
        "?" | "!" | "." | ";" | "(" | "[" | "–" | "—" | "-" | "→" | "…" | "|" => true,
        "," => {
            at >= 3
                && (matches!(
                    next,
                    "and"
                        | "so"
                        | "but"
                        | "because"
                        | "i"
                        | "you"
                        | "we"
                        | "he"
                        | "she"
                        | "it"
                        | "that"
                        | "which"
                        | "if"
                        | "the"
                        | "no"
                        | "or"
                ) || words.get(at + 1).is_none_or(|next| next.date || next.is_mark()))
        }
        "and" => {
            at >= 2
                && matches!(next, "i" | "i'll" | "you" | "we" | "then" | "he" | "she" | "they" | "it" | "that" | "see")
        }
        lower if at >= 2 && opens_clause(lower) && !keeps_clause(&words[at - 1].lower) => true,
        _ if word.date => {
            !words.get(at - 1).is_some_and(|before| matches!(before.lower.as_ref(), "the" | "of"))
                || words[at..].iter().all(|word| word.date || word.is_mark())
        }
        _ => word.is(kind::BREAK),
    }
}

/// "I'm", "she's", "we": somebody else starts to act.
fn opens_clause(word: &str) -> bool {
    const PRONOUNS: &str = "i he she we they there's that's don't";
    let (who, tail) = word.split_once('\'').unwrap_or((word, ""));
    has(PRONOUNS, word)
        || (!tail.is_empty()
            && tail != "s"
            && matches!(who, "i" | "you" | "he" | "she" | "it" | "we" | "they" | "that"))
        || word == "it's"
        || word == "she's"
        || word == "he's"
}

/// Words behind which a clause still belongs to the action: "ask whether she's free".
fn keeps_clause(word: &str) -> bool {
    matches!(
        word,
        "that"
            | "whether"
            | "if"
            | "what"
            | "how"
            | "where"
            | "who"
            | "why"
            | "when"
            | "which"
            | "think"
            | "say"
            | "sure"
    )
}

/// A word that cannot end a title.
fn is_dangling(word: &str) -> bool {
    matches!(
        word,
        "the"
            | "a"
            | "an"
            | "of"
            | "to"
            | "in"
            | "on"
            | "at"
            | "for"
            | "with"
            | "and"
            | "or"
            | "by"
            | "until"
            | "from"
            | "i"
            | "as"
            | "before"
            | "latest"
            | "no"
            | "later"
            | "than"
            | "now"
            | "then"
            | "over"
            | "due"
            | "this"
            | "end"
    ) && word != "on"
        || matches!(word, "on" | "every" | "some" | "time")
}
