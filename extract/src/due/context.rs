//! What stands around a date in its sentence: whether it is refused, past, or the day of something else.

use std::borrow::Cow;
use std::sync::LazyLock;

use super::Resolved;
use super::lexicon::Unit;
use crate::word_list::{WordBits, word_bits};

/// An expression and the words before and behind it, within its sentence.
pub(super) struct ExpressionContext<'t> {
    before: &'t str,
    text: &'t str,
    behind: &'t str,
    grain: Unit,
}

/// How a sentence speaks of a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stance {
    /// "not Friday", "I can't today".
    Refused,
    /// "she sent it on Tuesday".
    Past,
    /// "book the room for the 24th", "people starting on the 9th".
    Event,
    /// "I'm away on Monday": beside a better day it says nothing.
    Aside,
    /// Nothing speaks against it.
    Open,
}

/// A word with the lists that hold it, one bit each.
struct ListedWord<'t> {
    text: Cow<'t, str>,
    kinds: u32,
}

/// Words that lead a deadline.
const LEAD: u32 = 1;
/// Words that may stand between a lead and its day.
const BETWEEN: u32 = 2;
/// Verbs that say that something has happened.
const PAST: u32 = 4;
/// Words that say that something is still to happen, or is asked for.
const AHEAD: u32 = 8;
/// Words before a participle that make it something to come: "I want it signed".
const WANTS: u32 = 16;
/// Words that turn down the day behind them.
const REFUSES: u32 = 32;
/// Words before a day that something is booked for.
const FOR: u32 = 64;
/// Verbs that book something.
const BOOKS: u32 = 128;
/// Words that end as verbs of something going on do, and are none.
const STILL: u32 = 256;
/// Somebody in a state.
const WHO: u32 = 512;
/// The state.
const STATE: u32 = 1024;
/// Words that give a reason.
const REASON: u32 = 2048;
/// Words before a participle that is an adjective.
const DESCRIBED: u32 = 4096;
/// The words of [`NO_NOUN`].
const NOT_A_NOUN: u32 = 8192;
/// Words behind which a day is where something began.
const SINCE: u32 = 16384;

const LISTS: [(u32, &str); 15] = [
    (LEAD, "by before until till til latest due deadline for bis avant hasta entro até tegen vor"),
    (
        BETWEEN,
        "the a end of on next this at latest around about like say let's lets uh um er close middle start beginning \
        our his session mid early late",
    ),
    (
        PAST,
        "was were went came sent done did uploaded marked signed left since received delivered arrived finished posted \
        created merged fixed updated called met paid got started shipped been had looked spoke wrote made gave took",
    ),
    (
        AHEAD,
        "will 'll ll 'd would can could should must need needs please pls gonna let lets shall might promised owe want \
        wants ready going bitte can't",
    ),
    (WANTS, "want wants need needs have has get be gets having getting"),
    (REFUSES, "not nicht pas since non"),
    (FOR, "for on"),
    (BOOKS, "book reserve rent hire offer"),
    (STILL, "morning evening during"),
    (WHO, "i'm he's she's they're we're"),
    (STATE, "in out off away on shut offshore closed back here"),
    (REASON, "because cause cos"),
    (DESCRIBED, "the a an my your our his her their with of"),
    (NOT_A_NOUN, NO_NOUN),
    (SINCE, "since seit depuis desde sinds"),
];

/// Words behind a day that are no noun: "the Friday after" names a day, "the Friday truck" a truck.
pub(crate) const NO_NOUN: &str = "and or so but because if when then that is it i we you to at in on for with works would will please \
    latest morning evening afternoon night after before he she they as sharp too also should of from isn't instead i'll i'd";

/// The lists that hold a word in lower case.
fn kinds(word: &str) -> u32 {
    static KNOWN: LazyLock<WordBits<u32>> = LazyLock::new(|| word_bits(LISTS));
    KNOWN.get(word).copied().unwrap_or_default()
}

impl<'t> ListedWord<'t> {
    /// A word of a text in lower case, without the marks around it.
    fn of(word: &'t str) -> Self {
        let bare = |c: char| !c.is_alphanumeric() && c != '\'';
        let text = if word.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase()) {
            Cow::Borrowed(word.trim_matches(bare))
        } else {
            Cow::Owned(word.replace('’', "'").trim_matches(bare).to_lowercase())
        };
        Self { kinds: kinds(&text), text }
    }

    /// Whether a list of one of these kinds holds it.
    fn is(&self, kinds: u32) -> bool {
        self.kinds & kinds != 0
    }
}

/// What is said behind a day that is turned down, or that hangs on something else.
const DISMISSED: [&str; 17] = [
    "is a ",
    "is tight",
    "is out",
    "isn't",
    "is not",
    "is no good",
    "won't",
    "doesn't work",
    "is too",
    "is free",
    "is ok?",
    "'s okay?",
    "'s free",
    "of receiving",
    "of getting",
    "after you",
    "after we",
];

impl<'t> ExpressionContext<'t> {
    /// What stands around an expression.
    pub fn of(text: &'t str, expression: &Resolved) -> Self {
        let Resolved { start, end, grain, .. } = *expression;
        let ends = |c: char| matches!(c, '\n' | '.' | '?' | '!' | ';' | '…' | ')' | '(');
        let before = &text[..start];
        let from = before.rfind(ends).map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
        let behind = &text[end..];
        let to = behind.find(ends).unwrap_or(behind.len());
        Self { before: &before[from..], text: &text[start..end], behind: &behind[..to], grain }
    }

