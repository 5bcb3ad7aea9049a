//! Tasks: something somebody is to do, with the words that prove it.

use crate::{ExternalId, JobId, SourceType, TaskId, words};
use chrono::{DateTime, NaiveDate, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where a task stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TaskStatus {
    /// Still to be done.
    #[default]
    Open,
    /// Done: somebody said so, or a person marked it.
    Completed,
    /// A person said that it is none.
    Dismissed,
}

impl TaskStatus {
    /// Every status, `Open` first.
    pub const ALL: [Self; 3] = [Self::Open, Self::Completed, Self::Dismissed];

    /// The name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Completed => "completed",
            Self::Dismissed => "dismissed",
        }
    }
}

/// How urgent the text says it is; `normal` where it says nothing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Urgency {
    /// "no rush", "whenever you get to it".
    Low,
    /// Nothing is said.
    #[default]
    Normal,
    /// "asap", "urgent", "blocker".
    High,
}

/// Who is to do it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Owner {
    /// The name, as full as the text allows.
    pub name: String,
    /// Whether that is the subject for whom the item was submitted.
    pub is_me: bool,
}

/// By when.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Due {
    /// The day, resolved against the item's time in its zone.
    #[schemars(with = "String", extend("format" = "date"))]
    pub date: NaiveDate,
    /// The words that say so; absent when a person set the date.
    pub text: Option<String>,
}

/// Words of a submitted transcript that a task rests on.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Evidence {
    /// Kind of the item it stands in.
    pub source_type: SourceType,
    /// The item it stands in.
    pub external_id: ExternalId,
    /// The words, verbatim from the transcript.
    pub quote: String,
    /// Who said or wrote them, where known.
    pub speaker: Option<String>,
    /// Where the quote begins, in Unicode scalars from the start of the transcript.
    pub start: usize,
    /// Where it ends, exclusive.
    pub end: usize,
    /// Seconds into the recording, where the format has time codes.
    pub at_s: Option<f64>,
    /// When the item took place.
    pub occurred_at: DateTime<Utc>,
}

/// The item that a task was first found in.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Source {
    /// Kind of the item.
    pub source_type: SourceType,
    /// The item's id in the client's own system.
    pub external_id: ExternalId,
    /// The item's title, if it had one.
    pub title: Option<String>,
    /// When the item took place.
    pub occurred_at: DateTime<Utc>,
    /// The job that found the task.
    pub job_id: JobId,
    /// SHA-256 (hex) of the transcript's UTF-8: which text the offsets mean.
    pub content_sha256: String,
}

/// How often the task was rated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct FeedbackCounts {
    /// Thumbs up.
    pub up: u32,
    /// Thumbs down.
    pub down: u32,
}

/// Something somebody is to do.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Task {
    /// The task's id; it never changes.
    pub id: TaskId,
    /// A short imperative phrase that stands alone, without its owner.
    pub title: String,
    /// Where it stands.
    pub status: TaskStatus,
    /// Who is to do it; null where the text does not say.
    pub owner: Option<Owner>,
    /// The person that me is waiting for: set when someone other than me owes the task.
    pub waiting_on: Option<String>,
    /// By when; null where the text does not say.
    pub due: Option<Due>,
    /// From 0 to 1: how much it wants attention now.
    pub priority: f64,
    /// From 0 to 1: how sure the engine is that this is a task.
    pub confidence: f64,
    /// How urgent the text says it is.
    pub urgency: Urgency,
    /// The words that it rests on, earliest item first; never empty. Of many mentions the first and the latest are kept.
    pub evidence: Vec<Evidence>,
    /// How many items speak of it, with those whose words are no longer kept.
    #[serde(default)]
    pub mentions: u32,
    /// The item that it was first found in.
    pub source: Source,
    /// How often it was rated.
    pub feedback: FeedbackCounts,
    /// When it was first recorded.
    pub created_at: DateTime<Utc>,
    /// When it last changed.
    pub updated_at: DateTime<Utc>,
    /// When it was completed.
    #[serde(default)]
    pub completed_at: Option<DateTime<Utc>>,
}

