//! Titles: a short imperative phrase that stands alone, from the sentences that a task rests on.
//!
//! A title is what was said: a contiguous `clause` of a sentence, from its verb (`head`) to where something else begins,
//! without dates and fillers, with names for "me" and "you" (`people`). Where it lacks its object ("send it"), a noun
//! phrase (`noun_phrase`) of the lines around may stand in (`candidate`). Of all titles that could be made, trees take
//! the one that they expect to be best (`view`); one with a word from elsewhere only where other trees hold it true.

mod boundary;
mod candidate;
mod cjk;
mod clause;
mod context;
mod foreign;
mod head;
mod infinitive;
mod kind;
mod label;
mod need;
mod noun_phrase;
mod people;
mod qualifier;
pub mod tagger;
#[cfg(test)]
mod tests;
mod tidy;
mod verb;
mod view;
mod visible;
mod word;
mod wording;

use crate::encoder::Encoder;
use crate::model::forest::Forest;
use crate::model::hashed_linear::HashedLinear;
use crate::model::linear::Malformed;
use crate::word_list::WordList;
use candidate::{Candidate, Joint};
use head::Form;
use std::collections::HashSet;
use tagger::{Tagger, TaggerWindow, Tags};
use view::TitleView;

pub use context::{Said, TitleContext};
pub(crate) use head::takes_to;
pub(crate) use verb::is_verb;
pub use view::FEATURE_COUNT;
pub use visible::visible;
use word::Word;

/// What is learnt of titles.
#[derive(Clone, Debug)]
pub struct TitleModel {
    /// What is learnt together.
    pub trees: Trees,
    /// Which words of the lines around a title holds; trained apart, as the sentence encoder is.
    pub tagger: Tagger,
}

/// What is learnt of titles beside the tagger.
#[derive(Clone, Debug)]
pub struct Trees {
    /// How good a title is beside the others of its task, by its dense features and what `truth` says of it.
    pub worth: Forest,
    /// Whether what is put into it from elsewhere is right.
    pub truth: Forest,
    /// How titles are worded.
    pub wording: HashedLinear,
    /// What readers would make of a title, by the same features as `worth`: true and clear, true alone, or wrong.
    pub readers: Forest,
}

impl TitleModel {
    /// Reads a model from its files; the tagger has the embeddings of the sentence encoder.
    ///
    /// # Errors
    /// Where one is malformed.
    pub fn parse<'f>(file: impl Fn(&str) -> &'f [u8], encoder: &Encoder) -> Result<Self, Malformed> {
        Ok(Self {
            trees: Trees {
                worth: Forest::read(file("worth"), FEATURE_COUNT + 2)?,
                truth: Forest::read(file("truth"), FEATURE_COUNT + 1)?,
                wording: HashedLinear::read(file("wording"))?,
                readers: Forest::read(file("readers"), FEATURE_COUNT + 2)?,
            },
            tagger: Tagger::read(file("tagger"), encoder.transformer())?,
        })
    }
}

impl Trees {
    /// Their files: name and content.
    #[must_use]
    pub fn files(&self) -> [(String, Vec<u8>); 4] {
        [
            ("title.worth".to_owned(), self.worth.write()),
            ("title.truth".to_owned(), self.truth.write()),
            ("title.wording".to_owned(), self.wording.write()),
            ("title.readers".to_owned(), self.readers.write()),
        ]
    }
}

/// How strongly a sentence speaks for the task that rests on it, as logits.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Strength {
    /// That it is part of a task.
    pub part: f32,
    /// That it opens one.
    pub opening: f32,
    /// That it is a later sentence of one.
    pub continuation: f32,
}

/// A line that a title may draw on: its number, and how strongly it speaks for the task if the task rests on it.
pub type TitleLine = (usize, Option<Strength>);

/// A task whose title is asked for.
#[derive(Clone, Copy, Debug)]
pub struct TitleRequest<'a> {
    /// The lines that its title may draw on, in order.
    pub lines: &'a [TitleLine],
    /// Who is to do it.
    pub owner: Option<&'a str>,
    /// Which of the lines another task rests on: what they say is to be done is not this one.
    pub others: &'a [usize],
}

/// Truth logit of a title with nothing inserted.
pub const SURE: f32 = 10.0;
/// How many of the titles that are worth most are weighed by what readers would make of them, and how much that counts.
pub const CHOICES: usize = 8;
const READERS_WEIGHT: f32 = 2.0;
/// Minimum truth logit for an insertion that stands for a pronoun: a likelihood of a third.
pub const MIN_TRUTH: f32 = -0.6;
/// Truth logit of even odds: from there on a qualifier is put in, and above it an insertion makes one of the same words needless.
const PLAIN: f32 = 0.0;
/// Minimum truth logit for an insertion that the clause does not need (about 90 % precision).
const SURPLUS: f32 = 1.6;

