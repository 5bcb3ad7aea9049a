//! Further titles from the best ones: with what is said elsewhere put behind them, a fuller name of their thing, or the
//! verb that a person would choose.

use super::LONGEST;
use super::candidate::is_bare;
use super::draft::{Draft, Joint, KEPT, Offer, Scale, best, edit, is_whole, worth};
use super::kind;
use super::piece::Piece;
use super::read::Tail;
use super::scene::Scene;
use super::vocabulary::Vocabulary;

/// Most tails that are tried with a title.
const TAILS: usize = 16;
/// Most verbs that are tried with a title.
const VERBS: usize = 4;

/// What is changed in a draft.
#[derive(Clone, Copy)]
enum Change {
    /// Nothing.
    None,
    /// A thing stands for words of it.
    Richer { from: usize, at: usize, thing: usize },
    /// A tail stands behind it.
    Tail { number: usize, edits: u32 },
    /// Another verb stands for so many of its words.
    Verb { verb: Piece, particles: usize },
    /// A verb stands before it.
    Led(Piece),
    /// An article stands behind its verb.
    Article,
}

/// A draft by its number, with a change.
type Changed = Offer<(usize, Change)>;

/// The changes of drafts that one step tries.
struct Step<'s, 'v, 'p, 'a> {
    scene: &'s Scene<'p, 'a>,
    scale: &'s mut Scale<'v>,
    drafts: &'s [Draft],
    /// What a change must gain to be kept: where as many drafts are at hand as are kept, more than the least of them.
    least: f32,
    offers: Vec<Changed>,
    words: Vec<Piece>,
}

/// Every title with what can be changed in it, best first by their words alone.
pub(super) fn widen(
    mut drafts: Vec<Draft>,
    scene: &Scene<'_, '_>,
    vocabulary: &Vocabulary,
    scale: &mut Scale<'_>,
) -> Vec<Draft> {
    let worths: Vec<f32> = scene.things.iter().map(|(_, thing)| worth(&thing.words, vocabulary)).collect();
    drafts = step(&drafts, scene, scale, |step, number| richer(step, number, vocabulary, &worths));
    if !scene.page.is_english() {
        return drafts;
    }
    let tails = tails(scene, vocabulary);
    for edits in [edit::TAIL, edit::TWICE] {
        drafts = step(&drafts, scene, scale, |step, number| longer(step, number, &tails, edits));
    }
    let verbs = likely_verbs(scene, vocabulary);
    drafts = step(&drafts, scene, scale, |step, number| reworded(step, number, &verbs));
    step(&drafts, scene, scale, articled)
}

/// The best of drafts and of what a change makes of each.
fn step<'s>(
    drafts: &'s [Draft],
    scene: &'s Scene<'_, '_>,
    scale: &'s mut Scale<'_>,
    change: impl Fn(&mut Step<'_, '_, '_, '_>, usize),
) -> Vec<Draft> {
    let whole = |draft: &Draft| is_whole(draft, scene);
    let as_they_are = drafts.iter().enumerate();
    let offers = as_they_are.map(|(number, draft)| Offer {
        change: (number, Change::None),
        whole: whole(draft),
        gain: draft.gain,
    });
    let least = drafts.iter().map(|draft| draft.gain).min_by(f32::total_cmp);
    let least = least.filter(|_| drafts.len() >= KEPT).unwrap_or(f32::NEG_INFINITY);
    let mut step = Step { scene, scale, drafts, least, offers: offers.collect(), words: Vec::new() };
    (0..drafts.len()).for_each(|number| change(&mut step, number));
    let Step { offers, .. } = step;
    let words = |offer: &Changed, words: &mut Vec<Piece>| {
        let (number, change) = offer.change;
        write(&drafts[number].words, change, scene, words);
    };
    best(&offers, words, |offer, words| made(offer, drafts, words))
}

impl Step<'_, '_, '_, '_> {
    /// Offers a change of a draft.
    fn offer(&mut self, number: usize, change: Change) {
        write(&self.drafts[number].words, change, self.scene, &mut self.words);
        let gain = self.scale.put(&self.words).gain();
        self.push(number, change, gain);
    }

    /// Offers a change whose gain is known.
    fn push(&mut self, number: usize, change: Change, gain: f32) {
        if gain.total_cmp(&self.least).is_gt() {
            self.offers.push(Offer { change: (number, change), whole: false, gain });
        }
    }
}

/// Makes what is offered, of these words.
fn made(offer: &Changed, drafts: &[Draft], words: &[Piece]) -> Draft {
    let (number, change) = offer.change;
    let mut draft = drafts[number].clone();
    if matches!(change, Change::None) {
        return draft;
    }
    draft.words = words.into();
    draft.gain = offer.gain;
    draft.edits |= match change {
        Change::None => 0,
        Change::Richer { thing, .. } => {
            draft.thing = Some(thing);
            edit::RICHER
        }
        Change::Tail { number, edits } => {
            draft.tail = Some(number);
            edits
        }
        Change::Verb { .. } => edit::VERB,
        Change::Led(_) => edit::LED,
        Change::Article => edit::ARTICLE,
    };
    draft
}

