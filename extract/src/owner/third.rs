//! Claims of the third person: "Sam will …", "she said she'd …", "you'll get it from Sam".

use super::Who;
use super::claim::{ClaimKind, OwnerClaim};
use super::clause::{PersonMention, Word, is_plain};
use super::phrase::{ACTS, REPORTS, is_common};
use super::scene::{OwnerScene, is_filler};
use crate::title;
use crate::word_list::WordList;

impl OwnerScene<'_, '_> {
    /// "Sam said he'd …", "she has promised …": true where the sentence reports.
    pub(super) fn reports(&self, found: &mut Vec<OwnerClaim>) -> bool {
        let not = &["i", "i've", "you", "we", "i'd", "nobody", "that", "if", "as"];
        let verb = (1..self.words.len().min(24))
            .find(|&at| self.is_in(at, &REPORTS) && !self.is(at - 1, not) && !self.says("if"));
        let Some(verb) = verb else { return false };
        let aside = &["has", "have", "just", "already", "hat", "a", "ha", "also", "then", "now", "'s"];
        let Some(subject) = (0..verb).rev().take(4).find(|&at| !self.is(at, aside)) else { return false };
        let unknown = self.is(subject, &["he", "she", "they"]).then_some(Who::Nobody);
        let who = self.subject(subject).filter(|who| Some(who) != self.speaker.map(Who::Person).as_ref());
        let Some(who) = who.or(unknown) else { return false };
        let sure = if who == Who::Nobody {
            1.0
        } else if self.is(subject, &["they", "they've"]) {
            5.0
        } else {
            9.5
        };
        found.push(OwnerClaim::new(who, sure, ClaimKind::Relayed));
        true
    }

    /// Who the subject at a word is: somebody mentioned, a pronoun's antecedent, a name in lower case.
    pub(super) fn subject(&self, at: usize) -> Option<Who> {
        static PRONOUNS: WordList =
            WordList::of("he she they he's she's they've er sie il elle él ella lui lei hij zij han hon");
        if self.is_in(at, &PRONOUNS) {
            return self.inside(at).or_else(|| self.antecedent());
        }
        let vocative = self.vocative().map(|mention| mention.start);
        let near = |mention: &&PersonMention| {
            mention.end <= at + 1 && at + 1 - mention.end <= 3 && Some(mention.start) != vocative
        };
        let person = self.mentions.iter().rev().filter(near).find(|mention| !mention.team && !self.is_object(mention));
        let team = || self.mentions.iter().rev().filter(near).find(|mention| mention.team);
        person.or_else(team).map(|mention| mention.who.clone()).or_else(|| self.bare_name(at))
    }

    /// A name in lower case, as speech recognition writes it.
    pub(super) fn bare_name(&self, at: usize) -> Option<Who> {
        let word = &self.words[at];
        let plain = word.written.chars().all(char::is_alphabetic)
            && word.written.chars().count() > 2
            && !is_common(&word.lower)
            && !is_plain(&word.lower, true);
        let article = at > 0 && self.is(at - 1, &["the", "a", "my", "our", "their", "his", "her", "your"]);
        let mut name = word.written.to_owned();
        if let Some(first) = name.get(..1) {
            name = first.to_uppercase() + &name[1..];
        }
        (plain && !article && at < 6).then_some(Who::Other(name))
    }

    /// "It's Sam who …", "c'est Sam qui …", "das macht Sam": whom the sentence singles out.
    pub(super) fn singled_out(&self, found: &mut Vec<OwnerClaim>) {
        let singled = |mention: &&PersonMention| {
            let before = |words: &[&str]| mention.start > 0 && self.is(mention.start - 1, words);
            let relative = || self.is(mention.end, &["who", "qui", "quien", "che", "quem", "die", "doing"]);
            let last = mention.end == self.words.len();
            (mention.known || self.participants.is_name(self.words[mention.end - 1].stem()))
                && (before(&["macht"]) || (before(&["c'est", "it's", "es", "è", "é", "het"]) && (last || relative())))
        };
        if let Some(mention) = self.mentions.iter().find(singled) {
            found.push(OwnerClaim::new(mention.who.clone(), 10.5, ClaimKind::Single));
        }
    }

