//! The engine: puts the stages together and writes down what was found.

use crate::cue::{Cue, Cues};
use crate::feature::place::DocumentStats;
use crate::feature::{Names, Scene, bits};
use crate::fields::SentenceAssignment;
use crate::fields::due::{DueOptions, DueQuestion};
use crate::fields::status::StatusFeatures;
use crate::judge::{self, TaskCluster};
use crate::learn::{self, Disposition};
use crate::owner::{self, Participants};
use crate::people::Roster;
use crate::reader::Transcript;
use crate::score::FirstPass;
use crate::script::Script;
use crate::weights::Weights;
use crate::{
    Context, Document, DoneStatement, Extraction, Found, Quote, Reason, done_statements, explicit, fields, merge_done,
    people, title,
};
use gleaner_model::learning::Learnt;
use std::ops::Range;

/// A text read and cut, ready to be looked at.
#[derive(Debug)]
pub struct Reading<'t> {
    /// Its sentences.
    pub script: Script<'t>,
    /// The people in it.
    pub roster: Roster,
    /// The words of their names.
    pub names: Names,
    /// Statistics of the text as a whole.
    pub stats: DocumentStats,
}

impl<'t> Reading<'t> {
    /// Cuts a transcript and gathers what is known of it.
    #[must_use]
    pub fn of(transcript: &'t Transcript<'_>, source_type: &str, context: &Context) -> Self {
        let script = Script::of(transcript);
        let mut names = Names::default();
        for (number, speaker) in script.speakers.iter().enumerate() {
            names.add(speaker, Some(number as u32));
        }
        let roster = Roster::of(transcript, context);
        let attendees = transcript.attendees.iter().copied();
        let others = context.me.names().chain(attendees).chain(context.participants.iter().map(String::as_str));
        for name in others.chain(roster.only_named()) {
            names.add(name, None);
        }
        let mine = |speaker: &&str| context.me.names().any(|name| name.eq_ignore_ascii_case(speaker));
        let me = script.speakers.iter().position(mine).map(|number| number as u32);
        let stats = DocumentStats::of(source_type, &script.sentences, me).led_by(&script.speakers);
        Self { script, roster, names, stats }
    }
}

/// Finds the tasks of a transcript, in the light of what feedback has taught.
#[must_use]
pub fn extract(
    document: &Document<'_>,
    transcript: &Transcript<'_>,
    context: &Context,
    weights: &Weights,
    learnt: &Learnt,
) -> Extraction {
    let reading = Reading::of(transcript, document.source_type, context);
    let scene = Scene::look(&reading.script.sentences, &reading.names);
    let roster = &reading.roster;
    let language = roster.language();
    let first = judge::first(&scene, &reading.stats, weights, language);
    let known = FirstPass::of(&scene, &first, &reading.stats);
    let clusters = tasks(&known, weights);
    let threshold = context.threshold.unwrap_or(weights.scale.threshold);
    let participants = owner::participants(transcript, roster);
    let assignment = SentenceAssignment::of(&clusters, reading.script.sentences.len());
    let due_options = DueOptions::of(&scene, &reading.script, transcript, context, language, &assignment);
    let mut writer = Writer {
        document,
        transcript,
        context,
        reading: &reading,
        scene: &scene,
        known: &known,
        weights,
        learnt,
        threshold,
        participants: &participants,
        due_options,
        status_features: StatusFeatures::of(&known),
        language,
        assignment: &assignment,
        title_context: None,
    };
    let mut written = writer.write(&clusters);
    let mut done_statements = writer.done_statements();
    let stated = done_statements.iter_mut().flat_map(|done| done.about.iter_mut().chain([&mut done.said]));
    let found = written.tasks.iter_mut().chain(&mut written.suppressed);
    count_scalars(document.text, found.flat_map(|task| &mut task.evidence).chain(stated));
    let WrittenTasks { tasks, suppressed, over, rejected } = written;
    Extraction { tasks, suppressed, over, rejected, done_statements, language: language.to_owned() }
}

/// Most tasks that are written down of one text. To write one costs far more than to find it, and a check list of 200,000
/// characters would have some 14,000.
const MOST: usize = 1_000;

/// The confidence from which on tasks are written down, so that the likeliest are.
fn least(confidences: impl Iterator<Item = f64>) -> f64 {
    let mut all: Vec<f64> = confidences.collect();
    if all.len() <= MOST {
        return 0.0;
    }
    let (_, least, _) = all.select_nth_unstable_by(MOST - 1, |a, b| b.total_cmp(a));
    *least
}

