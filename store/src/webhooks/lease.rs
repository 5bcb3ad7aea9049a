//! Who sends to an endpoint: one worker at a time, for as long as it sends heartbeats.

use super::{MAX_LOGGED, SHARED, StoredWebhook, ms, read};
use crate::{
    Error, Store,
    reply::{Fields, time},
    script::{LuaScript, QUEUE, append_list},
};
use chrono::{DateTime, Utc};
use gleaner_model::{DeliveryRef, Event, TenantId, WebhookDelivery};
use std::{sync::LazyLock, time::Duration};

static TAKE: LazyLock<LuaScript> =
    LazyLock::new(|| LuaScript::new(&[QUEUE, SHARED, include_str!("../scripts/webhook_take.lua")]));
static PROGRESS: LazyLock<LuaScript> =
    LazyLock::new(|| LuaScript::new(&[QUEUE, SHARED, include_str!("../scripts/webhook_progress.lua")]));

/// How long a worker may be silent before another sends to the endpoint.
pub(super) const LEASE: Duration = Duration::from_secs(10);
/// How often an endpoint is looked at for which there was nothing: events may come without anybody noticing.
const IDLE: Duration = Duration::from_secs(2);

/// An endpoint that this process sends to.
#[derive(Clone, Debug)]
pub struct WebhookLease {
    /// Whose it is.
    pub tenant: TenantId,
    /// The endpoint as it was when the lease began.
    pub stored: StoredWebhook,
    /// The id of the tenant's event up to which all have been handed on.
    pub cursor: String,
    /// What is still to be sent.
    pub unsent: Vec<(DeliveryRef, WebhookDelivery)>,
    /// When it was handed out, by the store's clock: that of a worker may be wrong, and others go by this one.
    pub taken_at: DateTime<Utc>,
    lease: String,
    moved: String,
}

/// What became of messages, and of the endpoint.
#[derive(Clone, Debug, Default)]
pub struct WebhookProgress {
    /// The id of the event up to which all have been handed on; `None`: as before.
    pub cursor: Option<String>,
    /// Attempts in a row that failed.
    pub failures: u32,
    /// When the first of them was.
    pub failing_since: Option<DateTime<Utc>>,
    /// Why nothing is to be sent any more.
    pub disabled: Option<String>,
    /// When events were found to have gone before they could be sent.
    pub missed_at: Option<DateTime<Utc>>,
    /// Messages, each as it is now.
    pub messages: Vec<(DeliveryRef, WebhookDelivery)>,
    /// Ends the lease: when to look again.
    pub release: Option<DateTime<Utc>>,
}

/// Whether progress was written down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeaseRenewal {
    /// It was; the endpoint has this revision.
    Held(u64),
    /// The lease is somebody else's, or the endpoint is gone: nothing was written.
    Lost,
}

impl Store {
    /// Leases at most `most` endpoints that have something to be sent: those of `tenant`, or without one those of all tenants.
    ///
    /// # Errors
    /// When the store cannot be asked.
    pub async fn lease_webhooks(&self, tenant: Option<&TenantId>, most: usize) -> Result<Vec<WebhookLease>, Error> {
        let partitions = match tenant {
            Some(tenant) => {
                let partition = self.0.keys.partition_of(tenant);
                partition..partition + 1
            }
            None => 0..self.0.keys.partitions(),
        };
        let mut leases = Vec::new();
        for partition in partitions {
            if leases.len() < most {
                leases.extend(self.lease_in(partition, tenant, most - leases.len()).await?);
            }
        }
        Ok(leases)
    }

    async fn lease_in(
        &self,
        partition: u16,
        tenant: Option<&TenantId>,
        most: usize,
    ) -> Result<Vec<WebhookLease>, Error> {
        let lease = format!("{:032x}", rand::random::<u128>());
        let mut call = self.partition_call(&TAKE, partition).arg(&lease);
        call = call.show(LEASE.as_millis()).show(IDLE.as_millis()).show(most);
        if let Some(tenant) = tenant {
            call = call.arg(tenant.as_str());
        }
        let (now, rows): (i64, Vec<LeaseRow>) = call.run(&self.0.connection).await?;
        let taken_at = time(now)?;
        let leases = rows.into_iter().filter_map(|row| {
            let tenant = row.0.clone();
            read_lease(row, &lease, taken_at).unwrap_or_else(|error| {
                tracing::error!(error = %error, tenant, "Cannot read an endpoint; nothing is sent to it");
                None
            })
        });
        Ok(leases.collect())
    }

