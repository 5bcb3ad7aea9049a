//! Mentions, tasks and finished jobs for tests of what is recorded.

use crate::world::*;
use chrono::{DateTime, TimeDelta, Utc};
use gleaner_model::{JobId, Mention, TaskId, TaskRecord};
use gleaner_store::{Candidates, Claim, Completion, Consumer, Plan, Store, TaskChange, TaskQuery};
use gleaner_testkit::fixture;
use std::time::Duration;

pub fn day(number: i64) -> DateTime<Utc> {
    "2026-03-01T12:00:00Z".parse::<DateTime<Utc>>().unwrap() + TimeDelta::days(number)
}

/// What the item says of an open task of that title, on that day.
pub fn mention(item_id: &str, title: &str, on: i64) -> Mention {
    let key = item(item_id, "").key;
    Mention { item: key, occurred_at: day(on), owner: None, ..fixture::mention(item_id, title) }
}

/// Submits an item and begins its job.
pub async fn running(store: &Store, consumer: &mut Consumer, item_id: &str) -> Claim {
    let text = format!("{}", JobId::new());
    queue(store, "a", item_id, &text).await;
    loop {
        if let Some(delivery) = read(consumer).await.first() {
            return begin(store, delivery).await;
        }
        consumer.wait(Duration::from_secs(60)).await.unwrap();
    }
}

pub fn plan(from: &Candidates, changes: Vec<TaskChange>) -> Plan {
    let task_ids = changes.iter().filter_map(kept).collect();
    Plan {
        look: from.look.clone(),
        changes,
        task_ids,
        over_cap: 0,
        suppressed: Vec::new(),
        extractor: "test/1".to_owned(),
        usage: None,
    }
}

fn kept(change: &TaskChange) -> Option<TaskId> {
    match change {
        TaskChange::Create(record) | TaskChange::Update { after: record, .. } => Some(record.id),
        TaskChange::Remove(_) | TaskChange::Erase(_) => None,
    }
}

pub fn create(mention: Mention) -> TaskChange {
    TaskChange::Create(TaskRecord::new(TaskId::new(), mention, day(0)))
}

/// Processes an item that says one thing of one new task.
pub async fn record(store: &Store, consumer: &mut Consumer, mention: Mention) -> TaskRecord {
    let item_id = mention.item.external_id.to_string();
    let claim = running(store, consumer, &item_id).await;
    let found = store.candidates(&tenant("a"), &mention.item, &mention.links).await.unwrap();
    let plan = plan(&found, vec![create(mention)]);
    assert_eq!(store.complete(&claim, &plan).await.unwrap(), Completion::Applied);
    store.task(&tenant("a"), plan.task_ids[0]).await.unwrap().unwrap()
}

/// Has all terms of tenant `a` brought into postings, as an erasure does.
pub async fn index(store: &Store) {
    let (a, passing) = (tenant("a"), mention("of no consequence", "nothing", 0));
    store.add_missed(&a, passing.clone()).await.unwrap();
    assert!(store.erase_item(&a, &passing.item).await.unwrap());
    store.list_tasks(&a, &TaskQuery::default()).await.unwrap();
}

/// The keys that hold anything of a task: all but counters, and logs that end by themselves.
pub fn keys_of_tasks(keys: &[String]) -> Vec<&String> {
    let names = [
        ":task:",
        ":said:",
        ":others:",
        ":counts",
        ":at:",
        ":rank:",
        ":ids:",
        ":post:",
        ":vocab",
        ":recent:",
        ":due:",
        ":linked",
        ":unindexed",
    ];
    keys.iter().filter(|key| names.iter().any(|name| key.contains(name))).collect()
}
