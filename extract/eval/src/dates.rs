//! What documents teach of due dates: which of the days named near a task is its own. The tasks are those that were found
//! with held-out scores, and again the gold ones with their own evidence, which count half.

use crate::choice::{self, Question};
use crate::data::Document;
use crate::fit::{LinearWeights, Recipe, fold_of};
use crate::mark;
use crate::prepared::Text;
use crate::records::is_one;
use anyhow::Result;
use gleaner_extract::engine::Reading;
use gleaner_extract::fields::due::{Calendar, DueQuestion};
use gleaner_extract::fields::{self, Whose};
use gleaner_extract::judge::Gathered;
use gleaner_extract::link::pair::CandidateSentence;
use gleaner_extract::model::table::Table;
use gleaner_extract::people::Roster;
use gleaner_extract::reader::Transcript;
use gleaner_extract::{language, owner};

/// How many bits number the weights.
const BITS: u32 = 15;
const RECIPE: Recipe = Recipe { passes: 8, rate: 0.05, decay: 0.0, near: 1.0, orders: 1 };
/// How much a gold task with its own evidence counts.
const GOLD: f32 = 0.5;

/// A document as it was read and what was found in it.
#[derive(Clone, Copy)]
pub struct Source<'s> {
    /// The document.
    pub document: &'s Document,
    /// As it was read.
    pub transcript: &'s Transcript<'s>,
    /// As it was cut.
    pub reading: &'s Reading<'s>,
    /// With what is true of it.
    pub text: &'s Text<'s>,
    /// What was found, with held-out scores.
    pub tasks: &'s [Gathered],
    /// The gold task of each.
    pub partner: &'s [Option<usize>],
    /// Every sentence that may be part of a task.
    pub candidates: &'s [CandidateSentence],
}

impl Source<'_> {
    /// Questions of due dates, one for each task found and one for each gold task.
    fn questions(&self, group: u32) -> Result<Vec<Question>> {
        let roster = Roster::of(self.transcript, &crate::context(self.document)?);
        let cast = owner::cast(self.transcript, &roster);
        let owner = |task: &Gathered, _| {
            let script = &self.reading.script;
            let speaking = fields::speaking(task);
            let around = fields::owned::Around::of(script, &cast, task, &speaking);
            let claimants = fields::claimants(script, &cast, task, &speaking, &around);
            owner::strongest(&claimants).and_then(|claimant| claimant.guess.as_ref()).map(|guess| guess.name.clone())
        };
        let mut questions = self.ask(self.tasks, self.partner, group, 1.0, owner)?;
        let gold: Vec<Gathered> = (0..self.text.gold.len()).map(|number| self.proven(number)).collect();
        let itself: Vec<_> = (0..gold.len()).map(Some).collect();
        let named = |_: &Gathered, number: usize| self.document.tasks[number].owner.clone();
        questions.extend(self.ask(&gold, &itself, group, GOLD, named)?);
        Ok(questions)
    }

    fn ask(
        &self,
        tasks: &[Gathered],
        partner: &[Option<usize>],
        group: u32,
        weight: f32,
        owner: impl Fn(&Gathered, usize) -> Option<String>,
    ) -> Result<Vec<Question>> {
        let context = crate::context(self.document)?;
        let said_at = context.zone.local(context.occurred_at);
        let language = language::of(context.language.as_deref(), self.transcript);
        let whose = Whose::of(tasks, self.reading.script.sentences.len());
        let calendar = Calendar::of(&self.text.scene, &self.reading.script, self.transcript, said_at, language, &whose);
        let found = tasks.iter().zip(partner).enumerate();
        let paired = found.filter_map(|(number, (task, partner))| Some((number, task, (*partner)?)));
        let question = |(number, task, gold): (usize, &Gathered, usize)| {
            let (speaking, telling) = (fields::speaking(task), fields::telling(task));
            let owner = owner(task, gold);
            let asked = DueQuestion { number, speaking: &speaking, telling: &telling, owner: owner.as_deref() };
            let choices = calendar.choices(&asked);
            let gold = &self.document.tasks[gold];
            let is_right = |day: &str| is_one(&gold.due, &gold.dues, |due| due == Some(day));
            let right = choices.iter().map(|choice| is_right(&choice.due.date.to_string())).collect();
            let numbers = |features: Vec<u32>| features.into_iter().map(|feature| Table::at(feature, BITS)).collect();
            let options = choices.into_iter().map(|choice| numbers(choice.features)).collect();
            Question { options, right, weight, group }
        };
        Ok(paired.map(question).collect())
    }

    /// A gold task with the sentences of its evidence.
    #[must_use]
    pub fn proven(&self, number: usize) -> Gathered {
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
        Gathered {
            members: sentences.map(|sentence| known(sentence).unwrap_or_else(|| faint(sentence))).collect(),
            logit: 1.0,
        }
    }
}

/// Learns to choose, and reports the share of held-out tasks whose due date comes out right.
///
/// # Errors
/// Where a document's time is malformed.
pub fn learn(sources: &[Source<'_>], folds: u32, report: &mut Vec<String>) -> Result<Table> {
    let asked: Vec<Vec<Question>> =
        sources.iter().enumerate().map(|(group, source)| source.questions(group as u32)).collect::<Result<_>>()?;
    let questions = asked.concat();
    let (mut right, mut all) = (0, 0);
    for fold in 0..folds {
        let weights = fit(&questions, |group| fold_of(group, folds) != fold);
        let held = questions.iter().filter(|question| fold_of(question.group, folds) == fold && question.weight == 1.0);
        for question in held {
            all += 1;
            right += usize::from(question.is_answered(&weights));
        }
    }
    report.push(format!("documents, due dates of tasks found: {:.3}", right as f64 / f64::from(all.max(1))));
    let weights = fit(&questions, |_| true);
    Ok(Table::quantise(&weights.values, weights.bias, BITS))
}

fn fit(questions: &[Question], keep: impl Fn(u32) -> bool) -> LinearWeights {
    choice::fit(questions, 1 << BITS, RECIPE, keep)
}
