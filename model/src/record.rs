//! A task's record: mentions, edits and ratings, and the pure fold that makes a [`Task`] of them.
//!
//! Items may be processed in any order, so nothing here depends on the order in which mentions came in: they are
//! kept sorted by when their items took place.

use crate::{
    Due, Feedback, FeedbackCounts, FeedbackReason, ItemKey, Mention, Owner, Rating, Task, TaskId, TaskStatus, Urgency,
    priority,
};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Most mentions that a task keeps in full: the first and the latest ones.
pub const MENTIONS_KEPT: usize = 50;

/// The shape in which the store keeps a record of one mention. Before there was another, it was that of all.
pub const IN_ONE_PIECE: u8 = 0;
/// The shape of the others: all mentions but the first apart, so that a change writes what changed.
pub const MENTIONS_APART: u8 = 1;

/// Members that this version does not know. They are written back as they were, so that a process of an older version
/// that changes a record loses nothing of what a newer one wrote.
pub type UnknownMembers = serde_json::Map<String, serde_json::Value>;

/// Everything that is known of a task.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TaskRecord {
    /// The task's id; it never changes.
    pub id: TaskId,
    /// What items say of it, earliest first; one per item, never empty, at most [`MENTIONS_KEPT`].
    pub mentions: Vec<Mention>,
    /// How many more items speak of it, whose words are no longer kept.
    #[serde(default, skip_serializing_if = "is_none")]
    pub others: u64,
    /// Which of those items are at hand: the store keeps them apart from the record, and tells those that it is asked of.
    #[serde(skip)]
    pub counted: BTreeSet<ItemKey>,
    /// What people set by hand.
    #[serde(default, skip_serializing_if = "Edits::is_empty")]
    pub edits: Edits,
    /// What people say of it, one per subject.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub feedback: Vec<Feedback>,
    /// What feedback on other tasks teaches of this one: from -0.5 (matters less) to 0.5 (matters more).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub learnt: f64,
    /// When it was first recorded.
    pub created_at: DateTime<Utc>,
    /// When it last changed.
    pub updated_at: DateTime<Utc>,
    /// Counts changes, from 1.
    pub rev: u64,
    /// In which shape the store keeps it: [`IN_ONE_PIECE`] or [`MENTIONS_APART`].
    #[serde(default)]
    pub version: u8,
    /// What a newer version wrote besides.
    #[serde(flatten)]
    pub unknown: UnknownMembers,
}

fn is_zero(value: &f64) -> bool {
    *value == 0.0
}

fn is_none(count: &u64) -> bool {
    *count == 0
}

/// A value that a person set, and when.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Edit<T> {
    /// The value.
    pub value: T,
    /// When it was set.
    pub at: DateTime<Utc>,
}

/// What people set by hand: it stands above what items say.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Edits {
    /// Where the task stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<Edit<TaskStatus>>,
    /// What it is called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<Edit<String>>,
    /// By when; a value of `None` says that there is no due date.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub due: Option<Edit<Option<Due>>>,
    /// Who is to do it; a value of `None` says that it is nobody's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<Edit<Option<Owner>>>,
    /// Whom "me" is waiting for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waiting_on: Option<Edit<Option<String>>>,
    /// What people set in a newer version besides.
    #[serde(flatten)]
    pub unknown: UnknownMembers,
}

/// A change by hand: the members that are `Some` are set. Inner `None` clears.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TaskPatch {
    /// Where the task stands.
    pub status: Option<TaskStatus>,
    /// What it is called.
    pub title: Option<String>,
    /// By when.
    pub due: Option<Option<Due>>,
    /// Who is to do it.
    pub owner: Option<Option<Owner>>,
    /// Whom "me" is waiting for.
    pub waiting_on: Option<Option<String>>,
}

