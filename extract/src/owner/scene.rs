//! A sentence of the evidence with everything that the rules for owners look at.

use super::Spot;
use super::cast::Cast;
use super::clause::{Mention, Word, mentions, words};
use super::phrase::{PROMISES, Words, phrases};
use crate::people::PersonId;

/// A sentence of the evidence with everything that its rules need.
pub struct Scene<'c, 't> {
    /// The document and its people.
    pub cast: &'c Cast<'t>,
    /// Where the sentence stands.
    pub spot: Spot,
    /// Its words.
    pub words: Vec<Word<'t>>,
    /// The people that it mentions.
    pub mentions: Vec<Mention>,
    /// Who says it.
    pub speaker: Option<PersonId>,
    /// Who speaks in the evidence after this, if somebody else.
    pub answerer: Option<PersonId>,
    /// Who speaks in the evidence before this, if somebody else.
    pub asker: Option<PersonId>,
    /// The words in lower case with one space between and around them, so that phrases are found as wholes.
    pub flat: String,
    /// The strongest promise and the strongest request in it: weight and place in the flat words.
    pub promise: Option<(f32, usize)>,
    /// See [`Self::promise`].
    pub request: Option<(f32, usize)>,
}

impl<'c, 't> Scene<'c, 't> {
    /// Looks at a sentence; `asker` and `answerer` are those who speak in the evidence before and after it.
    pub fn of(cast: &'c Cast<'t>, spot: Spot, asker: Option<PersonId>, answerer: Option<PersonId>) -> Self {
        let words = words(cast.words(&spot));
        let mentions = mentions(cast.roster, &words);
        let flat = flat(&words);
        let speaker = cast.speaker(spot.utterance);
        let mut scene =
            Self { speaker, cast, spot, words, mentions, answerer, asker, flat, promise: None, request: None };
        scene.promise = scene.strongest(PROMISES);
        scene.request = scene.find_request();
        scene
    }
}

fn flat(words: &[Word<'_>]) -> String {
    let mut flat = String::from(" ");
    for word in words {
        flat.push_str(&word.lower);
        if word.after.contains('?') {
            flat.push('?');
        }
        flat.push(' ');
    }
    flat
}

impl Scene<'_, '_> {
    pub(super) fn says(&self, phrase: &str) -> bool {
        self.find(phrase).is_some()
    }

    /// Where a phrase stands as a whole in the flat words.
    pub(super) fn find(&self, phrase: &str) -> Option<usize> {
        if phrase.chars().any(|one| matches!(one, '\u{3040}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}')) {
            return self.flat.find(phrase);
        }
        let whole = |at: usize| {
            let rest = &self.flat[at + phrase.len()..];
            let before = self.flat[..at].ends_with(' ');
            let duty = phrase.ends_with(" have") && rest.starts_with(" to ");
            before && !duty && (rest.starts_with([' ', '?']) || phrase.ends_with(['\'', '?']))
        };
        self.flat.match_indices(phrase).map(|(at, _)| at).find(|at| whole(*at))
    }

    /// The strongest of the phrases that are said: its weight and place.
    pub(super) fn strongest(&self, table: &'static [(f32, &'static str)]) -> Option<(f32, usize)> {
        let all = table.iter().flat_map(|(weight, group)| phrases(group).map(move |phrase| (*weight, phrase)));
        let said = all.filter_map(|(weight, phrase)| self.find(phrase).map(|at| (weight, at)));
        said.max_by(|one, other| one.0.total_cmp(&other.0).then(other.1.cmp(&one.1)))
    }

    /// Whether a word is one of these.
    pub(super) fn is(&self, at: usize, words: &[&str]) -> bool {
        self.words.get(at).is_some_and(|word| words.contains(&word.lower.as_str()))
    }

    /// Whether a word is one of a table's.
    pub(super) fn is_in(&self, at: usize, words: &Words) -> bool {
        self.words.get(at).is_some_and(|word| words.has(&word.lower))
    }

    pub(super) fn in_mail(&self) -> bool {
        self.cast.utterance(self.spot.utterance).is_some_and(|utterance| utterance.envelope.is_some())
    }

    pub(super) fn is_note(&self) -> bool {
        let utterance = self.cast.utterance(self.spot.utterance);
        utterance.is_some_and(|utterance| {
            utterance.envelope.is_none() && utterance.speaker.is_none() && self.cast.is_item(utterance)
        })
    }
}

/// Words that open a sentence without weight.
pub fn is_filler(word: &str) -> bool {
    [
        "and", "so", "then", "okay", "ok", "yeah", "but", "also", "please", "pls", "right", "well", "um", "uh", "just",
        "oh", "yes", "no", "now", "alright", "anyway", "und", "et", "y",
    ]
    .contains(&word)
}
