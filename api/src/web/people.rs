//! Open tasks by person: who owes how much, and all that is open between one person and oneself.

use super::{
    PageError,
    client::ApiRefusal,
    date_words,
    frame::PageFrame,
    task_view::{TaskGroup, TaskRows, TaskView},
    tasks::gather::{MAX_GATHERED, gather},
    visit::Visit,
};
use askama::Template;
use axum::{extract::Query, response::Response};
use chrono::NaiveDate;
use gleaner_model::{Task, words};
use serde::Deserialize;
use std::{cmp::Reverse, collections::HashMap};

/// Where these pages stand.
const PATH: &str = "/app/people";
/// Most tasks of a group.
const SHOWN: usize = 200;
/// Shortest first name that is looked for by itself, in letters.
const FIRST_NAME: usize = 3;

/// Whom a task is asked of.
#[derive(Clone, PartialEq, Eq, Hash)]
enum TaskOwner {
    Me,
    /// By a name in lower case.
    Named(String),
    Nobody,
}

impl TaskOwner {
    fn owes(task: &Task) -> Self {
        match &task.owner {
            Some(owner) if owner.is_me => Self::Me,
            Some(owner) => Self::named(&owner.name),
            None => Self::Nobody,
        }
    }

    fn named(name: &str) -> Self {
        Self::Named(name.trim().to_lowercase())
    }

    /// As it stands in an address.
    fn read(text: &str) -> Self {
        match text {
            "me" => Self::Me,
            "nobody" => Self::Nobody,
            name => Self::named(name),
        }
    }

    /// Whether the task waits for them.
    fn is_awaited(&self, task: &Task) -> bool {
        task.waiting_on.as_deref().is_some_and(|name| Self::named(name) == *self)
    }
}

/// What the address asks for.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct PeopleQuery {
    who: String,
}

/// A person as a row shows them.
struct PersonView {
    name: String,
    address: String,
    owes: usize,
    awaited: usize,
    late: usize,
    next: Option<String>,
}

#[derive(Template)]
#[template(path = "people.html")]
struct PeoplePage {
    frame: PageFrame,
    people: Vec<PersonView>,
    more: bool,
    most: usize,
}

#[derive(Template)]
#[template(path = "person.html")]
struct PersonPage {
    frame: PageFrame,
    name: String,
    rows: TaskRows,
    more: bool,
    most: usize,
}

/// `GET /app/people`
pub async fn show(visit: Visit, Query(asked): Query<PeopleQuery>) -> Result<Response, PageError> {
    match asked.who.trim() {
        "" => overview(visit).await,
        name => person(visit, name).await,
    }
}

/// What is known of one person from the tasks that name them.
#[derive(Default)]
struct PersonTally {
    name: String,
    owes: usize,
    awaited: usize,
    late: usize,
    next: Option<NaiveDate>,
}

async fn overview(visit: Visit) -> Result<Response, PageError> {
    let today = visit.today();
    let mut people: HashMap<TaskOwner, PersonTally> = HashMap::new();
    let (_, more) = gather(&visit, &[], |task| {
        let tally = people.entry(TaskOwner::owes(&task)).or_default();
        tally.owes += 1;
        if let Some(owner) = task.owner.as_ref().filter(|_| tally.name.is_empty()) {
            tally.name.clone_from(&owner.name);
        }
        match task.due_date() {
            Some(day) if day < today => tally.late += 1,
            Some(day) => tally.next = Some(tally.next.map_or(day, |next| next.min(day))),
            None => {}
        }
        if let Some(name) = &task.waiting_on {
            let tally = people.entry(TaskOwner::named(name)).or_default();
            tally.awaited += 1;
            if tally.name.is_empty() {
                tally.name.clone_from(name);
            }
        }
        None::<()>
    })
    .await?;
    let mut people: Vec<_> = people.into_iter().collect();
    // Oneself first, then who owes most; what nobody has is last.
    people.sort_by_cached_key(|(who, tally)| {
        (*who != TaskOwner::Me, *who == TaskOwner::Nobody, Reverse(tally.owes + tally.awaited), tally.name.clone())
    });
    let view = |(who, tally): (TaskOwner, PersonTally)| {
        let (name, known) = match who {
            TaskOwner::Me => ("You".to_owned(), "me".to_owned()),
            TaskOwner::Nobody => ("Nobody yet".to_owned(), "nobody".to_owned()),
            TaskOwner::Named(_) => (tally.name.clone(), tally.name),
        };
        PersonView {
            address: visit.address(PATH, &[("who", &known)]),
            name,
            owes: tally.owes,
            awaited: tally.awaited,
            late: tally.late,
            next: tally.next.map(|day| date_words::due(day, today, true).0),
        }
    };
    let people = people.into_iter().map(view).collect();
    let page = PeoplePage { frame: visit.frame(), people, more, most: MAX_GATHERED };
    visit.show(&page)
}

