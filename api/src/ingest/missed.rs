//! `POST /ingest/items/{source_type}/{external_id}/missed`: a task that the engine overlooked.

use crate::{
    json,
    operation::{Doc, Operation},
    problem::Problem,
    route::{ApiCall, HandlerResult},
    tasks::{get, owner_named},
    validation::{FieldErrors, MAX_NAME},
};
use axum::http::{StatusCode, header::LOCATION};
use chrono::{NaiveDate, Utc};
use gleaner_model::{
    Due, FeedbackId, ItemKey, Job, MAX_TITLE, Mention, MissedReport, Quote, Reason, Suppressed, Task, TaskRecord,
    TaskStatus, UnknownMembers, Urgency, input, learning::Signals,
};
use schemars::JsonSchema;
use serde::Deserialize;

/// Longest quote, in characters.
const MAX_QUOTE: usize = 2_000;
/// Longest text around a quote, in characters.
const MAX_TEXT: usize = 20_000;
/// Longest title that is made of a quote, in characters.
const SHORT: usize = 120;

/// What was overlooked.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MissedTask {
    /// The words of the transcript that the task rests on.
    #[schemars(length(min = 1, max = 2000), extend("pattern" = r"\S"))]
    quote: String,
    /// Where the quote begins, in characters from the start of the transcript. Absent: looked for in the evidence
    /// that is kept; where it is not found, `start` and `end` of the evidence are 0.
    #[serde(default)]
    start: Option<u32>,
    /// The text around the quote; the quote must stand in it.
    #[serde(default)]
    #[schemars(length(min = 1, max = 20_000))]
    text: Option<String>,
    /// The task in a short imperative phrase; absent: the quote.
    #[serde(default)]
    #[schemars(length(min = 1, max = 500), extend("pattern" = r"\S"))]
    title: Option<String>,
    /// Who is to do it: the name, or an owner as a task shows one.
    #[serde(default, deserialize_with = "input::owner")]
    #[schemars(with = "Option<input::OwnerInput>")]
    owner: Option<String>,
    /// By when: the day, or a due date as a task shows one.
    #[serde(default, deserialize_with = "input::due")]
    #[schemars(with = "Option<input::DueInput>")]
    due: Option<NaiveDate>,
}

/// Summary, tag, parameters and answers.
pub fn docs(doc: &mut Doc) -> Operation {
    Operation::new("addMissedTask", "Learning", "Report a task that was overlooked")
        .about(
            "Adds the task, and teaches the engine to find others like it. The transcript is not kept, so where the \
             quote is not part of the evidence that is kept, or of what was left out, send the `text` around it too.",
        )
        .takes::<MissedTask>(doc, &["application/json"])
        .answers::<Task>(doc, 201, "The task.")
        .with_header(201, "Location", "The task's address.")
        .with_header(201, "ETag", "The task's version.")
}

/// `POST /ingest/items/{source_type}/{external_id}/missed`
pub async fn handle(call: &mut ApiCall) -> HandlerResult {
    let item = ItemKey { source_type: call.id("source_type")?, external_id: call.id("external_id")? };
    let taken = call.body(&["application/json"]).await?;
    let missed: MissedTask = json::typed(&taken.bytes)?;
    check(&missed)?;
    let (store, tenant) = (&call.app.store, &call.caller.credential.tenant);
    let known = call.app.ask(store.tasks_of_item(tenant, &item)).await?;
    let job = call.app.ask(store.latest_job(tenant, &item)).await?;
    let left_out = match &job {
        Some(job) => call.app.ask(store.suppressed(tenant, job.job_id)).await?,
        None => Vec::new(),
    };
    let said = mention(&item, &missed, &MissedKey { tasks: &known, left_out: &left_out, job: job.as_ref() }, call);
    let record = call.app.ask(store.add_missed(tenant, said.ok_or_else(Problem::not_found)?)).await?;
    let mut response = get::answer(&record, &get::view(&record)?)?;
    *response.status_mut() = StatusCode::CREATED;
    response.headers_mut().insert(LOCATION, call.app.location(&format!("/tasks/{}", record.id))?);
    Ok(response)
}

