//! Does a sentence tell that something is done? Read off its clauses: a past ("I sent it"), a participle ("kitchen
//! measured", "it has arrived"), a state that only the finished is in ("it's live", "the list is in the drive"), thanks for
//! what came. A clause that looks ahead, doubts or denies tells nothing of the kind.

use super::stem::{irregular, irregulars, stem};
use crate::word_list::{WordBits, word_bits};
use gleaner_model::words;
use std::sync::LazyLock;

/// What a sentence tells of how far something is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CompletionCues {
    /// How sure it is that something is done, from 0 to 1; 0 where nothing is.
    pub done: f64,
    /// Whether something is said not to be done, or to take longer.
    pub open: bool,
    /// Whether a clause looks ahead: something is to come.
    pub ahead: bool,
    /// Whether a clause looks ahead in which the speaker or whoever is spoken to acts.
    pub to_do: bool,
    /// Whether it is finished, ready, through: done, whatever was to be done.
    pub finished: bool,
    /// The stems of what was done: "send" where it says "sent".
    pub verbs: Vec<String>,
    /// The states that something is in: "up", "live".
    pub states: Vec<String>,
    /// The words of the clauses that do not look ahead.
    pub words: String,
    /// Whether the speaker did it.
    pub mine: bool,
    /// Whether the speaker got it, or gives thanks for it.
    pub received: bool,
}

/// What words do in a clause, one bit each.
type Does = u32;

/// Looks ahead or doubts.
const AHEAD: Does = 1 << 0;
/// Looks ahead where "to" follows.
const OUGHT: Does = 1 << 1;
/// Denies, or says that it goes on.
const DENIES: Does = 1 << 2;
/// Says that it takes longer.
const GOES_ON: Does = 1 << 3;
/// A past, or looks like one, that tells of nothing done.
const IDLE: Does = 1 << 4;
/// A past without an ending, besides those that the stems know.
const PAST: Does = 1 << 5;
/// A state that only the finished is in.
const FINISHED: Does = 1 << 6;
/// A state that what is done is in, after "is".
const THERE: Does = 1 << 7;
/// May stand between "is" and the state.
const BETWEEN: Does = 1 << 8;
/// Stands before a participle that describes a thing: "the revised plan".
const BEFORE_THING: Does = 1 << 9;
/// Joins clauses.
const JOINS: Does = 1 << 10;
/// Thanks.
const THANKS: Does = 1 << 11;
/// Says that something came.
const GOT: Does = 1 << 12;
/// A form of "be".
const BE: Does = 1 << 13;
/// The speaker.
const MINE: Does = 1 << 14;
/// Whoever is spoken to, or asked.
const THEIRS: Does = 1 << 15;
/// Only hopes.
const HOPES: Does = 1 << 16;

/// Stands before a noun.
const PREPOSITION: Does = 1 << 17;

/// Which words do what.
const WORDS: [(Does, &str); 18] = [
    (
        AHEAD,
        "will won't would wouldn't can could should shall might may must gonna if unless once until till please pls let's lets hope hopefully wish maybe perhaps probably tomorrow later soon need needs want wants i'll whether when before remember ensure",
    ),
    (OUGHT, "going have has need needs got want ought supposed"),
    (DENIES, "not never no nobody nothing none hardly almost nearly still without half missing"),
    (GOES_ON, "longer delayed postponed instead moved pushed"),
    (
        IDLE,
        "need needed wanted said thought hoped liked loved tried planned supposed promised agreed decided talked discussed mentioned worked started used wondered expected missed failed refused apologised apologized happened seemed hundred indeed speed feed seed exceed proceed succeed interested worried related excited tired limited concerned scared confused surprised pleased bored allowed based required called named looked involved embed naked wicked sacred crooked left held kept met felt meant knew began saw",
    ),
    (PAST, "put set read cut shut let hit split sent caught"),
    (FINISHED, "done finished ready complete completed through sorted settled over final closed fixed"),
    (THERE, "in up out down live online off back here there gone away merged attached set yes"),
    (BETWEEN, "now all already finally also just both been is are so officially completely as"),
    (
        BEFORE_THING,
        "the a an my your our his her their its this that these those any some each every of to for more two new be get",
    ),
    (JOINS, "and but so then because though although which while"),
    (THANKS, "thank thanks thx"),
    (GOT, "received got"),
    (BE, "is are was were been went goes"),
    (MINE, "i i've we we've me i'll we'll let's lets"),
    (THEIRS, "you please pls you'll remember ensure need needs must"),
    (HOPES, "hope hopefully wish"),
    (PREPOSITION, "on at in from to by of with for"),
];

