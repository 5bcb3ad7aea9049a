//! Training, stage by stage. Each stage learns from held-out scores of the one before, so that none trusts scores that are
//! better than they will be.

use crate::boost::{BoostParams, Dataset};
use crate::data::{self, Gold, GoldDocument, GoldEvidence, GoldPerson, Mail, Meeting};
use crate::dates::{self, TrainingSource};
use crate::encoder::{self, EncoderExample};
use crate::first_pass;
use crate::mark::{self, Span};
use crate::minutes;
use crate::owners;
use crate::prepared::{self, PreparedText};
use crate::statuses;
use crate::titles;
use anyhow::Result;
use gleaner_extract::encoder::Encoder;
use gleaner_extract::judge::{self, TaskCluster};
use gleaner_extract::link::pair::{self, CandidateSentence, ScoredPair};
use gleaner_extract::merge_done;
use gleaner_extract::model::calibrate::Calibration;
use gleaner_extract::model::forest::Forest;
use gleaner_extract::model::fused_linear::FusedLinear;
use gleaner_extract::model::linear::Linear;
use gleaner_extract::reader::Transcript;
use gleaner_extract::score::{First, FirstPass, LINEAR, NO_LOGIT};
use gleaner_extract::title;
use gleaner_extract::verdict::ClusterScorer;
use gleaner_extract::weights::{self, Scale, Weights};
use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;

/// Parts for cross-validation.
pub const FOLDS: u32 = 5;
const SECOND: BoostParams =
    BoostParams { trees: 500, leaves: 12, rate: 0.04, rows: 7, features: 3, least: 20, l2: 5.0 };
const LINKS: BoostParams = BoostParams { trees: 350, leaves: 10, rate: 0.05, rows: 7, features: 3, least: 10, l2: 5.0 };
const VERDICT: BoostParams =
    BoostParams { trees: 250, leaves: 8, rate: 0.04, rows: 7, features: 3, least: 15, l2: 5.0 };
/// How much a trap counts beside any other sentence.
const TRAP: f32 = 2.0;
/// How much what stands in documents counts to the trees beside what is said in natural meetings, of which there is more.
const WRITTEN: f32 = 2.0;
/// How much a sentence of a mail that stands alone counts: there are many, and their labels agree less than the others'.
const ALONE: f32 = 0.3;
/// Least probability of what is shown: of talk nearly two of three are right above it, and F1 of documents is next to its best.
const THRESHOLD: f64 = 0.45;
/// Least tasks in a step of the calibration.
const STEP: usize = 25;

/// What training learns from.
pub struct Data {
    /// Documents with gold tasks.
    pub documents: Vec<GoldDocument>,
    /// Natural meetings with gold tasks.
    pub talk: Vec<GoldDocument>,
    /// Meetings with speech acts.
    pub icsi: Vec<Meeting>,
    /// Sentences of mails, as documents of one task or none.
    pub mails: Vec<GoldDocument>,
    /// The sentence encoder, which is trained apart.
    pub encoder: Encoder,
}

impl Data {
    /// Reads it from the folder of the labelled data.
    ///
    /// # Errors
    /// Where a file cannot be read.
    pub fn read(folder: &Path) -> Result<Self> {
        let mut documents = data::read(folder, "documents-train.jsonl")?;
        let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("documents");
        documents.extend(data::read::<GoldDocument>(&own, "train.jsonl")?);
        let short: Vec<GoldDocument> = data::read(&own, "short.jsonl")?;
        documents.extend(short.iter().filter_map(GoldDocument::impersonal));
        documents.extend(short);
        let mails: Vec<Mail> = data::read(folder, "email.jsonl.gz")?;
        let mut talk = data::read(folder, "talk-train.jsonl.gz")?;
        talk.extend(minutes::read(folder, &own)?);
        Ok(Self {
            documents,
            talk,
            icsi: data::read(folder, "icsi.jsonl.gz")?,
            mails: mails.into_iter().map(document).collect(),
            encoder: weights::encoder()?,
        })
    }

    /// Every text: documents, then talk, then the sentences of mails.
    fn all(&self) -> Vec<GoldDocument> {
        self.documents.iter().chain(&self.talk).chain(&self.mails).cloned().collect()
    }

    fn kinds(&self) -> [TextGroup; 3] {
        let written = self.documents.len();
        let labelled = written + self.talk.len();
        [
            TextGroup { name: "documents", texts: 0..written },
            TextGroup { name: "talk", texts: written..labelled },
            TextGroup { name: "mail sentences", texts: labelled..labelled + self.mails.len() },
        ]
    }
}

