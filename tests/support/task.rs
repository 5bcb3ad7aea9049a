//! Tasks put into the store as a worker would find them.

use super::api::Api;
use chrono::{DateTime, NaiveDate, Utc};
use gleaner_model::{
    Due, ItemKey, JobId, Mention, Owner, Quote, Reason, TaskId, TaskRecord, TaskStatus, TenantId, Urgency,
    learning::Looks,
};

/// What one meeting says of one task.
pub fn mention(external_id: &str, title: &str) -> Mention {
    Mention {
        item: ItemKey { source_type: "meeting".parse().unwrap(), external_id: external_id.parse().unwrap() },
        item_title: Some("Weekly".to_owned()),
        occurred_at: "2026-03-03T15:00:00Z".parse().unwrap(),
        job_id: JobId::new(),
        content_sha256: "0".repeat(64),
        title: title.to_owned(),
        owner: Some(Owner { name: "Dana Reyes".to_owned(), is_me: true }),
        waiting_on: None,
        due: None,
        status: TaskStatus::Open,
        urgency: Urgency::Normal,
        confidence: 0.9,
        explicit: false,
        quotes: vec![Quote {
            text: format!("I'll {title}"),
            start: 6,
            end: 11 + title.chars().count(),
            speaker: Some("Dana".to_owned()),
            at_s: Some(431.0),
        }],
        reasons: vec![Reason::new("first person promise", 1.5)],
        links: Vec::new(),
        looks: Looks::default(),
        moved_days: 0,
        reported: None,
    }
}

/// The same, owed by somebody else.
pub fn owed_by(name: &str, mention: Mention) -> Mention {
    Mention { owner: Some(Owner { name: name.to_owned(), is_me: false }), waiting_on: Some(name.to_owned()), ..mention }
}

/// The same, due on a day.
pub fn due(date: &str, mention: Mention) -> Mention {
    let date: NaiveDate = date.parse().unwrap();
    Mention { due: Some(Due { date, text: Some("by then".to_owned()) }), ..mention }
}

/// The same, said at another time.
pub fn said_at(time: &str, mention: Mention) -> Mention {
    let occurred_at: DateTime<Utc> = time.parse().unwrap();
    Mention { occurred_at, ..mention }
}

impl Api {
    /// Records a task in the tenant `default`.
    pub async fn task(&self, mention: Mention) -> TaskRecord {
        self.task_of("default", mention).await
    }

    /// Records a task in a tenant.
    pub async fn task_of(&self, tenant: &str, mention: Mention) -> TaskRecord {
        self.store.add_missed(&TenantId::new(tenant).unwrap(), mention).await.unwrap()
    }

    /// The titles of a list of tasks.
    pub async fn titles(&self, query: &str) -> Vec<String> {
        let page = self.get(&format!("/tasks?{query}")).await.expect(200).json();
        let items = page["items"].as_array().unwrap().clone();
        items.iter().map(|task| task["title"].as_str().unwrap().to_owned()).collect()
    }
}

/// An id that no task has.
pub fn nobody() -> TaskId {
    TaskId::new()
}
