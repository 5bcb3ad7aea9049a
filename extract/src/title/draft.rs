//! Titles in the making, and which of many are kept: a change is weighed before it is made, and only the best are made.

use std::rc::Rc;

use super::LONGEST;
use super::kind;
use super::piece::Piece;
use super::scene::Scene;
use super::visible::visible;
use super::vocabulary::Vocabulary;
use crate::cue::join;

/// A title that could be.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    /// Its words.
    pub words: Rc<[Piece]>,
    /// The line whose action it is.
    pub line: usize,
    /// The number of the action in its line.
    pub action: usize,
    /// The number of the thing put in for a pronoun, or behind the action.
    pub thing: Option<usize>,
    /// How the thing is put in.
    pub joint: Joint,
    /// The number of the last tail put behind it.
    pub tail: Option<usize>,
    /// What else was changed, one bit each.
    pub edits: u32,
    /// How near it is expected to come to the title that a person would give, by its words alone.
    pub gain: f32,
}

/// How a thing is joined to an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Joint {
    /// No thing.
    None,
    /// In the place of a pronoun.
    Pronoun,
    /// Behind a number or "other" that lacks it: "Finish the other two", then "chapters".
    Ellipsis,
    /// Behind the action: "Send", then "the file".
    Behind,
    /// Behind the action with "about" between.
    About,
    /// Behind the action with "for" between.
    For,
}

/// What was changed.
pub(super) mod edit {
    /// Cut short.
    pub const CUT: u32 = 1;
    /// A tail of another place put behind it.
    pub const TAIL: u32 = 2;
    /// A thing put in for a shorter name of it.
    pub const RICHER: u32 = 4;
    /// Another verb.
    pub const VERB: u32 = 8;
    /// A verb before what has none.
    pub const LED: u32 = 16;
    /// "the" put in behind the verb.
    pub const ARTICLE: u32 = 32;
    /// A second tail.
    pub const TWICE: u32 = 64;
}

/// Most drafts that are kept from one step to the next.
pub(super) const KEPT: usize = 40;
/// How many of the best are put in order before the others are looked at.
const FIRST: usize = 96;
/// How many words a title has.
const USUAL: f32 = 8.2;

/// A draft that could be made of another, with what it is worth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Offer<C> {
    /// What is changed in which one.
    pub change: C,
    /// Whether it is a whole action of the evidence, which is kept in any case.
    pub whole: bool,
    /// How near it is expected to come to the title that a person would give, by its words alone.
    pub gain: f32,
}

/// The best of what is offered, each once: `write` gives the words of an offer, `make` a draft of those that are kept.
pub(super) fn best<C>(
    offers: &[Offer<C>],
    write: impl Fn(&Offer<C>, &mut Vec<Piece>),
    make: impl Fn(&Offer<C>, &[Piece]) -> Draft,
) -> Vec<Draft> {
    let mut order: Vec<u64> = (0..).zip(offers).map(|(number, offer)| rank(offer, number)).collect();
    let mut kept: Vec<Draft> = Vec::with_capacity(KEPT);
    let mut known: Vec<u64> = Vec::with_capacity(KEPT);
    let mut words = Vec::with_capacity(2 * LONGEST);
    let mut rest = order.as_mut_slice();
    while !rest.is_empty() && kept.len() < KEPT {
        let first = rest.len().min(FIRST);
        if first < rest.len() {
            rest.select_nth_unstable(first);
        }
        let (head, tail) = rest.split_at_mut(first);
        head.sort_unstable();
        for number in head {
            if kept.len() == KEPT {
                break;
            }
            let offer = &offers[(*number & NUMBERS) as usize];
            write(offer, &mut words);
            let sum = words.iter().fold(0, |sum, word| join(sum, u64::from(word.number)));
            let same = |(at, known): (usize, &u64)| *known == sum && same(&kept[at].words, &words);
            if !known.iter().enumerate().any(same) {
                kept.push(make(offer, &words));
                known.push(sum);
            }
        }
        rest = tail;
    }
    kept
}

/// The bits of a rank that hold the number of an offer.
const NUMBERS: u64 = (1 << 31) - 1;

