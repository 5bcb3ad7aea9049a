//! Whom "he" and "she" mean: who was mentioned last.

use super::Who;
use super::clause::{PersonMention, mentions, words};
use super::scene::OwnerScene;
use crate::people::PersonId;

impl OwnerScene<'_, '_> {
    /// Who is mentioned in this sentence before a word, teams last.
    pub(super) fn inside(&self, at: usize) -> Option<Who> {
        let before = || {
            self.mentions
                .iter()
                .rev()
                .filter(|mention| mention.end <= at && Some(&mention.who) != self.speaker.map(Who::Person).as_ref())
        };
        let is_name = |mention: &PersonMention| self.participants.is_name(self.words[mention.end - 1].stem());
        let person = before().find(|mention| !mention.team && (mention.known || is_name(mention)));
        person.or_else(|| before().find(|mention| mention.team)).map(|mention| mention.who.clone())
    }

    /// Who was mentioned last before this sentence, other than the one who speaks: those who don't speak first, then teams.
    pub(super) fn antecedent(&self) -> Option<Who> {
        let here = self.participants.utterance(self.stretch.utterance)?;
        let before = here.text.as_str().get(..self.stretch.range.start)?;
        let earlier = (0..self.stretch.utterance).rev().take(6).filter_map(|index| self.participants.utterance(index));
        let texts: Vec<_> =
            std::iter::once(before).chain(earlier.map(|utterance| utterance.text.as_str())).map(tail).collect();
        let near = &texts[..texts.len().min(3)];
        let person = |id: &PersonId| self.participants.roster.person(*id);
        let you = self.participants.addressee(self.stretch.utterance);
        let absent =
            |who: &Who| !matches!(who, Who::Person(id) if person(id).speaks || person(id).is_me || Some(*id) == you);
        let found = self.mentioned(&texts, false, &absent).or_else(|| self.mentioned(near, true, &|_| true));
        found.or_else(|| self.mentioned(near, false, &|_| true))
    }

    pub(super) fn mentioned(&self, texts: &[&str], team: bool, fits: &dyn Fn(&Who) -> bool) -> Option<Who> {
        let speaker = self.speaker.map(Who::Person);
        texts.iter().find_map(|text| {
            let words = words(text);
            let found = mentions(self.participants.roster, &words);
            let person = |mention: &&PersonMention| {
                let before = mention.start.checked_sub(1).and_then(|at| words.get(at));
                let starts = before.is_none_or(|word| word.after.contains(['.', '?', '!', '\n', ':']));
                let place = before.is_some_and(|word| {
                    matches!(word.lower.as_str(), "in" | "at" | "near" | "the" | "a" | "to" | "from" | "on")
                });
                let name = mention.known
                    || mention.team
                    || (!starts && !place && self.participants.is_name(words[mention.end - 1].stem()));
                Some(&mention.who) != speaker.as_ref() && mention.team == team && name && fits(&mention.who)
            };
            found.iter().rev().find(person).map(|mention| mention.who.clone())
        })
    }
}

/// The last part of a text, from a character boundary on.
pub fn tail(text: &str) -> &str {
    let mut start = text.len().saturating_sub(400);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    &text[start..]
}
