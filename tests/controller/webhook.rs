//! Webhook resources: what their tenant applies is what the API's workers send to.

use crate::world::{ControllerWorld, until};
use gleaner_crds::Webhook as Resource;
use gleaner_model::{SignatureVersion, SigningSecret, Webhook, WebhookId, WebhookOrigin};
use gleaner_store::{StoredWebhook, WebhookPut};
use k8s_openapi::api::core::v1::Secret;
use kube::{
    Api,
    api::{DeleteParams, Patch, PatchParams},
};
use serde_json::{Value, json};

fn webhooks(world: &ControllerWorld) -> Api<Resource> {
    Api::namespaced(world.client.clone(), &world.namespace)
}

/// `kubectl apply` of a Secret with a signing secret.
async fn write_secret(world: &ControllerWorld, name: &str, secret: &str) {
    let body =
        json!({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": name}, "stringData": {"secret": secret}});
    let (params, patch) = (PatchParams::apply("test").force(), Patch::Apply(&body));
    Api::<Secret>::namespaced(world.client.clone(), &world.namespace).patch(name, &params, &patch).await.unwrap();
}

async fn create(world: &ControllerWorld, name: &str, spec: Value) -> Result<Resource, kube::Error> {
    let body = json!({
        "apiVersion": "gleaner.dev/v1alpha1", "kind": "Webhook", "metadata": {"name": name}, "spec": spec,
    });
    let params = PatchParams::apply("test");
    webhooks(world).patch(name, &params, &Patch::Apply(&body)).await
}

fn spec(more: Value) -> Value {
    let mut spec = json!({"url": "https://example.com/hook", "secretRef": {"name": "hooks"}});
    spec.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    spec
}

/// A Webhook with its Secret.
pub async fn make(world: &ControllerWorld, name: &str) {
    write_secret(world, "hooks", &SigningSecret::mint(SignatureVersion::V1).unwrap().expose()).await;
    create(world, name, spec(json!({}))).await.unwrap();
}

/// Lets every Webhook of the namespace go without a controller.
pub async fn release(world: &ControllerWorld) {
    for found in webhooks(world).list(&kube::api::ListParams::default()).await.unwrap() {
        let free = Patch::Merge(json!({"metadata": {"finalizers": null}}));
        webhooks(world).patch(found.metadata.name.as_deref().unwrap(), &PatchParams::default(), &free).await.unwrap();
    }
}

/// Waits until `Ready` has this reason for the present generation.
async fn until_ready_says(world: &ControllerWorld, name: &str, reason: &str) -> Resource {
    until(&format!("{name} to be {reason}"), || async {
        let found = webhooks(world).get(name).await.unwrap();
        let status = serde_json::to_value(&found.status).unwrap();
        let ready = &status["conditions"][0];
        let so = ready["reason"] == reason && ready["observedGeneration"] == json!(found.metadata.generation);
        so.then_some(found)
    })
    .await
}

async fn stored(world: &ControllerWorld) -> Vec<StoredWebhook> {
    world.store().await.webhooks(&world.namespace.parse().unwrap()).await.unwrap()
}

/// Waits until the store holds one endpoint that is so.
async fn until_stored(world: &ControllerWorld, so: impl Fn(&StoredWebhook) -> bool) -> StoredWebhook {
    until("an endpoint", || async { stored(world).await.into_iter().find(|one| so(one)) }).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_is_applied_edited_rotated_suspended_and_deleted() {
    let world = ControllerWorld::start().await;
    let (first, second) =
        (SigningSecret::mint(SignatureVersion::V1).unwrap(), SigningSecret::mint(SignatureVersion::V1a).unwrap());
    write_secret(&world, "hooks", &first.expose()).await;
    create(&world, "ours", spec(json!({"events": ["task.created"], "payload": "thin"}))).await.unwrap();
    let made = until_ready_says(&world, "ours", "Registered").await;
    let kept = until_stored(&world, |_| true).await;
    assert_eq!(kept.webhook.secret, first);
    assert_eq!(kept.webhook.id.to_string(), made.metadata.uid.clone().unwrap());
    assert_eq!(kept.webhook.events.len(), 1);
    assert!(!serde_json::to_string(&made).unwrap().contains("whsec_"), "the secret stays where it is");

    let edit = |spec: Value| {
        let (api, patch) = (webhooks(&world), json!({"spec": spec}));
        async move { api.patch("ours", &PatchParams::default(), &Patch::Merge(&patch)).await.unwrap() }
    };
    write_secret(&world, "hooks", &second.expose()).await;
    edit(json!({"url": "https://example.org/"})).await;
    let kept = until_stored(&world, |one| one.webhook.url == "https://example.org/").await;
    assert_eq!(kept.webhook.secret, second);
    assert_eq!(kept.webhook.previous.unwrap().secret, first, "the one before signs for a day");

    edit(json!({"suspend": true})).await;
    until_ready_says(&world, "ours", "Suspended").await;
    assert!(!stored(&world).await[0].webhook.enabled);
    edit(json!({"suspend": false})).await;
    until_ready_says(&world, "ours", "Registered").await;

    let token = world.api.new_token(&world.namespace, &gleaner_model::Scope::ALL).await;
    let path = format!("/webhooks/{}", kept.webhook.id);
    let call = |method: &str| world.api.request(method, &path).token(&token);
    assert_eq!(call("GET").send().await.expect(200).json()["resource"], "ours");
    call("DELETE").send().await.problem(405, "method-not-allowed");

    webhooks(&world).delete("ours", &DeleteParams::default()).await.unwrap();
    until("the end", || async { webhooks(&world).get_opt("ours").await.unwrap().is_none().then_some(()) }).await;
    assert!(stored(&world).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_registered_says_why() {
    let world = ControllerWorld::start().await;
    create(&world, "ours", spec(json!({}))).await.unwrap();
    until_ready_says(&world, "ours", "SecretMissing").await;
    write_secret(&world, "hooks", "whsec_short").await;
    let patch = |spec: Value| {
        let (api, patch) = (webhooks(&world), json!({"spec": spec}));
        async move { api.patch("ours", &PatchParams::default(), &Patch::Merge(&patch)).await.unwrap() }
    };
    patch(json!({"payload": "thin"})).await;
    until_ready_says(&world, "ours", "SecretInvalid").await;
    // The URL first: a good secret beside a good URL would be registered.
    patch(json!({"url": "https://169.254.169.254/latest"})).await;
    write_secret(&world, "hooks", &SigningSecret::mint(SignatureVersion::V1).unwrap().expose()).await;
    until_ready_says(&world, "ours", "URLRefused").await;
    assert!(stored(&world).await.is_empty());
    patch(json!({"url": "https://example.com/"})).await;
    until_ready_says(&world, "ours", "Registered").await;
    for bad in [json!({"events": ["task.lost"]}), json!({"url": "ftp://x/"}), json!({"events": []})] {
        assert!(create(&world, "other", spec(bad.clone())).await.is_err(), "{bad} is refused at admission");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_is_suspended_also_where_its_secret_is_gone() {
    let world = ControllerWorld::start().await;
    make(&world, "ours").await;
    until_stored(&world, |one| one.webhook.enabled).await;
    Api::<Secret>::namespaced(world.client.clone(), &world.namespace)
        .delete("hooks", &DeleteParams::default())
        .await
        .unwrap();
    let patch = Patch::Merge(json!({"spec": {"suspend": true}}));
    webhooks(&world).patch("ours", &PatchParams::default(), &patch).await.unwrap();
    until_ready_says(&world, "ours", "SecretMissing").await;
    assert!(!stored(&world).await[0].webhook.enabled);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_endpoint_whose_webhook_is_gone_is_removed_and_others_stay() {
    let world = ControllerWorld::start().await;
    make(&world, "ours").await;
    let ours = until_stored(&world, |_| true).await.webhook;
    let (gone, by_hand) = (WebhookId::new(), WebhookId::new());
    let origin = WebhookOrigin::Resource { uid: gone.to_string(), name: "theirs".to_owned(), generation: 1 };
    let restored = [
        Webhook { id: gone, origin, ..ours.clone() },
        Webhook { id: by_hand, origin: WebhookOrigin::Api, ..ours.clone() },
    ];
    let put = WebhookPut { rev: 0, most: 20, reset: true };
    for webhook in restored {
        world.store().await.put_webhook(&world.namespace.parse().unwrap(), &webhook, put).await.unwrap();
    }
    // As a store that was restored: what the controller marked last is not there.
    world.api.redis.cli(&["DEL", "gleaner:{cred}:mark"]);
    let left = until("the endpoint to go", || async {
        let left: Vec<_> = stored(&world).await.iter().map(|one| one.webhook.id).collect();
        (!left.contains(&gone)).then_some(left)
    })
    .await;
    assert!(left.len() == 2 && left.contains(&ours.id) && left.contains(&by_hand), "{left:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_lost_everything_gets_its_webhooks_back() {
    let world = ControllerWorld::start().await;
    let secret = SigningSecret::mint(SignatureVersion::V1).unwrap();
    write_secret(&world, "hooks", &secret.expose()).await;
    create(&world, "ours", spec(json!({}))).await.unwrap();
    until_ready_says(&world, "ours", "Registered").await;
    let before = until_stored(&world, |_| true).await.webhook;
    world.api.redis.cli(&["FLUSHALL"]);
    let after = until_stored(&world, |_| true).await.webhook;
    assert_eq!((after.id, after.url, after.secret), (before.id, before.url, before.secret));
}
