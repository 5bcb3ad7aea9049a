//! What documents teach of due dates: which of the days named near a task is its own. The tasks are those that were found
//! with held-out scores, and again the gold ones with their own evidence, which count half.

use crate::choice::{self, ChoiceSet};
use crate::data::GoldDocument;
use crate::fit::{Hyperparameters, LinearWeights, fold_of};
use crate::mark;
use crate::prepared::PreparedText;
use crate::records::is_one;
use anyhow::Result;
use gleaner_extract::engine::Reading;
use gleaner_extract::fields::due::{DueOption, DueOptions, DueQuestion};
use gleaner_extract::fields::{self, SentenceAssignment};
use gleaner_extract::judge::TaskCluster;
use gleaner_extract::link::pair::CandidateSentence;
use gleaner_extract::model::hashed_linear::HashedLinear;
use gleaner_extract::owner;
use gleaner_extract::reader::Transcript;

/// How many bits number the weights.
const BITS: u32 = 15;
const HYPERPARAMETERS: Hyperparameters = Hyperparameters { passes: 8, rate: 0.05, decay: 0.0, near: 1.0, orders: 1 };
/// How much a gold task with its own evidence counts.
const GOLD: f32 = 0.5;

/// A document as it was read and what was found in it.
#[derive(Clone, Copy)]
pub struct TrainingSource<'s> {
    /// The document.
    pub document: &'s GoldDocument,
    /// As it was read.
    pub transcript: &'s Transcript<'s>,
    /// As it was cut.
    pub reading: &'s Reading<'s>,
    /// With what is true of it.
    pub text: &'s PreparedText<'s>,
    /// What was found, with held-out scores.
    pub tasks: &'s [TaskCluster],
    /// The gold task of each.
    pub partner: &'s [Option<usize>],
    /// Every sentence that may be part of a task.
    pub candidates: &'s [CandidateSentence],
}

impl TrainingSource<'_> {
    /// The choice sets of due dates, one for each task found and one for each gold task.
    fn choice_sets(&self, group: u32) -> Result<Vec<ChoiceSet>> {
        let participants = owner::participants(self.transcript, &self.reading.roster);
        let owner = |task: &TaskCluster, _| {
            let script = &self.reading.script;
            let speaking = fields::speaking(task);
            let around = fields::owned::Around::of(script, &participants, task, &speaking);
            let claimants = fields::claimants(script, &participants, task, &speaking, &around);
            let strongest = owner::strongest(&claimants).and_then(|claimant| claimant.owner.as_ref());
            strongest.map(|owner| owner.name.clone())
        };
        let mut choice_sets = self.ask(self.tasks, self.partner, group, 1.0, owner)?;
        let gold: Vec<TaskCluster> = (0..self.text.gold.len()).map(|number| self.proven(number)).collect();
        let itself: Vec<_> = (0..gold.len()).map(Some).collect();
        let named = |_: &TaskCluster, number: usize| self.document.tasks[number].owner.clone();
        choice_sets.extend(self.ask(&gold, &itself, group, GOLD, named)?);
        Ok(choice_sets)
    }

    fn ask(
        &self,
        tasks: &[TaskCluster],
        partner: &[Option<usize>],
        group: u32,
        weight: f32,
        owner: impl Fn(&TaskCluster, usize) -> Option<String>,
    ) -> Result<Vec<ChoiceSet>> {
        let context = crate::context(self.document)?;
        let language = self.reading.roster.language();
        let assignment = SentenceAssignment::of(tasks, self.reading.script.sentences.len());
        let (scene, script) = (&self.text.scene, &self.reading.script);
        let due_options = DueOptions::of(scene, script, self.transcript, &context, language, &assignment);
        let found = tasks.iter().zip(partner).enumerate();
        let paired = found.filter_map(|(number, (task, partner))| Some((number, task, (*partner)?)));
        let choice_set = |(number, task, gold): (usize, &TaskCluster, usize)| {
            let (speaking, telling) = (fields::speaking(task), fields::telling(task));
            let owner = owner(task, gold);
            let asked = DueQuestion { number, speaking: &speaking, telling: &telling, owner: owner.as_deref() };
            let options = due_options.options(&asked);
            let gold = &self.document.tasks[gold];
            let is_right = |day: &str| is_one(&gold.due, &gold.dues, |due| due == Some(day));
            let right = options.iter().map(|option| is_right(&option.due.date.to_string())).collect();
            let index = |feature| HashedLinear::at(feature, BITS);
            let indices = |option: DueOption| option.hashed_features.into_iter().map(index).collect();
            let options = options.into_iter().map(indices).collect();
            ChoiceSet { options, right, weight, group }
        };
        Ok(paired.map(choice_set).collect())
    }

    /// A gold task with the sentences of its evidence.
    #[must_use]
    pub fn proven(&self, number: usize) -> TaskCluster {
        let touched = |at: &usize| mark::touches(&self.text.spans[*at], &self.text.gold[number]);
        let known = |sentence: usize| self.candidates.iter().find(|candidate| candidate.sentence == sentence).cloned();
        let faint = |sentence| CandidateSentence {
            sentence,
            logit: -2.5,
            opening: -2.0,
            continuation: -2.0,
            explicit: false,
            prefixes: Vec::new(),
        };
        let sentences = (0..self.text.spans.len()).filter(touched);
        TaskCluster {
            members: sentences.map(|sentence| known(sentence).unwrap_or_else(|| faint(sentence))).collect(),
            logit: 1.0,
        }
    }
}

/// Learns to choose, and reports the share of held-out tasks whose due date comes out right.
///
/// # Errors
/// Where a document's time is malformed.
pub fn learn(sources: &[TrainingSource<'_>], folds: u32, report: &mut Vec<String>) -> Result<HashedLinear> {
    let asked: Vec<Vec<ChoiceSet>> =
        sources.iter().enumerate().map(|(group, source)| source.choice_sets(group as u32)).collect::<Result<_>>()?;
    let choice_sets = asked.concat();
    let (mut right, mut all) = (0, 0);
    for fold in 0..folds {
        let weights = fit(&choice_sets, |group| fold_of(group, folds) != fold);
        let held = |choice_set: &&ChoiceSet| fold_of(choice_set.group, folds) == fold && choice_set.weight == 1.0;
        for choice_set in choice_sets.iter().filter(held) {
            all += 1;
            right += usize::from(choice_set.is_answered(&weights));
        }
    }
    report.push(format!("documents, due dates of tasks found: {:.3}", right as f64 / f64::from(all.max(1))));
    let weights = fit(&choice_sets, |_| true);
    Ok(HashedLinear::quantise(&weights.values, weights.bias, BITS))
}

fn fit(choice_sets: &[ChoiceSet], keep: impl Fn(u32) -> bool) -> LinearWeights {
    choice::fit(choice_sets, 1 << BITS, HYPERPARAMETERS, keep)
}
