//! Which tasks a page shows: what its address says, and what the API is asked for.

use crate::address;
use chrono::{Days, NaiveDate};
use serde::Deserialize;

/// Which tasks are shown.
#[derive(Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(from = "String")]
pub enum TaskListView {
    /// What is to be done, by whomever.
    #[default]
    Open,
    /// What others owe.
    Waiting,
    /// What is done.
    Completed,
    /// What was none.
    Dismissed,
}

impl From<String> for TaskListView {
    /// An address that was mistyped shows what is to be done.
    fn from(name: String) -> Self {
        Self::ALL.into_iter().find(|view| view.name() == name).unwrap_or_default()
    }
}

impl TaskListView {
    /// Every view, in the order of the tabs.
    pub const ALL: [Self; 4] = [Self::Open, Self::Waiting, Self::Completed, Self::Dismissed];

    /// Its name in the address.
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Waiting => "waiting",
            Self::Completed => "completed",
            Self::Dismissed => "dismissed",
        }
    }

    /// Its name for people.
    pub fn label(self) -> &'static str {
        match self {
            Self::Open => "Open",
            Self::Waiting => "Waiting on others",
            Self::Completed => "Completed",
            Self::Dismissed => "Dismissed",
        }
    }

    /// The filters that the API has for it.
    fn filters(self) -> [(&'static str, &'static str); 2] {
        match self {
            Self::Open => [("status", "open"), ("waiting_on", "")],
            Self::Waiting => [("status", "open"), ("waiting_on", "true")],
            Self::Completed => [("status", "completed"), ("waiting_on", "")],
            Self::Dismissed => [("status", "dismissed"), ("waiting_on", "")],
        }
    }

    /// What is said where it has no tasks.
    pub fn empty(self) -> (&'static str, &'static str) {
        match self {
            Self::Open => ("Nothing to do.", "Promises made in meetings, mails and chats turn up here."),
            Self::Waiting => ("Nobody owes you anything.", "What others promised turns up here."),
            Self::Completed => ("Nothing is completed yet.", "What is ticked, or reported done, turns up here."),
            Self::Dismissed => ("Nothing was dismissed.", "What you say is no task turns up here."),
        }
    }
}

/// What the address asks for.
#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub struct TaskListQuery {
    pub view: TaskListView,
    pub q: String,
    pub sort: String,
    pub owner: String,
    pub due: String,
    pub source_type: String,
    pub external_id: String,
    pub cursor: String,
}

impl TaskListQuery {
    /// Whether the most important come first, or the latest.
    pub fn by_priority(&self) -> bool {
        self.sort != "recent"
    }

    /// Whether anything but the view narrows the list.
    pub fn is_narrow(&self) -> bool {
        // Every member is named, so that none that is new can be forgotten.
        let Self { view: _, q, sort: _, owner, due, source_type, external_id, cursor: _ } = self;
        [q, owner, due, source_type, external_id].iter().any(|text| !text.trim().is_empty())
    }

    /// The address of a page like this one, of another view or further down.
    pub fn address(&self, front: &str, view: TaskListView, cursor: &str) -> String {
        let parameters = [
            ("view", if view == TaskListView::Open { "" } else { view.name() }),
            ("q", self.q.trim()),
            ("sort", if self.by_priority() { "" } else { "recent" }),
            ("owner", self.owner.trim()),
            ("due", &self.due),
            ("source_type", &self.source_type),
            ("external_id", &self.external_id),
            ("cursor", cursor),
        ];
        address::with_query(front, &parameters)
    }

    /// What the API is asked for.
    pub fn request(&self, today: NaiveDate) -> String {
        let [status, waiting_on] = self.view.filters();
        let before = self.due_before(today).map(|day| day.to_string()).unwrap_or_default();
        let filters = [
            status,
            waiting_on,
            ("sort", if self.by_priority() { "priority" } else { "recent" }),
            ("q", self.q.trim()),
            ("owner", self.owner.trim()),
            ("due_before", &before),
            ("source_type", &self.source_type),
            ("external_id", &self.external_id),
            ("limit", if self.view == TaskListView::Waiting { "200" } else { "50" }),
            ("cursor", &self.cursor),
        ];
        address::with_query("/tasks", &filters)
    }

    fn due_before(&self, today: NaiveDate) -> Option<NaiveDate> {
        match self.due.as_str() {
            "late" => Some(today),
            "today" => today.checked_add_days(Days::new(1)),
            "week" => today.checked_add_days(Days::new(7)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tasks::list;
    use axum::{extract::Query, http::Uri};

    #[test]
    fn a_page_asks_for_all_that_lists_take_and_its_address_says_it_again() {
        let today = NaiveDate::from_ymd_opt(2026, 3, 4).unwrap();
        let text = || "some".to_owned();
        let asked = TaskListQuery {
            view: TaskListView::Waiting,
            q: text(),
            sort: "recent".into(),
            owner: text(),
            due: "late".into(),
            source_type: text(),
            external_id: text(),
            cursor: text(),
        };
        let request = asked.request(today);
        for param in list::QUERY {
            assert!(request.contains(&format!("{}=", param.name)), "{} in {request}", param.name);
        }
        let address: Uri = asked.address("/", asked.view, &asked.cursor).parse().unwrap();
        let Query(again) = Query::<TaskListQuery>::try_from_uri(&address).unwrap();
        assert_eq!(again.request(today), request);
    }

    #[test]
    fn the_address_says_what_differs_from_the_front_page() {
        assert_eq!(TaskListQuery::default().address("/", TaskListView::Open, ""), "/");
        let asked =
            TaskListQuery { q: " plan ".into(), sort: "recent".into(), due: "late".into(), ..TaskListQuery::default() };
        assert_eq!(asked.address("/", TaskListView::Waiting, ""), "/?view=waiting&q=plan&sort=recent&due=late");
    }

    #[test]
    fn a_day_that_is_late_lies_before_today() {
        let today = NaiveDate::from_ymd_opt(2026, 3, 4).unwrap();
        let asked = |due: &str| TaskListQuery { due: due.into(), ..TaskListQuery::default() }.request(today);
        assert!(asked("late").contains("due_before=2026-03-04"));
        assert!(asked("week").contains("due_before=2026-03-11"));
        assert!(!asked("whenever").contains("due_before"));
    }
}
