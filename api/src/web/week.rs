//! Open tasks by week: what is late, what is due this week and next, what comes later, and what has no day.

use super::{
    PageError, date_words,
    frame::PageFrame,
    task_view::{TaskGroup, TaskRows, TaskView},
    tasks::{
        Tab,
        gather::{MAX_GATHERED, gather},
    },
    visit::Visit,
};
use crate::week::WeekPart;
use askama::Template;
use axum::{extract::Query, response::Response};
use chrono::{Days, NaiveDate, Weekday};
use gleaner_model::Task;
use serde::Deserialize;

/// Where this page stands.
const PATH: &str = "/app/week";
/// Most tasks of a part beside the others, and of one that is shown alone.
const SHOWN: usize = 50;
const SHOWN_ALONE: usize = 200;

/// What the API filters a list by: names and values.
type TaskFilters = &'static [(&'static str, &'static str)];

/// Whose tasks: the name in the address, the words for people, and the filter that the API has for it.
const WHOSE: [(&str, &str, TaskFilters); 3] = [
    ("", "Everybody's", &[]),
    ("mine", "Mine", &[("owner", "me")]),
    ("waiting", "Waiting on others", &[("waiting_on", "true")]),
];

/// What the address asks for.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct WeekQuery {
    whose: String,
    part: String,
}

#[derive(Template)]
#[template(path = "week.html")]
struct WeekPage {
    frame: PageFrame,
    days: String,
    tabs: Vec<Tab>,
    /// Where all parts are, when one is shown alone.
    whole: Option<String>,
    rows: TaskRows,
    more: bool,
    most: usize,
}

/// `GET /app/week`
pub async fn show(visit: Visit, Query(asked): Query<WeekQuery>) -> Result<Response, PageError> {
    let today = visit.today();
    // An address that was mistyped shows everybody's, and all parts.
    let (whose, _, filters) = WHOSE.into_iter().find(|(name, ..)| *name == asked.whose).unwrap_or(WHOSE[0]);
    let alone = WeekPart::ALL.into_iter().find(|part| part.name() == asked.part);
    let (mut tasks, more) = gather(&visit, filters, Some).await?;
    // Those of one day stay in the order of their importance.
    tasks.sort_by_key(Task::due_date);
    let mut groups = Vec::new();
    for part in WeekPart::ALL.into_iter().filter(|part| alone.is_none_or(|alone| alone == *part)) {
        let (chosen, rest): (Vec<_>, _) =
            tasks.into_iter().partition(|task| WeekPart::of(task.due_date(), today) == part);
        tasks = rest;
        let most = if alone.is_some() { SHOWN_ALONE } else { SHOWN };
        let count = chosen.len();
        let rest = || (visit.address(PATH, &[("whose", whose), ("part", part.name())]), format!("All {count}"));
        groups.push(TaskGroup {
            heading: Some(part.label().to_owned()),
            count: Some(if count > most && alone.is_some() {
                format!("the first {most} of {count}")
            } else {
                count.to_string()
            }),
            rest: (count > most && alone.is_none()).then(rest),
            tasks: chosen.into_iter().take(most).map(|task| TaskView::of(task, today)).collect(),
        });
    }
    let tab = |(name, label, _): (&str, &'static str, _)| Tab {
        address: visit.address(PATH, &[("whose", name)]),
        label,
        here: name == whose,
    };
    let page = WeekPage {
        frame: visit.frame(),
        days: days(today),
        tabs: WHOSE.into_iter().map(tab).collect(),
        whole: alone.map(|_| visit.address(PATH, &[("whose", whose)])),
        rows: TaskRows::of(groups, &visit),
        more,
        most: MAX_GATHERED,
    };
    visit.show(&page)
}

/// The days of the week, in words.
fn days(today: NaiveDate) -> String {
    let monday = today.week(Weekday::Mon).checked_first_day();
    let sunday = monday.and_then(|monday| monday.checked_add_days(Days::new(6)));
    let ends = monday.zip(sunday);
    ends.map(|(from, to)| format!("{} to {}", date_words::day(from, today), date_words::day(to, today)))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_days_of_the_week_are_told_from_monday_to_sunday() {
        let date = |text: &str| text.parse::<NaiveDate>().unwrap();
        assert_eq!(days(date("2026-03-04")), "2 Mar to 8 Mar");
        assert_eq!(days(date("2026-03-08")), "2 Mar to 8 Mar");
    }
}
