//! Cues: phrases that signal a promise, a request, an answer, the past, a rule … each a class of its own.
//!
//! The phrases stand in `en.txt`, which is English, and `others.txt`, which is every other language. All languages share the
//! classes, so what was learnt of a class in one language helps in another, and every phrase counts in texts of every language,
//! shorter ones inside a longer one too. A phrase is found by the hash of its words, in one look-up for each run of up to five.

use crate::feature::token::{Token, tokens};
use crate::hash::join;
use std::sync::OnceLock;

/// Longest phrase, in tokens.
pub const LONGEST: usize = 5;

/// A set of cues, one bit each.
pub type Cues = u64;

macro_rules! cues {
    ($($name:ident $word:literal $says:literal,)*) => {
        /// A class of phrases.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub enum Cue { $(#[doc = $says] $name,)* }

        impl Cue {
            /// Every cue, in the order of their bits.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The name of its sections in the phrase files.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $word,)* }
            }

            /// What it says of a sentence, for people.
            #[must_use]
            pub const fn says(self) -> &'static str {
                match self { $(Self::$name => $says,)* }
            }
        }
    };
}

cues! {
    Promise "promise" "first person promise",
    Take "take" "takes a task on",
    Offer "offer" "an offer",
    WePlan "weplan" "a plan of the group",
    Request "request" "a request",
    Assign "assign" "says what somebody will do",
    Need "need" "says that something needs doing",
    Accept "accept" "an acceptance",
    Refuse "refuse" "a negation",
    Hypothetical "hypothetical" "a mere possibility",
    Past "past" "speaks of the past",
    Intended "intended" "an intention of the past",
    General "general" "a general rule",
    Mechanics "mechanics" "runs the meeting",
    Polite "polite" "a courtesy",
    Wh "wh" "an open question",
    Date "date" "names a day or time",
    Deadline "deadline" "sets a limit in time",
    Urgent "urgent" "presses for time",
    Relaxed "relaxed" "leaves time",
    Done "done" "reports something done",
    Me "self" "speaks of the speaker",
    You "you" "speaks to the listener",
    We "we" "speaks of the group",
    Third "third" "speaks of others",
    Indefinite "indefinite" "speaks of anyone",
    System "system" "something that happens by itself",
    Reported "reported" "reports what others say",
    Explicit "explicit" "calls itself an action",
    Revise "revise" "a change of mind",
    Postpone "postpone" "puts something off",
    Joke "joke" "a joke",
    Fyi "fyi" "mere information",
    Confirm "confirm" "sums up or confirms",
    Lets "lets" "a proposal to the group",
    Now "now" "done on the spot",
    Thing "thing" "refers back",
    Unassigned "unassigned" "asks for somebody, anybody",
    Relay "relay" "relays somebody's promise",
    Deliver "deliver" "says when something will be there",
    Must "must" "says what the speaker has to do",
    Remind "remind" "a reminder",
    Want "want" "says what the speaker wants to have",
    WillDo "willdo" "a short promise",
}

impl Cue {
    /// The set of this cue alone.
    #[must_use]
    pub const fn bit(self) -> Cues {
        1 << self as u8
    }

    /// Whether people want to hear of it as a reason.
    #[must_use]
    pub const fn tells(self) -> bool {
        self.leaning() != 0.0
    }

    /// Whether it usually speaks for a task (above 0) or against it.
    #[must_use]
    pub const fn leaning(self) -> f64 {
        match self {
            Self::Promise | Self::Request | Self::Take | Self::Explicit | Self::WillDo | Self::Deliver => 1.0,
            Self::Unassigned
            | Self::Relay
            | Self::Must
            | Self::Remind
            | Self::Want
            | Self::Assign
            | Self::Need
            | Self::Accept
            | Self::Deadline
            | Self::Urgent => 0.5,
            Self::Refuse | Self::Hypothetical | Self::Past | Self::General | Self::Mechanics => -0.5,
            Self::Polite | Self::Joke | Self::System | Self::Intended | Self::Postpone => -1.0,
            _ => 0.0,
        }
    }

    /// Whether a set holds it.
    #[must_use]
    pub const fn of(self, cues: Cues) -> bool {
        cues & self.bit() != 0
    }
}

/// Finds the cues that begin at the first of these tokens.
#[must_use]
pub fn cues_at(tokens: &[Token]) -> Cues {
    let table = table();
    if !tokens.first().is_some_and(|first| table.may_begin(first.hash)) {
        return 0;
    }
    let mut found = 0;
    let mut run = 0;
    for token in tokens.iter().take(LONGEST) {
        run = join(run, token.hash);
        match table.get(run) {
            Some(PhraseSlot { cues, more: true, .. }) => found |= cues,
            Some(PhraseSlot { cues, .. }) => return found | cues,
            None => return found,
        }
    }
    found
}

