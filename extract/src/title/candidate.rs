//! All titles that could be made of a task's sentences.

use super::action::{self, Action, Form, is_pronoun};
use super::rank::{self, Features};
use super::thing::{self, Thing};
use super::word::{self, Word};
use super::{Cast, LONGEST};

/// A title that could be.
pub(super) struct Candidate<'a> {
    /// Its words.
    pub words: Vec<Word<'a>>,
    /// What speaks for and against it.
    pub features: Features,
}

/// What a candidate is made of.
pub(super) struct Source<'s, 'a> {
    /// The action.
    pub action: &'s Action<'a>,
    /// The line that names it.
    pub line: usize,
    /// The thing put in for a pronoun, or behind the action.
    pub thing: Option<&'s Thing<'a>>,
    /// How the thing is put in.
    pub joint: Joint,
}

/// How a thing is joined to an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Joint {
    /// No thing.
    None,
    /// In the place of a pronoun.
    Pronoun,
    /// Behind the action: "Send", then "the file".
    Behind,
    /// Words without a verb, as something to be sent.
    Sent,
    /// Behind the action with "about" between.
    About,
    /// Behind the action with "for" between.
    For,
}

/// Most things, nearest first, that are tried with an action.
const THINGS: usize = 12;

/// Most lines between an action and a thing put behind it with "for".
const NEAR: usize = 3;

/// Every candidate of a task.
pub(super) fn all<'a>(input: &Cast<'_, 'a>) -> Vec<Candidate<'a>> {
    let words: Vec<Vec<Word<'a>>> = input.lines.iter().map(|line| word::split(line.text, input.language)).collect();
    let actions: Vec<Vec<Action<'a>>> =
        input.lines.iter().zip(&words).map(|(line, words)| action::all(line, words, input)).collect();
    let things: Vec<Thing<'a>> =
        (0..actions.len()).flat_map(|line| thing::all(line, &words[line], &actions[line], input)).collect();
    let scene = rank::Scene::of(input);
    let mut found = Vec::new();
    for (line, action) in
        actions.iter().enumerate().flat_map(|(line, actions)| actions.iter().map(move |action| (line, action)))
    {
        let mut keep = |words: Vec<Word<'a>>, thing: Option<&Thing<'a>>, joint: Joint| {
            let source = Source { action, line, thing, joint };
            let features = scene.features(&words, &source, input);
            found.push(Candidate { words, features });
        };
        keep(action.words.clone(), None, Joint::None);
        if let Some(words) = first_half(&action.words) {
            keep(words, None, Joint::None);
        }
        if action.form == Form::Bare {
            let sent = [Word::new("Send")].into_iter().chain(action.words.iter().cloned()).collect();
            keep(sent, None, Joint::Sent);
        }
        let mut near: Vec<&Thing<'a>> = things.iter().collect();
        near.sort_by_key(|thing| (thing.line > line, thing.line.abs_diff(line)));
        for thing in near.into_iter().take(THINGS) {
            for (words, joint) in joined(action, thing, thing.line.abs_diff(line) <= NEAR) {
                keep(words, Some(thing), joint);
            }
        }
    }
    found
}

/// The action up to its "and", where more follows: "draft the summary", of "draft the summary and send it round".
fn first_half<'a>(words: &[Word<'a>]) -> Option<Vec<Word<'a>>> {
    let and = words
        .iter()
        .position(|word| matches!(word.lower.as_str(), "and" | "," | "with" | "from"))
        .filter(|and| *and > 2)?;
    Some(words[..and].to_vec())
}

/// An action with a thing: for its pronoun, or behind it where it says little.
fn joined<'a>(action: &Action<'a>, thing: &Thing<'a>, near: bool) -> Vec<(Vec<Word<'a>>, Joint)> {
    let words = &action.words;
    let wanted = |word: &Word<'_>| {
        if thing.person { matches!(word.lower.as_str(), "him" | "her" | "them") } else { is_pronoun(&word.lower) }
    };
    let pronoun = words.iter().skip(1).position(wanted).map(|at| at + 1);
    if thing.person && pronoun.is_none() {
        return Vec::new();
    }
    let repeats = thing.words.iter().all(|word| word.little || words.iter().any(|known| known.lower == word.lower));
    if repeats {
        return Vec::new();
    }
    if let Some(place) = pronoun {
        let described = words[place - 1].text.len() > 1 && place > 1 && !words[place - 1].little;
        let owned = is_determiner(&words[place - 1].lower) || (words[place].lower.starts_with("one") && described);
        let mut with = words.clone();
        with.splice(place..=place, inner(thing, owned));
        with.truncate(LONGEST);
        return vec![(with, Joint::Pronoun)];
    }
    if words.len() > 6 || words.len() + thing.words.len() >= LONGEST {
        return Vec::new();
    }
    let talks = matches!(
        words[0].lower.as_str(),
        "ask"
            | "tell"
            | "write"
            | "call"
            | "ring"
            | "email"
            | "talk"
            | "chase"
            | "remind"
            | "phone"
            | "message"
            | "speak"
            | "text"
            | "contact"
            | "inform"
            | "mail"
    );
    let bare = words.iter().skip(1).all(|word| word.little);
    let with = |link: Option<&'static str>| {
        let mut with = words.clone();
        with.extend(link.map(Word::new));
        with.extend(inner(thing, false));
        with
    };
    match (bare, talks) {
        (true, false) => vec![(with(None), Joint::Behind)],
        (_, true) => vec![(with(Some("about")), Joint::About)],
        (false, false) if near => vec![(with(Some("for")), Joint::For)],
        (false, false) => Vec::new(),
    }
}

/// A thing as it stands inside a title: its article small, or gone where another word stands for it.
fn inner<'a>(thing: &Thing<'a>, owned: bool) -> Vec<Word<'a>> {
    let mut words = thing.words.clone();
    let article = words.first().is_some_and(|word| is_determiner(&word.lower));
    if article && owned {
        words.remove(0);
    } else if article {
        let plain = if matches!(words[0].lower.as_str(), "a" | "an") { words[0].lower.clone() } else { "the".into() };
        words[0] = Word::new(plain);
    } else if let Some(first) = words.first_mut().filter(|word| word.starts) {
        *first = Word::new(first.lower.clone());
    }
    words
}

fn is_determiner(word: &str) -> bool {
    matches!(word, "the" | "a" | "an" | "your" | "my" | "our" | "his" | "her" | "their" | "another")
}
