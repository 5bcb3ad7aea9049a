//! Pronouns: what "it" and "them" stand for, taken from the other sentences.

use std::ops::Range;

use super::Cast;
use super::action::{Action, Form, is_pronoun};
use super::people;
use super::phrase;
use super::word::{Word, has};

/// A thing that a sentence names.
#[derive(Clone, Debug)]
pub(super) struct Thing<'a> {
    /// Its words.
    pub words: Vec<Word<'a>>,
    /// Number of the line that names it.
    pub line: usize,
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
const MOST: usize = 8;

/// The things that a line names: what its actions are about, then what it speaks of.
pub(super) fn all<'a>(line: usize, words: &[Word<'a>], actions: &[Action<'a>], input: &Cast<'_, 'a>) -> Vec<Thing<'a>> {
    let acted = actions.iter().filter(|action| action.form > Form::Bare).filter_map(of_action).map(|words| Thing {
        words,
        line,
        acted: true,
        person: false,
        spot: Spot::Inside,
    });
    let people = people::mentioned(input.lines[line].text, input).into_iter().map(|name| Thing {
        words: vec![Word::new(name)],
        line,
        acted: false,
        person: true,
        spot: Spot::Inside,
    });
    let topics = named(words).into_iter().map(|(words, spot)| Thing { words, line, acted: false, person: false, spot });
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

/// The things that the text's own title names; their line is the one behind the last.
pub(super) fn of_topic<'a>(line: usize, words: &[Word<'a>]) -> Vec<Thing<'a>> {
    let mut things = named(words);
    things.truncate(MOST);
    things.into_iter().map(|(words, spot)| Thing { words, line, acted: false, person: false, spot }).collect()
}

/// The things that words name.
fn named<'a>(words: &[Word<'a>]) -> Vec<(Vec<Word<'a>>, Spot)> {
    let found = phrase::nouns(words).into_iter();
    found.filter_map(|range| Some((good(words[range.clone()].to_vec())?, spot(words, range)))).collect()
}

/// Where a phrase stands among the words of its line.
fn spot(words: &[Word<'_>], range: Range<usize>) -> Spot {
    let small = |word: &Word<'_>| word.is_mark() || has("and so but then also now or okay next", &word.lower);
    let opens = words[..range.start].iter().all(small);
    let rest: Vec<&Word<'_>> = words[range.end..].iter().filter(|word| !word.is_mark() && !word.date).collect();
    let first = rest.first().map_or("", |word| word.lower.as_ref());
    let clause = range.start > 0 && (words[range.start - 1].is_mark() || small(&words[range.start - 1]));
    let told = has("is are was were has have had will would can could should must needs need", first)
        || first.ends_with("n't");
    match (opens, clause) {
        (true, _) if rest.len() < 2 => Spot::Whole,
        (true, _) | (_, true) if told => Spot::Subject,
        (true, _) | (_, true) => Spot::Opens,
        _ => Spot::Inside,
    }
}

/// The thing that an action is about: the words behind its verb, up to a place or person.
fn of_action<'a>(action: &Action<'a>) -> Option<Vec<Word<'a>>> {
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

/// Nouns that name nothing: times, amounts, manners.
const VAGUE: &str = "minute minutes moment morning afternoon evening night week weeks day days month year hour hours lot bit time way thing things question \
    idea end start way case fact point moment while problem same rest other others first last next second number kind sort one two three";

/// A thing worth naming: some content, no pronoun, not too long.
fn good(words: Vec<Word<'_>>) -> Option<Vec<Word<'_>>> {
    let content = words.iter().filter(|word| !word.little && !word.date).count();
    let hollow = words.iter().any(|word| is_pronoun(&word.lower) && words.len() < 3)
        || words.first().is_some_and(|word| is_pronoun(&word.lower) && words.len() < 2);
    let vague = words.iter().filter(|word| !word.little).all(|word| has(VAGUE, &word.lower));
    (content > 0 && !hollow && !vague && words.len() <= 8).then_some(words)
}
