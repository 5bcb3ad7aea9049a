//! A line as it was read: its words, the actions and things that it names, and what may be said behind an action, in
//! pieces of which titles are put together.

use std::ops::Range;

use super::action::{self, Action, Form};
use super::kind::{self, Kinds};
use super::label::unlabelled;
use super::lead::{mark_verbs, starts};
use super::people::{self, Cast, Meant};
use super::phrase;
use super::piece::{Lexicon, Piece};
use super::thing::{self, Spot};
use super::word::{self, Word};

/// A line that was read.
#[derive(Debug)]
pub(super) struct Read<'a> {
    /// Its words without its label.
    pub pieces: Vec<Piece>,
    /// Where each of them stands in its phrase.
    pub phrases: Vec<u64>,
    /// What may be said behind an action.
    pub tails: Vec<Tail>,
    /// Whether it asks.
    pub asks: bool,
    /// Everybody whom it names.
    pub mentions: Vec<&'a str>,
    words: Vec<Word<'a>>,
    starts: Vec<(Form, usize)>,
    topics: Vec<(Vec<Word<'a>>, Spot)>,
    views: Vec<(Key<'a>, View)>,
}

/// On what the actions and things of a line depend besides its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key<'a> {
    /// Whether its actions may name the task.
    pub acts: bool,
    /// Whom "me" and "you" mean in its actions.
    pub meant: Meant<'a>,
    /// Whom it names.
    pub mentioned: Option<&'a str>,
}

/// The actions and things of a line.
#[derive(Debug, Default)]
pub(super) struct View {
    /// Its actions.
    pub actions: Vec<Action<Piece>>,
    /// In which part of an action each word stands: its form, and how far behind the verb.
    pub acted: Vec<(u64, u64)>,
    /// What it speaks of.
    pub things: Vec<Thing>,
}

/// A thing that may be named in a title.
#[derive(Debug)]
pub(super) struct Thing {
    /// Its words as they are said.
    pub words: Vec<Piece>,
    /// Its words as they stand inside a title: its article small.
    pub inner: Vec<Piece>,
    /// Which of these are neither marks nor said before among them, a bit each.
    pub fresh: u32,
    /// Whether an article opens it.
    pub led: bool,
    /// Whether it is what an action is about.
    pub acted: bool,
    /// Whether it is somebody.
    pub person: bool,
    /// Where it stands in its line.
    pub spot: Spot,
    /// The number of the word that it is called by.
    pub name: Option<u32>,
    /// The last word of its first phrase, small words included.
    pub head: Option<Piece>,
    /// Which of its words are a noun that "the other two" may lack.
    pub noun: Range<usize>,
}

/// What may be said behind an action: "to Northwind".
#[derive(Debug)]
pub(super) struct Tail {
    /// Whether it opens its line.
    pub opens: bool,
    /// Its words, the preposition first.
    pub words: Vec<Piece>,
    /// Which of these are neither marks nor said before among them, a bit each.
    pub fresh: u32,
}

impl<'a> Read<'a> {
    /// Reads a line.
    pub fn of(text: &'a str, cast: &Cast<'_>, lexicon: &mut Lexicon<'a>) -> Self {
        let mut words = word::split(text, cast.language);
        for word in words.iter_mut().filter(|word| people::is_name(&word.lower, cast)) {
            word.kinds |= kind::NAME;
        }
        let mut words = unlabelled(words);
        if cast.language.starts_with("en") {
            mark_verbs(&mut words);
        }
        for word in &mut words {
            word.piece = Some(lexicon.piece(word));
        }
        let pieces = lexicon.pieces(&words);
        let tail = |range: Range<usize>| {
            let words = lexicon.pieces(&words[range.clone()]);
            Tail { opens: range.start == 0, fresh: fresh(&words), words }
        };
        let tails = phrase::tails(&words).map(tail).collect();
        let mut starts = starts(&words);
        starts.truncate(action::MOST);
        Self {
            phrases: (0..pieces.len()).map(|at| phrase::place(&pieces, at)).collect(),
            pieces,
            tails,
            asks: text.trim_end().ends_with('?'),
            mentions: people::mentions(text, cast),
            starts,
            topics: thing::named(&words),
            words,
            views: Vec::new(),
        }
    }

