//! What documents teach of titles: which words of a neighbourhood a title holds, and which of many titles is best. The
//! tasks are those that were found with held-out scores, and again the gold ones with their own evidence.

use crate::dates::Source;
use crate::fit::{Chance, Examples, Recipe, Weights, fold_of};
use crate::words::{rouge_l, words};
use anyhow::Result;
use gleaner_extract::fields::{self, Whose};
use gleaner_extract::judge::Gathered;
use gleaner_extract::model::math::exp;
use gleaner_extract::model::table::Table;
use gleaner_extract::people::Roster;
use gleaner_extract::title::{self, Features, Line, Model, TitleInput};
use gleaner_extract::{language, owner};
use std::collections::HashSet;

/// How many bits number the weights of words, and those of titles.
const WORD_BITS: u32 = 15;
const TITLE_BITS: u32 = 14;
const RECIPE: Recipe = Recipe { passes: 12, rate: 0.02, decay: 0.0, near: 1.0, orders: 1 };
/// How much a gold task with its own evidence counts among the words.
const GOLD: f32 = 0.7;
/// Passes over the titles, how wide a step is, and what the worth of a title is multiplied by.
const PASSES: usize = 8;
/// Trainings whose mean is taken, each in another order.
const ORDERS: u64 = 3;
const RATE: f32 = 0.05;
const SHARP: f32 = 10.0;
/// What it costs a title when all its words are strange to the gold one.
const STRANGE: f32 = 0.1;
/// Least letters of a word that can be strange.
const LONG: usize = 4;
/// Least slope that moves a weight.
const FLAT: f32 = 1e-5;

/// A task with the title that a person gave it.
struct Case<'c> {
    lines: Vec<Line<'c>>,
    owner: Option<String>,
    names: &'c [&'c str],
    topic: &'c str,
    language: String,
    gold: &'c str,
    group: u32,
    /// Whether it was found, not given.
    found: bool,
}

impl Case<'_> {
    /// As the engine takes it.
    fn input(&self) -> TitleInput<'_> {
        TitleInput {
            lines: &self.lines,
            owner: self.owner.as_deref(),
            names: self.names,
            topic: self.topic,
            language: &self.language,
        }
    }
}

/// The tasks of a document that a person gave titles.
fn cases<'c>(source: &Source<'c>, group: u32) -> Result<Vec<Case<'c>>> {
    let context = crate::context(source.document)?;
    let roster = Roster::of(source.transcript, &context);
    let cast = owner::cast(source.transcript, &roster);
    let script = &source.reading.script;
    let language = language::of(context.language.as_deref(), source.transcript).to_owned();
    let case = |sentences: &[(usize, bool)], owner, gold: usize, found| Case {
        lines: fields::lines(script, sentences),
        owner,
        names: &script.speakers,
        topic: &source.document.title,
        language: language.clone(),
        gold: &source.document.tasks[gold].title,
        group,
        found,
    };
    let found = source.tasks.iter().zip(source.partner).enumerate();
    let paired = found.filter_map(|(number, (task, partner))| Some((number, task, (*partner)?)));
    let whose = Whose::of(source.tasks, script.sentences.len());
    let mut cases: Vec<Case<'c>> = paired
        .map(|(number, task, gold)| {
            let sentences = fields::speaking(task);
            let owner = fields::owner(script, &cast, &sentences).map(|guess| guess.name);
            case(&fields::around(&sentences, &whose, number), owner, gold, true)
        })
        .collect();
    let proven: Vec<Gathered> = (0..source.document.tasks.len()).map(|gold| source.proven(gold)).collect();
    let whose = Whose::of(&proven, script.sentences.len());
    for (gold, task) in source.document.tasks.iter().enumerate() {
        let sentences: Vec<usize> = proven[gold].members.iter().map(|member| member.sentence).collect();
        if !sentences.is_empty() {
            cases.push(case(&fields::around(&sentences, &whose, gold), task.owner.clone(), gold, false));
        }
    }
    Ok(cases)
}

