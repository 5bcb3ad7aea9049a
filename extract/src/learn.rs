//! What feedback has taught, applied to what the engine found: some fall out, some rise, some are called or meant
//! otherwise. Explicit forms stay tasks whatever they are like.

use crate::cue::{Cue, Cues};
use crate::feature::{Line, Scene, bits};
use crate::judge::TaskCluster;
use crate::{Context, Document, Found, Quote, Reason};
use gleaner_model::learning::{FeatureSource, Learnt, Signals, TaskFeatures, log_odds, probability};

/// What becomes of a candidate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Disposition {
    /// It is a task.
    Task,
    /// It would be one if feedback had not spoken against others like it.
    Suppressed,
    /// It is none.
    Nothing,
}

/// What the engine saw of a candidate.
#[must_use]
pub fn signals(scene: &Scene<'_>, task: &TaskCluster, cues: Cues, confidence: f64, spoken: bool) -> Signals {
    let said = bits(cues).filter_map(|bit| Cue::ALL.get(bit as usize)).map(|cue| cue.says());
    let mut feature_names: Vec<&str> = said.collect();
    let lines = task.members.iter().map(|member| scene.sentences[member.sentence].line);
    feature_names.extend(lines.filter_map(line));
    feature_names.extend(task.members.iter().any(|member| scene.seen[member.sentence].question).then_some("asks"));
    feature_names.push(if task.members.len() > 1 { "several sentences" } else { "one sentence" });
    feature_names.push(if spoken { "talk" } else { "writing" });
    feature_names.sort_unstable();
    feature_names.dedup();
    Signals { log_odds: log_odds(confidence), feature_names: feature_names.into_iter().map(str::to_owned).collect() }
}

const fn line(line: Line) -> Option<&'static str> {
    match line {
        Line::Speech => None,
        Line::Item => Some("an entry of a list"),
        Line::Action | Line::Open | Line::Ticked => Some("an entry of a list of actions"),
        Line::Frame => Some("a heading"),
        Line::Quoted => Some("quoted from an earlier mail"),
        Line::Boilerplate => Some("boilerplate"),
    }
}

/// Whether a candidate of this confidence can be a task at all, given what was learnt.
#[must_use]
pub fn is_within_reach(confidence: f64, threshold: f64, learnt: &Learnt) -> bool {
    let up = learnt.furthest_up();
    confidence >= threshold || (up > 0.0 && log_odds(confidence) + up >= log_odds(threshold))
}

/// Whether a candidate of this confidence can be a task by its words and who said them, which are known before the rest of it
/// is written down. All else that was learnt can only speak against it.
#[must_use]
pub fn is_raised(
    confidence: f64,
    threshold: f64,
    evidence: &[Quote],
    document: &Document<'_>,
    learnt: &Learnt,
) -> bool {
    if confidence >= threshold {
        return true;
    }
    let (signals, quotes) = (Signals { log_odds: log_odds(confidence), feature_names: Vec::new() }, quotes(evidence));
    let Document { source_type, title, .. } = *document;
    let features = TaskFeatures::of(&FeatureSource {
        source_type,
        title,
        quotes: &quotes,
        owner: None,
        has_due: false,
        signals: &signals,
    });
    signals.log_odds + learnt.special(&features) >= log_odds(threshold)
}

/// Most confidence that counts where feedback speaks against a task: that it was promised says nothing of whether
/// people want it on their list.
const CONFIDENCE_CAP: f64 = 0.8;

/// The features of a candidate, by which feedback on others is held against it.
#[must_use]
pub fn features(found: &Found, document: &Document<'_>) -> TaskFeatures {
    let quotes = quotes(&found.evidence);
    TaskFeatures::of(&FeatureSource {
        source_type: document.source_type,
        title: document.title,
        quotes: &quotes,
        owner: found.owner.as_ref().map(|_| found.is_me),
        has_due: found.due.is_some(),
        signals: &found.signals,
    })
}

fn quotes(evidence: &[Quote]) -> Vec<(&str, Option<&str>)> {
    evidence.iter().map(|quote| (quote.text.as_str(), quote.speaker.as_deref())).collect()
}

/// Applies the tenant's feedback: rewrites owner, due and title, adjusts confidence, decides the disposition. What the
/// task is called plays no part in the decision.
#[must_use]
pub fn apply_feedback(
    found: &mut Found,
    document: &Document<'_>,
    context: &Context,
    threshold: f64,
    learnt: &Learnt,
) -> Disposition {
    let before = found.confidence >= threshold;
    if !learnt.is_empty() {
        reword(found, context, learnt);
        let shift = if found.explicit { 0.0 } else { learnt.shift(&features(found, document)).log_odds };
        if shift != 0.0 {
            found.shift = shift;
            let against = probability(found.signals.log_odds.min(log_odds(CONFIDENCE_CAP)) + shift);
            let all = probability(found.signals.log_odds + shift);
            found.confidence = if against < threshold { against } else { all };
            found.reasons.push(Reason::new("feedback on tasks like it", shift));
        }
    }
    match (before, found.confidence >= threshold) {
        (_, true) => Disposition::Task,
        (true, false) => Disposition::Suppressed,
        (false, false) => Disposition::Nothing,
    }
}

/// A title in the words that people use.
#[must_use]
pub fn title(title: String, learnt: &Learnt) -> String {
    learnt.title(&title).unwrap_or(title)
}

/// Names and dates as people correct them.
fn reword(found: &mut Found, context: &Context, learnt: &Learnt) {
    found.title = title(std::mem::take(&mut found.title), learnt);
    if let Some(name) = found.owner.as_deref().and_then(|name| learnt.owner(name)) {
        found.is_me |= context.me.names().any(|own| own.to_lowercase() == name.to_lowercase());
        found.owner = Some(name.to_owned());
    }
    if let Some(due) = found.due.take() {
        found.moved_days = learnt.moved_days(&due);
        found.due = Some(learnt.due(due));
    }
}
