//! A controller that dies again and again under load: by turns killed at a random moment, and between two writes.

use crate::{
    process::ControlProcess,
    world::{ControllerWorld, Launcher, condition, until},
};
use futures::{StreamExt as _, stream};
use gleaner_model::TokenHash;
use serde_json::json;
use std::{
    collections::BTreeSet,
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

const COUNT: usize = 200;
const DEATHS: u64 = 26;
/// Between which writes every second controller dies.
const PLACES: [&str; 8] = [
    "after-finalizer",
    "after-secret",
    "after-record",
    "after-event",
    "after-register",
    "after-status",
    "after-revoke",
    "before-release",
];
/// Shortest and longest life of a controller, in milliseconds.
const LIFE: (u64, u64) = (60, 900);

fn name(at: usize) -> String {
    format!("bot-{at:03}")
}

/// Creates, edits, rotates and deletes: every fourth stays as created, is edited, is rotated, is deleted.
async fn work(world: &ControllerWorld, at: usize, created: &AtomicUsize) {
    let name = name(at);
    world.create(&name, json!({"scopes": ["tasks:read"]})).await;
    created.fetch_add(1, Ordering::Relaxed);
    tokio::time::sleep(Duration::from_millis(20 * (at as u64 % 7))).await;
    match at % 4 {
        1 => drop(world.edit(&name, json!({"scopes": ["tasks:write"]})).await),
        2 => world.rotate(&name, "1").await,
        3 => world.delete(&name).await,
        _ => {}
    }
}

/// Lives that are as different as those of a random crash, and the same each time. The last controller lives on. Returns
/// it, and how many died between two writes.
async fn kill_again_and_again(launcher: Launcher) -> (ControlProcess, usize) {
    let mut fell = 0;
    for time in 0..DEATHS {
        if time % 2 == 0 {
            let mut controller = launch(&launcher, time, None);
            tokio::time::sleep(Duration::from_millis(LIFE.0 + (time * 7919) % (LIFE.1 - LIFE.0))).await;
            controller.kill();
        } else {
            let place = PLACES[usize::try_from(time / 2).unwrap() % PLACES.len()];
            let mut controller = launch(&launcher, time, Some(place));
            fell += usize::from(dies(&mut controller).await);
            controller.kill();
        }
    }
    (launch(&launcher, DEATHS, None), fell)
}

/// Whether a controller comes by the place where it dies: there may be no such work left.
async fn dies(controller: &mut ControlProcess) -> bool {
    for _ in 0..150 {
        if controller.has_died() {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    false
}

/// Each with a Lease of its own, so that none waits for the end of a dead one's: its predecessor is surely gone.
fn launch(launcher: &Launcher, number: u64, place: Option<&str>) -> ControlProcess {
    let lease = format!("lease-{number}");
    let mut more = vec![("GLEANER_LEASE_NAME", lease.as_str())];
    more.extend(place.map(|place| ("GLEANER_FAILPOINT", place)));
    launcher.launch(usize::try_from(number).unwrap(), &more)
}

#[tokio::test]
async fn each_token_lives_or_is_gone_as_its_spec_says() {
    let mut world = ControllerWorld::without_controller().await;
    let created = AtomicUsize::new(0);
    let load = stream::iter(0..COUNT).map(|at| work(&world, at, &created)).buffer_unordered(4).collect::<Vec<()>>();
    let (_, (last, fell)) = tokio::join!(load, kill_again_and_again(world.launcher()));
    world.controllers.push(last);
    let led = world.logs().matches(r#""message":"Leading""#).count();
    assert!(led > 10, "only {led} controllers lived long enough to lead");
    // How often there is still work at the place depends on the machine; `crash` dies at each of them for sure.
    assert!(fell > 0, "no controller died between two writes");
    assert_eq!(created.load(Ordering::Relaxed), COUNT);
    let mut hashes = BTreeSet::new();
    for at in 0..COUNT {
        if at % 4 == 3 {
            until("a deleted ApiToken to go", || async {
                world.tokens().get_opt(&name(at)).await.unwrap().is_none().then_some(())
            })
            .await;
        } else {
            hashes.insert(assert_true(&world, at).await);
        }
    }
    assert_eq!(hashes.len(), COUNT / 4 * 3, "no token in two Secrets");
    until("one credential each, and no other", || async {
        let known = world.store().await.list_credentials(&world.namespace.parse().unwrap()).await.unwrap();
        (known.iter().map(|one| one.hash).collect::<BTreeSet<_>>() == hashes).then_some(())
    })
    .await;
}

async fn assert_true(world: &ControllerWorld, at: usize) -> TokenHash {
    let name = name(at);
    let asked = if at % 4 == 2 { Some("1") } else { None };
    let token = until(&format!("{name} to be as its spec says"), || async {
        let token = world.get(&name).await;
        let status = token.status.clone().unwrap_or_default();
        let settled = condition(&token, "Ready")["reason"] == "Registered" && status.previous.is_none();
        (settled && status.rotated_for.as_deref() == asked).then_some(token)
    })
    .await;
    let (text, _) = world.secret(&token.secret_name()).await.unwrap();
    assert_eq!(
        token.status.unwrap().token_hash,
        Some(TokenHash::of(&text)),
        "the Secret holds the token that is known"
    );
    let scope = if at % 4 == 1 { "tasks:write" } else { "tasks:read" };
    until(&format!("the scopes of {name}"), || async {
        let me = world.me(&text).await;
        (me.status == 200 && me.json()["scopes"] == json!([scope])).then_some(())
    })
    .await;
    TokenHash::of(&text)
}
