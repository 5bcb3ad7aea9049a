//! "me", "you", "us" in an action: the people they mean, by their first names, or nothing.

use super::kind;
use super::word::{Word, hash};
use crate::feature::word::HashedMap;

/// Who takes part in a text and what is spoken in it, as a line is read.
#[derive(Clone, Copy)]
pub(super) struct Cast<'c> {
    /// The names of all who take part, each word apart.
    pub names: &'c Names,
    /// Those of who is to do a task, where they are not among them.
    pub own: &'c [String],
    /// BCP 47.
    pub language: &'c str,
}

/// The words of names, in lower case, by their hash.
pub(super) type Names = HashedMap<()>;

/// The words of a name, in lower case.
pub(super) fn parts(name: &str) -> impl Iterator<Item = String> + '_ {
    name.split_whitespace().filter(|part| part.len() > 1).map(str::to_lowercase)
}

/// Whether a lower-case word is a part of somebody's name.
pub(super) fn is_name(word: &str, cast: &Cast<'_>) -> bool {
    let word = word.trim_start_matches('@').trim_end_matches("'s");
    cast.names.contains_key(&hash(word)) || cast.own.iter().any(|own| own == word)
}

/// Whom "me" and "you" mean in a line, by the first name, where it is not the owner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Meant<'a> {
    pub me: Option<&'a str>,
    pub you: Option<&'a str>,
}

impl<'a> Meant<'a> {
    /// Whom they mean in what `speaker` says of a task of `owner`; `before` are those who spoke before, in order.
    pub fn of(speaker: Option<&'a str>, owner: Option<&str>, before: impl Iterator<Item = &'a str>) -> Self {
        let mine = speaker.is_some() && same(speaker, owner);
        if mine {
            let other = before.filter(|before| !same(Some(before), owner)).last();
            Self { me: None, you: other.and_then(first_name) }
        } else {
            Self { me: speaker.and_then(first_name), you: None }
        }
    }

    /// Whom a word means, if it is one of them.
    pub fn by(&self, kinds: kind::Kinds) -> Option<&'a str> {
        match () {
            () if kinds & kind::ME != 0 => self.me,
            () if kinds & kind::YOU != 0 => self.you,
            () => None,
        }
    }
}

/// Puts names for "me" and "you", and articles for "my" and "your".
pub(super) fn named<'a>(words: Vec<Word<'a>>, meant: &Meant<'a>) -> Vec<Word<'a>> {
    let mut named: Vec<Word<'a>> = Vec::with_capacity(words.len());
    for word in words {
        let who = match word.lower.as_ref() {
            "me" | "you" => Some(meant.by(word.kinds)),
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

/// Everybody whom a sentence names, word by word.
pub(super) fn mentions<'a>(text: &'a str, cast: &Cast<'_>) -> Vec<&'a str> {
    let names =
        text.split(|c: char| !c.is_alphanumeric() && c != '-').filter(|word| word.starts_with(char::is_uppercase));
    names.filter(|word| is_name(&word.to_lowercase(), cast)).collect()
}

/// The last of those mentioned who is not the owner.
pub(super) fn mentioned<'a>(mentions: &[&'a str], owner: Option<&str>) -> Option<&'a str> {
    mentions.iter().rfind(|word| !same(Some(word), owner)).copied()
}

fn same(one: Option<&str>, other: Option<&str>) -> bool {
    let (Some(one), Some(other)) = (one, other) else { return false };
    one == other || first_name(one) == first_name(other)
}

/// The first name; of a role ("Project Manager") or handle, nothing.
fn first_name(name: &str) -> Option<&str> {
    name.split_whitespace().next().filter(|first| first.chars().next().is_some_and(char::is_uppercase))
}
