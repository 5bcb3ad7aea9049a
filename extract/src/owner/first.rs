//! Claims of the first person: "I'll …", "will do", "I got it, thanks", "please do".

use super::Who;
use super::claim::{ClaimKind, OwnerClaim};
use super::clause::Word;
use super::phrase::{ANSWERS, GRANTS, NO_PROMISE, RECEIPTS};
use super::scene::{OwnerScene, is_filler};
use crate::reader::Kind;

/// The weight of a promise that leaves out who gives it.
const SILENT: f32 = 7.0;

impl OwnerScene<'_, '_> {
    /// "I'll …", of the strongest phrase; less where it follows a request or a condition, more where it answers.
    pub(super) fn promises(&self, found: &mut Vec<OwnerClaim>) {
        let Some(speaker) = self.speaker else { return };
        let denied = (1..self.words.len()).any(|at| self.is(at - 1, &["i"]) && self.is_in(at, &NO_PROMISE));
        let bare = self.flat.find(" i ").filter(|_| !denied).map(|at| (3.5, at));
        let best = self.promise.filter(|best| !denied || best.0 >= 7.0);
        let silent = self.promises_silently().map(|at| (SILENT, at));
        let found_best = [best, bare, silent].into_iter().flatten().max_by(|one, other| one.0.total_cmp(&other.0));
        let weak = |best: &(f32, usize)| best.0 < 5.0 && self.receives();
        let Some((weight, at)) = found_best.filter(|best| !self.wishes() && !weak(best)) else { return };
        let request = self.request.filter(|request| request.0 >= 4.0 && request.1 < at);
        let condition =
            ["if you", "once you", "when you"].iter().any(|phrase| self.find(phrase).is_some_and(|place| place < at));
        let share = if (request.is_some() || condition) && self.asker.is_none() { 0.5 } else { 1.0 };
        let answer = if self.asker.is_some() && weight >= 5.0 { 3.0 } else { 0.0 };
        found.push(OwnerClaim::new(Who::Person(speaker), weight * share + answer, ClaimKind::Promise));
    }

    /// "Will send out a poll", "okay, happy to review it": a promise without its subject, as minutes and chats have it, and where
    /// in the flat words it stands.
    fn promises_silently(&self) -> Option<usize> {
        let at = self.words.iter().position(|word| !is_filler(&word.lower) && word.lower != "sure")?;
        let after = |skipped: usize| self.words.get(at + skipped);
        let word = self.words.get(at)?;
        let object = self.is(at + 1, &["the", "a", "an", "it", "that", "them", "this", "my", "your", "you"]);
        let act = match word.lower.as_str() {
            "will" | "shall" => after(1).filter(|next| next.lower != "also").or_else(|| after(2)),
            "gonna" => after(1),
            "can" if self.asker.is_none() && !self.in_mail() => after(1),
            "happy" | "glad" | "going" if self.is(at + 1, &["to"]) => after(2),
            _ if object && word.is_doing() && !self.in_mail() => Some(word),
            _ => None,
        };
        let asks = self.words.last().is_some_and(|last| last.after.contains('?'));
        let opens = at == 0 || !self.mentions.iter().any(|mention| mention.start < at);
        let does =
            |act: &&Word<'_>| act.is_verb() || act.is_doing() || matches!(act.lower.as_str(), "get" | "have" | "do");
        act.filter(does).filter(|_| opens && !asks && !self.is_note())?;
        self.flat.find(&format!(" {} ", self.words[at].lower))
    }

    /// "I need the form by Friday", "I'd like you to": a first person that asks.
    pub(super) fn wishes(&self) -> bool {
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

    /// "Please do", "go ahead": what the one before has offered is granted.
    pub(super) fn grants(&self, found: &mut Vec<OwnerClaim>) -> bool {
        let bare = self.flat.trim();
        let exact = GRANTS.all().contains(&bare);
        let opens = GRANTS.all().iter().any(|phrase| phrase.contains(' ') && bare.starts_with(phrase));
        let short = self.words.len() <= 6 && !self.flat.contains('?') && self.vocative().is_none();
        let acts = self.flat.contains(" i'll ") || self.flat.contains(" you ");
        let before = self.asker.or_else(|| self.participants.last_speaker(self.stretch.utterance).filter(|_| opens));
        let Some(before) = before.filter(|_| short && !acts && (exact || opens)) else { return false };
        found.push(OwnerClaim::new(Who::Person(before), 2.5, ClaimKind::Granted));
        true
    }

    /// "I got the form, thanks": it was the other one's.
    pub(super) fn receipts(&self, found: &mut Vec<OwnerClaim>) {
        if !self.receives() {
            return;
        }
        let index = self.stretch.utterance;
        let addressee = || self.participants.addressee(index);
        let other = self.asker.or_else(addressee).or_else(|| self.participants.last_speaker(index));
        found.extend(other.map(|other| OwnerClaim::new(Who::Person(other), 5.0, ClaimKind::Received)));
    }

    pub(super) fn receives(&self) -> bool {
        RECEIPTS.all().iter().any(|phrase| self.says(phrase))
    }

    /// What is left where nothing else is said: an answer is its speaker's, a statement too, but weakly.
    pub(super) fn rest(&self, found: &mut Vec<OwnerClaim>) {
        let Some(speaker) = self.speaker else { return };
        let answers = self.words.first().is_some_and(|word| ANSWERS.has(&word.lower));
        let weight = match (self.asker.is_some(), answers) {
            (true, true) => 4.0,
            (true, false) => 2.0,
            (false, _) => 0.6,
        };
        let kind = self.participants.utterance(self.stretch.utterance).map(|utterance| utterance.kind);
        let open = self.flat.contains(" who");
        let unlisted = self.participants.transcript.attendees.is_empty();
        if !self.is_note() || kind == Some(Kind::Prose) || (unlisted && !open) {
            found.push(OwnerClaim::new(Who::Person(speaker), weight, ClaimKind::Said));
        }
    }
}
