//! News between processes: small messages on one channel, heard on one connection a process and handed on to all who
//! listen. A message may get lost (a connection breaks), so nobody may rely on it alone.

use crate::{Error, Store, connection::Connection};
use futures::StreamExt;
use gleaner_model::{JobId, TenantId, TokenHash};
use redis::aio::PubSub;
use std::{sync::Weak, time::Duration};
use tokio::{sync::broadcast, time};

/// How many messages a slow listener may be behind before it is told that it missed some.
const BUFFER: usize = 1024;
/// How long a silent connection is trusted before it is asked whether it is still there.
const SILENCE: Duration = Duration::from_secs(2);

/// What has changed in the store, for every process that listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// The credential of that hash was written or removed.
    Credential(TokenHash),
    /// The job ended, or was queued anew; the tenant has new events as well.
    Job(TenantId, JobId),
    /// The tenant has new events.
    Events(TenantId),
    /// The connection was lost for a while: anything may have changed.
    Missed,
}

impl Notice {
    /// Reads a message; `None` when it is of a kind that this version does not know.
    fn read(text: &str) -> Option<Self> {
        let mut words = text.split(' ');
        Some(match (words.next()?, words.next()?, words.next()) {
            ("credential", hash, None) => Self::Credential(format!("sha256:{hash}").parse().ok()?),
            ("job", tenant, Some(job)) => Self::Job(tenant.parse().ok()?, job.parse().ok()?),
            ("events", tenant, None) => Self::Events(tenant.parse().ok()?),
            _ => return None,
        })
    }
}

impl Store {
    /// Listens to what changes from now on. All listeners of a process share one connection.
    #[must_use]
    pub fn notices(&self) -> broadcast::Receiver<Notice> {
        let sender = self.0.notices.get_or_init(|| {
            let (sender, _) = broadcast::channel(BUFFER);
            let (connection, channel) = (self.0.connection.clone(), self.0.keys.notices());
            tokio::spawn(listen(connection, channel, sender.clone(), std::sync::Arc::downgrade(&self.0)));
            sender
        });
        sender.subscribe()
    }
}

/// Hands messages on until the store is dropped.
async fn listen(
    connection: Connection,
    channel: String,
    sender: broadcast::Sender<Notice>,
    store: Weak<crate::StoreInner>,
) {
    let mut first = true;
    while store.strong_count() > 0 {
        match connection.subscribe(&channel).await {
            Ok(mut subscription) => {
                if !std::mem::take(&mut first) {
                    // Nobody listening is no failure.
                    let _ = sender.send(Notice::Missed);
                }
                let end = hand_on(&mut subscription, &sender, &store).await;
                tracing::debug!(error = ?end.err(), "The connection for notices ended");
            }
            Err(error) => tracing::debug!(%error, "No connection for notices yet"),
        }
        time::sleep(Duration::from_millis(200)).await;
    }
}

async fn hand_on(
    subscription: &mut PubSub,
    sender: &broadcast::Sender<Notice>,
    store: &Weak<crate::StoreInner>,
) -> Result<(), Error> {
    while store.strong_count() > 0 {
        match next(subscription).await? {
            Some(text) => {
                if let Some(notice) = Notice::read(&text) {
                    let _ = sender.send(notice);
                }
            }
            None => alive(subscription).await?,
        }
    }
    Ok(())
}

/// The next message, or none after a while of silence.
pub(crate) async fn next(subscription: &mut PubSub) -> Result<Option<String>, Error> {
    next_within(subscription, SILENCE).await
}

/// The next message, or none when `wait` is over.
pub(crate) async fn next_within(subscription: &mut PubSub, wait: Duration) -> Result<Option<String>, Error> {
    match time::timeout(wait, subscription.on_message().next()).await {
        Ok(Some(message)) => Ok(Some(String::from_utf8_lossy(message.get_payload_bytes()).into_owned())),
        Ok(None) => Err(Error::Unavailable("the subscription ended".to_owned())),
        Err(_) => Ok(None),
    }
}

/// Makes sure that a silent subscription is silent because there is nothing to say.
pub(crate) async fn alive(subscription: &mut PubSub) -> Result<(), Error> {
    match time::timeout(SILENCE, subscription.ping::<redis::Value>()).await {
        Ok(answer) => answer.map(drop).map_err(Error::from),
        Err(_) => Err(Error::Unavailable("the subscription does not answer".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_reads_back_and_an_unknown_one_is_left_alone() {
        let (hash, job) = (TokenHash::of("t"), JobId::new());
        assert_eq!(Notice::read(&format!("credential {}", hash.hex())), Some(Notice::Credential(hash)));
        let tenant = TenantId::default();
        assert_eq!(Notice::read(&format!("job default {job}")), Some(Notice::Job(tenant.clone(), job)));
        assert_eq!(Notice::read("events default"), Some(Notice::Events(tenant)));
        for other in ["", "job", "job default", "credential zz", "later words"] {
            assert_eq!(Notice::read(other), None, "{other}");
        }
    }
}
