//! Nothing lost, nothing twice: workers and store are killed while items flow.

use crate::support::{
    gleaner::Process,
    queue::{all_succeeded, assert_empty, item, submit, text},
    redis::Redis,
};
use gleaner_model::{JobStatus, TenantId};
use gleaner_store::{Store, StoreConfig};
use std::{collections::BTreeSet, time::Duration};

const ITEMS: usize = 600;
/// With `everysec` a server under load may answer before it has written; then a kill loses what was acknowledged.
const DURABLE: [&str; 4] = ["--appendonly", "yes", "--appendfsync", "always"];

/// A name for a number that no other number has.
fn word(number: usize) -> String {
    let letter = |n: usize| char::from(b'a' + u8::try_from(n % 26).unwrap());
    format!("Q{}z{}x{}", letter(number), letter(number / 26), letter(number / 676))
}

/// Kills a worker every so often, and the store twice, until told to stop.
async fn havoc(redis: &mut Redis, workers: &mut [Process], stop: &std::sync::atomic::AtomicBool) -> usize {
    let mut kills = 0;
    while !stop.load(std::sync::atomic::Ordering::SeqCst) {
        tokio::time::sleep(Duration::from_millis(700)).await;
        let victim = kills % workers.len();
        workers[victim].kill();
        workers[victim] = Process::worker(&redis.url());
        kills += 1;
        if kills == 2 || kills == 5 {
            redis.kill();
            redis.launch(&DURABLE);
        }
    }
    kills
}

#[tokio::test(flavor = "multi_thread")]
async fn every_accepted_item_ends_as_one_succeeded_job_while_workers_and_store_are_killed() {
    let mut redis = Redis::start();
    redis.kill();
    redis.launch(&DURABLE);
    let store = Store::connect(&StoreConfig::at(redis.url())).await.unwrap();
    let mut workers: Vec<_> = (0..2).map(|_| Process::worker(&redis.url())).collect();
    let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let flow = {
        let (store, stop) = (store.clone(), stop.clone());
        tokio::spawn(async move {
            let mut ids = Vec::with_capacity(ITEMS);
            for n in 0..ITEMS {
                let name = word(n);
                ids.push(submit(&store, "default", item(&name, &text(&name))).await);
                // So that items flow for as long as things are killed.
                tokio::time::sleep(Duration::from_millis(8)).await;
            }
            stop.store(true, std::sync::atomic::Ordering::SeqCst);
            ids
        })
    };
    let kills = havoc(&mut redis, &mut workers, &stop).await;
    let ids = flow.await.unwrap();
    assert!(kills >= 5, "{kills} kills");
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ITEMS);
    let jobs = all_succeeded(&store, "default", &ids).await;
    let tasks: Vec<_> = jobs.iter().flat_map(|job| job.task_ids.clone()).collect();
    assert_eq!(tasks.len(), ITEMS, "one task an item");
    assert_eq!(tasks.iter().collect::<BTreeSet<_>>().len(), ITEMS, "and no two items the same");
    for id in &tasks {
        let record = store.task(&TenantId::default(), *id).await.unwrap().expect("the task is there");
        assert_eq!(record.mentions.len(), 1, "told once");
    }
    assert_empty(&store).await;
    let failed = store.jobs(&TenantId::default(), Some(JobStatus::Failed), 10, None).await.unwrap();
    assert!(failed.items.is_empty());
}
