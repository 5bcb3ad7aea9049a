//! The neighbourhood of a task as its title sees it: the words of each line, the actions and things that they name, and
//! where each line stands beside the evidence.

use std::ops::Range;

use super::action::{self, Action};
use super::label::unlabelled;
use super::phrase;
use super::thing::{self, Thing};
use super::word::{self, Word};
use super::{Cast, Line};

/// Most lines between the evidence and one whose actions may name the task.
const ACTS: usize = 3;

/// What stands in and around a task.
pub(super) struct Scene<'s, 'i, 'a> {
    /// The task.
    pub cast: &'s Cast<'i, 'a>,
    /// The words of each line, without its label.
    pub words: Vec<Vec<Word<'a>>>,
    /// The words of the text's own title.
    pub topic: Vec<Word<'a>>,
    /// The actions of each line; of lines that are far off, none.
    pub actions: Vec<Vec<Action<'a>>>,
    /// What the lines speak of.
    pub things: Vec<Thing<'a>>,
    /// What may be said behind an action.
    pub tails: Vec<Tail<'a>>,
    /// Where each line stands.
    pub places: Vec<Place>,
}

/// What may be said behind an action: "to Northwind".
pub(super) struct Tail<'a> {
    /// The number of its line.
    pub line: usize,
    /// Whether it opens its line.
    pub opens: bool,
    /// Its words, the preposition first.
    pub words: Vec<Word<'a>>,
}

/// Where a line stands beside the evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// Lines to the nearest evidence: none for evidence, less than none before it.
    pub off: i32,
    /// Whether it is the first of the evidence.
    pub first: bool,
    /// Whether it is the last.
    pub last: bool,
}

impl<'s, 'i, 'a> Scene<'s, 'i, 'a> {
    /// Looks at the lines of a task.
    pub fn of(cast: &'s Cast<'i, 'a>) -> Self {
        let places = places(cast.lines);
        let split = |line: &Line<'a>| unlabelled(word::split(line.text, cast.language), cast);
        let words: Vec<Vec<Word<'a>>> = cast.lines.iter().map(split).collect();
        let acts = |at: usize| (places[at].off.unsigned_abs() as usize) <= ACTS;
        let actions: Vec<Vec<Action<'a>>> = (0..words.len())
            .map(|at| if acts(at) { action::all(&cast.lines[at], &words[at], cast) } else { Vec::new() })
            .collect();
        let topic = word::split(cast.topic, cast.language);
        let mut things: Vec<Thing<'a>> =
            (0..words.len()).flat_map(|line| thing::all(line, &words[line], &actions[line], cast)).collect();
        things.extend(thing::of_topic(words.len(), &topic));
        let mut tails = Vec::new();
        for (line, words) in words.iter().enumerate() {
            let tail = |range: Range<usize>| Tail { line, opens: range.start == 0, words: words[range].to_vec() };
            tails.extend(phrase::tails(words).map(tail));
        }
        Self { cast, words, topic, actions, things, tails, places }
    }

    /// Where a line stands; the topic stands before all.
    pub fn off(&self, line: usize) -> i32 {
        self.places.get(line).map_or(-12, |place| place.off)
    }

    /// Lines between two, or between one and the topic.
    pub fn between(&self, one: usize, other: usize) -> usize {
        if one.max(other) < self.places.len() { one.abs_diff(other) } else { 12 }
    }
}

fn places(lines: &[Line<'_>]) -> Vec<Place> {
    let evidence: Vec<usize> = (0..lines.len()).filter(|at| lines[*at].evidence).collect();
    let off = |at: usize| {
        let nearest = evidence.iter().min_by_key(|known| (known.abs_diff(at), **known < at));
        nearest.map_or(0, |known| at as i32 - *known as i32)
    };
    let place =
        |at: usize| Place { off: off(at), first: evidence.first() == Some(&at), last: evidence.last() == Some(&at) };
    (0..lines.len()).map(place).collect()
}
