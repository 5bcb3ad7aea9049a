//! Statements that something is done: which open task they mean, and how sure that is.

use super::done::{CompletionCues, completion};
use super::profile::{KnownTasks, Profile, holds, stated_subject, unique};
use super::related::{DAYS, Owners, owners};
use super::stem::{Stem, stems};
use super::verb;
use chrono::{DateTime, Utc};

/// Words of a text, and who says them.
pub type Statement<'a> = (&'a str, Option<&'a str>);

/// How sure it is that something is done where somebody says that they did it.
const DID: f64 = 0.9;
/// Least score of a statement for the task it completes, and how far ahead of any other's.
const ENOUGH: f64 = 1.05;
const MARGIN: f64 = 0.12;
/// What it adds that a task covers all that the statement says first that it is about.
const STATED_SUBJECT: f64 = 0.4;
/// Least weight of the things that a task and the statement share.
const ABOUT: f64 = 0.45;
/// How much the word for an act counts among them.
const ACT: f64 = 0.6;

/// A statement that something is done, as it is compared with the profiles of tasks.
#[derive(Clone, Debug)]
pub struct DoneProfile {
    /// What it names.
    words: Vec<Stem>,
    /// What it says first that it is about.
    stated_subjects: Vec<String>,
    completion: CompletionCues,
    speaker: Option<String>,
    at: DateTime<Utc>,
}

impl DoneProfile {
    /// Reads words that do nothing but say that something is done. Where the speaker did it, what is to come of it is no
    /// other task.
    #[must_use]
    pub fn only(quotes: &[Statement<'_>], at: DateTime<Utc>) -> Option<Self> {
        let profile = Self::read(quotes, at)?;
        let did = profile.completion.mine && profile.completion.done >= DID;
        let ahead = |(text, _): &Statement<'_>| {
            let said = completion(text);
            if did { said.to_do } else { said.ahead }
        };
        (!quotes.iter().any(ahead)).then_some(profile)
    }

