//! Claims from what is said: promises, requests, names that act.

use super::cast::Cast;
use super::clause::{Mention, Word, mentions, words};
use super::phrase::{ACTS, ANSWERS, IMPERATIVES, NO_PROMISE, NOBODY, PROMISES, REQUESTS, is_common};
use super::{Spot, Who};
use crate::people::PersonId;
use crate::reader::Kind;

/// Something that speaks for an owner.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Whom it speaks for.
    pub who: Who,
    /// How much.
    pub weight: f32,
    /// What it is, in words.
    pub why: &'static str,
}

impl Claim {
    /// A claim for somebody.
    pub fn new(who: Who, weight: f32, why: &'static str) -> Self {
        Self { who, weight, why }
    }
}

/// A stretch with everything that its rules need.
struct Scene<'c, 't> {
    cast: &'c Cast<'t>,
    spot: &'c Spot,
    words: Vec<Word<'t>>,
    mentions: Vec<Mention>,
    speaker: Option<PersonId>,
    /// Who speaks in the evidence after this stretch, if somebody else.
    answerer: Option<PersonId>,
    /// Whether somebody else asked in the evidence before this stretch.
    answers: bool,
    flat: String,
}

/// The claims that a stretch of the evidence makes.
pub fn claims(cast: &Cast<'_>, evidence: &[Spot], place: usize) -> Vec<Claim> {
    let spot = &evidence[place];
    let words = words(cast.words(spot));
    let speaker = cast.speaker(spot.utterance);
    let others =
        |spots: &[Spot]| spots.iter().filter_map(|other| cast.speaker(other.utterance)).find(|id| Some(*id) != speaker);
    let scene = Scene {
        mentions: mentions(cast.roster, &words),
        flat: flat(&words),
        words,
        cast,
        spot,
        speaker,
        answerer: others(&evidence[place + 1..]),
        answers: others(&evidence[..place]).is_some(),
    };
    let mut found = Vec::new();
    scene.nobody(&mut found);
    scene.promises(&mut found);
    scene.requests(&mut found);
    scene.names(&mut found);
    scene.pronoun(&mut found);
    scene.rest(&mut found);
    found
}

