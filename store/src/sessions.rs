//! Sessions of the web app that were ended before their time. A session itself is sealed into a cookie and kept nowhere.

use crate::{Error, Store};
use chrono::{DateTime, Utc};
use uuid::Uuid;

impl Store {
    /// Remembers that a session was ended, for as long as its cookie would open it.
    ///
    /// # Errors
    /// When the store cannot be asked, or has no memory left.
    pub async fn end_session(&self, id: Uuid, ends: DateTime<Utc>) -> Result<(), Error> {
        // By the store's clock and ours it may be over: a moment is remembered all the same.
        let left_ms = (ends - Utc::now()).num_milliseconds().max(1_000);
        let mut cmd = redis::cmd("SET");
        cmd.arg(self.0.keys.ended_session(id)).arg(1).arg("PX").arg(left_ms);
        self.0.connection.query(&cmd).await
    }

    /// Whether a session was ended.
    ///
    /// # Errors
    /// When the store cannot be asked.
    pub async fn session_ended(&self, id: Uuid) -> Result<bool, Error> {
        self.0.connection.query(redis::cmd("EXISTS").arg(self.0.keys.ended_session(id))).await
    }
}
