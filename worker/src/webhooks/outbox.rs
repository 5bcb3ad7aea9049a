//! What is to be sent to one endpoint next: messages of one job or task one after another, those of different ones side
//! by side. Knows neither the store nor the network.

use gleaner_model::{DeliveryRef, DeliveryStatus, Event, EventKind, WebhookDelivery};
use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};

/// Messages under way to one endpoint at once.
pub const MAX_CONCURRENT: usize = 8;
/// Most events of an endpoint that are read ahead.
const MAX_AHEAD: usize = 64;
/// Failures in a row from which on an endpoint counts as failing: it is tried with one message at a time, and no more
/// events are read once `PROBES` wait, so that it costs no more than a few attempts an hour however much waits for it.
pub const FAILING: u32 = 4;
/// How many messages a failing endpoint is tried with, one at a time.
const PROBES: usize = 2;

/// An event that was read, until the place in the stream may move beyond it.
struct Ahead {
    place: DeliveryRef,
    /// None: it is sent, given up, put aside, or was not asked for.
    what: Option<(WebhookDelivery, Event)>,
}

/// A message to be sent now; the event where it is at hand.
pub struct Next {
    /// The message, by its place.
    pub place: DeliveryRef,
    /// What was tried before.
    pub message: WebhookDelivery,
    /// What it tells; `None`: to be looked up, or no event.
    pub event: Option<Event>,
}

/// The messages of one endpoint.
pub struct Outbox {
    ahead: VecDeque<Ahead>,
    /// Tried before or put in by hand, in the order in which they are sent.
    aside: BTreeMap<DeliveryRef, WebhookDelivery>,
    /// Most messages in `aside`.
    max_aside: usize,
    /// Subjects of what is under way.
    under_way: HashSet<String>,
    /// Up to where the stream was read.
    read: String,
    /// Up to where nothing of the stream is needed any more, where that is not written down yet.
    done: Option<String>,
    changed: BTreeMap<DeliveryRef, WebhookDelivery>,
}

impl Outbox {
    /// What is there when a lease begins.
    pub fn new(read: String, aside: Vec<(DeliveryRef, WebhookDelivery)>, max_aside: usize) -> Self {
        Self {
            ahead: VecDeque::new(),
            aside: aside.into_iter().collect(),
            max_aside,
            under_way: HashSet::new(),
            read,
            done: None,
            changed: BTreeMap::new(),
        }
    }

    /// Up to where the stream was read.
    pub fn read_up_to(&self) -> &str {
        &self.read
    }

    /// How many events to read now.
    pub fn room(&self, failures: u32) -> usize {
        if failures >= FAILING {
            return PROBES.saturating_sub(self.aside.len() + self.ahead.len());
        }
        let aside = self.max_aside.saturating_sub(self.aside.len());
        // By half, so that one read brings many.
        if self.ahead.len() > MAX_AHEAD / 2 { 0 } else { (MAX_AHEAD - self.ahead.len()).min(aside) }
    }

    /// Takes events that were read, those of the kinds that are wanted.
    pub fn put(&mut self, events: Vec<Event>, wanted: &BTreeSet<EventKind>) {
        for event in events {
            let Ok(place) = event.id.parse::<DeliveryRef>() else { continue };
            self.read = event.id.clone();
            let what = wanted.contains(&event.kind).then(|| (super::message::of(&event, place), event));
            self.ahead.push_back(Ahead { place, what });
        }
        self.advance();
    }

    /// Puts a message of our own in.
    pub fn add(&mut self, place: DeliveryRef, message: WebhookDelivery) {
        self.changed.insert(place, message.clone());
        self.aside.insert(place, message);
    }

    /// Goes on behind a gap in the stream.
    pub fn skip_to(&mut self, place: String) {
        self.read.clone_from(&place);
        if self.ahead.is_empty() {
            self.done = Some(place);
        }
    }

    /// The next message that may be sent at that time (ms); from then on it is under way.
    pub fn next(&mut self, now_ms: i64, failures: u32) -> Option<Next> {
        if self.is_busy(failures) {
            return None;
        }
        let next = self.next_aside(now_ms).or_else(|| self.next_ahead())?;
        self.under_way.insert(next.message.subject.clone());
        Some(next)
    }

