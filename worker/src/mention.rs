//! What an item says of its tasks, in the terms of a task's record.

use crate::similarity;
use gleaner_extract::{DoneStatement, Found};
use gleaner_model::{
    Item, JobId, Mention, Owner, Reason, Suppressed, TaskStatus, UnknownMembers, Urgency, day,
    learning::{Signals, probability},
};

/// The mention that one found task makes. Whoever else owes a task is whom "me" waits for.
#[must_use]
pub fn mention(item: &Item, content_sha256: &str, job_id: JobId, found: Found) -> Mention {
    let waiting_on = found.owner.clone().filter(|_| !found.is_me);
    let mut mention = Mention {
        item: item.key.clone(),
        item_title: item.title.clone(),
        occurred_at: item.occurred_at.time.to_utc(),
        job_id,
        content_sha256: content_sha256.to_owned(),
        title: found.title,
        owner: found.owner.map(|name| Owner { name, is_me: found.is_me }),
        waiting_on,
        due: found.due.filter(|due| day::fits(due.date)),
        status: found.status,
        urgency: found.urgency,
        confidence: found.confidence,
        explicit: found.explicit,
        quotes: found.evidence,
        reasons: found.reasons,
        links: Vec::new(),
        signals: found.signals,
        moved_days: found.moved_days,
        reported: None,
        unknown: UnknownMembers::new(),
    };
    mention.links = similarity::keys(&mention);
    mention
}

/// The mention that a statement makes of the task that it turns out to say is done.
#[must_use]
pub fn done_mention(item: &Item, content_sha256: &str, job_id: JobId, statement: DoneStatement) -> Mention {
    Mention {
        item: item.key.clone(),
        item_title: item.title.clone(),
        occurred_at: item.occurred_at.time.to_utc(),
        job_id,
        content_sha256: content_sha256.to_owned(),
        title: String::new(),
        owner: None,
        waiting_on: None,
        due: None,
        status: TaskStatus::Completed,
        urgency: Urgency::Normal,
        confidence: 0.0,
        explicit: false,
        quotes: statement.about.into_iter().chain([statement.said]).collect(),
        reasons: vec![Reason::new("reported as done", 0.0)],
        links: Vec::new(),
        signals: Signals::default(),
        moved_days: 0,
        reported: None,
        unknown: UnknownMembers::new(),
    }
}

/// What a suppressed candidate leaves behind, with the feedback that is the reason.
#[must_use]
pub fn suppressed(found: Found, because: Vec<Reason>) -> Option<Suppressed> {
    let quote = found.evidence.into_iter().next()?;
    Some(Suppressed {
        title: found.title,
        owner: found.owner,
        due: found.due.map(|due| due.date).filter(|date| day::fits(*date)),
        quote: quote.text,
        speaker: quote.speaker,
        start: quote.start,
        end: quote.end,
        confidence: probability(found.signals.log_odds),
        reasons: because,
        signals: found.signals,
    })
}
