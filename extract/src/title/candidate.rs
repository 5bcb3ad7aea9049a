//! All titles that could be made of a task's sentences.

use super::action::{self, Action, is_pronoun};
use super::rank::{self, Features};
use super::thing::{self, Thing};
use super::word::Word;
use super::{LONGEST, TitleInput};

/// A title that could be.
pub(super) struct Candidate<'a> {
    /// Its words.
    pub words: Vec<Word<'a>>,
    /// What speaks for and against it.
    pub features: Features,
}

/// What a candidate is made of.
pub(super) struct Source<'s, 'a> {
    /// The action.
    pub action: &'s Action<'a>,
    /// The line that names it.
    pub line: usize,
    /// The thing put in for a pronoun, or behind the action.
    pub thing: Option<&'s Thing<'a>>,
    /// How the thing is put in.
    pub joint: Joint,
}

/// How a thing is joined to an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Joint {
    /// No thing.
    None,
    /// In the place of a pronoun.
    Pronoun,
    /// Behind the action: "Send", then "the file".
    Behind,
    /// Behind the action with a word between: "about", "for".
    Linked(&'static str),
}

/// Most things, nearest first, that are tried with an action.
const THINGS: usize = 12;

/// Every candidate of a task.
pub(super) fn all<'a>(input: &TitleInput<'a>) -> Vec<Candidate<'a>> {
    let actions: Vec<Vec<Action<'a>>> = input.lines.iter().map(|line| action::all(line, input)).collect();
    let things: Vec<Thing<'a>> = (0..actions.len()).flat_map(|line| thing::all(line, &actions[line], input)).collect();
    let scene = rank::Scene::of(input);
    let mut found = Vec::new();
    for (line, action) in
        actions.iter().enumerate().flat_map(|(line, actions)| actions.iter().map(move |action| (line, action)))
    {
        let mut keep = |words: Vec<Word<'a>>, thing: Option<&Thing<'a>>, joint: Joint| {
            let source = Source { action, line, thing, joint };
            let features = scene.features(&words, &source, input);
            found.push(Candidate { words, features });
        };
        keep(action.words.clone(), None, Joint::None);
        let mut near: Vec<&Thing<'a>> = things.iter().collect();
        near.sort_by_key(|thing| (thing.line > line, thing.line.abs_diff(line)));
        for thing in near.into_iter().take(THINGS) {
            for (words, joint) in joined(action, thing) {
                keep(words, Some(thing), joint);
            }
        }
    }
    found
}

/// An action with a thing: for its pronoun, or behind it where it says little.
fn joined<'a>(action: &Action<'a>, thing: &Thing<'a>) -> Vec<(Vec<Word<'a>>, Joint)> {
    let words = &action.words;
    let pronoun = words.iter().skip(1).position(|word| is_pronoun(&word.lower)).map(|at| at + 1);
    if let Some(place) = pronoun {
        let mut with = words.clone();
        with.splice(place..=place, thing.words.iter().cloned());
        with.truncate(LONGEST);
        return vec![(with, Joint::Pronoun)];
    }
    let repeats = thing.words.iter().all(|word| words.iter().any(|known| known.lower == word.lower));
    if words.len() > 6 || words.len() + thing.words.len() > LONGEST || repeats {
        return Vec::new();
    }
    let with = |link: Option<&'static str>| {
        let mut with = words.clone();
        with.extend(link.map(Word::new));
        with.extend(thing.words.iter().cloned());
        with
    };
    let mut found = vec![(with(None), Joint::Behind)];
    found.extend(["for", "about"].map(|link| (with(Some(link)), Joint::Linked(link))));
    found
}