impl Task {
    /// The day on which it is due.
    #[must_use]
    pub fn due_date(&self) -> Option<NaiveDate> {
        self.due.as_ref().map(|due| due.date)
    }

    /// What may be told of a task whose words were erased: its id, where it stood, and where it came from.
    #[must_use]
    pub fn erased(self) -> Self {
        // Member by member, so that whoever adds one says whether it goes.
        let Self {
            id,
            title: _,
            status,
            owner: _,
            waiting_on: _,
            due: _,
            priority,
            confidence,
            urgency,
            evidence: _,
            mentions,
            source,
            feedback,
            created_at,
            updated_at,
            completed_at,
        } = self;
        let Source { source_type, external_id, title: _, occurred_at, job_id, content_sha256: _ } = source;
        let (title, content_sha256) = ("Erased".to_owned(), String::new());
        Self {
            id,
            title,
            status,
            owner: None,
            waiting_on: None,
            due: None,
            priority,
            confidence,
            urgency,
            evidence: Vec::new(),
            mentions,
            source: Source { source_type, external_id, title: None, occurred_at, job_id, content_sha256 },
            feedback,
            created_at,
            updated_at,
            completed_at,
        }
    }

    /// The quote that says most of what the task says: words of its title, its date, its owner's own voice; the first of
    /// equals.
    #[must_use]
    pub fn best_evidence(&self) -> Option<&Evidence> {
        let title = telling(&self.title);
        let due = self.due.as_ref().and_then(|due| due.text.as_deref());
        let owner = self.owner.as_ref().map(|owner| owner.name.as_str());
        let worth = |evidence: &Evidence| {
            let said = telling(&evidence.quote);
            let shared = title.iter().filter(|word| said.contains(word)).count();
            let dated = due.is_some_and(|due| evidence.quote.contains(due));
            let own = owner.is_some() && evidence.speaker.as_deref() == owner;
            shared + usize::from(dated) + usize::from(own)
        };
        self.evidence.iter().reduce(|best, next| if worth(next) > worth(best) { next } else { best })
    }
}

/// The words of a text that are long enough to say something, in lower case.
fn telling(text: &str) -> Vec<String> {
    words(text).map(str::to_lowercase).filter(|word| word.chars().count() > 3 || !word.is_ascii()).collect()
}

#[cfg(test)]
mod tests {
    use super::Task;
    use serde_json::json;

    #[test]
    fn the_telling_quote_says_most_of_the_task() {
        let quote = |quote: &str| {
            json!({"source_type": "meeting", "external_id": "m", "quote": quote, "speaker": "Dana Reyes", "start": 0,
                "end": 9, "at_s": null, "occurred_at": "2026-03-03T15:00:00Z"})
        };
        let task: Task = serde_json::from_value(json!({
            "id": "01970000-0000-7000-8000-000000000000", "title": "Get the statement of work over to Northwind",
            "status": "open", "owner": {"name": "Dana Reyes", "is_me": true}, "waiting_on": null,
            "due": {"date": "2026-03-06", "text": "Friday"}, "priority": 0.5, "confidence": 0.9, "urgency": "normal",
            "evidence": [quote("Legal sent two changes back,"), quote("I'll get the statement of work over by Friday.")],
            "source": {"source_type": "meeting", "external_id": "m", "title": null, "occurred_at": "2026-03-03T15:00:00Z",
                "job_id": "01970000-0000-7000-8000-000000000000", "content_sha256": "0".repeat(64)},
            "feedback": {"up": 0, "down": 0}, "created_at": "2026-03-03T15:00:00Z", "updated_at": "2026-03-03T15:00:00Z"
        }))
        .unwrap();
        assert_eq!(task.best_evidence().unwrap().quote, "I'll get the statement of work over by Friday.");
    }
}
