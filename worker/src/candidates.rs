//! Which of the tasks of other items a finding or a statement that something is done means, in the terms of tasks' records.

use crate::similarity::{texts, view};
use gleaner_extract::link::{
    coreference, done,
    done_profile::{self, DoneProfile, Statement},
    profile::{KnownTasks, Profile},
    related,
    stem::{Stem, StemKind},
};
use gleaner_model::{Mention, Quote, Reason, TaskId, TaskRecord, TaskStatus};
use std::{borrow::Cow, collections::BTreeMap};

/// Mentions of a task that a finding is compared with: the latest ones.
const LATEST: usize = 8;
/// What is added where a finding is worded as the task is, or says that it is done: such pairs come before all others.
const CERTAIN: f64 = 4.0;

/// Tasks that may be meant, read once for all that an item says.
#[derive(Debug)]
pub struct CandidateTasks {
    tasks: BTreeMap<TaskId, Profile>,
    known: KnownTasks,
}

/// A finding, read once for all tasks that it may mean.
#[derive(Debug)]
pub struct Finding<'m> {
    mention: &'m Mention,
    quotes: Vec<&'m str>,
    profile: Profile,
    /// What it says is done, where it does that and nothing else.
    done: Option<DoneProfile>,
}

/// That a finding means a task.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TaskMatch {
    /// How sure that is.
    pub score: f64,
    /// Whether the finding tells that it is done.
    pub done: bool,
}

impl<'m> Finding<'m> {
    /// Reads a finding once, for all tasks that it is compared with.
    #[must_use]
    pub fn of(mention: &'m Mention) -> Self {
        let quotes = texts(mention);
        let speakers = speakers(mention);
        let profile = Profile::of_one(&related::TaskMention { speakers: &speakers, ..view(mention, &quotes) });
        let done = DoneProfile::only(&statements(mention), mention.occurred_at).map(|done| done.about(&mention.title));
        Self { mention, quotes, profile, done }
    }

    /// Whether it says that something is done, and nothing else.
    #[must_use]
    pub fn only_says_done(&self) -> bool {
        self.done.is_some()
    }

    /// What the item says of the task that the finding is said to be: its owner changes where it was handed over.
    #[must_use]
    pub fn said_to_be(&self, record: &TaskRecord, handed_over: bool) -> Mention {
        let done = self.mention.status == TaskStatus::Completed;
        let mut mention = self.mention.clone();
        mention.reasons.insert(0, because(&mention, record, TaskMatch { score: 0.0, done }));
        if done || (record.owner().is_some() && !handed_over) {
            (mention.owner, mention.waiting_on) = (None, None);
        }
        if done {
            mention.due = None;
        }
        mention
    }

    /// What the item says of the task that the finding means. Of one that is done, owner and date stay what was agreed; the
    /// owner changes where somebody takes the task on.
    #[must_use]
    pub fn as_mention_of(&self, record: &TaskRecord, meaning: TaskMatch) -> Mention {
        let mut mention = self.mention.clone();
        mention.reasons.insert(0, because(&mention, record, meaning));
        if meaning.done {
            return Mention { status: TaskStatus::Completed, owner: None, waiting_on: None, due: None, ..mention };
        }
        let takes_over = |quote: &&str| done::completion(quote).ahead || quote.to_lowercase().contains("taking over");
        if record.owner().is_some() && !self.quotes.iter().any(takes_over) {
            return Mention { owner: None, waiting_on: None, ..mention };
        }
        mention
    }
}

/// Why a mention was taken for one of a known task, with the words that say so on both sides.
fn because(mention: &Mention, record: &TaskRecord, meaning: TaskMatch) -> Reason {
    let words = |mention: &Mention| mention.quotes.last().map_or_else(String::new, |quote| quote.text.clone());
    let known = record.mentions.first().map(words).unwrap_or_default();
    let says = if meaning.done { "reports this task as done" } else { "speaks of the same task" };
    Reason::new(format!("{says}: \u{201c}{}\u{201d}, after \u{201c}{known}\u{201d}", words(mention)), meaning.score)
}

impl CandidateTasks {
    /// The candidates, and how much it tells that two tasks at hand share a word; `people` are those of the item.
    #[must_use]
    pub fn of(candidates: &[TaskRecord], people: &[String]) -> Self {
        let tasks: BTreeMap<_, _> =
            candidates.iter().filter_map(|record| Some((record.id, profile(record)?))).collect();
        let known = KnownTasks::of(tasks.values(), people);
        Self { tasks, known }
    }

