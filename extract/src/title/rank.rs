//! Which of many titles is best: a linear model of how near each would come to a title that a person gives.
//!
//! Its weights stand in `weights/title.txt`, fitted by least squares to the titles of the training documents.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::Cast;
use super::action::{Form, is_pronoun};
use super::candidate::{Joint, Source};
use super::word::{Word, has};

/// What speaks for and against a title, in the order of [`FEATURES`].
pub type Features = [f64; FEATURES.len()];

/// Names of the features.
pub const FEATURES: [&str; 57] = [
    "bias",
    "evidence",
    "last evidence",
    "first evidence",
    "distance",
    "bare",
    "need",
    "present",
    "imperative",
    "first",
    "second",
    "third",
    "doubtful",
    "question",
    "own voice",
    "other voice",
    "words",
    "words squared",
    "content",
    "little share",
    "pronoun",
    "hollow verb",
    "send",
    "write",
    "talk",
    "common verb",
    "no verb",
    "behind",
    "pronoun filled",
    "for",
    "about",
    "thing evidence",
    "thing distance",
    "thing after",
    "thing words",
    "thing acted",
    "thing article",
    "frequency",
    "thing frequency",
    "overlap",
    "date",
    "dangling",
    "digits",
    "capitals",
    "repeated",
    "tiny",
    "past",
    "sent",
    "finite",
    "negated",
    "thing fresh",
    "object",
    "agrees",
    "disagrees",
    "person",
    "person left",
    "own second",
];

/// The lines of a task as a whole.
pub(super) struct Scene {
    /// How many lines hold each word.
    held: HashMap<String, usize>,
    first: usize,
    last: usize,
    /// The evidence in lower case, with its line.
    evidence: Vec<(usize, String)>,
}