/// Most clauses of a sentence that are read.
const CLAUSES: usize = 12;

/// A word of a clause and what it does there.
type ClauseWord<'w> = (&'w str, Does);

/// What a lower case word does.
fn does(word: &str) -> Does {
    static KNOWN: LazyLock<WordBits<Does>> = LazyLock::new(|| word_bits(WORDS));
    let known = KNOWN.get(word).copied().unwrap_or_default();
    match word.rsplit_once('\'') {
        Some((_, "ll" | "d")) => known | AHEAD,
        Some((_, "t")) if word.ends_with("n't") => known | DENIES,
        Some((_, "s" | "re")) => known | BE,
        _ => known,
    }
}

/// The words of a text that name a state in which what is done is: "have the page live" wants to be found "it is live".
pub fn states(text: &str) -> impl Iterator<Item = &str> {
    let word = |raw: &'_ str| does(raw) & THERE != 0;
    words(text).filter(move |raw| word(raw))
}

/// Words that a sentence which tells of something done has at least one of, besides those that end in -ed.
pub fn hints() -> impl Iterator<Item = &'static str> {
    let telling = WORDS.iter().filter(|(does, _)| does & (PAST | FINISHED | THERE | THANKS | GOT) != 0);
    telling.flat_map(|(_, words)| words.split(' ')).chain(irregulars())
}

/// Reads off a sentence how far something is; of a question only whether it looks ahead.
#[must_use]
pub fn completion(sentence: &str) -> CompletionCues {
    let mut found = CompletionCues::default();
    let plain = sentence.to_lowercase().replace('\u{2019}', "'");
    if plain.trim_end().ends_with('?') {
        let words = plain.split(|c: char| !c.is_alphanumeric() && c != '\'');
        found.ahead = words.into_iter().any(|word| does(word) & AHEAD != 0);
        found.to_do = found.ahead;
        return found;
    }
    let mut clause: Vec<ClauseWord<'_>> = Vec::new();
    let mut clauses = 0;
    for raw in plain.split_whitespace() {
        let word = raw.trim_matches(|c: char| !c.is_alphanumeric());
        let does = does(word);
        let joins = does & JOINS != 0 || word.is_empty();
        if !joins {
            clause.push((word, does));
        }
        if joins || raw.ends_with([',', ';', ':', '.', '!', '?', '–', '—', ')']) {
            found.read(&clause, &mut clauses);
            clause.clear();
        }
    }
    found.read(&clause, &mut clauses);
    found
}

impl CompletionCues {
    /// Whether it tells of something done.
    #[must_use]
    pub fn is_report(&self) -> bool {
        self.done >= 0.5
    }

