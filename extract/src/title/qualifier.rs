//! Qualifiers: what a clause is about, in brackets behind it, where its own words do not say so: "Ring her office
//! (speeches)". The brackets say no more than that both belong together.

use std::collections::HashSet;

use super::candidate::{Candidate, Joined, Joint, code, slot};
use super::clause::LONGEST;
use super::kind::{self, Lexicon};
use super::noun_phrase::NounPhrase;
use super::verb;
use super::word::{Word, stem};

/// How likely a title holds a word that a qualifier is no better for.
pub(super) const UNLIKELY: f32 = 0.2;
/// How many qualifiers are tried of a task.
const MOST: usize = 4;

/// A noun phrase that a task may be about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Qualifier<'p, 'a> {
    pub phrase: &'p NounPhrase<'a>,
    /// Of which line; none for the title of the text.
    pub line: Option<usize>,
}

/// The likeliest of some qualifiers, each text once.
pub(super) fn likeliest<'p, 'a>(mut qualifiers: Vec<(f32, Qualifier<'p, 'a>)>) -> Vec<Qualifier<'p, 'a>> {
    qualifiers.retain(|(likely, _)| *likely > 0.0);
    qualifiers.sort_by(|one, other| other.0.total_cmp(&one.0));
    let mut seen = HashSet::new();
    let text = |qualifier: &Qualifier<'p, 'a>| -> Vec<String> {
        label(qualifier.phrase).iter().map(|word| word.lower.to_string()).collect()
    };
    let ranked = qualifiers.into_iter().map(|(_, qualifier)| qualifier);
    ranked.filter(|qualifier| seen.insert(text(qualifier))).take(MOST).collect()
}

/// A noun phrase without its article.
fn label<'w, 'a>(phrase: &'w NounPhrase<'a>) -> &'w [Word<'a>] {
    match phrase.words.as_slice() {
        [first, rest @ ..] if first.is(kind::ARTICLE) && !rest.is_empty() => rest,
        words => words,
    }
}

/// A title with each qualifier of which it says nothing yet.
pub(super) fn all<'p, 'a>(
    candidate: &Candidate<'p, 'a>,
    qualifiers: &[Qualifier<'p, 'a>],
    lexicon: &Lexicon,
) -> Vec<Candidate<'p, 'a>> {
    let words = &candidate.words;
    let pronoun = slot(words).and_then(|(_, slot)| slot).map_or(0, |at| code(&words[at].lower));
    let new = |qualifier: &Qualifier<'p, 'a>| {
        let mut telling = label(qualifier.phrase).iter().filter(|word| word.tells());
        // "Sign the lease (signed)" says nothing more.
        let done = |word: &Word<'_>| {
            verb::from_past(&word.lower).is_some_and(|verb| words.iter().any(|known| known.lower == verb))
        };
        telling.all(|word| words.iter().all(|known| stem(&known.lower) != stem(&word.lower)) && !done(word))
            && words.len() + label(qualifier.phrase).len() <= LONGEST
    };
    let with = |(rank, qualifier): (usize, &Qualifier<'p, 'a>)| {
        let mut title = words.clone();
        title.push(Word::new("(", lexicon));
        title.extend_from_slice(label(qualifier.phrase));
        title.push(Word::new(")", lexicon));
        let Qualifier { phrase, line } = *qualifier;
        let joined = Joined { phrase, line, joint: Joint::Qualifier, rank, slot: None, pronoun };
        Candidate { words: title, joined: Some(joined), ..candidate.clone() }
    };
    qualifiers.iter().enumerate().filter(|(_, qualifier)| new(qualifier)).map(with).collect()
}
