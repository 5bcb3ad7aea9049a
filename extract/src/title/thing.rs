//! Pronouns: what "it" and "them" stand for, taken from the other sentences.

use super::Cast;
use super::action::{Action, Form, is_pronoun};
use super::people;
use super::verb;
use super::word::{Word, has};

/// A thing that a sentence names.
#[derive(Clone, Debug)]
pub(super) struct Thing<'a> {
    /// Its words.
    pub words: Vec<Word<'a>>,
    /// Number of the line that names it.
    pub line: usize,
    /// Whether it is what an action is about.
    pub acted: bool,
    /// Whether it is somebody.
    pub person: bool,
}

/// Most things of one sentence.
const MOST: usize = 5;

/// The things that a line names: what its actions are about, then what it speaks of.
pub(super) fn all<'a>(line: usize, words: &[Word<'a>], actions: &[Action<'a>], input: &Cast<'_, 'a>) -> Vec<Thing<'a>> {
    let acted = actions.iter().filter(|action| action.form > Form::Bare).filter_map(of_action).map(|words| Thing {
        words,
        line,
        acted: true,
        person: false,
    });
    let people = people::mentioned(input.lines[line].text, input).into_iter().map(|name| Thing {
        words: vec![Word::new(name)],
        line,
        acted: false,
        person: true,
    });
    let topics = topics(words).into_iter().map(|words| Thing { words, line, acted: false, person: false });
    let mut things: Vec<Thing<'a>> = Vec::new();
    for thing in acted.chain(topics).chain(people) {
        let same = |known: &Thing<'_>| {
            known.words.iter().map(|word| &word.lower).eq(thing.words.iter().map(|word| &word.lower))
        };
        if !things.iter().any(same) && things.len() < MOST {
            things.push(thing);
        }
    }
    things
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

/// Nouns that name nothing: times, amounts, manners.
const VAGUE: &str = "minute minutes moment morning afternoon evening night week weeks day days month year hour hours lot bit time way thing things question \
    idea end start way case fact point moment while problem same rest other others first last next second number kind sort one two three";

/// A thing worth naming: some content, no pronoun, not too long.
fn good(words: Vec<Word<'_>>) -> Option<Vec<Word<'_>>> {
    let content = words.iter().filter(|word| !word.little && !word.date).count();
    let hollow = words.iter().any(|word| is_pronoun(&word.lower) && words.len() < 3)
        || words.first().is_some_and(|word| is_pronoun(&word.lower) && words.len() < 2);
    let vague = words.iter().filter(|word| !word.little).all(|word| has(VAGUE, &word.lower));
    (content > 0 && !hollow && !vague && words.len() <= 8).then_some(words)
}

/// The things that a sentence speaks of: words behind an article, with what is said "of" and "for" them; of a sentence
/// without verbs, all of it.
fn topics<'a>(words: &[Word<'a>]) -> Vec<Vec<Word<'a>>> {
    let plain = words.iter().filter(|word| !word.is_mark()).count();
    if (1..=5).contains(&plain)
        && words.iter().all(|word| !is_function(&word.lower) || is_article(&word.lower))
        && words.iter().any(|word| !word.date)
    {
        return good(words.iter().filter(|word| !word.is_mark()).cloned().collect()).into_iter().collect();
    }
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let head = is_article(&words[at].lower)
            || at > 0
                && !words[at].is_mark()
                && words[at].text.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
        if !head {
            at += 1;
            continue;
        }
        let end = phrase_end(words, at);
        found.extend(good(words[at..end].to_vec()));
        let inner = (at + 1..end).find(|inner| is_link(&words[*inner].lower) && *inner > at + 1);
        found.extend(inner.and_then(|inner| good(words[at..inner].to_vec())));
        at = end.max(at + 1);
    }
    found
}

/// Where the noun phrase that begins at a word ends, with up to two more linked to it.
fn phrase_end(words: &[Word<'_>], start: usize) -> usize {
    let mut end = start + 1;
    while end < words.len() && end - start < 8 {
        let goes_on = words.get(end + 1).is_some_and(|next| {
            !next.date && !next.is_mark() && (!is_function(&next.lower) || is_article(&next.lower))
        });
        let links = is_link(&words[end].lower) && end > start + 1 && goes_on;
        let article = is_article(&words[end].lower) && is_link(&words[end - 1].lower);
        if words[end].is_mark() || words[end].date || (is_function(&words[end].lower) && !links && !article) {
            break;
        }
        end += 1;
    }
    end
}

fn is_link(word: &str) -> bool {
    matches!(word, "of" | "for" | "on" | "in" | "from" | "about" | "at")
}

fn is_article(word: &str) -> bool {
    matches!(word, "the" | "a" | "an" | "your" | "my" | "our" | "his" | "her" | "their" | "another")
}

/// Words that end a noun phrase.
fn is_function(word: &str) -> bool {
    const WORDS: &str = "is are was were has have had will would can could should must do does did and or but so to of for on in \
        at from with by about that this it i you he she we they me us him them who which what where when how if \
        because as then not no there says said still the a an";
    has(WORDS, word) || word.contains('\'')
}
