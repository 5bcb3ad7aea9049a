//! Pronouns: what "it" and "them" stand for, taken from the other sentences.

use super::action::{Action, Form, is_little, is_pronoun};
use super::verb;
use super::word::{Word, split};
use super::{LONGEST, TitleInput};

/// Replaces the first pronoun by the thing that the nearest sentence names; of two, evidence before context.
pub(super) fn resolve<'a>(
    words: Vec<Word<'a>>,
    at: usize,
    read: &[Option<Action<'a>>],
    input: &TitleInput<'a>,
) -> Vec<Word<'a>> {
    let Some(place) = words.iter().position(|word| is_pronoun(&word.lower)) else { return words };
    let bare = words.get(place + 1).is_none_or(|next| {
        next.is_mark()
            || is_little(&next.lower)
            || next.date
            || next.lower.len() > 3
                && !matches!(words[place].lower.as_str(), "that" | "this" | "one" | "those" | "these")
    });
    if !bare || place == 0 {
        return words;
    }
    let Some(thing) = nearest(at, read, input) else { return words };
    let mut resolved = words;
    resolved.splice(place..=place, thing);
    resolved.truncate(LONGEST);
    resolved
}

/// The thing that the sentences around one name: evidence first, then what stands nearest before.
fn nearest<'a>(at: usize, read: &[Option<Action<'a>>], input: &TitleInput<'a>) -> Option<Vec<Word<'a>>> {
    let mut order: Vec<usize> = (0..at).rev().chain(at + 1..read.len()).collect();
    order.sort_by_key(|other| !input.lines[*other].evidence);
    let acted = |other: usize| read[other].as_ref().filter(|action| action.form > Form::Bare).and_then(of_action);
    order.into_iter().find_map(|other| acted(other).or_else(|| topic(input.lines[other].text, input)))
}

/// The thing that an action is about: the words behind its verb, up to a place or person.
fn of_action<'a>(action: &Action<'a>) -> Option<Vec<Word<'a>>> {
    let from = usize::from(action.words.first().is_some_and(|word| verb::is_verb(&word.lower)));
    let words: Vec<Word<'a>> = action.words[from..]
        .iter()
        .skip_while(|word| word.is_mark())
        .take_while(|word| {
            !word.is_mark()
                && !matches!(
                    word.lower.as_str(),
                    "to" | "into" | "with" | "by" | "is" | "was" | "and" | "that" | "has" | "if" | "whether"
                )
        })
        .cloned()
        .collect();
    good(words)
}

/// A thing worth naming: some content, no pronoun, not too long.
fn good(words: Vec<Word<'_>>) -> Option<Vec<Word<'_>>> {
    let content = words.iter().filter(|word| !is_little(&word.lower) && !word.date).count();
    let hollow = words.iter().any(|word| is_pronoun(&word.lower) && words.len() < 3)
        || words.first().is_some_and(|word| is_pronoun(&word.lower) && words.len() < 2);
    (content > 0 && !hollow && words.len() <= 8).then_some(words)
}

/// The thing that a sentence speaks of: its first words behind an article, with what is said "of" and "for" them; of a
/// sentence without verbs, all of it.
fn topic<'a>(text: &'a str, input: &TitleInput<'_>) -> Option<Vec<Word<'a>>> {
    let words = split(text, input.language);
    let plain = words.iter().filter(|word| !word.is_mark()).count();
    if (1..=4).contains(&plain) && words.iter().all(|word| !is_function(&word.lower) && !word.date) {
        let all: Vec<_> = words.into_iter().filter(|word| !word.is_mark()).collect();
        return good(all);
    }
    let start = words.iter().position(|word| is_article(&word.lower))?;
    let mut end = start + 1;
    while end < words.len() {
        let links = matches!(words[end].lower.as_str(), "of" | "for" | "on" | "in" | "from" | "about" | "at")
            && words.get(end + 1).is_some_and(|next| !is_function(&next.lower) || is_article(&next.lower))
            && end > start + 1;
        if words[end].is_mark()
            || words[end].date
            || (is_function(&words[end].lower)
                && !links
                && !(is_article(&words[end].lower) && is_link(&words[end - 1].lower)))
        {
            break;
        }
        end += 1;
    }
    good(words.into_iter().skip(start).take((end - start).min(8)).collect())
}

fn is_link(word: &str) -> bool {
    matches!(word, "of" | "for" | "on" | "in" | "from" | "about" | "at")
}

fn is_article(word: &str) -> bool {
    matches!(word, "the" | "a" | "an" | "your" | "my" | "our" | "his" | "her" | "their" | "another")
}

/// Words that end a noun phrase.
fn is_function(word: &str) -> bool {
    const WORDS: [&str; 62] = [
        "is", "are", "was", "were", "has", "have", "had", "will", "would", "can", "could", "should", "must", "do",
        "does", "did", "and", "or", "but", "so", "to", "of", "for", "on", "in", "at", "from", "with", "by", "about",
        "that", "this", "it", "i", "you", "he", "she", "we", "they", "me", "us", "him", "them", "who", "which", "what",
        "where", "when", "how", "if", "because", "as", "then", "not", "no", "there", "says", "said", "still", "the",
        "a", "an",
    ];
    WORDS.contains(&word) || word.contains('\'')
}