    fn read(&mut self, clause: &[ClauseWord<'_>], count: &mut usize) {
        *count += 1;
        if clause.is_empty() || *count > CLAUSES {
            return;
        }
        if (0..clause.len()).any(|at| looks_ahead(clause, at)) {
            self.ahead = true;
            self.to_do |= !has(clause, HOPES) && has(clause, MINE | THEIRS);
            return;
        }
        if has(clause, DENIES) {
            self.open = true;
            return;
        }
        self.open |= has(clause, GOES_ON);
        for (word, _) in clause {
            self.words.push_str(word);
            self.words.push(' ');
        }
        let done = self.pasts(clause).max(self.states(clause)).max(self.comings(clause));
        self.mine |= done > 0.0 && has(clause, MINE);
        self.done = self.done.max(done);
    }

    /// How sure pasts make it that something is done.
    fn pasts(&mut self, clause: &[ClauseWord<'_>]) -> f64 {
        let mut done: f64 = 0.0;
        for at in 0..clause.len() {
            if let Some(verb) = past(clause, at) {
                done = done.max(if clause[at].1 & IDLE != 0 { 0.4 } else { 0.9 });
                self.verbs.push(verb);
            }
        }
        done
    }

    /// The same of states.
    fn states(&mut self, clause: &[ClauseWord<'_>]) -> f64 {
        let mut done: f64 = 0.0;
        for (at, (word, does)) in clause.iter().enumerate() {
            let state = is_state(clause, at);
            if does & FINISHED != 0 && (at == 0 || at + 1 == clause.len() || state) {
                self.finished = true;
                done = 1.0;
            }
            if does & THERE != 0 && state {
                self.states.push((*word).to_owned());
                done = done.max(0.7);
            }
        }
        done
    }

    /// The same of thanks, and of what came.
    fn comings(&mut self, clause: &[ClauseWord<'_>]) -> f64 {
        let any = |words: &[&str]| clause.iter().any(|(word, _)| words.contains(word));
        if has(clause, GOT) || (has(clause, THANKS) && any(&["for"])) {
            self.received = true;
            return 0.7;
        }
        if any(&["yes"]) && any(&["said", "says"]) { 0.8 } else { 0.0 }
    }
}

fn has(clause: &[ClauseWord<'_>], what: Does) -> bool {
    clause.iter().any(|(_, does)| does & what != 0)
}

fn looks_ahead(clause: &[ClauseWord<'_>], at: usize) -> bool {
    let (word, does) = clause[at];
    let neighbour = |at: Option<usize>| at.and_then(|at| clause.get(at)).map(|(_, does)| *does).unwrap_or_default();
    // "I posted the original will on Thursday": no verb follows it as it does the other one.
    let document = word == "will"
        && (neighbour(at.checked_sub(1)) & BEFORE_THING != 0 || neighbour(Some(at + 1)) & (PREPOSITION | BE) != 0);
    !document && does & AHEAD != 0 || (word == "to" && at > 0 && clause[at - 1].1 & OUGHT != 0)
}

/// The stem of the verb where a word is the past of one, or its participle, and does not describe a thing.
fn past(clause: &[ClauseWord<'_>], at: usize) -> Option<String> {
    let (word, does) = clause[at];
    let regular = word.len() > 4 && word.ends_with("ed") && word.is_ascii();
    let is_past = regular || does & PAST != 0 || irregular(word).is_some();
    let describes = at > 0 && at + 1 < clause.len() && clause[at - 1].1 & BEFORE_THING != 0;
    (is_past && !describes).then(|| stem(word).text)
}

/// Whether a form of "be" stands before a word, with little between.
fn is_state(clause: &[ClauseWord<'_>], at: usize) -> bool {
    let mut before = clause[..at].iter().rev().map(|(_, does)| does);
    before.find(|does| *does & BETWEEN == 0 || *does & BE != 0).is_some_and(|does| does & BE != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pasts_states_and_thanks_tell_of_something_done() {
        for sentence in [
            "I sent it yesterday",
            "kitchen measured, 3.42 by 2.10",
            "signed!",
            "So the page went live on the eighteenth as promised.",
            "figure two is up as well, finally",
            "The theme is finished, owl included.",
            "I got the benchmark, thanks.",
            "it's ordered it's paid",
            "fire report: Gwen handed it in on Wednesday",
            "Invitations went out on the 4th, 5 haven't answered",
        ] {
            assert!(completion(sentence).is_report(), "{sentence}: {:?}", completion(sentence));
        }
        assert_eq!(completion("I sent it yesterday").verbs, ["send"]);
    }

    #[test]
    fn what_is_to_come_or_denied_or_asked_is_not_done() {
        for sentence in [
            "I'll send it tomorrow",
            "I never sent it",
            "The introduction isn't finished, sorry.",
            "did you order it?",
            "once it is signed we can start",
            "she wants the revised plan",
            "I thought about the plan",
            "he needs two more days",
        ] {
            assert!(!completion(sentence).is_report(), "{sentence}: {:?}", completion(sentence));
        }
        assert!(completion("still working on the load test").open);
        assert!(!completion("I ordered the gutters, so they should be here on Friday").to_do);
        assert!(!completion("I posted the original will on Thursday, I hope it reached you").to_do);
        assert!(completion("the last will was signed").is_report());
        assert!(completion("I ordered the gutters, please pay them").to_do);
        assert!(completion("I ordered them, could you pay?").to_do);
    }
}
