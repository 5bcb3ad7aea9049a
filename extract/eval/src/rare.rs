//! Trains how texts are judged in which tasks are rare: long talk on AMI, minutes on those of W3C groups.

use crate::corpora::{self, f1, most_pairs};
use crate::data::Meeting;
use crate::fit::fold_of;
use crate::mark::Span;
use crate::newton::Rows;
use crate::prepared::{self, Text};
use crate::train::{FOLDS, STEP, others, told};
use anyhow::Result;
use gleaner_extract::Document;
use gleaner_extract::engine::Reading;
use gleaner_extract::judge::{self, Gathered};
use gleaner_extract::model::calibrate::Calibration;
use gleaner_extract::model::dense::Dense;
use gleaner_extract::model::linear::Linear;
use gleaner_extract::rare::{NUMBERS, Rare, gather, numbers};
use gleaner_extract::reader::{Transcript, read};
use gleaner_extract::score::{First, MODELS};
use gleaner_extract::weights::Scale;

/// How strongly the weights are drawn towards zero.
const PULL: f64 = 10.0;
/// How many cuts are tried, and the share of sentences above the lowest of them.
const CUTS: usize = 100;
const MOST: f64 = 0.1;
/// How many utterances before the place where minutes record an action count as its evidence.
const WINDOW: i64 = 3;

/// Precision, recall and F1.
type Figures = (f64, f64, f64);

/// Texts with what the first pass thinks of them.
struct Lesson<'l> {
    texts: &'l [Text<'l>],
    firsts: Vec<First>,
    /// Which model of the first pass knows this kind of text best.
    own: usize,
}

impl Lesson<'_> {
    /// Held-out logits of each text, and the model trained on all.
    fn fit(&self) -> (Vec<Vec<f32>>, Dense) {
        let all = self.texts.iter().zip(&self.firsts);
        let found: Vec<Vec<f32>> =
            all.map(|(text, first)| numbers(&text.scene, first, &text.whole, self.own)).collect();
        let labels: Vec<bool> = self.texts.iter().flat_map(|text| text.labels.iter().copied()).collect();
        let groups: Vec<u32> =
            (0..).zip(self.texts).flat_map(|(at, text)| text.labels.iter().map(move |_| at)).collect();
        let rows = Rows { numbers: &found.concat(), width: NUMBERS, labels: &labels };
        let mut logits = vec![Vec::new(); found.len()];
        for fold in 0..FOLDS {
            let model = rows.fit(PULL, |row| fold_of(groups[row], FOLDS) != fold);
            for at in (0..found.len()).filter(|&at| fold_of(at as u32, FOLDS) == fold) {
                logits[at] = found[at].chunks(NUMBERS).map(|numbers| model.logit(numbers)).collect();
            }
        }
        (logits, rows.fit(PULL, |_| true))
    }

    fn gathered(&self, logits: &[Vec<f32>], cut: f32) -> Vec<Vec<Gathered>> {
        let all = self.texts.iter().zip(&self.firsts).zip(logits);
        all.map(|((text, first), logits)| gather(&text.scene, first, logits, cut)).collect()
    }

    /// Trains, and cuts where the tasks above the cut score best.
    fn rare(&self, score: impl Fn(&[Vec<Gathered>]) -> Figures) -> (Rare, Figures) {
        let (logits, model) = self.fit();
        let sure = |cut: f32| -> Vec<Vec<Gathered>> {
            let mut tasks = self.gathered(&logits, cut);
            tasks.iter_mut().for_each(|tasks| tasks.retain(|task| task.logit >= cut));
            tasks
        };
        let mut sorted = logits.concat();
        sorted.sort_by(|one, other| other.total_cmp(one));
        let step = (sorted.len() as f64 * MOST) as usize / CUTS;
        let cuts = (1..=CUTS * 4).map(|number| number * number * step.max(1) / (CUTS * 4 * 4));
        let mut best = (f32::INFINITY, (0.0, 0.0, 0.0));
        for cut in cuts.filter_map(|at| sorted.get(at).copied()) {
            let figures = score(&sure(cut));
            if figures.2 > best.1.2 {
                best = (cut, figures);
            }
        }
        let (cut, figures) = best;
        let scored: Vec<(f32, bool)> = self.gathered(&logits, cut).iter().zip(self.texts).flat_map(right).collect();
        let calibration = Calibration::fit(&scored, STEP);
        let threshold = calibration.probability(cut);
        (Rare { model, cut, scale: Scale { calibration, threshold } }, figures)
    }
}

