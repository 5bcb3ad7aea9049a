//! Pronouns: what "it" and "them" stand for, taken from the other sentences.

use std::ops::Range;

use super::action::{Action, Form};
use super::kind;
use super::phrase;
use super::word::Word;

/// A thing that a sentence names.
#[derive(Clone, Debug)]
pub(super) struct Thing<'a> {
    /// Its words.
    pub words: Vec<Word<'a>>,
    /// Whether it is what an action is about.
    pub acted: bool,
    /// Whether it is somebody.
    pub person: bool,
    /// Where it stands in its line.
    pub spot: Spot,
}

/// Where a thing stands in its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spot {
    /// It is all that the line says: "The bench samples."
    Whole,
    /// It opens the line, and something is said of it: "the bracket didn't arrive".
    Subject,
    /// It opens a part of the line.
    Opens,
    /// Anywhere else.
    Inside,
}

/// Most things of one sentence.
pub(super) const MOST: usize = 8;

/// The things that a line names: what its actions are about, then what it speaks of, then somebody.
pub(super) fn all<'a>(
    topics: &[(Vec<Word<'a>>, Spot)],
    actions: &[Action<Word<'a>>],
    mentioned: Option<&'a str>,
) -> Vec<Thing<'a>> {
    let thing = |words, acted, person, spot| Thing { words, acted, person, spot };
    let acted = actions.iter().filter(|action| action.form > Form::Bare).filter_map(of_action);
    let acted = acted.map(|words| thing(words, true, false, Spot::Inside));
    let topics = topics.iter().map(|(words, spot)| thing(words.clone(), false, false, *spot));
    let people = mentioned.into_iter().map(|name| thing(vec![Word::new(name)], false, true, Spot::Inside));
    let mut things: Vec<Thing<'a>> = Vec::new();
    for thing in acted.chain(topics).chain(people) {
        let same = |known: &Thing<'_>| {
            known.words.iter().map(|word| &word.lower).eq(thing.words.iter().map(|word| &word.lower))
        };
        if !things.iter().any(same) && things.len() < MOST {
            things.push(thing);
        }
    }
    things
}

/// The things that words name, each with where it stands among them.
pub(super) fn named<'a>(words: &[Word<'a>]) -> Vec<(Vec<Word<'a>>, Spot)> {
    let found = phrase::nouns(words).into_iter();
    found.filter_map(|range| Some((good(words[range.clone()].to_vec())?, spot(words, range)))).collect()
}

/// Where a phrase stands among the words of its line.
fn spot(words: &[Word<'_>], range: Range<usize>) -> Spot {
    let small = |word: &Word<'_>| word.is_mark() || word.is(kind::SETS_IN);
    let opens = words[..range.start].iter().all(small);
    let rest: Vec<&Word<'_>> = words[range.end..].iter().filter(|word| !word.is_mark() && !word.date).collect();
    let clause = range.start > 0 && (words[range.start - 1].is_mark() || small(&words[range.start - 1]));
    let told = rest.first().is_some_and(|word| word.is(kind::TELLS) || word.lower.ends_with("n't"));
    match (opens, clause) {
        (true, _) if rest.len() < 2 => Spot::Whole,
        (true, _) | (_, true) if told => Spot::Subject,
        (true, _) | (_, true) => Spot::Opens,
        _ => Spot::Inside,
    }
}

/// The thing that an action is about: the words behind its verb, up to a place or person.
fn of_action<'a>(action: &Action<Word<'a>>) -> Option<Vec<Word<'a>>> {
    let from = usize::from(action.words.first().is_some_and(|word| word.verb));
    let words: Vec<Word<'a>> = action.words[from..]
        .iter()
        .skip_while(|word| word.is_mark())
        .take_while(|word| {
            !word.is_mark()
                && !matches!(
                    word.lower.as_ref(),
                    "to" | "into" | "with" | "by" | "is" | "was" | "and" | "that" | "has" | "if" | "whether"
                )
        })
        .cloned()
        .collect();
    good(words)
}

/// A thing worth naming: some content, no pronoun, not too long.
fn good(words: Vec<Word<'_>>) -> Option<Vec<Word<'_>>> {
    let content = words.iter().filter(|word| !word.little && !word.date).count();
    let hollow = words.iter().any(|word| word.is(kind::PRONOUN) && words.len() < 3)
        || words.first().is_some_and(|word| word.is(kind::PRONOUN) && words.len() < 2);
    let vague = words.iter().filter(|word| !word.little).all(|word| word.is(kind::VAGUE));
    (content > 0 && !hollow && !vague && words.len() <= 8).then_some(words)
}
