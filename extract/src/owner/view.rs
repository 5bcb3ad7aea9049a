//! What speaks for a claimant: dense features, by which trees judge who the owner is.

use super::claim::{CLAIM_KINDS, OwnerClaim};
use super::clause::words;
use super::participants::Participants;
use super::{FEATURE_COUNT, NEAR, Stretch, Who};
use crate::people::{Person, PersonId, name::fold};
use crate::score::flag;
use crate::title::Strength;

/// Words beyond which it says nothing that somebody was named.
const FAR: f32 = 400.0;

/// What is known of a task's stretches, for everybody who may own it.
pub struct OwnerView<'l, 't> {
    /// The document and its people.
    pub participants: &'l Participants<'t>,
    /// The stretches, in order.
    pub evidence: &'l [(Stretch, Strength)],
    /// What they claim.
    pub claims: &'l [OwnerClaim],
    /// How much they claim for each claimant.
    pub scores: &'l [f32],
    /// The words of each stretch, folded.
    said: Vec<Vec<String>>,
}

impl<'l, 't> OwnerView<'l, 't> {
    /// At the claims of some stretches.
    pub fn at(
        participants: &'l Participants<'t>,
        evidence: &'l [(Stretch, Strength)],
        claims: &'l [OwnerClaim],
        scores: &'l [f32],
    ) -> Self {
        let said = |(stretch, _): &(Stretch, Strength)| {
            words(participants.words(stretch)).iter().map(|word| fold(word.stem())).collect()
        };
        Self { participants, evidence, claims, scores, said: evidence.iter().map(said).collect() }
    }

    /// The dense features of one of the claimants.
    pub fn features(&self, at: usize, who: &Who) -> [f32; FEATURE_COUNT] {
        let mut features = [0.0_f32; FEATURE_COUNT];
        for claim in self.claims.iter().filter(|claim| claim.who == *who) {
            let most = &mut features[claim.kind as usize];
            *most = most.max(claim.weight);
        }
        let id = match who {
            Who::Person(id) => Some(*id),
            _ => None,
        };
        let person = id.map(|id| self.participants.roster.person(id));
        let name = match who {
            Who::Other(name) => name.as_str(),
            _ => person.map_or("", |person| person.name.as_str()),
        };
        let first = fold(name.split(' ').next().unwrap_or_default());
        let others = [
            &self.of_scores(at)[..],
            &of_identity(who, person, name)[..],
            &self.of_speaking(id)[..],
            &self.of_turns(id)[..],
            &self.of_naming(&first)[..],
            &self.of_utterances(id)[..],
            &self.of_nearness(&first)[..],
            &[
                flag(person.is_some_and(|person| person.is_only_named)),
                flag(person.is_some_and(Person::is_unnamed)),
                flag(self.participants.is_unlabelled()),
            ][..],
        ]
        .concat();
        features[CLAIM_KINDS..].copy_from_slice(&others);
        features
    }

