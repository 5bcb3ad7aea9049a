//! Nothing lost, nothing twice: workers, an API and the store are killed while items flow.

use super::installation::LocalInstallation;
use gleaner_model::{JobId, PlainToken, Scope};
use gleaner_testkit::{
    fixture::credential,
    queue::{all_succeeded, assert_empty, text},
};
use serde_json::{Value, json};
use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
    },
    time::{Duration, Instant},
};

/// Clients that submit at the same time.
const CLIENTS: usize = 8;
/// Pause of a client between two items, so that items flow for as long as things are killed.
const PACE: Duration = Duration::from_millis(90);
/// Between two killed workers.
const BEAT: Duration = Duration::from_secs(1);

#[tokio::test(flavor = "multi_thread")]
async fn every_accepted_item_ends_as_one_succeeded_job_while_all_that_runs_is_killed() {
    survives(900).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes minutes: cargo test --release --package gleaner-tests --test it five_thousand -- --ignored --nocapture"]
async fn five_thousand_items_survive_as_well() {
    survives(5_000).await;
}

async fn survives(count: usize) {
    let token = PlainToken::mint().unwrap();
    let mut battered = LocalInstallation::start().await;
    introduce(&battered, &token).await;
    let begun = Instant::now();
    let (over, again) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    let clients = submit_all(&battered, &token, count, &again);
    let ended = {
        let over = over.clone();
        tokio::spawn(async move {
            let ids = clients.await.unwrap();
            over.store(true, SeqCst);
            ids
        })
    };
    let kills = havoc(&mut battered, &over).await;
    let ids = ended.await.unwrap();
    let accepted = begun.elapsed();
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), count, "a job for each item");
    let jobs = all_succeeded(&battered.store, "default", &ids).await;
    println!(
        "{count} items: accepted within {accepted:.0?} ({} tries had no answer or a 503), all done within {:.0?}; killed: \
         {} workers, {} API, {} redis-server; most attempts of a job: {}",
        again.load(SeqCst),
        begun.elapsed(),
        kills.workers,
        kills.apis,
        kills.stores,
        jobs.iter().map(|job| job.attempts).max().unwrap(),
    );
    assert!(kills.workers >= 5 && kills.apis == 1 && kills.stores == 2, "{kills:?}");
    assert_empty(&battered.store).await;
    for kept in ["stream", "dead", "jobs:accepted", "jobs:running", "jobs:failed"] {
        assert_eq!(battered.redis.cli(&["--scan", "--pattern", &format!("*:{kept}")]), "", "{kept}");
    }
    let tasks = battered.tasks(&token).await;
    drop(battered);
    assert!(tasks.len() >= count, "{} tasks", tasks.len());
    assert!(tasks == quiet(&token, count).await, "the tasks differ from those of a quiet run");
}

/// The tasks of the same items where nothing is killed.
async fn quiet(token: &PlainToken, count: usize) -> Vec<String> {
    let calm = LocalInstallation::start().await;
    introduce(&calm, token).await;
    let ids = submit_all(&calm, token, count, &Arc::default()).await.unwrap();
    all_succeeded(&calm.store, "default", &ids).await;
    calm.tasks(token).await
}

async fn introduce(installation: &LocalInstallation, token: &PlainToken) {
    installation.store.put_credential(&credential(token, "default", &Scope::ALL)).await.unwrap();
}

#[derive(Default, Debug)]
struct Kills {
    workers: usize,
    apis: usize,
    stores: usize,
}

/// Kills a worker at every beat, an API once and the store twice, until all items are accepted.
async fn havoc(installation: &mut LocalInstallation, over: &AtomicBool) -> Kills {
    let mut kills = Kills::default();
    while !over.load(SeqCst) {
        tokio::time::sleep(BEAT).await;
        match kills.workers {
            1 | 5 => {
                installation.restart_store();
                kills.stores += 1;
            }
            3 => {
                installation.restart_api(0);
                kills.apis += 1;
            }
            _ => {}
        }
        installation.restart_worker(kills.workers % 2);
        kills.workers += 1;
    }
    kills
}

/// Submits all items, a few at a time. `again` counts tries that came to nothing.
fn submit_all(
    installation: &LocalInstallation,
    token: &PlainToken,
    count: usize,
    again: &Arc<AtomicUsize>,
) -> tokio::task::JoinHandle<Vec<JobId>> {
    let requests: Vec<_> = (0..count)
        .map(|n| [0, 1].map(|api| installation.post((n + api) % 2, "/ingest/items", token).json(&body(n))))
        .collect();
    let (requests, again) = (Arc::new(requests), again.clone());
    let client = move |client: usize| {
        let (requests, again) = (requests.clone(), again.clone());
        async move {
            let mut ids = Vec::new();
            for both in requests.iter().skip(client).step_by(CLIENTS) {
                ids.push(submit(both, &again).await);
                tokio::time::sleep(PACE).await;
            }
            ids
        }
    };
    tokio::spawn(async move { futures::future::join_all((0..CLIENTS).map(client)).await.concat() })
}

/// Submits one item until it is accepted: at the one API, then at the other, and so on.
async fn submit(at_either: &[gleaner_testkit::http::HttpRequest; 2], again: &AtomicUsize) -> JobId {
    for turn in 0..600 {
        if let Some(answer) = at_either[turn % 2].attempt().await {
            match answer.status {
                202 => return answer.json()["job_id"].as_str().unwrap().parse().unwrap(),
                503 => {}
                other => panic!("{other}: {}", answer.text()),
            }
        }
        again.fetch_add(1, SeqCst);
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    panic!("an item is not accepted");
}

/// An item with a task that no other item has; every tenth has a second one, for somebody else.
fn body(n: usize) -> Value {
    let name = word(n);
    let more =
        if n.is_multiple_of(10) { format!("Sam: I'll review the {name}c {name}d tomorrow.\n") } else { String::new() };
    json!({
        "source_type": "meeting", "external_id": name, "occurred_at": "2026-03-03T15:00:00Z", "title": "Weekly",
        "transcript": text(&name) + &more,
    })
}

/// A name for a number that no other number has.
fn word(number: usize) -> String {
    let letter = |n: usize| char::from(b'a' + u8::try_from(n % 26).unwrap());
    format!("Q{}z{}x{}", letter(number), letter(number / 26), letter(number / 676))
}