    /// "I'll have him send it", "have Moira send it", "get Sharon to mail it": whoever that is.
    pub(super) fn causes(&self, found: &mut Vec<OwnerClaim>) {
        let at = (1..self.words.len()).find(|&at| {
            self.is(at, &["have"]) && self.is(at - 1, &["i'll", "will"]) && self.is(at + 1, &["him", "her"])
        });
        let named = |mention: &&PersonMention| {
            let verb = |at: usize| self.words.get(at).is_some_and(|word| word.is_verb());
            let before = |words: &[&str]| mention.start > 0 && self.is(mention.start - 1, words);
            let made = before(&["have"]) && verb(mention.end);
            let brought = before(&["get"]) && self.is(mention.end, &["to"]) && verb(mention.end + 1);
            (made || brought) && (mention.known || self.participants.is_name(self.words[mention.end - 1].stem()))
        };
        let named = self.mentions.iter().find(named).map(|mention| mention.who.clone());
        let who = named.or_else(|| at.and_then(|at| self.inside(at).or_else(|| self.antecedent())));
        if let Some(who) = who {
            found.push(OwnerClaim::new(who, 13.0, ClaimKind::Caused));
        }
    }

    /// "You'll get it from Sam", "that's Sam's job".
    pub(super) fn givers(&self, found: &mut Vec<OwnerClaim>) {
        let gets = ["you will get", "you'll get", "you will have", "you'll have", "you get"]
            .iter()
            .any(|phrase| self.says(phrase));
        let from = |mention: &&PersonMention| mention.start > 0 && self.is(mention.start - 1, &["from"]);
        let job = |mention: &&PersonMention| {
            let last = &self.words[mention.end - 1];
            !last.is_bare() && self.is(mention.end, &["job", "task", "turn", "action"])
        };
        let who = self
            .mentions
            .iter()
            .find(|mention| job(mention) || (gets && from(mention)))
            .map(|mention| mention.who.clone());
        let her =
            || (1..self.words.len()).find(|&at| gets && self.is(at, &["him", "her"]) && self.is(at - 1, &["from"]));
        if let Some(who) = who.or_else(|| her().and_then(|at| self.inside(at).or_else(|| self.antecedent()))) {
            found.push(OwnerClaim::new(who, 12.0, ClaimKind::Giver));
        }
    }

    /// "Sam will …", "marketing sends …": of several, the one who is still to act.
    pub(super) fn actors(&self, found: &mut Vec<OwnerClaim>) {
        let vocative = self.vocative().map(|mention| mention.start);
        let acting = self.mentions.iter().filter(|mention| Some(mention.start) != vocative && self.acts(mention));
        let weighed = acting.map(|mention| (mention, self.acting(mention)));
        let best = weighed.max_by(|one, other| one.1.total_cmp(&other.1).then(other.0.start.cmp(&one.0.start)));
        if let Some((mention, weight)) = best {
            found.push(OwnerClaim::new(mention.who.clone(), weight, ClaimKind::Actor));
        } else if self.strangers_act() {
            found.push(OwnerClaim::new(Who::Nobody, 7.0, ClaimKind::Actor));
        }
    }

