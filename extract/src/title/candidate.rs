//! Titles that could be made of a task's sentences: an action, whole or cut short, its pronoun replaced by a thing.

use super::LONGEST;
use super::action::Form;
use super::draft::{Base, Draft, Joint, Offer, Scale, best, edit, worth};
use super::kind;
use super::piece::Piece;
use super::read::Thing;
use super::scene::Scene;
use super::vocabulary::Vocabulary;
use super::widen;

/// With what words a thing may be put behind an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Links {
    /// With none of another language.
    None,
    /// With "about".
    Topics,
    /// With "for" as well.
    All,
}

/// Most things that are tried with an action.
const THINGS: usize = 24;
/// Most lines between an action and a thing put behind it with "for".
const NEAR: usize = 3;
/// Most places where an action is cut short.
const CUTS: usize = 5;

/// An action, whole or cut short, to which a thing may be joined.
#[derive(Clone, Copy)]
struct Start<'p> {
    words: &'p [Piece],
    line: usize,
    action: usize,
    edits: u32,
}

/// An action with a thing, or as it is.
type Change = (usize, Option<(usize, Joint)>);

/// The drafts of a task, best first by their words alone.
pub(super) fn all(scene: &Scene<'_, '_>, vocabulary: &Vocabulary) -> Vec<Draft> {
    let mut scale = Scale::of(scene, vocabulary);
    let things = worthy(scene, vocabulary);
    let starts = starts(scene);
    let mut offers: Vec<Offer<Change>> = Vec::with_capacity(starts.len() * 8);
    let mut words = Vec::new();
    for (number, start) in starts.iter().enumerate() {
        let base = scale.put(start.words);
        let action = Bare::of(start.words);
        for &(thing, said) in &things {
            let near = scene.between(scene.things[thing].0, start.line) <= NEAR;
            let links = match (scene.page.is_english(), near) {
                (false, _) => Links::None,
                (true, false) => Links::Topics,
                (true, true) => Links::All,
            };
            let Some(joint) = action.joint(said, links, &scale) else { continue };
            let gain = match joint {
                Joint::Pronoun | Joint::Ellipsis => {
                    join(start.words, said, joint, scene, &mut words);
                    let gain = scale.put(&words).gain();
                    scale.put(start.words);
                    gain
                }
                _ => scale.with(base, link(joint, scene), &said.inner, said.fresh),
            };
            offers.push(Offer { change: (number, Some((thing, joint))), whole: false, gain });
        }
        offers.push(whole(number, start, base, scene));
    }
    let write = |offer: &Offer<Change>, words: &mut Vec<Piece>| {
        let (start, joined) = (starts[offer.change.0].words, offer.change.1);
        match joined {
            Some((thing, joint)) => join(start, scene.things[thing].1, joint, scene, words),
            None => {
                words.clear();
                words.extend_from_slice(start);
            }
        }
    };
    let drafts = best(&offers, write, |offer, words| starts[offer.change.0].draft(offer, words));
    widen::widen(drafts, scene, vocabulary, &mut scale)
}

/// An action as it is.
fn whole(number: usize, start: &Start<'_>, base: Base, scene: &Scene<'_, '_>) -> Offer<Change> {
    let proof = scene.lines[start.line].place.off == 0;
    let whole = proof && start.edits == 0 && start.words.len() > 2;
    Offer { change: (number, None), whole, gain: base.gain() }
}

/// The actions of all lines, each whole and cut short.
fn starts<'p>(scene: &Scene<'p, '_>) -> Vec<Start<'p>> {
    let mut starts = Vec::new();
    for (line, seen) in scene.lines.iter().enumerate() {
        for (number, action) in seen.view.actions.iter().enumerate() {
            let start = |words: &'p [Piece], edits| Start { words, line, action: number, edits };
            let words = action.words.as_slice();
            starts.push(start(words, 0));
            let cuts = (2..words.len()).filter(|at| words[*at].is(kind::CUT)).take(CUTS);
            starts.extend(cuts.map(|at| start(&words[..at], edit::CUT)));
        }
    }
    starts
}

impl Start<'_> {
    /// The draft that an offer makes of it.
    fn draft(&self, offer: &Offer<Change>, words: &[Piece]) -> Draft {
        let (thing, joint) = offer.change.1.map_or((None, Joint::None), |(thing, joint)| (Some(thing), joint));
        Draft {
            words: words.into(),
            line: self.line,
            action: self.action,
            thing,
            joint,
            tail: None,
            edits: self.edits,
            gain: offer.gain,
        }
    }
}

