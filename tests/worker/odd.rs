//! Texts that nobody writes, and that must not stop a worker.

use gleaner_model::TenantId;
use gleaner_store::{Store, StoreConfig, TaskQuery};
use gleaner_testkit::{
    fixture::item,
    gleaner::GleanerProcess,
    queue::{all_succeeded, assert_empty, submit, text},
    redis::RedisServer,
};

#[tokio::test]
async fn odd_texts_are_read_to_their_end_and_what_stands_behind_them_too() {
    let redis = RedisServer::in_memory();
    let store = Store::connect(&StoreConfig::at(redis.url())).await.unwrap();
    let odd = [
        "x".repeat(200_000),
        "I'll send it by Friday, and ".repeat(7_000),
        format!("x{}", "\n".repeat(199_999)),
        "a\n".repeat(100_000),
        "[".repeat(100_000),
        "\u{202e}ltr\u{202c} \u{200b}I'll\u{200b} \u{200d}send\u{feff} it by Friday".repeat(1_000),
        "דנה: אשלח את ההצעה עד יום שישי.\n".repeat(2_000),
        "\0\u{1}\u{7f}\u{85}\u{2028}".repeat(1_000),
        "e\u{301}\u{301}\u{301}".repeat(40_000),
        "- [ ] \n".repeat(20_000),
        "00:00:00.000 --> 00:00:00.000\n".repeat(5_000),
    ];
    let mut ids = Vec::new();
    for (n, text) in odd.iter().enumerate() {
        ids.push(submit(&store, "default", item(&format!("odd-{n}"), text)).await);
    }
    ids.push(submit(&store, "default", item("plain", &text("blue"))).await);
    let _worker = GleanerProcess::worker(&redis.url());
    let jobs = all_succeeded(&store, "default", &ids).await;
    assert!(jobs.iter().all(|job| job.attempts == 1), "no worker was lost");
    assert!(!jobs.last().unwrap().task_ids.is_empty());
    assert_empty(&store).await;
}

#[tokio::test]
async fn an_item_of_a_thousand_tasks_gives_the_likeliest_and_is_erased_at_once() {
    let redis = RedisServer::in_memory();
    let store = Store::connect(&StoreConfig::at(redis.url())).await.unwrap();
    let lines: String = (0..1_000).map(|n| format!("- [ ] call customer {n} about offer {}\n", n * 7)).collect();
    let item = item("many", &lines);
    let key = item.key.clone();
    let id = submit(&store, "default", item).await;
    let _worker = GleanerProcess::worker(&redis.url());
    let job = all_succeeded(&store, "default", &[id]).await.remove(0);
    assert_eq!((job.tasks_extracted, job.task_ids.len(), job.attempts), (Some(200), 200, 1));
    assert!(job.tasks_over_cap >= 700, "{job:?}");
    let us = TenantId::default();
    let query = || TaskQuery { q: Some("customer".to_owned()), limit: 200, ..TaskQuery::default() };
    assert_eq!(store.list_tasks(&us, &query()).await.unwrap().items.len(), 200);
    assert!(store.erase_item(&us, &key).await.unwrap());
    assert_eq!(store.list_tasks(&us, &query()).await.unwrap().items.len(), 0);
    assert_empty(&store).await;
}