    /// "They will deliver it", "my sister will bring it", "the inspector needs to check": somebody without a name.
    fn strangers_act(&self) -> bool {
        const LONGEST: usize = 4;
        let first = self.words.iter().position(|word| !is_filler(&word.lower)).unwrap_or_default();
        let led = self.is(first, &["the", "my", "our", "his", "her", "their", "your", "some", "one"]);
        let contracted = self.is(first, &["they'll", "he'll", "she'll"]);
        let pronoun = contracted || self.is(first, &["they", "he", "she"]);
        if pronoun && self.antecedent().is_some() {
            return false;
        }
        let subject = if led { first + 2..first + 1 + LONGEST } else { first + 1..first + 2 };
        let verb = |at: usize| self.words.get(at).is_some_and(|word| !is_plain(&word.lower, false));
        let acts = |at: usize| {
            let obliged = self.is(at, &["needs", "has", "have", "need"]) && self.is(at + 1, &["to"]) && verb(at + 2);
            let going =
                self.is(at, &["is", "are"]) && self.is(at + 1, &["going"]) && self.is(at + 2, &["to"]) && verb(at + 3);
            (self.is(at, &["will", "must", "should"]) && verb(at + 1)) || obliged || going
        };
        (contracted && verb(first + 1)) || ((led || pronoun) && subject.into_iter().any(acts))
    }

    /// How much it says that somebody mentioned acts: "Sam to …" most, what lies in the past least.
    fn acting(&self, mention: &PersonMention) -> f32 {
        let past = self.words.get(mention.end).is_some_and(|word| word.lower.ends_with("ed"));
        let known = if mention.known { 1.0 } else { 0.0 };
        match () {
            () if self.is(mention.end, &["to"]) => 9.2 + known,
            () if past => 6.0 + known,
            () => 7.5 + known,
        }
    }

    /// "Sam thinks it's the sensor, will check": what follows a comma without a subject is theirs who began.
    pub(super) fn elliptical(&self, found: &mut Vec<OwnerClaim>) {
        let first = self.mentions.first().filter(|mention| mention.start == 0 && mention.known);
        let acts =
            (1..self.words.len()).any(|at| self.is(at, &["will", "must"]) && self.words[at - 1].after.starts_with(','));
        if let (Some(mention), true) = (first, acts) {
            found.push(OwnerClaim::new(mention.who.clone(), 8.0, ClaimKind::Actor));
        }
        let own = self
            .words
            .iter()
            .take(20)
            .enumerate()
            .any(|(at, word)| word.lower == "must" && (at == 0 || self.words[at - 1].after.contains(',')));
        if let (true, None, Some(speaker)) = (own && self.is_note(), first, self.speaker) {
            found.push(OwnerClaim::new(Who::Person(speaker), 8.5, ClaimKind::Own));
        }
    }

    /// Whether somebody mentioned stands before a word for acting, at the start of what is said.
    pub(super) fn acts(&self, mention: &PersonMention) -> bool {
        let last = &self.words[mention.end - 1];
        let will = ["'ll", "’ll", "'d", "’d"].iter().any(|end| last.written.ends_with(end));
        let going = ["'s", "’s"].iter().any(|end| last.written.ends_with(end))
            && self.words.get(mention.end).is_some_and(|word| word.lower.len() > 5 && word.lower.ends_with("ing"));
        let glued = will || (going && mention.known);
        let placed = self.is(mention.end, &["at", "from", "in", "on", "und", "and", "do"]);
        let aside = placed || (mention.known && last.after.contains(['(', ',']));
        let near = if aside { 5 } else { 2 };
        let past = |at: usize| at == mention.end && self.words[at].lower.ends_with("ed");
        let present = |at: usize| at == mention.end && mention.known && self.words[at].does();
        let asked = |at: usize| {
            let modal =
                mention.start > 0 && self.is(mention.start - 1, &["can", "could", "would", "will", "should", "shall"]);
            at == mention.end && modal && self.words[at].is_verb()
        };
        // "Petra bestellt die Getränke", "Karim apporte la sono".
        let foreign = |at: usize| {
            let word = &self.words[at];
            let opens = at == mention.end && mention.start == 0 && mention.known && last.after == " ";
            let other =
                !self.participants.roster.is_english() && !is_plain(&word.lower, true) && !is_common(&word.lower);
            opens && other && word.lower.len() > 3 && word.written.starts_with(char::is_lowercase)
        };
        let act = |at: usize| self.is_in(at, &ACTS) && (mention.known || !self.is(at, &["bei"]));
        let next = (mention.end..self.words.len())
            .take(near)
            .find(|&at| act(at) || past(at) || present(at) || asked(at) || foreign(at));
        let ongoing = next.is_some_and(|at| self.words.get(at + 1).is_some_and(|word| word.lower.ends_with("ing")));
        let negated = next.is_some_and(|at| {
            self.words[mention.end..at].iter().any(|word| word.lower.ends_with("n't") || word.lower == "not")
        });
        let idle = next.is_some_and(|at| self.is(at, &["wants", "wanted", "is", "was", "are", "has"]))
            && !ongoing
            && !next
                .is_some_and(|at| self.is(at + 1, &["to", "promised", "offered", "volunteered", "agreed", "asked"]));
        let clean = last.after.chars().all(|one| matches!(one, ' ' | '.' | '-' | '(' | ',' | ')' | '*'));
        let sure = mention.known || mention.team || self.participants.is_name(last.stem());
        (glued || (next.is_some() && clean && !idle && !negated))
            && !self.is_object(mention)
            && sure
            && mention.start < 10
    }

