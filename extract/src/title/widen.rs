//! Further titles from the best ones: with what is said elsewhere put behind them, a fuller name of their thing, or the
//! verb that a person would choose.

use super::LONGEST;
use super::candidate::{Draft, Joint, edit, gain, inner, is_bare, prune, worth};
use super::phrase::is_article;
use super::scene::Scene;
use super::vocabulary::{Vocabulary, common};
use super::word::{Word, has};

/// Most tails that are tried with a title.
const TAILS: usize = 16;
/// Most verbs that are tried with a title.
const VERBS: usize = 4;

/// Small words right behind a verb that go with it.
const PARTICLES: &str = "over across out off up down back through into at in on round to together";

/// Every title with what can be changed in it, best first by their words alone.
pub(super) fn widen<'a>(
    mut drafts: Vec<Draft<'a>>,
    scene: &Scene<'_, '_, 'a>,
    vocabulary: &Vocabulary<'_>,
) -> Vec<Draft<'a>> {
    step(&mut drafts, scene, vocabulary, |draft| richer(draft, scene, vocabulary));
    if !scene.cast.is_english() {
        return drafts;
    }
    let tails = tails(scene, vocabulary);
    for edits in [edit::TAIL, edit::TWICE] {
        step(&mut drafts, scene, vocabulary, |draft| longer(draft, &tails, edits));
    }
    let verbs = likely_verbs(vocabulary);
    step(&mut drafts, scene, vocabulary, |draft| reworded(draft, scene, &verbs));
    step(&mut drafts, scene, vocabulary, |draft| articled(draft, scene));
    drafts
}

/// Adds what a change makes of each draft, and keeps the best.
fn step<'a>(
    drafts: &mut Vec<Draft<'a>>,
    scene: &Scene<'_, '_, 'a>,
    vocabulary: &Vocabulary<'_>,
    change: impl Fn(&Draft<'a>) -> Vec<Draft<'a>>,
) {
    let mut more: Vec<Draft<'a>> = drafts.iter().flat_map(change).collect();
    for draft in &mut more {
        draft.gain = gain(&draft.words, vocabulary);
    }
    drafts.extend(more);
    prune(drafts, scene);
}