fn check(missed: &MissedTask) -> Result<(), Problem> {
    let mut faults = FieldErrors::default();
    faults.at_most("/quote", Some(&missed.quote), MAX_QUOTE);
    if missed.quote.trim().is_empty() {
        faults.add("/quote", "must not be blank");
    }
    faults.at_most("/text", missed.text.as_deref(), MAX_TEXT);
    if missed.text.as_ref().is_some_and(|text| !text.contains(&missed.quote)) {
        faults.add("/quote", "must stand in text, word for word");
    }
    faults.line("/title", missed.title.as_deref(), MAX_TITLE);
    faults.line("/owner", missed.owner.as_deref(), MAX_NAME);
    faults.into_result()
}

/// What is kept of the item.
struct MissedKey<'a> {
    tasks: &'a [TaskRecord],
    left_out: &'a [Suppressed],
    job: Option<&'a Job>,
}

/// The overlooked task as if the item had said it; `None` for an item that nobody knows.
fn mention(item: &ItemKey, missed: &MissedTask, kept: &MissedKey<'_>, call: &ApiCall) -> Option<Mention> {
    let beside = kept.tasks.iter().find_map(|record| record.mention_of(item));
    let (occurred_at, job_id) = match (beside, kept.job) {
        (Some(mention), _) => (mention.occurred_at, mention.job_id),
        // Without a task of the item nothing says any more when it took place.
        (None, Some(job)) => (job.accepted_at, job.job_id),
        (None, None) => return None,
    };
    let subject = &call.caller.credential.subject;
    let left_out = kept.left_out.iter().find(|task| task.quote.contains(&missed.quote));
    let owner = missed.owner.as_deref().map(|name| owner_named(name, None, subject));
    let title = missed.title.clone().unwrap_or_else(|| missed.quote.chars().take(SHORT).collect());
    Some(Mention {
        item: item.clone(),
        item_title: beside.and_then(|mention| mention.item_title.clone()),
        occurred_at,
        job_id,
        content_sha256: beside.map(|mention| mention.content_sha256.clone()).unwrap_or_default(),
        title: title.split_whitespace().collect::<Vec<_>>().join(" "),
        waiting_on: owner.as_ref().filter(|owner| !owner.is_me).map(|owner| owner.name.clone()),
        owner,
        due: missed.due.map(|date| Due { date, text: None }),
        status: TaskStatus::Open,
        urgency: Urgency::Normal,
        confidence: 1.0,
        explicit: true,
        quotes: vec![quote(item, missed, kept, left_out)],
        reasons: vec![Reason::new("a person reported it as overlooked", 1.0)],
        links: Vec::new(),
        signals: left_out.map_or_else(unseen, |task| task.signals.clone()),
        moved_days: 0,
        reported: Some(MissedReport { feedback_id: FeedbackId::new(), subject: call.caller.rater(), at: Utc::now() }),
        unknown: UnknownMembers::new(),
    })
}

/// What the engine is taken to have thought of what it did not find.
fn unseen() -> Signals {
    Signals { log_odds: -1.0, feature_names: Vec::new() }
}

fn quote(item: &ItemKey, missed: &MissedTask, kept: &MissedKey<'_>, left_out: Option<&Suppressed>) -> Quote {
    let quotes = kept.tasks.iter().filter_map(|record| record.mention_of(item)).flat_map(|mention| &mention.quotes);
    let evidence = quotes.map(|quote| (quote.text.as_str(), quote.start));
    let all = evidence.chain(left_out.map(|task| (task.quote.as_str(), task.start)));
    let found = all.into_iter().find_map(|(text, start)| {
        let before = text.split_once(missed.quote.as_str())?.0;
        Some(start + before.chars().count())
    });
    let start = missed.start.map(|start| start as usize).or(found);
    let length = missed.quote.chars().count();
    Quote {
        text: missed.quote.clone(),
        start: start.unwrap_or(0),
        end: start.map_or(0, |start| start + length),
        speaker: left_out.and_then(|task| task.speaker.clone()),
        at_s: None,
    }
}
