//! What a model says, read with patience: endpoints that know no schema answer with prose around the JSON, leave members
//! out, or name them as the API names those of a task. Whether it is true is asked elsewhere.

use gleaner_model::Urgency;
use serde::Deserialize as _;
use serde_json::{Map, Value};

/// How sure a model is taken to be that does not say.
const CONFIDENCE: f64 = 0.8;

/// One task as the model says it.
#[derive(Debug, PartialEq)]
pub(super) struct Said {
    pub title: String,
    pub quote: String,
    pub owner: Option<String>,
    pub due_text: Option<String>,
    pub done: bool,
    pub urgency: Urgency,
    /// From 0 to 1.
    pub confidence: f64,
}

/// The tasks in a message; `None` where it is of another form, or where none of its tasks can be read.
pub(super) fn read(message: &str) -> Option<Vec<Said>> {
    let value = json_in(message)?;
    let list = value.as_array().or_else(|| value.get("tasks")?.as_array())?;
    let tasks: Vec<Said> = list.iter().filter_map(Value::as_object).filter_map(said).collect();
    (list.is_empty() || !tasks.is_empty()).then_some(tasks)
}

/// The JSON of a message: all of it, or what stands between the first bracket and the last.
fn json_in(message: &str) -> Option<Value> {
    let whole = serde_json::from_str(message);
    whole.ok().or_else(|| {
        let (begin, end) = (message.find(['{', '['])?, message.rfind(['}', ']'])?);
        serde_json::from_str(message.get(begin..=end)?).ok()
    })
}

fn said(task: &Map<String, Value>) -> Option<Said> {
    let text = |names: &[&str]| names.iter().find_map(|name| words(task.get(*name)?));
    let urgency = task.get("urgency").and_then(|urgency| Urgency::deserialize(urgency).ok());
    let confidence = task.get("confidence").and_then(Value::as_f64).unwrap_or(CONFIDENCE);
    Some(Said {
        title: text(&["title"])?,
        quote: text(&["quote", "evidence"])?,
        owner: text(&["owner"]),
        due_text: text(&["due_text", "due"]),
        done: task
            .get("done")
            .and_then(Value::as_bool)
            .unwrap_or_else(|| task.get("status") == Some(&"completed".into())),
        urgency: urgency.unwrap_or_default(),
        confidence: confidence.clamp(0.0, 1.0),
    })
}

/// The words of a member: itself, or the text of the object that it is; of a list, its first element's.
fn words(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(elements) => words(elements.first()?),
        Value::Object(members) => {
            ["quote", "name", "text"].iter().find_map(|name| Some(members.get(*name)?.as_str()?.to_owned()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn call_amy() -> Said {
        Said {
            title: "Call Amy".to_owned(),
            quote: "I'll call Amy today".to_owned(),
            owner: Some("Bob".to_owned()),
            due_text: Some("today".to_owned()),
            done: false,
            urgency: Urgency::High,
            confidence: 0.9,
        }
    }

    #[test]
    fn members_are_taken_as_asked_for_and_as_the_api_shows_them() {
        let asked = json!({"title": "Call Amy", "quote": "I'll call Amy today", "owner": "Bob", "due_text": "today",
            "done": false, "urgency": "high", "confidence": 0.9});
        let shown = json!({"title": "Call Amy", "evidence": [{"quote": "I'll call Amy today"}], "urgency": "high",
            "owner": {"name": "Bob", "is_me": false}, "due": {"date": "2026-03-03", "text": "today"}, "status": "open",
            "confidence": 0.9});
        for task in [asked, shown] {
            assert_eq!(read(&json!({"tasks": [task]}).to_string()), Some(vec![call_amy()]));
            assert_eq!(read(&json!([task]).to_string()), Some(vec![call_amy()]));
        }
    }

    #[test]
    fn prose_around_the_answer_and_missing_members_are_forgiven() {
        let message =
            "Here you are:\n```json\n{\"tasks\": [{\"title\": \"Call Amy\", \"quote\": \"call Amy\"}, 7]}\n```";
        let tasks = read(message).unwrap();
        assert_eq!((tasks.len(), tasks[0].owner.as_deref(), tasks[0].confidence), (1, None, CONFIDENCE));
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
