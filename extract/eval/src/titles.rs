//! What labelled texts teach of titles: of all titles that could be made of a task's sentences, which comes nearest to what
//! a person called it, and which are true. The tasks are those that were found with held-out scores, and again the gold ones
//! with their own evidence, which count half.

mod choice;
mod reading;

use crate::boost::{BoostParams, Dataset};
use crate::choice::{ChoiceSet, cross_fit};
use crate::data::Gold;
use crate::dates::TrainingSource;
use crate::fit::{Hyperparameters, fold_of};
use crate::train::FOLDS;
use crate::words::{content, is_clear, rouge_l, words};
use anyhow::{Context as _, Result};
use gleaner_extract::encoder::Encoder;
use gleaner_extract::encoder::wordpiece::Piece;
use gleaner_extract::fields::{self, SentenceAssignment};
use gleaner_extract::judge::TaskCluster;
use gleaner_extract::model::hashed_linear::HashedLinear;
use gleaner_extract::title::tagger::Tagger;
use gleaner_extract::title::{self, Offered, TitleRequest, Trees};
use serde::Serialize;
use std::collections::HashSet;
use std::path::Path;

pub use choice::{TitleChoice, choices};
use reading::{TitleReading, TitleReadings};

/// How the trees that tell the worth of a title grow, those that tell what readers make of it, and those that tell whether it
/// is true.
const WORTH: BoostParams = BoostParams { trees: 250, leaves: 12, rate: 0.08, rows: 7, features: 3, least: 40, l2: 5.0 };
const READERS: BoostParams =
    BoostParams { trees: 150, leaves: 8, rate: 0.06, rows: 7, features: 3, least: 40, l2: 5.0 };
const TRUTH: BoostParams = BoostParams { trees: 300, leaves: 20, rate: 0.06, rows: 7, features: 3, least: 40, l2: 5.0 };
/// Of how many words of content of a title one must be the person's.
const APT: usize = 3;
/// How much a gold task with its own evidence counts.
const GOLD: f32 = 0.5;
/// In how many parts texts are read at once.
const PARTS: usize = 16;
/// Least verdict of a task that counts in the report.
const SHOWN: f32 = -0.5;

/// What a person called a task, in words of content, and all that may be said of it.
struct Called<'g> {
    title: &'g str,
    wanted: HashSet<String>,
    said: HashSet<String>,
}

impl<'g> Called<'g> {
    fn of(source: &TrainingSource<'g>, number: usize, sentences: &[usize]) -> Self {
        let Gold { title, owner, .. } = &source.document.tasks[number];
        let quoted = source.text.gold[number].iter().map(|span| &source.document.transcript[span.clone()]);
        let found = sentences.iter().map(|&at| source.reading.script.sentences[at].text);
        let named = [title.as_str(), owner.as_deref().unwrap_or_default()];
        let said = named.into_iter().chain(quoted).chain(found).flat_map(content).collect();
        Self { title, wanted: content(title), said }
    }

    /// Whether it names what a noun phrase names: its noun, and half of its words of content.
    fn names(&self, phrase: &str) -> bool {
        let named = |word: &String| self.wanted.contains(word);
        let own = content(phrase);
        let main = phrase.split(" of ").next().unwrap_or_default().split(" for ").next().unwrap_or_default();
        let noun = words(main).into_iter().rev().map(|word| content(&word)).find(|word| !word.is_empty());
        noun.is_some_and(|noun| noun.iter().all(named))
            && own.iter().filter(|word| named(word)).count() * 2 >= own.len()
    }

    /// How another title does beside this one.
    fn compare(&self, offered: &Offered, source: &TrainingSource<'_>) -> Likeness {
        let own = content(&offered.title.text);
        let lines = offered.title.lines.iter().flat_map(|&at| content(source.reading.script.sentences[at].text));
        let lines: HashSet<String> = lines.collect();
        let truth = own.iter().all(|word| self.said.contains(word) || lines.contains(word));
        let names = offered.phrase.as_ref().is_none_or(|phrase| self.names(phrase));
        let clear = is_clear(&offered.title.text);
        let good = truth && own.intersection(&self.wanted).count() * 2 >= self.wanted.len();
        let likeness = rouge_l(self.title, &offered.title.text) as f32;
        let met = own.intersection(&self.wanted).count();
        let apt = met * APT >= own.len() && met > 0;
        Likeness { truth, names, clear, good, apt, acts: offered.acts, likeness }
    }
}

