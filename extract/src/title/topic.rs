//! Topics: what a clause is about, in brackets behind it, where its own words do not say so: "Ring her office (speeches)". The
//! brackets say no more than that both belong together.

use std::collections::HashSet;

use super::candidate::{Candidate, Joined, Joint, code, slot};
use super::clause::LONGEST;
use super::kind::{self, Lexicon};
use super::thing::Thing;
use super::word::Word;

/// How likely a title holds a word that a topic is no better for.
pub(super) const UNLIKELY: f32 = 0.2;
/// How many topics are tried of a task.
const TOPICS: usize = 4;

/// A thing that a task may be about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Topic<'p, 'a> {
    pub thing: &'p Thing<'a>,
    /// Of which line; none for the title of the text.
    pub line: Option<usize>,
}

/// The likeliest of some topics, each text once.
pub(super) fn likeliest<'p, 'a>(mut topics: Vec<(f32, Topic<'p, 'a>)>) -> Vec<Topic<'p, 'a>> {
    topics.retain(|(likely, _)| *likely > 0.0);
    topics.sort_by(|one, other| other.0.total_cmp(&one.0));
    let mut seen = HashSet::new();
    let text = |topic: &Topic<'p, 'a>| label(topic.thing).iter().map(|word| word.lower.to_string()).collect::<Vec<_>>();
    topics.into_iter().map(|(_, topic)| topic).filter(|topic| seen.insert(text(topic))).take(TOPICS).collect()
}

/// A thing without its article.
fn label<'w, 'a>(thing: &'w Thing<'a>) -> &'w [Word<'a>] {
    match thing.words.as_slice() {
        [first, rest @ ..] if first.is(kind::ARTICLE) && !rest.is_empty() => rest,
        words => words,
    }
}

/// A title with each topic of which it says nothing yet.
pub(super) fn all<'p, 'a>(
    candidate: &Candidate<'p, 'a>,
    topics: &[Topic<'p, 'a>],
    lexicon: &Lexicon,
) -> Vec<Candidate<'p, 'a>> {
    let words = &candidate.words;
    let pronoun = slot(words).and_then(|(_, slot)| slot).map_or(0, |at| code(&words[at].lower));
    let new = |topic: &Topic<'p, 'a>| {
        let mut telling = label(topic.thing).iter().filter(|word| word.tells());
        telling.all(|word| words.iter().all(|known| known.lower != word.lower))
            && words.len() + label(topic.thing).len() <= LONGEST
    };
    let with = |(rank, topic): (usize, &Topic<'p, 'a>)| {
        let mut title = words.clone();
        title.push(Word::new("(", lexicon));
        title.extend_from_slice(label(topic.thing));
        title.push(Word::new(")", lexicon));
        let joined = Joined { thing: topic.thing, line: topic.line, joint: Joint::Topic, rank, slot: None, pronoun };
        Candidate { words: title, joined: Some(joined), ..candidate.clone() }
    };
    topics.iter().enumerate().filter(|(_, topic)| new(topic)).map(with).collect()
}
