//! Training, stage by stage. Each stage learns from held-out scores of the one before, so that none trusts scores that are
//! better than they will be.

use crate::boost::{Cases, Growth};
use crate::data::{self, Document, Mail, Meeting};
use crate::dates::{self, Source};
use crate::fit::{Examples, Recipe, fold_of};
use crate::mark::{self, Span};
use crate::prepared::{self, Bits, Text};
use crate::rare;
use crate::records::Records;
use crate::titles;
use anyhow::Result;
use gleaner_extract::feature::ROLES;
use gleaner_extract::judge::{self, Gathered};
use gleaner_extract::link::pair::{self, Candidate, Link};
use gleaner_extract::model::calibrate::Calibration;
use gleaner_extract::model::forest::Forest;
use gleaner_extract::model::linear::Linear;
use gleaner_extract::model::panel::Panel;
use gleaner_extract::model::table::Table;
use gleaner_extract::score::{First, Known, MODELS};
use gleaner_extract::title::Model;
use gleaner_extract::verdict::Gathering;
use gleaner_extract::weights::{Regime, Scale, Weights};
use std::path::Path;

/// Parts for cross-validation.
pub const FOLDS: u32 = 5;
const WORDS: Recipe = Recipe { passes: 6, rate: 0.02, decay: 0.0, near: 1.0, orders: 1 };
const SPOKEN: Recipe = Recipe { passes: 8, rate: 0.05, decay: 0.0, near: 0.2, orders: 3 };
/// The size of the models of documents, of those that only help, and of the one that has most to learn from.
const USUAL: Bits = Bits { words: 16, places: 16 };
const SMALL: Bits = Bits { words: 15, places: 15 };
const LARGE: Bits = Bits { words: 18, places: 16 };
const MAIL: Recipe = Recipe { passes: 8, rate: 0.01, decay: 0.0, near: 1.0, orders: 1 };
const SECOND: Growth = Growth { trees: 300, leaves: 8, rate: 0.04, rows: 7, numbers: 3, least: 20, pull: 5.0 };
const LINKS: Growth = Growth { trees: 250, leaves: 8, rate: 0.05, rows: 7, numbers: 3, least: 10, pull: 5.0 };
const VERDICT: Growth = Growth { trees: 150, leaves: 6, rate: 0.04, rows: 7, numbers: 3, least: 15, pull: 5.0 };
/// How much a trap counts beside any other sentence.
const TRAP: f32 = 2.0;
/// How much F1 may be lost for fewer wrong tasks.
const NEXT: f64 = 0.003;
/// Least tasks in a step of the calibration.
pub(crate) const STEP: usize = 25;

/// What training learns from.
pub struct Data {
    /// Documents with gold tasks.
    pub documents: Vec<Document>,
    /// AMI.
    pub ami: Vec<Meeting>,
    /// ICSI.
    pub icsi: Vec<Meeting>,
    /// Minutes without their action lines.
    pub minutes: Vec<Meeting>,
    /// Sentences of mails.
    pub mails: Vec<Mail>,
}

impl Data {
    /// Reads it from the folder of the labelled data.
    ///
    /// # Errors
    /// Where a file cannot be read.
    pub fn read(folder: &Path) -> Result<Self> {
        Ok(Self {
            documents: data::read(folder, "documents-train.jsonl")?,
            ami: data::read(folder, "ami.jsonl.gz")?,
            icsi: data::read(folder, "icsi.jsonl.gz")?,
            minutes: data::read(folder, "w3c.jsonl.gz")?,
            mails: data::read(folder, "email.jsonl.gz")?,
        })
    }
}

/// Weights, and what they reach where they were not trained.
pub struct Trained {
    /// The weights.
    pub weights: Weights,
    /// Cross-validated figures, a line each.
    pub report: Vec<String>,
}

/// One label for every sentence of some texts, and how much each counts.
struct Lesson<'l> {
    texts: &'l [Text<'l>],
    bits: Bits,
    recipe: Recipe,
}

/// Held-out logits of one model for each text, and the model trained on all.
struct Fitted {
    logits: Vec<Vec<f32>>,
    model: Linear,
}

