//! What stands around a date in its sentence: whether it is refused, past, or the day of something else.

/// An expression and the words before and behind it, within its sentence.
pub(super) struct Around<'t> {
    before: &'t str,
    text: &'t str,
    behind: &'t str,
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

/// Words that lead a deadline.
const LEADS: &str = "by before until till til latest due deadline for bis avant hasta entro até tegen vor";

/// Words that may stand between a lead and its day.
const BETWEEN: &str = "the a end of on next this at latest around about like say let's lets uh um er close middle start beginning our his session mid early late";

/// Verbs that say that something has happened.
const PAST: &str = "was were went came sent done did uploaded marked signed left since received delivered arrived finished posted created \
    merged fixed updated called met paid got started shipped been had looked spoke wrote made gave took";

/// Words that say that something is still to happen, or is asked for.
const AHEAD: &str = "will 'll ll 'd would can could should must need needs please pls gonna let lets shall might promised owe want wants \
    ready going bitte can't";

/// Words before a participle that make it something to come: "I want it signed".
const WANTS: &str = "want wants need needs have has get be gets having getting";

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

impl<'t> Around<'t> {
    /// What stands around the bytes from `start` to `end`.
    pub fn of(text: &'t str, start: usize, end: usize) -> Self {
        let ends = |c: char| matches!(c, '\n' | '.' | '?' | '!' | ';' | '…' | ')' | '(');
        let before = &text[..start];
        let from = before.rfind(ends).map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
        let behind = &text[end..];
        let to = behind.find(ends).unwrap_or(behind.len());
        Self { before: &before[from..], text: &text[start..end], behind: &behind[..to] }
    }

    /// Whether a word of a deadline leads it: "by Friday", "by the end of Friday".
    pub fn is_led(&self) -> bool {
        let before = last_words(self.before, 5);
        let lead = before.iter().rev().find(|word| !has(BETWEEN, word));
        lead.is_some_and(|word| has(LEADS, word))
            || before.windows(2).any(|pair| pair == ["later", "than"])
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

    fn is_refused(&self, before: &[String]) -> bool {
        let last = before.last().map(String::as_str).unwrap_or_default();
        let behind = self.behind.trim_start().to_lowercase();
        let refused = has("not nicht pas since non", last) || last.ends_with("n't");
        let instead = last == "of" && before.iter().rev().nth(1).is_some_and(|word| word == "instead");
        refused || instead || DISMISSED.iter().any(|dismissed| behind.starts_with(dismissed))
    }

    /// A day of something else: the room is for that day, people start then, the truck goes.
    fn is_event(&self, before: &[String]) -> bool {
        let last = before.last().map(String::as_str).unwrap_or_default();
        let books = has("for on", last) && before.iter().any(|word| has("book reserve rent hire offer", word));
        let going_on = |word: &String| word.len() > 5 && word.ends_with("ing") && !has("morning evening during", word);
        let starts = last == "on" && before.iter().rev().take(3).any(going_on);
        let the = self.text.starts_with("the ") || last == "the";
        let truck = the && self.behind.starts_with(' ') && first_is_noun(self.behind);
        books || starts || truck || before.iter().any(|word| word == "whether")
    }

    /// "I've got the dentist tomorrow", "I'm in until two", "because Friday …": a day of the speaker's own.
    fn is_aside(&self, before: &[String]) -> bool {
        let words: Vec<&str> = before.iter().map(String::as_str).collect();
        let state = |pair: &[&str]| match pair {
            ["i've" | "we've", "got"] => true,
            [who, state] => {
                has("i'm he's she's they're we're", who)
                    && has("in out off away on shut offshore closed back here", state)
            }
            _ => false,
        };
        let behind = self.behind.trim_start().to_lowercase();
        words.windows(2).any(state)
            || words.iter().any(|word| has("because cause cos", word))
            || behind.starts_with("i'm ")
            || behind.starts_with("without")
    }
}

/// Whether a list of words, separated by spaces, holds one.
fn has(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|known| known == word)
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
    const LITTLE: &str = "and or so but because if when then that is it i we you to at in on for with works would will please latest \
        morning evening afternoon night after before he she they as sharp too also should of from isn't instead";
    let word = behind.split_whitespace().next().unwrap_or_default();
    word.len() > 2 && word.chars().all(char::is_alphabetic) && !has(LITTLE, &word.to_lowercase())
}

/// Whether the nearest verb before the day is past and nothing after it points ahead.
fn is_past(before: &[String]) -> bool {
    let wanted = |at: usize| before[at.saturating_sub(3)..at].iter().any(|word| has(WANTS, word));
    let adjective = |at: usize| at > 0 && has("the a an my your our his her their with of", &before[at - 1]);
    let past = (0..before.len()).rev().find(|at| has(PAST, &before[*at]) && !adjective(*at) && !wanted(*at));
    let ahead = before.iter().rposition(|word| has(AHEAD, word) || word.ends_with("'ll") || word.ends_with("'d"));
    past.is_some_and(|past| ahead.is_none_or(|ahead| past > ahead))
}

/// The last words of a text, in lower case, without the marks around them.
fn last_words(text: &str, most: usize) -> Vec<String> {
    let bare =
        |word: &str| word.replace('’', "'").trim_matches(|c: char| !c.is_alphanumeric() && c != '\'').to_lowercase();
    let mut words: Vec<String> =
        text.split_whitespace().rev().take(most).map(bare).filter(|word| !word.is_empty()).collect();
    words.reverse();
    words
}