/// How a title does beside what a person called the task.
#[derive(Clone, Copy, Debug)]
struct Likeness {
    /// It has no word of content that neither that title nor any evidence holds, with the lines that it is taken from.
    truth: bool,
    /// What is put into it, if anything, is what the person named.
    names: bool,
    clear: bool,
    /// It is true and holds half of the words of content.
    good: bool,
    /// A third of its words of content are the person's: it speaks of the same thing.
    apt: bool,
    acts: bool,
    likeness: f32,
}

impl Likeness {
    /// What the title is worth, up to one.
    fn worth(&self) -> f32 {
        let share = |holds: bool, part: f32| if holds { part } else { 0.0 };
        let right = self.truth && self.names;
        share(right, 0.15)
            + share(right && self.apt, 0.25)
            + share(self.good && self.names, 0.3)
            + share(right && self.clear, 0.15)
            + share(self.acts, 0.05)
            + 0.1 * self.likeness
    }
}

/// A task with the titles that could be made of it.
struct NamedTitle {
    /// The titles, and how each does.
    offered: Vec<Offered>,
    likeness: Vec<Likeness>,
    /// What readers made of each, where they read it.
    readings: Vec<Option<TitleReading>>,
    /// How much it counts.
    weight: f32,
    group: u32,
    task: TitledTask,
    /// The lines that its title may draw on, and whether it rests on each.
    lines: Vec<(usize, bool)>,
}