async fn person(visit: Visit, name: &str) -> Result<Response, PageError> {
    let who = TaskOwner::read(name);
    let (heading, parts) = match &who {
        TaskOwner::Me => ("You".to_owned(), mine(&visit).await?),
        TaskOwner::Nobody => ("Nobody yet".to_owned(), without_owner(&visit).await?),
        TaskOwner::Named(_) => between(&visit, &who, name).await?,
    };
    let today = visit.today();
    let groups = parts.groups.into_iter().map(|(heading, tasks)| {
        let count = tasks.len();
        TaskGroup {
            heading,
            count: Some(if count > SHOWN { format!("the first {SHOWN} of {count}") } else { count.to_string() }),
            rest: None,
            tasks: tasks.into_iter().take(SHOWN).map(|task| TaskView::of(task, today)).collect(),
        }
    });
    let rows = TaskRows::of(groups.collect(), &visit);
    let page = PersonPage { frame: visit.frame(), name: heading, rows, more: parts.more, most: MAX_GATHERED };
    visit.show(&page)
}

/// Tasks under headings, and whether there are more than were looked at.
struct PersonTasks {
    groups: Vec<(Option<String>, Vec<Task>)>,
    more: bool,
}

async fn mine(visit: &Visit) -> Result<PersonTasks, ApiRefusal> {
    let (tasks, more) = gather(visit, &[("owner", "me")], Some).await?;
    Ok(PersonTasks { groups: vec![(None, tasks)], more })
}

async fn without_owner(visit: &Visit) -> Result<PersonTasks, ApiRefusal> {
    let (tasks, more) =
        gather(visit, &[], |task| (TaskOwner::owes(&task) == TaskOwner::Nobody).then_some(task)).await?;
    Ok(PersonTasks { groups: vec![(None, tasks)], more })
}

/// What is open between somebody and oneself; with their name as the tasks have it.
async fn between(visit: &Visit, who: &TaskOwner, name: &str) -> Result<(String, PersonTasks), ApiRefusal> {
    let (awaited, more_awaited) =
        gather(visit, &[("waiting_on", "true")], |task| who.is_awaited(&task).then_some(task)).await?;
    // The API finds names by their words, also within longer names.
    let theirs = |task: Task| (TaskOwner::owes(&task) == *who && !who.is_awaited(&task)).then_some(task);
    let (theirs, more_theirs) = gather(visit, &[("owner", name)], theirs).await?;
    let mine = |task: Task| (!who.is_awaited(&task) && speaks_of(&task, name)).then_some(task);
    let (mine, more_mine) = gather(visit, &[("owner", "me")], mine).await?;
    let spelt = awaited.iter().find_map(|task| task.waiting_on.clone());
    let spelt = spelt.or_else(|| theirs.iter().find_map(|task| task.owner.as_ref().map(|owner| owner.name.clone())));
    let groups = vec![
        (Some("You wait for".to_owned()), awaited),
        (Some("Theirs".to_owned()), theirs),
        (Some("Yours that speak of them".to_owned()), mine),
    ];
    let more = more_awaited || more_theirs || more_mine;
    Ok((spelt.unwrap_or_else(|| name.to_owned()), PersonTasks { groups, more }))
}

/// Whether they speak in what a task rests on, or it names them: by the whole name or the first.
fn speaks_of(task: &Task, name: &str) -> bool {
    let name = words_of(name);
    let first = name.split_inclusive(' ').nth(1).filter(|first| first.chars().count() > FIRST_NAME);
    let named = |text: &str| {
        let text = words_of(text);
        text.contains(&name) || first.is_some_and(|first| text.contains(&format!(" {first}")))
    };
    let said = |speaker: &String| words_of(speaker) == name;
    named(&task.title)
        || task.evidence.iter().any(|evidence| named(&evidence.quote) || evidence.speaker.as_ref().is_some_and(said))
}

/// The words of a text in lower case, a space before and behind each.
fn words_of(text: &str) -> String {
    let lower = text.to_lowercase();
    words(&lower).fold(" ".to_owned(), |mut all, word| {
        all.push_str(word);
        all.push(' ');
        all
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn task(title: &str, speaker: &str) -> Task {
        serde_json::from_value(json!({
            "id": "01970000-0000-7000-8000-000000000000", "title": title, "status": "open", "owner": null,
            "waiting_on": null, "due": null, "priority": 0.5, "confidence": 0.9, "urgency": "normal",
            "evidence": [{"source_type": "meeting", "external_id": "m", "quote": "Could you?", "speaker": speaker,
                "start": 0, "end": 10, "at_s": null, "occurred_at": "2026-03-03T15:00:00Z"}],
            "source": {"source_type": "meeting", "external_id": "m", "title": null, "job_id":
                "01970000-0000-7000-8000-000000000000", "occurred_at": "2026-03-03T15:00:00Z",
                "content_sha256": "0".repeat(64)},
            "feedback": {"up": 0, "down": 0}, "created_at": "2026-03-03T15:00:00Z",
            "updated_at": "2026-03-03T15:00:00Z",
        }))
        .unwrap()
    }

    #[test]
    fn a_task_speaks_of_somebody_by_whole_words() {
        let about = |title: &str, name: &str| speaks_of(&task(title, "Dana"), name);
        assert!(about("Send Priya the budget", "Priya Raman"));
        assert!(about("Ask PRIYA RAMAN", "Priya Raman"));
        assert!(!about("Ask Raman", "Priya Raman"), "a last name may be anybody's");
        assert!(!about("Also send it", "Al"));
        assert!(about("Ask Al, today", "Al"));
        assert!(speaks_of(&task("Send the budget", "priya raman"), "Priya Raman"), "they asked for it");
    }
}