impl Edits {
    /// Whether nobody set anything.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Takes over the members that the patch sets.
    pub fn apply(&mut self, patch: TaskPatch, at: DateTime<Utc>) {
        let TaskPatch { status, title, due, owner, waiting_on } = patch;
        set(&mut self.status, status, at);
        set(&mut self.title, title, at);
        set(&mut self.due, due, at);
        set(&mut self.owner, owner, at);
        set(&mut self.waiting_on, waiting_on, at);
    }
}

/// What a person reported, where the item's text says it now.
fn as_reported(reported: Mention, now: Mention) -> Mention {
    // Member by member, so that a new one is decided on here.
    let Mention {
        occurred_at,
        job_id,
        content_sha256,
        quotes,
        status,
        item: _,
        item_title: _,
        title: _,
        owner: _,
        waiting_on: _,
        due: _,
        urgency: _,
        confidence: _,
        explicit: _,
        reasons: _,
        links: _,
        signals: _,
        moved_days: _,
        reported: _,
        unknown: _,
    } = now;
    Mention { occurred_at, job_id, content_sha256, quotes, status, ..reported }
}

fn set<T>(slot: &mut Option<Edit<T>>, value: Option<T>, at: DateTime<Utc>) {
    if let Some(value) = value {
        *slot = Some(Edit { value, at });
    }
}

impl TaskRecord {
    /// A new task that one item speaks of.
    #[must_use]
    pub fn new(id: TaskId, mention: Mention, now: DateTime<Utc>) -> Self {
        Self {
            id,
            mentions: vec![mention],
            others: 0,
            counted: BTreeSet::new(),
            edits: Edits::default(),
            feedback: Vec::new(),
            learnt: 0.0,
            created_at: now,
            updated_at: now,
            rev: 1,
            version: IN_ONE_PIECE,
            unknown: UnknownMembers::new(),
        }
    }

    /// Records what an item says, in place of what it said before. What a person reported of it stays: then only its
    /// place in the text is new, and whether it is done.
    pub fn put_mention(&mut self, mut mention: Mention) {
        if let Some(known) = self.mention_of(&mention.item).filter(|known| known.reported.is_some()) {
            mention = as_reported(known.clone(), mention);
        }
        self.drop_mention(&mention.item.clone());
        let key = |mention: &Mention| (mention.occurred_at, mention.item.clone());
        let place = self.mentions.partition_point(|known| key(known) < key(&mention));
        self.mentions.insert(place, mention);
        self.keep_most();
    }

    /// Keeps the first mention, what people reported, and the latest ones. Whatever order mentions come in, the same are
    /// kept: what goes is neither the first nor among the latest, and never will be.
    pub fn keep_most(&mut self) {
        while self.mentions.len() > MENTIONS_KEPT {
            let reported = |mention: &Mention| mention.reported.is_some();
            let place = 1 + self.mentions[1..].iter().position(|known| !reported(known)).unwrap_or_default();
            self.counted.insert(self.mentions.remove(place).item);
            self.others += 1;
        }
    }

    /// Forgets what an item says. False where no mention is left in full, and the record must go.
    pub fn drop_mention(&mut self, item: &ItemKey) -> bool {
        self.mentions.retain(|known| known.item != *item);
        if self.counted.remove(item) {
            self.others = self.others.saturating_sub(1);
        }
        !self.mentions.is_empty()
    }

    /// How many items speak of it, with those whose words are no longer kept.
    #[must_use]
    pub fn mention_count(&self) -> usize {
        self.mentions.len() + usize::try_from(self.others).unwrap_or(usize::MAX / 2)
    }

    /// Whether an item is known to speak of it, in words that are kept or not.
    #[must_use]
    pub fn is_of(&self, item: &ItemKey) -> bool {
        self.mention_of(item).is_some() || self.counted.contains(item)
    }

    /// Records a rating in place of an earlier one of the same subject.
    pub fn put_feedback(&mut self, feedback: Feedback) {
        let last = self.feedback.iter().find(|known| known.subject == feedback.subject);
        let feedback = feedback.in_place_of(last, self.mention_count());
        self.feedback.retain(|known| known.subject != feedback.subject);
        let place = self.feedback.partition_point(|known| known.created_at <= feedback.created_at);
        self.feedback.insert(place, feedback);
    }

