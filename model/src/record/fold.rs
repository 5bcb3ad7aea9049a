//! The pure fold that makes a [`Task`] of a record: what a person set stands above what items say, the later above the
//! earlier.

use super::TaskRecord;
use crate::{Due, Feedback, FeedbackCounts, Mention, Owner, Rating, Task, TaskStatus, Urgency, priority};
use chrono::{DateTime, Utc};

impl TaskRecord {
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

    /// The ratings, one of each subject, counted.
    #[must_use]
    pub fn feedback_counts(&self) -> FeedbackCounts {
        let count = |rating| self.feedback.iter().filter(|f| f.request.rating == rating).count();
        let small = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        FeedbackCounts { up: small(count(Rating::Up)), down: small(count(Rating::Down)) }
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
        let dismissed = self.feedback.iter().filter(|f| f.rejects()).map(|f| (f.created_at, TaskStatus::Dismissed));
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
            Some((feedback.created_at, Some(self.known_owner(name, feedback))))
        });
        [edited, corrected].into_iter().flatten().max_by_key(|(at, _)| *at)
    }

    /// An owner named in a rating is "me" where an item says so of the same name, or where it is the rater.
    fn known_owner(&self, name: &str, feedback: &Feedback) -> Owner {
        let folded = name.to_lowercase();
        let owners = self.mentions.iter().filter_map(|mention| mention.owner.as_ref());
        let known = owners.into_iter().find(|owner| owner.name.to_lowercase() == folded);
        let rater = feedback.owner_is_me || folded == feedback.subject;
        Owner { name: name.to_owned(), is_me: known.map_or(rater, |owner| owner.is_me || feedback.owner_is_me) }
    }

    /// The latest correction of one member.
    fn correction<'a, T>(&'a self, member: impl Fn(&'a Feedback) -> Option<T>) -> Option<(DateTime<Utc>, T)> {
        self.feedback.iter().rev().find_map(|feedback| Some((feedback.created_at, member(feedback)?)))
    }
}

/// The later of two, without its time.
fn latest<T>(first: Option<(DateTime<Utc>, T)>, second: Option<(DateTime<Utc>, T)>) -> Option<T> {
    match (first, second) {
        (Some((at, value)), Some((other_at, _))) if at >= other_at => Some(value),
        (_, Some((_, value))) | (Some((_, value)), None) => Some(value),
        (None, None) => None,
    }
}
