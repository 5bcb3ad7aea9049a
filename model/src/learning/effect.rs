//! What was learnt, in words for people.

use super::{Learnt, learnt};
use schemars::JsonSchema;
use serde::Serialize;

/// Most effects of one kind that are told.
const MOST: usize = 20;
/// Most that are told of what holds against the others, which says nothing by itself.
const MOST_KEEPING: usize = 5;
/// Words of a usual task, by which a word's weight is told.
const USUAL_WORDS: f64 = 6.0;
/// Least effect that is told.
const LEAST: f64 = 0.05;

/// Something that was learnt.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Effect {
    /// In words.
    pub description: String,
    /// How strong it is: above 0 raises, below 0 lowers. For what is extracted, in log-odds; for ranking, of 1.
    pub weight: f64,
    /// What it changes: `extraction`, `ranking`, `wording` or `dates`.
    pub about: &'static str,
}

/// What was learnt, strongest first within each kind.
#[must_use]
pub fn effects(taught: &Learnt) -> Vec<Effect> {
    let keeps = |name: &str, weight: f32| weight > 0.0 && !taught.raising.contains_key(name);
    let moving = taught.weights.iter().filter(|(name, weight)| !keeps(name, **weight));
    let mut found = weighted(moving, "extraction", |_, weight| if weight < 0.0 { "fewer tasks" } else { "more tasks" });
    if !found.is_empty() {
        let keeping = taught.weights.iter().filter(|(name, weight)| keeps(name, **weight));
        found.extend(weighted(keeping, "extraction", |_, _| "no fewer tasks").into_iter().take(MOST_KEEPING));
    }
    found.extend(weighted(taught.importance.iter(), "ranking", |_, weight| {
        if weight < 0.0 { "less important: tasks" } else { "more important: tasks" }
    }));
    found.extend(taught.aliases.iter().map(|alias| {
        let whose = if alias.owner { "the owner " } else { "" };
        let description = format!("{whose}“{}” is called “{}”", alias.from, alias.to);
        Effect { description, weight: 1.0, about: "wording" }
    }));
    found.extend(taught.conventions.iter().map(|(words, days)| {
        let way = if *days < 0 { "earlier" } else { "later" };
        let description = format!("“{}” is meant {} days {way}", words.replace("<day>", "(a day)"), days.abs());
        Effect { description, weight: 1.0, about: "dates" }
    }));
    found
}

fn weighted<'a>(
    weights: impl Iterator<Item = (&'a String, &'a f32)>,
    about: &'static str,
    way: impl Fn(&str, f64) -> &'static str,
) -> Vec<Effect> {
    let told = weights.filter_map(|(name, weight)| {
        let usual = if name.starts_with("w:") { learnt::WORDS_NORM / USUAL_WORDS.sqrt() } else { learnt::BIAS_VALUE };
        let weight = (f64::from(*weight) * usual * 100.0).round() / 100.0;
        let description = format!("{} {}", way(name, weight), feature_words(name)?);
        (weight.abs() >= LEAST).then_some(Effect { description, weight, about })
    });
    let mut told: Vec<Effect> = told.collect();
    told.sort_by(|one, other| {
        other.weight.abs().total_cmp(&one.weight.abs()).then(one.description.cmp(&other.description))
    });
    told.truncate(MOST);
    told
}

/// A feature as it follows "tasks".
fn feature_words(name: &str) -> Option<String> {
    Some(match name.split_once(':') {
        Some(("w", text)) => format!("that say {}", word(text)),
        Some(("m", seen)) => format!("with this in their words: {seen}"),
        Some(("s", source)) => format!("from items of kind {source}"),
        Some(("o", "me")) => "that are mine".to_owned(),
        Some(("o", "other")) => "that others owe".to_owned(),
        Some(("o", _)) => "without an owner".to_owned(),
        Some(("d", "yes")) => "with a due date".to_owned(),
        Some(("d", _)) => "without a due date".to_owned(),
        Some(("t", text)) => format!("of items whose title says {}", word(text)),
        Some(("p", name)) => format!("said by {name}"),
        _ if name == learnt::BIAS => "on the whole".to_owned(),
        _ if name == learnt::DOUBT => "that the engine doubts".to_owned(),
        _ => return None,
    })
}

/// A word's stem in quotes; what is cut off shows.
pub(super) fn word(stem: &str) -> String {
    if stem.chars().count() < 6 { format!("“{stem}”") } else { format!("“{stem}…”") }
}
