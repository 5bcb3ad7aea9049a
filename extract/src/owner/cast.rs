//! Who "I" and "you" are in each utterance.

use crate::people::{PersonId, Roster};
use crate::reader::{Format, Kind, Transcript, Utterance};

/// A document with its people, ready to say who speaks to whom.
#[derive(Debug)]
pub struct Cast<'t> {
    /// The document.
    pub transcript: &'t Transcript<'t>,
    /// Its people.
    pub roster: &'t Roster,
    /// Who speaks, each once.
    speaking: Vec<PersonId>,
    /// Whether one label stands over the words of several people.
    merged: bool,
}

/// Utterances within which an answer follows.
const ANSWER: usize = 4;

impl<'t> Cast<'t> {
    /// Gathers who speaks.
    #[must_use]
    pub fn of(transcript: &'t Transcript<'t>, roster: &'t Roster) -> Self {
        let speaking: Vec<_> = roster.ids().filter(|id| roster.person(*id).speaks).collect();
        let spoken = matches!(transcript.format, Format::Meet | Format::Otter | Format::Zoom | Format::TeamsVtt);
        let merged = spoken && speaking.len() == 1 && transcript.attendees.len() > 1;
        Self { transcript, roster, speaking, merged }
    }

    /// An utterance by its index.
    pub fn utterance(&self, index: usize) -> Option<&'t Utterance<'t>> {
        self.transcript.utterances.get(index)
    }

    /// Who says "I" in an utterance: its speaker; "me" in notes and prose without one.
    pub fn speaker(&self, index: usize) -> Option<PersonId> {
        let utterance = self.utterance(index)?;
        match utterance.speaker.as_deref() {
            _ if self.merged => None,
            Some(label) => self.roster.speaker(label),
            None if matches!(self.transcript.format, Format::Notes | Format::Prose) => self.roster.me(),
            None => None,
        }
    }

    /// Whom "you" means in an utterance, as far as the kind of document says so.
    pub fn addressee(&self, index: usize) -> Option<PersonId> {
        let utterance = self.utterance(index)?;
        let speaker = self.speaker(index);
        if let Some(envelope) = utterance.envelope.and_then(|index| self.transcript.envelopes.get(index)) {
            let greeted: Vec<_> = envelope.greeted.iter().filter_map(|name| self.roster.resolve(name)).collect();
            let to = envelope.to.iter().filter_map(|one| self.roster.resolve(one.label()?.as_ref()));
            let to: Vec<_> = to.filter(|id| Some(*id) != speaker).collect();
            return match (greeted.as_slice(), to.as_slice()) {
                ([one], _) | ([], [one]) => Some(*one),
                ([], []) if speaker != self.roster.me() => self.roster.me(),
                _ => None,
            };
        }
        self.other(speaker?)
    }

    /// The other one of two who speak.
    fn other(&self, speaker: PersonId) -> Option<PersonId> {
        match self.speaking.as_slice() {
            [one, other] if *other == speaker => Some(*one),
            [one, other] if *one == speaker => Some(*other),
            _ => None,
        }
    }

    /// Whether more than two take part.
    pub fn is_round(&self) -> bool {
        self.speaking.len() > 2
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

    /// Whether an utterance is an item of notes rather than something said.
    pub fn is_item(&self, utterance: &Utterance<'_>) -> bool {
        matches!(utterance.kind, Kind::Bullet | Kind::CheckBox { .. } | Kind::TableRow | Kind::Prose)
    }
}
