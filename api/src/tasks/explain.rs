//! `GET /tasks/{task_id}/explain`: why a task was extracted and ranked so, in words and numbers.

use super::get;
use crate::{
    json,
    operation::{Doc, Operation},
    problem::Problem,
    route::{ApiCall, HandlerResult},
};
use chrono::{NaiveDate, Utc};
use gleaner_model::{
    Feedback, FeedbackId, Rating, Reason, TaskId, TaskRecord,
    learning::{LIKE_A_TASK, TaskFeatures},
    priority,
};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeSet, HashMap};

/// Why a task is there, and where it stands in a list sorted by priority.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Explanation {
    /// The task.
    task_id: TaskId,
    /// From 0 to 1: how sure the engine is that this is a task.
    confidence: f64,
    /// From 0 to 1: how much it wants attention today.
    priority: f64,
    /// What spoke for and against it.
    reasons: Vec<ExplainedReason>,
}

/// One thing that spoke for or against a task.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "Said")]
pub struct ExplainedReason {
    /// Whether it made this a task, or moved its priority, or is what somebody said of it.
    about: ReasonKind,
    /// In words.
    text: String,
    /// Its share: positive speaks for the task, or raises it.
    weight: f64,
    /// The rating that says so, of this task or of others like it.
    #[serde(skip_serializing_if = "Option::is_none")]
    feedback_id: Option<FeedbackId>,
    /// The other task of which that was said.
    #[serde(skip_serializing_if = "Option::is_none")]
    task_id: Option<TaskId>,
}

/// What a reason is about.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "About")]
pub enum ReasonKind {
    /// Why this was taken for a task.
    Extraction,
    /// Why it stands where it does.
    Priority,
    /// A rating of it.
    Feedback,
}

/// Summary, tag, parameters and answers.
pub fn docs(doc: &mut Doc) -> Operation {
    Operation::new("explainTask", "Tasks", "Explain a task")
        .about("Why it was taken for a task, what moved its priority, and what people said of it.")
        .answers::<Explanation>(doc, 200, "The reasons.")
}

/// `GET /tasks/{task_id}/explain`
pub async fn handle(call: &mut ApiCall) -> HandlerResult {
    let record = get::find(call).await?;
    let task = get::view(&record)?;
    let mut reasons = reasons(&record, &like_it(call, &record).await?, Utc::now().date_naive());
    name_others(call, &mut reasons).await?;
    json::answer(&Explanation { task_id: record.id, confidence: task.confidence, priority: task.priority, reasons })
}

/// The ratings of tasks like it that moved its priority.
async fn like_it(call: &mut ApiCall, record: &TaskRecord) -> Result<Vec<Reason>, Problem> {
    let Some(seen) = record.mentions.first().filter(|_| record.importance_offset != 0.0) else { return Ok(Vec::new()) };
    let taught = call.app.ask(call.app.store.learning_state(&call.caller.credential.tenant)).await?;
    Ok(taught.sources.of_importance(&TaskFeatures::of_mention(seen), record.importance_offset))
}

/// Says of which other tasks it was, those that are still there.
async fn name_others(call: &mut ApiCall, reasons: &mut [ExplainedReason]) -> Result<(), Problem> {
    let others: BTreeSet<TaskId> = reasons.iter().filter_map(|said| said.task_id).collect();
    let mut titles = HashMap::new();
    for id in others {
        if let Some(other) = call.app.ask(call.app.store.task(&call.caller.credential.tenant, id)).await? {
            titles.insert(id, other.title().to_owned());
        }
    }
    for said in reasons {
        let title = said.task_id.and_then(|id| titles.get(&id));
        if let (Some(title), Some(rest)) = (title, said.text.strip_prefix(LIKE_A_TASK)) {
            said.text = format!("like “{title}”, which {rest}");
        }
    }
    Ok(())
}

fn reasons(record: &TaskRecord, like_it: &[Reason], today: NaiveDate) -> Vec<ExplainedReason> {
    let plain = |about: fn() -> ReasonKind| {
        move |reason: Reason| {
            let Reason { text, weight, feedback_id, task_id } = reason;
            ExplainedReason { about: about(), text, weight, feedback_id, task_id }
        }
    };
    let found = record.mentions.iter().flat_map(|mention| mention.reasons.iter().cloned());
    let found = found.map(plain(|| ReasonKind::Extraction));
    let ranked = priority::explain(record, today).into_iter().flat_map(|reason| shared_out(reason, record, like_it));
    let ranked = ranked.map(plain(|| ReasonKind::Priority));
    found.chain(ranked).chain(record.feedback.iter().map(rating)).collect()
}

/// What ratings of tasks like it did, rating by rating.
fn shared_out(reason: Reason, record: &TaskRecord, like_it: &[Reason]) -> Vec<Reason> {
    if reason.text != priority::LIKE_IT || like_it.is_empty() {
        return vec![reason];
    }
    let scale = reason.weight / record.importance_offset;
    like_it.iter().map(|one| Reason { weight: one.weight * scale, ..one.clone() }).collect()
}

/// A rating in words. The person's own comment stays theirs.
fn rating(feedback: &Feedback) -> ExplainedReason {
    let (word, weight) = match feedback.request.rating {
        Rating::Up => ("rated up", 1.0),
        Rating::Down => ("rated down", -1.0),
    };
    let reason = feedback.request.reason.map(|reason| format!(": {}", reason.as_str().replace('_', " ")));
    let text = format!("{word}{}", reason.unwrap_or_default());
    ExplainedReason {
        about: ReasonKind::Feedback,
        text,
        weight,
        feedback_id: Some(feedback.feedback_id),
        task_id: None,
    }
}
