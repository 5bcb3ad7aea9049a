//! What becomes of findings, case by case.

use super::*;
use chrono::TimeZone as _;
use gleaner_model::{Due, JobId, Owner, Quote, TaskPatch, UnknownMembers, Urgency, learning::Signals};

fn day(day: u32) -> DateTime<Utc> {
    Utc.with_ymd_and_hms(2026, 3, day, 15, 0, 0).unwrap()
}

fn item(id: &str) -> ItemKey {
    ItemKey { source_type: "meeting".parse().unwrap(), external_id: id.parse().unwrap() }
}

/// What item `id`, which took place on `on`, says: that somebody is to do `title`.
fn mention(id: &str, on: u32, title: &str) -> Mention {
    Mention {
        item: item(id),
        item_title: None,
        occurred_at: day(on),
        job_id: JobId::new(),
        content_sha256: String::new(),
        title: title.to_owned(),
        owner: None,
        waiting_on: None,
        due: None,
        status: TaskStatus::Open,
        urgency: Urgency::Normal,
        confidence: 0.9,
        explicit: false,
        quotes: vec![Quote { text: format!("I'll {title}"), start: 0, end: 4, speaker: None, at_s: None }],
        reasons: Vec::new(),
        links: Vec::new(),
        signals: Signals::default(),
        moved_days: 0,
        reported: None,
        unknown: UnknownMembers::new(),
    }
}

fn record(mention: Mention) -> TaskRecord {
    let at = mention.occurred_at;
    TaskRecord::new(TaskId::new(), mention, at)
}

/// What became of tasks, by kind.
#[derive(Debug, Default)]
struct Reconciled {
    created: Vec<TaskRecord>,
    changed: Vec<TaskRecord>,
    removed: Vec<TaskRecord>,
    tasks: Vec<TaskId>,
}

/// What item `m-2` says, given tasks of its own and of others.
fn outcome(existing: Vec<TaskRecord>, candidates: Vec<TaskRecord>, found: Vec<Mention>) -> Reconciled {
    outcome_with(existing, candidates, found, Vec::new())
}

fn outcome_with(
    existing: Vec<TaskRecord>,
    candidates: Vec<TaskRecord>,
    found: Vec<Mention>,
    done_mentions: Vec<Mention>,
) -> Reconciled {
    let decision = reconcile(Situation {
        meant: Vec::new(),
        item: item("m-2"),
        existing,
        candidates,
        found,
        done_mentions,
        people: Vec::new(),
        now: day(20),
    });
    let mut outcome = Reconciled { tasks: decision.tasks, ..Reconciled::default() };
    for change in decision.changes {
        match change {
            TaskChange::Create(record) => outcome.created.push(record),
            TaskChange::Update { before, after } => {
                assert_eq!(before.rev, after.rev, "the store counts revisions");
                outcome.changed.push(after);
            }
            TaskChange::Remove(record) | TaskChange::Erase(record) => outcome.removed.push(record),
        }
    }
    outcome
}

#[test]
fn a_first_submission_makes_new_tasks_in_the_order_of_the_text() {
    let found = vec![mention("m-2", 10, "send the revised SOW"), mention("m-2", 10, "book the venue")];
    let changes = outcome(Vec::new(), Vec::new(), found);
    let titles: Vec<_> = changes.created.iter().map(TaskRecord::title).collect();
    assert_eq!(titles, ["send the revised SOW", "book the venue"]);
    assert_eq!(changes.tasks, changes.created.iter().map(|record| record.id).collect::<Vec<_>>());
}

#[test]
fn a_task_found_again_after_an_edit_of_the_text_keeps_its_id_and_what_people_set() {
    let mut before = record(mention("m-2", 10, "send the revised SOW to Northwind"));
    before.edits.apply(TaskPatch { title: Some("Ship it".to_owned()), ..TaskPatch::default() }, day(11));
    let changes = outcome(vec![before.clone()], Vec::new(), vec![mention("m-2", 10, "send the SOW to Northwind")]);
    assert!(changes.created.is_empty() && changes.removed.is_empty());
    assert_eq!(changes.tasks, [before.id]);
    assert_eq!(changes.changed[0].title(), "Ship it");
}

#[test]
fn an_open_task_that_is_no_longer_found_and_nobody_touched_goes() {
    let before = record(mention("m-2", 10, "send the revised SOW"));
    let changes = outcome(vec![before.clone()], Vec::new(), Vec::new());
    assert_eq!(changes.removed, [before]);
    assert!(changes.tasks.is_empty());
}