    /// How much the claims speak for them, beside the others.
    fn of_scores(&self, at: usize) -> [f32; 4] {
        let score = self.scores[at];
        let rest = || self.scores.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, score)| *score);
        [
            score,
            score - rest().fold(0.0, f32::max),
            rest().filter(|other| *other > score).count() as f32,
            self.scores.len() as f32,
        ]
    }

    /// Whether they say the stretches: what share of them, the best, the first, the last, those that open and go on.
    fn of_speaking(&self, id: Option<PersonId>) -> [f32; 6] {
        let says = |place: usize| id.is_some() && self.speaker(place) == id;
        let own = (0..self.evidence.len()).filter(|place| says(*place)).count();
        [
            own as f32 / self.evidence.len().max(1) as f32,
            flag(says(self.best())),
            flag(says(0)),
            flag(says(self.last())),
            flag(says(self.place(|strength| strength.opening))),
            flag(says(self.place(|strength| strength.continuation))),
        ]
    }

    /// Whether they speak before or after the stretches, or are spoken to.
    fn of_turns(&self, id: Option<PersonId>) -> [f32; 4] {
        let of = |find: &dyn Fn(usize) -> Option<PersonId>, place: usize| {
            flag(id.is_some() && self.evidence.get(place).and_then(|(stretch, _)| find(stretch.utterance)) == id)
        };
        [
            of(&|at| self.participants.last_speaker(at), 0),
            of(&|at| self.participants.next_speaker(at), self.last()),
            of(&|at| self.participants.next_speaker(at), self.best()),
            of(&|at| self.participants.addressee(at), self.best()),
        ]
    }

    /// Whether the best stretch, and any, holds a first name, which is folded.
    fn of_naming(&self, first: &str) -> [f32; 2] {
        let holds = |said: &Vec<String>| !first.is_empty() && said.iter().any(|word| word == first);
        [flag(self.said.get(self.best()).is_some_and(holds)), flag(self.said.iter().any(holds))]
    }

    /// How many utterances away they speak, before and after, and what share of all utterances is theirs.
    fn of_utterances(&self, id: Option<PersonId>) -> [f32; 3] {
        [
            self.nearest(id, |from, away| from.checked_sub(away)),
            self.nearest(id, |from, away| Some(from + away)),
            id.map_or(0.0, |id| self.participants.part(id)),
        ]
    }

    /// How many words away from the best stretch a first name, which is folded, stands before and after, and how often.
    fn of_nearness(&self, first: &str) -> [f32; 3] {
        let near = self.evidence.get(self.best()).filter(|_| !first.is_empty()).map(|(stretch, _)| {
            let utterance = self.participants.utterance(stretch.utterance);
            let until = utterance.and_then(|one| one.text.as_str().get(..stretch.range.end));
            self.participants.places().nearness(first, stretch, until.unwrap_or_default())
        });
        let far = |words: Option<usize>| words.map_or(FAR, |words| words as f32).min(FAR);
        [
            near.map_or(FAR, |near| far(near.before)),
            near.map_or(FAR, |near| far(near.after)),
            near.map_or(0, |near| near.count) as f32,
        ]
    }

    fn speaker(&self, place: usize) -> Option<PersonId> {
        self.participants.speaker(self.evidence.get(place)?.0.utterance)
    }

    /// The last stretch.
    fn last(&self) -> usize {
        self.evidence.len().saturating_sub(1)
    }

    /// The stretch that is most likely part of the task.
    fn best(&self) -> usize {
        self.place(|strength| strength.part)
    }

    /// Which stretch speaks most strongly.
    fn place(&self, of: impl Fn(&Strength) -> f32) -> usize {
        let all = self.evidence.iter().enumerate();
        all.max_by(|one, other| of(&one.1.1).total_cmp(&of(&other.1.1))).map_or(0, |best| best.0)
    }

    /// How many utterances away from the strongest stretch somebody speaks, in one direction.
    fn nearest(&self, id: Option<PersonId>, step: impl Fn(usize, usize) -> Option<usize>) -> f32 {
        let best = self.evidence.get(self.best()).map(|(stretch, _)| stretch.utterance);
        let Some((from, id)) = best.zip(id) else { return -1.0 };
        let speaks = |away: &usize| step(from, *away).is_some_and(|at| self.participants.speaker(at) == Some(id));
        (1..=NEAR).find(speaks).map_or(NEAR as f32 + 1.0, |away| away as f32)
    }
}

/// Who a claimant is.
fn of_identity(who: &Who, person: Option<&Person>, name: &str) -> [f32; 5] {
    [
        flag(*who == Who::Nobody),
        flag(matches!(who, Who::Other(_))),
        flag(person.is_some_and(|person| person.is_me)),
        flag(person.is_some_and(|person| person.speaks)),
        flag(name.contains(' ')),
    ]
}
