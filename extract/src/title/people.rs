//! "me", "you", "us" in an action: the people they mean, by their first names, or nothing.

use super::word::Word;
use super::{Cast, Line};

/// Whether a lower-case word is a part of somebody's name.
pub(super) fn is_name(word: &str, input: &Cast<'_, '_>) -> bool {
    input.names.contains(word.trim_start_matches('@').trim_end_matches("'s"))
}

/// Puts names for "me" and "you", and articles for "my" and "your".
pub(super) fn named<'a>(words: Vec<Word<'a>>, line: &Line<'a>, input: &Cast<'_, 'a>) -> Vec<Word<'a>> {
    let mut named: Vec<Word<'a>> = Vec::with_capacity(words.len());
    for word in words {
        let who = match word.lower.as_ref() {
            "me" | "you" => Some(meant(&word.lower, line, input)),
            "us" => Some(None),
            _ => None,
        };
        match (who, word.lower.as_ref()) {
            (Some(Some(name)), _) if !named.is_empty() => named.push(Word::new(name)),
            (Some(_), _) => {
                if named.last().is_some_and(|last| matches!(last.lower.as_ref(), "to" | "for" | "with")) {
                    named.pop();
                }
            }
            (None, "my" | "your" | "our") => named.push(Word::new("the")),
            _ => named.push(word),
        }
    }
    named
}

/// The first name of whom "me" or "you" means, where it is not the owner.
pub(super) fn meant<'a>(word: &str, line: &Line<'a>, input: &Cast<'_, 'a>) -> Option<&'a str> {
    let mine = line.speaker.is_some() && same(line.speaker, input.owner);
    match word {
        "me" => line.speaker.filter(|_| !mine).and_then(first_name),
        "you" if mine => addressee(line, input),
        _ => None,
    }
}

/// Somebody whom a sentence names, by the first name.
pub(super) fn mentioned<'a>(text: &'a str, input: &Cast<'_, '_>) -> Option<&'a str> {
    let mut names =
        text.split(|c: char| !c.is_alphanumeric() && c != '-').filter(|word| word.starts_with(char::is_uppercase));
    names.rfind(|word| is_name(&word.to_lowercase(), input) && !same(Some(word), input.owner))
}

/// Whom the owner speaks to: the last other speaker before the line.
fn addressee<'a>(line: &Line<'a>, input: &Cast<'_, 'a>) -> Option<&'a str> {
    let before = input.lines.iter().take_while(|other| !std::ptr::eq(other.text, line.text));
    let other = before.filter_map(|line| line.speaker).filter(|speaker| !same(Some(speaker), input.owner)).last();
    other.and_then(first_name)
}

fn same(one: Option<&str>, other: Option<&str>) -> bool {
    let (Some(one), Some(other)) = (one, other) else { return false };
    one == other || first_name(one) == first_name(other)
}

/// The first name; of a role ("Project Manager") or handle, nothing.
fn first_name(name: &str) -> Option<&str> {
    name.split_whitespace().next().filter(|first| first.chars().next().is_some_and(char::is_uppercase))
}
