//! What is said to be done completes what was asked for or promised before: one task, not two.

use crate::feature::Scene;
use crate::fields;
use crate::judge::TaskCluster;
use crate::link::pair;

/// How many content words a statement must share with the task that it completes.
const SHARED: usize = 2;
/// How many tasks back one is looked for.
const BACK: usize = 24;

/// Joins each task that but says that something is done to the latest earlier one that speaks of the same things.
#[must_use]
pub fn merge_done(scene: &Scene<'_>, tasks: Vec<TaskCluster>) -> Vec<TaskCluster> {
    let mut merged: Vec<TaskCluster> = Vec::with_capacity(tasks.len());
    for task in tasks {
        let earlier = if says_done(scene, &task) { meant(&merged, &task) } else { None };
        match earlier.and_then(|at| merged.get_mut(at)) {
            Some(earlier) => earlier.members.extend(task.members),
            None => merged.push(task),
        }
    }
    merged
}

/// Whether the most telling sentence of a task says that it is done.
fn says_done(scene: &Scene<'_>, task: &TaskCluster) -> bool {
    task.best().is_some_and(|best| !task.explicit() && fields::reports_done(scene, best.sentence))
}

/// The latest of the tasks before that shares enough with a statement.
fn meant(before: &[TaskCluster], statement: &TaskCluster) -> Option<usize> {
    let shares = |task: &TaskCluster| {
        let pairs = task.members.iter().flat_map(|one| statement.members.iter().map(move |other| (one, other)));
        pairs.map(|(one, other)| pair::shared(&one.prefixes, &other.prefixes)).max() >= Some(SHARED)
    };
    let first = before.len().saturating_sub(BACK);
    let found = before[first..].iter().rposition(|task| !task.explicit() && shares(task));
    found.map(|at| at + first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feature::{Names, Sentence};
    use crate::link::pair::{CandidateSentence, prefixes};

    /// How many tasks are left of these sentences, each of which was gathered as one.
    fn left(texts: &[&str]) -> usize {
        let sentence = |(at, text): (u32, &&'static str)| Sentence { text, utterance: at, ..Sentence::default() };
        let texts: Vec<&'static str> = texts.iter().map(|text| &*text.to_string().leak()).collect();
        let sentences: Vec<Sentence<'_>> = (0..).zip(&texts).map(sentence).collect();
        let scene = Scene::look(&sentences, &Names::default());
        let member = |sentence: usize| CandidateSentence {
            sentence,
            logit: 1.0,
            opening: 0.0,
            continuation: 0.0,
            explicit: false,
            prefixes: prefixes(texts[sentence]),
        };
        let tasks = (0..texts.len()).map(|at| TaskCluster { members: vec![member(at)], logit: 1.0 });
        merge_done(&scene, tasks.collect()).len()
    }

    #[test]
    fn a_statement_settles_the_task_that_it_speaks_of() {
        assert_eq!(left(&["can you restart the import job?", "the import job is done, all green"]), 1);
        assert_eq!(left(&["can you restart the import job?", "the venue for the party is booked"]), 2);
        assert_eq!(left(&["can you restart the import job?", "and can you check the import job?"]), 2);
    }
}
