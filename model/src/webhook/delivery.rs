//! One message to one endpoint: what it tells, how far it has come, and what was answered.

use crate::WebhookId;
use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// Attempts that are kept of a message: the latest.
const ATTEMPTS_KEPT: usize = 10;

/// What a message tells, within its endpoint: an event, by its place in the tenant's stream, or something of our own.
/// In the order in which they are sent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DeliveryRef {
    /// The event of that id.
    Event {
        /// When it happened, in ms since 1970.
        ms: u64,
        /// Its number within the millisecond.
        number: u64,
    },
    /// Something that somebody, or the worker, put in on purpose.
    Own(uuid::Uuid),
}

impl DeliveryRef {
    /// The stream id just before this event; `None` for a message that is not an event.
    #[must_use]
    pub fn before(self) -> Option<String> {
        match self {
            Self::Event { ms, number: 0 } => Some(format!("{}-{}", ms.saturating_sub(1), u64::MAX)),
            Self::Event { ms, number } => Some(format!("{ms}-{}", number - 1)),
            Self::Own(_) => None,
        }
    }

    /// The `webhook-id` of the message: the same at each attempt, and no other message has it.
    #[must_use]
    pub fn message_id(self, webhook: WebhookId) -> String {
        format!("evt_{}_{self}", webhook.0.simple())
    }

    /// Reads a `webhook-id`; `None` when it is none of that endpoint.
    #[must_use]
    pub fn of_message(webhook: WebhookId, text: &str) -> Option<Self> {
        text.strip_prefix(&format!("evt_{}_", webhook.0.simple()))?.parse().ok()
    }
}

impl fmt::Display for DeliveryRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Event { ms, number } => write!(f, "{ms}-{number}"),
            Self::Own(id) => write!(f, "{}", id.simple()),
        }
    }
}

impl FromStr for DeliveryRef {
    type Err = crate::InvalidText;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let event = || {
            let (ms, number) = text.split_once('-')?;
            Some(Self::Event { ms: ms.parse().ok()?, number: number.parse().ok()? })
        };
        let own = || text.parse().ok().map(Self::Own);
        event().or_else(own).ok_or(crate::InvalidText { what: "delivery", rule: "must be one of the endpoint's" })
    }
}

/// How far a message has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryStatus {
    /// It is still to be sent, for the first time or again.
    Pending,
    /// The receiver answered with 2xx.
    Delivered,
    /// It was given up.
    Failed,
}

/// One try to send a message.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct WebhookAttempt {
    /// When it began.
    pub at: DateTime<Utc>,
    /// The status that was answered; null where nothing was.
    pub status: Option<u16>,
    /// How long it took, in milliseconds.
    pub latency_ms: u64,
    /// Why nothing was answered.
    pub error: Option<String>,
    /// The first bytes of the answer.
    pub response: Option<String>,
}

/// One message to one endpoint.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct WebhookDelivery {
    /// What it tells, in one word: an event's kind, or one of our own.
    #[serde(rename = "type")]
    pub kind: String,
    /// The job or task that it is of; messages of one follow each other in order.
    pub subject: String,
    /// When it happened.
    pub timestamp: DateTime<Utc>,
    /// How far it has come.
    pub status: DeliveryStatus,
    /// Tries since it was put in, or put in again.
    pub tries: usize,
    /// The latest tries, oldest first.
    #[serde(default)]
    pub attempts: Vec<WebhookAttempt>,
    /// When it is tried next, in ms since 1970; 0: as soon as can be.
    #[serde(default)]
    pub due_ms: i64,
}

impl WebhookDelivery {
    /// A message that nobody has tried to send yet.
    #[must_use]
    pub fn new(kind: &str, subject: String, timestamp: DateTime<Utc>) -> Self {
        let status = DeliveryStatus::Pending;
        Self { kind: kind.to_owned(), subject, timestamp, status, tries: 0, attempts: Vec::new(), due_ms: 0 }
    }

    /// The same, to be sent once more as if it never had been.
    #[must_use]
    pub fn reset_for_redelivery(self) -> Self {
        Self { status: DeliveryStatus::Pending, tries: 0, due_ms: 0, ..self }
    }

    /// Writes down a try.
    pub fn tried(&mut self, attempt: WebhookAttempt) {
        self.tries += 1;
        self.attempts.push(attempt);
        if self.attempts.len() > ATTEMPTS_KEPT {
            self.attempts.remove(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_known_by_its_endpoint_and_its_place() {
        let (mine, other) = (WebhookId::new(), WebhookId::new());
        for place in [DeliveryRef::Event { ms: 1_700_000_000_000, number: 3 }, DeliveryRef::Own(uuid::Uuid::now_v7())] {
            let id = place.message_id(mine);
            assert!(!id.contains('.'), "a dot would blur what is signed");
            assert_eq!(DeliveryRef::of_message(mine, &id), Some(place));
            assert_eq!(DeliveryRef::of_message(other, &id), None);
        }
    }

    #[test]
    fn events_are_in_the_order_of_the_stream() {
        let place = |text: &str| text.parse::<DeliveryRef>().unwrap();
        assert!(place("9-0") < place("10-0") && place("10-2") < place("10-10"));
        assert_eq!(place("10-0").before().as_deref(), Some("9-18446744073709551615"));
        assert_eq!(place("10-5").before().as_deref(), Some("10-4"));
        assert!("10".parse::<DeliveryRef>().is_err() && "a-b".parse::<DeliveryRef>().is_err());
    }
}
