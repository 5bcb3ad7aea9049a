//! What labelled texts teach of titles: of all titles that could be made of a task's sentences, which comes nearest to what
//! a person called it, and which are true. The tasks are those that were found with held-out scores, and again the gold ones
//! with their own evidence, which count half.

use crate::boost::{Cases, Growth};
use crate::data::Gold;
use crate::dates::Source;
use crate::train::FOLDS;
use crate::words::{content, is_clear, rouge_l, words};
use anyhow::Result;
use gleaner_extract::fields::{self, Whose};
use gleaner_extract::judge::Gathered;
use gleaner_extract::language;
use gleaner_extract::model::math::sigmoid;
use gleaner_extract::people::Roster;
use gleaner_extract::title::{self, Asked, Model, Offered};
use std::collections::HashSet;

/// How the trees that tell the worth of a title grow, and those that tell whether it is true.
const WORTH: Growth = Growth { trees: 250, leaves: 12, rate: 0.08, rows: 7, numbers: 3, least: 40, pull: 5.0 };
const TRUTH: Growth = Growth { trees: 300, leaves: 20, rate: 0.06, rows: 7, numbers: 3, least: 40, pull: 5.0 };
/// How much a gold task with its own evidence counts.
const GOLD: f32 = 0.5;

/// What a person called a task, in words of content, and all that may be said of it.
pub struct Called<'g> {
    pub title: &'g str,
    pub wanted: HashSet<String>,
    pub said: HashSet<String>,
}

impl<'g> Called<'g> {
    fn of(source: &Source<'g>, number: usize, sentences: &[usize]) -> Self {
        let Gold { title, owner, .. } = &source.document.tasks[number];
        let quoted = source.text.gold[number].iter().map(|span| &source.document.transcript[span.clone()]);
        let found = sentences.iter().map(|&at| source.reading.script.sentences[at].text);
        let named = [title.as_str(), owner.as_deref().unwrap_or_default()];
        let said = named.into_iter().chain(quoted).chain(found).flat_map(content).collect();
        Self { title, wanted: content(title), said }
    }

    /// Whether it names a thing: its noun, and half of its words of content.
    pub fn names(&self, thing: &str) -> bool {
        let named = |word: &String| self.wanted.contains(word);
        let own = content(thing);
        let main = thing.split(" of ").next().unwrap_or_default().split(" for ").next().unwrap_or_default();
        let noun = words(main).into_iter().rev().map(|word| content(&word)).find(|word| !word.is_empty());
        noun.is_some_and(|noun| noun.iter().all(named))
            && own.iter().filter(|word| named(word)).count() * 2 >= own.len()
    }

    /// What another title is worth, up to one: for being true, for being clear, for holding half of the words of content, for its
    /// likeness, and for saying what is to be done rather than naming a thing.
    pub fn worth(&self, offered: &Offered) -> f32 {
        let own = content(&offered.title);
        let truth = own.is_subset(&self.said);
        let good = truth && own.intersection(&self.wanted).count() * 2 >= self.wanted.len();
        let share = |holds: bool, part: f32| if holds { part } else { 0.0 };
        let likeness = rouge_l(self.title, &offered.title) as f32;
        if std::env::var("OLDWORTH").is_ok() {
            return share(truth, 0.2)
                + share(good, 0.4)
                + share(offered.acts, 0.1)
                + share(offered.names, 0.15)
                + 0.15 * likeness;
        }
        let clear = is_clear(&offered.title);
        let recall = own.intersection(&self.wanted).count() as f32 / self.wanted.len().max(1) as f32;
        let w = &*W;
        share(truth, w[0])
            + share(good, w[1])
            + share(offered.acts, w[2])
            + share(truth && clear, w[3])
            + w[4] * likeness
            + w[5] * recall
    }
}

static W: std::sync::LazyLock<Vec<f32>> = std::sync::LazyLock::new(|| {
    std::env::var("W")
        .map_or_else(|_| vec![0.2, 0.3, 0.1, 0.2, 0.2, 0.0], |w| w.split(',').filter_map(|p| p.parse().ok()).collect())
});

/// A task with the titles that could be made of it.
pub struct Named<'g> {
    pub called: Called<'g>,
    pub offered: Vec<Offered>,
    /// How much it counts; a gold task with its own evidence is none that was found.
    pub weight: f32,
    pub found: bool,
    pub group: u32,
    pub source: usize,
    pub gold: usize,
    pub logit: f32,
    pub lines: Vec<(usize, bool, String)>,
}

