//! Sends to one endpoint for as long as the lease holds: what lies behind its cursor in the tenant's events, and what is
//! to be tried again. Whatever happens is written down; what is not is sent again by whoever comes next.

use super::{
    WebhookContext, message,
    outbox::{FAILING, Next, Outbox},
    sender::SendOutcome,
};
use chrono::{DateTime, TimeDelta, Utc};
use gleaner_model::{DeliveryRef, DeliveryStatus, WebhookAttempt, WebhookDelivery};
use gleaner_runtime::Shutdown;
use gleaner_store::{Error, LeaseRenewal, MAX_UNSENT, WebhookLease, WebhookProgress};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::{sync::Notify, task::JoinSet, time::sleep};

/// How long a lease is kept though there is nothing to do: who is told of one event is soon told of another.
const IDLE_TIMEOUT: Duration = Duration::from_secs(5);
/// Delay after the store could not be asked.
const RETRY_DELAY: Duration = Duration::from_millis(500);
/// Longest delay between two looks: a few heartbeats within the lease's time, and a wakeup that did not come.
const MAX_LOOK_DELAY: Duration = Duration::from_secs(2);
/// Outcomes that are written down together.
const BATCH: usize = 64;

/// What became of one message.
struct Sent {
    place: DeliveryRef,
    message: WebhookDelivery,
    /// None: what it was to tell is no longer kept.
    attempt: Option<(WebhookAttempt, SendOutcome)>,
}

/// When an endpoint whose sender has ended is to be leased again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NextLease {
    /// At once: somebody changed it.
    AtOnce,
    /// When it is next due.
    WhenDue,
}

pub struct EndpointSender {
    context: Arc<WebhookContext>,
    lease: Arc<WebhookLease>,
    outbox: Outbox,
    under_way: JoinSet<Result<Sent, Error>>,
    failures: u32,
    failing_since: Option<DateTime<Utc>>,
    disabled: Option<String>,
    missed_at: Option<DateTime<Utc>>,
    /// When what the lease says came.
    leased_at: Instant,
    /// Until when nobody else may send.
    held_until: Instant,
    /// When there was last something to do.
    busy_at: Instant,
    /// Whether the stream may hold more than was read.
    more: bool,
    /// Whether somebody changed the endpoint.
    stale: bool,
}

impl EndpointSender {
    pub fn new(context: Arc<WebhookContext>, lease: WebhookLease, asked_at: Instant) -> Self {
        let state = lease.stored.state.clone();
        Self {
            context,
            outbox: Outbox::new(lease.cursor.clone(), lease.unsent.clone(), MAX_UNSENT),
            lease: Arc::new(lease),
            under_way: JoinSet::new(),
            failures: state.failures,
            failing_since: state.failing_since,
            disabled: None,
            missed_at: None,
            leased_at: Instant::now(),
            held_until: asked_at + WebhookLease::TIME,
            busy_at: Instant::now(),
            more: true,
            stale: false,
        }
    }

    /// Sends until there is nothing to be sent for a while, or the lease is lost.
    pub async fn run(mut self, wakeup: Arc<Notify>, shutdown: Shutdown) -> NextLease {
        loop {
            let leaving = self.stale || self.disabled.is_some() || shutdown.is_stopping() || self.has_nothing_to_do();
            if leaving && self.under_way.is_empty() {
                return self.end_lease().await;
            }
            if !leaving {
                if let Err(error) = self.read().await {
                    self.context.trouble(&error);
                    sleep(RETRY_DELAY).await;
                }
                self.begin();
            }
            let delay = self.delay();
            tokio::select! {
                Some(sent) = self.under_way.join_next() => self.collect(sent),
                () = wakeup.notified() => self.more = true,
                () = sleep(delay) => self.more = true,
                () = shutdown.stopping(), if !leaving => {}
            }
            if !self.record_outcome(None).await {
                return NextLease::WhenDue;
            }
        }
    }

    /// Now, by the store's clock.
    fn now(&self) -> DateTime<Utc> {
        self.lease.taken_at + self.leased_at.elapsed()
    }

    fn has_nothing_to_do(&self) -> bool {
        self.busy_at.elapsed() > IDLE_TIMEOUT && self.under_way.is_empty() && !self.is_due_soon()
    }

