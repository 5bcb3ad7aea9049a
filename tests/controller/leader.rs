//! Two controllers.

use crate::world::{ControllerWorld, until};
use gleaner_model::TokenHash;
use k8s_openapi::api::coordination::v1::Lease;
use kube::Api;
use serde_json::json;
use std::time::Duration;

async fn holder(world: &ControllerWorld) -> Option<String> {
    let api = Api::<Lease>::namespaced(world.client.clone(), &world.namespace);
    api.get_opt("gleaner-controller").await.unwrap()?.spec?.holder_identity
}

#[tokio::test]
async fn the_second_takes_over_when_the_first_dies() {
    let mut world = ControllerWorld::start().await;
    let first = until("a leader", || holder(&world)).await;
    world.launch(&[]);
    world.controllers[0].kill();
    until("another leader", || async { holder(&world).await.filter(|name| *name != first) }).await;
    world.create("bot", json!({"scopes": ["tasks:read"]})).await;
    let (_, text) = world.until_issued("bot").await;
    world.until_answered(&text, 200).await;
}

#[tokio::test]
async fn a_leader_that_ends_in_order_hands_over_at_once() {
    let mut world = ControllerWorld::without_controller().await;
    // With a term this long nobody could wait for its end.
    world.launch(&[("GLEANER_LEASE_TERM_S", "300")]);
    until("a leader", || holder(&world)).await;
    world.controller().stop();
    assert_eq!(holder(&world).await, None);
}

#[tokio::test]
async fn a_frozen_leader_that_wakes_up_harms_nobody() {
    let mut world = ControllerWorld::start().await;
    let first = until("a leader", || holder(&world)).await;
    world.create("old", json!({"scopes": ["tasks:read"]})).await;
    let (_, old) = world.until_issued("old").await;
    // It is frozen in the middle of its work, and finds more of it when it wakes up.
    for at in 0..20 {
        if at == 10 {
            world.controllers[0].freeze();
        }
        world.create(&format!("bot-{at}"), json!({"scopes": ["tasks:read"]})).await;
    }
    world.rotate("old", "1").await;
    world.launch(&[]);
    until("another leader", || async { holder(&world).await.filter(|name| *name != first) }).await;
    let mut texts = Vec::new();
    for at in 0..20 {
        texts.push(world.until_issued(&format!("bot-{at}")).await.1);
    }
    world.until_answered(&old, 401).await;
    world.controllers[0].thaw();
    tokio::time::sleep(Duration::from_secs(4)).await;
    for (at, text) in texts.iter().enumerate() {
        let (told, _) = world.secret(&format!("bot-{at}-token")).await.unwrap();
        assert_eq!(told, *text, "no token was minted twice");
        let status = world.get(&format!("bot-{at}")).await.status.unwrap();
        assert_eq!(status.token_hash, Some(TokenHash::of(text)));
        world.me(text).await.expect(200);
    }
    world.me(&old).await.expect(401);
    let known = world.store().await.list_credentials(&world.namespace.parse().unwrap()).await.unwrap();
    assert_eq!(known.len(), 21);
}