/// What may be tasks, each with its logit.
fn tasks(known: &FirstPass<'_>, weights: &Weights) -> Vec<TaskCluster> {
    let second = judge::second(known, &weights.second);
    let candidates = judge::candidates(known.scene, known.first, &second);
    merge_done::merge_done(known.scene, judge::gather(known, &candidates, weights))
}

/// Most sentences that say that something is done.
const DONE_STATEMENTS: usize = 64;

/// What became of the task clusters of a text.
#[derive(Default)]
struct WrittenTasks {
    /// In the order of the text.
    tasks: Vec<Found>,
    suppressed: Vec<Found>,
    /// How many likely ones were left out, being too many.
    over: usize,
    /// How many were not likely enough.
    rejected: usize,
}

/// Writes down task clusters. Offsets are bytes until all tasks are written.
struct Writer<'w> {
    document: &'w Document<'w>,
    transcript: &'w Transcript<'w>,
    context: &'w Context,
    reading: &'w Reading<'w>,
    scene: &'w Scene<'w>,
    known: &'w FirstPass<'w>,
    weights: &'w Weights,
    learnt: &'w Learnt,
    /// The least confidence of what is shown.
    threshold: f64,
    participants: &'w Participants<'w>,
    due_options: DueOptions<'w>,
    status_features: StatusFeatures<'w>,
    language: &'w str,
    assignment: &'w SentenceAssignment,
    /// What titles are made of, read when the first is wanted.
    title_context: Option<title::TitleContext<'w>>,
}