/// The tails that add most, with their numbers.
fn tails<'s, 'a>(scene: &'s Scene<'_, '_, 'a>, vocabulary: &Vocabulary<'_>) -> Vec<(usize, &'s [Word<'a>])> {
    let all = scene.tails.iter().enumerate();
    let mut tails: Vec<(f32, usize, &[Word<'a>])> =
        all.map(|(number, tail)| (worth(&tail.words, vocabulary), number, tail.words.as_slice())).collect();
    tails.sort_by(|one, other| other.0.total_cmp(&one.0));
    tails.into_iter().take(TAILS).map(|(_, number, words)| (number, words)).collect()
}

/// A draft with each tail that says something new.
fn longer<'a>(draft: &Draft<'a>, tails: &[(usize, &[Word<'a>])], edits: u32) -> Vec<Draft<'a>> {
    if edits == edit::TWICE && draft.edits & edit::TAIL == 0 {
        return Vec::new();
    }
    let fits = |(_, tail): &&(usize, &[Word<'a>])| {
        let known = |word: &Word<'_>| draft.words.iter().any(|known| known.hash == word.hash);
        draft.words.len() + tail.len() <= LONGEST && !tail.iter().any(|word| !word.little && known(word))
    };
    let with = |(number, tail): &(usize, &[Word<'a>])| {
        let words = draft.words.iter().chain(*tail).cloned().collect();
        Draft { words, tail: Some(*number), edits: draft.edits | edits, ..draft.clone() }
    };
    tails.iter().filter(fits).map(with).collect()
}

/// A draft whose "room" becomes "the simulator room", where that is spoken of.
fn richer<'a>(draft: &Draft<'a>, scene: &Scene<'_, '_, 'a>, vocabulary: &Vocabulary<'_>) -> Vec<Draft<'a>> {
    let mut found = Vec::new();
    for at in 1..draft.words.len() {
        let head = &draft.words[at];
        let closes = draft.words.get(at + 1).is_none_or(|next| next.is_mark() || next.function);
        if head.little || head.is_mark() || !closes {
            continue;
        }
        let start = (1..at).rev().find(|start| {
            let word = &draft.words[*start];
            is_article(&word.lower) || word.is_mark() || word.function
        });
        let from = start.map_or(1, |start| start + usize::from(!is_article(&draft.words[start].lower)));
        for (number, thing) in scene.things.iter().enumerate().filter(|(_, thing)| !thing.person) {
            let names = thing.words.iter().take_while(|word| !word.function || is_article(&word.lower));
            let fuller = thing.words.len() > at + 1 - from
                && names.last().is_some_and(|last| last.hash == head.hash)
                && draft.words.len() + thing.words.len() <= LONGEST + at - from
                && worth(&thing.words, vocabulary) > worth(&draft.words[from..=at], vocabulary);
            if fuller {
                let mut words = draft.words.clone();
                words.splice(from..=at, inner(thing, false));
                found.push(Draft { words, thing: Some(number), edits: draft.edits | edit::RICHER, ..draft.clone() });
            }
        }
    }
    found
}

/// The common verbs, likeliest first.
fn likely_verbs(vocabulary: &Vocabulary<'_>) -> Vec<&'static str> {
    let mut verbs: Vec<(f32, &'static str)> =
        common().map(|verb| (vocabulary.likely(&Word::new(verb)), verb)).collect();
    verbs.sort_by(|one, other| other.0.total_cmp(&one.0));
    verbs.into_iter().take(VERBS).map(|(_, verb)| verb).collect()
}

/// Whether words only name things, so that a verb may stand before them: a note's do, a sentence or an address does not.
fn names_things(words: &[Word<'_>]) -> bool {
    const SAYS: &str = "is are was were be am been i we you they he she it it's that's there's let's has have had do does did \
                        should would could can will may might shall must not don't isn't won't sure okay";
    words.iter().all(|word| !has(SAYS, &word.lower) && !word.lower.contains("://") && !word.lower.contains('?'))
}

/// A draft with another verb, or with one before it where it has none.
fn reworded<'a>(draft: &Draft<'a>, scene: &Scene<'_, '_, 'a>, verbs: &[&'static str]) -> Vec<Draft<'a>> {
    let first = draft.words.first().map_or("", |word| word.lower.as_ref());
    let bare = is_bare(draft, scene) && !draft.words.first().is_some_and(|word| word.verb);
    if bare && !names_things(&draft.words) {
        return Vec::new();
    }
    let others = verbs.iter().filter(|verb| **verb != first);
    others
        .map(|verb| {
            let mut words = draft.words.clone();
            if bare {
                words.insert(0, Word::new(*verb));
                words[1] = small(&words[1]);
            } else {
                let particles = words.iter().skip(1).take_while(|next| has(PARTICLES, &next.lower)).count();
                let end = 1 + particles;
                words.splice(0..end, [Word::new(*verb)]);
            }
            let edits = draft.edits | if bare { edit::LED } else { edit::VERB };
            Draft { words, edits, ..draft.clone() }
        })
        .collect()
}

/// A word that stood first, now inside.
fn small<'a>(word: &Word<'a>) -> Word<'a> {
    if word.starts && word.text.chars().skip(1).all(char::is_lowercase) {
        Word::new(word.lower.clone())
    } else {
        word.clone()
    }
}

/// A draft with "the" behind its verb, where a note leaves it out.
fn articled<'a>(draft: &Draft<'a>, scene: &Scene<'_, '_, 'a>) -> Vec<Draft<'a>> {
    let Some(next) = draft.words.get(1) else { return Vec::new() };
    let name = !next.starts && next.text.starts_with(char::is_uppercase);
    let verb = draft.words.first().is_some_and(|word| word.verb);
    let led = draft.edits & edit::LED != 0 || is_bare(draft, scene);
    let plain = !led || !verb || next.is_mark() || next.little || next.date || name || next.function;
    if plain || draft.joint == Joint::Behind {
        return Vec::new();
    }
    let mut words = draft.words.clone();
    words.insert(1, Word::new("the"));
    vec![Draft { words, edits: draft.edits | edit::ARTICLE, ..draft.clone() }]
}
