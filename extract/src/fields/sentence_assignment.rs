//! Which task each sentence belongs to: what one task rests on says little of another.

use crate::judge::TaskCluster;
use crate::title::TitleLine;

/// Least verdict of a task whose sentences are its own.
const STANDS: f32 = -0.5;

/// For each sentence of a text, the index of the task that it is part of.
#[derive(Clone, Debug)]
pub struct SentenceAssignment(Vec<Option<usize>>);

impl SentenceAssignment {
    /// Of so many sentences; `tasks` are all clusters of them.
    #[must_use]
    pub fn of(tasks: &[TaskCluster], sentences: usize) -> Self {
        let mut task_of = vec![None; sentences];
        for (number, task) in tasks.iter().enumerate().filter(|(_, task)| task.logit > STANDS || task.explicit()) {
            task.members.iter().for_each(|member| task_of[member.sentence] = Some(number));
        }
        Self(task_of)
    }

    /// How many sentences there are.
    #[must_use]
    pub const fn sentences(&self) -> usize {
        self.0.len()
    }

    /// Whether a sentence is part of another task than that of this number.
    #[must_use]
    pub fn is_of_another(&self, sentence: usize, number: usize) -> bool {
        self.0[sentence].is_some_and(|task| task != number)
    }

    /// Which of some lines another task rests on.
    #[must_use]
    pub fn others(&self, lines: &[TitleLine], number: usize) -> Vec<usize> {
        lines.iter().map(|line| line.0).filter(|line| self.is_of_another(*line, number)).collect()
    }
}