impl Writer<'_> {
    /// Writes down the likeliest, each where feedback has it.
    fn write(&mut self, clusters: &[TaskCluster]) -> WrittenTasks {
        let mut written = WrittenTasks::default();
        let least = least(clusters.iter().map(|task| self.confidence(task)));
        for (number, task) in clusters.iter().enumerate() {
            let confidence = self.confidence(task);
            if confidence < least || written.tasks.len() + written.suppressed.len() >= MOST {
                written.over += usize::from(confidence >= self.threshold);
                continue;
            }
            if !learn::is_within_reach(confidence, self.threshold, self.learnt) {
                written.rejected += 1;
                continue;
            }
            let evidence = self.quotes(task);
            if evidence.is_empty() {
                continue;
            }
            // To write it down costs far more than to know its words.
            if !learn::is_raised(confidence, self.threshold, &evidence, self.document, self.learnt) {
                written.rejected += 1;
                continue;
            }
            let mut found = self.found(number, task, evidence);
            let owner = found.owner.clone();
            let disposition =
                learn::apply_feedback(&mut found, self.document, self.context, self.threshold, self.learnt);
            let kept = match disposition {
                Disposition::Task => &mut written.tasks,
                Disposition::Suppressed => &mut written.suppressed,
                Disposition::Nothing => {
                    written.rejected += 1;
                    continue;
                }
            };
            kept.extend(self.titled(number, task, found, owner.as_deref()));
        }
        written.tasks.sort_by_key(|task| task.evidence.first().map_or(0, |quote| quote.start));
        written
    }

    /// How likely it is that this is a task.
    fn confidence(&self, task: &TaskCluster) -> f64 {
        let judged = self.weights.scale.calibration.probability(task.logit);
        if task.explicit() { judged.max(explicit::CONFIDENCE) } else { judged }
    }

    /// All but the title.
    fn found(&self, number: usize, task: &TaskCluster, evidence: Vec<Quote>) -> Found {
        let cues = fields::cues(self.scene, task);
        let sentences = fields::speaking(task);
        let confidence = self.confidence(task);
        let script = &self.reading.script;
        let owner = fields::owner(self.known, script, self.participants, task, &sentences, &self.weights.owner);
        let name = owner.as_ref().map(|owner| owner.name.as_str());
        let telling = fields::telling(task);
        let asked = DueQuestion { number, speaking: &sentences, telling: &telling, owner: name };
        Found {
            title: String::new(),
            due: self.due_options.due(&asked, &self.weights.due),
            is_me: owner.as_ref().is_some_and(|owner| owner.is_me),
            owner: owner.map(|owner| people::quiet(&owner.name)),
            status: self.status_features.status(task, &self.weights.status),
            urgency: fields::urgency(cues),
            signals: learn::signals(self.scene, task, cues, confidence, self.is_spoken()),
            shift: 0.0,
            moved_days: 0,
            confidence,
            explicit: task.explicit(),
            evidence,
            reasons: reasons(cues, task.logit),
        }
    }

    /// A task with its title and what proves that; `owner` is the engine's own name for the owner, which decides what a title
    /// says. None where there is nothing to call it. A title costs more than all the rest.
    fn titled(&mut self, number: usize, task: &TaskCluster, found: Found, owner: Option<&str>) -> Option<Found> {
        let title = self.title(number, task, owner);
        let mut evidence = found.evidence;
        self.prove(&mut evidence, number, task, &title.lines);
        let is_called = !title.text.is_empty();
        is_called.then(|| Found { title: learn::title(title.text, self.learnt), evidence, ..found })
    }

    fn title(&mut self, number: usize, task: &TaskCluster, owner: Option<&str>) -> title::Title {
        let script = &self.reading.script;
        let document_title = self.document.title.unwrap_or_default();
        let read = || fields::title_context(script, self.participants.roster, document_title, self.language);
        let title_context = self.title_context.get_or_insert_with(read);
        let lines = match fields::complete(script, task) {
            Some(member) => vec![(member.sentence, Some(fields::strength(member)))],
            None => fields::title_lines(task, &fields::speaking(task), self.assignment, number),
        };
        let others = self.assignment.others(&lines, number);
        let asked = title::TitleRequest { lines: &lines, owner, others: &others };
        fields::title(title_context, script, &asked, &self.weights.title)
    }

    /// Adds the lines that a title takes its words from where neither the task rests on them itself nor another: what a title
    /// says, its evidence shows.
    fn prove(&self, evidence: &mut Vec<Quote>, number: usize, task: &TaskCluster, lines: &[usize]) {
        let free = |line: &usize| {
            !self.assignment.is_of_another(*line, number) && task.members.iter().all(|member| member.sentence != *line)
        };
        for quote in lines.iter().filter(|line| free(line)).filter_map(|&line| self.line(line)) {
            if evidence.iter().all(|known| quote.end <= known.start || known.end <= quote.start) {
                evidence.push(quote);
            }
        }
        evidence.sort_by_key(|quote| quote.start);
    }

    /// Whether the text is talk, written down.
    fn is_spoken(&self) -> bool {
        matches!(self.document.source_type, "meeting" | "call")
    }

    fn quotes(&self, task: &TaskCluster) -> Vec<Quote> {
        let stretches = fields::evidence(&self.reading.script, self.transcript, task);
        let quotes = stretches.into_iter().map(|(sentence, stretch)| self.quote(sentence, stretch));
        quotes.filter(|quote| !quote.text.is_empty()).collect()
    }

    fn quote(&self, sentence: usize, stretch: Range<usize>) -> Quote {
        let stretch = fields::shorten(self.document.text, stretch);
        let utterance = &self.transcript.utterances[self.scene.sentences[sentence].utterance as usize];
        Quote {
            text: self.document.text[stretch.clone()].to_owned(),
            start: stretch.start,
            end: stretch.end,
            speaker: utterance.speaker.as_deref().map(str::to_owned),
            at_s: utterance.time_at(self.reading.script.ranges[sentence].start),
        }
    }

    /// The sentences that say that something is done; a task may rest on one of them too.
    fn done_statements(&self) -> Vec<DoneStatement> {
        let statements = done_statements::done_statements(self.scene).filter_map(|(sentence, about)| {
            let about = about.and_then(|sentence| self.line(sentence));
            Some(DoneStatement { about, said: self.line(sentence)? })
        });
        statements.take(DONE_STATEMENTS).collect()
    }

    /// A sentence as a quote: its first line.
    fn line(&self, sentence: usize) -> Option<Quote> {
        let stretch = self.reading.script.lines(self.transcript, sentence).into_iter().next()?;
        Some(self.quote(sentence, stretch))
    }
}

/// Turns byte offsets into offsets of Unicode scalars, in one pass over the text.
fn count_scalars<'q>(text: &str, quotes: impl Iterator<Item = &'q mut Quote>) {
    let mut ends: Vec<&mut usize> = quotes.flat_map(|quote| [&mut quote.start, &mut quote.end]).collect();
    ends.sort_unstable();
    let (mut byte, mut scalars) = (0, 0);
    for end in ends {
        scalars += text[byte..*end].chars().count();
        byte = *end;
        *end = scalars;
    }
}

/// What the cues of a task say for and against it.
fn reasons(cues: Cues, logit: f32) -> Vec<Reason> {
    let named = bits(cues).filter_map(|bit| Cue::ALL.get(bit as usize)).filter(|cue| cue.tells());
    let mut found = vec![Reason::new("the words and what stands around them", f64::from(logit))];
    found.extend(named.map(|cue| Reason::new(cue.says(), cue.leaning())));
    found.sort_by(|one, other| other.weight.abs().total_cmp(&one.weight.abs()));
    found
}