    /// Whether something has gone on since that day: "since Monday", "depuis le 3".
    pub fn is_since(&self) -> bool {
        let before = last_words(self.before, 2);
        let article = before.last().is_some_and(|word| word.text.chars().count() < 4);
        before.iter().rev().take(if article { 2 } else { 1 }).any(|word| word.is(SINCE))
    }

    /// Whether a word of a deadline leads it: "by Friday", "by the end of Friday".
    pub fn is_led(&self) -> bool {
        let before = last_words(self.before, 5);
        let lead = before.iter().rev().find(|word| !word.is(BETWEEN));
        lead.is_some_and(|word| word.is(LEAD))
            || before.windows(2).any(|pair| pair[0].text == "later" && pair[1].text == "than")
            || self.behind.trim_start().to_lowercase().starts_with("at the latest")
    }

    /// How the sentence speaks of the day.
    pub fn stance(&self) -> Stance {
        let before = last_words(self.before, 12);
        if self.is_refused(&before) {
            Stance::Refused
        } else if is_past(&last_words(clause(self.before), 12)) {
            Stance::Past
        } else if self.is_event(&before) {
            Stance::Event
        } else if self.is_aside(&before) {
            Stance::Aside
        } else {
            Stance::Open
        }
    }

    fn is_refused(&self, before: &[ListedWord<'_>]) -> bool {
        let behind = self.behind.trim_start().to_lowercase();
        let refused = before.last().is_some_and(|last| last.is(REFUSES) || last.text.ends_with("n't"));
        let instead = matches!(before, [.., instead, of] if instead.text == "instead" && of.text == "of");
        refused || instead || DISMISSED.iter().any(|dismissed| behind.starts_with(dismissed))
    }

    /// A day of something else: the room is for that day, people start then, the truck goes.
    fn is_event(&self, before: &[ListedWord<'_>]) -> bool {
        let last = before.last().map(|last| last.text.as_ref()).unwrap_or_default();
        let books = before.last().is_some_and(|last| last.is(FOR)) && before.iter().any(|word| word.is(BOOKS));
        let going_on = |word: &ListedWord<'_>| word.text.len() > 5 && word.text.ends_with("ing") && !word.is(STILL);
        let starts = last == "on" && before.iter().rev().take(3).any(going_on);
        let the = self.text.starts_with("the ") || last == "the";
        let truck = the && self.behind.starts_with(' ') && first_is_noun(self.behind);
        // "the rota for June": what it is for
        let period = matches!(self.grain, Unit::Month | Unit::Quarter | Unit::Year) && matches!(last, "for" | "für");
        books || starts || truck || period || before.iter().any(|word| word.text == "whether")
    }

    /// "I've got the dentist tomorrow", "I'm in until two", "because Friday …": a day of the speaker's own.
    fn is_aside(&self, before: &[ListedWord<'_>]) -> bool {
        let state = |pair: &[ListedWord<'_>]| match pair {
            [who, got] if got.text == "got" && matches!(who.text.as_ref(), "i've" | "we've") => true,
            [who, state] => who.is(WHO) && state.is(STATE),
            _ => false,
        };
        let behind = self.behind.trim_start().to_lowercase();
        before.windows(2).any(state)
            || before.iter().any(|word| word.is(REASON))
            || behind.starts_with("i'm ")
            || behind.starts_with("without")
    }
}

/// The clause at the end of a text: behind its last comma or "so", where a verb may stand in it.
fn clause(before: &str) -> &str {
    let cuts = [", ", " so ", " but ", " then ", " – ", " - "]
        .iter()
        .filter_map(|cut| before.rfind(cut).map(|at| at + cut.len()));
    let cut = cuts.max().unwrap_or(0);
    if before[cut..].split_whitespace().count() > 1 { &before[cut..] } else { before }
}

/// Whether a plain noun seems to follow: "the Wednesday truck".
fn first_is_noun(behind: &str) -> bool {
    let word = behind.split_whitespace().next().unwrap_or_default();
    word.len() > 2 && word.chars().all(char::is_alphabetic) && kinds(&word.to_lowercase()) & NOT_A_NOUN == 0
}

/// Whether the nearest verb before the day is past and nothing after it points ahead.
fn is_past(before: &[ListedWord<'_>]) -> bool {
    let wanted = |at: usize| before[at.saturating_sub(3)..at].iter().any(|word| word.is(WANTS));
    let adjective = |at: usize| at > 0 && before[at - 1].is(DESCRIBED);
    let past = (0..before.len()).rev().find(|at| before[*at].is(PAST) && !adjective(*at) && !wanted(*at));
    let ahead =
        before.iter().rposition(|word| word.is(AHEAD) || word.text.ends_with("'ll") || word.text.ends_with("'d"));
    past.is_some_and(|past| ahead.is_none_or(|ahead| past > ahead))
}

/// The last words of a text, in lower case, without the marks around them.
fn last_words(text: &str, most: usize) -> Vec<ListedWord<'_>> {
    let last = text.split_whitespace().rev().take(most).map(ListedWord::of);
    let mut words: Vec<ListedWord<'_>> = last.filter(|word| !word.text.is_empty()).collect();
    words.reverse();
    words
}