impl Scene {
    /// Counts the words of all lines.
    pub fn of(input: &Cast<'_, '_>) -> Self {
        let mut held: HashMap<String, usize> = HashMap::new();
        for line in input.lines {
            let mut words: Vec<String> =
                line.text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase).collect();
            words.sort_unstable();
            words.dedup();
            words.into_iter().filter(|word| !word.is_empty()).for_each(|word| *held.entry(word).or_default() += 1);
        }
        let first = input.lines.iter().position(|line| line.evidence).unwrap_or_default();
        let last = input.lines.iter().rposition(|line| line.evidence).unwrap_or_default();
        let evidence = input.lines.iter().enumerate().filter(|(_, line)| line.evidence);
        let evidence = evidence.map(|(at, line)| (at, line.text.to_lowercase())).collect();
        Self { held, first, last, evidence }
    }

    /// How often the words with content are said, on average.
    fn frequency(&self, words: &[Word<'_>]) -> f64 {
        let counts: Vec<f64> = words
            .iter()
            .filter(|word| !word.little && !word.is_mark())
            .map(|word| self.held.get(&word.lower).copied().unwrap_or(0) as f64)
            .collect();
        if counts.is_empty() { 0.0 } else { counts.iter().sum::<f64>() / counts.len() as f64 }
    }

    /// The features of a candidate.
    pub fn features(&self, words: &[Word<'_>], source: &Source<'_, '_>, input: &Cast<'_, '_>) -> Features {
        let line = &input.lines[source.line];
        let form = source.action.form;
        let is = f64::from;
        let plain: Vec<&Word<'_>> = words.iter().filter(|word| !word.is_mark()).collect();
        let little = plain.iter().filter(|word| word.little).count();
        let verb = words.first().map_or("", |word| word.lower.as_str());
        let own = line.speaker.is_some() && line.speaker == input.owner;
        let size = plain.len() as f64;
        let distance = self.distance(source.line, input) as f64;
        let thing = source.thing;
        let repeated =
            (1..plain.len()).any(|at| plain[..at].iter().any(|word| word.lower == plain[at].lower && !word.little));
        [
            1.0,
            is(line.evidence),
            is(source.line == self.last),
            is(source.line == self.first),
            distance,
            is(form == Form::Bare),
            is(form == Form::Need),
            is(form == Form::Present),
            is(form == Form::Imperative),
            is(form == Form::First),
            is(form == Form::Second),
            is(form == Form::Third),
            is(source.action.doubtful),
            is(line.text.trim_end().ends_with('?')),
            is(own && form == Form::First),
            is(!own && form == Form::First && input.owner.is_some()),
            size,
            size * size / 10.0,
            (plain.len() - little) as f64,
            little as f64 / size.max(1.0),
            is(words.iter().any(|word| is_pronoun(&word.lower))),
            is(is_hollow(verb)),
            is(verb == "send"),
            is(matches!(verb, "write" | "draft" | "make")),
            is(matches!(verb, "ask" | "tell" | "ring" | "call" | "email")),
            is(is_common(verb)),
            is(!super::verb::is_verb(verb)),
            is(source.joint == Joint::Behind),
            is(source.joint == Joint::Pronoun),
            is(source.joint == Joint::For),
            is(source.joint == Joint::About),
            is(thing.is_some_and(|thing| input.lines[thing.line].evidence)),
            thing.map_or(0.0, |thing| thing.line.abs_diff(source.line).min(8) as f64),
            is(thing.is_some_and(|thing| thing.line > source.line)),
            thing.map_or(0.0, |thing| thing.words.len() as f64),
            is(thing.is_some_and(|thing| thing.acted)),
            is(thing.is_some_and(|thing| {
                thing.words.first().is_some_and(|word| matches!(word.lower.as_str(), "the" | "a" | "an"))
            })),
            self.frequency(words),
            thing.map_or(0.0, |thing| self.frequency(&thing.words)),
            self.overlap(words, source.line),
            is(words.iter().any(|word| word.date)),
            is(words.last().is_some_and(|word| word.little || word.is_mark())),
            is(words.iter().any(|word| word.lower.bytes().any(|b| b.is_ascii_digit()))),
            words.iter().skip(1).filter(|word| word.text.starts_with(char::is_uppercase)).count().min(4) as f64,
            is(repeated),
            is(plain.len() < 3),
            is(form == Form::Past),
            is(source.joint == Joint::Sent),
            is(plain.iter().skip(1).any(|word| is_finite(&word.lower))),
            is(plain.iter().any(|word| matches!(word.lower.as_str(), "not" | "no" | "don't" | "can't"))),
            is(thing.is_some_and(|thing| thing.words.first().is_some_and(|word| word.starts))),
            is(plain.iter().skip(1).any(|word| !word.little)),
            is(agreement(source) == Some(true)),
            is(agreement(source) == Some(false)),
            is(thing.is_some_and(|thing| thing.person)),
            is(plain.iter().skip(1).any(|word| matches!(word.lower.as_str(), "him" | "her"))),
            is(own && form == Form::Second),
        ]
    }

    /// Lines between one and the nearest evidence.
    fn distance(&self, line: usize, input: &Cast<'_, '_>) -> usize {
        (0..input.lines.len())
            .filter(|at| input.lines[*at].evidence)
            .map(|at| at.abs_diff(line))
            .min()
            .unwrap_or(0)
            .min(8)
    }

    /// Share of the words with content that other evidence holds too.
    fn overlap(&self, words: &[Word<'_>], line: usize) -> f64 {
        let others: Vec<&str> =
            self.evidence.iter().filter(|(at, _)| *at != line).map(|(_, text)| text.as_str()).collect();
        let content: Vec<&Word<'_>> = words.iter().filter(|word| !word.little && !word.is_mark()).collect();
        let shared =
            content.iter().filter(|word| others.iter().any(|other| other.contains(word.lower.as_str()))).count();
        if content.is_empty() { 0.0 } else { shared as f64 / content.len() as f64 }
    }
}

/// Whether the thing put in for "it" or "them" is one or many as the pronoun says; `None` without either.
fn agreement(source: &Source<'_, '_>) -> Option<bool> {
    let thing = source.thing.filter(|thing| source.joint == Joint::Pronoun && !thing.person)?;
    let pronoun = source.action.words.iter().skip(1).find(|word| is_pronoun(&word.lower))?;
    let head = thing.words.iter().take_while(|word| !has("of for on in from about at", &word.lower)).last()?;
    let many = head.lower.ends_with('s') && !head.lower.ends_with("ss");
    Some(many == has("them those these ones", &pronoun.lower))
}

/// Verbs that say little.
fn is_hollow(verb: &str) -> bool {
    matches!(
        verb,
        "do" | "have"
            | "be"
            | "get"
            | "go"
            | "come"
            | "see"
            | "look"
            | "try"
            | "let"
            | "know"
            | "think"
            | "say"
            | "take"
            | "want"
            | "need"
            | "mean"
            | "start"
    )
}

/// Words that make a clause, where a title should have none.
fn is_finite(word: &str) -> bool {
    matches!(
        word,
        "is" | "are"
            | "was"
            | "were"
            | "has"
            | "had"
            | "does"
            | "did"
            | "i"
            | "he"
            | "she"
            | "we"
            | "they"
            | "it's"
            | "that's"
            | "will"
            | "would"
    )
}

/// Verbs that many titles begin with.
fn is_common(verb: &str) -> bool {
    const COMMON: &str = "send write ask get tell ring put make call book email give sign draft check chase find bring order add \
        submit set cut review phone run fill deliver correct open fix upload forward confirm mark finish";
    has(COMMON, verb)
}

/// How good a candidate is expected to be.
pub(super) fn score(features: &Features) -> f64 {
    features.iter().zip(weights()).map(|(value, weight)| value * weight).sum()
}

fn weights() -> &'static [f64] {
    static WEIGHTS: OnceLock<Vec<f64>> = OnceLock::new();
    WEIGHTS.get_or_init(|| {
        let lines = include_str!("../../weights/title.txt").lines();
        let known: HashMap<&str, f64> = lines
            .filter_map(|line| line.split_once('\t'))
            .filter_map(|(name, weight)| Some((name, weight.parse().ok()?)))
            .collect();
        FEATURES.iter().map(|name| known.get(name).copied().unwrap_or(0.0)).collect()
    })
}