    /// Writes down what became of messages, and keeps the lease or ends it. Failures count only where nobody has changed the
    /// endpoint since the lease began.
    ///
    /// # Errors
    /// When the store cannot be asked.
    pub async fn record_webhook(
        &self,
        lease: &WebhookLease,
        progress: &WebhookProgress,
    ) -> Result<LeaseRenewal, Error> {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let fields = [
            ("lease", lease.lease.clone()),
            ("time", LEASE.as_millis().to_string()),
            ("next_look", ms(progress.release)),
            ("moved", lease.moved.clone()),
            ("rev", lease.stored.rev.to_string()),
            ("cursor", text(&progress.cursor)),
            ("failures", progress.failures.to_string()),
            ("failing_since", ms(progress.failing_since)),
            ("disabled_why", text(&progress.disabled)),
            ("missed_at", ms(progress.missed_at)),
            ("most", MAX_LOGGED.to_string()),
        ];
        let fields: Vec<_> = fields.into_iter().flat_map(|(name, value)| [name.to_owned(), value]).collect();
        let mut messages = Vec::with_capacity(3 * progress.messages.len());
        for (place, message) in &progress.messages {
            let pending = message.status == gleaner_model::DeliveryStatus::Pending;
            let due = if pending { message.due_ms.to_string() } else { String::new() };
            messages.extend([place.to_string(), serde_json::to_string(message).map_err(Error::corrupt)?, due]);
        }
        let call = self.webhook_call(&PROGRESS, &lease.tenant, lease.stored.webhook.id);
        let call = append_list(append_list(call, &fields), &messages);
        let rev: String = call.run(&self.0.connection).await?;
        Ok(rev.parse().map_or(LeaseRenewal::Lost, LeaseRenewal::Held))
    }

    /// The event of that place; `None` when it is no longer kept, or was erased.
    ///
    /// # Errors
    /// When the store cannot be asked.
    pub async fn event_at(&self, tenant: &TenantId, place: DeliveryRef) -> Result<Option<Event>, Error> {
        let Some(before) = place.before() else { return Ok(None) };
        let found = self.events_after(tenant, Some(&before), 1).await?;
        Ok(found.into_iter().next().filter(|event| event.id == place.to_string()))
    }

    /// The last event that was forgotten because there were too many or it was too old; `None` when there never were.
    ///
    /// # Errors
    /// When the store cannot be asked.
    pub async fn last_trimmed_event(&self, tenant: &TenantId) -> Result<Option<String>, Error> {
        self.0.connection.query(redis::cmd("GET").arg(self.0.keys.tenant(tenant, "trimmed"))).await
    }
}

impl WebhookLease {
    /// How long the lease holds without a heartbeat.
    pub const TIME: Duration = LEASE;
}

/// Tenant, record, what is to be sent by when, and its messages.
type LeaseRow = (String, Fields, Vec<String>, Vec<Option<String>>);

/// One endpoint that was handed out; `None` where it is gone.
fn read_lease(
    (tenant, fields, unsent, messages): LeaseRow,
    lease: &str,
    taken_at: DateTime<Utc>,
) -> Result<Option<WebhookLease>, Error> {
    let Some(stored) = read(&fields)? else { return Ok(None) };
    let of = |name: &str| fields.get(name).cloned().unwrap_or_default();
    Ok(Some(WebhookLease {
        tenant: tenant.parse().map_err(Error::corrupt)?,
        stored,
        cursor: of("cursor"),
        unsent: messages_of(&unsent, &messages)?,
        taken_at,
        lease: lease.to_owned(),
        moved: of("moved"),
    }))
}

/// `refs` holds each ref and when it is due.
fn messages_of(refs: &[String], messages: &[Option<String>]) -> Result<Vec<(DeliveryRef, WebhookDelivery)>, Error> {
    let mut out = Vec::with_capacity(messages.len());
    for (pair, json) in refs.chunks_exact(2).zip(messages) {
        let Some(json) = json else { continue };
        let mut message: WebhookDelivery = serde_json::from_str(json).map_err(Error::corrupt)?;
        message.due_ms = pair[1].parse().unwrap_or(0);
        out.push((pair[0].parse().map_err(Error::corrupt)?, message));
    }
    Ok(out)
}
