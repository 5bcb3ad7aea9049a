//! A simulated tenant: texts in the order of time, the first ones rated, the later ones scored.

use super::{SplitMix, case::Case};
use chrono::{DateTime, Utc};
use gleaner_extract::{Found, learn};
use gleaner_model::{
    FeedbackId, TaskId,
    learning::{Learnt, Lesson, Vote, VoteKind, fit},
};

/// How people rate.
#[derive(Clone, Copy, Debug)]
pub struct RaterBehaviour {
    /// The share of tasks that they rate.
    pub share: f64,
    /// The share of ratings that are wrong.
    pub noise: f64,
}

/// What was counted over texts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Tasks that are there.
    pub gold: usize,
    /// Tasks found.
    pub found: usize,
    /// Tasks found that are there.
    pub right: usize,
}

impl Counts {
    /// Adds what was counted elsewhere.
    pub const fn add(&mut self, other: Self) {
        self.gold += other.gold;
        self.found += other.found;
        self.right += other.right;
    }

    /// Tasks found that are not there.
    #[must_use]
    pub const fn wrong(&self) -> usize {
        self.found - self.right
    }

    /// Share of what was found that is there.
    #[must_use]
    pub fn precision(&self) -> f64 {
        self.right as f64 / self.found.max(1) as f64
    }

    /// Share of what is there that was found.
    #[must_use]
    pub fn recall(&self) -> f64 {
        self.right as f64 / self.gold.max(1) as f64
    }

    /// F1 of both.
    #[must_use]
    pub fn f1(&self) -> f64 {
        2.0 * self.right as f64 / (self.found + self.gold).max(1) as f64
    }
}

/// Scores the engine, with what it has learnt, on texts.
#[must_use]
pub fn score(cases: &[Case], learnt: &Learnt) -> Counts {
    let mut counts = Counts::default();
    for case in cases {
        let found = case.extract(learnt).tasks;
        counts.gold += case.gold();
        counts.found += found.len();
        counts.right += case.partners(&found).iter().flatten().count();
    }
    counts
}

/// What a tenant says of tasks, rating by rating, while it goes through its first texts with an engine that learns.
#[must_use]
pub fn lessons(cases: &[Case], behaviour: RaterBehaviour, chance: &mut SplitMix, most: usize) -> Vec<Lesson> {
    let mut lessons: Vec<Lesson> = Vec::new();
    for case in cases {
        let at = case.context.occurred_at.to_utc();
        let found = case.extract(&fit(&lessons, lessons.len() as u64, at)).tasks;
        let partners = case.partners(&found);
        for (task, partner) in found.iter().zip(partners) {
            if lessons.len() < most && chance.draw() < behaviour.share {
                let right = partner.is_some() != (chance.draw() < behaviour.noise);
                lessons.push(lesson(case, task, if right { VoteKind::Up } else { VoteKind::Down }, at));
            }
        }
    }
    lessons
}

/// One rating of a found task.
#[must_use]
pub fn lesson(case: &Case, task: &Found, kind: VoteKind, at: DateTime<Utc>) -> Lesson {
    let vote = Vote {
        kind,
        subject: Some("simulated".to_owned()),
        feedback_id: Some(FeedbackId::new()),
        at,
        earlier: Vec::new(),
    };
    Lesson {
        task_id: TaskId::new(),
        features: learn::features(task, &case.document()),
        votes: vec![vote],
        aliases: Vec::new(),
        convention: None,
    }
}