/// For each case, whether each word of its neighbourhood stands in the title.
fn examples(cases: &[Case<'_>]) -> Examples {
    let mut examples = Examples::default();
    for case in cases {
        let gold: HashSet<String> = words(case.gold).into_iter().collect();
        for (word, features) in title::words(&case.input()) {
            let parts = words(&word);
            let kept = !parts.is_empty() && parts.iter().all(|part| gold.contains(part));
            let features = features.iter().map(|&feature| Table::at(feature, WORD_BITS));
            examples.push(features, kept, if case.found { 1.0 } else { GOLD }, case.group);
        }
    }
    examples
}

/// The titles that could be chosen for a case, and how near each is to the one that a person gave.
struct Choice {
    features: Vec<Features>,
    likeness: Vec<f32>,
    /// The same, less what strange words cost.
    worth: Vec<f32>,
    group: u32,
    found: bool,
}

impl Choice {
    /// What could be chosen with these weights of words.
    fn of(case: &Case<'_>, keep: &Weights) -> Self {
        let weight = |&feature: &u32| keep.values[Table::at(feature, WORD_BITS) as usize];
        let logit = |features: &[u32]| keep.bias + features.iter().map(weight).sum::<f32>();
        let (titles, features): (Vec<String>, Vec<_>) = title::candidates(&case.input(), &logit).into_iter().unzip();
        let likeness: Vec<f32> = titles.iter().map(|title| rouge_l(case.gold, title) as f32).collect();
        let gold: HashSet<String> = words(case.gold).into_iter().collect();
        let strange = |title: &String| {
            let own = words(title);
            let strange = own.iter().filter(|word| word.len() >= LONG && !gold.contains(*word)).count();
            STRANGE * strange as f32 / own.len().max(1) as f32
        };
        let worth = titles.iter().zip(&likeness).map(|(title, likeness)| likeness - strange(title)).collect();
        Self { features, likeness, worth, group: case.group, found: case.found }
    }

    fn logits(&self, weights: &[f32]) -> Vec<f32> {
        let term = |(feature, value): &(u32, f32)| weights[Table::at(*feature, TITLE_BITS) as usize] * value;
        self.features.iter().map(|features| features.iter().map(term).sum()).collect()
    }

    /// How near the title that these weights choose is to the one that a person gave.
    fn reached(&self, weights: &[f32]) -> f32 {
        let logits = self.logits(weights).into_iter().zip(&self.likeness);
        logits.reduce(|best, next| if next.0 > best.0 { next } else { best }).map_or(0.0, |best| *best.1)
    }
}

fn softmax(logits: &[f32]) -> Vec<f32> {
    let most = logits.iter().copied().fold(f32::MIN, f32::max);
    let parts: Vec<f64> = logits.iter().map(|logit| exp(f64::from(logit - most))).collect();
    let sum: f64 = parts.iter().sum();
    parts.iter().map(|part| (part / sum) as f32).collect()
}

/// The state of the trainer of choices.
struct Ranker {
    weights: Vec<f32>,
    squares: Vec<f32>,
    slopes: Vec<f32>,
    /// The mean of the weights in the later passes.
    mean: Vec<f32>,
}

impl Ranker {
    fn new() -> Self {
        let size = 1 << TITLE_BITS;
        Self { weights: vec![0.0; size], squares: vec![1e-3; size], slopes: vec![0.0; size], mean: vec![0.0; size] }
    }

    /// One step: the worth that is to be expected of a title drawn by its weight rises.
    fn step(&mut self, choice: &Choice) {
        let shares = softmax(&choice.logits(&self.weights));
        let usual: f32 = shares.iter().zip(&choice.worth).map(|(share, worth)| share * worth).sum();
        let mut touched = Vec::new();
        for ((features, worth), share) in choice.features.iter().zip(&choice.worth).zip(&shares) {
            let slope = -share * (worth - usual) * SHARP;
            if slope.abs() < FLAT {
                continue;
            }
            for (feature, value) in features {
                let number = Table::at(*feature, TITLE_BITS) as usize;
                self.slopes[number] += slope * value;
                touched.push(number);
            }
        }
        for number in touched {
            let slope = std::mem::take(&mut self.slopes[number]);
            if slope != 0.0 {
                self.squares[number] += slope * slope;
                self.weights[number] -= RATE * slope / self.squares[number].sqrt();
            }
        }
    }
}

/// Trains on the choices of all groups that `keep`: the mean of some trainings, each in another order.
fn rank(choices: &[Choice], keep: impl Fn(u32) -> bool) -> Vec<f32> {
    let kept: Vec<u32> = (0..choices.len() as u32).filter(|&at| keep(choices[at as usize].group)).collect();
    let mut mean = vec![0.0; 1 << TITLE_BITS];
    for number in 0..ORDERS {
        let trained = rank_in_order(choices, kept.clone(), Chance::numbered(number));
        mean.iter_mut().zip(trained).for_each(|(mean, weight)| *mean += weight / ORDERS as f32);
    }
    mean
}

fn rank_in_order(choices: &[Choice], mut order: Vec<u32>, mut chance: Chance) -> Vec<f32> {
    let mut ranker = Ranker::new();
    let mut seen = 0.0;
    for pass in 0..PASSES {
        chance.shuffle(&mut order);
        order.iter().for_each(|&at| ranker.step(&choices[at as usize]));
        if pass * 2 >= PASSES {
            seen += 1.0;
            ranker.mean.iter_mut().zip(&ranker.weights).for_each(|(mean, now)| *mean += (now - *mean) / seen);
        }
    }
    ranker.mean
}

/// Learns titles, and reports how near those of held-out tasks come to what people call them.
///
/// # Errors
/// Where a document's time is malformed.
pub fn learn(sources: &[Source<'_>], folds: u32, report: &mut Vec<String>) -> Result<Model> {
    let cases: Vec<Vec<Case<'_>>> =
        sources.iter().enumerate().map(|(group, source)| cases(source, group as u32)).collect::<Result<_>>()?;
    let cases: Vec<Case<'_>> = cases.into_iter().flatten().collect();
    let examples = examples(&cases);
    let fit = |keep: &dyn Fn(u32) -> bool| examples.fit(1 << WORD_BITS, RECIPE, keep);
    let held: Vec<Weights> = (0..folds).map(|fold| fit(&|group| fold_of(group, folds) != fold)).collect();
    let choices: Vec<Choice> =
        cases.iter().map(|case| Choice::of(case, &held[fold_of(case.group, folds) as usize])).collect();
    let (mut reached, mut could, mut count) = (0.0, 0.0, 0.0);
    for fold in 0..folds {
        let weights = rank(&choices, |group| fold_of(group, folds) != fold);
        for choice in choices.iter().filter(|choice| choice.found && fold_of(choice.group, folds) == fold) {
            reached += choice.reached(&weights);
            could += choice.likeness.iter().copied().fold(0.0, f32::max);
            count += 1.0;
        }
    }
    let share = |sum: f32| sum / f32::max(count, 1.0);
    report.push(format!("documents, titles of tasks found: {:.3}, best to choose {:.3}", share(reached), share(could)));
    let keep = fit(&|_| true);
    let rank = rank(&choices, |_| true);
    Ok(Model {
        keep: Table::quantise(&keep.values, keep.bias, WORD_BITS),
        rank: Table::quantise(&rank, 0.0, TITLE_BITS),
    })
}
