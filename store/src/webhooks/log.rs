//! What was sent to an endpoint, and what somebody wants to be sent again.

use super::{MAX_LOGGED, MAX_UNSENT, SHARED};
use crate::{
    Error, Store,
    script::{LuaScript, QUEUE},
};
use chrono::{DateTime, Utc};
use gleaner_model::{DeliveryRef, Page, TenantId, WebhookDelivery, WebhookId};
use std::sync::LazyLock;

static SEND: LazyLock<LuaScript> =
    LazyLock::new(|| LuaScript::new(&[QUEUE, SHARED, include_str!("../scripts/webhook_send.lua")]));
static REPLAY: LazyLock<LuaScript> =
    LazyLock::new(|| LuaScript::new(&[QUEUE, SHARED, include_str!("../scripts/webhook_replay.lua")]));
static LOG: LazyLock<LuaScript> =
    LazyLock::new(|| LuaScript::new(&[QUEUE, SHARED, include_str!("../scripts/webhook_log.lua")]));

/// A message as it is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoggedDelivery {
    /// Which message of the endpoint it is.
    pub place: DeliveryRef,
    /// What became of it.
    pub message: WebhookDelivery,
}

/// What became of a wish to send something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QueueOutcome {
    /// A worker sends it soon.
    Queued,
    /// There is no such endpoint.
    Missing,
    /// Nothing is sent to the endpoint.
    Disabled,
    /// Too much waits for the endpoint.
    Full,
}

impl QueueOutcome {
    fn read(word: &str) -> Self {
        match word {
            "queued" => Self::Queued,
            "disabled" => Self::Disabled,
            "full" => Self::Full,
            _ => Self::Missing,
        }
    }
}

impl Store {
    /// Puts a message in by hand, to be sent as soon as can be.
    ///
    /// # Errors
    /// When the store cannot be asked.
    pub async fn send_to_webhook(
        &self,
        tenant: &TenantId,
        id: WebhookId,
        place: DeliveryRef,
        message: &WebhookDelivery,
    ) -> Result<QueueOutcome, Error> {
        let json = serde_json::to_string(message).map_err(Error::corrupt)?;
        let call = self.webhook_call(&SEND, tenant, id).show(place).arg(&json).show(MAX_UNSENT).show(MAX_LOGGED);
        call.run::<String>(&self.0.connection).await.map(|word| QueueOutcome::read(&word))
    }

    /// Sends everything again that has happened since a time, as far as it is kept.
    ///
    /// # Errors
    /// When the store cannot be asked.
    pub async fn replay_to_webhook(
        &self,
        tenant: &TenantId,
        id: WebhookId,
        since: DateTime<Utc>,
    ) -> Result<QueueOutcome, Error> {
        let call = self.webhook_call(&REPLAY, tenant, id).show(since.timestamp_millis().max(0));
        call.run::<String>(&self.0.connection).await.map(|word| QueueOutcome::read(&word))
    }

    /// The messages to an endpoint, the last first; `None` when there is no such endpoint.
    ///
    /// # Errors
    /// [`Error::InvalidCursor`], else when the store cannot be asked.
    pub async fn webhook_deliveries(
        &self,
        tenant: &TenantId,
        id: WebhookId,
        limit: usize,
        cursor: Option<&str>,
    ) -> Result<Option<Page<LoggedDelivery>>, Error> {
        if cursor.is_some_and(|text| text.len() > 15 || text.parse::<u64>().is_err()) {
            return Err(Error::InvalidCursor);
        }
        type Row = (String, Option<String>, String, String);
        let call = self.webhook_call(&LOG, tenant, id).arg(cursor.unwrap_or_default()).show(limit + 1);
        let Some(mut rows) = call.run::<Option<Vec<Row>>>(&self.0.connection).await? else { return Ok(None) };
        let more = rows.len() > limit;
        rows.truncate(limit);
        let next_cursor = rows.last().filter(|_| more).map(|(.., place)| place.clone());
        let items = rows.into_iter().filter_map(|(place, json, due, _)| Some(logged(&place, &json?, &due)));
        Ok(Some(Page { items: items.collect::<Result<_, _>>()?, next_cursor }))
    }

    /// One message to an endpoint.
    ///
    /// # Errors
    /// When the store cannot be asked, or the record cannot be read.
    pub async fn webhook_delivery(
        &self,
        tenant: &TenantId,
        id: WebhookId,
        place: DeliveryRef,
    ) -> Result<Option<WebhookDelivery>, Error> {
        let key = self.0.keys.tenant(tenant, &format!("message:{id}"));
        let json: Option<String> = self.0.connection.query(redis::cmd("HGET").arg(key).arg(place.to_string())).await?;
        json.map(|json| serde_json::from_str(&json).map_err(Error::corrupt)).transpose()
    }
}

fn logged(place: &str, json: &str, due: &str) -> Result<LoggedDelivery, Error> {
    let mut message: WebhookDelivery = serde_json::from_str(json).map_err(Error::corrupt)?;
    message.due_ms = due.parse().unwrap_or(0);
    Ok(LoggedDelivery { place: place.parse().map_err(Error::corrupt)?, message })
}
