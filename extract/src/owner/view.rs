//! What speaks for a claimant: plain numbers, by which trees judge who the owner is.

use super::cast::Cast;
use super::claim::{GROUNDS, OwnerClaim};
use super::clause::words;
use super::{NEAR, NUMBERS, Spot, Who};
use crate::people::{PersonId, name::fold};
use crate::score::flag;
use crate::title::Strength;

/// Words beyond which it says nothing that somebody was named.
const FAR: f32 = 400.0;

/// What is known of a task's stretches, for everybody who may own it.
pub struct OwnerView<'l, 't> {
    /// The document and its people.
    pub cast: &'l Cast<'t>,
    /// The stretches, in order.
    pub evidence: &'l [(Spot, Strength)],
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
        cast: &'l Cast<'t>,
        evidence: &'l [(Spot, Strength)],
        claims: &'l [OwnerClaim],
        scores: &'l [f32],
    ) -> Self {
        let said =
            |(spot, _): &(Spot, Strength)| words(cast.words(spot)).iter().map(|word| fold(word.stem())).collect();
        Self { cast, evidence, claims, scores, said: evidence.iter().map(said).collect() }
    }

    /// The numbers of one of the claimants.
    pub fn numbers(&self, at: usize, who: &Who) -> [f32; NUMBERS] {
        let mut numbers = [0.0_f32; NUMBERS];
        for claim in self.claims.iter().filter(|claim| claim.who == *who) {
            let most = &mut numbers[claim.ground as usize];
            *most = most.max(claim.weight);
        }
        let score = self.scores[at];
        let rest = || self.scores.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, score)| *score);
        let id = match who {
            Who::Person(id) => Some(*id),
            _ => None,
        };
        let person = id.map(|id| self.cast.roster.person(id));
        let best = self.place(|strength| strength.part);
        let says = |place: usize| flag(id.is_some() && self.speaker(place) == id);
        let of = |find: &dyn Fn(usize) -> Option<PersonId>, place: usize| {
            flag(id.is_some() && self.evidence.get(place).and_then(|(spot, _)| find(spot.utterance)) == id)
        };
        let last = self.evidence.len().saturating_sub(1);
        let own = (0..self.evidence.len()).filter(|place| id.is_some() && self.speaker(*place) == id).count();
        let name = match who {
            Who::Other(name) => name,
            _ => person.map_or("", |person| person.name.as_str()),
        };
        let first = fold(name.split(' ').next().unwrap_or_default());
        let named = |place: usize| !first.is_empty() && self.said.get(place).is_some_and(|said| said.contains(&first));
        let near = self.evidence.get(best).filter(|_| !first.is_empty()).map(|(spot, _)| {
            let until = self.cast.utterance(spot.utterance).and_then(|one| one.text.as_str().get(..spot.range.end));
            self.cast.places().nearness(&first, spot, until.unwrap_or_default())
        });
        let far = |words: Option<usize>| words.map_or(FAR, |words| words as f32).min(FAR);
        let before = self.nearest(id, |from, away| from.checked_sub(away));
        let after = self.nearest(id, |from, away| Some(from + away));
        numbers[GROUNDS..].copy_from_slice(&[
            score,
            score - rest().fold(0.0, f32::max),
            rest().filter(|other| *other > score).count() as f32,
            self.scores.len() as f32,
            flag(*who == Who::Nobody),
            flag(matches!(who, Who::Other(_))),
            flag(person.is_some_and(|person| person.is_me)),
            flag(person.is_some_and(|person| person.speaks)),
            flag(name.contains(' ')),
            own as f32 / self.evidence.len().max(1) as f32,
            says(best),
            says(0),
            says(last),
            says(self.place(|strength| strength.opening)),
            says(self.place(|strength| strength.continuation)),
            of(&|at| self.cast.last_speaker(at), 0),
            of(&|at| self.cast.next_speaker(at), last),
            of(&|at| self.cast.next_speaker(at), best),
            of(&|at| self.cast.addressee(at), best),
            flag(named(best)),
            flag((0..self.evidence.len()).any(named)),
            before,
            after,
            id.map_or(0.0, |id| self.cast.part(id)),
            near.map_or(FAR, |near| far(near.before)),
            near.map_or(FAR, |near| far(near.after)),
            near.map_or(0, |near| near.count) as f32,
            flag(person.is_some_and(|person| person.is_only_named)),
            flag(self.cast.is_unlabelled()),
        ]);
        numbers
    }

    fn speaker(&self, place: usize) -> Option<PersonId> {
        self.cast.speaker(self.evidence.get(place)?.0.utterance)
    }

    /// Which stretch speaks most strongly.
    fn place(&self, of: impl Fn(&Strength) -> f32) -> usize {
        let all = self.evidence.iter().enumerate();
        all.max_by(|one, other| of(&one.1.1).total_cmp(&of(&other.1.1))).map_or(0, |best| best.0)
    }

    /// How many utterances away from the strongest stretch somebody speaks, in one direction.
    fn nearest(&self, id: Option<PersonId>, step: impl Fn(usize, usize) -> Option<usize>) -> f32 {
        let best = self.place(|strength| strength.part);
        let Some((from, id)) = self.evidence.get(best).map(|(spot, _)| spot.utterance).zip(id) else { return -1.0 };
        let speaks = |away: &usize| step(from, *away).is_some_and(|at| self.cast.speaker(at) == Some(id));
        (1..=NEAR).find(speaks).map_or(NEAR as f32 + 1.0, |away| away as f32)
    }
}