/// A title, with the lines that it takes its words from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Title {
    /// As it is shown.
    pub text: String,
    /// The numbers of the lines, in no order.
    pub lines: Vec<usize>,
}

/// The title of a task; empty where its sentences hold no word that could be one.
#[must_use]
pub fn title(context: &mut TitleContext<'_>, asked: &TitleRequest<'_>, model: &TitleModel) -> Title {
    context.read(asked.lines);
    let window = if context.windows > 0 { window(context, asked) } else { None };
    context.windows -= usize::from(window.is_some());
    let view = TitleView::at(context, asked, window.map(|window| model.tagger.tags(&window)));
    let candidates = view.candidates();
    let drafts = drafts(&view, &candidates, &model.trees);
    let readers = |at: usize| if view.is_english() { model.trees.readers.logit(&drafts[at].features) } else { 0.0 };
    let worths = drafts.iter().map(|draft| (draft.worth, draft.text.as_str()));
    best(worths, readers).map(|at| drafts[at].candidate.title()).unwrap_or_default()
}

/// A title that could be chosen, with what the trees know of it.
struct TitleDraft<'c, 'p, 'a> {
    candidate: &'c Candidate<'p, 'a>,
    /// In lower case.
    text: String,
    features: Vec<f32>,
    /// The logit that what is put in from elsewhere is right.
    truth: f32,
    worth: f32,
}

/// The titles of a task that are true enough; none with a noun phrase in brackets that most likely is what the
/// pronoun means, so that "Send the survey" is said and not "Send it (survey)".
fn drafts<'c, 'p, 'a>(
    view: &TitleView<'p, 'a>,
    candidates: &'c [Candidate<'p, 'a>],
    trees: &Trees,
) -> Vec<TitleDraft<'c, 'p, 'a>> {
    let texts: Vec<String> = candidates.iter().map(|candidate| written(&candidate.words).to_lowercase()).collect();
    let draft = |(candidate, text): (&'c Candidate<'p, 'a>, &String)| {
        let less =
            if view.is_english() { acts_less(candidate, text, candidates, &texts) } else { says_less(text, &texts) };
        if less {
            return None;
        }
        let mut features = Vec::with_capacity(FEATURE_COUNT + 2);
        view.features(candidate, &mut features);
        features.push(trees.wording.logit(&wording::hashed_features(candidate)));
        let truth = if candidate.joined.is_some() { trees.truth.logit(&features) } else { SURE };
        features.push(truth);
        (truth >= least(candidate)).then(|| TitleDraft {
            candidate,
            text: text.clone(),
            truth,
            worth: trees.worth.logit(&features),
            features,
        })
    };
    let mut drafts: Vec<TitleDraft<'c, 'p, 'a>> = candidates.iter().zip(&texts).filter_map(draft).collect();
    let told: HashSet<Joining> =
        drafts.iter().filter(|draft| draft.truth > PLAIN).filter_map(TitleDraft::stands).collect();
    drafts.retain(|draft| draft.brackets().is_none_or(|joining| !told.contains(&joining)));
    drafts
}

/// A clause, by its line and its first and last word there, and a noun phrase, by its line and first word.
type Joining = (usize, usize, usize, Option<usize>, usize);

impl TitleDraft<'_, '_, '_> {
    fn joining(&self, is: impl Fn(Joint) -> bool) -> Option<Joining> {
        let Candidate { clause, line, joined, .. } = self.candidate;
        let joined = joined.filter(|joined| is(joined.joint))?;
        Some((*line, clause.at, clause.left, joined.line, joined.phrase.at))
    }

    /// What stands in it for a pronoun, or behind a verb that has no object.
    fn stands(&self) -> Option<Joining> {
        self.joining(|joint| matches!(joint, Joint::Pronoun | Joint::Object))
    }

    /// What stands in it in brackets.
    fn brackets(&self) -> Option<Joining> {
        self.joining(|joint| joint == Joint::Qualifier)
    }
}

/// The best of some titles, each its worth and its text: of the [`CHOICES`] that are worth most, the one that `readers`, the
/// logit of what readers would make of it, speaks for most as well.
pub fn best<'t>(titles: impl Iterator<Item = (f32, &'t str)>, readers: impl Fn(usize) -> f32) -> Option<usize> {
    let mut ranked: Vec<(usize, f32, &str)> = titles.enumerate().map(|(at, (worth, text))| (at, worth, text)).collect();
    ranked.sort_by(|one, other| other.1.total_cmp(&one.1));
    let mut seen = HashSet::new();
    let choices = ranked.into_iter().filter(|(_, _, text)| seen.insert(*text)).take(CHOICES);
    let all = choices.map(|(at, worth, _)| (at, worth + READERS_WEIGHT * readers(at)));
    all.reduce(|best, next| if next.1 > best.1 { next } else { best }).map(|(at, _)| at)
}