    /// Whether no further message may be sent before one that is under way has ended.
    fn is_busy(&self, failures: u32) -> bool {
        self.under_way.len() >= if failures >= FAILING { 1 } else { MAX_CONCURRENT }
    }

    fn next_aside(&self, now_ms: i64) -> Option<Next> {
        let (place, message) = self.firsts().find(|(_, message)| message.due_ms <= now_ms)?;
        Some(Next { place: *place, message: message.clone(), event: None })
    }

    /// Of each subject that is put aside and not under way, the first message.
    fn firsts(&self) -> impl Iterator<Item = (&DeliveryRef, &WebhookDelivery)> {
        let mut seen = HashSet::new();
        self.aside
            .iter()
            .filter(move |(_, message)| seen.insert(message.subject.as_str()))
            .filter(|(_, message)| !self.under_way.contains(&message.subject))
    }

    fn next_ahead(&mut self) -> Option<Next> {
        let waiting: HashSet<String> = self.aside.values().map(|message| message.subject.clone()).collect();
        let (mut found, mut seen) = (None, HashSet::new());
        for slot in &mut self.ahead {
            let Some((message, _)) = &slot.what else { continue };
            // Behind one that is tried again later: so is this one, and the place in the stream moves on.
            if waiting.contains(&message.subject) && self.aside.len() < self.max_aside {
                if let Some((message, _)) = slot.what.take() {
                    self.changed.insert(slot.place, message.clone());
                    self.aside.insert(slot.place, message);
                }
                continue;
            }
            let first = seen.insert(message.subject.clone());
            if first && !waiting.contains(&message.subject) && !self.under_way.contains(&message.subject) {
                let (message, event) = (message.clone(), slot.what.as_ref().map(|(_, event)| event.clone()));
                found = Some(Next { place: slot.place, message, event });
                break;
            }
        }
        self.advance();
        found
    }

    /// What became of a message that was under way.
    pub fn ended(&mut self, place: DeliveryRef, message: WebhookDelivery) {
        self.under_way.remove(&message.subject);
        if let Some(slot) = self.ahead.iter_mut().find(|slot| slot.place == place) {
            slot.what = None;
        }
        if message.status == DeliveryStatus::Pending {
            self.aside.insert(place, message.clone());
        } else {
            self.aside.remove(&place);
        }
        self.changed.insert(place, message);
        self.advance();
    }

    /// The endpoint answers again: what waits need not wait any longer.
    pub fn release_all(&mut self) {
        for (place, message) in &mut self.aside {
            if message.due_ms > 0 {
                message.due_ms = 0;
                self.changed.insert(*place, message.clone());
            }
        }
    }

    fn advance(&mut self) {
        while self.ahead.front().is_some_and(|slot| slot.what.is_none()) {
            self.done = self.ahead.pop_front().map(|slot| slot.place.to_string());
        }
    }

    /// When the next message that was put aside is due (ms); `None` while no further one may be sent.
    pub fn due(&self, failures: u32) -> Option<i64> {
        let due = || self.firsts().map(|(_, message)| message.due_ms).min();
        if self.is_busy(failures) { None } else { due() }
    }

    /// What is to be written down: the cursor in the stream, where it moved, and messages that changed.
    pub fn changes(&self) -> (Option<String>, Vec<(DeliveryRef, WebhookDelivery)>) {
        (self.done.clone(), self.changed.iter().map(|(place, message)| (*place, message.clone())).collect())
    }

