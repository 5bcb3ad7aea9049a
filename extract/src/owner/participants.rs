//! A document with its people: who speaks to whom, and where words stand.

use std::cell::OnceCell;
use std::collections::HashMap;

use crate::people::{PersonId, Roster};
use crate::reader::{Format, Kind, Transcript, Utterance};

use super::Stretch;
use super::lower::Lowered;
use super::nearness::WordPlaces;
use crate::title::Strength;

/// A document with its people, ready to say who speaks to whom.
#[derive(Debug)]
pub struct Participants<'t> {
    /// The document.
    pub transcript: &'t Transcript<'t>,
    /// Its people.
    pub roster: &'t Roster,
    /// Who speaks, each once.
    speaking: Vec<PersonId>,
    /// How much of the utterances is each one's.
    parts: HashMap<PersonId, f32>,
    /// Whether one label stands over the words of several people.
    merged: bool,
    /// The words that stand in lower case.
    lowered: Lowered<'t>,
    /// Where each word stands, counted when somebody asks.
    places: OnceCell<WordPlaces>,
}

/// Utterances within which an answer follows.
const ANSWER: usize = 4;

impl<'t> Participants<'t> {
    /// Gathers who speaks.
    #[must_use]
    pub fn of(transcript: &'t Transcript<'t>, roster: &'t Roster) -> Self {
        let speaking: Vec<_> = roster.ids().filter(|id| roster.person(*id).speaks).collect();
        let spoken = matches!(transcript.format, Format::Meet | Format::Otter | Format::Zoom | Format::TeamsVtt);
        let merged = spoken && speaking.len() == 1 && transcript.attendees.len() > 1;
        let mut parts: HashMap<PersonId, f32> = HashMap::new();
        let labels = transcript.utterances.iter().filter_map(|one| roster.speaker(one.speaker.as_deref()?));
        labels.for_each(|id| *parts.entry(id).or_default() += 1.0 / transcript.utterances.len() as f32);
        let (lowered, places) = (Lowered::of(transcript.source), OnceCell::new());
        Self { transcript, roster, speaking, parts, merged, lowered, places }
    }

    /// Where each word of the document stands.
    pub(super) fn places(&self) -> &WordPlaces {
        self.places.get_or_init(|| WordPlaces::of(self.transcript))
    }

    /// Whether nobody is said to speak.
    pub fn is_unlabelled(&self) -> bool {
        self.speaking.is_empty()
    }

    /// An utterance by its index.
    pub fn utterance(&self, index: usize) -> Option<&'t Utterance<'t>> {
        self.transcript.utterances.get(index)
    }

    /// How much of the utterances is somebody's.
    pub fn part(&self, id: PersonId) -> f32 {
        self.parts.get(&id).copied().unwrap_or_default()
    }

    /// Who says "I" in an utterance: its speaker; "me" in notes and prose without one, unless people speak there whose names were
    /// not read.
    pub fn speaker(&self, index: usize) -> Option<PersonId> {
        let utterance = self.utterance(index)?;
        match utterance.speaker.as_deref() {
            _ if self.merged => None,
            Some(label) => self.roster.speaker(label),
            None if utterance.envelope.is_some() || self.transcript.unread => None,
            None if matches!(self.transcript.format, Format::Notes | Format::Prose) => self.roster.me(),
            None => None,
        }
    }

    /// Whom "you" means in an utterance, as far as the kind of document says so.
    pub fn addressee(&self, index: usize) -> Option<PersonId> {
        let utterance = self.utterance(index)?;
        let speaker = self.speaker(index);
        if let Some(envelope) = utterance.envelope.and_then(|index| self.transcript.envelopes.get(index)) {
            let greeted = envelope.greeted.iter().filter_map(|name| self.roster.resolve(name)).next();
            let to = envelope
                .to
                .iter()
                .filter(|one| !one.is_group())
                .filter_map(|one| self.roster.resolve(one.label()?.as_ref()));
            let to: Vec<_> = to.filter(|id| Some(*id) != speaker).collect();
            return greeted.or(match to.as_slice() {
                [one] => Some(*one),
                [] if envelope.to.is_empty() && speaker != self.roster.me() => self.roster.me(),
                _ => None,
            });
        }
        self.other(speaker?)
    }

    /// "Me", who but reads what others say to each other: neither speaks, nor is listed or named.
    pub(super) fn reader(&self) -> Option<PersonId> {
        let me = self.roster.me().filter(|me| self.roster.is_reader(self.roster.person(*me)))?;
        let people = self.speaking.iter().filter(|id| self.roster.has_given_name(**id)).count();
        let talk = people > 1 && !self.merged && self.transcript.envelopes.is_empty();
        let named = || self.roster.words_of(me).any(|word| self.places().has(word));
        (talk && !named()).then_some(me)
    }

    /// The other one of two who speak.
    fn other(&self, speaker: PersonId) -> Option<PersonId> {
        match self.speaking.as_slice() {
            [one, other] if *other == speaker => Some(*one),
            [one, other] if *one == speaker => Some(*other),
            _ => None,
        }
    }

    /// Evidence in the order in which it was said: of mails, what is quoted came first.
    pub fn in_order(&self, evidence: &[(Stretch, Strength)]) -> Vec<(Stretch, Strength)> {
        let mut ordered = evidence.to_vec();
        let depth = |stretch: &Stretch| self.utterance(stretch.utterance).map_or(0, |utterance| utterance.quoted);
        ordered.sort_by_key(|(stretch, _)| (std::cmp::Reverse(depth(stretch)), stretch.utterance, stretch.range.start));
        ordered
    }

    /// Whether a word with a capital is a name as far as the document shows: it never stands there without the capital.
    pub fn is_name(&self, word: &str) -> bool {
        word.chars().count() > 1 && !self.lowered.has(&word.to_lowercase())
    }

    /// The next one to speak after an utterance, other than its speaker.
    pub fn next_speaker(&self, index: usize) -> Option<PersonId> {
        let speaker = self.speaker(index)?;
        let next = (index + 1..self.transcript.utterances.len()).take(ANSWER);
        next.filter_map(|at| self.speaker(at)).find(|id| *id != speaker)
    }

    /// The last one to speak before an utterance, other than its speaker.
    pub fn last_speaker(&self, index: usize) -> Option<PersonId> {
        let speaker = self.speaker(index)?;
        let before = (0..index).rev().take(ANSWER);
        before.filter_map(|at| self.speaker(at)).find(|id| *id != speaker)
    }

    /// Whether an utterance is an item of notes that nobody says.
    pub fn is_unsaid(&self, index: usize) -> bool {
        self.utterance(index).is_some_and(|one| one.envelope.is_none() && one.speaker.is_none() && self.is_item(one))
    }

    /// Whether an utterance is an item of notes rather than something said.
    pub fn is_item(&self, utterance: &Utterance<'_>) -> bool {
        matches!(utterance.kind, Kind::Bullet | Kind::CheckBox { .. } | Kind::TableRow | Kind::Prose)
    }
}
