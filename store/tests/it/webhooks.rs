use crate::world::*;
use chrono::Utc;
use gleaner_model::{DeliveryRef, Webhook, WebhookDelivery, WebhookId};
use gleaner_store::{LeaseRenewal, Store, WebhookLease, WebhookProgress, WebhookPut, WebhookState};
use gleaner_testkit::fixture;

fn webhook() -> Webhook {
    fixture::webhook("https://example.com/hook")
}

async fn put(store: &Store, webhook: &Webhook, rev: u64) {
    store.put_webhook(&tenant("a"), webhook, WebhookPut { rev, most: 20, reset: true }).await.unwrap();
}

/// Has something be sent to the endpoint.
async fn send(store: &Store, webhook: &Webhook) {
    let place = DeliveryRef::Own(WebhookId::new().0);
    let message = WebhookDelivery::new("webhook.test", place.to_string(), Utc::now());
    store.send_to_webhook(&tenant("a"), webhook.id, place, &message).await.unwrap();
}

/// An endpoint that is leased, for a message that was put in by hand.
async fn leased(store: &Store) -> WebhookLease {
    let webhook = webhook();
    put(store, &webhook, 0).await;
    send(store, &webhook).await;
    store.lease_webhooks(Some(&tenant("a")), 10).await.unwrap().remove(0)
}

fn failing(disabled: Option<&str>) -> WebhookProgress {
    let disabled = disabled.map(str::to_owned);
    WebhookProgress { failures: 7, failing_since: Some(Utc::now()), disabled, ..WebhookProgress::default() }
}

#[tokio::test]
async fn an_endpoint_is_made_with_the_rights_that_the_page_for_admins_names() {
    let (store, webhook) = (store().await, webhook());
    put(&store, &webhook, 0).await;
    assert_eq!(store.webhook(&tenant("a"), webhook.id).await.unwrap().unwrap().webhook, webhook);
}

#[tokio::test]
async fn a_late_report_of_failures_says_nothing_of_an_endpoint_that_was_mended_meanwhile() {
    let store = store().await;
    let lease = leased(&store).await;
    let state = async || store.webhook(&tenant("a"), lease.stored.webhook.id).await.unwrap().unwrap().state;
    store.record_webhook(&lease, &failing(None)).await.unwrap();
    assert_eq!(state().await.failures, 7);
    let mended = Webhook { url: "https://example.com/mended".to_owned(), ..lease.stored.webhook.clone() };
    put(&store, &mended, lease.stored.rev).await;
    let renewal = store.record_webhook(&lease, &failing(Some("410 Gone"))).await.unwrap();
    assert_eq!(renewal, LeaseRenewal::Held(lease.stored.rev + 1));
    assert_eq!(state().await, WebhookState::default());
}

#[tokio::test]
async fn an_endpoint_that_cannot_be_read_holds_up_no_other() {
    let config = config();
    let store = Store::connect(&config).await.unwrap();
    let (broken, whole) = (webhook(), webhook());
    for webhook in [&broken, &whole] {
        put(&store, webhook, 0).await;
        send(&store, webhook).await;
    }
    let pattern = format!("{}:*:t:a:webhook:{}", config.prefix, broken.id);
    cli(&["HSET", cli(&["--scan", "--pattern", &pattern]).trim(), "data", "{}"]);
    let leases = store.lease_webhooks(None, 10).await.unwrap();
    assert_eq!(leases.iter().map(|lease| lease.stored.webhook.id).collect::<Vec<_>>(), [whole.id]);
}