/// A sentence of a mail as a document.
fn document(mail: Mail) -> GoldDocument {
    let task = Gold {
        title: mail.text.clone(),
        owner: None,
        waiting_on: false,
        due: None,
        status: "open".to_owned(),
        urgency: "normal".to_owned(),
        evidence: vec![GoldEvidence::Words(mail.text.clone())],
        optional: false,
        owners: Vec::new(),
        dues: Vec::new(),
    };
    GoldDocument {
        id: mail.id,
        kind: "single".to_owned(),
        series: None,
        order: None,
        source_type: "email".to_owned(),
        format: "prose".to_owned(),
        language: "en".to_owned(),
        title: String::new(),
        occurred_at: "2001-05-14T09:00:00Z".to_owned(),
        metadata: Default::default(),
        me: GoldPerson { name: String::new(), email: None, aliases: Vec::new() },
        transcript: mail.text,
        tasks: if mail.intent > 0 { vec![task] } else { Vec::new() },
        hard_negatives: Vec::new(),
        final_tasks: Vec::new(),
    }
}

/// Weights, and what they reach where they were not trained.
pub struct Trained {
    /// The weights.
    pub weights: Weights,
    /// Cross-validated figures, a line each.
    pub report: Vec<String>,
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

pub(crate) fn told(name: &str, (f1, precision, recall, _): (f64, f64, f64, f32)) -> String {
    format!("{name}: F1 {f1:.3}  P {precision:.3}  R {recall:.3}")
}

pub(crate) fn pairs(logits: &[Vec<f32>], texts: &[PreparedText<'_>]) -> Vec<(f32, bool)> {
    logits.concat().into_iter().zip(texts.iter().flat_map(|text| text.labels.iter().copied())).collect()
}

/// The second pass over texts: held-out logits, and the trees learnt from all.
fn second(texts: &[PreparedText<'_>], groups: &[u32], firsts: &[First]) -> (Vec<Vec<f32>>, Forest) {
    let mut dataset = Dataset::default();
    let mut places = Vec::new();
    for (at, (text, first)) in texts.iter().zip(firsts).enumerate() {
        let known = FirstPass::of(&text.scene, first, &text.stats);
        for index in (0..text.scene.seen.len()).filter(|&index| known.is_worth_it(index)) {
            known.features(index, &mut dataset.features);
            dataset.push(text.labels[index], importance(text, index), groups[at]);
            places.push((at, index));
        }
    }
    let (found, forest) = dataset.grow(SECOND, FOLDS);
    let mut logits: Vec<Vec<f32>> = texts.iter().map(|text| vec![NO_LOGIT; text.scene.seen.len()]).collect();
    for ((text, sentence), logit) in places.into_iter().zip(found) {
        logits[text][sentence] = logit;
    }
    (logits, forest)
}

/// How much a sentence counts: a trap more, an arguable one not at all.
pub(crate) fn importance(text: &PreparedText<'_>, index: usize) -> f32 {
    match text {
        _ if text.is_arguable(index) => 0.0,
        _ if text.is_trap(index) => TRAP * text.weight,
        _ => text.weight,
    }
}

/// The links of texts: those considered in each with held-out logits, and the trees learnt from all.
fn links(
    texts: &[PreparedText<'_>],
    groups: &[u32],
    firsts: &[First],
    candidates: &[Vec<CandidateSentence>],
) -> (Vec<Vec<ScoredPair>>, Forest) {
    let mut dataset = Dataset::default();
    let mut considered = Vec::new();
    for (group, ((text, first), candidates)) in groups.iter().zip(texts.iter().zip(firsts).zip(candidates)) {
        let of = |candidate: &CandidateSentence| -> Vec<usize> {
            let spans = &text.spans[candidate.sentence];
            (0..text.gold.len()).filter(|&task| mark::touches(spans, &text.gold[task])).collect()
        };
        let tasks: Vec<Vec<usize>> = candidates.iter().map(of).collect();
        let known = FirstPass::of(&text.scene, first, &text.stats);
        let pairs: Vec<_> =
            pair::pairs(candidates).into_iter().filter(|&at| pair::may_link(&text.scene, candidates, at)).collect();
        for &(later, earlier) in &pairs {
            pair::features(&known, candidates, (later, earlier), &mut dataset.features);
            let both = !tasks[later].is_empty() && !tasks[earlier].is_empty();
            let same = tasks[later].iter().any(|task| tasks[earlier].contains(task));
            dataset.push(same, if both { text.weight } else { 0.0 }, *group);
        }
        considered.push(pairs);
    }
    let (logits, forest) = dataset.grow(LINKS, FOLDS);
    let mut logits = logits.into_iter();
    let scored = considered.into_iter().map(|pairs| pairs.into_iter().zip(logits.by_ref()).collect());
    (scored.collect(), forest)
}

/// A cluster with its held-out verdict and what it touches.
struct Judged {
    logit: f32,
    right: bool,
    /// Arguable, so that it counts as nothing.
    spare: bool,
    explicit: bool,
    /// The number of its text.
    text: usize,
    spans: Vec<Span>,
}

/// Verdicts on clusters: held-out, and the trees learnt from all.
fn verdicts(
    texts: &[PreparedText<'_>],
    groups: &[u32],
    firsts: &[First],
    tasks: &[Vec<Vec<CandidateSentence>>],
) -> (Vec<Judged>, Forest) {
    let mut dataset = Dataset::default();
    let mut judged = Vec::new();
    for (at, ((text, first), tasks)) in texts.iter().zip(firsts).zip(tasks).enumerate() {
        let known = FirstPass::of(&text.scene, first, &text.stats);
        let cluster_scorer = ClusterScorer::of(&known, tasks);
        let partners = paired(text, tasks.iter().map(Vec::as_slice));
        for ((task, members), partner) in tasks.iter().enumerate().zip(partners) {
            cluster_scorer.features(task, &mut dataset.features);
            let spans = spans(text, members);
            let right = partner.is_some_and(|gold| !text.optional[gold]);
            let optional = |gold: usize| text.optional[gold] && mark::touches(&spans, &text.gold[gold]);
            let spare = !right && (0..text.gold.len()).any(optional);
            let trap = !right && text.hard_negatives.iter().any(|negative| mark::touches(&spans, negative));
            let weight = if trap { TRAP * text.weight } else { text.weight };
            dataset.push(right, if spare { 0.0 } else { weight }, groups[at]);
            let explicit = TaskCluster { members: members.clone(), logit: 0.0 }.explicit();
            judged.push(Judged { logit: 0.0, right, spare, explicit, text: at, spans });
        }
    }
    let (logits, forest) = dataset.grow(VERDICT, FOLDS);
    for (task, logit) in judged.iter_mut().zip(logits) {
        task.logit = if task.explicit { logit.max(3.0) } else { logit };
    }
    (judged, forest)
}

fn spans(text: &PreparedText<'_>, members: &[CandidateSentence]) -> Vec<Span> {
    members.iter().filter_map(|member| text.spans.get(member.sentence)).flatten().cloned().collect()
}

/// The gold task of each task of a document.
pub(crate) fn partners(text: &PreparedText<'_>, tasks: &[TaskCluster]) -> Vec<Option<usize>> {
    paired(text, tasks.iter().map(|task| task.members.as_slice()))
}

fn paired<'c>(text: &PreparedText<'_>, tasks: impl Iterator<Item = &'c [CandidateSentence]>) -> Vec<Option<usize>> {
    let tasks: Vec<_> = tasks.collect();
    let found: Vec<Vec<Span>> = tasks.iter().map(|members| spans(text, members)).collect();
    let strength =
        |task: usize, _| f64::from(tasks[task].iter().map(|member| member.logit).fold(-9.0, f32::max)) * 0.01;
    mark::pair(&found, &text.gold, strength)
}

/// Texts of one kind, by their numbers.
pub(crate) struct TextGroup {
    pub(crate) name: &'static str,
    pub(crate) texts: Range<usize>,
}

impl TextGroup {
    /// What is found of these texts above a logit: F1, precision, recall and the share of traps that a wrong task rests on.
    fn told(&self, texts: &[PreparedText<'_>], judged: &[Judged], cut: f32) -> String {
        let own = |task: &&Judged| self.texts.contains(&task.text) && !task.spare && task.logit >= cut;
        let found: Vec<&Judged> = judged.iter().filter(own).collect();
        let right = found.iter().filter(|task| task.right).count();
        let gold: usize = texts[self.texts.clone()].iter().map(PreparedText::wanted).sum();
        let (mut traps, mut hit) = (0, 0);
        for at in self.texts.clone() {
            let wrong: Vec<_> = found.iter().filter(|task| task.text == at && !task.right).collect();
            let trapped = |negative: &&Vec<Span>| wrong.iter().any(|task| mark::touches(&task.spans, negative));
            traps += texts[at].hard_negatives.len();
            hit += texts[at].hard_negatives.iter().filter(trapped).count();
        }
        let (precision, recall, f1) = crate::corpora::f1(right, found.len(), gold);
        let rate = hit as f64 / traps.max(1) as f64;
        format!("{}: tasks F1 {f1:.3}  P {precision:.3}  R {recall:.3}  trap rate {rate:.3}", self.name)
    }
}

/// The scale of verdicts: every text but single sentences of mails counts.
fn scale(judged: &[Judged], texts: &[PreparedText<'_>]) -> Scale {
    let counts = |task: &&Judged| !task.explicit && !task.spare && texts[task.text].weight >= 1.0;
    let scored: Vec<(f32, bool)> = judged.iter().filter(counts).map(|task| (task.logit, task.right)).collect();
    Scale { calibration: Calibration::fit(&scored, STEP), threshold: THRESHOLD }
}

/// What the stages that find tasks come to: their weights, and what they say of every text when they were trained without it.
struct Stages {
    first: [Linear; LINEAR],
    second: Forest,
    link: Forest,
    verdict: Forest,
    scale: Scale,
    /// What each view says of the sentences of each text.
    firsts: Vec<First>,
    /// The sentences of each text that may be part of a task.
    candidates: Vec<Vec<CandidateSentence>>,
    /// The tasks that are found in each.
    tasks: Vec<Vec<TaskCluster>>,
}

/// Trains every stage.
///
/// # Errors
/// Where a document's time is malformed, or the tagger was not trained yet.
pub fn train(data: &Data) -> Result<Trained> {
    let mut report = Vec::new();
    let weights = found(data, &mut report, |sources, groups, stages, report| {
        let due = dates::learn(sources, FOLDS, report)?;
        let status = statuses::learn(sources, &stages.firsts, groups, report);
        let trees = titles::learn(sources, groups, data.documents.len(), &data.encoder, report)?;
        let title = title::TitleModel { trees, tagger: weights::tagger(&data.encoder)? };
        let owner = owners::learn(sources, &stages.firsts, groups, data.documents.len(), report);
        let Stages { first, second, link, verdict, scale, .. } = stages;
        let encoder = data.encoder.clone();
        let first = FusedLinear::of(first);
        Ok(Weights { first, encoder, link, due, status, title, second, verdict, owner, scale })
    })?;
    Ok(Trained { weights, report })
}

/// Gives what the tagger of titles learns from to `write`: that needs the tasks as they are found.
///
/// # Errors
/// Where a document's time is malformed, or `write` fails.
pub fn tagger_examples(data: &Data, write: &mut dyn FnMut(&titles::TaggerExample<'_>) -> Result<()>) -> Result<()> {
    found(data, &mut Vec::new(), |sources, groups, _, _| titles::tagger_examples(sources, groups, write))
}

/// Gives the titles that people are asked to read to `write`.
///
/// # Errors
/// Where a document's time is malformed, the taggers were not trained yet, or `write` fails.
pub fn title_choices(data: &Data, write: &mut dyn FnMut(&titles::TitleChoice<'_>) -> Result<()>) -> Result<()> {
    found(data, &mut Vec::new(), |sources, groups, _, _| titles::choices(sources, groups, &data.encoder, write))
}

/// Trains the stages that find tasks, and goes on with the labelled texts and what was found in each.
fn found<T>(
    data: &Data,
    report: &mut Vec<String>,
    then: impl FnOnce(&[TrainingSource<'_>], &[u32], Stages, &mut Vec<String>) -> Result<T>,
) -> Result<T> {
    let documents = data.all();
    let groups = groups(&documents);
    let transcripts = prepared::transcripts(&documents);
    let readings = prepared::readings(&documents, &transcripts)?;
    let mut texts = prepared::documents(&documents, &transcripts, &readings);
    let mut stages = stages(data, &documents, &transcripts, &mut texts, &groups, report)?;
    let labelled = data.documents.len() + data.talk.len();
    // As the engine has them: what says that one is done is part of it.
    let merge = |(text, tasks): (&PreparedText<'_>, Vec<TaskCluster>)| merge_done::merge_done(&text.scene, tasks);
    let tasks: Vec<_> = texts.iter().zip(std::mem::take(&mut stages.tasks)).map(merge).collect();
    let candidates = std::mem::take(&mut stages.candidates);
    let partners: Vec<_> = texts.iter().zip(&tasks).map(|(text, tasks)| partners(text, tasks)).collect();
    let sources: Vec<TrainingSource<'_>> = (0..labelled)
        .map(|at| TrainingSource {
            document: &documents[at],
            transcript: &transcripts[at],
            reading: &readings[at],
            text: &texts[at],
            tasks: &tasks[at],
            partner: &partners[at],
            candidates: &candidates[at],
        })
        .collect();
    then(&sources, &groups, stages, report)
}

/// Trains the stages that find tasks.
fn stages(
    data: &Data,
    documents: &[GoldDocument],
    transcripts: &[Transcript<'_>],
    texts: &mut [PreparedText<'_>],
    groups: &[u32],
    report: &mut Vec<String>,
) -> Result<Stages> {
    let kinds = data.kinds();
    let [Range { end: written, .. }, Range { end: labelled, .. }, _] = kinds.each_ref().map(|kind| kind.texts.clone());
    texts[labelled..].iter_mut().for_each(|text| text.weight = ALONE);
    let (first, firsts) = first_pass::learn(data, texts, groups, &kinds, report);
    let heldout = encoder::heldout()?;
    let views = texts.iter().zip(documents).zip(transcripts).zip(firsts);
    let views = views.map(|(((text, document), transcript), linear)| {
        let reader = encoder::is_read(document, transcript).then_some(&data.encoder);
        encoder::views(text, linear, heldout.get(&document.id), reader)
    });
    let firsts = views.collect::<Result<Vec<First>>>()?;
    texts[..written].iter_mut().for_each(|text| text.weight *= WRITTEN);
    let (logits, second) = second(texts, groups, &firsts);
    for kind in &kinds {
        let scored = pairs(&logits[kind.texts.clone()], &texts[kind.texts.clone()]);
        report.push(told(&format!("{}, sentences, second pass", kind.name), best_f1(&scored, 0)));
    }
    let candidates: Vec<Vec<CandidateSentence>> =
        (0..texts.len()).map(|at| judge::candidates(&texts[at].scene, &firsts[at], &logits[at])).collect();
    let (linked, link) = links(texts, groups, &firsts, &candidates);
    let clusters: Vec<_> =
        (0..texts.len()).map(|at| judge::clusters(&texts[at].scene, &candidates[at], &linked[at])).collect();
    let (judged, verdict) = verdicts(texts, groups, &firsts, &clusters);
    let scale = scale(&judged, texts);
    for cut in [0.25, 0.3, 0.35, 0.4, 0.45, 0.5] {
        let logit = scale.calibration.logit(cut);
        report.extend(kinds.iter().map(|kind| format!("above {cut}: {}", kind.told(texts, &judged, logit))));
    }
    let mut verdicts = judged.iter().map(|task| task.logit);
    let tasks = clusters
        .into_iter()
        .map(|tasks| {
            let tasks = tasks.into_iter().zip(verdicts.by_ref());
            tasks.map(|(members, logit)| TaskCluster { members, logit }).collect()
        })
        .collect();
    Ok(Stages { first, second, link, verdict, scale, firsts, candidates, tasks })
}

/// Gives what the sentence encoder learns from, text by text.
///
/// # Errors
/// Where a document's time is malformed, or an example cannot be taken.
pub fn encoder_examples(data: &Data, take: &mut dyn FnMut(&EncoderExample<'_>) -> Result<()>) -> Result<()> {
    let documents = data.all();
    let groups = groups(&documents);
    let transcripts = prepared::transcripts(&documents);
    let readings = prepared::readings(&documents, &transcripts)?;
    let texts = prepared::documents(&documents, &transcripts, &readings);
    let (_, firsts) = first_pass::learn(data, &texts, &groups, &data.kinds(), &mut Vec::new());
    for (at, document) in documents.iter().enumerate().take(data.documents.len() + data.talk.len()) {
        if encoder::is_read(document, &transcripts[at]) {
            take(&encoder::example(document, &texts[at], groups[at], &firsts[at]))?;
        }
    }
    Ok(())
}

/// The group of each text: its series, or else itself. The meetings of AMI are in groups of four, which the last letter of
/// their names tells apart.
pub fn groups(documents: &[GoldDocument]) -> Vec<u32> {
    let mut known: HashMap<String, u32> = HashMap::new();
    let mut group = |document: &GoldDocument| {
        let own = || match document.format.as_str() {
            "talk_ami" => document.id.trim_end_matches(|letter: char| letter.is_ascii_lowercase()).to_owned(),
            _ => document.id.clone(),
        };
        let next = known.len() as u32;
        *known.entry(document.series.clone().unwrap_or_else(own)).or_insert(next)
    };
    documents.iter().map(&mut group).collect()
}