    /// Reads words that may say that something is done, said at one time one after the other; what stands before the last
    /// of them says what it is about. `None` where they do not say so.
    #[must_use]
    pub fn read(quotes: &[Statement<'_>], at: DateTime<Utc>) -> Option<Self> {
        let mut profile = Self {
            words: Vec::new(),
            stated_subjects: Vec::new(),
            completion: CompletionCues::default(),
            speaker: None,
            at,
        };
        for (text, speaker) in quotes {
            let said = completion(text);
            if said.is_report() {
                profile.speaker = speaker.map(str::to_owned);
                profile.words.extend(stems(&said.words));
            } else {
                profile.words.extend(stems(text));
            }
            profile.stated_subjects.extend(stated_subject(text).map(str::to_owned));
            profile.completion.open |= said.open && !said.is_report();
            profile.completion.done = profile.completion.done.max(said.done);
            profile.completion.finished |= said.finished;
            profile.completion.mine |= said.mine;
            profile.completion.received |= said.received;
            profile.completion.verbs.extend(said.verbs);
            profile.completion.states.extend(said.states);
        }
        profile.words = unique(profile.words);
        (profile.completion.is_report() && !profile.completion.open).then_some(profile)
    }

    /// Takes in what else is known of what it names.
    #[must_use]
    pub fn about(mut self, title: &str) -> Self {
        self.words.extend(stems(title));
        self.words = unique(self.words);
        self
    }

    /// The stems under which the task that it means may be found.
    pub fn words(&self) -> impl Iterator<Item = &Stem> {
        self.words.iter()
    }

    /// How well the task fits that it would complete; `None` where it means another, or none.
    #[must_use]
    pub fn completes(&self, task: &Profile, known_tasks: &KnownTasks) -> Option<f64> {
        let days = (self.at - task.at).num_days();
        if self.at < task.at || days > DAYS {
            return None;
        }
        // The act counts for itself; where people know the task, doing what nobody else was to do tells something too.
        let known = known_tasks.shares_people(task) == Some(true);
        let is_act = |word: &Stem| self.completion.verbs.contains(&word.text) || task.verbs.contains(&word.text);
        let tells = |word: &Stem| match (holds(&self.words, word), is_act(word)) {
            (false, _) => 0.0,
            (true, false) => known_tasks.stem_weight(word),
            (true, true) if known => ACT * known_tasks.stem_weight(word),
            (true, true) => 0.0,
        };
        let shared = |words: &[Stem]| words.iter().map(tells).sum::<f64>();
        let (hit, all) = (shared(&task.things), known_tasks.total_weight(&task.things).max(1.0));
        let about = hit * (0.5 + 0.5 * (hit / all).min(1.0)) + (0.6 * shared(&task.said)).min(0.9);
        let on_subject =
            if self.stated_subjects.iter().any(|subject| task.covers(subject)) { STATED_SUBJECT } else { 0.0 };
        let score = about.min(2.0) + on_subject + self.act(task) + self.who(task) + shared_people(task, known_tasks);
        (about >= ABOUT && score >= ENOUGH).then_some(score)
    }

    /// Whether what was done is what was to be done.
    fn act(&self, task: &Profile) -> f64 {
        let same = self.completion.verbs.iter().any(|done| task.verbs.contains(done) || task.has(done));
        let alike = || self.completion.verbs.iter().any(|done| task.verbs.iter().any(|verb| verb::alike(verb, done)));
        let came = || self.completion.received && task.verbs.iter().any(|verb| verb::alike(verb, "send"));
        let there = || self.completion.states.iter().any(|state| task.states.contains(state));
        match () {
            () if same || there() => 0.6,
            () if came() => 0.5,
            () if alike() => 0.35,
            () if self.completion.finished => 0.3,
            () => 0.0,
        }
    }

    /// Whether who says so, or is named, is who was to do it.
    fn who(&self, task: &Profile) -> f64 {
        let named = task.owner.as_deref().is_some_and(|owner| stems(owner).iter().any(|name| holds(&self.words, name)));
        if named {
            return 0.3;
        }
        match owners(task.owner.as_deref(), self.speaker.as_deref()) {
            // Who has received something may still have to do their part.
            Owners::Same if self.completion.received => -0.6,
            Owners::Different if self.completion.received => 0.15,
            Owners::Same if self.completion.mine => 0.3,
            Owners::Same => 0.15,
            Owners::Different if self.completion.mine => -0.3,
            _ => 0.0,
        }
    }
}

/// What the people around a text and a task tell of whether the one speaks of the other.
pub(super) fn shared_people(task: &Profile, known_tasks: &KnownTasks) -> f64 {
    match known_tasks.shares_people(task) {
        Some(true) => 0.0,
        Some(false) => -0.8,
        None => -0.15,
    }
}

/// Which of these open tasks a statement means: the one that fits best, by a margin over any other.
#[must_use]
pub fn completed_by(known_tasks: &KnownTasks, open: &[&Profile], done: &DoneProfile) -> Option<usize> {
    let fits = open.iter().enumerate().filter_map(|(at, task)| Some((done.completes(task, known_tasks)?, at)));
    let mut fits: Vec<(f64, usize)> = fits.collect();
    fits.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.1.cmp(&other.1)));
    let next = fits.get(1).map_or(0.0, |second| second.0);
    fits.first().filter(|best| best.0 - next >= MARGIN).map(|best| best.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::related::TaskMention;
    use gleaner_model::TaskStatus;

    const TASKS: [(&str, &str); 4] = [
        ("Send the patrons and loans export", "Mr. Osgood"),
        ("Send the invoice for the set-up fee", "Ana Ruiz"),
        ("Have the staging tenant up", "Bogdan Petrescu"),
        ("Measure the kitchen", "Benedek Varga"),
    ];

    fn day(number: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + chrono::TimeDelta::days(number)
    }

    /// Which of the tasks, agreed on day 5, words of that day mean.
    fn meant_on(number: i64, said: &[Statement<'_>]) -> Option<usize> {
        let tasks = TASKS.map(|(title, owner)| {
            let status = TaskStatus::Open;
            let owner = Some(owner);
            let mention =
                TaskMention { title, owner, quotes: &[], speakers: &[], due: None, status, occurred_at: day(5) };
            Profile::of(&[mention]).unwrap()
        });
        let done = DoneProfile::read(said, day(number))?;
        let people = TASKS.map(|(_, owner)| owner.to_owned());
        completed_by(&KnownTasks::of(&tasks, &people), &tasks.iter().collect::<Vec<_>>(), &done)
    }

    fn meant(said: &str) -> Option<usize> {
        meant_on(9, &[(said, None)])
    }

    #[test]
    fn a_statement_completes_the_task_that_it_speaks_of() {
        assert_eq!(meant("Mr. Osgood sent the patrons export last night"), Some(0));
        assert_eq!(meant("The invoice went out on Friday"), Some(1));
        assert_eq!(meant("staging tenant's been up since thursday"), Some(2));
        assert_eq!(meant("I got the export, thank you"), Some(0));
        assert_eq!(meant("I sent the flowers"), None);
    }

    #[test]
    fn a_statement_from_before_completes_nothing() {
        assert_eq!(meant_on(3, &[("Mr. Osgood sent the patrons export", None)]), None);
        assert_eq!(meant_on(200, &[("Mr. Osgood sent the patrons export", None)]), None);
    }

    #[test]
    fn the_words_before_a_short_statement_say_what_it_is_about() {
        assert_eq!(meant("measured it on Saturday"), None);
        assert_eq!(meant_on(9, &[("and the kitchen?", None), ("measured it on Saturday", None)]), Some(3));
    }

    #[test]
    fn who_did_it_tells_which_task_is_meant() {
        assert_eq!(meant_on(9, &[("I sent the export", Some("Mr. Osgood"))]), Some(0));
        assert_eq!(meant_on(9, &[("I mentioned the export", Some("Ana Ruiz"))]), None);
    }

    #[test]
    fn what_looks_ahead_says_nothing_is_done() {
        assert!(DoneProfile::read(&[("I'll send the invoice", None)], day(9)).is_none());
        let both = [("the theme is in", None), ("I'll send the invoice", None)];
        assert!(DoneProfile::read(&both, day(9)).is_some() && DoneProfile::only(&both, day(9)).is_none());
        assert!(DoneProfile::only(&[("could you send it?", None), ("he asked for it", None)], day(9)).is_none());
    }
}
