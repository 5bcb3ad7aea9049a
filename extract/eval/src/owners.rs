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

/// A task with those who may own it. Which of them is right stands in its question.
struct Owned {
    /// The number of the text it is written in.
    source: usize,
    sentences: Vec<usize>,
    task: Gathered,
    claimants: Vec<Claimant>,
    /// Whether a label's name is right, where there is one.
    labelled: Option<bool>,
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
        for (task, question) in asked(at, source, &firsts[at], groups[at])? {
            all.push(task);
            questions.push(question);
        }
    }
    let (table, words) = choice::cross_fit(&questions, BITS, RECIPE, FOLDS);
    let mut cases = Cases::default();
    for ((task, question), logits) in all.iter().zip(&questions).zip(&words) {
        let source = &sources[task.source];
        let known = FirstPass::of(&source.text.scene, &firsts[task.source], &source.text.whole);
        let script = &source.reading.script;
        owned::numbers(&known, script, &task.task, &task.sentences, &task.claimants, logits, &mut cases.numbers);
        question.right.iter().for_each(|right| cases.push(*right, question.weight, question.group));
    }
    let (logits, trees) = cases.grow(OWNED, FOLDS);
    let mut logits = logits.into_iter();
    let mut sums = [[0.0_f64; 4]; KINDS.len()];
    for ((task, question), words) in all.iter().zip(&questions).zip(&words) {
        let own: Vec<f32> = logits.by_ref().take(question.right.len()).collect();
        if !task.counts {
            continue;
        }
        let kind = match sources[task.source].document {
            _ if task.source >= written => 2,
            document => usize::from(document.language != "en"),
        };
        let right = |logits: &[f32]| task.labelled.unwrap_or_else(|| best(logits).is_some_and(|at| question.right[at]));
        let could = task.labelled.unwrap_or_else(|| question.right.contains(&true));
        for (sum, counts) in sums[kind].iter_mut().zip([true, right(&own), right(words), could]) {
            *sum += f64::from(u8::from(counts));
        }
    }
    report.extend(KINDS.iter().zip(sums).map(|(name, [all, right, words, could])| {
        let [right, words, could] = [right, words, could].map(|sum| sum / all);
        format!("{name}, owners of tasks found: {right:.3} of {all}, by words alone {words:.3}, {could:.3} could be")
    }));
    Ok(OwnerModel { words: table, trees })
}

/// What a text asks: whose each of its tasks is, as it was found and with its gold evidence.
fn asked(at: usize, source: &Source<'_>, first: &First, group: u32) -> Result<Vec<(Owned, Question)>> {
    let roster = Roster::of(source.transcript, &crate::context(source.document)?);
    let cast = owner::cast(source.transcript, &roster);
    let known = FirstPass::of(&source.text.scene, first, &source.text.whole);
    let script = &source.reading.script;
    let proven = (0..source.text.gold.len()).map(|number| (source.proven(number), number, GOLD));
    let found = source.tasks.iter().zip(source.partner);
    let found = found.filter_map(|(task, partner)| Some((task.clone(), (*partner)?, 1.0)));
    let asked = found.chain(proven).map(|(task, number, weight)| {
        let gold = &source.document.tasks[number];
        let sentences = fields::speaking(&task);
        let around = owned::Around::of(script, &cast, &task, &sentences);
        let claimants = fields::claimants(script, &cast, &task, &sentences, &around);
        let is_right = |name: Option<&str>| {
            is_one(&gold.owner, &gold.owners, |owner| same_person(owner, name, &source.document.me))
        };
        let features = |claimant: &Claimant| {
            let features = around.features(&known, &cast, claimant);
            features.into_iter().map(|feature| Table::at(feature, BITS)).collect()
        };
        let name = |claimant: &Claimant| claimant.guess.as_ref().map(|guess| guess.name.clone());
        let question = Question {
            options: claimants.iter().map(features).collect(),
            right: claimants.iter().map(|claimant| is_right(name(claimant).as_deref())).collect(),
            weight: weight * source.document.weight(),
            group,
        };
        let labelled = fields::labelled(script, &cast, &sentences).map(|guess| is_right(Some(&guess.name)));
        let counts = weight == 1.0 && !gold.optional && task.logit > SHOWN;
        (Owned { source: at, sentences, task, claimants, labelled, counts }, question)
    });
    Ok(asked.collect())
}

/// The kinds of text that are reported apart.
const KINDS: [&str; 3] = ["documents", "documents in other languages than English", "talk"];
/// Least verdict of a task that counts in the report.
const SHOWN: f32 = -0.5;

/// The place of the highest logit.
fn best(logits: &[f32]) -> Option<usize> {
    (0..logits.len()).reduce(|best, next| if logits[next] > logits[best] { next } else { best })
}
