//! Where in a sentence something else begins than what is to be done: another clause, a reason, a date.

use super::candidate::SUBORDINATE;
use super::clause::End;
use super::kind;
use super::tidy::OPEN;
use super::verb;
use super::word::Word;
use crate::sentence::ends_in_abbreviation;
use crate::word_list::WordList;

/// Whether something else may begin at a word, and whether it surely does.
pub(super) fn boundary(words: &[Word<'_>], from: usize, at: usize) -> Option<(End, bool)> {
    let (word, before) = (&words[at], &words[at - 1]);
    let next = words.get(at + 1);
    let starts = |word: Option<&Word<'_>>| {
        word.is_some_and(|word| word.is(kind::SUBJECT | kind::BREAK) || (word.is(kind::MODAL) && !word.is(kind::VERB)))
    };
    match word.lower.as_ref() {
        "." if word.is(kind::JOINED) && ends_in_abbreviation(&before.text, next.map_or("", |next| &next.text)) => None,
        "?" | "!" | "." | ";" | "|" | "→" | "—" | "–" | "…" | "(" | "[" => Some((End::Mark, true)),
        "-" if !word.is(kind::JOINED) => Some((End::Mark, true)),
        "," => Some((End::Mark, starts(next) || says(&words[at + 1..]) || asks(&words[at + 1..]))),
        ":" | "/" => Some((End::Mark, false)),
        "or" if before.lower == "yes" && next.is_some_and(|next| next.lower == "no") => None,
        "and" | "or" | "but" | "so" => Some((End::Break, starts(next) || acts(&words[at + 1..]))),
        _ if word.is(kind::DATE) && !before.is(kind::DATE) && at > from + 1 => Some((End::Date, false)),
        "before" | "after" | "until" | "by"
            if next.is_some_and(|next| next.is(kind::DATE) && next.lower.ends_with("'s")) =>
        {
            Some((End::Date, true))
        }
        // "As far as you can", "find out which one it is", "see if they came": there it goes on.
        "as" if at > from + 1 && words[at - 2].lower == "as" => None,
        _ if word.is(kind::BREAK) && QUESTIONS.has(&word.lower) && wonders(words, from, at) => None,
        _ if word.is(kind::BREAK) && at > from => Some((End::Break, false)),
        // "Find out what time they come".
        _ if word.is(kind::SUBJECT) && is_asked(words, from, at) => None,
        // Speech without marks: "ask for a copy freddie can you", "do it on Friday he knows".
        _ if word.is(kind::NAME) && at > from + 1 && asks_you(&words[at + 1..]) => Some((End::Break, false)),
        "he" | "she" | "they" | "we" | "you" if at > from + 1 && !SUBORDINATE.has(&before.lower) => {
            Some((End::Break, false))
        }
        "i" | "i'll" | "i'm" | "i've" | "i'd" | "we'll" | "you'll" | "we're" | "he's" | "she's" | "they're"
        | "there's" | "it's" | "that's" | "ive" | "im" | "ill"
            if at > from + 1 && !before.is(kind::BREAK) =>
        {
            Some((End::Break, false))
        }
        // "Our one to one".
        "to" if next.is_some_and(|next| next.lower == before.lower) || leads_on(words, from, at) => None,
        // "Have him send that this week": there it is the thing.
        "that" if next.is_none_or(|next| next.is(kind::MARK | kind::DATE)) => None,
        "to" | "for" | "with" | "that" | "whether" if at > from + 2 => Some((End::Break, false)),
        _ => None,
    }
}

/// Words that ask, behind a verb that wonders.
pub(super) static QUESTIONS: WordList = WordList::of("what which who how whether if when where");
/// Verbs behind which somebody is named and then what they are to do: "ask the shop to send it".
static MOVES: WordList = WordList::of("ask tell remind persuade convince urge instruct invite");

