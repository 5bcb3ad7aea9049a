//! What a tenant reads of a Webhook.

use crate::api_token::condition;
use chrono::{DateTime, Utc};
use gleaner_crds::WebhookStatus;
use gleaner_store::StoredWebhook;

/// What one pass came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum WebhookReadiness {
    /// The endpoint is told what happens.
    Registered,
    /// It is, and the latest attempts failed.
    Failing(String),
    /// The spec says that nothing is to be sent.
    Suspended,
    /// Nothing is sent any more.
    Disabled(String),
    /// Messages may not go there.
    UrlRefused(String),
    /// There is no secret.
    SecretMissing(String),
    /// The secret is none.
    SecretInvalid(String),
    /// The namespace has as many endpoints as it may have.
    TooMany,
    /// The store cannot be asked.
    StoreUnavailable(String),
}

impl WebhookReadiness {
    /// How an endpoint stands; `None`: there was no room for it.
    pub(super) fn of(stored: Option<&StoredWebhook>) -> Self {
        let Some(stored) = stored else { return Self::TooMany };
        match (&stored.state.disabled, stored.webhook.enabled, stored.state.failing_since) {
            (Some((_, why)), ..) => Self::Disabled(why.clone()),
            (None, false, _) => Self::Suspended,
            (None, true, Some(since)) => {
                Self::Failing(format!("every attempt since {} failed", since.format("%Y-%m-%dT%H:%M:%SZ")))
            }
            (None, true, None) => Self::Registered,
        }
    }

    /// Status, reason and message of the condition `Ready`.
    fn ready(&self) -> (&'static str, &'static str, String) {
        match self {
            Self::Registered => ("True", "Registered", "the endpoint is told what happens".to_owned()),
            Self::Failing(why) => ("True", "Failing", why.clone()),
            Self::Suspended => ("False", "Suspended", "nothing is sent while spec.suspend is true".to_owned()),
            Self::Disabled(why) => ("False", "Disabled", format!("{why}: mend it, then edit the spec or the secret")),
            Self::UrlRefused(why) => ("False", "URLRefused", format!("spec.url {why}")),
            Self::SecretMissing(why) => ("False", "SecretMissing", why.clone()),
            Self::SecretInvalid(why) => ("False", "SecretInvalid", why.clone()),
            Self::TooMany => ("False", "TooMany", "the namespace has as many webhooks as it may have".to_owned()),
            Self::StoreUnavailable(why) => ("False", "StoreUnavailable", format!("nothing can be registered: {why}")),
        }
    }
}

/// The status after a pass.
pub(super) fn after(
    before: Option<&WebhookStatus>,
    verdict: &WebhookReadiness,
    generation: Option<i64>,
    now: DateTime<Utc>,
) -> WebhookStatus {
    let conditions = before.map(|status| status.conditions.as_slice()).unwrap_or_default();
    let ready = condition(conditions, "Ready", verdict.ready(), generation, now);
    WebhookStatus { conditions: vec![ready], observed_generation: generation }
}
