//! A store that hangs for a while: every request is answered in time, and all goes on by itself.

use super::installation::LocalInstallation;
use gleaner_model::{JobId, PlainToken, Scope};
use gleaner_testkit::{
    api::item,
    fixture::new_token,
    queue::{all_succeeded, assert_empty, drained},
};
use std::time::{Duration, Instant};

/// How long the store hangs.
const HANG: Duration = Duration::from_secs(20);
/// Within which an answer is promised.
const PROMISED: Duration = Duration::from_secs(3);

/// What came of the requests made until something happened.
#[derive(Default)]
struct Answers {
    accepted: Vec<JobId>,
    refused: usize,
    slowest: Duration,
}

#[tokio::test(flavor = "multi_thread")]
async fn while_the_store_hangs_each_answer_is_503_in_time_and_afterwards_all_goes_on_by_itself() {
    let installation = LocalInstallation::start().await;
    let token = new_token(&installation.store, "default", &Scope::ALL).await;
    let before = requests(&installation, &token, "before", |answers| answers.accepted.len() == 5).await;
    assert_eq!(before.refused, 0);
    installation.redis.freeze();
    let begun = Instant::now();
    let meanwhile = requests(&installation, &token, "meanwhile", |_| begun.elapsed() > HANG).await;
    assert!(meanwhile.accepted.is_empty() && meanwhile.refused > 5, "{} refused", meanwhile.refused);
    assert!(meanwhile.slowest < PROMISED, "{:?}", meanwhile.slowest);
    installation.redis.thaw();
    let thawed = Instant::now();
    let after = requests(&installation, &token, "after", |answers| answers.accepted.len() == 5).await;
    println!(
        "{} answers of 503 in {HANG:.0?}, the slowest after {:.1?}; accepted again {:.1?} after the store came back",
        meanwhile.refused,
        meanwhile.slowest,
        thawed.elapsed(),
    );
    let accepted: Vec<_> = before.accepted.into_iter().chain(after.accepted).collect();
    all_succeeded(&installation.store, "default", &accepted).await;
    drained(&installation.store).await;
    assert_empty(&installation.store).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_the_disk_of_the_store_is_full_nothing_is_accepted_and_what_was_is_done_afterwards() {
    let mut installation = LocalInstallation::start().await;
    // One that writes before each answer ends itself when it cannot.
    installation.redis.cli(&["config", "set", "appendfsync", "everysec"]);
    let token = new_token(&installation.store, "default", &Scope::ALL).await;
    let before = requests(&installation, &token, "before", |answers| answers.accepted.len() == 5).await;
    installation.redis.fill_disk(true);
    // What comes before the server notices is in its memory, and written later.
    let meanwhile = requests(&installation, &token, "meanwhile", |answers| answers.refused == 20).await;
    assert!(meanwhile.accepted.len() < 5, "{} accepted", meanwhile.accepted.len());
    installation.request(0, "GET", "/tasks", &token).send().await.expect(200);
    installation.kill_worker(0);
    installation.redis.fill_disk(false);
    installation.restart_worker(0);
    let after = requests(&installation, &token, "after", |answers| answers.accepted.len() == 5).await;
    let accepted: Vec<_> = [before, meanwhile, after].into_iter().flat_map(|answers| answers.accepted).collect();
    all_succeeded(&installation.store, "default", &accepted).await;
    drained(&installation.store).await;
    assert_empty(&installation.store).await;
}

/// Submits items, one after another, until it is enough.
async fn requests(
    installation: &LocalInstallation,
    token: &PlainToken,
    name: &str,
    enough: impl Fn(&Answers) -> bool,
) -> Answers {
    let mut answers = Answers::default();
    for n in 0.. {
        let request = installation.post(n % 2, "/ingest/items", token).json(&item(&format!("{name}-{n}")));
        let begun = Instant::now();
        let answer = request.send().await;
        answers.slowest = answers.slowest.max(begun.elapsed());
        match answer.status {
            202 => answers.accepted.push(answer.json()["job_id"].as_str().unwrap().parse().unwrap()),
            503 => answers.refused += 1,
            other => panic!("{other}: {}", answer.text()),
        }
        if enough(&answers) {
            break;
        }
    }
    answers
}
