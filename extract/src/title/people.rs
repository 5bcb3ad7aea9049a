//! Who "me", "you", "my" and "your" are, once a clause stands alone.

use super::boundary::FINITE;
use super::kind::{self, Lexicon};
use super::verb;
use super::word::Word;
use crate::word_list::WordList;

/// Verbs that somebody must follow.
static TOLD: WordList = WordList::of("let tell ask remind show inform bring call ring keep put help invite meet");

/// People who are somebody's.
static KIN: WordList = WordList::of(
    "mum mom mother dad father parents wife husband partner son daughter kids children sister brother aunt uncle \
    grandma grandpa cousin boss friend friends",
);

/// Who says a line, whom it is said to, and who is to do the task.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meant<'a, 'o> {
    /// Who says it.
    pub speaker: Option<&'a str>,
    /// Who spoke last before.
    pub hearer: Option<&'a str>,
    /// Who is to do it.
    pub owner: Option<&'o str>,
}

impl<'a> Meant<'a, '_> {
    /// Whether the owner says the line.
    pub fn own(&self) -> bool {
        matches!((self.speaker, self.owner), (Some(speaker), Some(owner)) if same(speaker, owner))
    }

    /// A clause with names for pronouns: "send me the list" is "Send Thekla the list". Nobody is named to himself.
    /// With `silent`, whoever asks is not named either.
    pub fn named(&self, words: &[Word<'a>], lexicon: &Lexicon, silent: bool) -> Vec<Word<'a>> {
        let own = self.own();
        let mut named: Vec<Word<'a>> = Vec::with_capacity(words.len());
        let mut skipped = None;
        for (at, word) in words.iter().enumerate() {
            if skipped == Some(at) {
                continue;
            }
            // "Tell know" says nothing, and "the mum" is nobody's.
            let told = named.last().is_some_and(|last| TOLD.has(&last.lower));
            let kin = words.get(at + 1).is_some_and(|next| KIN.has(&next.lower));
            let silent = silent && !told && !kin;
            let speaker = self.speaker.filter(|_| !own && !silent).and_then(short);
            let hearer = self
                .hearer
                .filter(|hearer| own && !silent && self.owner.is_none_or(|owner| !same(hearer, owner)))
                .and_then(short);
            let who = match word.lower.as_ref() {
                "me" if at > 1 && own => self.speaker.and_then(short),
                "me" if at > 0 => speaker,
                // "When you need it": there it acts.
                "you"
                    if words.get(at + 1).is_some_and(|next| {
                        next.is(kind::VERB | kind::MODAL | kind::STATE | kind::BETWEEN)
                            || FINITE.has(&next.lower)
                            || verb::from_past(&next.lower).is_some()
                    }) =>
                {
                    named.push(word.clone());
                    continue;
                }
                // "Between you two".
                "you"
                    if words
                        .get(at + 1)
                        .is_some_and(|next| matches!(next.lower.as_ref(), "two" | "three" | "both")) =>
                {
                    named.push(word.clone());
                    continue;
                }
                "you" if at > 0 => hearer,
                "my" if own => None,
                "my" => speaker,
                "your" => None,
                _ => {
                    named.push(word.clone());
                    continue;
                }
            };
            let possessive = matches!(word.lower.as_ref(), "my" | "your");
            match who {
                Some(name) if possessive => named.push(Word::new(format!("{name}'s"), lexicon)),
                Some(name) => named.push(Word { kinds: kind::NAME | kind::CAPITAL, ..Word::new(name, lexicon) }),
                None if told || possessive && kin => named.push(word.clone()),
                None if possessive => named.push(Word::new("the", lexicon)),
                // "To you and Lea" is "to Lea", and "Lea and me" is "Lea".
                None if words.get(at + 1).is_some_and(|next| next.lower == "and")
                    && words.get(at + 2).is_some_and(|other| other.is(kind::NAME | kind::CAPITAL | kind::PERSON)) =>
                {
                    skipped = Some(at + 1);
                }
                None if named.len() > 1 && named.last().is_some_and(|last| last.lower == "and") => {
                    named.pop();
                }
                None => {
                    // "to you" goes with its "to".
                    let led = named.len() > 1
                        && named
                            .last()
                            .is_some_and(|last| matches!(last.lower.as_ref(), "to" | "for" | "with" | "from"));
                    named.truncate(named.len() - usize::from(led));
                }
            }
        }
        named
    }
}

/// Whether one name is part of another.
pub(super) fn same(one: &str, other: &str) -> bool {
    let within = |one: &str, other: &str| {
        one.split_whitespace().all(|word| other.split_whitespace().any(|known| known.eq_ignore_ascii_case(word)))
    };
    within(one, other) || within(other, one)
}

/// What somebody is called in a title: by the first name; a role or number is none.
fn short(name: &str) -> Option<&str> {
    static TITLES: WordList = WordList::of("mr mrs ms dr prof miss frau herr mr. mrs. ms. dr.");
    static ROLES: WordList = WordList::of("manager designer expert speaker unknown user team the");
    let lower = name.to_lowercase();
    if lower.split_whitespace().any(|word| ROLES.has(word)) || name.chars().any(|letter| letter.is_ascii_digit()) {
        return None;
    }
    let first = name.split_whitespace().next()?;
    if TITLES.has(&first.to_lowercase()) {
        return Some(name);
    }
    (first.chars().count() > 1).then_some(first)
}
