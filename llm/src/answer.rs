//! What a model says, read leniently: endpoints that know no schema answer with prose around the JSON, leave members
//! out, or name them as the API names those of a task. Whether it is true is asked elsewhere.

use crate::grounding::TASKS;
use gleaner_model::{TaskStatus, Urgency};
use serde::Deserialize as _;
use serde_json::{Map, Value};

/// How sure a model is taken to be that does not say.
const CONFIDENCE: f64 = 0.8;
/// Most quotes of one task.
const MAX_QUOTES: usize = 6;

/// One task as the model says it.
#[derive(Clone, Debug, PartialEq)]
pub struct ProposedTask {
    /// What it is called.
    pub title: String,
    /// The words it rests on, with the number of their line where the model gives one.
    pub evidence: Vec<(Option<usize>, String)>,
    /// Who is to do it.
    pub owner: Option<String>,
    /// Whether somebody other than me owes it.
    pub waiting_on: bool,
    /// The words that say by when.
    pub due_words: Option<String>,
    /// The day that they mean, as written.
    pub due: Option<String>,
    /// Where it stands.
    pub status: TaskStatus,
    /// How urgent the text says it is.
    pub urgency: Urgency,
    /// From 0 to 1.
    pub confidence: f64,
    /// The number of the known task that is meant.
    pub same_as: Option<usize>,
    /// Whether it is somebody else's now.
    pub handed_over: bool,
}

/// The tasks in a message; `None` where it is of another form, or where none of its tasks can be read.
#[must_use]
pub fn read(message: &str) -> Option<Vec<ProposedTask>> {
    let value = json_in(message)?;
    let list = value.as_array().or_else(|| value.get("tasks")?.as_array())?;
    let tasks: Vec<ProposedTask> = list.iter().take(TASKS).filter_map(Value::as_object).filter_map(said).collect();
    (list.is_empty() || !tasks.is_empty()).then_some(tasks)
}

/// The JSON of a message: all of it, or what stands between the first bracket and the last, after any thinking aloud.
fn json_in(message: &str) -> Option<Value> {
    let message = message.rsplit_once("</think>").map_or(message, |(_, answer)| answer);
    let whole = serde_json::from_str(message);
    whole.ok().or_else(|| {
        let (begin, end) = (message.find(['{', '['])?, message.rfind(['}', ']'])?);
        serde_json::from_str(message.get(begin..=end)?).ok()
    })
}

fn said(task: &Map<String, Value>) -> Option<ProposedTask> {
    let text = |names: &[&str]| names.iter().find_map(|name| words(task.get(*name)?));
    let urgency = task.get("urgency").and_then(|urgency| Urgency::deserialize(urgency).ok());
    let confidence = task.get("confidence").and_then(Value::as_f64).unwrap_or(CONFIDENCE);
    let done = task.get("status").and_then(Value::as_str) == Some("completed")
        || task.get("done").and_then(Value::as_bool) == Some(true)
        || task.get("change").and_then(Value::as_str) == Some("done");
    let day = || task.get("due").and_then(|due| due.get("date")).and_then(Value::as_str).map(str::to_owned);
    Some(ProposedTask {
        title: text(&["title"])?,
        evidence: evidence(task),
        owner: text(&["owner"]),
        waiting_on: task.get("waiting_on").is_some_and(|waits| waits.as_bool().unwrap_or(waits.is_string())),
        due_words: text(&["due_words", "due_text"]).or_else(|| words(task.get("due")?.get("text")?)),
        due: task.get("due").and_then(Value::as_str).map(str::to_owned).or_else(day),
        status: if done { TaskStatus::Completed } else { TaskStatus::Open },
        urgency: urgency.unwrap_or_default(),
        confidence: confidence.clamp(0.0, 1.0),
        same_as: task.get("same_as").and_then(Value::as_u64).and_then(|number| usize::try_from(number).ok()),
        handed_over: task.get("change").and_then(Value::as_str) == Some("handed_over"),
    })
}

fn evidence(task: &Map<String, Value>) -> Vec<(Option<usize>, String)> {
    let Some(value) = task.get("evidence").or_else(|| task.get("quotes")).or_else(|| task.get("quote")) else {
        return Vec::new();
    };
    let one = |value: &Value| {
        let line = value.get("line").and_then(Value::as_u64).and_then(|line| usize::try_from(line).ok());
        Some((line, words(value)?))
    };
    match value {
        Value::Array(list) => list.iter().take(MAX_QUOTES).filter_map(one).collect(),
        value => one(value).into_iter().collect(),
    }
}

