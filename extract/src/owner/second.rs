//! Claims of the second person: "can you …", "Sam, please …"; and of nobody: "somebody should …".

use super::Who;
use super::claim::{ClaimKind, OwnerClaim};
use super::clause::{PersonMention, Word, mentions, words};
use super::mentioned::tail;
use super::phrase::{ANYBODY, DUTIES, IMPERATIVES, NOBODY, REQUESTS};
use super::scene::{OwnerScene, is_filler};
use crate::people::PersonId;
use crate::sentence;
use crate::word_list::WordList;

impl OwnerScene<'_, '_> {
    pub(super) fn nobody(&self, found: &mut Vec<OwnerClaim>) {
        let alone = self.words.len() <= 2 && self.is_in(0, &ANYBODY);
        let first = self.words.iter().position(|word| !is_filler(&word.lower)).unwrap_or_default();
        let who = self.is(first, &["who's"])
            || (self.is(first, &["who"]) && self.is(first + 1, &["can", "could", "wants", "would", "will", "takes"]));
        let many = (0..self.words.len().min(14)).any(|at| {
            let plural = self.words[at + 1..]
                .iter()
                .take(2)
                .any(|word| word.lower.ends_with('s') && word.lower.len() > 5 && word.lower != "always");
            self.is(at, &["all", "every"]) && plural && (self.request.is_some() || self.words.len() <= 4)
        });
        let subject = (0..self.words.len().min(14)).any(|at| {
            let before = at > 0 && self.is(at - 1, &["can", "could", "please", "pls", "need", "needs", "has"]);
            let comma = at == 0 && self.words[at].after.starts_with([',', ':']);
            self.is_in(at, &ANYBODY) && (before || self.is_in(at + 1, &DUTIES) || comma)
        });
        let called = self.words.iter().any(calls_all);
        if called {
            found.push(OwnerClaim::new(Who::Nobody, 9.0, ClaimKind::Anybody));
        } else if alone || who || many || subject || NOBODY.all().iter().any(|phrase| self.says(phrase)) {
            let weight = if self.answerer.is_some() { 1.8 } else { 9.0 };
            found.push(OwnerClaim::new(Who::Nobody, weight, ClaimKind::Anybody));
        }
    }

    /// What asks in the sentence: the strongest phrase, or a verb at its start.
    pub(super) fn find_request(&self) -> Option<(f32, usize)> {
        let verb =
            self.words.iter().find(|word| !is_filler(&word.lower)).is_some_and(|word| IMPERATIVES.has(&word.lower));
        let own = self.says("give me until") || (self.says("i'd need to") && !self.says("you"));
        self.strongest(&REQUESTS).or(verb.then_some((4.0, 0))).filter(|_| !own)
    }

    /// "Can you …", or a sentence that begins with a verb.
    pub(super) fn requests(&self, found: &mut Vec<OwnerClaim>) {
        let Some((weight, at)) = self.request.or(self.is_duty().then_some((2.0, 0))) else { return };
        let quiet = self.is_note() && weight < 6.0;
        if quiet || self.vocative().is_some() {
            return;
        }
        let later = !self.wishes() && self.promise.is_some_and(|promise| promise.0 >= 7.0 && promise.1 < at);
        let weight = if later { weight * 0.5 } else { weight };
        match self.addressee() {
            Some((who, share)) => found.push(OwnerClaim::new(Who::Person(who), weight * share, ClaimKind::Asked)),
            None if self.in_mail() => found.push(OwnerClaim::new(Who::Nobody, 2.0, ClaimKind::Several)),
            None => {}
        }
    }

    /// "It must be there by Friday": a duty that names nobody, in a mail.
    pub(super) fn is_duty(&self) -> bool {
        self.in_mail()
            && ["must be", "needs to be", "has to be", "should be", "would be nice", "i'd like"]
                .iter()
                .any(|phrase| self.says(phrase))
    }

    /// Whom "you" means here, and how sure that is.
    pub(super) fn addressee(&self) -> Option<(PersonId, f32)> {
        let index = self.stretch.utterance;
        let named = self.earlier_vocative().map(|id| (id, 1.0));
        let answering = || self.answerer.map(|id| (id, 1.0));
        let known = || self.participants.addressee(index).map(|id| (id, 1.0));
        let next = || self.participants.next_speaker(index).map(|id| (id, 0.7));
        named.or_else(answering).or_else(known).or_else(next)
    }

    /// Whom the same utterance addressed last before this sentence.
    pub(super) fn earlier_vocative(&self) -> Option<PersonId> {
        let utterance = self.participants.utterance(self.stretch.utterance)?;
        let before = tail(utterance.text.as_str().get(..self.stretch.range.start)?);
        let addressed = |text: &str| {
            let words = words(text);
            let mentions = mentions(self.participants.roster, &words);
            vocative(&words, &mentions).and_then(|mention| match mention.who {
                Who::Person(id) if Some(id) != self.speaker => Some(id),
                _ => None,
            })
        };
        sentence::split(before).into_iter().rev().take(6).find_map(|range| addressed(&before[range]))
    }