    pub(super) fn is_object(&self, mention: &PersonMention) -> bool {
        is_object(&self.words, mention)
    }

    /// "She'll …": whoever was mentioned last.
    pub(super) fn pronoun(&self, found: &mut Vec<OwnerClaim>) {
        static SUBJECTS: WordList = WordList::of(
            "he'll she'll he'd she'd they'll they'd he's she's he she they're they er il elle él ella lui lei ele ela \
            hij zij ze",
        );
        let Some(at) = self.words.iter().take(16).position(|word| SUBJECTS.has(&word.lower)) else {
            return;
        };
        let they = self.is(at, &["they", "they'll", "they'd", "they're"]);
        let acts = self.words[at].lower.contains("'ll")
            || self.words[at].lower.contains("'d")
            || (at + 1..at + 3).any(|next| self.is_in(next, &ACTS))
            || self.words.get(at + 1).is_some_and(|word| word.lower.ends_with("ed"));
        let needs = (at + 1..at + 3).any(|next| {
            self.is(next, &["need", "needs", "want", "wants", "wanted", "asked", "asks", "like", "is", "has"])
        }) && !(at + 1..at + 4)
            .any(|next| self.is(next, &["to", "going", "promised", "told", "said", "offered"]));
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
            found.push(OwnerClaim::new(who, weight, ClaimKind::Pronoun));
        }
    }
}

/// Whether somebody is whom it is done to or for: "call Dave", "a present for Lotte".
pub(super) fn is_object(words: &[Word<'_>], mention: &PersonMention) -> bool {
    static BEFORE: WordList = WordList::of(
        "to for with from of tell ask give send about see at by in on i'll asked told call ring für mit an pour \
        avec para con à reply between their his her promised get getting let email remind meet invite contact pay \
        visit text chez voor met bij bei",
    );
    let before = mention.start.checked_sub(1).and_then(|at| words.get(at));
    !mention.team && before.is_some_and(|word| BEFORE.has(&word.lower))
}

/// The same of a line that gives an order: there whoever stands right behind a verb is its object as well, "thank Lea".
pub(super) fn is_done_to(words: &[Word<'_>], mention: &PersonMention) -> bool {
    // "After the demo Sam will": a verb leads, or stands behind another.
    let leads = |at: usize| {
        at.checked_sub(1).is_none_or(|at| words[at].after != " " || matches!(words[at].lower.as_ref(), "to" | "and"))
    };
    let acted_on = |at: usize| leads(at) && words[at].after == " " && title::is_verb(&words[at].lower);
    is_object(words, mention) || !mention.team && mention.start.checked_sub(1).is_some_and(acted_on)
}
