//! What stands around a date in its sentence: whether it is refused, past, or the day of something else.

/// The words before and behind an expression, within its sentence.
pub(super) struct Around<'t> {
    before: &'t str,
    behind: &'t str,
}

/// How a sentence speaks of a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stance {
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
const LEADS: [&str; 16] = [
    "by", "before", "until", "till", "til", "latest", "due", "deadline", "for", "bis", "avant", "hasta", "entro",
    "até", "tegen", "vor",
];

/// Verbs that say that something has happened.
const PAST: [&str; 38] = [
    "was",
    "were",
    "went",
    "came",
    "sent",
    "done",
    "did",
    "uploaded",
    "marked",
    "signed",
    "told",
    "left",
    "since",
    "received",
    "delivered",
    "arrived",
    "finished",
    "posted",
    "created",
    "merged",
    "fixed",
    "updated",
    "called",
    "met",
    "paid",
    "got",
    "started",
    "shipped",
    "been",
    "had",
    "looked",
    "asked",
    "spoke",
    "wrote",
    "made",
    "gave",
    "took",
    "put",
];

/// Words that say that something is still to happen, or is asked for.
const AHEAD: [&str; 36] = [
    "will", "'ll", "ll", "'d", "would", "can", "could", "should", "must", "need", "needs", "to", "by", "please", "pls",
    "gonna", "let", "lets", "before", "until", "due", "shall", "may", "might", "promised", "owe", "want", "wants",
    "ready", "want", "until", "till", "for", "have", "has", "do",
];

impl<'t> Around<'t> {
    /// What stands around the bytes from `start` to `end`.
    pub fn of(text: &'t str, start: usize, end: usize) -> Self {
        let ends = |c: char| matches!(c, '\n' | '.' | '?' | '!' | ';' | '…');
        let before = &text[..start];
        let from = before.rfind(ends).map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
        let behind = &text[end..];
        let to = behind.find(ends).unwrap_or(behind.len());
        Self { before: &before[from..], behind: &behind[..to] }
    }

    /// Whether a word of a deadline leads it: "by Friday".
    pub fn is_led(&self) -> bool {
        last_words(self.before, 4).iter().any(|word| LEADS.contains(&word.as_str()))
            || self.behind.trim_start().to_lowercase().starts_with("at the latest")
    }

    /// How the sentence speaks of the day.
    pub fn stance(&self) -> Stance {
        let before = last_words(self.before, 12);
        if self.is_refused(&before) {
            Stance::Refused
        } else if is_past(&before) {
            Stance::Past
        } else if self.is_event(&before) {
            Stance::Event
        } else if is_aside(&before) {
            Stance::Aside
        } else {
            Stance::Open
        }
    }

    fn is_refused(&self, before: &[String]) -> bool {
        let last = before.last().map(String::as_str).unwrap_or_default();
        let behind = self.behind.trim_start().to_lowercase();
        let dismissed = [
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
            "'s okay",
            "'s free",
        ];
        let refused = matches!(last, "not" | "nicht" | "pas" | "since" | "instead")
            || last.ends_with("n't")
            || last.ends_with("n’t");
        refused
            || last == "of" && before.iter().rev().nth(1).is_some_and(|word| word == "instead")
            || dismissed.iter().any(|d| behind.starts_with(d))
    }

    /// A day of something else: the room is for that day, people start then.
    fn is_event(&self, before: &[String]) -> bool {
        let books = ["book", "reserve", "rent", "hire", "offer"];
        let starts = before
            .iter()
            .rev()
            .take(3)
            .any(|word| word.len() > 5 && word.ends_with("ing") && word != "morning" && word != "evening");
        let noun = before.last().is_some_and(|word| word == "the")
            && self.behind.starts_with(' ')
            && first_is_noun(self.behind);
        before.iter().any(|word| books.contains(&word.as_str()))
            || starts && before.last().is_some_and(|w| w == "on")
            || noun
            || before.iter().any(|w| w == "whether")
    }
}

/// Whether a plain noun seems to follow: "the Wednesday truck".
fn first_is_noun(behind: &str) -> bool {
    const LITTLE: [&str; 40] = [
        "and",
        "or",
        "so",
        "but",
        "because",
        "if",
        "when",
        "then",
        "that",
        "is",
        "it",
        "i",
        "we",
        "you",
        "to",
        "at",
        "in",
        "on",
        "for",
        "with",
        "works",
        "would",
        "will",
        "please",
        "latest",
        "morning",
        "evening",
        "afternoon",
        "night",
        "after",
        "before",
        "he",
        "she",
        "they",
        "as",
        "sharp",
        "too",
        "also",
        "would",
        "should",
    ];
    let word = behind.split_whitespace().next().unwrap_or_default();
    word.len() > 2 && word.chars().all(char::is_alphabetic) && !LITTLE.contains(&word.to_lowercase().as_str())
}

/// Whether the nearest verb before the day is past and nothing after it points ahead.
fn is_past(before: &[String]) -> bool {
    let past = before.iter().rposition(|word| PAST.contains(&word.as_str()));
    let ahead = before.iter().rposition(|word| {
        AHEAD.contains(&word.as_str())
            || word.ends_with("'ll")
            || word.ends_with("'d")
            || word.ends_with("’ll")
            || word.ends_with("’d")
    });
    match (past, ahead) {
        (Some(past), Some(ahead)) => past > ahead && before.iter().skip(ahead).all(|word| word != "be"),
        (Some(_), None) => true,
        _ => false,
    }
}

/// "I've got the dentist tomorrow", "I'm in until two": a day of the speaker's own.
fn is_aside(before: &[String]) -> bool {
    let words: Vec<&str> = before.iter().map(String::as_str).collect();
    let state = words.windows(2).any(|pair| {
        matches!(
            pair,
            ["i've" | "i’ve" | "we've", "got"]
                | [
                    "i'm" | "i’m" | "he's" | "she's" | "they're" | "we're",
                    "in" | "out" | "off" | "away" | "on" | "shut" | "offshore" | "closed" | "back" | "here"
                ]
        )
    });
    let since = words.iter().any(|word| matches!(*word, "because" | "since" | "until"));
    state || since
}

/// The last words of a text, in lower case, without the marks around them.
fn last_words(text: &str, most: usize) -> Vec<String> {
    let mut words: Vec<String> = text
        .split_whitespace()
        .rev()
        .take(most)
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’').to_lowercase())
        .filter(|word| !word.is_empty())
        .collect();
    words.reverse();
    words
}
