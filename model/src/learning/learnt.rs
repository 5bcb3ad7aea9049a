//! What was learnt: a few hundred weights of features, and what is called otherwise or meant otherwise.

use super::{Alias, TaskFeatures, convention, wording};
use crate::Due;
use chrono::TimeDelta;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How far general features (kind of source, whose it is, how sure the engine was) can move the log-odds of a task:
/// down, where more of what has them is rejected than the engine expects, and never up.
const GENERAL: (f64, f64) = (-0.6, 0.0);
/// How far its words and who said them can move them: up only by what tasks share that people reported as overlooked.
const SPECIAL: (f64, f64) = (-4.0, 2.0);
/// How far down those who said it can move them: who rejects all that somebody says does not silence them.
const PEOPLE: f64 = -0.5;
/// How far down the title of its item can, likewise, and never up: what was overlooked in one meeting of a row says
/// little of all that is said in them.
const TITLES: (f64, f64) = (-0.5, 0.0);
/// The least that moves the log-odds: whether a task is shown does not hang on a trifle.
const LEAST_SHIFT: f64 = 0.1;
/// How far what was learnt can move the importance of a task.
const MOST_IMPORTANCE: f64 = 0.5;

/// The L2 norm of the values of a task's words, where it has at least four: what they weigh together.
pub(super) const WORDS_NORM: f64 = 4.0;
/// Name of the bias, a feature that every task has.
pub(super) const BIAS: &str = "#";
/// Value of the bias feature.
pub(super) const BIAS_VALUE: f64 = 0.3;
/// Name of the feature that says how far the engine doubted a task. There is none of its being sure: people keep what
/// it is sure of nearly always, and that says nothing against the rest.
pub(super) const DOUBT: &str = "?";

/// What a tenant's lessons come to. A default one has learnt nothing and changes nothing.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Learnt {
    /// The revision of the lessons that it was worked out of.
    pub revision: u64,
    /// The day on which it was, counted from 1970: lessons fade.
    pub day: i64,
    /// Ratings up that it rests on.
    pub up: u32,
    /// Ratings down that it rests on.
    pub down: u32,
    /// The weight of each feature in the log-odds of a task: above 0 speaks for it, below 0 against.
    // The name in what is stored already.
    #[serde(rename = "odds", skip_serializing_if = "BTreeMap::is_empty")]
    pub weights: BTreeMap<String, f32>,
    /// Those of them that speak for tasks that the engine would not give.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub raising: BTreeMap<String, f32>,
    /// The weight of each feature in its importance, likewise.
    // The name in what is stored already.
    #[serde(rename = "worth", skip_serializing_if = "BTreeMap::is_empty")]
    pub importance: BTreeMap<String, f32>,
    /// What is called otherwise.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<Alias>,
    /// How many days later than the engine reads them words for a day are meant.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub conventions: BTreeMap<String, i64>,
}

/// What was learnt of tasks that look like one.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Shift {
    /// How far it moves the log-odds of its being a task.
    pub log_odds: f64,
    /// How far it moves its importance: from -0.5 to 0.5.
    pub importance: f64,
}