impl Lesson<'_> {
    fn examples(&self, label: impl Fn(&Text<'_>, usize) -> bool, weight: impl Fn(&Text<'_>, usize) -> f32) -> Examples {
        let mut examples = Examples::of_words((ROLES as u32) << self.bits.words);
        for (group, text) in self.texts.iter().enumerate() {
            for index in 0..text.scene.seen.len() {
                let features = text.features(index, self.bits);
                examples.push(features, label(text, index), weight(text, index), group as u32);
            }
        }
        examples
    }

    fn model(&self, examples: &Examples) -> Linear {
        let weights = examples.fit(self.bits.weights(), self.recipe, |_| true);
        Linear::quantise(&weights.values, weights.bias, self.bits.words, self.bits.places)
    }

    fn fitted(&self, examples: &Examples) -> Fitted {
        let logits = split(self.texts, &examples.cross_fit(self.bits.weights(), self.recipe, FOLDS));
        Fitted { logits, model: self.model(examples) }
    }
}

/// Cuts logits of all sentences text by text.
fn split(texts: &[Text<'_>], logits: &[f32]) -> Vec<Vec<f32>> {
    let mut rest = logits;
    let cut = |text: &Text<'_>| {
        let (own, after) = rest.split_at(text.scene.seen.len());
        rest = after;
        own.to_vec()
    };
    texts.iter().map(cut).collect()
}

/// Best F1 of cutting scored examples at one place: F1, precision, recall, the place.
#[must_use]
pub fn best_f1(scored: &[(f32, bool)], missed: usize) -> (f64, f64, f64, f32) {
    let mut sorted = scored.to_vec();
    sorted.sort_by(|one, other| other.0.total_cmp(&one.0));
    let total = sorted.iter().filter(|(_, right)| *right).count() + missed;
    let (mut right, mut best) = (0, (0.0, 0.0, 0.0, f32::INFINITY));
    for (at, (logit, is_right)) in sorted.iter().enumerate() {
        right += usize::from(*is_right);
        let f1 = 2.0 * right as f64 / (at + 1 + total) as f64;
        if f1 > best.0 {
            best = (f1, right as f64 / (at + 1) as f64, right as f64 / total as f64, *logit);
        }
    }
    best
}

/// The highest cut whose F1 is next to the best, because a wrong task costs more trust than a missed one.
fn careful(scored: &[(f32, bool)], missed: usize) -> (f64, f64, f64, f32) {
    let least = best_f1(scored, missed).0 - NEXT;
    let mut sorted = scored.to_vec();
    sorted.sort_by(|one, other| other.0.total_cmp(&one.0));
    let total = sorted.iter().filter(|(_, right)| *right).count() + missed;
    let mut right = 0;
    for (at, (logit, is_right)) in sorted.iter().enumerate() {
        right += usize::from(*is_right);
        let f1 = 2.0 * right as f64 / (at + 1 + total) as f64;
        if f1 >= least {
            return (f1, right as f64 / (at + 1) as f64, right as f64 / total as f64, *logit);
        }
    }
    best_f1(scored, missed)
}

pub(crate) fn told(name: &str, (f1, precision, recall, _): (f64, f64, f64, f32)) -> String {
    format!("{name}: F1 {f1:.3}  P {precision:.3}  R {recall:.3}")
}

