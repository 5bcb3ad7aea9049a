//! The store away for a whole minute, as when its machine is replaced: nothing listens, and it comes back with what it
//! wrote down last.

use crate::world::{ControllerWorld, condition, until};
use serde_json::json;
use std::{collections::BTreeSet, time::Duration};

const AWAY: Duration = Duration::from_secs(60);
const COUNT: usize = 10;

/// A world whose store writes down each change before it answers.
async fn with_durable_store() -> ControllerWorld {
    let mut world = ControllerWorld::without_controller().await;
    world.api.redis.kill();
    world.api.redis.run_durable();
    world.launch(&[]);
    world
}

#[tokio::test]
async fn a_minute_without_the_store_loses_no_token_and_holds_deletions_back() {
    let mut world = with_durable_store().await;
    let mut kept = Vec::new();
    for at in 0..COUNT {
        for kind in ["kept", "gone"] {
            world.create(&format!("{kind}-{at}"), json!({"scopes": ["tasks:read"]})).await;
        }
    }
    let mut gone = Vec::new();
    for at in 0..COUNT {
        kept.push(world.until_issued(&format!("kept-{at}")).await.1);
        gone.push(world.until_issued(&format!("gone-{at}")).await.1);
    }
    // Some are issued, some are revoked, at the moment at which the store goes.
    for at in 0..COUNT {
        world.create(&format!("new-{at}"), json!({"scopes": ["tasks:read"]})).await;
        world.delete(&format!("gone-{at}")).await;
        if at == COUNT / 2 {
            world.api.redis.kill();
        }
    }
    let away = tokio::time::sleep(AWAY);
    let waiting = format!("gone-{}", COUNT - 1);
    let token = world.until_ready_says(&waiting, "RevocationWaits").await;
    assert!(token.metadata.deletion_timestamp.is_some());
    let message = condition(&token, "Ready")["message"].as_str().unwrap().to_owned();
    assert!(message.starts_with("deletion waits until the token is revoked"), "{message}");
    assert_eq!(world.until_event(&waiting, "RevocationWaits").await, message);
    let late = format!("new-{}", COUNT - 1);
    world.until_ready_says(&late, "StoreUnavailable").await;
    let delivered = world.secret(&format!("{late}-token")).await.expect("the Secret comes first").0;
    away.await;
    assert!(world.tokens().get_opt(&waiting).await.unwrap().is_some(), "it waits for as long as it takes");

    world.api.redis.run_durable();
    for (at, revoked) in gone.iter().enumerate() {
        let (_, text) = world.until_issued(&format!("new-{at}")).await;
        world.until_answered(&text, 200).await;
        kept.push(text);
        until("a deleted ApiToken to go", || async {
            world.tokens().get_opt(&format!("gone-{at}")).await.unwrap().is_none().then_some(())
        })
        .await;
        world.until_answered(revoked, 401).await;
    }
    assert!(kept.contains(&delivered), "the token that was handed over is the one that works");
    for text in &kept {
        world.until_answered(text, 200).await;
    }
    let known = world.store().await.list_credentials(&world.namespace.parse().unwrap()).await.unwrap();
    let hashes = |all: &[String]| all.iter().map(|text| gleaner_model::TokenHash::of(text)).collect::<BTreeSet<_>>();
    assert_eq!(known.iter().map(|one| one.hash).collect::<BTreeSet<_>>(), hashes(&kept), "these and no other");
    assert_eq!(world.controllers.len(), 1, "it was one controller throughout");
}
