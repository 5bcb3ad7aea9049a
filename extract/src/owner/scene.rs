//! A sentence of the evidence with everything that the rules for owners look at.

use super::Stretch;
use super::clause::{PersonMention, Word, mentions, words};
use super::participants::Participants;
use super::phrase::{PROMISES, Weighed};
use crate::people::PersonId;
use crate::word_list::WordList;
use gleaner_model::is_spaceless;

/// A sentence of the evidence with everything that its rules need.
pub struct OwnerScene<'c, 't> {
    /// The document and its people.
    pub participants: &'c Participants<'t>,
    /// Where the sentence stands.
    pub stretch: Stretch,
    /// Its words.
    pub words: Vec<Word<'t>>,
    /// The people that it mentions.
    pub mentions: Vec<PersonMention>,
    /// Who says it.
    pub speaker: Option<PersonId>,
    /// Who speaks in the evidence after this, if somebody else.
    pub answerer: Option<PersonId>,
    /// Who speaks in the evidence before this, if somebody else.
    pub asker: Option<PersonId>,
    /// The words in lower case with one space between and around them, so that phrases are found as wholes.
    pub flat: String,
    /// Where each of them begins in the flat words.
    starts: Vec<usize>,
    /// 256-bit Bloom filter of two-byte word prefixes.
    initials: [u64; 4],
    /// The strongest promise and the strongest request in it: weight and place in the flat words.
    pub promise: Option<(f32, usize)>,
    /// See [`Self::promise`].
    pub request: Option<(f32, usize)>,
}

impl<'c, 't> OwnerScene<'c, 't> {
    /// Looks at a sentence; `asker` and `answerer` are those who speak in the evidence before and after it.
    pub fn of(
        participants: &'c Participants<'t>,
        stretch: Stretch,
        asker: Option<PersonId>,
        answerer: Option<PersonId>,
    ) -> Self {
        let words = words(participants.words(&stretch));
        let mentions = mentions(participants.roster, &words);
        let (flat, starts) = flat(&words);
        let mut initials = [0; 4];
        for &at in &starts {
            let (part, bit) = initial(&flat.as_bytes()[at..]);
            initials[part] |= bit;
        }
        let speaker = participants.speaker(stretch.utterance);
        let (promise, request) = (None, None);
        let mut scene = Self {
            speaker,
            participants,
            stretch,
            words,
            mentions,
            answerer,
            asker,
            flat,
            starts,
            initials,
            promise,
            request,
        };
        scene.promise = scene.strongest(&PROMISES);
        scene.request = scene.find_request();
        scene
    }
}

/// Words in lower case with one space between and around them, and where each begins.
fn flat(words: &[Word<'_>]) -> (String, Vec<usize>) {
    let mut flat = String::from(" ");
    let mut starts = Vec::with_capacity(words.len());
    for word in words {
        starts.push(flat.len());
        flat.push_str(&word.lower);
        if word.after.contains('?') {
            flat.push('?');
        }
        flat.push(' ');
    }
    (flat, starts)
}

/// Where the first two bytes of some words stand in the Bloom filter: which part of it, and the bit there.
fn initial(words: &[u8]) -> (usize, u64) {
    let (first, second) = (words.first().copied().unwrap_or_default(), words.get(1).copied().unwrap_or_default());
    let number = first.wrapping_mul(37) ^ second;
    (usize::from(number >> 6), 1 << (number & 63))
}

impl OwnerScene<'_, '_> {
    pub(super) fn says(&self, phrase: &str) -> bool {
        self.find(phrase).is_some()
    }

    /// Where a phrase stands as a whole in the flat words. One in a script without spaces may stand within a word.
    pub(super) fn find(&self, phrase: &str) -> Option<usize> {
        if phrase.starts_with(is_spaceless) {
            return self.flat.find(phrase);
        }
        let (part, bit) = initial(phrase.as_bytes());
        if phrase.len() > 1 && self.initials[part] & bit == 0 {
            return None;
        }
        let whole = |rest: &str| {
            let duty = phrase.ends_with(" have") && rest.starts_with(" to ");
            !duty && (rest.starts_with([' ', '?']) || phrase.ends_with(['\'', '?']))
        };
        let first = phrase.bytes().next();
        let mut likely = self.starts.iter().copied().filter(|&at| self.flat.as_bytes().get(at).copied() == first);
        likely.find(|&at| self.flat[at..].strip_prefix(phrase).is_some_and(whole))
    }

    /// The strongest of the phrases that are said: its weight and place. Of equals the first in the sentence.
    pub(super) fn strongest(&self, table: &Weighed) -> Option<(f32, usize)> {
        let mut best: Option<(f32, usize)> = None;
        for &(weight, phrase) in table.all() {
            if best.is_some_and(|(most, _)| weight < most) {
                continue;
            }
            if let Some(at) = self.find(phrase) {
                let better = best.is_none_or(|(most, first)| weight > most || at < first);
                best = if better { Some((weight, at)) } else { best };
            }
        }
        best
    }

    /// Whether a word is one of these.
    pub(super) fn is(&self, at: usize, words: &[&str]) -> bool {
        self.words.get(at).is_some_and(|word| words.contains(&word.lower.as_str()))
    }

    /// Whether a word is one of a list's.
    pub(super) fn is_in(&self, at: usize, words: &WordList) -> bool {
        self.words.get(at).is_some_and(|word| words.has(&word.lower))
    }

    pub(super) fn in_mail(&self) -> bool {
        self.participants.utterance(self.stretch.utterance).is_some_and(|utterance| utterance.envelope.is_some())
    }

    pub(super) fn is_note(&self) -> bool {
        self.participants.is_unsaid(self.stretch.utterance)
    }
}

/// Words that open a sentence without weight.
pub fn is_filler(word: &str) -> bool {
    static FILLERS: WordList = WordList::of(
        "and so then okay ok yeah but also please pls right well um uh just oh yes no now alright anyway und et y",
    );
    FILLERS.has(word)
}