    fn is_due_soon(&self) -> bool {
        let soon = self.now().timestamp_millis() + i64::try_from(IDLE_TIMEOUT.as_millis()).unwrap_or(i64::MAX);
        self.outbox.due(self.failures).is_some_and(|due| due < soon)
    }

    /// How long nothing needs to be done, unless somebody says so.
    fn delay(&self) -> Duration {
        let now = self.now().timestamp_millis();
        let until_due = self.outbox.due(self.failures).map(|due| u64::try_from(due - now).unwrap_or(0));
        Duration::from_millis(until_due.unwrap_or(u64::MAX).max(10)).min(MAX_LOOK_DELAY)
    }

    /// Reads more of the tenant's events where there is room for them.
    async fn read(&mut self) -> Result<(), Error> {
        let room = self.outbox.room(self.failures);
        if !self.more || room == 0 {
            return Ok(());
        }
        let (store, tenant) = (&self.context.store, &self.lease.tenant);
        let from = self.outbox.read_up_to().to_owned();
        let events = match store.events_after(tenant, Some(&from), room).await {
            Err(Error::InvalidCursor) => store.events_after(tenant, None, room).await?,
            events => events?,
        };
        // Asked afterwards: what goes between the two is at hand already.
        let trimmed = store.last_trimmed_event(tenant).await?;
        let missed = |trimmed: &String| {
            lies_behind(trimmed, &from) && events.first().is_none_or(|event| lies_behind(&event.id, trimmed))
        };
        if let Some(trimmed) = trimmed.filter(missed) {
            self.miss(trimmed);
        }
        self.more = events.len() == room;
        if !events.is_empty() {
            self.busy_at = Instant::now();
        }
        self.outbox.put(events, &self.lease.stored.webhook.events);
        Ok(())
    }

    /// Events have gone before they could be sent: the receiver is told.
    fn miss(&mut self, trimmed: String) {
        let now = self.now();
        tracing::warn!(
            tenant = %self.lease.tenant, webhook.id = %self.lease.stored.webhook.id,
            "Events went before they could be sent to a webhook; its receiver is told"
        );
        let place = DeliveryRef::Own(gleaner_model::WebhookId::new().0);
        self.outbox.add(place, WebhookDelivery::new(message::MISSED, place.to_string(), now));
        self.outbox.skip_to(trimmed);
        self.missed_at = Some(now);
    }

    /// Begins what may be sent now, as long as nobody else may send.
    fn begin(&mut self) {
        let spare = Duration::from_secs(2);
        while Instant::now() + spare < self.held_until {
            let Some(next) = self.outbox.next(self.now().timestamp_millis(), self.failures) else { break };
            self.busy_at = Instant::now();
            self.under_way.spawn(send(self.context.clone(), self.lease.clone(), next, self.now()));
        }
    }

    /// Takes in one message that was under way, and whichever others have ended.
    fn collect(&mut self, first: Result<Result<Sent, Error>, tokio::task::JoinError>) {
        let mut ended = Some(first);
        for _ in 0..BATCH {
            match ended.take().or_else(|| self.under_way.try_join_next()) {
                None => break,
                Some(Ok(Ok(sent))) => self.note(sent),
                // The event could not be looked up, or sending it broke: the lease ends, and somebody begins anew.
                Some(Ok(Err(error))) => {
                    self.context.trouble(&error);
                    self.stale = true;
                }
                Some(Err(error)) => {
                    tracing::error!(error = %error, "Sending to a webhook broke off");
                    self.stale = true;
                }
            }
        }
    }

    fn note(&mut self, sent: Sent) {
        let Sent { place, mut message, attempt } = sent;
        self.busy_at = Instant::now();
        let Some((attempt, verdict)) = attempt else {
            message.status = DeliveryStatus::Failed;
            message.attempts.push(no_longer_kept(self.now()));
            return self.outbox.ended(place, message);
        };
        self.context.metrics.webhook_attempt(verdict == SendOutcome::Delivered);
        let at = attempt.at;
        message.tried(attempt);
        match verdict {
            SendOutcome::Delivered => self.delivered(&mut message),
            SendOutcome::Failed | SendOutcome::Gone => self.failed(&mut message, verdict, at),
        }
        self.outbox.ended(place, message);
    }

    fn delivered(&mut self, message: &mut WebhookDelivery) {
        message.status = DeliveryStatus::Delivered;
        if self.failures >= FAILING {
            self.outbox.release_all();
            self.more = true;
        }
        (self.failures, self.failing_since) = (0, None);
    }