    fn task(&self, record: &TaskRecord) -> Option<Cow<'_, Profile>> {
        self.tasks.get(&record.id).map(Cow::Borrowed).or_else(|| profile(record).map(Cow::Owned))
    }

    /// How well a finding fits a task that other items speak of, and whether it says that it is done; `None` where it does not
    /// mean that task.
    #[must_use]
    pub fn means(&self, finding: &Finding<'_>, record: &TaskRecord) -> Option<TaskMatch> {
        let (task, profile) = (self.task(record)?, &finding.profile);
        if !profile.shares(&task) {
            return None;
        }
        let open = record.status() == TaskStatus::Open;
        let done = finding.done.as_ref().filter(|_| open);
        if let Some(score) = done.and_then(|done| done.completes(&task, &self.known)) {
            return Some(TaskMatch { score: score + CERTAIN, done: true });
        }
        if of_other_things(profile, &task) {
            return None;
        }
        let worded = worded_alike(finding, record).map(|likeness| likeness + CERTAIN);
        let score = worded.or_else(|| coreference::coreference(profile, &finding.quotes, &task, &self.known))?;
        Some(TaskMatch { score, done: finding.mention.status == TaskStatus::Completed || done.is_some() })
    }

    /// Which of these open tasks a finding says is done that does nothing else, where the words before it say what it is
    /// about.
    #[must_use]
    pub fn said_done(&self, finding: &Finding<'_>, done_mentions: &[Mention], open: &[&TaskRecord]) -> Option<usize> {
        finding.done.as_ref()?;
        let within = |said: &Quote| {
            finding.mention.quotes.iter().any(|quote| quote.start <= said.start && said.end <= quote.end)
        };
        let of_it = done_mentions.iter().filter(|mention| mention.quotes.last().is_some_and(within));
        of_it.filter_map(|mention| self.completed_by(open, mention)).next()
    }

    /// Which of these open tasks a mention of something done completes, if any.
    #[must_use]
    pub fn completed_by(&self, open: &[&TaskRecord], mention: &Mention) -> Option<usize> {
        let done = DoneProfile::read(&statements(mention), mention.occurred_at)?;
        let tasks: Vec<Cow<'_, Profile>> = open.iter().map(|record| self.task(record)).collect::<Option<_>>()?;
        done_profile::completed_by(&self.known, &tasks.iter().map(Cow::as_ref).collect::<Vec<_>>(), &done)
    }
}

fn speakers(mention: &Mention) -> Vec<&str> {
    mention.quotes.iter().filter_map(|quote| quote.speaker.as_deref()).collect()
}

/// What a record is about, from its latest mentions.
fn profile(record: &TaskRecord) -> Option<Profile> {
    let latest = &record.mentions[record.mentions.len().saturating_sub(LATEST)..];
    let words: Vec<_> = latest.iter().map(|mention| (texts(mention), speakers(mention))).collect();
    let mentions = latest.iter().zip(&words);
    let mentions =
        mentions.map(|(mention, (quotes, speakers))| related::TaskMention { speakers, ..view(mention, quotes) });
    let mentions: Vec<_> = mentions.collect();
    let owner = record.owner().map(|owner| owner.name);
    let due = record.due().map(|due| due.date);
    Profile::of(&mentions).map(|profile| Profile { owner, due, status: record.status(), ..profile })
}

/// The quotes of a mention, with who says them.
fn statements(mention: &Mention) -> Vec<Statement<'_>> {
    mention.quotes.iter().map(|quote| (quote.text.as_str(), quote.speaker.as_deref())).collect()
}

/// Whether the same act is to be done to different things: each names one that the other does not speak of. The budget for
/// Bob is not the slides for Bob.
fn of_other_things(finding: &Profile, task: &Profile) -> bool {
    let same_act = finding.verbs.iter().any(|verb| task.verbs.contains(verb));
    let beyond = |one: &Profile, other: &Profile| {
        let named = |word: &&Stem| matches!(word.kind, StemKind::Thing | StemKind::Number);
        one.things.iter().filter(named).any(|word| !other.has(&word.text))
    };
    same_act && beyond(finding, task) && beyond(task, finding)
}

/// How alike a finding is in its words to a task that other items speak of; `None` where that does not make it the same.
fn worded_alike(finding: &Finding<'_>, record: &TaskRecord) -> Option<f64> {
    let mine = view(finding.mention, &finding.quotes);
    let (due, status, owner) = (record.due().map(|due| due.date), record.status(), record.owner());
    let scores = record.mentions.iter().rev().take(LATEST).filter_map(|other| {
        let quotes = texts(other);
        let theirs = related::TaskMention {
            due,
            status,
            owner: owner.as_ref().map(|owner| owner.name.as_str()),
            ..view(other, &quotes)
        };
        related::same_commitment(&mine, &theirs).then(|| related::likeness(&mine, &theirs))
    });
    scores.max_by(f64::total_cmp)
}
