//! The actions that a sentence names: where each begins, and where it ends.

use std::ops::Range;

use super::foreign;
use super::people::{self, Meant};
use super::trim::trim;
use super::verb;
use super::word::Word;

/// An action as a sentence has it, in words of a sentence or pieces of a title.
#[derive(Clone, Debug)]
pub(super) struct Action<W> {
    /// The words, the verb first.
    pub words: Vec<W>,
    /// Where it stands among the words of its line: from the verb to where it was ended.
    pub span: Range<usize>,
    /// In what form it is said.
    pub form: Form,
    /// Whether the sentence refuses, doubts or asks what is not meant as a request: "I don't send", "if I send".
    pub doubtful: bool,
}

/// In what form an action is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Form {
    /// No form is seen; the sentence as it stands.
    Bare,
    /// "I sent it": of a task that is already done.
    Past,
    /// "it needs checking", "X has to be sent".
    Need,
    /// "Sam orders the tank".
    Present,
    /// "Send me the file".
    Imperative,
    /// "I'll", "let me".
    First,
    /// "can you", "you need to".
    Second,
    /// "Sam to", "she'll", "somebody should".
    Third,
}

/// Most actions of one sentence.
pub(super) const MOST: usize = 6;

/// Reads the actions of a sentence, in order; where none is seen, the sentence as it stands. `starts` are the places
/// where [`super::lead::starts`] sees one begin.
pub(super) fn all<'a>(
    words: &[Word<'a>],
    starts: &[(Form, usize)],
    meant: &Meant<'a>,
    language: &str,
) -> Vec<Action<Word<'a>>> {
    let mut actions: Vec<Action<Word<'a>>> = need(words)
        .into_iter()
        .map(|words| (words, Form::Need, 0))
        .chain(starts.iter().map(|(form, at)| (words[*at..].to_vec(), *form, *at)))
        .filter_map(|(tail, form, at)| shape(tail, &words[..at], form, meant))
        .collect();
    if actions.is_empty() {
        let led = foreign::led(words).filter(|_| !language.starts_with("en"));
        let (tail, form) = led.map_or((words.to_vec(), Form::Bare), |at| (words[at..].to_vec(), Form::First));
        actions.extend(shape(tail, &[], form, meant));
    }
    if language.starts_with("de") {
        let words = foreign::german(words);
        let span = 0..words.len();
        actions.extend((words.len() > 1).then_some(Action { words, span, form: Form::First, doubtful: false }));
    }
    actions
}

/// Trims an action, puts its verb into the plain form and names its people.
fn shape<'a>(mut tail: Vec<Word<'a>>, before: &[Word<'a>], form: Form, meant: &Meant<'a>) -> Option<Action<Word<'a>>> {
    plain_verb(&mut tail, form);
    hand_over(&mut tail, before);
    let tail = trim(tail);
    let span = before.len()..before.len() + tail.len();
    let words = people::named(tail, meant);
    let near = &before[before.len().saturating_sub(6)..];
    let doubtful = near.iter().any(|word| {
        matches!(word.lower.as_ref(), "not" | "if" | "when" | "never" | "no" | "why" | "until" | "unless")
            || word.lower.ends_with("n't")
    });
    (!words.is_empty()).then_some(Action { words, span, form, doubtful })
}

/// "the kits need checking", "it has to be sent": the verb in its plain form, then its thing.
fn need<'a>(words: &[Word<'a>]) -> Option<Vec<Word<'a>>> {
    let at = (1..words.len()).find(|at| matches!(words[*at].lower.as_ref(), "need" | "needs" | "be"))?;
    let next = words.get(at + 1)?;
    let verb = match words[at].lower.as_ref() {
        "be" if matches!(words[at - 1].lower.as_ref(), "to" | "must" | "should") => verb::from_past(&next.lower)?,
        "be" => return None,
        _ => verb::from_ing(&next.lower)?,
    };
    let subject = words[..at]
        .iter()
        .position(|word| matches!(word.lower.as_ref(), "need" | "needs" | "has" | "have" | "must" | "should"))
        .unwrap_or(at);
    let from = words[..subject]
        .iter()
        .rposition(|word| matches!(word.lower.as_ref(), "," | "." | ":" | "and" | "so" | "but" | "that"))
        .map_or(0, |mark| mark + 1);
    let thing = &words[from..subject];
    if thing.is_empty() || thing.iter().all(|word| word.little) {
        return None;
    }
    let mut action = vec![Word::new(verb)];
    action.extend(thing.iter().cloned());
    action.extend(words[at + 2..].iter().cloned());
    Some(action)
}

/// What one who is to have, get or be owed something is to be done: it is sent.
fn hand_over(words: &mut Vec<Word<'_>>, led: &[Word<'_>]) {
    let Some(first) = words.first() else { return };
    let receives = led.iter().any(|word| matches!(word.lower.as_ref(), "you'll" | "you"));
    let informs =
        first.lower == "let" && words.iter().take(6).position(|word| word.lower == "know").is_some_and(|at| at > 1);
    if informs {
        words.retain(|word| word.lower != "know");
        words[0] = Word::new("Tell");
        return;
    }
    let out = words.iter().any(|word| matches!(word.lower.as_ref(), "ready" | "out" | "with" | "done" | "finished"));
    let said = match first.lower.as_ref() {
        "owe" | "promise" => Some("Send"),
        "have" | "get" if receives => Some("Send"),
        "have" if out => Some("Finish"),
        _ => None,
    };
    if let Some(verb) = said {
        words[0] = Word::new(verb);
        words.retain(|word| !matches!(word.lower.as_ref(), "ready" | "done" | "finished"));
    }
}

/// Puts the first verb into its plain form.
fn plain_verb(words: &mut [Word<'_>], form: Form) {
    let Some(first) = words.first_mut() else { return };
    let plain = match form {
        Form::Past => verb::from_past(&first.lower),
        Form::Present if !first.verb => verb::from_third(&first.lower).or_else(|| verb::from_ing(&first.lower)),
        _ => None,
    };
    if let Some(plain) = plain {
        *first = Word::new(plain);
    }
}