    pub(super) fn vocative(&self) -> Option<&PersonMention> {
        vocative(&self.words, &self.mentions)
            .filter(|mention| Some(&mention.who) != self.speaker.map(Who::Person).as_ref())
    }

    /// "Sam, can you …", "@sam …".
    pub(super) fn vocatives(&self, found: &mut Vec<OwnerClaim>) {
        let Some(mention) = self.vocative() else { return };
        let told = ["with you", "to you", "for you", "get you", "send you", "thank you"]
            .iter()
            .any(|phrase| self.says(phrase));
        let asks =
            self.request.is_some_and(|request| request.0 >= 4.0 && !told) || (self.flat.contains(" you") && !told);
        let weight = match (mention.known, asks) {
            (true, true) => 11.0,
            (true, false) => 6.0,
            (false, true) => 8.0,
            (false, false) => return,
        };
        found.push(OwnerClaim::new(mention.who.clone(), weight, ClaimKind::Addressed));
        // "Julie and Sam, can you": both.
        let others = row(&self.words, &self.mentions, mention.start);
        found.extend(others.map(|other| OwnerClaim::new(other.who.clone(), weight, ClaimKind::Addressed)));
    }
}

/// Those who are named in a row before a word, from its end: Sam and Julie in "Julie and Sam, can you".
fn row<'m>(words: &[Word<'_>], mentions: &'m [PersonMention], start: usize) -> impl Iterator<Item = &'m PersonMention> {
    let beside = move |start: usize| mentions.iter().find(|other| is_beside(words, other.end, start));
    std::iter::successors(beside(start), move |last| beside(last.start))
}

/// Whether somebody whose name ends before a word stands beside the one whose name begins at another: "Julie and Sam".
fn is_beside(words: &[Word<'_>], end: usize, start: usize) -> bool {
    let joined = |word: &Word<'_>| matches!(word.lower.as_str(), "and" | "und" | "et" | "y" | "e" | "en");
    match start.checked_sub(end) {
        Some(0) => end > 0 && matches!(words[end - 1].after, " & " | ", " | " / " | " + "),
        Some(1) => words[end - 1].after == " " && joined(&words[end]),
        _ => false,
    }
}

/// Whether a word calls everybody: "@channel".
pub(super) fn calls_all(word: &Word<'_>) -> bool {
    static ALL: WordList =
        WordList::of("here channel all everyone everybody team group alle tous todos tutti todas iedereen");
    word.before.ends_with(['@', '!']) && !word.before.starts_with(char::is_alphanumeric) && ALL.has(&word.lower)
}

/// Whom a sentence addresses: a name before a comma, a question or "can you" at its start, or at its end.
fn vocative<'m>(words: &[Word<'_>], mentions: &'m [PersonMention]) -> Option<&'m PersonMention> {
    let addressed = |mention: &&'m PersonMention| {
        let last = &words[mention.end - 1];
        let first = row(words, mentions, mention.start).last().map_or(mention.start, |other| other.start);
        let lead = words[..first].iter().all(|word| is_filler(&word.lower) || is_greeting(&word.lower));
        // "Statement – please sign" calls nobody.
        let marks: &[&str] =
            if mention.known { &[",", "?", ":", "–", "—", " –", " —", " - "] } else { &[",", "?", ":"] };
        let opens = lead && marks.iter().any(|mark| last.after.starts_with(mark));
        let next = words.get(mention.end).map_or("", |word| word.lower.as_str());
        let second = words.get(mention.end + 1).map_or("", |word| word.lower.as_str());
        let calls = matches!(
            next,
            "please"
                | "pls"
                | "you"
                | "you'll"
                | "kannst"
                | "könntest"
                | "bitte"
                | "peux"
                | "puedes"
                | "puoi"
                | "du"
                | "tu"
        );
        let asks = lead
            && mention.known
            && (calls || (matches!(next, "can" | "could" | "would" | "will" | "do" | "are") && second == "you"));
        let before = mention.start > 0 && words[mention.start - 1].after.starts_with(',');
        let closes = before && mention.end == words.len() && mention.known;
        let set_off = before && last.after.starts_with([',', '?']) && mention.known;
        let joined = mention.start > 0
            && mention.known
            && matches!(words[mention.start - 1].lower.as_str(), "and" | "und" | "et")
            && next == "you";
        last.is_bare() && !mention.team && (mention.at || opens || asks || closes || set_off || joined)
    };
    let mut known = mentions.iter().filter(|mention| mention.known);
    known.find(addressed).or_else(|| mentions.iter().find(addressed))
}

fn is_greeting(word: &str) -> bool {
    ["hi", "hey", "hello", "thanks", "morning", "great", "perfect", "good", "cool", "fine", "sure"].contains(&word)
}
