//! Titles: a short imperative phrase that stands alone, from the sentences that a task rests on.
//!
//! Each sentence is read for the action that it names ([`action`]): what follows "I'll", "can you", "Sam to", a label, or
//! an imperative; it ends where a reason, a condition or a date begins. The sentence that says most wins. A pronoun left
//! in it is replaced by what a sentence before it names ([`thing`]), "me" and "you" by the people they mean.

mod action;
mod people;
mod thing;
mod verb;
mod word;

use action::Action;
use word::Word;

/// A sentence that a title may draw on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Line<'a> {
    /// Its words.
    pub text: &'a str,
    /// Who says it.
    pub speaker: Option<&'a str>,
    /// Whether the task rests on it; if not, it only stands before one that does.
    pub evidence: bool,
}

/// What a title is made of.
#[derive(Clone, Copy, Debug)]
pub struct TitleInput<'a> {
    /// The sentences of the task, and a few before each, in the order of the text.
    pub lines: &'a [Line<'a>],
    /// Who is to do it.
    pub owner: Option<&'a str>,
    /// Everybody who takes part.
    pub names: &'a [&'a str],
    /// BCP 47.
    pub language: &'a str,
}

/// Most words of a title.
const LONGEST: usize = 12;

/// The title of a task; empty only where its sentences hold no word.
#[must_use]
pub fn compose(input: &TitleInput<'_>) -> String {
    let read: Vec<Option<Action>> = input.lines.iter().map(|line| action::of(line, input)).collect();
    let best = best(&read, input);
    let Some(at) = best else { return fallback(input) };
    let Some(action) = read[at].clone() else { return fallback(input) };
    let words = thing::resolve(action.words, at, &read, input);
    finish(&words)
}

/// The sentence whose action says most: evidence before what only stands around it.
fn best(read: &[Option<Action>], input: &TitleInput<'_>) -> Option<usize> {
    let weight = |at: &usize| {
        let action = read[*at].as_ref()?;
        let context = if input.lines[*at].evidence { 0 } else { 40 };
        Some(action.weight() - context - i32::try_from(input.lines.len() - at).ok()?.min(5))
    };
    let told: Vec<(usize, i32)> = (0..read.len()).filter_map(|at| Some((at, weight(&at)?))).collect();
    told.into_iter().max_by_key(|(at, weight)| (*weight, *at)).map(|(at, _)| at)
}

/// The words of the longest evidence, where no action is seen in any.
fn fallback(input: &TitleInput<'_>) -> String {
    let longest = input.lines.iter().filter(|line| line.evidence).max_by_key(|line| line.text.len());
    let words = longest.map(|line| word::split(line.text, input.language)).unwrap_or_default();
    finish(&action::trim(words))
}

/// Joins words, the first with a capital.
fn finish(words: &[Word<'_>]) -> String {
    let mut title = String::new();
    for word in words.iter().take(LONGEST) {
        if !title.is_empty() && !word.joined {
            title.push(' ');
        }
        title.push_str(&word.text);
    }
    let mut letters = title.trim_end_matches([',', '.', ':', ';', '-', '–', '?', '!', ' ']).chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn title(owner: Option<&str>, lines: &[(&str, &str)]) -> String {
        let lines: Vec<Line<'_>> =
            lines.iter().map(|(speaker, text)| Line { text, speaker: Some(speaker), evidence: true }).collect();
        compose(&TitleInput { lines: &lines, owner, names: &["Sam Ortiz", "Dana Reyes"], language: "en" })
    }

    #[test]
    fn a_promise_loses_its_lead_and_its_date() {
        let lines = [("Dana Reyes", "I'll get the revised SOW over to Northwind by Friday")];
        assert_eq!(title(Some("Dana Reyes"), &lines), "Get the revised SOW over to Northwind");
    }

    #[test]
    fn a_request_loses_the_one_who_is_asked() {
        assert_eq!(title(Some("Sam Ortiz"), &[("Dana Reyes", "Sam, can you check the logs?")]), "Check the logs");
    }

    #[test]
    fn a_note_loses_box_owner_and_bracket() {
        assert_eq!(title(Some("Sam Ortiz"), &[("", "- [ ] @sam: update docs (due 3/14)")]), "Update docs");
    }

    #[test]
    fn what_needs_doing_becomes_an_order() {
        assert_eq!(title(None, &[("Dana Reyes", "the first aid kits need checking")]), "Check the first aid kits");
    }

    #[test]
    fn me_is_the_one_who_asks() {
        let lines = [("Dana Reyes", "Sam, could you send me the cost centre today please?")];
        assert_eq!(title(Some("Sam Ortiz"), &lines), "Send Dana the cost centre");
    }

    #[test]
    fn an_acceptance_takes_its_action_from_the_ask() {
        let lines =
            [("Dana Reyes", "could you forward that reply to legal?"), ("Sam Ortiz", "yep, I'll do it tonight")];
        assert_eq!(title(Some("Sam Ortiz"), &lines), "Forward that reply to legal");
    }
}
