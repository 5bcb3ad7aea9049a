//! Titles: a short imperative phrase that stands alone, from the sentences that a task rests on.
//!
//! The sentences around a task are a [`scene`]: each is read for the actions that it names ([`action`]: what follows
//! "I'll", "can you", "Sam to", a label, or an imperative, up to a reason, a condition or a date), for the things that it
//! speaks of ([`thing`]), and for what may be said behind an action ([`phrase`]). A small linear model says of each word
//! there how likely it is to stand in the title ([`vocabulary`]). Titles are made of actions whose pronouns are replaced
//! by things ([`candidate`]), and made fuller ([`widen`]); the ones with the likeliest words are kept, and of these another
//! small linear model takes the one that it expects to be best ([`rank`]).

mod action;
mod candidate;
mod foreign;
mod label;
mod lead;
mod people;
mod phrase;
mod rank;
mod scene;
mod thing;
mod trim;
mod verb;
mod vocabulary;
mod widen;
mod word;

use crate::model::math::sigmoid;
use crate::model::table::Table;
use candidate::Draft;
pub use rank::Features;
use scene::Scene;
use std::collections::HashSet;
use vocabulary::Vocabulary;
use word::{Word, has};

/// What is learnt of titles.
#[derive(Clone, Debug)]
pub struct Model {
    /// Which words a title holds.
    pub keep: Table,
    /// Which of many titles is best.
    pub rank: Table,
}

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
    /// The title of the text.
    pub topic: &'a str,
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

    /// Whether it is said in English.
    fn is_english(&self) -> bool {
        self.input.language.starts_with("en")
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

/// The title of a task; empty only where its sentences hold no word. One that does not read well is taken only where
/// none does.
#[must_use]
pub fn compose(input: &TitleInput<'_>, model: &Model) -> String {
    let cast = Cast::of(input);
    let keep = |features: &[u32]| model.keep.logit(features);
    let worth =
        |features: &Features| features.iter().map(|(feature, value)| model.rank.weight(*feature) * value).sum::<f32>();
    let scored =
        drafts(&cast, &keep).into_iter().map(|(draft, features)| (reads_well(&draft.words), worth(&features), draft));
    let best = scored.reduce(|best, next| {
        let better = next.0.cmp(&best.0).then(next.1.total_cmp(&best.1)).is_gt();
        if better { next } else { best }
    });
    best.map(|(_, _, draft)| finish(&draft.words)).unwrap_or_default()
}

/// Whether words read like an order: nobody but the one who is told acts in them, and no word of content comes twice.
fn reads_well(words: &[Word<'_>]) -> bool {
    const VOICES: &str = "i i'll i'm i've i'd we we'll we're we've he'll she'll they'll you'll you're thanks thank";
    const LOOSE: &str = "also then now still not and or but";
    let voices = words.iter().skip(1).any(|word| has(VOICES, &word.lower));
    let loose = words.get(1).is_some_and(|word| has(LOOSE, &word.lower));
    let twice = (1..words.len()).any(|at| {
        !words[at].little && !words[at].is_mark() && words[..at].iter().any(|word| word.hash == words[at].hash)
    });
    !voices && !loose && !twice
}

/// The words that a title may hold, in lower case, each with what speaks for it, hashed.
#[must_use]
pub fn words(input: &TitleInput<'_>) -> Vec<(String, Vec<u32>)> {
    let cast = Cast::of(input);
    let scene = Scene::of(&cast);
    let entries = Vocabulary::of(&scene).entries.into_iter();
    entries.map(|entry| (entry.word.into_owned(), entry.features)).collect()
}

/// What [`compose`] chooses from: each title with what speaks for it. `keep` is the logit of a word of [`words`].
#[must_use]
pub fn candidates(input: &TitleInput<'_>, keep: &dyn Fn(&[u32]) -> f32) -> Vec<(String, Features)> {
    let drafts = drafts(&Cast::of(input), keep).into_iter();
    drafts.map(|(draft, features)| (finish(&draft.words), features)).collect()
}

/// The drafts of a task with what speaks for each; in English, those that begin with a verb, where any does.
fn drafts<'a>(cast: &Cast<'_, 'a>, keep: &dyn Fn(&[u32]) -> f32) -> Vec<(Draft<'a>, Features)> {
    let scene = Scene::of(cast);
    let mut vocabulary = Vocabulary::of(&scene);
    vocabulary.weigh(&|features| sigmoid(f64::from(keep(features))) as f32);
    let mut drafts = candidate::all(&scene, &vocabulary);
    let orders = |draft: &Draft<'_>| draft.words.first().is_some_and(|word| word.verb);
    if cast.is_english() && drafts.iter().any(orders) {
        drafts.retain(orders);
    }
    let with = |draft: Draft<'a>| {
        let features = rank::features(&draft, &scene, &vocabulary);
        (draft, features)
    };
    drafts.into_iter().map(with).collect()
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
    use crate::weights::weights;

    fn title(owner: Option<&str>, lines: &[(&str, &str)]) -> String {
        let lines: Vec<Line<'_>> =
            lines.iter().map(|(speaker, text)| Line { text, speaker: Some(speaker), evidence: true }).collect();
        let names = &["Sam Ortiz", "Dana Reyes"];
        let input = TitleInput { lines: &lines, owner, names, topic: "", language: "en" };
        weights().map(|weights| compose(&input, &weights.title)).unwrap_or_default()
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
    fn the_other_two_say_what_two() {
        let lines = [
            ("Sam Ortiz", "How far are the floor plans?"),
            ("Dana Reyes", "One of the floor plans is done. I'll finish the other two by Friday"),
        ];
        assert_eq!(title(Some("Dana Reyes"), &lines), "Finish the other two floor plans");
    }

    #[test]
    fn no_title_says_i_or_says_a_thing_twice() {
        let lines = [
            ("Dana Reyes", "could you order the raffle tickets"),
            ("Sam Ortiz", "yes, I'll order raffle tickets, thanks"),
        ];
        let title = title(Some("Sam Ortiz"), &lines).to_lowercase();
        assert!(title.starts_with("order") && !title.contains("i'll") && !title.contains("thanks"), "{title}");
        assert_eq!(title.matches("raffle").count(), 1, "{title}");
    }

    #[test]
    fn an_acceptance_takes_its_action_from_the_ask() {
        let lines =
            [("Dana Reyes", "could you forward that reply to legal?"), ("Sam Ortiz", "yep, I'll do it tonight")];
        assert_eq!(title(Some("Sam Ortiz"), &lines), "Forward that reply to legal");
    }
}