    /// Takes a subject's rating back, with all that it did. `None` where there is none.
    pub fn drop_feedback(&mut self, subject: &str) -> Option<Feedback> {
        let place = self.feedback.iter().position(|known| known.subject == subject)?;
        Some(self.feedback.remove(place))
    }

    /// Whether a person has edited, rated or reported it: such a task does not disappear on its own.
    #[must_use]
    pub fn is_touched(&self) -> bool {
        let reported = self.mentions.iter().any(|mention| mention.reported.is_some());
        reported || !self.edits.is_empty() || !self.feedback.is_empty()
    }

    /// What the item says of it, if it does.
    #[must_use]
    pub fn mention_of(&self, item: &ItemKey) -> Option<&Mention> {
        self.mentions.iter().find(|mention| mention.item == *item)
    }

    /// When it was last spoken of.
    #[must_use]
    pub fn last_mentioned_at(&self) -> DateTime<Utc> {
        self.mentions.last().map_or(self.created_at, |mention| mention.occurred_at)
    }

    /// The ratings, one of each subject, counted.
    #[must_use]
    pub fn feedback_counts(&self) -> FeedbackCounts {
        let count = |rating| self.feedback.iter().filter(|f| f.request.rating == rating).count();
        let small = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        FeedbackCounts { up: small(count(Rating::Up)), down: small(count(Rating::Down)) }
    }

    /// Where the task stands: what a person said last, else what the latest mention says. A task that a person
    /// reopened is completed by an item that took place after that and says so.
    #[must_use]
    pub fn status(&self) -> TaskStatus {
        self.standing().0
    }

    /// What it is called.
    #[must_use]
    pub fn title(&self) -> &str {
        let corrected = self.correction(|f| f.request.correction.as_ref()?.title.as_deref());
        let edited = self.edits.title.as_ref().map(|edit| (edit.at, edit.value.as_str()));
        latest(edited, corrected)
            .unwrap_or_else(|| self.mentions.first().map(|mention| mention.title.as_str()).unwrap_or_default())
    }

    /// By when: what a person set, else what the latest mention with a date says.
    #[must_use]
    pub fn due(&self) -> Option<Due> {
        let corrected = self.correction(|f| f.request.correction.as_ref()?.due);
        let corrected = corrected.map(|(at, date)| (at, Some(Due { date, text: None })));
        let edited = self.edits.due.as_ref().map(|edit| (edit.at, edit.value.clone()));
        latest(edited, corrected).unwrap_or_else(|| self.mentions.iter().rev().find_map(|mention| mention.due.clone()))
    }

    /// Who is to do it: what a person set, else what the latest mention with a name says.
    #[must_use]
    pub fn owner(&self) -> Option<Owner> {
        match self.set_owner() {
            Some((_, owner)) => owner,
            None => self.mentions.iter().rev().find_map(|mention| mention.owner.clone()),
        }
    }

    /// Whom "me" is waiting for. An owner set by hand later than this was decides it.
    #[must_use]
    pub fn waiting_on(&self) -> Option<String> {
        let edited = self.edits.waiting_on.as_ref().map(|edit| (edit.at, edit.value.clone()));
        let owed = self.set_owner().map(|(at, owner)| (at, owner.filter(|o| !o.is_me).map(|o| o.name)));
        latest(edited, owed).unwrap_or_else(|| {
            let naming = self.mentions.iter().rev().find(|mention| mention.owner.is_some());
            match naming {
                Some(mention) => mention.waiting_on.clone(),
                None => self.mentions.iter().rev().find_map(|mention| mention.waiting_on.clone()),
            }
        })
    }

    /// How urgent the latest mention that says anything of it says it is.
    #[must_use]
    pub fn urgency(&self) -> Urgency {
        let said = self.mentions.iter().rev().map(|mention| mention.urgency);
        said.into_iter().find(|urgency| *urgency != Urgency::Normal).unwrap_or_default()
    }

