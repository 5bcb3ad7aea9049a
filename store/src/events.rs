//! The tenant's events, kept for clients that resume.

use crate::{Error, Store, jobs::named_job, reply::Fields};
use gleaner_model::{Event, EventKind, TenantId};

impl Store {
    /// The tenant's events after that id (none: from the oldest kept), oldest first, at most `limit`. Those of kinds that this
    /// release does not know are left out.
    ///
    /// # Errors
    /// [`Error::InvalidCursor`] when `after` is no event's id; else when the store cannot be asked.
    pub async fn events_after(
        &self,
        tenant: &TenantId,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<Event>, Error> {
        self.settled(tenant).await?;
        let (mut found, mut after) = (Vec::new(), after.map(str::to_owned));
        loop {
            let page = self.events_between(tenant, after.as_deref(), "+", limit).await?;
            let ended = page.len() < limit;
            after = page.last().map(|event| event.id.clone());
            // One that a newer release wrote is of a kind that nobody here could ask for.
            found.extend(page.into_iter().filter_map(StoredEvent::known));
            if ended || found.len() >= limit {
                found.truncate(limit);
                return Ok(found);
            }
        }
    }

    /// Events after `after` up to and including `last`, oldest first, at most `limit`; does nothing that comes first.
    pub(crate) async fn events_between(
        &self,
        tenant: &TenantId,
        after: Option<&str>,
        last: &str,
        limit: usize,
    ) -> Result<Vec<StoredEvent>, Error> {
        let from = match after {
            Some(id) if is_event_id(id) => format!("({id}"),
            Some(_) => return Err(Error::InvalidCursor),
            None => "-".to_owned(),
        };
        let mut cmd = redis::cmd("XRANGE");
        cmd.arg(self.0.keys.tenant(tenant, "events")).arg(from).arg(last).arg("COUNT").arg(limit);
        let entries: Vec<(String, Fields)> = self.0.connection.query(&cmd).await?;
        entries.into_iter().map(|(id, fields)| read_event(id, &fields)).collect()
    }

    /// The id of the tenant's last event; `None` when there is none (any more).
    ///
    /// # Errors
    /// When the store cannot be asked.
    pub async fn last_event_id(&self, tenant: &TenantId) -> Result<Option<String>, Error> {
        let mut cmd = redis::cmd("XREVRANGE");
        cmd.arg(self.0.keys.tenant(tenant, "events")).arg(&["+", "-", "COUNT", "1"]);
        let last: Vec<(String, Fields)> = self.0.connection.query(&cmd).await?;
        Ok(last.into_iter().next().map(|(id, _)| id))
    }

    /// Resolves when no erasure is under way, and all tasks of jobs that have ended are there.
    async fn settled(&self, tenant: &TenantId) -> Result<(), Error> {
        let keys = ["landing", "erasing"].map(|name| self.0.keys.tenant(tenant, name));
        match self.0.connection.query::<u8>(redis::cmd("EXISTS").arg(&keys)).await? {
            0 => Ok(()),
            _ => self.settle(tenant).await,
        }
    }
}

/// `<ms>-<number>`, or `<ms>` alone.
fn is_event_id(text: &str) -> bool {
    let (ms, number) = text.split_once('-').unwrap_or((text, "0"));
    ms.parse::<u64>().is_ok() && number.parse::<u64>().is_ok()
}

/// An event as it is kept.
pub(crate) struct StoredEvent {
    pub(crate) id: String,
    /// None: a newer release knows it.
    kind: Option<EventKind>,
    pub(crate) data: String,
}

impl StoredEvent {
    fn known(self) -> Option<Event> {
        let Self { id, kind, data } = self;
        kind.map(|kind| Event { id, kind, data })
    }
}

fn read_event(id: String, fields: &Fields) -> Result<StoredEvent, Error> {
    let wrong = |why: &str| Error::corrupt(format!("event {id} {why}"));
    let name = fields.get("kind").ok_or_else(|| wrong("has no kind"))?;
    let kind = EventKind::ALL.into_iter().find(|kind| kind.as_str() == name);
    let data = match (fields.get("data"), fields.get("job")) {
        (Some(json), _) => json.clone(),
        // Whatever else a newer release keeps of it.
        _ if kind.is_none() => String::new(),
        (None, Some(job)) => job_json(job)?,
        (None, None) => return Err(wrong("has no data")),
    };
    Ok(StoredEvent { id, kind, data })
}

/// A job's event holds its id and the fields of its record at that time, as `[id, [field, value, …]]`.
fn job_json(text: &str) -> Result<String, Error> {
    let (id, flat): (String, Vec<String>) = serde_json::from_str(text).map_err(Error::corrupt)?;
    let fields = flat.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect();
    serde_json::to_string(&named_job(&id, &fields)?).map_err(Error::corrupt)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_streams_own_ids_resume_it() {
        for good in ["0", "1700000000000-0", "1700000000000"] {
            assert!(is_event_id(good), "{good}");
        }
        for bad in ["", "-", "+", "$", "1-", "x-1", "1-0-0"] {
            assert!(!is_event_id(bad), "{bad}");
        }
    }
}