/// Whether each task of a text holds a sentence that counts.
fn right((tasks, text): (&Vec<Gathered>, &Text<'_>)) -> Vec<(f32, bool)> {
    let holds = |task: &Gathered| task.members.iter().any(|member| text.labels[member.sentence]);
    tasks.iter().map(|task| (task.logit, holds(task))).collect()
}

/// Weights by which nothing is a task.
#[must_use]
pub fn never() -> Rare {
    let model = Dense { bias: -20.0, weights: vec![0.0; NUMBERS] };
    Rare { model, cut: 0.0, scale: Scale { calibration: Calibration::default(), threshold: 0.5 } }
}

/// How long natural talk is judged, learnt from AMI; `held` are logits of its own model where it was not trained.
pub(crate) fn talk(ami: &[Text<'_>], held: &[Vec<f32>], models: &[Linear; MODELS], report: &mut Vec<String>) -> Rare {
    let first = |(text, own): (&Text<'_>, &Vec<f32>)| {
        let mut first: First = std::array::from_fn(|model| others(text, &models[model]));
        first[judge::AMI].clone_from(own);
        first
    };
    let lesson = Lesson { texts: ami, firsts: ami.iter().zip(held).map(first).collect(), own: judge::AMI };
    let utterances = |tasks: &[Vec<Gathered>]| {
        let (mut right, mut predicted, mut gold) = (0, 0, 0);
        for (tasks, text) in tasks.iter().zip(ami) {
            let members: Vec<usize> =
                tasks.iter().flat_map(|task| &task.members).map(|member| member.sentence).collect();
            predicted += members.len();
            right += members.iter().filter(|&&at| text.labels[at]).count();
            gold += text.labels.iter().filter(|label| **label).count();
        }
        f1(right, predicted, gold)
    };
    let (rare, (precision, recall, f1)) = lesson.rare(utterances);
    report.push(told("AMI, utterances, second pass", (f1, precision, recall, rare.cut)));
    rare
}

/// How minutes are judged, learnt from those that record an action, read as the engine reads them.
pub(crate) fn minutes(meetings: &[Meeting], models: &[Linear; MODELS], report: &mut Vec<String>) -> Result<Rare> {
    let meetings: Vec<&Meeting> = meetings.iter().filter(|meeting| !meeting.actions.is_empty()).collect();
    let written: Vec<(String, Vec<usize>)> = meetings.iter().map(|meeting| corpora::transcript(meeting)).collect();
    let submitted = written.iter().map(|(text, _)| Document { source_type: "meeting", title: None, text });
    let transcripts: Vec<Transcript<'_>> = submitted.map(|document| read(&document)).collect();
    let context = corpora::context("2005-01-10")?;
    let readings: Vec<Reading<'_>> =
        transcripts.iter().map(|transcript| Reading::of(transcript, "meeting", &context)).collect();
    // For each sentence of each meeting the utterances that it stands in.
    let places: Vec<Vec<Vec<i64>>> = (0..meetings.len())
        .map(|at| {
            let spans = (0..readings[at].script.sentences.len())
                .map(|sentence| readings[at].script.lines(&transcripts[at], sentence));
            let numbers = |span: &Span| corpora::lines(&written[at].1, span).map(|line| line as i64);
            spans.map(|spans| spans.iter().flat_map(numbers).collect()).collect()
        })
        .collect();
    let counts = |at: usize, places: &Vec<i64>| !reached(meetings[at], places.iter().copied()).is_empty();
    let texts: Vec<Text<'_>> = (0..meetings.len())
        .map(|at| prepared::reading(&readings[at], places[at].iter().map(|places| counts(at, places)).collect()))
        .collect();
    let first = |text: &Text<'_>| -> First { std::array::from_fn(|model| others(text, &models[model])) };
    let lesson = Lesson { texts: &texts, firsts: texts.iter().map(first).collect(), own: judge::MAIL };
    let actions = |tasks: &[Vec<Gathered>]| {
        let (mut right, mut predicted, mut gold) = (0, 0, 0);
        for (at, tasks) in tasks.iter().enumerate() {
            let numbers = |task: &Gathered| -> Vec<i64> {
                task.members.iter().flat_map(|part| places[at][part.sentence].iter().copied()).collect()
            };
            let reach: Vec<Vec<usize>> = tasks.iter().map(|task| reached(meetings[at], numbers(task))).collect();
            predicted += tasks.len();
            gold += meetings[at].actions.len();
            right += most_pairs(&reach, meetings[at].actions.len());
        }
        f1(right, predicted, gold)
    };
    let (rare, (precision, recall, f1)) = lesson.rare(actions);
    report.push(told("W3C, minutes without marks, one to one", (f1, precision, recall, rare.cut)));
    Ok(rare)
}

/// The actions that minutes record soon after one of these utterances, or just before it.
fn reached(meeting: &Meeting, utterances: impl IntoIterator<Item = i64> + Clone) -> Vec<usize> {
    let near = |anchor: i64| utterances.clone().into_iter().any(|at| at + WINDOW > anchor && at <= anchor + 1);
    (0..meeting.actions.len()).filter(|&at| near(meeting.actions[at].anchor)).collect()
}
