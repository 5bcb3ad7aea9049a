//! Claims from what is said: promises, requests, names that act.

use super::cast::Cast;
use super::clause::{Mention, Word, mentions, words};
use super::phrase::{
    ACTS, ANSWERS, ANYBODY, DUTIES, GRANTS, IMPERATIVES, NO_PROMISE, NOBODY, PROMISES, RECEIPTS, REPORTS, REQUESTS,
    is_common,
};
use super::{Spot, Who};
use crate::people::PersonId;
use crate::reader::Kind;
use crate::sentence;

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

/// A sentence of the evidence with everything that its rules need.
struct Scene<'c, 't> {
    cast: &'c Cast<'t>,
    spot: Spot,
    words: Vec<Word<'t>>,
    mentions: Vec<Mention>,
    speaker: Option<PersonId>,
    /// Who speaks in the evidence after this, if somebody else.
    answerer: Option<PersonId>,
    /// Who speaks in the evidence before this, if somebody else.
    asker: Option<PersonId>,
    /// The words in lower case with one space between and around them, so that phrases are found as wholes.
    flat: String,
}

/// The claims that a stretch of the evidence makes, sentence by sentence.
pub fn claims(cast: &Cast<'_>, evidence: &[Spot], place: usize) -> Vec<Claim> {
    let spot = &evidence[place];
    let speaker = cast.speaker(spot.utterance);
    let others = |mut spots: std::slice::Iter<'_, Spot>| {
        spots.find_map(|other| cast.speaker(other.utterance).filter(|id| Some(*id) != speaker))
    };
    let answerer = others(evidence[place + 1..].iter());
    let asker = others(evidence[..place].iter());
    let mut found = Vec::new();
    for range in sentence::split(cast.words(spot)) {
        let range = spot.range.start + range.start..spot.range.start + range.end;
        let spot = Spot { utterance: spot.utterance, range };
        let words = words(cast.words(&spot));
        let mentions = mentions(cast.roster, &words);
        let flat = flat(&words);
        Scene { cast, spot, words, mentions, speaker, answerer, asker, flat }.all(&mut found);
    }
    found
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
    fn all(&self, found: &mut Vec<Claim>) {
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
        self.causes(found);
        self.givers(found);
        self.receipts(found);
        self.rest(found);
    }

    fn says(&self, phrase: &str) -> bool {
        self.find(phrase).is_some()
    }

    /// Where a phrase stands as a whole in the flat words.
    fn find(&self, phrase: &str) -> Option<usize> {
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
    fn strongest(&self, phrases: &[(&str, f32)]) -> Option<(f32, usize)> {
        let said = phrases.iter().filter_map(|(phrase, weight)| self.find(phrase).map(|at| (*weight, at)));
        said.max_by(|one, other| one.0.total_cmp(&other.0).then(other.1.cmp(&one.1)))
    }

    fn is(&self, at: usize, words: &[&str]) -> bool {
        self.words.get(at).is_some_and(|word| words.contains(&word.lower.as_str()))
    }

    /// "Please do", "go ahead": what the one before has offered is granted.
    fn grants(&self, found: &mut Vec<Claim>) -> bool {
        let bare = self.flat.trim();
        let exact = GRANTS.contains(&bare);
        let opens = GRANTS.iter().any(|phrase| phrase.contains(' ') && bare.starts_with(phrase));
        let short = self.words.len() <= 6 && !self.flat.contains('?') && self.vocative().is_none();
        let acts = self.flat.contains(" i'll ") || self.flat.contains(" you ");
        let before = self.asker.or_else(|| self.cast.last_speaker(self.spot.utterance).filter(|_| opens));
        let Some(before) = before.filter(|_| short && !acts && (exact || opens)) else { return false };
        found.push(Claim::new(Who::Person(before), 2.5, "offered, and granted by another"));
        true
    }

    fn nobody(&self, found: &mut Vec<Claim>) {
        let alone = self.words.len() <= 2 && self.is(0, ANYBODY);
        let first = self.words.iter().position(|word| !is_filler(&word.lower)).unwrap_or_default();
        let who = self.is(first, &["who's"])
            || (self.is(first, &["who"]) && self.is(first + 1, &["can", "could", "wants", "would", "will", "takes"]));
        let many = (0..self.words.len().min(14)).any(|at| {
            let plural =
                self.words[at + 1..].iter().take(2).any(|word| word.lower.ends_with('s') && word.lower.len() > 4);
            self.is(at, &["all", "every"]) && plural && self.request().is_some()
        });
        let subject = (0..self.words.len().min(14)).any(|at| {
            let before = at > 0 && self.is(at - 1, &["can", "could", "please", "pls", "need", "needs", "has"]);
            let comma = at == 0 && self.words[at].after.starts_with(',');
            self.is(at, ANYBODY) && (before || self.is(at + 1, DUTIES) || comma)
        });
        if alone || who || many || subject || NOBODY.iter().any(|phrase| self.says(phrase)) {
            let weight = if self.answerer.is_some() { 3.0 } else { 9.0 };
            found.push(Claim::new(Who::Nobody, weight, "asks nobody in particular"));
        }
    }

    /// "I'll …", of the strongest phrase; less where it follows a request or a condition, more where it answers.
    fn promises(&self, found: &mut Vec<Claim>) {
        let Some(speaker) = self.speaker else { return };
        let denied = NO_PROMISE.iter().any(|word| self.flat.contains(&format!(" i {word} ")));
        let bare = self.flat.find(" i ").filter(|_| !denied).map(|at| (3.5, at));
        let best = self.strongest(PROMISES).filter(|best| !denied || best.0 >= 7.0);
        let found_best = [best, bare].into_iter().flatten().max_by(|one, other| one.0.total_cmp(&other.0));
        let weak = |best: &(f32, usize)| best.0 < 5.0 && self.receives();
        let Some((weight, at)) = found_best.filter(|best| !self.wishes() && !weak(best)) else { return };
        let request = self.request().filter(|request| request.0 >= 4.0 && request.1 < at);
        let condition =
            ["if you", "once you", "when you"].iter().any(|phrase| self.find(phrase).is_some_and(|place| place < at));
        let share = if (request.is_some() || condition) && self.asker.is_none() { 0.5 } else { 1.0 };
        let answer = if self.asker.is_some() && weight >= 5.0 { 3.0 } else { 0.0 };
        found.push(Claim::new(Who::Person(speaker), weight * share + answer, "first person promise"));
    }

    /// "I need the form by Friday", "I'd like you to": a first person that asks.
    fn wishes(&self) -> bool {
        let wish = |at: usize| {
            let plain = self.is(at, &["i"]) && self.is(at + 1, &["need", "want"]);
            let polite = self.is(at, &["i'd"]) && self.is(at + 1, &["need", "like", "want"]);
            let still = self.is(at, &["i"]) && self.is(at + 1, &["still"]) && self.is(at + 2, &["need"]);
            let next = if still { at + 3 } else { at + 2 };
            let own = self.is(next, &["to"]) && !self.is(next + 1, &["know", "have", "hear", "see"]);
            (plain || polite || still) && !own
        };
        let kind = ["i'd be grateful", "i'd appreciate", "i'd ask"].iter().any(|phrase| self.says(phrase));
        !self.says("i'll") && (kind || (0..self.words.len()).any(wish))
    }

    /// What asks in the sentence: the strongest phrase, or a verb at its start.
    fn request(&self) -> Option<(f32, usize)> {
        let verb = self
            .words
            .iter()
            .find(|word| !is_filler(&word.lower))
            .is_some_and(|word| IMPERATIVES.contains(&word.lower.as_str()));
        let own = self.says("give me until") || (self.says("i'd need to") && !self.says("you"));
        self.strongest(REQUESTS).or(verb.then_some((4.0, 0))).filter(|_| !own)
    }

    /// "Can you …", or a sentence that begins with a verb.
    fn requests(&self, found: &mut Vec<Claim>) {
        let Some((weight, at)) = self.request().or(self.is_duty().then_some((2.0, 0))) else { return };
        let quiet = self.is_note() && weight < 6.0;
        if quiet || self.vocative().is_some() {
            return;
        }
        let later =
            !self.wishes() && self.strongest(PROMISES).is_some_and(|promise| promise.0 >= 7.0 && promise.1 < at);
        let weight = if later { weight * 0.5 } else { weight };
        match self.addressee() {
            Some((who, share)) => {
                found.push(Claim::new(Who::Person(who), weight * share, "asked of the one spoken to"))
            }
            None if self.in_mail() => found.push(Claim::new(Who::Nobody, 2.0, "asked of several")),
            None => {}
        }
    }

    /// "It must be there by Friday": a duty that names nobody, in a mail.
    fn is_duty(&self) -> bool {
        self.in_mail()
            && ["must be", "needs to be", "has to be", "should be", "would be nice", "i'd like"]
                .iter()
                .any(|phrase| self.says(phrase))
    }

    fn in_mail(&self) -> bool {
        self.cast.utterance(self.spot.utterance).is_some_and(|utterance| utterance.envelope.is_some())
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
        let named = self.earlier_vocative().map(|id| (id, 1.0));
        let answering = || self.answerer.map(|id| (id, 1.0));
        let known = || self.cast.addressee(index).map(|id| (id, 1.0));
        let next = || self.cast.next_speaker(index).map(|id| (id, 0.7));
        named.or_else(answering).or_else(known).or_else(next)
    }

    /// Whom the same utterance addressed last before this sentence.
    fn earlier_vocative(&self) -> Option<PersonId> {
        let utterance = self.cast.utterance(self.spot.utterance)?;
        let before = tail(utterance.text.as_str().get(..self.spot.range.start)?);
        let addressed = |text: &str| {
            let words = words(text);
            let mentions = mentions(self.cast.roster, &words);
            vocative(&words, &mentions).and_then(|mention| match mention.who {
                Who::Person(id) if Some(id) != self.speaker => Some(id),
                _ => None,
            })
        };
        sentence::split(before).into_iter().rev().take(6).find_map(|range| addressed(&before[range]))
    }

    fn vocative(&self) -> Option<&Mention> {
        vocative(&self.words, &self.mentions)
            .filter(|mention| Some(&mention.who) != self.speaker.map(Who::Person).as_ref())
    }

    /// "Sam, can you …", "@sam …".
    fn vocatives(&self, found: &mut Vec<Claim>) {
        let Some(mention) = self.vocative() else { return };
        let told = ["with you", "to you", "for you", "get you", "send you", "thank you"]
            .iter()
            .any(|phrase| self.says(phrase));
        let asks = self.request().is_some() || (self.flat.contains(" you") && !told);
        let weight = match (mention.known, asks) {
            (true, true) => 11.0,
            (true, false) => 6.0,
            (false, true) => 8.0,
            (false, false) => return,
        };
        found.push(Claim::new(mention.who.clone(), weight, "addressed by name"));
    }

    /// "Sam said he'd …", "she has promised …": true where the sentence reports.
    fn reports(&self, found: &mut Vec<Claim>) -> bool {
        let not = &["i", "i've", "you", "we", "i'd", "nobody", "that", "if", "as"];
        let verb =
            (1..self.words.len().min(24)).find(|&at| self.is(at, REPORTS) && !self.is(at - 1, not) && !self.says("if"));
        let Some(verb) = verb else { return false };
        let aside = &["has", "have", "just", "already", "hat", "a", "ha", "also", "then", "now", "'s"];
        let Some(subject) = (0..verb).rev().take(4).find(|&at| !self.is(at, aside)) else { return false };
        let unknown = self.is(subject, &["he", "she", "they"]).then_some(Who::Nobody);
        let who = self.subject(subject).filter(|who| Some(who) != self.speaker.map(Who::Person).as_ref());
        let Some(who) = who.or(unknown) else { return false };
        let sure = if who == Who::Nobody || self.is(subject, &["they", "they've"]) { 5.0 } else { 9.5 };
        found.push(Claim::new(who, sure, "what another one has promised"));
        true
    }

    /// Who the subject at a word is: somebody mentioned, a pronoun's antecedent, a name in lower case.
    fn subject(&self, at: usize) -> Option<Who> {
        const PRONOUNS: &[&str] = &[
            "he", "she", "they", "he's", "she's", "they've", "er", "sie", "il", "elle", "él", "ella", "lui", "lei",
            "hij", "zij", "han", "hon",
        ];
        if self.is(at, PRONOUNS) {
            return self.inside(at).or_else(|| self.antecedent());
        }
        let vocative = self.vocative().map(|mention| mention.start);
        let near =
            |mention: &&Mention| mention.end <= at + 1 && at + 1 - mention.end <= 3 && Some(mention.start) != vocative;
        let person = self.mentions.iter().rev().filter(near).find(|mention| !mention.team && !self.is_object(mention));
        let team = || self.mentions.iter().rev().filter(near).find(|mention| mention.team);
        person.or_else(team).map(|mention| mention.who.clone()).or_else(|| self.bare_name(at))
    }

    /// A name in lower case, as speech recognition writes it.
    fn bare_name(&self, at: usize) -> Option<Who> {
        let word = &self.words[at];
        let plain = word.written.chars().all(char::is_alphabetic)
            && word.written.chars().count() > 2
            && !is_common(&word.lower);
        let article = at > 0 && self.is(at - 1, &["the", "a", "my", "our", "their", "his", "her", "your"]);
        let mut name = word.written.to_owned();
        if let Some(first) = name.get(..1) {
            name = first.to_uppercase() + &name[1..];
        }
        (plain && !article && at < 6).then_some(Who::Other(name))
    }

    /// "I'll have him send it": whoever that is.
    fn causes(&self, found: &mut Vec<Claim>) {
        let at = (1..self.words.len()).find(|&at| {
            self.is(at, &["have"]) && self.is(at - 1, &["i'll", "will"]) && self.is(at + 1, &["him", "her"])
        });
        let who = at.and_then(|at| self.inside(at).or_else(|| self.antecedent()));
        if let Some(who) = who {
            found.push(Claim::new(who, 13.0, "whom another one will have do it"));
        }
    }

    /// "I got the form, thanks": it was the other one's.
    fn receipts(&self, found: &mut Vec<Claim>) {
        if !self.receives() {
            return;
        }
        let index = self.spot.utterance;
        let other = self.asker.or_else(|| self.cast.addressee(index)).or_else(|| self.cast.last_speaker(index));
        found.extend(other.map(|other| Claim::new(Who::Person(other), 5.0, "another one has got it from them")));
    }

    fn receives(&self) -> bool {
        RECEIPTS.iter().any(|phrase| self.says(phrase))
    }

    /// "You'll get it from Sam", "that's Sam's job".
    fn givers(&self, found: &mut Vec<Claim>) {
        let gets = ["you will get", "you'll get", "you will have", "you'll have", "you get"]
            .iter()
            .any(|phrase| self.says(phrase));
        let from = |mention: &&Mention| mention.start > 0 && self.is(mention.start - 1, &["from"]);
        let job = |mention: &&Mention| {
            let last = &self.words[mention.end - 1];
            last.written != last.stem() && self.is(mention.end, &["job", "task", "turn", "action"])
        };
        let who = self
            .mentions
            .iter()
            .find(|mention| job(mention) || (gets && from(mention)))
            .map(|mention| mention.who.clone());
        let her =
            || (1..self.words.len()).find(|&at| gets && self.is(at, &["him", "her"]) && self.is(at - 1, &["from"]));
        if let Some(who) = who.or_else(|| her().and_then(|at| self.inside(at).or_else(|| self.antecedent()))) {
            found.push(Claim::new(who, 12.0, "whom it will come from"));
        }
    }

    /// "Sam will …", "marketing sends …".
    fn actors(&self, found: &mut Vec<Claim>) {
        let vocative = self.vocative().map(|mention| mention.start);
        let actor = self.mentions.iter().find(|mention| Some(mention.start) != vocative && self.acts(mention));
        if let Some(mention) = actor {
            let to = self.is(mention.end, &["to"]);
            let weight = if to && mention.known {
                10.0
            } else if mention.known {
                8.5
            } else {
                7.5
            };
            found.push(Claim::new(mention.who.clone(), weight, "named as the one who acts"));
        }
    }

    /// Whether somebody mentioned stands before a word for acting, at the start of what is said.
    fn acts(&self, mention: &Mention) -> bool {
        let last = &self.words[mention.end - 1];
        let glued = ["'ll", "’ll", "'d", "’d"].iter().any(|end| last.written.ends_with(end));
        let placed = self.is(mention.end, &["at", "from", "in", "on", "und", "and", "do"]);
        let aside = placed || (mention.known && last.after.contains(['(', ',']));
        let near = if aside { 5 } else { 2 };
        let past = |at: usize| at == mention.end && self.words[at].lower.ends_with("ed");
        let next = (mention.end..self.words.len()).take(near).find(|&at| self.is(at, ACTS) || past(at));
        let ongoing = next.is_some_and(|at| self.words.get(at + 1).is_some_and(|word| word.lower.ends_with("ing")));
        let idle = next.is_some_and(|at| self.is(at, &["wants", "wanted", "is", "was", "are", "has"]))
            && !ongoing
            && !next
                .is_some_and(|at| self.is(at + 1, &["to", "promised", "offered", "volunteered", "agreed", "asked"]));
        let clean = last.after.chars().all(|one| matches!(one, ' ' | '.' | '-' | '(' | ',' | ')' | '*'));
        let sure = mention.known || mention.team || self.cast.is_name(last.stem());
        (glued || (next.is_some() && clean && !idle)) && !self.is_object(mention) && sure && mention.start < 10
    }

    fn is_object(&self, mention: &Mention) -> bool {
        const BEFORE: &[&str] = &[
            "to", "for", "with", "from", "of", "tell", "ask", "give", "send", "about", "see", "at", "by", "in", "on",
            "i'll", "asked", "told", "call", "ring", "für", "mit", "an", "pour", "avec", "para", "con", "à", "reply",
            "between", "their", "his", "her", "promised",
        ];
        mention.start > 0 && self.is(mention.start - 1, BEFORE) && !mention.team
    }

    /// "She'll …": whoever was mentioned last.
    fn pronoun(&self, found: &mut Vec<Claim>) {
        const SUBJECTS: &[&str] = &[
            "he'll", "she'll", "he'd", "she'd", "they'll", "they'd", "he's", "she's", "he", "she", "they're", "they",
            "er", "il", "elle", "él", "ella", "lui", "lei", "ele", "ela", "hij", "zij", "ze",
        ];
        let Some(at) = self.words.iter().take(16).position(|word| SUBJECTS.contains(&word.lower.as_str())) else {
            return;
        };
        let they = self.is(at, &["they", "they'll", "they'd", "they're"]);
        let acts = self.words[at].lower.contains("'ll")
            || self.words[at].lower.contains("'d")
            || (at + 1..at + 3).any(|next| self.is(next, ACTS))
            || self.words.get(at + 1).is_some_and(|word| word.lower.ends_with("ed"));
        let needs = (at + 1..at + 3)
            .any(|next| self.is(next, &["need", "needs", "want", "wants", "asked", "asks", "like", "is", "has"]))
            && !(at + 1..at + 4).any(|next| self.is(next, &["to", "going", "promised", "told", "said", "offered"]));
        let ongoing = self.words.get(at + 1).is_some_and(|word| word.lower.ends_with("ing"))
            && self.words[at].lower.contains('\'');
        if !ongoing && (!acts || needs) {
            return;
        }
        let who = self.inside(at).or_else(|| self.antecedent());
        if let Some(who) = who.filter(|who| Some(who) != self.speaker.map(Who::Person).as_ref()) {
            let weight = if they {
                3.0
            } else if at < 3 {
                8.0
            } else {
                6.0
            };
            found.push(Claim::new(who, weight, "whoever \"he\" or \"she\" is"));
        }
    }

    /// Who is mentioned in this sentence before a word, teams last.
    fn inside(&self, at: usize) -> Option<Who> {
        let before = || {
            self.mentions
                .iter()
                .rev()
                .filter(|mention| mention.end <= at && Some(&mention.who) != self.speaker.map(Who::Person).as_ref())
        };
        let person = before()
            .find(|mention| !mention.team && (mention.known || self.cast.is_name(self.words[mention.end - 1].stem())));
        person.or_else(|| before().find(|mention| mention.team)).map(|mention| mention.who.clone())
    }

    /// Who was mentioned last before this sentence, other than the one who speaks: those who don't speak first, then teams.
    fn antecedent(&self) -> Option<Who> {
        let here = self.cast.utterance(self.spot.utterance)?;
        let before = here.text.as_str().get(..self.spot.range.start)?;
        let earlier = (0..self.spot.utterance).rev().take(6).filter_map(|index| self.cast.utterance(index));
        let texts: Vec<_> =
            std::iter::once(before).chain(earlier.map(|utterance| utterance.text.as_str())).map(tail).collect();
        let near = &texts[..texts.len().min(3)];
        let person = |id: &PersonId| self.cast.roster.person(*id);
        let absent = |who: &Who| !matches!(who, Who::Person(id) if person(id).speaks || person(id).is_me);
        let found = self.mentioned(&texts, false, &absent).or_else(|| self.mentioned(near, true, &|_| true));
        found.or_else(|| self.mentioned(near, false, &|_| true))
    }

    fn mentioned(&self, texts: &[&str], team: bool, fits: &dyn Fn(&Who) -> bool) -> Option<Who> {
        let speaker = self.speaker.map(Who::Person);
        texts.iter().find_map(|text| {
            let words = words(text);
            let found = mentions(self.cast.roster, &words);
            let person = |mention: &&Mention| {
                let before = mention.start.checked_sub(1).and_then(|at| words.get(at));
                let starts = before.is_none_or(|word| word.after.contains(['.', '?', '!', '\n', ':']));
                let place = before.is_some_and(|word| {
                    matches!(word.lower.as_str(), "in" | "at" | "near" | "the" | "a" | "to" | "from" | "on")
                });
                let name = mention.known
                    || mention.team
                    || (!starts && !place && self.cast.is_name(words[mention.end - 1].stem()));
                Some(&mention.who) != speaker.as_ref() && mention.team == team && name && fits(&mention.who)
            };
            found.iter().rev().find(person).map(|mention| mention.who.clone())
        })
    }

    /// What is left where nothing else is said: an answer is its speaker's, a statement too, but weakly.
    fn rest(&self, found: &mut Vec<Claim>) {
        let Some(speaker) = self.speaker else { return };
        let answers = self.words.first().is_some_and(|word| ANSWERS.contains(&word.lower.as_str()));
        let weight = match (self.asker.is_some(), answers) {
            (true, true) => 4.0,
            (true, false) => 2.0,
            (false, _) => 0.6,
        };
        let kind = self.cast.utterance(self.spot.utterance).map(|utterance| utterance.kind);
        let open = self.flat.contains(" who");
        if !self.is_note() || kind == Some(Kind::Prose) || (self.cast.transcript.attendees.is_empty() && !open) {
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
        "oh", "yes", "no", "now", "alright", "anyway", "und", "et", "y",
    ]
    .contains(&word)
}

/// Whom a sentence addresses: a name before a comma, a question or "can you" at its start, or at its end.
fn vocative<'m>(words: &[Word<'_>], mentions: &'m [Mention]) -> Option<&'m Mention> {
    let addressed = |mention: &&'m Mention| {
        let last = &words[mention.end - 1];
        let plain = last.written == last.stem();
        let lead = words[..mention.start].iter().all(|word| is_filler(&word.lower) || is_greeting(&word.lower));
        let marks = [",", "?", ":", "–", "—", " –", " —", " - "];
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
        plain && !mention.team && (mention.at || opens || asks || closes || set_off || joined)
    };
    let mut known = mentions.iter().filter(|mention| mention.known);
    known.find(addressed).or_else(|| mentions.iter().find(addressed))
}

fn is_greeting(word: &str) -> bool {
    ["hi", "hey", "hello", "thanks", "morning", "great", "perfect", "good", "cool", "fine", "sure"].contains(&word)
}
