//! People whom a text speaks of by their given names, without their having said a word in it: "callum can you take that",
//! "Jago P → send for repair". In texts all in lower case nothing else tells a name from a word.

use super::name::{fold, without_ending};
use super::place::{self, Places};
use crate::feature::token::hash_word;
use crate::hash::HashedMap;
use crate::reader::{Kind, Transcript};
use std::collections::HashMap;
use std::sync::OnceLock;

/// Most people that are told apart by their given names.
const MOST: usize = 24;
/// Share of capitalised words below which a text is one in lower case.
const LOWER: f32 = 0.02;
/// Words that are needed to say so.
const ENOUGH: usize = 40;

/// Whether a word is, or begins with, the given name of many people, and hardly ever anything else: from the name lists of 60
/// countries, and those of the documents that the engine learns from.
pub fn is_given(word: &str) -> bool {
    static NAMES: OnceLock<HashedMap<()>> = OnceLock::new();
    let names =
        NAMES.get_or_init(|| include_str!("given.txt").split_whitespace().map(|name| (hash_word(name), ())).collect());
    let first = word.split('-').next().unwrap_or(word);
    names.contains_key(&hash_word(&fold(first)))
}

/// The names by which a transcript speaks of people, each once, in their order, as full as it writes them: given names of the
/// list, and whatever stands where only somebody can (`people::place`). `nouns` says that its language writes nouns with capitals.
pub fn names(transcript: &Transcript<'_>, nouns: bool) -> Vec<String> {
    let said = || transcript.utterances.iter().filter(|one| one.kind != Kind::Header);
    let texts = || said().map(|one| one.text.as_str());
    let is_lower = is_lower(texts());
    let mut found: Vec<(String, bool)> = Vec::new();
    for utterance in said() {
        let heading = matches!(utterance.kind, Kind::Heading(_) | Kind::TableHead);
        let places = Places::of(utterance.text.as_str(), nouns);
        let mut at = 0;
        while at < places.len() {
            let word = places.word(at);
            let capital = word.starts_with(char::is_uppercase);
            let given = is_given(word) && (capital || is_lower);
            let alone = at == 0 && places.end(at) == places.len() && place::is_word_too(word);
            let stands = !given && capital && if heading { alone } else { places.stands(at) };
            if !given && !stands {
                at += 1;
                continue;
            }
            let whole = if capital { places.end(at) } else { at + 1 };
            let end = if heading && whole < places.len() { at + 1 } else { whole };
            let name = if capital { places.name(at, end).to_owned() } else { capitalised(word) };
            let new = found.iter().all(|(known, _)| *known != name);
            if found.len() < MOST && new {
                found.push((name, stands && place::is_word_too(word)));
            }
            at = end;
        }
    }
    if !is_lower {
        // What mostly stands without its capital is a word: "Dan kom ik, en dan …, en dan …".
        let mut counts: HashMap<&str, usize> = HashMap::new();
        texts().flat_map(bare_words).for_each(|word| *counts.entry(word).or_default() += 1);
        let count = |word: &str| counts.get(word).copied().unwrap_or_default();
        found.retain(|(name, sure)| *sure || count(&first(name).to_lowercase()) <= count(first(name)));
    }
    found.into_iter().map(|(name, _)| name).collect()
}

fn first(name: &str) -> &str {
    name.split(' ').next().unwrap_or(name)
}

fn is_lower<'t>(texts: impl Iterator<Item = &'t str>) -> bool {
    let (mut all, mut capitals) = (0, 0);
    // "I" has its capital in texts that have no other.
    for word in texts.flat_map(bare_words).filter(|word| !word.starts_with("I'") && *word != "I") {
        all += 1;
        capitals += usize::from(word.starts_with(char::is_uppercase));
    }
    all >= ENOUGH && (capitals as f32) < all as f32 * LOWER
}

/// The words of a text as written, each with what stands between it and the next.
pub fn words(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let apart = |one: char| !(one.is_alphanumeric() || matches!(one, '\'' | '’' | '-'));
    let mut rest = text.trim_start_matches(apart);
    std::iter::from_fn(move || {
        let (word, behind) = rest.split_at(rest.find(apart).unwrap_or(rest.len()));
        rest = behind.trim_start_matches(apart);
        (!word.is_empty()).then(|| (word, &behind[..behind.len() - rest.len()]))
    })
}

/// Its words that begin with a letter, without the ending of "Sam's".
fn bare_words(text: &str) -> impl Iterator<Item = &str> {
    words(text).map(|(word, _)| without_ending(word)).filter(|word| word.starts_with(char::is_alphabetic))
}

/// A word with a capital at its beginning.
pub fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Document;
    use crate::reader::read;

    fn names_in(text: &str) -> Vec<String> {
        names(&read(&Document { source_type: "meeting", title: None, text }), false)
    }

    #[test]
    fn in_lower_case_given_names_are_people_and_other_words_are_not() {
        let text = "right callum has just walked in so can you take the winter times off the site before the first and \
                    i will tell priya's team about the new joke on the notice board and then we need somebody who can \
                    open the hall on saturday i can do that said mirko and rose to his feet";
        assert_eq!(names_in(text), ["Callum", "Priya", "Mirko"]);
    }

    #[test]
    fn with_capitals_only_capitalised_ones_are_and_an_initial_belongs_to_them() {
        let text = "Drysuit no. 6: Jago W to send for repair.\nflares: Jago P did them, ask kevin.\n";
        assert_eq!(names_in(text), ["Jago W", "Jago P"]);
        assert_eq!(names_in("- [ ] Priya Shah: Book the room\n- ask Mirko: he knows\n"), ["Priya Shah", "Mirko"]);
        assert_eq!(names_in("Dan blijft het open, maar Joris kijkt er dan naar, en dan ik.\n"), ["Joris"]);
    }
}
