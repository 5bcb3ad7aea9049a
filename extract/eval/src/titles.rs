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
use gleaner_extract::people::Roster;
use gleaner_extract::title::{self, Asked, Model, Offered};
use std::collections::HashSet;

/// How the trees that tell the worth of a title grow, and those that tell whether it is true.
const WORTH: Growth = Growth { trees: 250, leaves: 12, rate: 0.08, rows: 7, numbers: 3, least: 40, pull: 5.0 };
const TRUTH: Growth = Growth { trees: 300, leaves: 20, rate: 0.06, rows: 7, numbers: 3, least: 40, pull: 5.0 };
/// How much a gold task with its own evidence counts.
const GOLD: f32 = 0.5;
/// Least verdict of a task that counts in the report.
const SHOWN: f32 = -0.5;

/// What a person called a task, in words of content, and all that may be said of it.
struct Called<'g> {
    title: &'g str,
    wanted: HashSet<String>,
    said: HashSet<String>,
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
    fn names(&self, thing: &str) -> bool {
        let named = |word: &String| self.wanted.contains(word);
        let own = content(thing);
        let main = thing.split(" of ").next().unwrap_or_default().split(" for ").next().unwrap_or_default();
        let noun = words(main).into_iter().rev().map(|word| content(&word)).find(|word| !word.is_empty());
        noun.is_some_and(|noun| noun.iter().all(named))
            && own.iter().filter(|word| named(word)).count() * 2 >= own.len()
    }

    /// Whether another title brings in no word of content of its own.
    fn is_true(&self, title: &str) -> bool {
        content(title).is_subset(&self.said)
    }

    /// Whether it is true and holds half of this one's words of content.
    fn is_good(&self, title: &str) -> bool {
        self.is_true(title) && content(title).intersection(&self.wanted).count() * 2 >= self.wanted.len()
    }

    /// What another title is worth, up to one: for being true, for holding half of the words of content, for
    /// saying what is to be done rather than naming a thing, for being clear, and for its likeness.
    fn worth(&self, offered: &Offered) -> f32 {
        let share = |holds: bool, part: f32| if holds { part } else { 0.0 };
        let truth = self.is_true(&offered.title);
        let likeness = rouge_l(self.title, &offered.title) as f32;
        share(truth, 0.2)
            + share(self.is_good(&offered.title), 0.3)
            + share(offered.acts, 0.1)
            + share(truth && is_clear(&offered.title), 0.2)
            + 0.2 * likeness
    }
}

/// A task with the titles that could be made of it.
struct Named<'g> {
    /// What a person called it.
    called: Called<'g>,
    /// The titles.
    offered: Vec<Offered>,
    /// How much it counts.
    weight: f32,
    group: u32,
    /// The number of its text, and whether it counts in figures.
    source: usize,
    /// See `source`.
    counts: bool,
}

/// The tasks of texts with the titles that could be made of them: those that were found, and the gold ones with their own evidence.
///
/// # Errors
/// Where a document's time is malformed.
fn named<'s>(sources: &[Source<'s>], groups: &[u32]) -> Result<Vec<Named<'s>>> {
    let mut all = Vec::new();
    for (at, source) in sources.iter().enumerate() {
        let context = crate::context(source.document)?;
        let roster = Roster::of(source.transcript, &context);
        let language = language::of(context.language.as_deref(), source.transcript);
        let script = &source.reading.script;
        let mut page = fields::page(script, &roster, &source.document.title, language);
        let gold: Vec<Gathered> = (0..source.text.gold.len()).map(|number| source.proven(number)).collect();
        let itself: Vec<Option<usize>> = (0..gold.len()).map(Some).collect();
        for (tasks, partner, weight) in [(source.tasks, source.partner, 1.0), (&gold, &itself, GOLD)] {
            let whose = Whose::of(tasks, script.sentences.len());
            let found = tasks.iter().zip(partner).enumerate();
            for (number, task, of) in found.filter_map(|(number, (task, of))| Some((number, task, (*of)?))) {
                let sentences = fields::speaking(task);
                let lines = fields::cited(task, &sentences, &whose, number);
                let owner = source.document.tasks[of].owner.as_deref();
                all.push(Named {
                    called: Called::of(source, of, &sentences),
                    offered: title::candidates(&mut page, &Asked { lines: &lines, owner }),
                    weight,
                    group: groups[at],
                    source: at,
                    counts: weight == 1.0 && task.logit > SHOWN && !source.document.tasks[of].optional,
                });
            }
        }
    }
    Ok(all)
}

/// Learns titles; the first `written` of the texts are documents, the others talk.
///
/// # Errors
/// Where a document's time is malformed.
pub fn learn(sources: &[Source<'_>], groups: &[u32], written: usize, report: &mut Vec<String>) -> Result<Model> {
    let named = named(sources, groups)?;
    let (model, chosen) = grow(&named);
    for (name, texts) in [("documents", 0..written), ("talk", written..sources.len())] {
        let own = || named.iter().zip(&chosen).filter(|(task, _)| task.counts && texts.contains(&task.source));
        let share = |holds: &dyn Fn(&Called<'_>, &str) -> bool| {
            let right = own()
                .filter(|(task, chosen)| holds(&task.called, chosen.map_or("", |at| task.offered[at].title.as_str())));
            right.count() as f64 / own().count().max(1) as f64
        };
        let could = own().filter(|(task, _)| task.offered.iter().any(|one| task.called.is_good(&one.title)));
        report.push(format!(
            "{name}, titles of tasks found: true {:.3}, good {:.3} ({:.3} could be), true and clear {:.3}",
            share(&|called, title| called.is_true(title)),
            share(&|called, title| called.is_good(title)),
            could.count() as f64 / own().count().max(1) as f64,
            share(&|called, title| called.is_true(title) && is_clear(title)),
        ));
    }
    Ok(model)
}

/// The trees learnt from all, and which title of each task trees choose that were learnt without it.
fn grow(named: &[Named<'_>]) -> (Model, Vec<Option<usize>>) {
    let mut truths = Cases::default();
    for task in named {
        let each = task.weight / (task.offered.len() as f32).sqrt();
        for (offered, thing) in task.offered.iter().filter_map(|offered| Some((offered, offered.thing.as_ref()?))) {
            truths.numbers.extend(&offered.numbers);
            truths.push(task.called.names(thing), each, task.group);
        }
    }
    let (held, truth) = truths.grow(TRUTH, FOLDS);
    let mut held = held.into_iter();
    let mut worths = Cases::default();
    let mut proofs = Vec::new();
    for task in named {
        for offered in &task.offered {
            let proof = offered.thing.as_ref().map_or(title::SURE, |_| held.next().unwrap_or_default());
            worths.numbers.extend(offered.numbers.iter().chain([&proof]));
            worths.push_share(task.called.worth(offered), task.weight, task.group);
            proofs.push(proof);
        }
        worths.end();
    }
    let (held, worth) = worths.grow(WORTH, FOLDS);
    let mut rows = held.into_iter().zip(proofs);
    let chosen = named.iter().map(|task| {
        let scored = rows.by_ref().take(task.offered.len()).enumerate();
        let proven = scored.filter(|(_, (_, proof))| *proof >= title::PROOF);
        proven.reduce(|best, next| if next.1.0 > best.1.0 { next } else { best }).map(|best| best.0)
    });
    let chosen = chosen.collect();
    (Model { worth, truth }, chosen)
}