/// The tasks of texts with the titles that could be made of them.
///
/// # Errors
/// Where a document's time is malformed.
pub fn named<'s>(sources: &[Source<'s>], groups: &[u32]) -> Result<Vec<Named<'s>>> {
    let mut all = Vec::new();
    for (at, source) in sources.iter().enumerate() {
        let context = crate::context(source.document)?;
        let roster = Roster::of(source.transcript, &context);
        let language = language::of(context.language.as_deref(), source.transcript);
        let script = &source.reading.script;
        let mut page = fields::page(script, &roster, &source.document.title, language);
        let gold: Vec<Gathered> = (0..source.text.gold.len()).map(|number| source.proven(number)).collect();
        let itself: Vec<Option<usize>> = (0..gold.len()).map(Some).collect();
        let weighed = [(source.tasks, source.partner, 1.0), (&gold, &itself, GOLD)];
        for (turn, (tasks, partner, weight)) in weighed.into_iter().enumerate() {
            let whose = Whose::of(tasks, script.sentences.len());
            let found = tasks.iter().zip(partner).enumerate();
            for (number, task, of) in found.filter_map(|(number, (task, of))| Some((number, task, (*of)?))) {
                let sentences = fields::speaking(task);
                let lines = fields::cited(task, &sentences, &whose, number);
                let called = Called::of(source, of, &sentences);
                let owner = source.document.tasks[of].owner.as_deref();
                let offered = title::candidates(&mut page, &Asked { lines: &lines, owner });
                let group = groups[at];
                let said = lines
                    .iter()
                    .map(|(l, c)| {
                        (
                            *l,
                            c.is_some(),
                            format!(
                                "{}: {}",
                                script.sentences[*l].speaker.map_or("", |s| script.speakers[s as usize]),
                                script.sentences[*l].text
                            ),
                        )
                    })
                    .collect();
                all.push(Named {
                    lines: said,
                    called,
                    offered,
                    weight,
                    found: turn == 0,
                    group,
                    source: at,
                    gold: of,
                    logit: task.logit,
                });
            }
        }
    }
    Ok(all)
}

/// Learns titles.
///
/// # Errors
/// Where a document's time is malformed.
pub fn learn(sources: &[Source<'_>], groups: &[u32], _report: &mut Vec<String>) -> Result<Model> {
    let named = named(sources, groups)?;
    Ok(grow(&named, 0).0)
}

/// The trees learnt from all, and for each task the held-out worth and proof of each title.
pub fn grow(named: &[Named<'_>], folds: u32) -> (Model, Vec<Vec<(f32, f32)>>) {
    let list = std::env::var("POINT").is_err();
    let (mut worths, mut truths) = (Cases::default(), Cases::default());
    for task in named {
        let each = task.weight / (task.offered.len() as f32).sqrt();
        for offered in &task.offered {
            if let Some(thing) = &offered.thing {
                truths.numbers.extend(&offered.numbers);
                truths.push_share(f32::from(u8::from(task.called.names(thing))), each, task.group);
            }
        }
    }
    let (truth, truth_trees) = truths.grow(TRUTH, FOLDS);
    let mut truth = truth.into_iter();
    let proofs: Vec<Vec<f32>> = named
        .iter()
        .map(|task| {
            task.offered
                .iter()
                .map(|o| if o.thing.is_some() { truth.next().unwrap_or_default() } else { title::SURE })
                .collect()
        })
        .collect();
    for (task, proofs) in named.iter().zip(&proofs) {
        let each = task.weight / (task.offered.len() as f32).sqrt();
        for (offered, proof) in task.offered.iter().zip(proofs) {
            worths.numbers.extend(&offered.numbers);
            if list {
                worths.numbers.push(*proof);
                worths.push_share(task.called.worth(offered), task.weight, task.group);
            } else {
                let right = offered.thing.as_ref().map(|thing| task.called.names(thing));
                // What a title is worth whose thing is wrong, nothing is to be learnt of.
                let weight = if right == Some(false) { 0.0 } else { each };
                worths.push_share(task.called.worth(offered), weight, task.group);
            }
        }
        if list {
            worths.end();
        }
    }
    let (worth, worth_trees) = worths.grow(WORTH, folds);
    let mut worth = worth.into_iter();
    let held =
        proofs.iter().map(|proofs| proofs.iter().map(|proof| (worth.next().unwrap_or_default(), *proof)).collect());
    let held = held.collect();
    (Model { worth: worth_trees, truth: truth_trees }, held)
}

static PROOF: std::sync::LazyLock<f64> =
    std::sync::LazyLock::new(|| std::env::var("PROOF").ok().and_then(|p| p.parse().ok()).unwrap_or(0.2));

/// The title that is chosen.
pub fn choose(scores: &[(f32, f32)]) -> Option<usize> {
    let expected = |&(worth, truth): &(f32, f32)| {
        let proof = sigmoid(f64::from(truth));
        if std::env::var("POINT").is_err() {
            return f64::from(worth) + 1000.0 - if proof < *PROOF { 2000.0 } else { 0.0 };
        }
        if proof < 0.35 { -1.0 } else { proof * sigmoid(f64::from(worth)) }
    };
    let mut best: Option<(f64, usize)> = None;
    for (at, score) in scores.iter().enumerate() {
        let expected = expected(score);
        if expected >= 0.0 && best.is_none_or(|(most, _)| expected > most) {
            best = Some((expected, at));
        }
    }
    best.map(|best| best.1)
}