    /// It is written down.
    pub fn written(&mut self) {
        self.changed.clear();
        self.done = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(number: u64, task: &str) -> Event {
        let data = format!(r#"{{"id":"{task}","title":"t"}}"#);
        Event { id: format!("1000-{number}"), kind: EventKind::TaskUpdated, data }
    }

    fn outbox(events: Vec<Event>) -> Outbox {
        let mut queue = Outbox::new("1-0".to_owned(), Vec::new(), 100);
        queue.put(events, &EventKind::ALL.into_iter().collect());
        queue
    }

    fn place(number: u64) -> DeliveryRef {
        DeliveryRef::Event { ms: 1000, number }
    }

    fn end(queue: &mut Outbox, next: Next, status: DeliveryStatus, due_ms: i64) {
        queue.ended(next.place, WebhookDelivery { status, due_ms, ..next.message });
    }

    #[test]
    fn messages_of_one_task_follow_each_other_and_others_go_side_by_side() {
        let mut queue = outbox(vec![event(0, "a"), event(1, "a"), event(2, "b")]);
        let first = queue.next(0, 0).unwrap();
        let second = queue.next(0, 0).unwrap();
        assert_eq!((first.place, second.place), (place(0), place(2)));
        assert!(queue.next(0, 0).is_none(), "the second of a waits for the first");
        end(&mut queue, second, DeliveryStatus::Delivered, 0);
        assert_eq!(queue.changes().0, None, "the first is not done");
        end(&mut queue, first, DeliveryStatus::Delivered, 0);
        assert_eq!(queue.changes().0.as_deref(), Some("1000-0"));
        queue.written();
        let third = queue.next(0, 0).unwrap();
        end(&mut queue, third, DeliveryStatus::Delivered, 0);
        assert_eq!(queue.changes().0.as_deref(), Some("1000-2"));
    }

    #[test]
    fn what_failed_is_put_aside_and_what_follows_it_of_its_task_waits_behind_it() {
        let mut queue = outbox(vec![event(0, "a"), event(1, "a"), event(2, "b")]);
        let first = queue.next(0, 0).unwrap();
        end(&mut queue, first, DeliveryStatus::Pending, 5_000);
        let other = queue.next(0, 1).unwrap();
        assert_eq!(other.place, place(2));
        end(&mut queue, other, DeliveryStatus::Delivered, 0);
        assert_eq!(queue.changes().0.as_deref(), Some("1000-2"), "the place moves on");
        assert!(queue.next(4_999, 0).is_none());
        let again = queue.next(5_000, 0).unwrap();
        assert_eq!(again.place, place(0));
        end(&mut queue, again, DeliveryStatus::Delivered, 0);
        assert_eq!(queue.next(5_000, 0).unwrap().place, place(1));
    }

    #[test]
    fn nothing_is_due_while_as_many_are_under_way_as_may_be() {
        let mut queue = outbox(vec![event(0, "a"), event(1, "b")]);
        let first = queue.next(0, 0).unwrap();
        end(&mut queue, first, DeliveryStatus::Pending, 5_000);
        assert_eq!(queue.due(FAILING), Some(5_000));
        assert!(queue.next(0, FAILING).is_some());
        assert_eq!((queue.due(FAILING), queue.due(0)), (None, Some(5_000)));
    }

    #[test]
    fn what_is_put_aside_survives_the_worker() {
        let mut queue = outbox(vec![event(0, "a"), event(1, "a")]);
        let first = queue.next(0, 0).unwrap();
        end(&mut queue, first, DeliveryStatus::Pending, 5_000);
        assert!(queue.next(0, 0).is_none());
        let (read, kept) = queue.changes();
        let mut heir = Outbox::new(read.unwrap(), kept, 100);
        for expected in [place(0), place(1)] {
            let next = heir.next(9_000, 0).unwrap();
            assert_eq!(next.place, expected);
            assert!(heir.next(9_000, 0).is_none());
            end(&mut heir, next, DeliveryStatus::Delivered, 0);
        }
    }

    #[test]
    fn a_failing_endpoint_is_tried_with_one_message_at_a_time() {
        let mut queue = outbox((0..3).map(|n| event(n, &format!("t{n}"))).collect());
        assert_eq!(queue.room(FAILING), 0);
        let first = queue.next(0, FAILING).unwrap();
        assert!(queue.next(0, FAILING).is_none());
        end(&mut queue, first, DeliveryStatus::Failed, 0);
        assert!(queue.next(0, FAILING).is_some());
    }

    #[test]
    fn nobody_gets_what_they_did_not_ask_for() {
        let mut queue = Outbox::new("1-0".to_owned(), Vec::new(), 100);
        queue.put(vec![event(0, "a"), event(1, "b")], &[EventKind::TaskCreated].into_iter().collect());
        assert!(queue.next(0, 0).is_none());
        assert_eq!(queue.changes().0.as_deref(), Some("1000-1"));
    }
}