/// Writes changed words.
fn write(words: &[Piece], change: Change, scene: &Scene<'_, '_>, with: &mut Vec<Piece>) {
    with.clear();
    match change {
        Change::None => with.extend_from_slice(words),
        Change::Richer { from, at, thing } => {
            with.extend_from_slice(&words[..from]);
            with.extend_from_slice(&scene.things[thing].1.inner);
            with.extend_from_slice(&words[at + 1..]);
        }
        Change::Tail { number, .. } => {
            with.extend_from_slice(words);
            with.extend_from_slice(&scene.tails[number].1.words);
        }
        Change::Verb { verb, particles } => {
            with.push(verb);
            with.extend_from_slice(&words[1 + particles..]);
        }
        Change::Led(verb) => {
            with.push(verb);
            with.extend(words.first().map(|first| scene.page.lexicon.small(*first)));
            with.extend_from_slice(&words[1..]);
        }
        Change::Article => {
            with.push(words[0]);
            with.push(scene.page.unsaid.the);
            with.extend_from_slice(&words[1..]);
        }
    }
}

/// The tails that add most, with their numbers.
fn tails<'p>(scene: &Scene<'p, '_>, vocabulary: &Vocabulary) -> Vec<(usize, &'p Tail)> {
    let all = scene.tails.iter().enumerate();
    let mut tails: Vec<(f32, usize, &'p Tail)> =
        all.map(|(number, (_, tail))| (worth(&tail.words, vocabulary), number, *tail)).collect();
    tails.sort_by(|one, other| other.0.total_cmp(&one.0));
    tails.into_iter().take(TAILS).map(|(_, number, tail)| (number, tail)).collect()
}

/// A draft with each tail that says something new.
fn longer(step: &mut Step<'_, '_, '_, '_>, at: usize, tails: &[(usize, &Tail)], edits: u32) {
    let draft = &step.drafts[at];
    if edits == edit::TWICE && draft.edits & edit::TAIL == 0 {
        return;
    }
    let base = step.scale.put(&draft.words);
    for (number, tail) in tails {
        let new = |word: &Piece| word.is(kind::LITTLE) || !step.scale.holds(word);
        if draft.words.len() + tail.words.len() <= LONGEST && tail.words.iter().all(new) {
            let gain = step.scale.with(base, None, &tail.words, tail.fresh);
            step.push(at, Change::Tail { number: *number, edits }, gain);
        }
    }
}

/// A draft whose "room" becomes "the simulator room", where that is spoken of; `worths` are those of all things.
fn richer(step: &mut Step<'_, '_, '_, '_>, number: usize, vocabulary: &Vocabulary, worths: &[f32]) {
    let (words, things) = (&step.drafts[number].words, &step.scene.things);
    for at in 1..words.len() {
        let head = &words[at];
        let closes = words.get(at + 1).is_none_or(|next| next.is(kind::MARK | kind::FUNCTION));
        if head.is(kind::LITTLE | kind::MARK) || !closes {
            continue;
        }
        let start = (1..at).rev().find(|start| words[*start].is(kind::ARTICLE | kind::MARK | kind::FUNCTION));
        let from = start.map_or(1, |start| start + usize::from(!words[start].is(kind::ARTICLE)));
        let now = worth(&words[from..=at], vocabulary);
        for (thing, (_, named)) in things.iter().enumerate().filter(|(_, (_, named))| !named.person) {
            let fuller = named.name == Some(head.number)
                && named.words.len() > at + 1 - from
                && words.len() + named.words.len() <= LONGEST + at - from
                && worths[thing] > now;
            if fuller {
                step.offer(number, Change::Richer { from, at, thing });
            }
        }
    }
}

/// The common verbs, likeliest first.
fn likely_verbs(scene: &Scene<'_, '_>, vocabulary: &Vocabulary) -> Vec<Piece> {
    let mut verbs: Vec<(f32, Piece)> =
        scene.page.unsaid.verbs.iter().map(|verb| (vocabulary.likely(verb), *verb)).collect();
    verbs.sort_by(|one, other| other.0.total_cmp(&one.0));
    verbs.into_iter().take(VERBS).map(|(_, verb)| verb).collect()
}

/// Whether words only name things, so that a verb may stand before them: a note's do, a sentence or an address does not.
fn names_things(words: &[Piece]) -> bool {
    words.iter().all(|word| !word.is(kind::SAYS | kind::ADDRESS))
}

/// A draft with another verb, or with one before it where it has none.
fn reworded(step: &mut Step<'_, '_, '_, '_>, number: usize, verbs: &[Piece]) {
    let draft = &step.drafts[number];
    let Some(first) = draft.words.first().copied() else { return };
    let bare = is_bare(draft, step.scene) && !first.is(kind::VERB);
    if bare && !names_things(&draft.words) {
        return;
    }
    let particles = draft.words.iter().skip(1).take_while(|next| next.is(kind::PARTICLE)).count();
    for verb in verbs.iter().copied().filter(|verb| verb.number != first.number) {
        step.offer(number, if bare { Change::Led(verb) } else { Change::Verb { verb, particles } });
    }
}

/// A draft with "the" behind its verb, where a note leaves it out.
fn articled(step: &mut Step<'_, '_, '_, '_>, number: usize) {
    let draft = &step.drafts[number];
    let [first, next, ..] = draft.words.as_ref() else { return };
    let name = !next.is(kind::STARTS) && next.is(kind::CAPITAL);
    let led = draft.edits & edit::LED != 0 || is_bare(draft, step.scene);
    let plain =
        !led || !first.is(kind::VERB) || next.is(kind::MARK | kind::LITTLE | kind::DATE | kind::FUNCTION) || name;
    if !plain && draft.joint != Joint::Behind {
        step.offer(number, Change::Article);
    }
}
