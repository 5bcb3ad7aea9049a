use crate::world::*;
use chrono::Utc;
use gleaner_model::{EventKind, PayloadForm, SignatureVersion, SigningSecret, Webhook, WebhookId, WebhookOrigin};
use gleaner_store::{Store, WebhookPut};

fn webhook() -> Webhook {
    Webhook {
        id: WebhookId::new(),
        url: "https://example.com/hook".to_owned(),
        events: EventKind::ALL.into_iter().collect(),
        payload: PayloadForm::Full,
        description: None,
        enabled: true,
        secret: SigningSecret::mint(SignatureVersion::V1).unwrap(),
        previous: None,
        created_at: Utc::now(),
        origin: WebhookOrigin::Api,
    }
}

async fn put(store: &Store, webhook: &Webhook, rev: u64) {
    store.put_webhook(&tenant("a"), webhook, WebhookPut { rev, most: 20, reset: true }).await.unwrap();
}

#[tokio::test]
async fn an_endpoint_is_made_with_the_rights_that_the_page_for_admins_names() {
    let (store, webhook) = (store().await, webhook());
    put(&store, &webhook, 0).await;
    assert_eq!(store.webhook(&tenant("a"), webhook.id).await.unwrap().unwrap().webhook, webhook);
}
