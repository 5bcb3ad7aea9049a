//! What is handed to [`crate::Store::accept`], and what comes back.

use crate::{RateLimit, RateState};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use gleaner_model::{Item, Job, JobId, Subject, TenantId, TokenId};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// A checked submission and all that decides whether it may come in.
#[derive(Clone)]
pub struct Admission {
    /// The id that the job gets if this is a new one. Repeating the call with the same id accepts it once.
    pub job_id: JobId,
    /// Whose item it is.
    pub tenant: TenantId,
    /// Who submits: the rate counts by token.
    pub token_id: TokenId,
    /// Who the token speaks for; the worker needs it to tell who "me" is.
    pub subject: Subject,
    /// The content.
    pub item: Item,
    /// Whether the client named `occurred_at`: an item without it is the same item when it is sent again later.
    pub occurred_at_given: bool,
    /// The client's `Idempotency-Key`, unquoted.
    pub client_key: Option<String>,
    /// How many submissions the token may make.
    pub rate: RateLimit,
    /// How many all of the tenant's tokens may make together.
    pub tenant_rate: RateLimit,
    /// Most unfinished jobs of the tenant; 0: any number.
    pub backlog_cap: u64,
    /// The request's id, for the worker's log.
    pub request_id: String,
    /// The W3C trace context that the worker goes on with.
    pub traceparent: Option<String>,
}

impl std::fmt::Debug for Admission {
    /// Without the content: no transcript in a log.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Admission")
            .field("job_id", &self.job_id)
            .field("tenant", &self.tenant)
            .field("token_id", &self.token_id)
            .field("item", &self.item.key)
            .finish_non_exhaustive()
    }
}

impl Admission {
    /// The key under which a repetition is recognised: the client's, else one derived from tenant, item and content.
    #[must_use]
    pub fn idempotency_key(&self) -> String {
        self.client_key.clone().unwrap_or_else(|| self.derived_key(&self.fingerprint()))
    }

    pub(crate) fn fingerprint(&self) -> String {
        fingerprint(&self.item, self.occurred_at_given)
    }

    pub(crate) fn derived_key(&self, fingerprint: &str) -> String {
        let key = &self.item.key;
        digest([self.tenant.as_str(), key.source_type.as_str(), key.external_id.as_str(), fingerprint])
    }
}

/// What the content of a submission is known by: transcript, title, time as given and metadata, as base64url of
/// SHA-256.
#[must_use]
pub fn fingerprint(item: &Item, occurred_at_given: bool) -> String {
    let time = if occurred_at_given { item.occurred_at.to_string() } else { String::new() };
    let fixed = [item.transcript.as_str(), item.title.as_deref().unwrap_or_default(), &time];
    digest(fixed.into_iter().chain(item.metadata.iter().flat_map(|(key, value)| [key.as_str(), value.as_str()])))
}

/// SHA-256 over texts of any length, told apart by their lengths.
fn digest<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let mut hash = Sha256::new();
    for text in texts {
        hash.update((text.len() as u64).to_be_bytes());
        hash.update(text);
    }
    URL_SAFE_NO_PAD.encode(hash.finalize())
}

/// What became of a submission, and of the token's rate (none: it has no limit, or the call was a repetition).
#[derive(Clone, PartialEq, Debug)]
pub struct Admitted {
    /// What became of it.
    pub outcome: AcceptOutcome,
    /// Where the token's rate stands.
    pub rate: Option<RateState>,
}

/// What became of a submission.
#[derive(Clone, PartialEq, Debug)]
pub enum AcceptOutcome {
    /// It is in the store and waits for a worker, under a new id or, if its job had failed, under that one's.
    Queued {
        /// The job.
        job: Job,
    },
    /// It was there before; nothing was queued.
    Replayed {
        /// The job of the first submission, as it stands now.
        job: Job,
    },
    /// The client's key belongs to other content.
    KeyReused,
    /// The token's rate is used up.
    RateLimited {
        /// Seconds after which the submission may be tried again.
        retry_after_s: u32,
    },
    /// The tenant has too many unfinished jobs.
    Backlog {
        /// Seconds after which the submission may be tried again.
        retry_after_s: u32,
    },
    /// The tenant would hold more of the store's memory than is free (`crowding` in accept.lua).
    MemoryShareExceeded {
        /// Seconds after which the submission may be tried again.
        retry_after_s: u32,
    },
}

/// What the worker needs of a submission; the only copy of the transcript, gone when the job has succeeded.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Payload {
    /// The content.
    pub item: Item,
    /// Who the token that submitted it speaks for.
    pub subject: Subject,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn item(body: serde_json::Value) -> Item {
        let serde_json::Value::Object(body) = body else { panic!("an object") };
        Item::from_json(body, "2026-03-03T15:00:00Z".parse().unwrap(), 0).unwrap().0
    }

    #[test]
    fn only_what_the_client_said_counts_as_content() {
        let base = json!({"source_type": "note", "external_id": "n", "transcript": "x"});
        let with = |member: &str, value: &str| {
            let mut body = base.clone();
            body[member] = value.into();
            item(body)
        };
        let plain = fingerprint(&item(base.clone()), false);
        let mut later = item(base.clone());
        later.occurred_at = "2027-01-01T00:00:00Z".parse().unwrap();
        assert_eq!(plain, fingerprint(&later, false), "the time of receipt is not content");
        assert_ne!(plain, fingerprint(&later, true));
        assert_ne!(plain, fingerprint(&with("title", "t"), false));
        assert_ne!(plain, fingerprint(&with("transcript", "x "), false));
        assert_eq!(plain, fingerprint(&with("external_id", "m"), false), "the item's name is not content");
    }
}