impl Learnt {
    /// Whether nothing was learnt.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.weights.is_empty() && self.importance.is_empty() && self.aliases.is_empty() && self.conventions.is_empty()
    }

    /// The furthest that a task can be raised, in log-odds: what lies further below the threshold need not be looked
    /// at.
    #[must_use]
    pub fn furthest_up(&self) -> f64 {
        if self.raising.is_empty() { 0.0 } else { SPECIAL.1 }
    }

    /// What was learnt of tasks that look like this.
    #[must_use]
    pub fn shift(&self, features: &TaskFeatures) -> Shift {
        let (mut general, mut importance) = (0.0, 0.0);
        for (name, value) in feature_values(features) {
            if is_special(name) {
                importance += weight(&self.importance, name) * value;
            } else {
                general += weight(&self.weights, name) * value;
            }
        }
        let log_odds = general.clamp(GENERAL.0, GENERAL.1) + self.special(features);
        let log_odds = if log_odds.abs() < LEAST_SHIFT { 0.0 } else { log_odds };
        Shift { log_odds, importance: importance.clamp(-MOST_IMPORTANCE, MOST_IMPORTANCE) }
    }

    /// How far its words, who said them and where move the log-odds of a task. Nothing else moves them up.
    #[must_use]
    pub fn special(&self, features: &TaskFeatures) -> f64 {
        let (mut words, mut people, mut titles, mut raised) = (0.0, 0.0, 0.0, 0.0);
        for (name, value) in feature_values(features).filter(|(name, _)| is_special(name)) {
            let said = weight(&self.weights, name);
            if said != 0.0 {
                let sum = match name.as_bytes().first() {
                    Some(b'w') => &mut words,
                    Some(b'p') => &mut people,
                    _ => &mut titles,
                };
                *sum += said * value;
                raised += weight(&self.raising, name) * value;
            }
        }
        let titles = titles.clamp(TITLES.0, TITLES.1);
        (words + people.max(PEOPLE) + titles).clamp(SPECIAL.0, SPECIAL.1.min(raised))
    }

    /// A title in the words that people use; `None` where it stays as it is.
    #[must_use]
    pub fn title(&self, title: &str) -> Option<String> {
        let aliases = self.aliases.iter().filter(|alias| !alias.owner);
        aliases.fold(None, |done: Option<String>, alias| {
            wording::replaced(done.as_deref().unwrap_or(title), &alias.from, &alias.to).or(done)
        })
    }

    /// The name that people use for an owner; `None` where it stays as it is.
    #[must_use]
    pub fn owner(&self, name: &str) -> Option<&str> {
        let alias = self.aliases.iter().find(|alias| alias.from == name);
        alias.map(|alias| alias.to.as_str())
    }

    /// How many days later than the engine reads them the words of a due date are meant.
    #[must_use]
    pub fn moved_days(&self, due: &Due) -> i64 {
        let words = due.text.as_deref().and_then(convention::pattern);
        words.and_then(|words| self.conventions.get(&words).copied()).unwrap_or_default()
    }

    /// The due date as people mean it.
    #[must_use]
    pub fn due(&self, due: Due) -> Due {
        let days = TimeDelta::days(self.moved_days(&due));
        Due { date: due.date.checked_add_signed(days).unwrap_or(due.date), ..due }
    }
}

fn weight(weights: &BTreeMap<String, f32>, name: &str) -> f64 {
    f64::from(weights.get(name).copied().unwrap_or_default())
}

/// Whether a feature is one of words, people or titles, and not of the kind of a task.
pub(super) fn is_special(name: &str) -> bool {
    ["w:", "p:", "t:"].iter().any(|kind| name.starts_with(kind))
}

/// The features of a task with their values, among them the bias and, where there is any, the doubt.
pub(super) fn feature_values(features: &TaskFeatures) -> impl Iterator<Item = (&str, f64)> {
    let words = features.words().count().max(4) as f64;
    let called = features.feature_names.iter().filter(|name| name.starts_with("t:")).count().max(2) as f64;
    let own = features.feature_names.iter().map(move |name| {
        let value = match name.as_bytes().first() {
            Some(b'w') => WORDS_NORM / words.sqrt(),
            Some(b'm') => 0.3,
            Some(b'p') => 0.4,
            Some(b't') => 1.0 / called.sqrt(),
            _ => 0.25,
        };
        (name.as_str(), value)
    });
    let doubt = ((1.0 - features.log_odds) / 2.0).clamp(0.0, 1.5);
    own.chain([(BIAS, BIAS_VALUE)]).chain((doubt > 0.0).then_some((DOUBT, doubt)))
}

/// The log-odds of a probability, kept within what can be learnt about.
#[must_use]
pub fn log_odds(probability: f64) -> f64 {
    let kept = probability.clamp(0.002, 0.998);
    (kept / (1.0 - kept)).ln()
}

/// The probability of log-odds.
#[must_use]
pub fn probability(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}