/// Words in lower case with one space between and around them, so that phrases are found as wholes.
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
    fn says(&self, phrase: &str) -> bool {
        if !phrase.is_ascii()
            && !phrase.contains(' ')
            && phrase.chars().any(|one| matches!(one, '\u{3040}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}'))
        {
            return self.flat.contains(phrase);
        }
        self.flat.match_indices(phrase).any(|(at, _)| {
            let before = self.flat[..at].ends_with(' ');
            let after = self.flat[at + phrase.len()..].starts_with([' ', '?']);
            before && (after || phrase.ends_with(['\'', '?']))
        })
    }

    fn nobody(&self, found: &mut Vec<Claim>) {
        if NOBODY.iter().any(|phrase| self.says(phrase)) {
            found.push(Claim::new(Who::Nobody, 12.0, "asks nobody in particular"));
        }
    }

    /// "I'll …", of the longest phrase.
    fn promises(&self, found: &mut Vec<Claim>) {
        let Some(speaker) = self.speaker else { return };
        let denied = NO_PROMISE.iter().any(|word| self.flat.contains(&format!(" i {word} ")));
        let best =
            PROMISES.iter().filter(|(phrase, _)| self.says(phrase)).max_by(|one, other| one.1.total_cmp(&other.1));
        let bare = self.flat.contains(" i ") && !denied;
        let weight = match best {
            Some((_, weight)) => *weight,
            None if bare => 5.0,
            None => return,
        };
        let asks =
            REQUESTS.iter().any(|(phrase, weight)| phrase.starts_with("i") && *weight >= 4.0 && self.says(phrase));
        if !(asks && weight <= 8.0) {
            found.push(Claim::new(Who::Person(speaker), weight, "first person promise"));
        }
    }

    /// "Can you …", of the strongest phrase, or a sentence that begins with a verb.
    fn requests(&self, found: &mut Vec<Claim>) {
        let best =
            REQUESTS.iter().filter(|(phrase, _)| self.says(phrase)).map(|(_, weight)| *weight).max_by(f32::total_cmp);
        let begins = self.words.iter().find(|word| !is_filler(&word.lower));
        let verb = begins.is_some_and(|word| IMPERATIVES.contains(&word.lower.as_str()));
        let weight = match (best, verb) {
            (Some(weight), _) => weight,
            (None, true) => 4.0,
            (None, false) => return,
        };
        if self.is_note() && best.is_none_or(|weight| weight < 6.0) {
            return;
        }
        if self.vocative().is_some() {
            return;
        }
        if let Some((who, share)) = self.addressee() {
            found.push(Claim::new(Who::Person(who), weight * share, "asked of the one spoken to"));
        }
    }

    fn is_note(&self) -> bool {
        let utterance = self.cast.utterance(self.spot.utterance);
        utterance.is_some_and(|utterance| {
            utterance.envelope.is_none() && utterance.speaker.is_none() && self.cast.is_item(utterance)
        })
    }

    /// Whom "you" means here, and how sure that is.
    fn addressee(&self) -> Option<(PersonId, f32)> {
        let index = self.spot.utterance;
        let named = self.earlier_vocative();
        let known = || self.cast.addressee(index).map(|id| (id, 1.0));
        let answering = || self.answerer.map(|id| (id, 1.0));
        let next = || self.cast.next_speaker(index).map(|id| (id, 0.7));
        named.map(|id| (id, 1.0)).or_else(answering).or_else(known).or_else(next)
    }

    /// Whom the same utterance addressed last before this stretch.
    fn earlier_vocative(&self) -> Option<PersonId> {
        let utterance = self.cast.utterance(self.spot.utterance)?;
        let before = utterance.text.as_str().get(..self.spot.range.start)?;
        let ranges = crate::sentence::split(before);
        let vocative = |text: &str| {
            let words = words(text);
            let mentions = mentions(self.cast.roster, &words);
            vocative(&words, &mentions).and_then(|mention| match mention.who {
                Who::Person(id) if Some(id) != self.speaker => Some(id),
                _ => None,
            })
        };
        ranges.iter().rev().take(6).find_map(|range| vocative(&before[range.clone()]))
    }

    fn vocative(&self) -> Option<&Mention> {
        vocative(&self.words, &self.mentions)
            .filter(|mention| mention.who != self.speaker.map_or(Who::Nobody, Who::Person))
    }

    /// "Sam, can you …", "Sam will …", "@sam …".
    fn names(&self, found: &mut Vec<Claim>) {
        if let Some(mention) = self.vocative() {
            let asks = REQUESTS.iter().any(|(phrase, _)| self.says(phrase)) || self.flat.contains(" you");
            let weight = if mention.known { 9.0 } else { 6.0 };
            if mention.known || asks {
                found.push(Claim::new(mention.who.clone(), weight + if asks { 2.0 } else { 0.0 }, "addressed by name"));
            }
            return;
        }
        if let Some(mention) = self.mentions.iter().find(|mention| self.acts(mention)) {
            let said = self.flat.contains(" said ") || self.flat.contains(" says ") || self.flat.contains(" promised ");
            let weight = if said { 12.0 } else { 8.0 };
            found.push(Claim::new(mention.who.clone(), weight, "named as the one who acts"));
        }
    }

    /// Whether somebody mentioned stands before a word for acting, at the start of what is said.
    fn acts(&self, mention: &Mention) -> bool {
        let last = &self.words[mention.end - 1];
        let glued = ["'ll", "’ll", "'d", "’d"].iter().any(|end| last.written.ends_with(end));
        let aside = last.after.contains(['(', ',']) && mention.known;
        let next = self.words[mention.end..]
            .iter()
            .take(if aside { 5 } else { 2 })
            .any(|word| ACTS.contains(&word.lower.as_str()));
        let object = mention.start > 0 && {
            let before = self.words[mention.start - 1].lower.as_str();
            matches!(
                before,
                "to" | "for"
                    | "with"
                    | "from"
                    | "of"
                    | "tell"
                    | "ask"
                    | "give"
                    | "send"
                    | "about"
                    | "see"
                    | "at"
                    | "by"
                    | "in"
                    | "on"
                    | "i'll"
                    | "asked"
                    | "told"
                    | "call"
                    | "ring"
                    | "für"
                    | "mit"
                    | "an"
                    | "pour"
                    | "avec"
                    | "para"
                    | "con"
            )
        };
        let clean = last.after.chars().all(|one| matches!(one, ' ' | '.' | '-' | '(' | ',' | ')' | '*'));
        let common = !mention.known && mention.start == 0 && is_common(&self.words[0].lower);
        (glued || (next && clean)) && !object && !common && mention.start < 8
    }

    /// "She'll …": whoever was mentioned last.
    fn pronoun(&self, found: &mut Vec<Claim>) {
        const SUBJECTS: &[&str] = &[
            "he'll", "she'll", "he'd", "she'd", "they'll", "they'd", "he's", "she's", "he", "she", "they're", "they",
            "he'll", "er", "il", "elle", "él", "ella", "lui", "lei", "ele", "ela", "hij", "zij", "ze",
        ];
        let Some(at) = self.words.iter().position(|word| SUBJECTS.contains(&word.lower.as_str())) else { return };
        let acts = at < 8
            && (self.words[at].lower.contains('\'')
                || self.words[at + 1..].iter().take(2).any(|word| ACTS.contains(&word.lower.as_str())));
        if !acts {
            return;
        }
        let inside = self.mentions.iter().rev().find(|mention| mention.end <= at).map(|mention| mention.who.clone());
        let who = inside.or_else(|| self.antecedent());
        if let Some(who) = who.filter(|who| Some(who) != self.speaker.map(Who::Person).as_ref()) {
            found.push(Claim::new(who, 7.0, "whoever \"he\" or \"she\" is"));
        }
    }

    /// Who was mentioned last before this stretch, other than the one who speaks.
    fn antecedent(&self) -> Option<Who> {
        let here = self.cast.utterance(self.spot.utterance)?;
        let before = here.text.as_str().get(..self.spot.range.start)?;
        let earlier = (0..self.spot.utterance).rev().take(3).filter_map(|index| self.cast.utterance(index));
        let texts = std::iter::once(before).chain(earlier.map(|utterance| utterance.text.as_str()));
        let speaker = self.speaker.map(Who::Person);
        texts.map(tail).find_map(|text| {
            let words = words(text);
            let found = mentions(self.cast.roster, &words);
            let person = |mention: &&Mention| {
                let starts = mention.start == 0 || words[mention.start - 1].after.contains(['.', '?', '!', '\n']);
                Some(&mention.who) != speaker.as_ref() && (mention.known || !starts)
            };
            found.iter().rev().find(person).map(|mention| mention.who.clone())
        })
    }

    /// What is left where nothing else is said: an answer is its speaker's, a statement too, but weakly.
    fn rest(&self, found: &mut Vec<Claim>) {
        let Some(speaker) = self.speaker else { return };
        let answers = self.words.first().is_some_and(|word| ANSWERS.contains(&word.lower.as_str()));
        let weight = match (self.answers, answers) {
            (true, true) => 4.0,
            (true, false) => 2.0,
            (false, _) => 0.6,
        };
        let kind = self.cast.utterance(self.spot.utterance).map(|utterance| utterance.kind);
        if !self.is_note() || kind == Some(Kind::Prose) {
            found.push(Claim::new(Who::Person(speaker), weight, "said by them"));
        }
    }
}

