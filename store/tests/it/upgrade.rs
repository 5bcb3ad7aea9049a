//! Data of the releases before, as their own servers wrote them: `layout-2.rdb` holds what 76 items of a tenant left behind, with
//! edits, ratings, a report and a job that was waiting; `layout-3.rdb` 301 tasks of a tenant, one of them spoken of 61 times
//! and rated, a word that a task is still to be taken from under, and a job that was waiting.

use crate::{notes, world::*};
use gleaner_model::{ItemKey, JobStatus, MENTIONS_KEPT, PlainToken, Scope, TaskPatch, TaskStatus};
use gleaner_store::{Credential, Sort, Store, StoreConfig, TaskQuery};
use gleaner_testkit::{fixture, redis::RedisServer};

fn server(layout: u8) -> RedisServer {
    let dump = format!("{}/tests/layout-{layout}.rdb", env!("CARGO_MANIFEST_DIR"));
    RedisServer::with_dump(std::path::Path::new(&dump))
}

fn key(source_type: &str, external_id: &str) -> ItemKey {
    ItemKey { source_type: source_type.parse().unwrap(), external_id: external_id.parse().unwrap() }
}

#[tokio::test]
async fn data_of_layout_2_are_read_changed_and_erased() {
    let server = server(2);
    let store = Store::connect(&StoreConfig::at(server.url())).await.unwrap();
    let us = tenant("default");
    let list = async |query: TaskQuery| store.list_tasks(&us, &query).await.unwrap().items;
    let found = async |q: &str| list(TaskQuery { q: Some(q.to_owned()), ..TaskQuery::default() }).await;
    let all = list(TaskQuery::default()).await;
    let titles: Vec<_> = all.iter().map(|task| task.title().to_owned()).collect();
    assert_eq!(titles.len(), 4, "{titles:?}");
    assert_eq!(found("northwind").await[0].mentions.len(), 71, "all of it was kept in one piece");
    assert_eq!(found("passp red").await[0].title(), "Renew the red passport");
    for (status, count) in [(TaskStatus::Completed, 3), (TaskStatus::Dismissed, 1)] {
        assert_eq!(list(TaskQuery { status, sort: Sort::Priority, ..TaskQuery::default() }).await.len(), count);
    }
    assert_eq!(store.tasks_of_item(&us, &key("note", "n-1")).await.unwrap().len(), 3);
    assert!(store.learnt(&us).await.unwrap().revision > 0);

    // What it was linked by still links it, and the first change keeps what is kept from now on.
    let report = found("northwind").await.remove(0);
    let links = report.mentions[0].links.clone();
    let candidates = store.candidates(&us, &key("chat", "new"), &links).await.unwrap();
    assert_eq!(candidates.related[0].id, report.id);
    let rating = gleaner_model::FeedbackRequest {
        rating: gleaner_model::Rating::Up,
        reason: None,
        comment: None,
        correction: None,
    };
    let (_, rated) = store.rate_task(&us, report.id, "dana", &rating).await.unwrap().unwrap();
    assert_eq!((rated.mentions.len(), rated.mention_count()), (MENTIONS_KEPT, 71));
    assert!(store.erase_item(&us, &key("chat", "c-05")).await.unwrap());
    assert_eq!(store.task(&us, report.id).await.unwrap().unwrap().mention_count(), 70);

    assert!(store.erase_item(&us, &key("note", "n-1")).await.unwrap());
    assert!(found("passport").await.is_empty());
    let waiting = store.jobs(&us, Some(JobStatus::Accepted), 10, None).await.unwrap().items;
    assert_eq!(waiting[0].external_id.as_str(), "waiting");
    assert_eq!(read(&mut store.consumer("w", NEVER).await.unwrap()).await.len(), 1);
    let left = server.cli(&["--scan", "--pattern", "*:ix:*"]) + &server.cli(&["--scan", "--pattern", "*:bits:*"]);
    assert_eq!(left, "", "nothing of the old index is left");
}

