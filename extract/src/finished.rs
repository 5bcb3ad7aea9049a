//! What a text itself says is done, once its tasks are written down: the same judgement as across texts, on one text.

use crate::link::done_profile::{DoneProfile, Statement, completed_by};
use crate::link::profile::{KnownTasks, Profile};
use crate::link::related::TaskMention;
use crate::{DoneStatement, Found, Quote};
use chrono::{DateTime, Utc};
use gleaner_model::TaskStatus;

/// Least score of a statement for a task of the same text: there everybody knows every task.
const ENOUGH: f64 = 1.2;

/// Marks the tasks as completed that do nothing but say that something is done, and those that a later statement means.
/// Places are those of the quotes, whatever they count.
pub fn finish(tasks: &mut [Found], statements: &[DoneStatement], at: DateTime<Utc>) {
    let profiles: Vec<Profile> = tasks.iter().map(|task| profile(task, at)).collect();
    let people: Vec<String> = statements.iter().filter_map(|statement| statement.said.speaker.clone()).collect();
    let known_tasks = KnownTasks::of(&profiles, &people);
    for task in tasks.iter_mut().filter(|task| only_says_done(task, at)) {
        task.status = TaskStatus::Completed;
    }
    for statement in statements {
        if let Some(place) = meant(tasks, &profiles, &known_tasks, statement, at) {
            tasks[place].status = TaskStatus::Completed;
        }
    }
}

fn only_says_done(task: &Found, at: DateTime<Utc>) -> bool {
    let said: Vec<Statement<'_>> = task.evidence.iter().map(said).collect();
    DoneProfile::only(&said, at).is_some()
}

/// The open task before a statement that it means.
fn meant(
    tasks: &[Found],
    profiles: &[Profile],
    known_tasks: &KnownTasks,
    statement: &DoneStatement,
    at: DateTime<Utc>,
) -> Option<usize> {
    let done = DoneProfile::read(&statement.quotes().map(said).collect::<Vec<_>>(), at)?;
    // The statement itself may have been taken for a part of the task.
    let others = |task: &Found| task.evidence.iter().rfind(|quote| quote.start != statement.said.start).map(|q| q.end);
    let before = |task: &Found| others(task).is_some_and(|end| end <= statement.said.start);
    let open = |place: &usize| tasks[*place].status == TaskStatus::Open && before(&tasks[*place]);
    let places: Vec<usize> = (0..tasks.len()).filter(open).collect();
    let open: Vec<&Profile> = places.iter().map(|&place| &profiles[place]).collect();
    let meant = completed_by(known_tasks, &open, &done)?;
    let sure = done.completes(open[meant], known_tasks).is_some_and(|score| score >= ENOUGH);
    sure.then_some(places[meant])
}

fn said(quote: &Quote) -> Statement<'_> {
    (&quote.text, quote.speaker.as_deref())
}

fn profile(task: &Found, at: DateTime<Utc>) -> Profile {
    let quotes: Vec<&str> = task.evidence.iter().map(|quote| quote.text.as_str()).collect();
    let speakers: Vec<&str> = task.evidence.iter().filter_map(|quote| quote.speaker.as_deref()).collect();
    Profile::of_one(&TaskMention {
        title: &task.title,
        owner: task.owner.as_deref(),
        quotes: &quotes,
        speakers: &speakers,
        due: task.due.as_ref().map(|due| due.date),
        status: task.status,
        occurred_at: at,
    })
}

#[cfg(test)]
mod tests {
    use crate::{Context, Document, extract};
    use gleaner_model::{Subject, TaskStatus, Zone};

    /// Status and title of each task of a chat.
    fn chat(text: &str) -> Vec<(TaskStatus, String)> {
        let document = Document { source_type: "chat", title: None, text };
        let context = Context {
            me: Subject::default(),
            occurred_at: Default::default(),
            zone: Zone::Named(chrono_tz::UTC),
            participants: Vec::new(),
            language: None,
            threshold: None,
        };
        extract(&document, &context).tasks.into_iter().map(|task| (task.status, task.title)).collect()
    }

    #[test]
    fn what_is_said_later_in_a_chat_to_be_done_is_done() {
        let asked = "[09:00] Ana: @Ben can you restart the import job today?\n[09:02] Ben: sure, will do";
        assert_eq!(chat(asked)[0].0, TaskStatus::Open);
        for done in ["import job is restarted, all green", "restarted the import job just now"] {
            assert_eq!(chat(&format!("{asked}\n[10:30] Ben: {done}"))[0].0, TaskStatus::Completed, "{done}");
        }
    }
}
