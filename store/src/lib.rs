//! Every Redis contract of Gleaner: keys, scripts, streams, records. The only crate that knows Redis.
//!
//! A [`Store`] is a handle that all tasks of a process share. Each write takes effect in one atomic step
//! and may be repeated when its answer was lost. Each command ends within [`StoreConfig::response_timeout`]; a call may
//! make several, such as up to 16 tries where others keep changing the same task. README.md lists every key.

mod accept;
mod admission;
mod batcher;
mod candidates;
mod change;
mod complete;
mod config;
mod connection;
mod credentials;
mod depth;
mod erase;
mod error;
mod events;
mod feedback;
mod index;
mod job_record;
mod jobs;
mod keys;
mod learning;
mod llm;
mod notices;
mod open;
mod rate;
mod reply;
mod script;
mod search;
mod sessions;
mod settle;
mod stream;
mod sweep;
mod tasks;
mod topology;
mod unindexed;
mod webhooks;

pub use admission::{AcceptOutcome, Admission, Admitted, Payload, fingerprint};
pub use candidates::{Candidates, WatchedLinks};
pub use change::TaskChange;
pub use complete::{Completion, Plan};
pub use config::StoreConfig;
pub use credentials::{Credential, Origin, WriteOutcome};
pub use depth::Depth;
pub use error::Error;
pub use jobs::RequeueOutcome;
pub use learning::LearningState;
pub use llm::{LlmAcquireOutcome, LlmEnd, LlmLimits, LlmPermit};
pub use notices::Notice;
pub use rate::{RateLimit, RateState};
pub use search::{Sort, TaskQuery};
pub use stream::{Claim, Consumer, Delivery, Reclaimed, Room, Takeover, Wake};
pub use tasks::Patched;
pub use webhooks::{
    LeaseRenewal, LoggedDelivery, MAX_UNSENT, QueueOutcome, StoredWebhook, WebhookLease, WebhookProgress, WebhookPut,
    WebhookState, WebhookWriteOutcome,
};

use connection::Connection;
use keys::Keys;
use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};
use tokio::sync::broadcast;

/// A handle to the store. Clones share its connections: one for commands, another for submissions where replicas are
/// waited for, and one for notices once somebody listens.
#[derive(Clone)]
pub struct Store(Arc<StoreInner>);

struct StoreInner {
    connection: Connection,
    /// What accepts submissions: a connection of its own where replicas are waited for, as nothing passes by then.
    accepting: Connection,
    keys: Keys,
    /// One for each partition.
    batchers: Vec<batcher::Batcher>,
    job_retention: Duration,
    events_kept: u64,
    events_kept_bytes: u64,
    /// Who settles what comes first, one in each partition at a time.
    settling: Vec<tokio::sync::Mutex<()>>,
    notices: OnceLock<broadcast::Sender<Notice>>,
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Store").field("keys", &self.0.keys).finish_non_exhaustive()
    }
}
