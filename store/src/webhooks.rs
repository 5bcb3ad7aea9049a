//! Webhooks: which endpoints a tenant has, and how far each has been told what happened.
//!
//! Nothing is written for them when something happens: each endpoint has a cursor in the tenant's stream of events,
//! which is written in the same step as the change. A worker leases an endpoint ([`Store::lease_webhooks`]), sends what
//! lies behind its cursor, and writes down what became of it.

mod lease;
mod log;

pub use lease::{LeaseRenewal, WebhookLease, WebhookProgress};
pub use log::{LoggedDelivery, QueueOutcome};

use crate::{
    Error, Store,
    reply::Fields,
    script::{Call, LuaScript, QUEUE},
};
use chrono::{DateTime, Utc};
use gleaner_model::{TenantId, Webhook, WebhookId};
use std::sync::LazyLock;

/// What scripts on webhooks share.
const SHARED: &str = include_str!("scripts/lib/webhooks.lua");

static PUT: LazyLock<LuaScript> =
    LazyLock::new(|| LuaScript::new(&[QUEUE, SHARED, include_str!("scripts/webhook_put.lua")]));
static REMOVE: LazyLock<LuaScript> =
    LazyLock::new(|| LuaScript::new(&[QUEUE, SHARED, include_str!("scripts/webhook_remove.lua")]));
static LIST: LazyLock<LuaScript> =
    LazyLock::new(|| LuaScript::new(&[QUEUE, SHARED, include_str!("scripts/webhook_list.lua")]));

/// Messages to one endpoint that may wait to be tried again; what comes then waits in the tenant's stream of events.
pub const MAX_UNSENT: usize = 1_000;
/// Messages of one endpoint that are kept to be looked at.
const MAX_LOGGED: usize = 500;

/// What has become of an endpoint.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WebhookState {
    /// Attempts in a row that failed.
    pub failures: u32,
    /// When the first of them was.
    pub failing_since: Option<DateTime<Utc>>,
    /// When nothing was sent any more, and why.
    pub disabled: Option<(DateTime<Utc>, String)>,
    /// When events were last found to have gone before they could be sent.
    pub missed_at: Option<DateTime<Utc>>,
}

/// An endpoint as it is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredWebhook {
    /// The endpoint as somebody set it up.
    pub webhook: Webhook,
    /// What has become of it.
    pub state: WebhookState,
    /// Counts what people change.
    pub rev: u64,
}

/// What became of an endpoint that was to be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WebhookWriteOutcome {
    /// It is there now.
    Written,
    /// Somebody changed it meanwhile: read it again.
    Conflict,
    /// The tenant has as many as it may have.
    Full,
}

/// How an endpoint is written.
#[derive(Clone, Copy, Debug)]
pub struct WebhookPut {
    /// The revision that was read; 0: there was none.
    pub rev: u64,
    /// Most endpoints of a tenant.
    pub most: u32,
    /// Whether past failures are forgotten, and what waits is sent at once.
    pub reset: bool,
}

impl Store {
    /// Writes an endpoint, as long as it has that revision.
    ///
    /// # Errors
    /// When the store cannot be asked.
    pub async fn put_webhook(
        &self,
        tenant: &TenantId,
        webhook: &Webhook,
        put: WebhookPut,
    ) -> Result<WebhookWriteOutcome, Error> {
        let json = serde_json::to_string(webhook).map_err(Error::corrupt)?;
        let call = self.tenant_call(&PUT, tenant).show(webhook.id).arg(&json).show(u8::from(!webhook.enabled));
        let call = call.show(put.rev).show(put.most).show(u8::from(put.reset));
        Ok(match call.run::<String>(&self.0.connection).await?.as_str() {
            "written" => WebhookWriteOutcome::Written,
            "full" => WebhookWriteOutcome::Full,
            _ => WebhookWriteOutcome::Conflict,
        })
    }

    /// Removes an endpoint with all that is kept of it. False when there was none.
    ///
    /// # Errors
    /// When the store cannot be asked.
    pub async fn remove_webhook(&self, tenant: &TenantId, id: WebhookId) -> Result<bool, Error> {
        self.tenant_call(&REMOVE, tenant).show(id).run(&self.0.connection).await
    }

    /// One endpoint of the tenant.
    ///
    /// # Errors
    /// When the store cannot be asked, or the record cannot be read.
    pub async fn webhook(&self, tenant: &TenantId, id: WebhookId) -> Result<Option<StoredWebhook>, Error> {
        let key = self.0.keys.tenant(tenant, &format!("webhook:{id}"));
        read(&self.0.connection.query(redis::cmd("HGETALL").arg(key)).await?)
    }

    /// The tenant's endpoints, oldest first.
    ///
    /// # Errors
    /// As [`Store::webhook`].
    pub async fn webhooks(&self, tenant: &TenantId) -> Result<Vec<StoredWebhook>, Error> {
        let records: Vec<Fields> = self.tenant_call(&LIST, tenant).run(&self.0.connection).await?;
        let mut found = records.iter().filter_map(|fields| read(fields).transpose()).collect::<Result<Vec<_>, _>>()?;
        found.sort_by_key(|stored| stored.webhook.id);
        Ok(found)
    }

    /// The tenant and id of every endpoint.
    ///
    /// # Errors
    /// When the store cannot be asked.
    pub async fn all_webhooks(&self) -> Result<Vec<(TenantId, WebhookId)>, Error> {
        let mut all = Vec::new();
        for partition in 0..self.0.keys.partitions() {
            let key = format!("{}:webhooks", self.0.keys.partition(partition));
            let names: Vec<String> = self.0.connection.query(redis::cmd("ZRANGE").arg(key).arg(&["0", "-1"])).await?;
            let endpoint = |name: &String| {
                let (tenant, id) = name.split_once(' ')?;
                Some((tenant.parse().ok()?, id.parse().ok()?))
            };
            all.extend(names.iter().filter_map(endpoint));
        }
        Ok(all)
    }

    fn webhook_call<'a>(&self, script: &'a LazyLock<LuaScript>, tenant: &'a TenantId, id: WebhookId) -> Call<'a> {
        self.tenant_call(script, tenant).show(id)
    }
}

/// Reads an endpoint's HASH; `None` when there is none.
fn read(fields: &Fields) -> Result<Option<StoredWebhook>, Error> {
    let Some(json) = fields.get("data") else { return Ok(None) };
    let webhook = serde_json::from_str(json).map_err(|error| Error::corrupt(format!("webhook: {error}")))?;
    let number = |name: &str| fields.get(name).and_then(|text| text.parse::<u64>().ok());
    let time = |name: &str| number(name).and_then(|ms| DateTime::from_timestamp_millis(i64::try_from(ms).ok()?));
    let state = WebhookState {
        failures: number("failures").and_then(|count| u32::try_from(count).ok()).unwrap_or(0),
        failing_since: time("failing_since"),
        disabled: time("disabled_at").zip(fields.get("disabled_why").cloned()),
        missed_at: time("missed_at"),
    };
    Ok(Some(StoredWebhook { webhook, state, rev: number("rev").unwrap_or(0) }))
}

/// A time as scripts read it; '' where there is none.
fn ms(time: Option<DateTime<Utc>>) -> String {
    time.map(|time| time.timestamp_millis().to_string()).unwrap_or_default()
}
