use super::*;
use crate::{
    Correction, Due, ExternalId, FeedbackCounts, FeedbackId, FeedbackReason, FeedbackRequest, JobId, Owner, Quote,
    Rating, SourceType, TaskStatus, Urgency, learning::Signals,
};
use chrono::TimeDelta;
use rand::{Rng, SeedableRng, rngs::StdRng, seq::SliceRandom};
use serde_json::json;

fn day(number: i64) -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + TimeDelta::days(20_000 + number)
}

fn mention(item: &str, at: i64) -> Mention {
    Mention {
        item: ItemKey { source_type: SourceType::new("meeting").unwrap(), external_id: ExternalId::new(item).unwrap() },
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
        due: random.random_bool(0.5).then(|| Due { date: day(random.random_range(0..40)).date_naive(), text: None }),
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
        ..Correction::default()
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
