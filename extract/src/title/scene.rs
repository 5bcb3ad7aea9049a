//! The neighbourhood of a task as its title sees it: the words of each line, the actions and things that they name, and
//! where each line stands beside the evidence.

use super::action::Action;
use super::page::{Look, Page};
use super::people::Meant;
use super::piece::Piece;
use super::read::{Read, Tail, Thing, View};

/// Most lines between the evidence and one whose actions may name the task.
const ACTS: usize = 3;

/// A task as its title is looked for.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'s> {
    /// The numbers of its sentences and of some around, in order, each with whether the task rests on it; if not, it only
    /// stands near one that does.
    pub lines: &'s [(usize, bool)],
    /// Who is to do it.
    pub owner: Option<&'s str>,
}

/// What stands in and around a task.
pub(super) struct Scene<'p, 'a> {
    /// The text.
    pub page: &'p Page<'a>,
    /// Who is to do it.
    pub owner: Option<&'p str>,
    /// The lines.
    pub lines: Vec<Line<'p, 'a>>,
    /// What they speak of, and what the text's own title names, each with the place of its line among them.
    pub things: Vec<(usize, &'p Thing)>,
    /// What may be said behind an action, each with the place of its line.
    pub tails: Vec<(usize, &'p Tail)>,
}

/// A line as a task sees it.
pub(super) struct Line<'p, 'a> {
    /// Where it stands.
    pub place: Place,
    /// Who says it.
    pub speaker: Option<&'a str>,
    /// What stands in it.
    pub read: &'p Read<'a>,
    /// Its actions and things.
    pub view: &'p View,
    /// Whom "me" and "you" mean in it.
    pub meant: Meant<'a>,
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

impl<'p, 'a> Scene<'p, 'a> {
    /// Looks at the lines of a task.
    pub fn of(page: &'p mut Page<'a>, asked: &Asked<'p>) -> Self {
        let places = places(asked.lines);
        let acts = |place: &Place| place.off.unsigned_abs() as usize <= ACTS;
        let lines: Vec<(usize, bool)> =
            asked.lines.iter().zip(&places).map(|((line, _), place)| (*line, acts(place))).collect();
        let looks = page.look(&lines, asked.owner);
        let page = &*page;
        let line = |(look, place): (&Look<'a>, Place)| {
            let (said, read, view) = page.seen(look)?;
            Some(Line { place, speaker: said.speaker, read, view, meant: look.meant })
        };
        let lines: Vec<Line<'p, 'a>> = looks.iter().zip(places).filter_map(line).collect();
        let mut things: Vec<(usize, &'p Thing)> = Vec::new();
        let mut tails: Vec<(usize, &'p Tail)> = Vec::new();
        for (at, line) in lines.iter().enumerate() {
            things.extend(line.view.things.iter().map(|thing| (at, thing)));
            tails.extend(line.read.tails.iter().map(|tail| (at, tail)));
        }
        things.extend(page.topics.iter().map(|thing| (lines.len(), thing)));
        Self { page, owner: asked.owner, lines, things, tails }
    }

    /// Where a line stands; the topic stands before all.
    pub fn off(&self, line: usize) -> i32 {
        self.lines.get(line).map_or(-12, |line| line.place.off)
    }

    /// Lines between two, or between one and the topic.
    pub fn between(&self, one: usize, other: usize) -> usize {
        if one.max(other) < self.lines.len() { one.abs_diff(other) } else { 12 }
    }

    /// The actions of the lines that the task rests on.
    pub fn proven(&self) -> impl Iterator<Item = &'p Action<Piece>> {
        self.lines.iter().filter(|line| line.place.off == 0).flat_map(|line| &line.view.actions)
    }
}

fn places(lines: &[(usize, bool)]) -> Vec<Place> {
    let evidence: Vec<usize> = (0..lines.len()).filter(|at| lines[*at].1).collect();
    let off = |at: usize| {
        let nearest = evidence.iter().min_by_key(|known| (known.abs_diff(at), **known < at));
        nearest.map_or(0, |known| at as i32 - *known as i32)
    };
    let place =
        |at: usize| Place { off: off(at), first: evidence.first() == Some(&at), last: evidence.last() == Some(&at) };
    (0..lines.len()).map(place).collect()
}
