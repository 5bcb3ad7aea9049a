//! Titles: a short imperative phrase that stands alone, from the sentences that a task rests on.
//!
//! Each sentence is read for the action that it names ([`action`]): what follows "I'll", "can you", "Sam to", a label, or
//! an imperative; it ends where a reason, a condition or a date begins. A pronoun left
//! in it is replaced by what a sentence before it names ([`thing`]), "me" and "you" by the people they mean. Of all titles
//! that come of this ([`candidate`]) the one is taken that a small linear model expects to be best ([`rank`]).

mod action;
mod candidate;
mod foreign;
mod label;
mod lead;
mod people;
mod rank;
mod thing;
mod trim;
mod verb;
mod word;

pub use rank::{FEATURES, Features};
use std::collections::HashSet;
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

/// A task's lines with the names of everybody in them, each word apart and in lower case.
struct Cast<'i, 'a> {
    input: &'i TitleInput<'a>,
    names: HashSet<String>,
}

impl<'i, 'a> Cast<'i, 'a> {
    fn of(input: &'i TitleInput<'a>) -> Self {
        let speakers = input.lines.iter().filter_map(|line| line.speaker);
        let all = input.names.iter().copied().chain(input.owner).chain(speakers);
        let names = all.flat_map(str::split_whitespace).filter(|part| part.len() > 1).map(str::to_lowercase).collect();
        Self { input, names }
    }
}

impl<'a> std::ops::Deref for Cast<'_, 'a> {
    type Target = TitleInput<'a>;

    fn deref(&self) -> &TitleInput<'a> {
        self.input
    }
}

/// Most words of a title.
const LONGEST: usize = 12;

/// The title of a task; empty only where its sentences hold no word.
#[must_use]
pub fn compose(input: &TitleInput<'_>) -> String {
    let scored =
        candidate::all(&Cast::of(input)).into_iter().map(|candidate| (rank::score(&candidate.features), candidate));
    let best = scored.reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.map(|(_, candidate)| finish(&candidate.words)).unwrap_or_default()
}

/// What [`compose`] chooses from: each title with what its choice is made by, in the order of [`FEATURES`].
#[must_use]
pub fn candidates(input: &TitleInput<'_>) -> Vec<(String, Features)> {
    candidate::all(&Cast::of(input))
        .into_iter()
        .map(|candidate| (finish(&candidate.words), candidate.features))
        .collect()
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