    fn failed(&mut self, message: &mut WebhookDelivery, verdict: SendOutcome, at: DateTime<Utc>) {
        self.failures = self.failures.saturating_add(1);
        let since = *self.failing_since.get_or_insert(at);
        match self.context.config.retry_after(message.tries) {
            Some(pause) => message.due_ms = (self.now() + pause).timestamp_millis(),
            None => message.status = DeliveryStatus::Failed,
        }
        if self.disabled.is_some() {
            return;
        }
        let why = if verdict == SendOutcome::Gone {
            "the receiver answered 410 Gone".to_owned()
        } else if self.now() - since >= self.context.config.disable_after() {
            format!("every attempt since {} failed", since.format("%Y-%m-%dT%H:%M:%SZ"))
        } else {
            return;
        };
        self.context.metrics.webhooks_disabled.inc();
        let (tenant, webhook) = (&self.lease.tenant, self.lease.stored.webhook.id);
        tracing::warn!(tenant = %tenant, webhook.id = %webhook, reason = why, "Disabled a webhook");
        self.disabled = Some(why);
    }

    /// Writes down what has changed, or only that this worker lives. False when the lease is lost.
    async fn record_outcome(&mut self, release: Option<DateTime<Utc>>) -> bool {
        let (cursor, messages) = self.outbox.changes();
        let renew = self.held_until.saturating_duration_since(Instant::now()) + MAX_LOOK_DELAY < WebhookLease::TIME;
        if messages.is_empty() && release.is_none() && !renew && cursor.is_none() {
            return true;
        }
        let progress = WebhookProgress {
            cursor,
            failures: self.failures,
            failing_since: self.failing_since,
            disabled: self.disabled.clone(),
            missed_at: self.missed_at,
            messages,
            release,
        };
        while Instant::now() < self.held_until {
            let asked_at = Instant::now();
            match self.context.store.record_webhook(&self.lease, &progress).await {
                Ok(LeaseRenewal::Held(rev)) => {
                    self.outbox.written();
                    self.held_until = asked_at + WebhookLease::TIME;
                    self.stale |= rev != self.lease.stored.rev;
                    return true;
                }
                Ok(LeaseRenewal::Lost) => return false,
                Err(error) => self.context.trouble(&error),
            }
            sleep(RETRY_DELAY).await;
        }
        false
    }

    /// Ends the lease: whoever comes next begins where this one ended.
    async fn end_lease(mut self) -> NextLease {
        let now = self.now();
        let later = self.outbox.due(0).and_then(DateTime::from_timestamp_millis);
        // A failing endpoint is not looked at before something is due, however much waits for it.
        let look_at = match later {
            Some(due) if self.failures >= FAILING => due.max(now),
            Some(due) => due.clamp(now, now + TimeDelta::seconds(5)),
            None => now,
        };
        let changed = self.stale;
        self.record_outcome(Some(if changed { now } else { look_at })).await;
        if changed { NextLease::AtOnce } else { NextLease::WhenDue }
    }
}

async fn send(
    context: Arc<WebhookContext>,
    lease: Arc<WebhookLease>,
    next: Next,
    now: DateTime<Utc>,
) -> Result<Sent, Error> {
    let Next { place, message, event } = next;
    let webhook = &lease.stored.webhook;
    let event = match (event, place) {
        (None, DeliveryRef::Event { .. }) => match context.store.event_at(&lease.tenant, place).await? {
            None => return Ok(Sent { place, message, attempt: None }),
            found => found,
        },
        (event, _) => event,
    };
    let body = message::body(&message, event.as_ref(), webhook.payload);
    let attempt = context.sender.send(webhook, &place.message_id(webhook.id), body, now).await;
    Ok(Sent { place, message, attempt: Some(attempt) })
}

fn no_longer_kept(at: DateTime<Utc>) -> WebhookAttempt {
    let error = Some("what it was to tell was erased, or is no longer kept".to_owned());
    WebhookAttempt { at, status: None, latency_ms: 0, error, response: None }
}

fn lies_behind(place: &str, other: &str) -> bool {
    match (place.parse::<DeliveryRef>(), other.parse::<DeliveryRef>()) {
        (Ok(place), Ok(other)) => place > other,
        _ => false,
    }
}