/// What is known of a run of words.
#[derive(Clone, Copy, Default)]
struct PhraseSlot {
    run: u64,
    cues: Cues,
    /// Whether a longer phrase begins with it.
    more: bool,
}

/// Runs of words by hash, open addressing, never full.
struct PhraseTable {
    slots: Vec<PhraseSlot>,
    /// A bit for each word that begins a phrase, by hash; some other words share one.
    beginnings: [u64; BEGINNINGS / 64],
}

/// How many bits say which words begin a phrase.
const BEGINNINGS: usize = 1 << 15;

/// The word and the bit that stand for the hash of a word that begins a phrase.
fn beginning(word: u64) -> (usize, u64) {
    let number = (join(0, word) >> 40) as usize % BEGINNINGS;
    (number / 64, 1 << (number % 64))
}

impl PhraseTable {
    /// Whether a phrase may begin with a word; no for most words that begin none.
    fn may_begin(&self, word: u64) -> bool {
        let (at, bit) = beginning(word);
        self.beginnings[at] & bit != 0
    }

    fn get(&self, run: u64) -> Option<PhraseSlot> {
        let mask = self.slots.len() - 1;
        let mut at = run as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot.run == run {
                return Some(slot);
            }
            if slot.run == 0 {
                return None;
            }
            at = (at + 1) & mask;
        }
    }

    fn entry(&mut self, run: u64) -> &mut PhraseSlot {
        let mask = self.slots.len() - 1;
        let mut at = run as usize & mask;
        while self.slots[at].run != 0 && self.slots[at].run != run {
            at = (at + 1) & mask;
        }
        self.slots[at].run = run;
        &mut self.slots[at]
    }

    fn add(&mut self, phrase: &str, cues: Cues) {
        let mut words = Vec::new();
        tokens(phrase, |token| words.push(token.hash));
        words.truncate(LONGEST);
        if let Some(&first) = words.first() {
            let (at, bit) = beginning(first);
            self.beginnings[at] |= bit;
        }
        let mut run = 0;
        for (place, &word) in words.iter().enumerate() {
            run = join(run, word);
            let last = place + 1 == words.len();
            let entry = self.entry(run);
            if last {
                entry.cues |= cues;
            } else {
                entry.more = true;
            }
        }
    }
}

/// The phrase files; each counts in texts of every language.
const FILES: [&str; 2] = [include_str!("en.txt"), include_str!("others.txt")];

fn table() -> &'static PhraseTable {
    static TABLE: OnceLock<PhraseTable> = OnceLock::new();
    TABLE.get_or_init(|| {
        let lines: usize = FILES.iter().map(|file| file.lines().count()).sum();
        let slots = vec![PhraseSlot::default(); (lines * 8).next_power_of_two()];
        let mut table = PhraseTable { slots, beginnings: [0; BEGINNINGS / 64] };
        for (cue, phrase) in FILES.iter().flat_map(|file| phrases(file)) {
            table.add(phrase, cue.bit());
        }
        table
    })
}

/// The phrases of a file with their cues; lines of sections that name no cue are left out.
fn phrases(file: &'static str) -> impl Iterator<Item = (Cue, &'static str)> {
    let mut section = None;
    file.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).filter_map(move |line| {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            section = Cue::ALL.iter().copied().find(|cue| cue.name() == name);
            return None;
        }
        Some((section?, line))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cues(text: &str) -> Cues {
        let mut read = Vec::new();
        tokens(text, |token| read.push(token));
        (0..read.len()).fold(0, |found, at| found | cues_at(&read[at..]))
    }

    #[test]
    fn every_line_is_a_phrase_that_is_found_whole_in_a_section_that_names_a_cue() {
        let lines =
            || FILES.iter().flat_map(|file| file.lines()).filter(|line| !line.is_empty() && !line.starts_with('#'));
        let sections = lines().filter_map(|line| line.strip_prefix('[')?.strip_suffix(']'));
        let unknown: Vec<_> = sections.filter(|name| Cue::ALL.iter().all(|cue| cue.name() != *name)).collect();
        assert!(unknown.is_empty(), "{unknown:?}");
        let cut: Vec<_> = lines()
            .filter(|line| {
                let mut count = 0;
                tokens(line, |_| count += 1);
                !line.starts_with('[') && (count == 0 || count > LONGEST)
            })
            .collect();
        assert!(cut.is_empty(), "longer than {LONGEST} tokens, of which only the first {LONGEST} would count: {cut:?}");
    }

    #[test]
    fn a_phrase_of_several_words_is_found_whole() {
        assert!(Cue::Mechanics.of(cues("Let me SHARE my screen")));
        assert!(!Cue::Mechanics.of(cues("I share it")));
        assert!(Cue::Promise.of(cues("well I’ll send it")));
    }

    #[test]
    fn other_languages_share_the_classes() {
        assert!(Cue::Request.of(cues("Könntest du das bitte prüfen?")));
        assert!(Cue::Promise.of(cues("je vais l'envoyer demain")));
    }
}
