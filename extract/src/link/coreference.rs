//! Re-mention: whether a finding speaks of a task that is known, in whatever words.

use super::done::completion;
use super::done_profile::shared_people;
use super::profile::{KnownTasks, Profile, holds, stated_subject};
use super::related::{DAYS, Owners, owners};
use super::stem::Stem;
use super::verb;
use crate::word_list::WordList;
use gleaner_model::TaskStatus;

/// Least score of a finding for the task that it speaks of.
const ENOUGH: f64 = 1.4;
/// Least weight of the things that both speak of.
const ABOUT: f64 = 0.7;

/// What it adds that a task covers all that a line says first that it is about.
const STATED_SUBJECT: f64 = 0.6;

/// Words with which people come back to what was agreed.
static BACK: WordList =
    WordList::of("still promised instead longer remind reminder owe taking moved agreed postponed delayed");

/// How well a finding fits an open task of other texts; `None` where it speaks of something else.
#[must_use]
pub fn coreference(finding: &Profile, quotes: &[&str], task: &Profile, known_tasks: &KnownTasks) -> Option<f64> {
    let days = (finding.at - task.at).num_days().abs();
    if days > DAYS || task.status == TaskStatus::Completed {
        return None;
    }
    let titles = known_tasks.total_weight(finding.things.iter().filter(|word| holds(&task.things, word)));
    let crossed = known_tasks.total_weight(finding.things.iter().filter(|word| holds(&task.said, word)))
        + known_tasks.total_weight(task.things.iter().filter(|word| holds(&finding.said, word)));
    let said = known_tasks.total_weight(finding.said.iter().filter(|word| holds(&task.said, word)));
    let about = titles + 0.7 * crossed.min(1.5) + 0.3 * said.min(1.0);
    let apart = beyond(finding, task, known_tasks).min(beyond(task, finding, known_tasks));
    let on_subject = quotes.iter().filter_map(|quote| stated_subject(quote)).any(|subject| task.covers(subject));
    let score = about.min(2.5) - 0.8 * apart
        + act(finding, task)
        + who(finding, quotes, task)
        + when(finding, task)
        + shared_people(task, known_tasks)
        + if comes_back(quotes) { 0.4 } else { 0.0 }
        + if on_subject { STATED_SUBJECT } else { 0.0 };
    (titles + crossed >= ABOUT && score >= ENOUGH).then_some(score)
}

/// The weight of what one's title names and the other does not speak of.
fn beyond(one: &Profile, other: &Profile, known_tasks: &KnownTasks) -> f64 {
    let unmet = |word: &&Stem| !holds(&other.things, word) && !holds(&other.said, word);
    known_tasks.total_weight(one.things.iter().filter(unmet))
}

fn act(finding: &Profile, task: &Profile) -> f64 {
    let same = finding.verbs.iter().any(|verb| task.verbs.contains(verb));
    let alike = || finding.verbs.iter().any(|verb| task.verbs.iter().any(|other| verb::alike(verb, other)));
    match () {
        () if same => 0.5,
        () if alike() => 0.25,
        () if finding.is_act && task.is_act => -0.35,
        () => 0.0,
    }
}

fn who(finding: &Profile, quotes: &[&str], task: &Profile) -> f64 {
    let speaks = finding.speakers.iter().any(|name| owners(Some(name), task.owner.as_deref()) == Owners::Same);
    let owner = match owners(finding.owner.as_deref(), task.owner.as_deref()) {
        Owners::Same => 0.4,
        Owners::Unknown => 0.0,
        Owners::Different if comes_back(quotes) => -0.2,
        Owners::Different => -0.7,
    };
    if speaks && owner < 0.4 { owner + 0.3 } else { owner }
}

fn when(finding: &Profile, task: &Profile) -> f64 {
    match (finding.due, task.due) {
        (Some(one), Some(other)) if one == other => 0.4,
        _ => 0.0,
    }
}

fn comes_back(quotes: &[&str]) -> bool {
    let back = |word: &str| BACK.has(&word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase());
    quotes.iter().any(|quote| completion(quote).open || quote.split_whitespace().any(back))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::related::TaskMention;
    use chrono::{DateTime, TimeDelta};

    /// Whether a finding of two weeks later, with these words, speaks of that task.
    fn speaks((title, owner): (&str, &str), (known, other): (&str, &str), quote: &str) -> bool {
        let at = DateTime::UNIX_EPOCH;
        let mention = |title, owner, quotes, occurred_at| {
            let status = TaskStatus::Open;
            Profile::of(&[TaskMention {
                title,
                owner: Some(owner),
                quotes,
                speakers: &[],
                due: None,
                status,
                occurred_at,
            }])
        };
        let quotes = [quote];
        let finding = mention(title, owner, &quotes, at + TimeDelta::days(14)).unwrap();
        let task = mention(known, other, &[], at).unwrap();
        coreference(&finding, &quotes, &task, &KnownTasks::of([&task], &[])).is_some()
    }

    const TEMPLATE: (&str, &str) = ("Build the screening log template", "Oyin Adebayo");

    #[test]
    fn a_stated_subject_says_which_task_is_meant() {
        assert!(speaks(("Need two more days", "Oyin"), TEMPLATE, "screening log: Oyin needs two more days, so 2 July"));
        assert!(!speaks(
            ("Need two more days", "Oyin"),
            TEMPLATE,
            "freezer probe: Oyin needs two more days, so 2 July"
        ));
    }

    #[test]
    fn another_act_on_the_same_thing_is_another_task() {
        let known = ("Send the report", "Ana");
        assert!(!speaks(("Print the report", "Ana"), known, "I'll print the report"));
        assert!(speaks(("Forward the report", "Ana"), known, "I'll forward the report"));
    }

    #[test]
    fn somebody_elses_task_is_another_unless_they_come_back_to_it() {
        let known = ("Do the observations on the night shift", "Silvan");
        assert!(speaks(("Do the observations", "Carys"), known, "I'm taking over the observations from Silvan"));
        assert!(!speaks(("Do the figures", "Carys"), known, "I'll do the figures"));
        assert!(!speaks(("Type the observations", "Carys"), known, "I'll type the observations"));
    }
}