/// Where an offer stands among others: whole ones first, then those of the highest gain, then the earliest.
fn rank<C>(offer: &Offer<C>, number: u64) -> u64 {
    let bits = offer.gain.to_bits();
    let rising = if bits >> 31 == 1 { !bits } else { bits | 1 << 31 };
    u64::from(!offer.whole) << 63 | u64::from(!rising) << 31 | number.min(NUMBERS)
}

fn same(one: &[Piece], other: &[Piece]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| one.number == other.number)
}

/// How much words add to a title.
pub(super) fn worth(words: &[Piece], vocabulary: &Vocabulary) -> f32 {
    words.iter().filter(|word| !word.is_mark()).map(|word| vocabulary.likely(word) - 0.2).sum()
}

/// Weighs words: knows which were said already.
pub(super) struct Scale<'v> {
    vocabulary: &'v Vocabulary,
    /// For each word of the text, the number of the last words that had it.
    said: Vec<u32>,
    now: u32,
}

/// Words that more may be put behind.
#[derive(Clone, Copy)]
pub(super) struct Base {
    plain: u32,
    shared: f32,
}

impl<'v> Scale<'v> {
    /// A scale for a task.
    pub fn of(scene: &Scene<'_, '_>, vocabulary: &'v Vocabulary) -> Self {
        Self { vocabulary, said: vec![0; scene.page.lexicon.len()], now: 0 }
    }

    /// Puts words on the scale.
    pub fn put(&mut self, words: &[Piece]) -> Base {
        self.now += 1;
        let mut base = Base { plain: 0, shared: -0.0 };
        for word in words {
            let said = std::mem::replace(&mut self.said[word.number as usize], self.now);
            if !word.is_mark() {
                base.plain += 1;
                if said != self.now {
                    base.shared += self.vocabulary.likely(word);
                }
            }
        }
        base
    }

    /// Whether the words put last hold one.
    pub fn holds(&self, word: &Piece) -> bool {
        self.said[word.number as usize] == self.now
    }

    /// What the words put last come to with more behind them, of which those of `fresh` are said once.
    pub fn with(&self, base: Base, link: Option<&Piece>, words: &[Piece], fresh: u32) -> f32 {
        let Base { mut plain, mut shared } = base;
        if let Some(link) = link {
            plain += 1;
            if !self.holds(link) {
                shared += self.vocabulary.likely(link);
            }
        }
        for (at, word) in words.iter().enumerate().filter(|(_, word)| !word.is_mark()) {
            plain += 1;
            let again = link.is_some_and(|link| link.number == word.number);
            if fresh >> at & 1 == 1 && !again && !self.holds(word) {
                shared += self.vocabulary.likely(word);
            }
        }
        Base { plain, shared }.gain()
    }
}

impl Base {
    /// How near words are expected to come to the title that a person would give: twice the words they share with it, of
    /// all words of both.
    pub fn gain(self) -> f32 {
        2.0 * self.shared / (self.plain as f32 + USUAL)
    }
}

/// Whether a draft is the whole action of a line that the task rests on.
pub(super) fn is_whole(draft: &Draft, scene: &Scene<'_, '_>) -> bool {
    let proof = scene.lines[draft.line].place.off == 0;
    proof && draft.edits == 0 && draft.joint == Joint::None && draft.words.len() > 2
}

/// Whether words read like an order: nobody but the one who is told acts in them, and no word of content comes twice.
pub(super) fn reads_well(words: &[Piece]) -> bool {
    let voices = words.iter().skip(1).any(|word| word.is(kind::VOICE));
    let loose = words.get(1).is_some_and(|word| word.is(kind::LOOSE));
    let twice = (1..words.len()).any(|at| {
        !words[at].is(kind::LITTLE | kind::MARK) && words[..at].iter().any(|word| word.number == words[at].number)
    });
    !voices && !loose && !twice
}

/// The title of words: joined, the first with a capital.
pub(super) fn finish(words: &[Piece], scene: &Scene<'_, '_>) -> String {
    let mut title = String::new();
    for word in words.iter().take(LONGEST) {
        if !title.is_empty() && !word.is(kind::JOINED) {
            title.push(' ');
        }
        title.push_str(scene.page.lexicon.text(*word));
    }
    let seen = visible(&title);
    let mut letters = seen.trim_end_matches([',', '.', ':', ';', '-', '–', '?', '!', ' ']).chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
