//! Claims: what speaks for an owner, sentence by sentence.

use super::participants::Participants;
use super::scene::OwnerScene;
use super::{Stretch, Who};
use crate::sentence;

/// What a claim rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimKind {
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

/// How many kinds of claim there are.
pub const CLAIM_KINDS: usize = ClaimKind::Pronoun as usize + 1;

/// Something that speaks for an owner.
#[derive(Clone, Debug)]
pub struct OwnerClaim {
    /// Whom it speaks for.
    pub who: Who,
    /// How much.
    pub weight: f32,
    /// What it rests on.
    pub kind: ClaimKind,
}

impl OwnerClaim {
    /// A claim for somebody.
    pub fn new(who: Who, weight: f32, kind: ClaimKind) -> Self {
        Self { who, weight, kind }
    }
}

/// The claims that a stretch of the evidence makes.
pub fn claims(participants: &Participants<'_>, evidence: &[Stretch], place: usize) -> Vec<OwnerClaim> {
    let stretch = &evidence[place];
    let speaker = participants.speaker(stretch.utterance);
    let others = |mut stretches: std::slice::Iter<'_, Stretch>| {
        stretches.find_map(|other| participants.speaker(other.utterance).filter(|id| Some(*id) != speaker))
    };
    let answerer = others(evidence[place + 1..].iter());
    let asker = others(evidence[..place].iter());
    let mut found = Vec::new();
    for range in sentence::split(participants.words(stretch)) {
        let range = stretch.range.start + range.start..stretch.range.start + range.end;
        OwnerScene::of(participants, Stretch { utterance: stretch.utterance, range }, asker, answerer).all(&mut found);
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
