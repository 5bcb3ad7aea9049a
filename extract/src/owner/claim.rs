//! Claims: what speaks for an owner, sentence by sentence.

use super::participants::Participants;
use super::scene::OwnerScene;
use super::{Span, Who};
use crate::sentence;

/// What a claim rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvidenceKind {
    /// "I'll …".
    Promise,
    /// Offered, and granted by another.
    Granted,
    /// Another one has got it from them.
    Received,
    /// They say it.
    Said,
    /// "Somebody should …".
    Anybody,
    /// Asked of the one spoken to.
    Asked,
    /// Asked of several.
    Several,
    /// Addressed by name.
    Addressed,
    /// "Sam: …" in a note.
    Labelled,
    /// "@sam".
    Tagged,
    /// Behind an arrow or dash.
    Arrow,
    /// In brackets.
    Bracketed,
    /// In the column of owners, also where that is left open.
    Column,
    /// Another one has promised it, as somebody tells.
    Relayed,
    /// "It's Sam who …".
    Single,
    /// "Have Sam send it".
    Caused,
    /// "You'll get it from Sam".
    Giver,
    /// "Sam will …".
    Actor,
    /// A note to oneself.
    Own,
    /// "She'll …".
    Pronoun,
}

/// How many kinds of evidence there are.
pub const EVIDENCE_KINDS: usize = EvidenceKind::Pronoun as usize + 1;

/// Something that speaks for an owner.
#[derive(Clone, Debug)]
pub struct OwnerClaim {
    /// Whom it speaks for.
    pub who: Who,
    /// How much.
    pub weight: f32,
    /// What it rests on.
    pub evidence_kind: EvidenceKind,
}

impl OwnerClaim {
    /// A claim for somebody.
    pub fn new(who: Who, weight: f32, evidence_kind: EvidenceKind) -> Self {
        Self { who, weight, evidence_kind }
    }
}

/// The claims that a stretch of the evidence makes.
pub fn claims(participants: &Participants<'_>, evidence: &[Span], place: usize) -> Vec<OwnerClaim> {
    let span = &evidence[place];
    let speaker = participants.speaker(span.utterance);
    let others = |mut spans: std::slice::Iter<'_, Span>| {
        spans.find_map(|other| participants.speaker(other.utterance).filter(|id| Some(*id) != speaker))
    };
    let answerer = others(evidence[place + 1..].iter());
    let asker = others(evidence[..place].iter());
    let mut found = Vec::new();
    for range in sentence::split(participants.words(span)) {
        let range = span.range.start + range.start..span.range.start + range.end;
        OwnerScene::of(participants, Span { utterance: span.utterance, range }, asker, answerer).all(&mut found);
    }
    found
}

impl OwnerScene<'_, '_> {
    fn all(&self, found: &mut Vec<OwnerClaim>) {
        if self.grants(found) {
            return;
        }
        self.nobody(found);
        self.promises(found);
        self.requests(found);
        self.vocatives(found);
        if !self.reports(found) {
            self.actors(found);
            self.pronoun(found);
        }
        self.singled_out(found);
        self.elliptical(found);
        self.causes(found);
        self.givers(found);
        self.receipts(found);
        self.rest(found);
    }
}
