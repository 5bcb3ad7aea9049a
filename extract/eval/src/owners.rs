//! What documents teach of owners: who of all who may own a task does, or nobody. The tasks are those that were found with
//! held-out scores, and again the gold ones with their own evidence, which count half.

use crate::boost::{Cases, Growth};
use crate::choice::{self, Question};
use crate::dates::Source;
use crate::fit::Recipe;
use crate::records::is_one;
use crate::train::FOLDS;
use crate::words::same_person;
use anyhow::Result;
use gleaner_extract::fields;
use gleaner_extract::fields::owned::{self, OwnerModel};
use gleaner_extract::judge::Gathered;
use gleaner_extract::model::table::Table;
use gleaner_extract::owner::{self, Claimant};
use gleaner_extract::people::Roster;
use gleaner_extract::score::{First, FirstPass};

const OWNED: Growth = Growth { trees: 600, leaves: 12, rate: 0.05, rows: 7, numbers: 3, least: 12, pull: 5.0 };
/// How much a gold task with its own evidence counts.
const GOLD: f32 = 0.5;

/// How many bits number the weights of words.
const BITS: u32 = 19;
const RECIPE: Recipe = Recipe { passes: 6, rate: 0.03, decay: 0.0, near: 1.0, orders: 1 };

/// A task with those who may own it.
struct Owned {
    /// Where it is written.
    source: usize,
    sentences: Vec<usize>,
    task: Gathered,
    claimants: Vec<Claimant>,
    /// Whether each is right.
    right: Vec<bool>,
    /// Whether a label's name is right, where there is one.
    labelled: Option<bool>,
    weight: f32,
    counts: bool,
}

/// What the words say, and the trees, learnt from everybody who may own a task; the first `written` of the texts are documents,
/// the others talk.
///
/// # Errors
/// Where a document's time is malformed.
pub fn learn(
    sources: &[Source<'_>],
    firsts: &[First],
    groups: &[u32],
    written: usize,
    report: &mut Vec<String>,
) -> Result<OwnerModel> {
    let (mut all, mut questions) = (Vec::new(), Vec::new());
    for (at, source) in sources.iter().enumerate() {
        let roster = Roster::of(source.transcript, &crate::context(source.document)?);
        let cast = owner::cast(source.transcript, &roster);
        let known = FirstPass::of(&source.text.scene, &firsts[at], &source.text.whole);
        let script = &source.reading.script;
        let gold: Vec<Gathered> = (0..source.text.gold.len()).map(|number| source.proven(number)).collect();
        let itself: Vec<Option<usize>> = (0..gold.len()).map(Some).collect();
        for (tasks, partner, weight) in [(source.tasks, source.partner, 1.0), (&gold, &itself, GOLD)] {
            for (task, partner) in tasks.iter().zip(partner) {
                let Some(number) = *partner else { continue };
                let gold = &source.document.tasks[number];
                let sentences = fields::speaking(task);
                let around = owned::Around::of(script, &cast, task, &sentences);
                let claimants = fields::claimants(script, &cast, task, &sentences, &around);
                let is_right = |name: Option<&str>| {
                    is_one(&gold.owner, &gold.owners, |owner| same_person(owner, name, &source.document.me))
                };
                let right: Vec<bool> = claimants
                    .iter()
                    .map(|claimant| is_right(claimant.guess.as_ref().map(|guess| guess.name.as_str())))
                    .collect();
                let labelled = fields::labelled(script, &cast, &sentences).map(|guess| is_right(Some(&guess.name)));
                let numbers = |claimant: &Claimant| {
                    let features = around.features(&known, &cast, claimant);
                    features.into_iter().map(|feature| Table::at(feature, BITS)).collect()
                };
                let options = claimants.iter().map(numbers).collect();
                questions.push(Question { options, right: right.clone(), weight, group: groups[at] });
                let counts = weight == 1.0 && !gold.optional && task.logit > SHOWN;
                all.push(Owned {
                    source: at,
                    sentences,
                    task: task.clone(),
                    claimants,
                    right,
                    labelled,
                    weight,
                    counts,
                });
            }
        }
    }
    let (table, words) = choice::cross_fit(&questions, BITS, RECIPE, FOLDS);
    let mut cases = Cases::default();
    for (task, logits) in all.iter().zip(&words) {
        let source = &sources[task.source];
        let known = FirstPass::of(&source.text.scene, &firsts[task.source], &source.text.whole);
        owned::numbers(
            &known,
            &source.reading.script,
            &task.task,
            &task.sentences,
            &task.claimants,
            logits,
            &mut cases.numbers,
        );
        task.right.iter().for_each(|right| cases.push(*right, task.weight, groups[task.source]));
    }
    let (logits, trees) = cases.grow(OWNED, FOLDS);
    let mut logits = logits.into_iter();
    let mut sums = [[0.0_f64; 4]; 3];
    for (task, words) in all.iter().zip(&words) {
        let own: Vec<f32> = logits.by_ref().take(task.right.len()).collect();
        if !task.counts {
            continue;
        }
        let right = |logits: &[f32]| match task.labelled {
            Some(right) => right,
            None => best(logits).is_some_and(|at| task.right[at]),
        };
        let could = task.labelled.unwrap_or_else(|| task.right.contains(&true));
        let kind = match sources[task.source].document {
            _ if task.source >= written => 2,
            document => usize::from(document.language != "en"),
        };
        let sum = &mut sums[kind];
        for (sum, counts) in sum.iter_mut().zip([true, right(&own), right(words), could]) {
            *sum += f64::from(u8::from(counts));
        }
    }
    for (name, [all, right, words, could]) in
        ["documents", "documents in other languages than English", "talk"].iter().zip(sums)
    {
        report.push(format!(
            "{name}, owners of tasks found: {:.3} of {all}, by words alone {:.3}, {:.3} could be",
            right / all,
            words / all,
            could / all
        ));
    }
    Ok(OwnerModel { words: table, trees })
}

/// Least verdict of a task that counts in the report.
const SHOWN: f32 = -0.5;

/// The place of the highest logit.
fn best(logits: &[f32]) -> Option<usize> {
    (0..logits.len()).reduce(|best, next| if logits[next] > logits[best] { next } else { best })
}