/// Whether another title of the task says the same and what it is done to: "会場の予約を確認する" beside "確認する". Where the verb
/// stands last, as in no English title.
fn says_less(text: &str, others: &[String]) -> bool {
    others.iter().any(|other| other.len() > text.len() && other.ends_with(text))
}

/// Verbs that say of a thing no more than that somebody sees to it.
static SEES_TO: WordList = WordList::of("do get have take");

/// Whether another title of the task says what is done to the same thing: "Order the badges" beside "Take the badges", where
/// somebody takes on what was asked for.
fn acts_less(candidate: &Candidate<'_, '_>, text: &str, all: &[Candidate<'_, '_>], texts: &[String]) -> bool {
    let Some((verb, thing)) = text.split_once(' ').filter(|(verb, _)| SEES_TO.has(verb)) else { return false };
    // "I can't pick up the kids. Could you do it?" is no "Do the kids".
    let done = verb == "do" && candidate.joined.is_some_and(|joined| joined.joint == Joint::Pronoun);
    let acts = |other: &Candidate<'_, '_>| {
        other.words.first().is_some_and(|word| word.is(kind::VERB) && !SEES_TO.has(&word.lower))
    };
    let same = |other: &str| {
        other.split_once(' ').is_some_and(|(_, other)| match other.strip_suffix(thing) {
            Some("") => true,
            Some(particle) => done && particle.ends_with(' '),
            None => false,
        })
    };
    (done || candidate.joined.is_none())
        && all.iter().zip(texts).any(|(other, text)| other.joined.is_none() && acts(other) && same(text))
}

/// The least truth logit of a title.
fn least(candidate: &Candidate<'_, '_>) -> f32 {
    match candidate.joined.map(|joined| joined.joint) {
        Some(Joint::For) => SURPLUS,
        // What stands in brackets claims more than a pronoun that stays.
        Some(Joint::Qualifier) => PLAIN,
        Some(_) | None => MIN_TRUTH,
    }
}

impl Candidate<'_, '_> {
    fn title(&self) -> Title {
        let joined = self.joined.and_then(|joined| joined.line);
        Title { text: written(&self.words), lines: joined.into_iter().chain([self.line]).collect() }
    }
}

/// A title that could be chosen.
#[derive(Clone, Debug)]
pub struct Offered {
    /// The title.
    pub title: Title,
    /// What is put into it from elsewhere.
    pub phrase: Option<String>,
    /// Whether a verb leads it.
    pub acts: bool,
    /// Its dense features, [`FEATURE_COUNT`] of them.
    pub features: Vec<f32>,
    /// How it is worded.
    pub hashed_features: Vec<u32>,
}

/// What the tagger reads of a task, where it reads the language.
#[must_use]
pub fn window(context: &mut TitleContext<'_>, asked: &TitleRequest<'_>) -> Option<TaggerWindow> {
    context.read(asked.lines);
    context.language.starts_with("en").then(|| TaggerWindow::of(context, asked))
}

/// What [`title`] chooses from.
#[must_use]
pub fn candidates(context: &mut TitleContext<'_>, asked: &TitleRequest<'_>, tags: Option<Tags>) -> Vec<Offered> {
    context.read(asked.lines);
    let view = TitleView::at(context, asked, tags);
    let with = |candidate: Candidate<'_, '_>| {
        let mut features = Vec::with_capacity(FEATURE_COUNT);
        view.features(&candidate, &mut features);
        Offered {
            title: candidate.title(),
            phrase: candidate.joined.as_ref().map(|joined| written(&joined.phrase.words)),
            acts: candidate.clause.form != Form::Bare
                || candidate.words.first().is_some_and(|word| word.is(kind::VERB)),
            hashed_features: wording::hashed_features(&candidate),
            features,
        }
    };
    view.candidates().into_iter().map(with).collect()
}

/// Words as a title: with a capital, without a space before a mark.
fn written(words: &[Word<'_>]) -> String {
    let mut title = String::new();
    for word in words {
        let tight = word.is(kind::MARK) && word.is(kind::JOINED) || word.lower == ")" || title.ends_with('(');
        if !title.is_empty() && !tight {
            title.push(' ');
        }
        title.push_str(&word.text);
    }
    let first = title.chars().next().map(|first| first.to_uppercase().collect::<String>());
    match first {
        Some(first) => first + &title[title.chars().next().map_or(0, char::len_utf8)..],
        None => title,
    }
}