    /// How sure the surest mention is.
    #[must_use]
    pub fn confidence(&self) -> f64 {
        self.mentions.iter().map(|mention| mention.confidence).fold(0.0, f64::max)
    }

    /// The task as people see it on a day. `None` for a record without a mention, which no store keeps.
    #[must_use]
    pub fn view(&self, now: DateTime<Utc>) -> Option<Task> {
        let source = self.mentions.first()?.source();
        let due = self.due();
        let (status, completed_at) = self.standing();
        let rank = priority::static_score(self);
        Some(Task {
            id: self.id,
            title: self.title().to_owned(),
            status,
            owner: self.owner(),
            waiting_on: self.waiting_on(),
            priority: priority::priority(rank, due.as_ref().map(|due| due.date), now.date_naive()),
            due,
            confidence: self.confidence(),
            urgency: self.urgency(),
            evidence: self.mentions.iter().flat_map(Mention::evidence).collect(),
            mentions: u32::try_from(self.mention_count()).unwrap_or(u32::MAX),
            source,
            feedback: self.feedback_counts(),
            created_at: self.created_at,
            updated_at: self.updated_at,
            completed_at,
        })
    }

    /// Status, and since when where it is completed.
    fn standing(&self) -> (TaskStatus, Option<DateTime<Utc>>) {
        let edited = self.edits.status.as_ref().map(|edit| (edit.at, edit.value));
        let dismissed = self.feedback.iter().filter(|f| dismisses(f)).map(|f| (f.created_at, TaskStatus::Dismissed));
        let said = edited.into_iter().chain(dismissed).max_by_key(|(at, _)| *at);
        let done = self.done_since();
        match (said, done) {
            (Some((at, TaskStatus::Open)), Some(done)) if done > at => (TaskStatus::Completed, Some(done)),
            (Some((at, TaskStatus::Completed)), _) => (TaskStatus::Completed, Some(at)),
            (Some((_, status)), _) => (status, None),
            (None, Some(done)) => (TaskStatus::Completed, Some(done)),
            (None, None) => (TaskStatus::Open, None),
        }
    }

    /// Since when items say that it is done; `None` where the latest says that it is not. Of mentions at the same
    /// moment one that says "done" is enough.
    fn done_since(&self) -> Option<DateTime<Utc>> {
        let open = |mention: &&Mention| mention.status != TaskStatus::Completed;
        let reopened = self.mentions.iter().filter(open).map(|mention| mention.occurred_at).max();
        let done = self.mentions.iter().filter(|mention| mention.status == TaskStatus::Completed);
        done.map(|mention| mention.occurred_at).filter(|at| reopened.is_none_or(|reopened| *at >= reopened)).min()
    }

    /// The owner that a person set, by hand or in a rating.
    fn set_owner(&self) -> Option<(DateTime<Utc>, Option<Owner>)> {
        let edited = self.edits.owner.as_ref().map(|edit| (edit.at, edit.value.clone()));
        let corrected = self.feedback.iter().rev().find_map(|feedback| {
            let name = feedback.request.correction.as_ref()?.owner.as_deref()?;
            Some((feedback.created_at, Some(self.known_owner(name, &feedback.subject))))
        });
        [edited, corrected].into_iter().flatten().max_by_key(|(at, _)| *at)
    }

    /// An owner named in a rating is "me" where an item says so of the same name, or where it is the rater's own.
    fn known_owner(&self, name: &str, rater: &str) -> Owner {
        let folded = name.to_lowercase();
        let owners = self.mentions.iter().filter_map(|mention| mention.owner.as_ref());
        let known = owners.into_iter().find(|owner| owner.name.to_lowercase() == folded);
        Owner { name: name.to_owned(), is_me: known.map_or(folded == rater, |owner| owner.is_me) }
    }