/// The last part of a text, from a character boundary on.
fn tail(text: &str) -> &str {
    let mut start = text.len().saturating_sub(400);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    &text[start..]
}

/// Words that open a sentence without weight.
fn is_filler(word: &str) -> bool {
    [
        "and", "so", "then", "okay", "ok", "yeah", "but", "also", "please", "pls", "right", "well", "um", "uh", "just",
        "oh", "yes", "no", "now",
    ]
    .contains(&word)
}

/// Whom a sentence addresses: a name before a comma, a question or "can you" at its start, or at its end.
fn vocative<'m>(words: &[Word<'_>], mentions: &'m [Mention]) -> Option<&'m Mention> {
    mentions.iter().find(|mention| {
        let last = &words[mention.end - 1];
        let plain = last.written == last.stem();
        let lead = words[..mention.start].iter().all(|word| is_filler(&word.lower) || is_greeting(&word.lower));
        let opens = lead
            && (last.after.starts_with([',', '?', ':', '–', '—'])
                || last.after.starts_with(" –")
                || last.after.starts_with(" —")
                || last.after.starts_with(" - "));
        let next = words.get(mention.end).map_or("", |word| word.lower.as_str());
        let second = words.get(mention.end + 1).map_or("", |word| word.lower.as_str());
        let asks = lead
            && (matches!(
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
            ) || (matches!(next, "can" | "could" | "would" | "will" | "do" | "are") && second == "you"));
        let before = mention.start > 0 && words[mention.start - 1].after.starts_with(',');
        let closes = before && mention.end == words.len() && (mention.known || last.after.starts_with('?'));
        let set_off = before && last.after.starts_with([',', '?']) && mention.known;
        plain && (mention.at || opens || asks || closes || set_off)
    })
}

fn is_greeting(word: &str) -> bool {
    ["hi", "hey", "hello", "thanks", "morning", "great", "perfect", "good", "cool", "fine", "sure"].contains(&word)
}
