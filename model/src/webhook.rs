//! Endpoints that a tenant's events are sent to, as Standard Webhooks has it, and what became of what was sent.

mod delivery;
mod secret;

pub use delivery::{DeliveryRef, DeliveryStatus, WebhookAttempt, WebhookDelivery};
pub use secret::{InvalidSecret, SignatureVersion, SigningSecret};

use crate::{EventKind, WebhookId};
use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// How much of a record an endpoint is sent.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PayloadForm {
    /// The whole job or task, as the API shows it.
    #[default]
    Full,
    /// Its id alone: for receivers that should not see content.
    Thin,
}

/// The secret before the last rotation: signatures with it are still made for a while.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PreviousSecret {
    /// The key that signatures are still made with.
    pub secret: SigningSecret,
    /// When it stops being used.
    pub until: DateTime<Utc>,
}

/// Who made an endpoint.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum WebhookOrigin {
    /// Somebody with a token, over HTTP (`POST /webhooks`).
    Api,
    /// The controller, for a resource.
    Resource {
        /// The `metadata.uid` of the Webhook resource.
        uid: String,
        /// Its `metadata.name`.
        name: String,
        /// The `metadata.generation` of the spec that this endpoint is made of.
        generation: i64,
    },
}

/// An endpoint as somebody wants it to be. What has become of it is kept apart.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Webhook {
    /// Its id; of one that a resource asks for, the resource's uid.
    pub id: WebhookId,
    /// The absolute URL that messages are sent to by `POST`.
    pub url: String,
    /// What to send; never empty.
    pub events: BTreeSet<EventKind>,
    /// How much of it.
    pub payload: PayloadForm,
    /// What people say of it.
    #[serde(default)]
    pub description: Option<String>,
    /// Whether anything is sent at all; what happens meanwhile waits.
    pub enabled: bool,
    /// What messages are signed with.
    pub secret: SigningSecret,
    /// What they were signed with before.
    #[serde(default)]
    pub previous: Option<PreviousSecret>,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// Who made it, and so who may change it.
    pub origin: WebhookOrigin,
}

impl Webhook {
    /// The header `webhook-signature` of a message that is sent now: a signature with the secret, and one with the secret
    /// before it while that counts.
    #[must_use]
    pub fn signatures(&self, message_id: &str, now: DateTime<Utc>, body: &[u8]) -> String {
        let at = now.timestamp();
        let previous = self.previous.iter().filter(|previous| now < previous.until).map(|previous| &previous.secret);
        let all = std::iter::once(&self.secret).chain(previous).map(|secret| secret.sign(message_id, at, body));
        all.collect::<Vec<_>>().join(" ")
    }

    /// Signs with a new secret from now on, and with the one before it as well, before the moment `until`.
    pub fn rotate(&mut self, secret: SigningSecret, until: DateTime<Utc>) {
        let before = std::mem::replace(&mut self.secret, secret);
        self.previous = Some(PreviousSecret { secret: before, until });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use SignatureVersion::{V1, V1a};

    #[test]
    fn after_a_rotation_both_secrets_sign_for_a_while() {
        let now = Utc::now();
        let mut webhook = Webhook {
            id: WebhookId::new(),
            url: "https://example.com".to_owned(),
            events: EventKind::ALL.into_iter().collect(),
            payload: PayloadForm::Full,
            description: None,
            enabled: true,
            secret: SigningSecret::mint(V1).unwrap(),
            previous: None,
            created_at: now,
            origin: WebhookOrigin::Api,
        };
        let before = webhook.signatures("evt", now, b"{}");
        webhook.rotate(SigningSecret::mint(V1a).unwrap(), now + chrono::TimeDelta::hours(24));
        let both = webhook.signatures("evt", now, b"{}");
        let (new, old) = both.split_once(' ').unwrap();
        assert!(old == before && new.starts_with("v1a,"), "{both}");
        let later = now + chrono::TimeDelta::hours(25);
        assert!(!webhook.signatures("evt", later, b"{}").contains(' '));
    }
}
