//! What a person should know of their tasks, and how it is written.

mod write;

use chrono::{Local, NaiveDate};
use gleaner_model::Task;
use serde::Serialize;
pub use write::{html, markdown, text};

/// Tasks under five headings, none of them twice.
#[derive(Serialize)]
pub struct Digest {
    /// The day that it is for.
    pub today: NaiveDate,
    /// Mine and awaited ones that were due before today, the oldest first.
    pub late: Vec<Task>,
    /// Mine that are due within the time that it is for, the first first.
    pub due: Vec<Task>,
    /// Mine besides, the most important first.
    pub mine: Vec<Task>,
    /// What I wait for.
    pub waiting: Vec<Task>,
    /// What was completed within the time, the latest first.
    pub done: Vec<Task>,
}

impl Digest {
    /// Puts tasks where they belong; the days are the first that counts as done lately, today, and the last that counts as
    /// due soon.
    pub fn of(
        mine: Vec<Task>,
        awaited: Vec<Task>,
        completed: Vec<Task>,
        (since, today, until): (NaiveDate, NaiveDate, NaiveDate),
    ) -> Self {
        let is_late = |task: &Task| task.due_date().is_some_and(|day| day < today);
        let (late_mine, mine): (Vec<_>, Vec<_>) = mine.into_iter().partition(is_late);
        let (late_awaited, waiting): (Vec<_>, Vec<_>) = awaited.into_iter().partition(is_late);
        let (mut due, mine): (Vec<_>, Vec<_>) =
            mine.into_iter().partition(|task| task.due_date().is_some_and(|day| day <= until));
        let mut late: Vec<_> = late_mine.into_iter().chain(late_awaited).collect();
        late.sort_by_key(Task::due_date);
        due.sort_by_key(Task::due_date);
        let is_recent =
            |task: &Task| task.completed_at.is_some_and(|time| time.with_timezone(&Local).date_naive() >= since);
        let is_theirs = |task: &Task| task.waiting_on.is_some() || task.owner.as_ref().is_some_and(|owner| owner.is_me);
        let mut done: Vec<_> = completed.into_iter().filter(|task| is_recent(task) && is_theirs(task)).collect();
        done.sort_by_key(|task| std::cmp::Reverse(task.completed_at));
        Self { today, late, due, mine, waiting, done }
    }

    /// The headings with their tasks, those that have any.
    pub fn parts(&self) -> impl Iterator<Item = (&'static str, &[Task])> {
        let parts: [(&'static str, &[Task]); 5] = [
            ("Late", &self.late),
            ("Due", &self.due),
            ("Mine", &self.mine),
            ("Waiting for", &self.waiting),
            ("Done", &self.done),
        ];
        parts.into_iter().filter(|(_, tasks)| !tasks.is_empty())
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use serde_json::json;

    pub fn task(title: &str, due: Option<&str>, waiting_on: Option<&str>, completed_at: Option<&str>) -> Task {
        let owner = json!({"name": waiting_on.unwrap_or("Dana"), "is_me": waiting_on.is_none()});
        serde_json::from_value(json!({
            "id": "01970000-0000-7000-8000-000000000000", "title": title,
            "status": if completed_at.is_some() { "completed" } else { "open" }, "owner": owner,
            "waiting_on": waiting_on, "due": due.map(|day| json!({"date": day, "text": null})),
            "priority": 0.5, "confidence": 0.9, "urgency": "normal", "evidence": [],
            "source": {"source_type": "meeting", "external_id": "m", "title": "Weekly",
                "occurred_at": "2026-03-03T15:00:00Z", "job_id": "01970000-0000-7000-8000-000000000000",
                "content_sha256": "0".repeat(64)},
            "feedback": {"up": 0, "down": 0}, "created_at": "2026-03-03T15:00:00Z",
            "updated_at": "2026-03-03T15:00:00Z", "completed_at": completed_at,
        }))
        .unwrap()
    }

    pub fn digest() -> Digest {
        let day = |text: &str| text.parse().unwrap();
        let mine = vec![
            task("Send <b>SOW</b>", Some("2026-03-02"), None, None),
            task("Book the room", None, None, None),
            task("Call Sam", Some("2026-03-04"), None, None),
        ];
        let awaited = vec![task("Review the draft", Some("2026-03-01"), Some("Priya"), None)];
        let completed = vec![
            task("Old", None, None, Some("2026-02-01T10:00:00Z")),
            task("Fresh", None, None, Some("2026-03-03T10:00:00Z")),
        ];
        Digest::of(mine, awaited, completed, (day("2026-03-03"), day("2026-03-04"), day("2026-03-04")))
    }

    #[test]
    fn each_task_stands_under_one_heading() {
        let digest = digest();
        let titles = |tasks: &[Task]| tasks.iter().map(|task| task.title.clone()).collect::<Vec<_>>();
        assert_eq!(titles(&digest.late), ["Review the draft", "Send <b>SOW</b>"]);
        assert_eq!(
            (titles(&digest.due), titles(&digest.mine)),
            (vec!["Call Sam".into()], vec!["Book the room".into()])
        );
        assert_eq!((digest.waiting.len(), titles(&digest.done)), (0, vec!["Fresh".to_owned()]));
    }
}
