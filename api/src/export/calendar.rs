//! The list as a calendar (RFC 5545): to-dos, or all-day events for calendars that show no to-dos.

use chrono::{DateTime, SubsecRound as _, Utc};
use gleaner_model::{Task, TaskRecord, TaskStatus, Urgency, in_one_line};
use icalendar::{Component as _, Event, EventLike, Property, Todo, TodoStatus};

/// What stands before the first component. A quarter of an hour is how often a client should look again.
pub const HEAD: &str = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Gleaner//Tasks//EN\r\nCALSCALE:GREGORIAN\r\n\
                        NAME:Tasks\r\nX-WR-CALNAME:Tasks\r\nREFRESH-INTERVAL;VALUE=DURATION:PT15M\r\n\
                        X-PUBLISHED-TTL:PT15M\r\n";
/// What stands behind the last.
pub const FOOT: &str = "END:VCALENDAR\r\n";

/// Longest quote in a description, in characters.
const MAX_QUOTE: usize = 500;

/// As what tasks stand in a calendar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Component {
    /// To-dos: every task.
    Todo,
    /// All-day events: tasks that have a due date.
    Event,
}

impl Component {
    /// The task as a component; nothing where it is none of that kind.
    pub fn write(self, record: &TaskRecord, task: &Task) -> String {
        let written = match self {
            Self::Todo => todo(record, task).try_into_string(),
            Self::Event => match event(record, task) {
                Some(event) => event.try_into_string(),
                None => return String::new(),
            },
        };
        // Writing into a String cannot fail.
        written.unwrap_or_default()
    }
}

fn todo(record: &TaskRecord, task: &Task) -> Todo {
    let mut todo = Todo::new();
    common(&mut todo, record, task);
    todo.status(match task.status {
        TaskStatus::Open => TodoStatus::NeedsAction,
        TaskStatus::Completed => TodoStatus::Completed,
        TaskStatus::Dismissed => TodoStatus::Cancelled,
    });
    // From 1, the highest, to 9. It says what was said, so that the component changes with the task alone.
    todo.priority(match task.urgency {
        Urgency::High => 1,
        Urgency::Normal => 5,
        Urgency::Low => 9,
    });
    if let Some(due) = &task.due {
        todo.due(due.date);
    }
    if let Some(time) = task.completed_at {
        todo.completed(time);
    }
    todo.done()
}

fn event(record: &TaskRecord, task: &Task) -> Option<Event> {
    let day = task.due.as_ref()?.date;
    let mut event = Event::new();
    common(&mut event, record, task);
    event.starts(day);
    event.ends(day.succ_opt()?);
    // A day with something due is not a day that is taken.
    event.append_property(Property::new("TRANSP", "TRANSPARENT"));
    Some(event.done())
}

/// What both kinds have. The id stays; the sequence counts the task's changes.
fn common(component: &mut impl EventLike, record: &TaskRecord, task: &Task) {
    component.uid(&task.id.to_string());
    component.sequence(u32::try_from(record.rev).unwrap_or(u32::MAX));
    component.timestamp(seconds(task.updated_at));
    component.created(seconds(task.created_at));
    component.last_modified(seconds(task.updated_at));
    component.summary(&summary(task));
    component.description(&description(task));
    component.categories([task.source.source_type.as_str()]);
}

fn seconds(time: DateTime<Utc>) -> DateTime<Utc> {
    time.trunc_subsecs(0)
}

/// The title, after the name of whoever owes it where that is not the reader.
fn summary(task: &Task) -> String {
    let title = in_one_line(&task.title);
    let other = task.owner.as_ref().filter(|owner| !owner.is_me).map(|owner| owner.name.as_str());
    match task.waiting_on.as_deref().or(other) {
        Some(name) => format!("{}: {title}", in_one_line(name)),
        None => title,
    }
}

/// What was said, and where.
fn description(task: &Task) -> String {
    let origin = in_one_line(task.source.title.as_deref().unwrap_or(task.source.external_id.as_str()));
    match task.best_evidence() {
        Some(evidence) => {
            let quote: String = in_one_line(&evidence.quote).chars().take(MAX_QUOTE).collect();
            let speaker =
                evidence.speaker.as_deref().map(|name| format!("{}: ", in_one_line(name))).unwrap_or_default();
            format!("{speaker}\"{quote}\"\n{origin}")
        }
        None => origin,
    }
}
