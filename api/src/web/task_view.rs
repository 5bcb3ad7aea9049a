//! A task as the pages show it.

use super::{date_words, visit::Visit};
use chrono::NaiveDate;
use gleaner_model::{Evidence, Scope, Task, TaskStatus, Urgency};
use std::collections::BTreeMap;

/// A task as a row shows it.
pub struct TaskView {
    pub id: String,
    pub title: String,
    pub open: bool,
    pub status: &'static str,
    pub due: Option<DueView>,
    pub due_iso: String,
    pub owner: Option<String>,
    pub owner_name: String,
    pub urgent: bool,
    pub origin: String,
    pub quotes: Vec<QuoteView>,
    pub confidence: u8,
    pub up: bool,
    pub down: bool,
    waiting_on: Option<String>,
}

/// A due day in words.
pub struct DueView {
    pub date: NaiveDate,
    pub words: String,
    pub class: &'static str,
}

/// What was said, and where.
pub struct QuoteView {
    pub text: String,
    pub origin: String,
}

/// Tasks that are shown together.
pub struct TaskGroup {
    pub heading: Option<String>,
    /// How many they are, in words.
    pub count: Option<String>,
    /// Where those are that are not shown, and what is said of it.
    pub rest: Option<(String, String)>,
    pub tasks: Vec<TaskView>,
}

/// Tasks as `task_rows.html` shows them, with what the token may do to them.
pub struct TaskRows {
    pub groups: Vec<TaskGroup>,
    pub may_edit: bool,
    pub may_rate: bool,
    /// Whether they are to be done still; else they can be reopened.
    pub open: bool,
}

/// What may be wrong with a task, for the API and for people.
const REASONS: [(&str, &str); 6] = [
    ("not_a_task", "There is nothing to do"),
    ("wrong_owner", "Somebody else is to do it"),
    ("wrong_due", "The date is wrong"),
    ("duplicate", "It is here already"),
    ("not_important", "It does not matter"),
    ("important", "It matters more than that"),
];

impl TaskRows {
    /// The groups that have a task, for this visit.
    pub fn of(mut groups: Vec<TaskGroup>, visit: &Visit) -> Self {
        groups.retain(|group| !group.tasks.is_empty());
        let open = groups.iter().flat_map(|group| &group.tasks).any(|task| task.open);
        Self { groups, may_edit: visit.may(Scope::TasksWrite), may_rate: visit.may(Scope::FeedbackWrite), open }
    }

    /// What may be wrong with a task, for the API and for people.
    pub fn reasons(&self) -> &'static [(&'static str, &'static str)] {
        &REASONS
    }
}

impl TaskView {
    /// A task as it is shown on a day.
    pub fn of(task: Task, today: NaiveDate) -> Self {
        let open = task.status == TaskStatus::Open;
        let due = task.due.as_ref().map(|due| {
            let (words, class) = date_words::due(due.date, today, open);
            DueView { date: due.date, words, class }
        });
        let owner = task.owner.as_ref().map(|owner| if owner.is_me { "you".to_owned() } else { owner.name.clone() });
        let source = task.source.title.clone().unwrap_or_else(|| task.source.external_id.to_string());
        Self {
            id: task.id.to_string(),
            title: task.title,
            open,
            status: task.status.as_str(),
            due_iso: due.as_ref().map(|due| due.date.to_string()).unwrap_or_default(),
            due,
            owner,
            owner_name: task.owner.map(|owner| owner.name).unwrap_or_default(),
            urgent: task.urgency == Urgency::High,
            origin: format!("{source}, {}", date_words::day(task.source.occurred_at.date_naive(), today)),
            quotes: task.evidence.into_iter().map(|evidence| QuoteView::of(evidence, today)).collect(),
            confidence: percent(task.confidence),
            up: task.feedback.up > 0,
            down: task.feedback.down > 0,
            waiting_on: task.waiting_on,
        }
    }
}

impl QuoteView {
    fn of(evidence: Evidence, today: NaiveDate) -> Self {
        let mut origin: Vec<String> = evidence.speaker.into_iter().collect();
        origin.extend(evidence.at_s.map(date_words::clock));
        origin.push(format!("{} {}", evidence.source_type, evidence.external_id));
        origin.push(date_words::day(evidence.occurred_at.date_naive(), today));
        Self { text: evidence.quote, origin: origin.join(" · ") }
    }
}

/// All tasks in one group, in the order of the API.
pub fn together(tasks: Vec<Task>, today: NaiveDate) -> Vec<TaskGroup> {
    vec![group(None, tasks.into_iter().map(|task| TaskView::of(task, today)).collect())]
}

/// A group for each person that is waited for, in the order of their names.
pub fn by_person(tasks: Vec<Task>, today: NaiveDate) -> Vec<TaskGroup> {
    let mut people: BTreeMap<String, Vec<TaskView>> = BTreeMap::new();
    for task in tasks.into_iter().map(|task| TaskView::of(task, today)) {
        people.entry(task.waiting_on.clone().unwrap_or_default()).or_default().push(task);
    }
    people.into_iter().map(|(person, tasks)| group(Some(person), tasks)).collect()
}

fn group(heading: Option<String>, tasks: Vec<TaskView>) -> TaskGroup {
    TaskGroup { heading, count: None, rest: None, tasks }
}

fn percent(share: f64) -> u8 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to 0..=100 just before")]
    let percent = (share * 100.0).round().clamp(0.0, 100.0) as u8;
    percent
}