#[tokio::test]
async fn data_of_layout_3_are_read_changed_and_erased() {
    let server = server(3);
    let store = Store::connect(&StoreConfig::at(server.url())).await.unwrap();
    let us = tenant("a");
    let found = async |q: &str| {
        let query = TaskQuery { q: Some(q.to_owned()), limit: 200, ..TaskQuery::default() };
        store.list_tasks(&us, &query).await.unwrap()
    };
    let claims = found("claim file").await;
    let rest =
        TaskQuery { q: Some("claim file".to_owned()), limit: 200, cursor: claims.next_cursor, ..TaskQuery::default() };
    assert_eq!((claims.items.len(), store.list_tasks(&us, &rest).await.unwrap().items.len()), (200, 100));
    let passport = found("passp").await.items.remove(0);
    assert_eq!((passport.mentions.len(), passport.mention_count()), (MENTIONS_KEPT, 61));
    let vocabulary = || server.cli(&["ZRANGE", "gleaner:{p12}:t:a:vocab", "0", "-1"]);
    assert!(vocabulary().contains("passport") && !vocabulary().contains("leftover"), "{}", vocabulary());

    // Postings in both forms lose and gain tasks.
    assert!(store.erase_item(&us, &key("note", "many-3")).await.unwrap());
    assert_eq!(found("number65").await.items, []);
    assert!(!vocabulary().contains("number65") && vocabulary().contains("number85"), "{}", vocabulary());
    let patch = TaskPatch { status: Some(TaskStatus::Completed), ..Default::default() };
    store.patch_task(&us, found("number85").await.items[0].id, None, &patch).await.unwrap();
    assert_eq!(found("number85").await.items, []);
    let candidates = store.candidates(&us, &key("chat", "new"), &["red+passport".to_owned()]).await.unwrap();
    assert_eq!(candidates.related[0].id, passport.id);
    assert_eq!(read(&mut store.consumer("w", NEVER).await.unwrap()).await.len(), 1);
    assert_eq!(server.cli(&["--scan", "--pattern", "*:chores"]), "", "nothing of the old index is left");
}

/// As a process of the next release writes it while some of this one still run, or before it is taken back.
#[tokio::test]
async fn a_scope_of_the_next_release_is_kept_and_grants_nothing() {
    let (store, keys) = store_with_keys().await;
    let (newer, other) = (PlainToken::mint().unwrap(), PlainToken::mint().unwrap());
    store.put_credential(&fixture::credential(&newer, "a", &[Scope::TasksRead])).await.unwrap();
    store.put_credential(&fixture::credential(&other, "a", &[Scope::IngestWrite])).await.unwrap();
    let record = keys().into_iter().find(|key| key.ends_with(&newer.hash().hex())).unwrap();
    let data = || cli(&["HGET", &record, "data"]);
    let written = data().replace(r#"["tasks:read"]"#, r#"["tasks:read","reports:read"]"#);
    cli(&["HSET", &record, "data", written.trim()]);
    assert!(data().contains("reports:read"), "{}", data());

    let found = store.find_credential(&newer.hash()).await.unwrap().unwrap();
    assert_eq!(found.scopes.iter().collect::<Vec<_>>(), [Scope::TasksRead]);
    assert_eq!(store.list_credentials(&tenant("a")).await.unwrap().len(), 2);
    assert_eq!(store.all_credentials(None, 10).await.unwrap().0.len(), 2, "what the controller goes through");
    store.put_credential(&Credential { suspended: true, ..found }).await.unwrap();
    assert!(
        data().contains(r#"["tasks:read","reports:read"]"#) && data().contains(r#""suspended":true"#),
        "{}",
        data()
    );
}

#[tokio::test]
async fn members_that_the_next_release_gave_a_task_survive_a_change() {
    let (store, keys) = store_with_keys().await;
    let mut consumer = store.consumer("w", NEVER).await.unwrap();
    let task = notes::record(&store, &mut consumer, notes::mention("a", "Send the report", 1)).await;
    let key = keys().into_iter().find(|key| key.ends_with(&format!(":task:{}", task.id))).unwrap();
    let record = || cli(&["GET", &key]);
    let written = record().replacen('{', r#"{"estimate":{"hours":2.5},"#, 1);
    let written = written.replace(r#""mentions":[{"#, r#""mentions":[{"estimate":"half a day","#);
    cli(&["SET", &key, written.trim()]);

    let patch = TaskPatch { title: Some("Send the report to Sam".to_owned()), ..TaskPatch::default() };
    store.patch_task(&tenant("a"), task.id, None, &patch).await.unwrap();
    let kept = record();
    for part in [r#""estimate":{"hours":2.5}"#, r#""estimate":"half a day""#, "to Sam"] {
        assert!(kept.contains(part), "{part}: {kept}");
    }
}