/// The things most worth naming, by the words they have.
fn worthy<'p>(scene: &Scene<'p, '_>, vocabulary: &Vocabulary) -> Vec<(usize, &'p Thing)> {
    let worth = |thing: &'p Thing| worth(&thing.words, vocabulary);
    let numbered = scene.things.iter().enumerate();
    let mut things: Vec<(f32, usize, &'p Thing)> =
        numbered.map(|(number, (_, thing))| (worth(thing), number, *thing)).collect();
    things.sort_unstable_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
    things.into_iter().take(THINGS).map(|(_, number, thing)| (number, thing)).collect()
}

/// What decides how a thing is joined to an action.
struct Bare<'w> {
    words: &'w [Piece],
    /// Whether it has a pronoun behind its first word that means a thing, and one that means somebody.
    of_thing: bool,
    of_person: bool,
    /// Whether it ends in a number or "the other".
    lacks: bool,
    /// Whether it has nothing but small words behind its first.
    bare: bool,
}

impl<'w> Bare<'w> {
    fn of(words: &'w [Piece]) -> Self {
        Self {
            words,
            of_thing: words.iter().skip(1).any(|word| word.is(kind::PRONOUN)),
            of_person: words.iter().skip(1).any(|word| word.is(kind::PERSON)),
            lacks: words.len() > 1 && words.last().is_some_and(|last| last.is(kind::LACKING)),
            bare: words.iter().skip(1).all(|word| word.is(kind::LITTLE)),
        }
    }

    /// How a thing is joined to it: for its pronoun, or behind it where it says little. Its words lie on the scale.
    fn joint(&self, thing: &Thing, links: Links, scale: &Scale<'_>) -> Option<Joint> {
        let pronoun = if thing.person { self.of_person } else { self.of_thing };
        if thing.person && !pronoun {
            return None;
        }
        let behind = self.words.len() <= 6 && self.words.len() + thing.words.len() < LONGEST;
        if !pronoun && !behind {
            return None;
        }
        if thing.words.iter().all(|word| word.is(kind::LITTLE) || scale.holds(word)) {
            return None;
        }
        match (self.bare, self.words[0].is(kind::TALK)) {
            _ if pronoun => Some(Joint::Pronoun),
            _ if self.lacks && !thing.noun.is_empty() => Some(Joint::Ellipsis),
            (true, false) => Some(Joint::Behind),
            (_, true) if links >= Links::Topics => Some(Joint::About),
            (false, false) if links == Links::All => Some(Joint::For),
            _ => None,
        }
    }
}

/// The word between an action and a thing.
fn link<'p>(joint: Joint, scene: &Scene<'p, '_>) -> Option<&'p Piece> {
    match joint {
        Joint::About => Some(&scene.page.unsaid.about),
        Joint::For => Some(&scene.page.unsaid.with_for),
        _ => None,
    }
}

/// Writes an action with a thing.
fn join(words: &[Piece], thing: &Thing, joint: Joint, scene: &Scene<'_, '_>, with: &mut Vec<Piece>) {
    let unsaid = &scene.page.unsaid;
    with.clear();
    with.extend_from_slice(words);
    match joint {
        Joint::None => {}
        Joint::Pronoun => {
            let wanted = if thing.person { kind::PERSON } else { kind::PRONOUN };
            let Some(place) = (1..words.len()).find(|at| words[*at].is(wanted)) else { return };
            let before = &words[place - 1];
            let described = before.is(kind::LONG) && place > 1 && !before.is(kind::LITTLE);
            let owned = before.is(kind::ARTICLE) || (words[place].is(kind::ONE) && described);
            with.splice(place..=place, inner(thing, owned).iter().copied());
            with.truncate(LONGEST);
        }
        Joint::Ellipsis => {
            let Some(last) = with.last_mut() else { return };
            if last.is(kind::OTHERS) {
                *last = unsaid.other;
            } else if last.is(kind::ALL) {
                with.extend([unsaid.of, unsaid.the]);
            }
            with.extend_from_slice(&thing.words[thing.noun.clone()]);
        }
        Joint::Behind | Joint::About | Joint::For => {
            with.extend(link(joint, scene));
            with.extend_from_slice(&thing.inner);
        }
    }
}

/// A thing as it stands inside a title: its article is gone where another word stands for it.
fn inner(thing: &Thing, owned: bool) -> &[Piece] {
    &thing.inner[usize::from(thing.led && owned)..]
}

/// Whether an action has no form that is seen.
pub(super) fn is_bare(draft: &Draft, scene: &Scene<'_, '_>) -> bool {
    scene.lines[draft.line].view.actions[draft.action].form == Form::Bare
}