    /// A view by its number.
    pub fn view(&self, number: usize) -> Option<&View> {
        self.views.get(number).map(|(_, view)| view)
    }

    /// The number of the view of those for whom it means this.
    pub fn number_of(&mut self, key: Key<'a>, language: &str, lexicon: &mut Lexicon<'a>) -> usize {
        self.views.iter().position(|(known, _)| *known == key).unwrap_or_else(|| {
            let view = View::of(self, &key, language, lexicon);
            self.views.push((key, view));
            self.views.len() - 1
        })
    }
}

impl View {
    fn of<'a>(read: &Read<'a>, key: &Key<'a>, language: &str, lexicon: &mut Lexicon<'a>) -> Self {
        let mut actions = Vec::new();
        if key.acts {
            actions = action::all(&read.words, &read.starts, &key.meant, language);
        }
        let things = thing::all(&read.topics, &actions, key.mentioned);
        let things = things.iter().map(|thing| Thing::of(thing, lexicon)).collect();
        let actions: Vec<Action<Piece>> = actions.iter().map(|action| in_pieces(action, lexicon)).collect();
        let acted = (0..read.words.len()).map(|at| acted(&actions, at)).collect();
        Self { actions, acted, things }
    }
}

fn in_pieces<'a>(action: &Action<Word<'a>>, lexicon: &mut Lexicon<'a>) -> Action<Piece> {
    let words = lexicon.pieces(&action.words);
    Action { words, span: action.span.clone(), form: action.form, doubtful: action.doubtful }
}

/// In which part of an action a word stands: its form, and how far behind the verb.
fn acted(actions: &[Action<Piece>], at: usize) -> (u64, u64) {
    let within = actions.iter().filter(|action| action.span.contains(&at));
    let nearest = within.max_by_key(|action| action.span.start);
    nearest.map_or_else(
        || {
            let behind = actions.iter().any(|action| action.span.end <= at);
            (20, 20 + u64::from(behind))
        },
        |action| (action.form as u64, (at - action.span.start).min(9) as u64),
    )
}

impl Thing {
    /// A thing in pieces.
    pub fn of<'a>(thing: &thing::Thing<'a>, lexicon: &mut Lexicon<'a>) -> Self {
        let words = lexicon.pieces(&thing.words);
        let mut inner = words.clone();
        let led = words.first().is_some_and(|word| word.is(kind::ARTICLE));
        if let Some(first) = thing.words.first().filter(|_| led) {
            let small = match first.lower.as_ref() {
                "a" => "a",
                "an" => "an",
                _ => "the",
            };
            inner[0] = lexicon.new_piece(small);
        } else if let Some(first) = thing.words.first().filter(|word| word.starts) {
            inner[0] = lexicon.piece(&Word::new(first.lower.clone()));
        }
        let up_to = |kinds: Kinds, but: Kinds| {
            let end = words.iter().position(|word| word.is(kinds) && !word.is(but)).unwrap_or(words.len());
            end.checked_sub(1).map(|last| words[last])
        };
        let from = words.iter().take_while(|word| word.is(kind::ARTICLE | kind::LACKING)).count();
        let end = (from..words.len()).find(|at| words[*at].is(kind::FUNCTION)).unwrap_or(words.len());
        Self {
            fresh: fresh(&inner),
            led,
            acted: thing.acted,
            person: thing.person,
            spot: thing.spot,
            name: up_to(kind::FUNCTION, kind::ARTICLE).map(|word| word.number),
            head: up_to(kind::FUNCTION, kind::LITTLE),
            noun: if words.get(from).is_some_and(|word| word.is(kind::DATE)) { from..from } else { from..end },
            words,
            inner,
        }
    }
}

/// Which words are neither marks nor said before among them, a bit each; of more than 32, the first.
fn fresh(words: &[Piece]) -> u32 {
    let fresh = |at: &usize| {
        !words[*at].is_mark() && words[..*at].iter().all(|word| word.is_mark() || word.number != words[*at].number)
    };
    (0..words.len().min(32)).filter(fresh).fold(0, |bits, at| bits | 1 << at)
}