/// The words of a member: itself, or the text of the object that it is. Models that leave nothing out say "null".
fn words(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.as_str(),
        Value::Object(members) => ["quote", "name", "text"].iter().find_map(|name| members.get(*name)?.as_str())?,
        _ => return None,
    };
    let text = text.trim();
    (!text.is_empty() && !matches!(text, "null" | "None" | "none")).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn call_amy() -> ProposedTask {
        ProposedTask {
            title: "Call Amy".to_owned(),
            evidence: vec![(Some(3), "I'll call Amy today".to_owned())],
            owner: Some("Bob".to_owned()),
            waiting_on: true,
            due_words: Some("today".to_owned()),
            due: Some("2026-03-03".to_owned()),
            status: TaskStatus::Open,
            urgency: Urgency::High,
            confidence: 0.9,
            same_as: None,
            handed_over: false,
        }
    }

    #[test]
    fn members_are_taken_as_asked_for_and_as_the_api_shows_them() {
        let asked = json!({"title": "Call Amy", "evidence": [{"line": 3, "quote": "I'll call Amy today"}],
            "owner": "Bob", "waiting_on": true, "due_words": "today", "due": "2026-03-03", "status": "open",
            "urgency": "high", "confidence": 0.9, "same_as": null, "change": "none"});
        let shown = json!({"title": "Call Amy", "evidence": [{"quote": "I'll call Amy today", "line": 3}],
            "owner": {"name": "Bob", "is_me": false}, "waiting_on": "Bob", "urgency": "high",
            "due": {"date": "2026-03-03", "text": "today"}, "status": "open", "confidence": 0.9});
        for task in [asked, shown] {
            assert_eq!(read(&json!({"tasks": [task]}).to_string()), Some(vec![call_amy()]));
            assert_eq!(read(&json!([task]).to_string()), Some(vec![call_amy()]));
        }
    }

    #[test]
    fn the_schema_asks_for_each_member_that_is_read_and_for_no_other() {
        let schema: Value = serde_json::from_str(include_str!("schema.json")).unwrap();
        let mut asked: Vec<&str> = schema["properties"]["tasks"]["items"]["properties"]
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        asked.sort_unstable();
        let whole = json!({"title": "Call Amy", "evidence": [{"line": 3, "quote": "I'll call Amy"}], "owner": "Bob",
            "waiting_on": true, "due_words": "today", "due": "2026-03-03", "status": "completed", "urgency": "high",
            "confidence": 0.9, "same_as": 2, "change": "handed_over"});
        let mut given: Vec<&str> = whole.as_object().unwrap().keys().map(String::as_str).collect();
        given.sort_unstable();
        assert_eq!(asked, given);
        let of = |task: &Value| said(task.as_object().unwrap());
        let read = of(&whole).unwrap();
        for member in asked {
            let mut without = whole.clone();
            without.as_object_mut().unwrap().remove(member);
            assert_ne!(of(&without).as_ref(), Some(&read), "{member} is asked for and not read");
        }
        // Every member is named: one that is new has to be in the schema, or it stays as in an empty answer.
        let ProposedTask {
            title,
            evidence,
            owner,
            waiting_on,
            due_words,
            due,
            status,
            urgency,
            confidence,
            same_as,
            handed_over,
        } = read;
        assert!(!title.is_empty() && !evidence.is_empty() && owner.is_some());
        assert!(waiting_on && due_words.is_some() && due.is_some() && status == TaskStatus::Completed);
        assert!(urgency != Urgency::default() && confidence != CONFIDENCE && same_as.is_some() && handed_over);
    }

    #[test]
    fn prose_around_the_answer_thinking_aloud_and_missing_members_are_forgiven() {
        let message = "<think>{hm}</think>Here you are:\n```json\n{\"tasks\": [{\"title\": \"Call Amy\", \"quote\": \"call Amy\"}, 7]}\n```";
        let tasks = read(message).unwrap();
        assert_eq!((tasks.len(), tasks[0].owner.as_deref(), tasks[0].confidence), (1, None, CONFIDENCE));
        assert_eq!(tasks[0].evidence, [(None, "call Amy".to_owned())]);
        assert_eq!(read(r#"{"tasks": []}"#), Some(Vec::new()));
    }

    #[test]
    fn what_holds_no_tasks_is_of_another_form() {
        for bad in ["", "no tasks at all", "{", r#"{"answer": []}"#, r#"{"tasks": "none"}"#, r#"{"tasks": [{"a": 1}]}"#]
        {
            assert_eq!(read(bad), None, "{bad}");
        }
    }
}