    /// The latest correction of one member.
    fn correction<'a, T>(&'a self, member: impl Fn(&'a Feedback) -> Option<T>) -> Option<(DateTime<Utc>, T)> {
        self.feedback.iter().rev().find_map(|feedback| Some((feedback.created_at, member(feedback)?)))
    }
}

/// Whether a rating says that the task is none: "down" for that reason, or for none.
#[must_use]
fn dismisses(feedback: &Feedback) -> bool {
    feedback.request.rating == Rating::Down && matches!(feedback.request.reason, None | Some(FeedbackReason::NotATask))
}

/// The later of two, without its time.
fn latest<T>(first: Option<(DateTime<Utc>, T)>, second: Option<(DateTime<Utc>, T)>) -> Option<T> {
    match (first, second) {
        (Some((at, value)), Some((other_at, _))) if at >= other_at => Some(value),
        (_, Some((_, value))) | (Some((_, value)), None) => Some(value),
        (None, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Correction, ExternalId, FeedbackId, FeedbackRequest, JobId, Quote, SourceType, learning::Signals};
    use chrono::TimeDelta;
    use rand::{Rng, SeedableRng, rngs::StdRng, seq::SliceRandom};
    use serde_json::json;

    fn day(number: i64) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH + TimeDelta::days(20_000 + number)
    }

    fn mention(item: &str, at: i64) -> Mention {
        Mention {
            item: ItemKey {
                source_type: SourceType::new("meeting").unwrap(),
                external_id: ExternalId::new(item).unwrap(),
            },
            item_title: None,
            occurred_at: day(at),
            job_id: JobId::new(),
            content_sha256: String::new(),
            title: format!("Title of {item}"),
            owner: None,
            waiting_on: None,
            due: None,
            status: TaskStatus::Open,
            urgency: Urgency::Normal,
            confidence: 0.5,
            explicit: false,
            quotes: vec![Quote { text: "I will".to_owned(), start: 0, end: 6, speaker: None, at_s: None }],
            reasons: Vec::new(),
            links: Vec::new(),
            signals: Signals::default(),
            moved_days: 0,
            reported: None,
            unknown: UnknownMembers::new(),
        }
    }

    fn done(item: &str, at: i64) -> Mention {
        Mention { status: TaskStatus::Completed, ..mention(item, at) }
    }

    fn rating(subject: &str, at: i64, rating: Rating) -> Feedback {
        let request = FeedbackRequest { rating, reason: None, comment: None, correction: None };
        Feedback::new(FeedbackId::new(), TaskId::new(), subject, request, day(at))
    }

    fn record(mentions: impl IntoIterator<Item = Mention>) -> TaskRecord {
        let mut mentions = mentions.into_iter();
        let mut record = TaskRecord::new(TaskId::new(), mentions.next().unwrap(), day(0));
        mentions.for_each(|mention| record.put_mention(mention));
        record
    }

    fn random_mention(random: &mut StdRng, number: usize) -> Mention {
        let name = ["Dana", "Lee", "Kim"][random.random_range(0..3)].to_owned();
        Mention {
            owner: random.random_bool(0.5).then(|| Owner { name: name.clone(), is_me: false }),
            waiting_on: random.random_bool(0.3).then_some(name),
            due: random
                .random_bool(0.5)
                .then(|| Due { date: day(random.random_range(0..40)).date_naive(), text: None }),
            status: if random.random_bool(0.3) { TaskStatus::Completed } else { TaskStatus::Open },
            urgency: [Urgency::Low, Urgency::Normal, Urgency::High][random.random_range(0..3)],
            confidence: random.random_range(0.0..1.0),
            // Few days, so that mentions at the same moment occur.
            ..mention(&format!("item-{number}"), random.random_range(0..3))
        }
    }

    #[test]
    fn the_order_in_which_items_are_processed_does_not_matter() {
        let mut random = StdRng::seed_from_u64(7);
        for _ in 0..500 {
            let mut mentions: Vec<_> = (0..random.random_range(1..6)).map(|n| random_mention(&mut random, n)).collect();
            let first = record(mentions.clone());
            mentions.shuffle(&mut random);
            // One of them is processed again: it takes its own place.
            mentions.push(mentions[0].clone());
            let second = TaskRecord { id: first.id, ..record(mentions) };
            assert_eq!(first, second);
            assert_eq!(first.view(day(1)), second.view(day(1)));
        }
    }

    #[test]
    fn what_a_newer_version_wrote_stays() {
        let mut written = serde_json::to_value(record([mention("a", 1), mention("b", 2)])).unwrap();
        written["x_unknown"] = json!({"hours": 2.5});
        written["edits"] = json!({"title": {"value": "T", "at": day(2)}, "x_unknown": {"value": 4, "at": day(3)}});
        written["mentions"][0]["x_unknown"] = json!("an afternoon");
        let mut record: TaskRecord = serde_json::from_value(written.clone()).unwrap();
        assert_eq!(serde_json::to_value(&record).unwrap(), written);
        record.edits.apply(TaskPatch { status: Some(TaskStatus::Completed), ..TaskPatch::default() }, day(4));
        record.put_mention(mention("b", 3));
        let again = serde_json::to_value(&record).unwrap();
        for member in ["/x_unknown", "/edits/x_unknown", "/mentions/0/x_unknown"] {
            assert_eq!(again.pointer(member), written.pointer(member), "{member}");
        }
    }

    #[test]
    fn the_latest_item_decides_and_the_first_names_the_task() {
        let later = Mention { due: Some(Due { date: day(9).date_naive(), text: None }), ..mention("b", 2) };
        let task = record([later, mention("a", 1)]).view(day(3)).unwrap();
        assert_eq!((task.title.as_str(), task.source.external_id.as_str()), ("Title of a", "a"));
        assert_eq!(task.due.unwrap().date, day(9).date_naive());
    }

    #[test]
    fn an_item_completes_a_task_and_a_later_one_reopens_it() {
        let mut record = record([mention("a", 1), done("b", 2)]);
        let task = record.view(day(9)).unwrap();
        assert_eq!((task.status, task.completed_at), (TaskStatus::Completed, Some(day(2))));
        record.put_mention(mention("c", 3));
        assert_eq!(record.status(), TaskStatus::Open);
        record.put_mention(done("d", 3));
        assert_eq!(record.status(), TaskStatus::Completed, "of two at the same moment, done wins");
    }

    #[test]
    fn what_a_person_set_stands_until_later_news() {
        let mut record = record([mention("a", 1), done("b", 2)]);
        record.edits.apply(TaskPatch { status: Some(TaskStatus::Open), ..TaskPatch::default() }, day(5));
        assert_eq!(record.status(), TaskStatus::Open);
        record.put_mention(mention("c", 6));
        record.put_mention(done("d", 7));
        assert_eq!(record.view(day(9)).unwrap().completed_at, Some(day(7)));
        record.edits.apply(TaskPatch { status: Some(TaskStatus::Dismissed), ..TaskPatch::default() }, day(6));
        assert_eq!(record.status(), TaskStatus::Dismissed);
    }

    #[test]
    fn a_down_dismisses_until_it_is_replaced_or_taken_back() {
        let mut record = record([mention("a", 1)]);
        record.put_feedback(rating("dana", 3, Rating::Down));
        record.put_feedback(rating("lee", 4, Rating::Up));
        assert_eq!(record.status(), TaskStatus::Dismissed);
        assert_eq!(record.feedback_counts(), FeedbackCounts { up: 1, down: 1 });
        record.put_feedback(rating("dana", 5, Rating::Up));
        assert_eq!(record.status(), TaskStatus::Open);
        assert_eq!(record.feedback_counts(), FeedbackCounts { up: 2, down: 0 });
        record.put_feedback(rating("dana", 6, Rating::Down));
        assert!(record.drop_feedback("dana").is_some() && record.drop_feedback("dana").is_none());
        assert_eq!(record.status(), TaskStatus::Open);
    }

    #[test]
    fn a_down_for_another_reason_does_not_dismiss() {
        let mut record = record([mention("a", 1)]);
        let mut feedback = rating("dana", 3, Rating::Down);
        feedback.request.reason = Some(FeedbackReason::WrongOwner);
        record.put_feedback(feedback);
        assert_eq!(record.status(), TaskStatus::Open);
    }

    #[test]
    fn corrections_act_as_edits_and_go_with_their_rating() {
        let mine = Mention { owner: Some(Owner { name: "Lee".to_owned(), is_me: true }), ..mention("a", 1) };
        let mut record = record([mine]);
        let correction = Correction {
            title: Some("Right".to_owned()),
            owner: Some("Dana".to_owned()),
            due: Some(day(8).date_naive()),
        };
        let mut feedback = rating("lee", 3, Rating::Up);
        feedback.request.correction = Some(correction);
        record.put_feedback(feedback);
        let task = record.view(day(4)).unwrap();
        assert_eq!((task.title.as_str(), task.due.unwrap().date), ("Right", day(8).date_naive()));
        assert_eq!(task.owner, Some(Owner { name: "Dana".to_owned(), is_me: false }));
        assert_eq!(task.waiting_on.as_deref(), Some("Dana"), "somebody else owes it now");
        record.edits.apply(TaskPatch { title: Some("By hand".to_owned()), ..TaskPatch::default() }, day(5));
        assert_eq!(record.title(), "By hand", "the later of the two stands");
        record.drop_feedback("lee");
        assert_eq!(record.owner().unwrap().name, "Lee");
        assert_eq!(record.waiting_on(), None);
    }

    #[test]
    fn of_many_mentions_the_first_and_the_latest_are_kept_and_all_are_counted() {
        let mut random = StdRng::seed_from_u64(9);
        let all: Vec<_> = (0..120).map(|n| mention(&format!("item-{n:03}"), n)).collect();
        let mut shuffled = all.clone();
        shuffled.shuffle(&mut random);
        let mut record = record(shuffled);
        assert_eq!((record.mentions.len(), record.mention_count()), (MENTIONS_KEPT, 120));
        let kept = |record: &TaskRecord| record.mentions.iter().map(|m| m.occurred_at).collect::<Vec<_>>();
        let days: Vec<_> = [0].into_iter().chain(71..120).map(day).collect();
        assert_eq!(kept(&record), days, "whatever order they came in");
        assert_eq!(record.view(day(200)).unwrap().mentions, 120);
        record.put_mention(all[30].clone());
        assert_eq!((kept(&record), record.mention_count()), (days, 120), "it is counted once");
        assert!(record.drop_mention(&all[30].item) && !record.is_of(&all[30].item));
        assert_eq!((record.mentions.len(), record.mention_count()), (MENTIONS_KEPT, 119));
    }

    #[test]
    fn what_a_person_reported_is_kept_in_full() {
        let report = crate::MissedReport { feedback_id: FeedbackId::new(), subject: "dana".to_owned(), at: day(1) };
        let reported = Mention { reported: Some(report), ..mention("reported", 1) };
        let others = (2..100).map(|n| mention(&format!("item-{n}"), n));
        let record = record([mention("first", 0), reported].into_iter().chain(others));
        assert!(record.is_touched() && record.mentions[1].reported.is_some());
    }

    #[test]
    fn a_record_survives_json() {
        let mut record = record([mention("a", 1), done("b", 2)]);
        record.put_feedback(rating("dana", 3, Rating::Down));
        record.edits.apply(TaskPatch { due: Some(None), owner: Some(None), ..TaskPatch::default() }, day(5));
        let json = serde_json::to_string(&record).unwrap();
        assert_eq!(serde_json::from_str::<TaskRecord>(&json).unwrap(), record, "{json}");
    }
}