fn pairs(logits: &[Vec<f32>], texts: &[Text<'_>]) -> Vec<(f32, bool)> {
    logits.concat().into_iter().zip(texts.iter().flat_map(|text| text.labels.iter().copied())).collect()
}

/// First-pass logits of another model for a text.
pub(crate) fn others(text: &Text<'_>, model: &Linear) -> Vec<f32> {
    let sums = model.sums(&text.scene);
    let mut places = Vec::new();
    let logit = |index| {
        places.clear();
        gleaner_extract::feature::place::features(&text.scene, index, &text.whole, &mut places);
        model.logit(&text.scene, &sums, index, &places)
    };
    (0..text.scene.seen.len()).map(logit).collect()
}

/// The second pass over texts: held-out logits, and the trees learnt from all.
fn second(texts: &[Text<'_>], firsts: &[First]) -> (Vec<Vec<f32>>, Forest) {
    let mut cases = Cases::default();
    for (group, (text, first)) in texts.iter().zip(firsts).enumerate() {
        let known = Known::of(&text.scene, first, &text.whole);
        for index in 0..text.scene.seen.len() {
            known.numbers(index, &mut cases.numbers);
            cases.push(text.labels[index], if text.is_trap(index) { TRAP } else { 1.0 }, group as u32);
        }
    }
    let (logits, forest) = cases.grow(SECOND, FOLDS);
    (split(texts, &logits), forest)
}

/// The links of texts: those considered in each with held-out logits, and the trees learnt from all.
fn links(texts: &[Text<'_>], firsts: &[First], candidates: &[Vec<Candidate>]) -> (Vec<Vec<Link>>, Forest) {
    let mut cases = Cases::default();
    let mut considered = Vec::new();
    for (group, ((text, first), candidates)) in texts.iter().zip(firsts).zip(candidates).enumerate() {
        let of = |candidate: &Candidate| -> Vec<usize> {
            let spans = &text.spans[candidate.sentence];
            (0..text.gold.len()).filter(|&task| mark::touches(spans, &text.gold[task])).collect()
        };
        let tasks: Vec<Vec<usize>> = candidates.iter().map(of).collect();
        let known = Known::of(&text.scene, first, &text.whole);
        let pairs: Vec<_> =
            pair::pairs(candidates).into_iter().filter(|&at| pair::may_link(&text.scene, candidates, at)).collect();
        for &(later, earlier) in &pairs {
            pair::numbers(&known, candidates, (later, earlier), &mut cases.numbers);
            let both = !tasks[later].is_empty() && !tasks[earlier].is_empty();
            let same = tasks[later].iter().any(|task| tasks[earlier].contains(task));
            cases.push(same, if both { 1.0 } else { 0.0 }, group as u32);
        }
        considered.push(pairs);
    }
    let (logits, forest) = cases.grow(LINKS, FOLDS);
    let mut logits = logits.into_iter();
    let scored = considered.into_iter().map(|pairs| pairs.into_iter().zip(logits.by_ref()).collect());
    (scored.collect(), forest)
}

/// The tasks of one text with what each touches.
struct Judged {
    logit: f32,
    right: bool,
    explicit: bool,
    group: usize,
    spans: Vec<Span>,
}

/// Verdicts on gathered tasks: held-out, and the trees learnt from all.
fn verdicts(texts: &[Text<'_>], firsts: &[First], groups: &[Vec<Vec<Candidate>>]) -> (Vec<Judged>, Forest) {
    let mut cases = Cases::default();
    let mut judged = Vec::new();
    for (group, ((text, first), tasks)) in texts.iter().zip(firsts).zip(groups).enumerate() {
        let known = Known::of(&text.scene, first, &text.whole);
        let gathering = Gathering::of(&known, tasks);
        for ((task, members), right) in tasks.iter().enumerate().zip(matched(text, tasks)) {
            gathering.numbers(task, &mut cases.numbers);
            let spans = spans(text, members);
            let trap = !right && text.traps.iter().any(|trap| mark::touches(&spans, trap));
            cases.push(right, if trap { TRAP } else { 1.0 }, group as u32);
            let explicit = Gathered { members: members.clone(), logit: 0.0 }.explicit();
            judged.push(Judged { logit: 0.0, right, explicit, group, spans });
        }
    }
    let (logits, forest) = cases.grow(VERDICT, FOLDS);
    for (task, logit) in judged.iter_mut().zip(logits) {
        task.logit = if task.explicit { logit.max(3.0) } else { logit };
    }
    (judged, forest)
}

fn spans(text: &Text<'_>, members: &[Candidate]) -> Vec<Span> {
    members.iter().filter_map(|member| text.spans.get(member.sentence)).flatten().cloned().collect()
}

/// Which tasks of a document find a gold task of their own.
fn matched(text: &Text<'_>, tasks: &[Vec<Candidate>]) -> Vec<bool> {
    paired(text, tasks.iter().map(Vec::as_slice)).iter().map(Option::is_some).collect()
}

/// The gold task of each task of a document.
fn partners(text: &Text<'_>, tasks: &[Gathered]) -> Vec<Option<usize>> {
    paired(text, tasks.iter().map(|task| task.members.as_slice()))
}

fn paired<'c>(text: &Text<'_>, tasks: impl Iterator<Item = &'c [Candidate]>) -> Vec<Option<usize>> {
    let tasks: Vec<_> = tasks.collect();
    let found: Vec<Vec<Span>> = tasks.iter().map(|members| spans(text, members)).collect();
    let strength =
        |task: usize, _| f64::from(tasks[task].iter().map(|member| member.logit).fold(-9.0, f32::max)) * 0.01;
    mark::pair(&found, &text.gold, strength)
}

fn regime(second: Forest, verdict: Forest, judged: &[Judged], threshold: f32) -> Regime {
    let plain = judged.iter().filter(|task| !task.explicit).map(|task| (task.logit, task.right));
    let calibration = Calibration::fit(&plain.collect::<Vec<_>>(), STEP);
    let threshold = calibration.probability(threshold);
    Regime { second, verdict, scale: Scale { calibration, threshold } }
}

/// The share of traps that a wrong task above the threshold rests on.
fn trap_rate(texts: &[Text<'_>], judged: &[Judged], threshold: f32) -> f64 {
    let (mut all, mut hit) = (0, 0);
    for (group, text) in texts.iter().enumerate() {
        let wrong: Vec<_> =
            judged.iter().filter(|task| task.group == group && task.logit >= threshold && !task.right).collect();
        all += text.traps.len();
        hit += text.traps.iter().filter(|trap| wrong.iter().any(|task| mark::touches(&task.spans, trap))).count();
    }
    hit as f64 / f64::from(all.max(1) as u32)
}

/// The models of the other corpora.
struct Base {
    ami: Fitted,
    icsi: Linear,
    mail: Linear,
    snippet: Scale,
}

/// What documents teach.
struct Taught {
    first: [Linear; MODELS],
    link: Forest,
    due: Table,
    title: Model,
    written: Regime,
}

/// Trains every stage.
///
/// # Errors
/// Where a document's time is malformed.
pub fn train(data: &Data) -> Result<Trained> {
    let mut report = Vec::new();
    let cut = prepared::utterances(&data.ami);
    let ami = prepared::meetings(&data.ami, &cut, |said| said.action > 0);
    let base = corpora(data, &ami, &mut report);
    let Taught { first, link, due, title, written } = documents(&data.documents, &base, &mut report)?;
    let talk = rare::talk(&ami, &base.ami.logits, &first, &mut report);
    let minutes = rare::minutes(&data.minutes, &first, &mut report)?;
    let snippet = base.snippet.clone();
    let first = Panel::of(first);
    Ok(Trained { weights: Weights { first, link, due, title, written, talk, minutes, snippet }, report })
}

/// Scores the engine on every document with weights that were trained without it; `tell` hears of each error.
///
/// # Errors
/// Where a document's time is malformed.
pub fn cross_validate(data: &Data, tell: &mut dyn FnMut(String)) -> Result<Records> {
    let folds = folds(data)?;
    let mut records = Records::default();
    for (at, document) in (0..).zip(&data.documents) {
        records.add(document, &crate::extract(document, &folds[fold_of(at, FOLDS) as usize])?, tell);
    }
    Ok(records)
}

/// For each part of the documents, weights that were trained without it (see [`fold_of`]), for written texts.
///
/// # Errors
/// Where a document's time is malformed.
pub fn folds(data: &Data) -> Result<Vec<Weights>> {
    let mut silent = Vec::new();
    let cut = prepared::utterances(&data.ami);
    let ami = prepared::meetings(&data.ami, &cut, |said| said.action > 0);
    let base = corpora(data, &ami, &mut silent);
    let without = |fold| {
        let kept = (0..).zip(&data.documents).filter(|(at, _)| fold_of(*at, FOLDS) != fold);
        let kept: Vec<Document> = kept.map(|(_, document)| document.clone()).collect();
        let Taught { first, link, due, title, written } = documents(&kept, &base, &mut Vec::new())?;
        let [talk, minutes] = [rare::never(), rare::never()];
        let first = Panel::of(first);
        Ok(Weights { first, link, due, title, talk, minutes, written, snippet: base.snippet.clone() })
    };
    (0..FOLDS).map(without).collect()
}

/// What documents teach: every stage for written texts.
fn documents(documents: &[Document], base: &Base, report: &mut Vec<String>) -> Result<Taught> {
    let transcripts = prepared::transcripts(documents);
    let readings = prepared::readings(documents, &transcripts)?;
    let texts = prepared::documents(documents, &transcripts, &readings);
    let lesson = Lesson { texts: &texts, bits: USUAL, recipe: WORDS };
    let one = |_: &Text<'_>, _: usize| 1.0;
    let trap = |text: &Text<'_>, index| if text.is_trap(index) { TRAP } else { 1.0 };
    let plain = lesson.fitted(&lesson.examples(|text, index| text.labels[index], trap));
    let opening = lesson.fitted(&lesson.examples(|text, index| opens(text, index, true), one));
    let answer = lesson.fitted(&lesson.examples(|text, index| opens(text, index, false), one));
    report.push(told("documents, sentences, first pass", best_f1(&pairs(&plain.logits, &texts), 0)));
    let firsts: Vec<First> = (0..texts.len())
        .map(|at| {
            let other = |model| others(&texts[at], model);
            let held = |fitted: &Fitted| fitted.logits[at].clone();
            [held(&plain), other(&base.ami.model), other(&base.icsi), other(&base.mail), held(&opening), held(&answer)]
        })
        .collect();
    let (logits, second) = second(&texts, &firsts);
    report.push(told("documents, sentences, second pass", best_f1(&pairs(&logits, &texts), 0)));
    let candidates: Vec<Vec<Candidate>> =
        (0..texts.len()).map(|at| judge::candidates(&texts[at].scene, &firsts[at], &logits[at])).collect();
    let (link, written, tasks) = gathered(&texts, &firsts, &candidates, second, report);
    let partners: Vec<_> = texts.iter().zip(&tasks).map(|(text, tasks)| partners(text, tasks)).collect();
    let sources: Vec<Source<'_>> = (0..texts.len())
        .map(|at| Source {
            document: &documents[at],
            transcript: &transcripts[at],
            reading: &readings[at],
            text: &texts[at],
            tasks: &tasks[at],
            partner: &partners[at],
            candidates: &candidates[at],
        })
        .collect();
    let due = dates::learn(&sources, FOLDS, report)?;
    let title = titles::learn(&sources, FOLDS, report)?;
    let first =
        [plain.model, base.ami.model.clone(), base.icsi.clone(), base.mail.clone(), opening.model, answer.model];
    Ok(Taught { first, link, due, title, written })
}

/// Links and verdicts on documents, and the tasks of each with held-out verdicts.
fn gathered(
    texts: &[Text<'_>],
    firsts: &[First],
    candidates: &[Vec<Candidate>],
    second: Forest,
    report: &mut Vec<String>,
) -> (Forest, Regime, Vec<Vec<Gathered>>) {
    let (linked, link) = links(texts, firsts, candidates);
    let groups: Vec<_> =
        candidates.iter().zip(&linked).map(|(candidates, links)| judge::groups(candidates, links)).collect();
    let (judged, verdict) = verdicts(texts, firsts, &groups);
    let gold: usize = texts.iter().map(|text| text.gold.len()).sum();
    let found = judged.iter().filter(|task| task.right).count();
    let scored: Vec<(f32, bool)> = judged.iter().map(|task| (task.logit, task.right)).collect();
    let best = careful(&scored, gold - found);
    report.push(told("documents, tasks", best));
    report.push(format!("documents, trap rate {:.3}", trap_rate(texts, &judged, best.3)));
    let mut logits = judged.iter().map(|task| task.logit);
    let tasks = groups.into_iter().map(|tasks| {
        let tasks = tasks.into_iter().zip(logits.by_ref());
        tasks.map(|(members, logit)| Gathered { members, logit }).collect()
    });
    let tasks = tasks.collect();
    (link, regime(second, verdict, &judged, best.3), tasks)
}

/// Whether a sentence is the first of several that make up a task, or a later one.
fn opens(text: &Text<'_>, index: usize, first: bool) -> bool {
    text.gold.iter().filter(|spans| spans.len() > 1).any(|spans| {
        let mut spans = spans.clone();
        spans.sort_by_key(|span| span.start);
        let part = if first { &spans[..1] } else { &spans[1..] };
        mark::touches(&text.spans[index], part)
    })
}

/// Learns from the other corpora.
fn corpora(data: &Data, ami: &[Text<'_>], report: &mut Vec<String>) -> Base {
    let label = |text: &Text<'_>, index: usize| text.labels[index];
    let one = |_: &Text<'_>, _: usize| 1.0;
    let lesson = Lesson { texts: ami, bits: LARGE, recipe: SPOKEN };
    let ami_model = lesson.fitted(&lesson.examples(label, one));
    report.push(told("AMI, utterances, first pass", best_f1(&pairs(&ami_model.logits, ami), 0)));
    let cut = prepared::utterances(&data.icsi);
    let texts = prepared::meetings(&data.icsi, &cut, |said| said.commit + said.command > 0);
    let lesson = Lesson { texts: &texts, bits: SMALL, recipe: SPOKEN };
    let icsi = lesson.model(&lesson.examples(label, one));
    let cut = prepared::mail_sentences(&data.mails);
    let texts = prepared::mails(&data.mails, &cut);
    let lesson = Lesson { texts: &texts, bits: SMALL, recipe: MAIL };
    let mail = lesson.fitted(&lesson.examples(label, one));
    let scored = pairs(&mail.logits, &texts);
    let best = best_f1(&scored, 0);
    report.push(told("mail, sentences", best));
    let calibration = Calibration::fit(&scored, STEP);
    let snippet = Scale { threshold: calibration.probability(best.3), calibration };
    Base { ami: ami_model, icsi, mail: mail.model, snippet }
}