/// Whether a verb that wonders stands right before a word: "find out", "see", "decide".
fn wonders(words: &[Word<'_>], from: usize, at: usize) -> bool {
    let said = |at: usize| words[at].lower.as_ref();
    let found = at > from + 1 && said(at - 1) == "out" && matches!(said(at - 2), "find" | "figure" | "work");
    let verb = at > from && OPEN.has(said(at - 1)) && !matches!(said(at - 1), "do" | "make" | "get" | "let");
    found || verb
}

/// Whether a word is the subject of what somebody wonders: of "what time they come".
fn is_asked(words: &[Word<'_>], from: usize, at: usize) -> bool {
    /// Words between what asks and its subject: "what time they come".
    const NEAR: usize = 8;
    let mut near = (from + 1..at).rev().take(NEAR);
    let Some(asks) = near.find(|asks| QUESTIONS.has(&words[*asks].lower)) else { return false };
    wonders(words, from, asks) && !words[asks + 1..at].iter().any(|word| word.is(kind::SUBJECT | kind::MARK))
}

/// Whether "to" goes on with what stands before it: "going to", "ask the shop to send it", "get Mr Ito to sign it".
fn leads_on(words: &[Word<'_>], from: usize, at: usize) -> bool {
    const LEADS: [&str; 10] = ["going", "have", "has", "need", "needs", "want", "wants", "able", "ought", "how"];
    let acts = words.get(at + 1).is_some_and(|next| next.is(kind::VERB) || next.lower == "be");
    let first = words[from].lower.as_ref();
    let named = || words[from + 1..at].iter().any(|word| word.is(kind::NAME | kind::CAPITAL | kind::PERSON));
    acts && (LEADS.contains(&words[at - 1].lower.as_ref()) || MOVES.has(first) || first == "get" && named())
}

/// Whether words ask somebody: "can you".
fn asks_you(words: &[Word<'_>]) -> bool {
    matches!(words, [modal, you, ..] if modal.is(kind::MODAL) && you.lower == "you")
}

/// Whether words ask something of their own: "does he know", "when's the freeze".
fn asks(words: &[Word<'_>]) -> bool {
    let [first, second, ..] = words else { return false };
    let contracted = matches!(first.lower.as_ref(), "who's" | "what's" | "when's" | "where's" | "how's");
    contracted || FINITE.has(&first.lower) && second.is(kind::SUBJECT)
}

/// Whether what is left of a clause ends before the verb of what somebody is told: "say that the dog".
pub(super) fn is_broken(kept: &[Word<'_>]) -> bool {
    let Some(told) = kept.iter().skip(1).position(|word| word.lower == "that").map(|at| at + 2) else { return false };
    let behind = &kept[told..];
    let thing = behind.first().is_some_and(|word| word.is(kind::ARTICLE));
    let acts = |word: &Word<'_>| {
        FINITE.has(&word.lower)
            || word.is(kind::VERB | kind::SUBJECT)
            || word.lower.contains('\'')
            || verb::from_third(&word.lower).is_some()
            || verb::from_past(&word.lower).is_some()
    };
    thing && kept[0].is(kind::TALK) && !behind[1..].iter().any(acts)
}

/// Whether a clause that ends before a word is cut within a phrase: behind an article or an auxiliary, or where a verb that
/// wonders has not said what about.
pub(super) fn breaks_off(words: &[Word<'_>], from: usize, to: usize) -> bool {
    let (last, next) = (&words[to - 1], &words[to]);
    if next.is(kind::MARK | kind::DATE) || to <= from + 1 {
        return false;
    }
    let open = QUESTIONS.has(&next.lower) && wonders(words, from, to);
    let that = (last.lower == "that" || last.is(kind::BREAK)) && next.is(kind::SUBJECT);
    let inverted = last.is(kind::MODAL) && next.lower == "you" || last.is(kind::NAME) && asks_you(&words[to..]);
    open || that || inverted || matches!(last.lower.as_ref(), "going" | "able") && next.lower == "to"
}

/// Whether somebody acts in words by name: "Lea does the flyers".
fn acts(words: &[Word<'_>]) -> bool {
    matches!(words, [name, verb, ..] if name.is(kind::NAME)
        && (FINITE.has(&verb.lower) || verb::from_third(&verb.lower).is_some()))
}

/// Words within which a clause shows its verb.
const SOON: usize = 5;

/// Whether words begin a clause of their own: a verb that somebody does stands near.
fn says(words: &[Word<'_>]) -> bool {
    let near = words.iter().take(SOON).take_while(|word| !word.is(kind::MARK | kind::BREAK) && word.lower != "to");
    near.skip(1).any(|word| FINITE.has(&word.lower))
}

/// Words that make a sentence of what else would name a thing.
pub(super) static FINITE: WordList = WordList::of(
    "need told promised asked is are was were has had will would can could should must doesn't don't isn't gets does \
    did needs says said wants has agreed offered volunteered undertook",
);

/// Words that lead to a date, and those that may stand between.
static TO_DATES: WordList = WordList::of(
    "by on before after until till at in for from the this end of latest around say um cop w/c w/e w.e.f wef week commencing am vor bis zum le el il op \
    voor avant d'ici pour para antes de del entro per até ,",
);
static BEFORE_DATES: WordList = WordList::of("the of end say cop commencing le el il la de del");

/// Words of a date that are looked at, so that an endless one costs no more.
pub(super) const LONGEST_DATE: usize = 8;

/// Whether a word is part of a date or leads to one.
pub(super) fn is_dated(words: &[Word<'_>], at: usize) -> bool {
    let mut next =
        words[at + 1..].iter().take(LONGEST_DATE).filter(|word| !word.is(kind::MARK) && !BEFORE_DATES.has(&word.lower));
    let said = |at: usize| words.get(at).map_or("", |word| word.lower.as_ref());
    let date = |at: usize| words.get(at).is_some_and(|word| word.is(kind::DATE));
    match said(at) {
        _ if date(at) => true,
        // "Log in tomorrow".
        "in" if matches!(said(at + 1), "today" | "tomorrow" | "tonight") => false,
        "first" => said(at + 1) == "thing",
        "thing" => at > 0 && said(at - 1) == "first",
        "am" | "pm" | "eve" if at > 0 && date(at - 1) => true,
        word => TO_DATES.has(word) && next.next().is_some_and(|word| word.is(kind::DATE)),
    }
}
