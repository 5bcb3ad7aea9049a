//! Kubernetes is the source, the store a copy: what the store loses or makes up does not last.

use crate::world::{ControllerWorld, until};
use gleaner_model::{PlainToken, Scope};
use gleaner_store::Origin;
use gleaner_testkit::fixture::credential;
use serde_json::json;

#[tokio::test]
async fn an_emptied_store_is_filled_again_without_any_token_changing() {
    let world = ControllerWorld::start().await;
    let mut texts = Vec::new();
    for at in 0..5 {
        world.create(&format!("bot-{at}"), json!({"scopes": ["tasks:read"]})).await;
        texts.push(world.until_issued(&format!("bot-{at}")).await.1);
    }
    world.empty_store().await;
    for text in &texts {
        world.until_answered(text, 200).await;
    }
}

#[tokio::test]
async fn a_credential_that_no_api_token_accounts_for_is_removed() {
    let mut world = ControllerWorld::without_controller().await;
    let (strange, forged) = (PlainToken::mint().unwrap(), PlainToken::mint().unwrap());
    world.api.put(credential(&strange, &world.namespace, &[Scope::TasksRead])).await;
    let origin = Origin::Resource { uid: "u-1".to_owned(), name: "gone".to_owned(), resource_version: 1 };
    let forged_credential =
        gleaner_store::Credential { origin, ..credential(&forged, &world.namespace, &[Scope::TasksRead]) };
    world.api.put(forged_credential).await;
    world.me(strange.expose()).await.expect(200);
    world.me(forged.expose()).await.expect(200);
    world.launch(&[]);
    world.until_answered(strange.expose(), 401).await;
    world.until_answered(forged.expose(), 401).await;
}

#[tokio::test]
async fn a_credential_that_was_tampered_with_is_corrected() {
    let mut world = ControllerWorld::start().await;
    world.create("bot", json!({"scopes": ["tasks:read"]})).await;
    let (token, text) = world.until_issued("bot").await;
    let store = world.store().await;
    let mut known = store.find_credential(&token.status.unwrap().token_hash.unwrap()).await.unwrap().unwrap();
    known.scopes = Scope::ALL.into_iter().collect();
    store.put_credential(&known).await.unwrap();
    world.crash_and_launch(&[]);
    until("the scopes of the spec", || async {
        (world.me(&text).await.json()["scopes"] == json!(["tasks:read"])).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_periodic_resync_needs_no_restart() {
    let mut world = ControllerWorld::without_controller().await;
    world.launch(&[("GLEANER_RESYNC_S", "1")]);
    world.create("bot", json!({"scopes": ["tasks:read"]})).await;
    let (token, text) = world.until_issued("bot").await;
    // One credential alone is lost; the mark that all is in place stays.
    world.store().await.remove_credential(&token.status.unwrap().token_hash.unwrap()).await.unwrap();
    world.until_answered(&text, 200).await;
}

#[tokio::test]
async fn the_last_use_is_shown_roughly() {
    let mut world = ControllerWorld::without_controller().await;
    world.launch(&[("GLEANER_RESYNC_S", "1")]);
    world.create("bot", json!({"scopes": ["tasks:read"]})).await;
    let (_, text) = world.until_issued("bot").await;
    world.until_answered(&text, 200).await;
    until("lastUsedAt", || async { world.get("bot").await.status.unwrap().last_used_at }).await;
}

#[tokio::test]
async fn a_restart_writes_nothing_for_what_is_right_already() {
    let mut world = ControllerWorld::start().await;
    for at in 0..5 {
        world.create(&format!("bot-{at}"), json!({"scopes": ["tasks:read"], "ttl": "24h"})).await;
        world.until_issued(&format!("bot-{at}")).await;
    }
    world.controller().stop();
    world.launch(&[]);
    until("a pass over each", || async { (world.counter("reconciles_total").await >= 5).then_some(()) }).await;
    until("a look at the whole store", || async { (world.counter("resyncs_total").await >= 1).then_some(()) }).await;
    assert_eq!(world.counter("kubernetes_writes_total").await, 0);
    assert_eq!(world.counter("store_writes_total").await, 0);
}