#[test]
fn a_task_that_a_person_touched_stays_with_its_evidence() {
    let mut before = record(mention("m-2", 10, "send the revised SOW"));
    before.edits.apply(TaskPatch { status: Some(TaskStatus::Completed), ..TaskPatch::default() }, day(11));
    let changes = outcome(vec![before.clone()], Vec::new(), vec![mention("m-2", 10, "book the venue")]);
    assert!(changes.removed.is_empty() && changes.changed.is_empty());
    assert_eq!(changes.tasks, [changes.created[0].id]);
}

#[test]
fn a_task_that_another_item_speaks_of_too_only_loses_this_items_mention() {
    let mut before = record(mention("m-1", 3, "send the revised SOW"));
    before.put_mention(mention("m-2", 10, "send the revised SOW"));
    let changes = outcome(vec![before], Vec::new(), Vec::new());
    assert!(changes.removed.is_empty());
    assert_eq!(changes.changed[0].mentions.len(), 1);
    assert_eq!(changes.changed[0].mentions[0].item, item("m-1"));
}

#[test]
fn a_later_item_that_speaks_of_the_same_task_adds_evidence_and_moves_its_date() {
    let first = record(mention("m-1", 3, "send the revised SOW to Northwind"));
    let date = day(16).date_naive();
    let later = Mention {
        due: Some(Due { date, text: Some("Monday".to_owned()) }),
        ..mention("m-2", 10, "send the revised SOW to Northwind")
    };
    let changes = outcome(Vec::new(), vec![first.clone()], vec![later]);
    assert!(changes.created.is_empty());
    assert_eq!(changes.tasks, [first.id]);
    assert_eq!(changes.changed[0].mentions.len(), 2);
    assert_eq!(changes.changed[0].due().map(|due| due.date), Some(date));
}

#[test]
fn a_later_item_that_reports_it_done_completes_the_task() {
    let first = record(mention("m-1", 3, "send the revised SOW to Northwind"));
    let done = Mention { status: TaskStatus::Completed, ..mention("m-2", 10, "send the revised SOW to Northwind") };
    let changes = outcome(Vec::new(), vec![first], vec![done]);
    assert!(changes.created.is_empty());
    assert_eq!(changes.changed[0].status(), TaskStatus::Completed);
}

/// What item `m-2` says is done.
fn done_mention(on: u32, words: &str) -> Mention {
    let quote = Quote { text: words.to_owned(), start: 0, end: words.len(), speaker: None, at_s: None };
    Mention { status: TaskStatus::Completed, quotes: vec![quote], ..mention("m-2", on, "") }
}

#[test]
fn a_statement_completes_the_task_of_another_item_that_it_means() {
    let first = record(mention("m-1", 3, "Send the patrons and loans export"));
    let other = record(mention("m-1", 3, "Book the venue"));
    let done = done_mention(10, "I sent the patrons export last night");
    let changes = outcome_with(Vec::new(), vec![other, first.clone()], Vec::new(), vec![done]);
    assert_eq!(changes.tasks, [first.id]);
    assert_eq!(changes.changed.len(), 1);
    assert_eq!(changes.changed[0].status(), TaskStatus::Completed);
    assert_eq!(changes.changed[0].title(), "Send the patrons and loans export");
}

/// What item `m-2` says of a title, in these words.
fn saying(on: u32, title: &str, owner: &str, words: &str) -> Mention {
    let quote = Quote { text: words.to_owned(), start: 0, end: words.len(), speaker: None, at_s: None };
    let owner = Some(Owner { name: owner.to_owned(), is_me: false });
    Mention { owner, quotes: vec![quote], ..mention("m-2", on, title) }
}

#[test]
fn a_finding_that_only_says_so_completes_the_task_and_leaves_owner_and_date() {
    let first = saying(3, "Send the invitations", "Aroha", "I'll get the invitations out");
    let date = day(5).date_naive();
    let first = record(Mention { item: item("m-1"), due: Some(Due { date, text: None }), ..first });
    let done = saying(10, "Invitations went out", "Tane", "Invitations went out on the 4th, 24 yes");
    let due = Some(Due { date: day(4).date_naive(), text: None });
    let changes = outcome(Vec::new(), vec![first], vec![Mention { due, ..done.clone() }]);
    assert!(changes.created.is_empty());
    let task = &changes.changed[0];
    assert_eq!((task.status(), task.due().map(|due| due.date)), (TaskStatus::Completed, Some(date)));
    assert_eq!(task.owner().map(|owner| owner.name).as_deref(), Some("Aroha"));
    // The same text once more changes nothing.
    let again = outcome(vec![task.clone()], Vec::new(), vec![done]);
    assert_eq!(again.changed[0].status(), TaskStatus::Completed);
}

