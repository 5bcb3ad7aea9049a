//! Many tokens. The figures are printed; run with `--ignored --nocapture` to see them.

use crate::world::{ControllerWorld, until};
use futures::{StreamExt as _, stream};
use serde_json::json;
use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

async fn create_many(world: &ControllerWorld, count: usize) {
    let one =
        |at: usize| async move { drop(world.create(&format!("bot-{at}"), json!({"scopes": ["tasks:read"]})).await) };
    stream::iter(0..count).map(one).buffer_unordered(32).collect::<Vec<()>>().await;
}

/// Waits by the controller's own count, which costs less than lists, and then looks whether it is true.
async fn until_all_ready(world: &ControllerWorld, count: usize) {
    let wanted = u64::try_from(count).unwrap();
    while world.counter("store_writes_total").await < wanted {
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    let all_ready = || async {
        let all = world.tokens().list(&kube::api::ListParams::default()).await.unwrap();
        let ready = all.iter().filter(|token| crate::world::condition(token, "Ready")["status"] == "True").count();
        (ready == count).then_some(())
    };
    until("all to be Ready", all_ready).await;
}

fn spread(mut times: Vec<Duration>) -> String {
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_millis();
    format!("median {} ms, p95 {} ms, p99 {} ms, max {} ms", at(0.5), at(0.95), at(0.99), at(1.0))
}

#[tokio::test]
#[ignore = "a measurement"]
async fn how_soon_edits_suspension_and_deletion_act() {
    let world = ControllerWorld::start().await;
    let (mut edits, mut suspensions, mut deletions) = (Vec::new(), Vec::new(), Vec::new());
    for at in 0..200 {
        let name = format!("bot-{at}");
        world.create(&name, json!({"scopes": ["tasks:read"]})).await;
        let (_, text) = world.until_issued(&name).await;
        world.until_answered(&text, 200).await;
        edits.push(
            timed(&world, &name, json!({"spec": {"scopes": ["tasks:write"]}}), &text, |me| {
                me.status == 200 && me.json()["scopes"] == json!(["tasks:write"])
            })
            .await,
        );
        suspensions.push(timed(&world, &name, json!({"spec": {"suspend": true}}), &text, |me| me.status == 401).await);
        timed(&world, &name, json!({"spec": {"suspend": false}}), &text, |me| me.status == 200).await;
        let start = Instant::now();
        world.delete(&name).await;
        world.until_answered(&text, 401).await;
        deletions.push(start.elapsed());
    }
    println!("scopes:    {}", spread(edits));
    println!("suspended: {}", spread(suspensions));
    println!("deleted:   {}", spread(deletions));
}

async fn timed(
    world: &ControllerWorld,
    name: &str,
    patch: serde_json::Value,
    text: &str,
    acts: impl Fn(&gleaner_testkit::http::HttpResponse) -> bool,
) -> Duration {
    let start = Instant::now();
    world.patch(name, patch).await.unwrap();
    until("the change to act", || async { acts(&world.me(text).await).then_some(()) }).await;
    start.elapsed()
}

/// What happened to a token's requests since the store was emptied.
#[derive(Clone, Default)]
struct Use {
    requests: usize,
    refused: usize,
    /// The last refusal, from then on.
    last: Option<Duration>,
}

/// Asks with one token after the other, again and again, until told to stop.
async fn keep_using(world: &ControllerWorld, texts: &[String], start: Instant, stop: &AtomicBool) -> Vec<Use> {
    let mut uses = vec![Use::default(); texts.len()];
    while !stop.load(Ordering::Relaxed) {
        for (text, used) in texts.iter().zip(&mut uses) {
            let status = world.me(text).await.status;
            assert!(matches!(status, 200 | 401), "{status}");
            used.requests += 1;
            if status == 401 {
                used.refused += 1;
                used.last = Some(start.elapsed());
            }
        }
    }
    uses
}

#[tokio::test]
#[ignore = "a measurement"]
async fn how_soon_an_emptied_store_is_full_again_while_its_tokens_are_in_use() {
    const COUNT: usize = 1000;
    const AT_ONCE: usize = 8;
    let world = ControllerWorld::start().await;
    create_many(&world, COUNT).await;
    until_all_ready(&world, COUNT).await;
    let all = world.tokens().list(&kube::api::ListParams::default()).await.unwrap();
    let text = async |at| world.until_issued(&format!("bot-{at}")).await.1;
    let texts: Vec<String> = stream::iter(0..COUNT).map(text).buffered(AT_ONCE).collect().await;
    let (start, stop) = (Instant::now(), AtomicBool::new(false));
    let using = texts.chunks(COUNT / AT_ONCE).map(|texts| keep_using(&world, texts, start, &stop));
    let emptied = async {
        // Each token was asked for at least once before, so the API knows it.
        tokio::time::sleep(Duration::from_secs(4)).await;
        world.api.redis.cli(&["FLUSHALL"]);
        let at = start.elapsed();
        let store = world.store().await;
        for token in &all {
            let hash = token.status.as_ref().unwrap().token_hash.unwrap();
            until("a credential", || async { store.find_credential(&hash).await.unwrap() }).await;
        }
        let back = start.elapsed();
        tokio::time::sleep(Duration::from_secs(4)).await;
        stop.store(true, Ordering::Relaxed);
        (at, back)
    };
    let ((at, back), uses) = tokio::join!(emptied, futures::future::join_all(using));
    let uses: Vec<Use> = uses.into_iter().flatten().collect();
    let last = uses.iter().filter_map(|used| used.last).max().unwrap_or(at);
    println!(
        "{COUNT} tokens in use, {} requests: all credentials back {} ms after the store was emptied; {} requests of {} \
         tokens were refused, the last one after {} ms",
        uses.iter().map(|used| used.requests).sum::<usize>(),
        (back - at).as_millis(),
        uses.iter().map(|used| used.refused).sum::<usize>(),
        uses.iter().filter(|used| used.refused > 0).count(),
        last.saturating_sub(at).as_millis(),
    );
    for text in &texts {
        assert_eq!(world.me(text).await.status, 200);
    }
    let after = world.tokens().list(&kube::api::ListParams::default()).await.unwrap();
    let hashes = |list: &kube::core::ObjectList<gleaner_crds::ApiToken>| {
        list.iter().map(|token| token.status.as_ref().unwrap().token_hash).collect::<Vec<_>>()
    };
    assert_eq!(hashes(&all), hashes(&after), "nobody's token changed");
}

#[tokio::test]
#[ignore = "a measurement"]
async fn ten_thousand_tokens() {
    let count = gleaner_testkit::environment::number("GLEANER_TOKENS", 10_000);
    let mut world = ControllerWorld::without_controller().await;
    let start = Instant::now();
    create_many(&world, count).await;
    println!("{count} created in {:.1} s", start.elapsed().as_secs_f64());
    let start = Instant::now();
    world.launch(&[("GLEANER_LOG", "info"), ("GLEANER_LEASE_TERM_S", "30")]);
    until_all_ready(&world, count).await;
    println!("all Ready after {:.1} s", start.elapsed().as_secs_f64());
    report(&mut world, count).await;
    world.controller().stop();
    let start = Instant::now();
    world.launch(&[("GLEANER_LOG", "info"), ("GLEANER_LEASE_TERM_S", "30")]);
    let passes = u64::try_from(count).unwrap();
    until("a pass over each", || async { (world.counter("reconciles_total").await >= passes).then_some(()) }).await;
    println!("restart: a pass over each after {:.1} s", start.elapsed().as_secs_f64());
    report(&mut world, count).await;
    assert_eq!(world.counter("kubernetes_writes_total").await, 0);
    assert_eq!(world.counter("store_writes_total").await, 0);
}

async fn report(world: &mut ControllerWorld, count: usize) {
    tokio::time::sleep(Duration::from_secs(5)).await;
    let before = world.controller().cpu_seconds();
    tokio::time::sleep(Duration::from_secs(20)).await;
    let after = world.controller().cpu_seconds();
    let (passes, writes) = (world.counter("reconciles_total").await, world.counter("kubernetes_writes_total").await);
    println!(
        "{count} tokens: {} MiB, {before:.1} s of CPU so far, {:.1} % of a core at rest, {passes} passes, {writes} writes",
        world.controller().memory_mib(),
        (after - before) / 20.0 * 100.0,
    );
}