/// The tasks of texts with the titles that could be made of them: those that were found, and the gold ones with their own evidence.
///
/// # Errors
/// Where a document's time is malformed.
fn named(
    sources: &[TrainingSource<'_>],
    groups: &[u32],
    taggers: &Taggers,
    readings: &TitleReadings,
) -> Result<Vec<NamedTitle>> {
    let part = sources.len().div_ceil(PARTS).max(1);
    std::thread::scope(|scope| {
        let of = |(number, part_of): (usize, &'_ [TrainingSource<'_>])| -> Result<Vec<NamedTitle>> {
            let mut all = Vec::new();
            each(part_of, &mut |task, title_context, asked, called| {
                let at = number * part + task.source;
                let tags = title::window(title_context, asked).map(|window| taggers.without(groups[at]).tags(&window));
                let offered = title::candidates(title_context, asked, tags);
                let source = &part_of[task.source];
                all.push(NamedTitle {
                    likeness: offered.iter().map(|one| called.compare(one, source)).collect(),
                    readings: readings.of(&source.document.id, task.gold, &offered),
                    offered,
                    weight: if task.found { 1.0 } else { GOLD },
                    group: groups[at],
                    task: TitledTask { source: at, ..task },
                    lines: asked.lines.iter().map(|(line, strength)| (*line, strength.is_some())).collect(),
                });
                Ok(())
            })?;
            Ok(all)
        };
        let parts: Vec<_> = sources.chunks(part).enumerate().map(|part| scope.spawn(move || of(part))).collect();
        let mut all = Vec::new();
        for part in parts {
            all.extend(part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
        }
        Ok(all)
    })
}

/// A task whose title is known.
#[derive(Clone, Copy, Debug)]
struct TitledTask {
    /// The number of its text, and of the gold task in it.
    source: usize,
    gold: usize,
    /// Whether it has the evidence with which it was found, or that of the gold task.
    found: bool,
    /// Whether it counts in figures.
    counts: bool,
    is_english: bool,
}

/// Every task of texts: those that were found, and the gold ones with their own evidence.
///
/// # Errors
/// Where `visit` fails.
fn each<'s>(
    sources: &[TrainingSource<'s>],
    visit: &mut dyn FnMut(TitledTask, &mut title::TitleContext<'_>, &TitleRequest<'_>, &Called<'s>) -> Result<()>,
) -> Result<()> {
    for (at, source) in sources.iter().enumerate() {
        let roster = &source.reading.roster;
        let language = roster.language();
        let script = &source.reading.script;
        let mut title_context = fields::title_context(script, roster, &source.document.title, language);
        let gold: Vec<TaskCluster> = (0..source.text.gold.len()).map(|number| source.proven(number)).collect();
        let itself: Vec<Option<usize>> = (0..gold.len()).map(Some).collect();
        for (tasks, partner, found) in [(source.tasks, source.partner, true), (&gold[..], &itself[..], false)] {
            let assignment = SentenceAssignment::of(tasks, script.sentences.len());
            let paired = tasks.iter().zip(partner).enumerate();
            for (number, task, of) in paired.filter_map(|(number, (task, of))| Some((number, task, (*of)?))) {
                let sentences = fields::speaking(task);
                let lines = fields::title_lines(task, &sentences, &assignment, number);
                let owner = source.document.tasks[of].owner.as_deref();
                let counts = found && task.logit > SHOWN && !source.document.tasks[of].optional;
                let called = Called::of(source, of, &sentences);
                visit(
                    TitledTask { source: at, gold: of, found, counts, is_english: language.starts_with("en") },
                    &mut title_context,
                    &TitleRequest { lines: &lines, owner, others: &assignment.others(&lines, number) },
                    &called,
                )?;
            }
        }
    }
    Ok(())
}

/// A task as the tagger learns from it.
#[derive(Debug, Serialize)]
pub struct TaggerExample<'l> {
    id: &'l str,
    gold: usize,
    group: u32,
    found: bool,
    counts: bool,
    is_talk: bool,
    pieces: &'l [Piece],
    places: &'l [usize],
    /// Whether the title that a person gave holds each word; none for small words.
    labels: Vec<Option<bool>>,
}

/// Gives what the tagger learns from to `write`.
///
/// # Errors
/// Where a document's time is malformed, or `write` fails.
pub fn tagger_examples(
    sources: &[TrainingSource<'_>],
    groups: &[u32],
    write: &mut dyn FnMut(&TaggerExample<'_>) -> Result<()>,
) -> Result<()> {
    each(sources, &mut |task, title_context, asked, called| {
        let Some(window) = title::window(title_context, asked) else { return Ok(()) };
        let label = |word: &String| {
            let own = content(word);
            (!own.is_empty()).then(|| own.iter().any(|word| called.wanted.contains(word)))
        };
        let document = sources[task.source].document;
        write(&TaggerExample {
            id: &document.id,
            gold: task.gold,
            group: groups[task.source],
            found: task.found,
            counts: task.counts,
            is_talk: document.format.starts_with("talk"),
            pieces: &window.pieces,
            places: &window.places,
            labels: window.words.iter().map(label).collect(),
        })
    })
}

/// Taggers that were trained without the texts of one fold each.
#[derive(Clone, Debug)]
pub struct Taggers(Vec<Tagger>);

impl Taggers {
    /// Reads them.
    ///
    /// # Errors
    /// Where a file is missing or damaged.
    pub fn read(encoder: &Encoder) -> Result<Self> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("encoder");
        let read = |fold: usize| {
            let path = folder.join(format!("tagger.{fold}.bin"));
            let file = std::fs::read(&path).with_context(|| format!("{}: train the tagger first", path.display()))?;
            Ok(Tagger::read(&file, encoder.transformer())?)
        };
        Ok(Self((0..2).map(read).collect::<Result<_>>()?))
    }

    /// The one that saw no text of a group.
    fn without(&self, group: u32) -> &Tagger {
        &self.0[fold_of(group, self.0.len() as u32) as usize]
    }
}

/// Learns titles; the first `written` of the texts are documents, the others talk.
///
/// # Errors
/// Where a document's time is malformed.
pub fn learn(
    sources: &[TrainingSource<'_>],
    groups: &[u32],
    written: usize,
    encoder: &Encoder,
    report: &mut Vec<String>,
) -> Result<Trees> {
    let named = named(sources, groups, &Taggers::read(encoder)?, &TitleReadings::read()?)?;
    let (model, scored) = grow(&named);
    let chosen: Vec<Option<usize>> = named.iter().zip(&scored).map(|(task, scored)| best(task, scored)).collect();
    for (name, texts) in [("documents", 0..written), ("talk", written..sources.len())] {
        let counts = |task: &TitledTask| task.counts && texts.contains(&task.source);
        let own = || named.iter().zip(&chosen).filter(|(named, _)| counts(&named.task));
        let all = own().count().max(1) as f64;
        let share = |holds: &dyn Fn(&Likeness) -> bool| {
            own().filter(|(task, chosen)| chosen.is_some_and(|at| holds(&task.likeness[at]))).count() as f64 / all
        };
        let could = own().filter(|(task, _)| task.likeness.iter().any(|one| one.good)).count() as f64 / all;
        let inserted: Vec<bool> = own()
            .filter_map(|(task, chosen)| {
                let at = (*chosen)?;
                task.offered[at].phrase.as_ref().map(|_| task.likeness[at].names)
            })
            .collect();
        let read: Vec<TitleReading> = own().filter_map(|(task, chosen)| task.readings[(*chosen)?]).collect();
        let made =
            |of: TitleReading| read.iter().filter(|reading| **reading == of).count() as f64 / read.len().max(1) as f64;
        report.push(format!(
            "{name}, titles of tasks found: of {} that were read {:.3} clear, {:.3} vague, {:.3} wrong",
            read.len(),
            made(TitleReading::Clear),
            made(TitleReading::Vague),
            made(TitleReading::Wrong),
        ));
        report.push(format!(
            "{name}, titles of tasks found: true {:.3}, good {:.3} ({:.3} could be), apt {:.3}, true and clear {:.3}; with a thing from elsewhere {:.3}, of which right {:.3}",
            share(&|one| one.truth),
            share(&|one| one.good),
            could,
            share(&|one| one.apt && one.truth && one.names),
            share(&|one| one.truth && one.names && one.clear),
            inserted.len() as f64 / all,
            inserted.iter().filter(|right| **right).count() as f64 / inserted.len().max(1) as f64,
        ));
    }
    Ok(model)
}

/// How many bits number the weights of wording.
const BITS: u32 = 16;
const WORDING: Hyperparameters = Hyperparameters { passes: 5, rate: 0.05, decay: 0.0, near: 1.0, orders: 1 };
/// How far below the best a title may be to be as right.
const CLOSE: f32 = 0.1;

/// What models that were learnt without a task say of one of its titles.
#[derive(Clone, Copy, Debug)]
struct TitleScores {
    worth: f32,
    truth: f32,
    readers: f32,
}

/// The models learnt from all, and what models say of each title that were learnt without its task.
fn grow(named: &[NamedTitle]) -> (Trees, Vec<Vec<TitleScores>>) {
    let choice_set = |task: &NamedTitle| {
        let worth: Vec<f32> = task.likeness.iter().map(Likeness::worth).collect();
        let most = worth.iter().copied().fold(0.0, f32::max);
        let index = |feature: &u32| HashedLinear::at(*feature, BITS);
        let indices = |offered: &Offered| offered.hashed_features.iter().map(index).collect();
        ChoiceSet {
            options: task.offered.iter().map(indices).collect(),
            right: worth.iter().map(|worth| worth + CLOSE >= most).collect(),
            weight: task.weight,
            group: task.group,
        }
    };
    let choice_sets: Vec<ChoiceSet> = named.iter().map(choice_set).collect();
    let (wording, worded) = cross_fit(&choice_sets, BITS, WORDING, FOLDS);
    let mut truths = Dataset::default();
    for (task, worded) in named.iter().zip(&worded) {
        let each = task.weight / (task.offered.len() as f32).sqrt();
        for (at, offered) in task.offered.iter().enumerate().filter(|(_, offered)| offered.phrase.is_some()) {
            truths.features.extend(offered.features.iter().chain([&worded[at]]));
            truths.push(task.likeness[at].names, each, task.group);
        }
    }
    let (held, truth) = truths.grow(TRUTH, FOLDS);
    let mut held = held.into_iter();
    let mut worths = Dataset::default();
    let mut truth_logits = Vec::new();
    for (task, worded) in named.iter().zip(&worded) {
        for (at, offered) in task.offered.iter().enumerate() {
            let logit = offered.phrase.as_ref().map_or(title::SURE, |_| held.next().unwrap_or_default());
            worths.features.extend(offered.features.iter().chain([&worded[at], &logit]));
            worths.push_share(task.likeness[at].worth(), task.weight, task.group);
            truth_logits.push(logit);
        }
        worths.end();
    }
    let (held, worth) = worths.grow(WORTH, FOLDS);
    let mut read = Dataset::of(worths.features);
    for task in named {
        for reading in &task.readings {
            // What nobody read teaches nothing, but is told of.
            let weight = if reading.is_some() { task.weight } else { 0.0 };
            read.push_share(reading.map_or(0.0, TitleReading::worth), weight, task.group);
        }
    }
    let (readers, reader) = read.grow(READERS, FOLDS);
    let mut rows = held.into_iter().zip(truth_logits).zip(readers);
    let mut row = || rows.next().map(|((worth, truth), readers)| TitleScores { worth, truth, readers });
    let scored = named.iter().map(|task| task.offered.iter().map_while(|_| row()).collect()).collect();
    (Trees { worth, truth, wording, readers: reader }, scored)
}

/// The best title of a task by its scores.
fn best(task: &NamedTitle, scored: &[TitleScores]) -> Option<usize> {
    let proven: Vec<usize> = (0..scored.len()).filter(|&at| scored[at].truth >= title::MIN_TRUTH).collect();
    let texts: Vec<String> = proven.iter().map(|&at| task.offered[at].title.text.to_lowercase()).collect();
    let worths = proven.iter().zip(&texts).map(|(&at, text)| (scored[at].worth, text.as_str()));
    let readers = |at: usize| if task.task.is_english { scored[proven[at]].readers } else { 0.0 };
    Some(proven[title::best(worths, readers)?])
}