#[test]
fn the_words_before_a_statement_say_which_task_it_completes() {
    let first = record(saying(3, "Sign the contract addendum", "Leonidas", "he'll sign the addendum by Friday"));
    let first = TaskRecord { mentions: vec![Mention { item: item("m-1"), ..first.mentions[0].clone() }], ..first };
    let found = saying(10, "It came back signed", "Nadezhda", "It came back signed on Tuesday.");
    let mut said = done_mention(10, "It came back signed on Tuesday.");
    said.quotes.insert(0, Quote { text: "and the addendum".to_owned(), ..said.quotes[0].clone() });
    let changes = outcome_with(Vec::new(), vec![first], vec![found], vec![said]);
    assert!(changes.created.is_empty());
    assert_eq!(changes.changed[0].status(), TaskStatus::Completed);
}

#[test]
fn an_owner_changes_only_where_somebody_takes_the_task_on() {
    let first = record(saying(3, "Do the observations on the night shift", "Silvan", "I'll do the observations"));
    let first = TaskRecord { mentions: vec![Mention { item: item("m-1"), ..first.mentions[0].clone() }], ..first };
    let owner_after = |words: &str| {
        let later = saying(10, "Do the observations on the night shift", "Carys", words);
        let changes = outcome(Vec::new(), vec![first.clone()], vec![later]);
        changes.changed.first().and_then(TaskRecord::owner).map(|owner| owner.name)
    };
    assert_eq!(owner_after("I'm taking over the observations on the night shift").as_deref(), Some("Carys"));
    assert_eq!(owner_after("the observations on the night shift, still nothing").as_deref(), Some("Silvan"));
}

#[test]
fn a_statement_that_is_gone_from_the_text_opens_the_task_again() {
    let mut before = record(mention("m-1", 3, "Send the patrons and loans export"));
    before.put_mention(Mention {
        title: "Send the patrons and loans export".to_owned(),
        ..done_mention(10, "I sent the patrons export last night")
    });
    assert_eq!(before.status(), TaskStatus::Completed);
    let changes = outcome(vec![before.clone()], Vec::new(), Vec::new());
    assert_eq!(changes.changed[0].status(), TaskStatus::Open);
    let again = done_mention(10, "I sent the patrons export last night");
    let changes = outcome_with(vec![before], Vec::new(), Vec::new(), vec![again]);
    assert_eq!(changes.changed[0].status(), TaskStatus::Completed);
}

#[test]
fn another_thing_is_another_task() {
    let first = record(mention("m-1", 3, "Send the invoice to Northwind"));
    let changes = outcome(Vec::new(), vec![first], vec![mention("m-2", 10, "Send the revised SOW to Northwind")]);
    assert_eq!((changes.created.len(), changes.changed.len()), (1, 0));
}

#[test]
fn two_findings_never_become_one_task_of_the_same_item() {
    let first = record(mention("m-1", 3, "send the revised SOW"));
    let found = vec![mention("m-2", 10, "send the revised SOW"), mention("m-2", 10, "send the revised SOW")];
    let changes = outcome(Vec::new(), vec![first], found);
    assert_eq!((changes.created.len(), changes.changed.len()), (1, 1));
    assert_eq!(changes.tasks.len(), 2);
}

#[test]
fn the_same_act_on_another_thing_is_another_task() {
    let owner = Owner { name: "Dana".to_owned(), is_me: false };
    let due = Due { date: day(6).date_naive(), text: Some("Friday".to_owned()) };
    let promise =
        |id, on, title| Mention { owner: Some(owner.clone()), due: Some(due.clone()), ..mention(id, on, title) };
    for (known, next) in [
        ("Send the budget to Bob", "Send the slides to Bob"),
        ("Send the quarterly plan to Otto", "Send the marketing plan to Otto"),
        ("Send the contract to Acme", "Send the contract to Northwind"),
        ("Send report 1 to Bob", "Send report 2 to Bob"),
        ("Release version 1.0", "Release version 1.1"),
    ] {
        let outcome = outcome(Vec::new(), vec![record(promise("m-1", 3, known))], vec![promise("m-2", 3, next)]);
        assert_eq!((outcome.created.len(), outcome.changed.len()), (1, 0), "{known} / {next}");
    }
    let again = promise("m-2", 4, "Send Bob the budget");
    let outcome = outcome(Vec::new(), vec![record(promise("m-1", 3, "Send the budget to Bob"))], vec![again]);
    assert_eq!((outcome.created.len(), outcome.changed.len()), (0, 1));
}
