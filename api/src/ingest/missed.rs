//! `POST /ingest/items/{source_type}/{external_id}/missed`: a task that the engine overlooked.

use crate::{
    field::{Faults, MAX_NAME, MAX_TITLE},
    json,
    openapi::{Doc, Operation},
    problem::Problem,
    route::{Call, Outcome},
    tasks::{get, owner_named},
};
use axum::http::{StatusCode, header::LOCATION};
use chrono::NaiveDate;
use gleaner_model::{Due, ItemKey, Job, Mention, Quote, Reason, Subject, Task, TaskRecord, TaskStatus, Urgency};
use schemars::JsonSchema;
use serde::Deserialize;

/// Longest quote, in characters.
const MAX_QUOTE: usize = 2_000;
/// Longest title that is made of a quote, in characters.
const SHORT: usize = 120;

/// What was overlooked.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Missed {
    /// The words of the transcript that the task rests on.
    #[schemars(length(min = 1, max = 2000), extend("pattern" = r"\S"))]
    quote: String,
    /// Where the quote begins, in characters from the start of the transcript. Absent: looked for in the evidence
    /// that is kept; where it is not found, `start` and `end` of the evidence are 0.
    #[serde(default)]
    start: Option<u32>,
    /// The task in a short imperative phrase; absent: the quote.
    #[serde(default)]
    #[schemars(length(min = 1, max = 500), extend("pattern" = r"\S"))]
    title: Option<String>,
    /// The name of who is to do it.
    #[serde(default)]
    #[schemars(length(min = 1, max = 200), extend("pattern" = r"\S"))]
    owner: Option<String>,
    /// By when.
    #[serde(default)]
    #[schemars(with = "Option<String>", extend("format" = "date"))]
    due: Option<NaiveDate>,
}

/// What is said of it.
pub fn docs(doc: &mut Doc) -> Operation {
    Operation::new("addMissedTask", "Learning", "Report a task that was overlooked")
        .takes::<Missed>(doc, &["application/json"])
        .answers::<Task>(doc, 201, "The task.")
        .with_header(201, "Location", "The task's address.")
        .with_header(201, "ETag", "The task's version.")
}

/// `POST /ingest/items/{source_type}/{external_id}/missed`
pub async fn handle(call: &mut Call) -> Outcome {
    let item = ItemKey { source_type: call.id("source_type")?, external_id: call.id("external_id")? };
    let taken = call.body(&["application/json"]).await?;
    let missed: Missed = json::typed(&taken.bytes)?;
    check(&missed)?;
    let (store, tenant) = (&call.app.store, &call.caller.credential.tenant);
    let known = call.app.ask(store.tasks_of_item(tenant, &item)).await?;
    let job = call.app.ask(store.latest_job(tenant, &item)).await?;
    let said = mention(&item, &missed, &known, job, &call.caller.credential.subject);
    let record = call.app.ask(store.add_missed(tenant, said.ok_or_else(Problem::not_found)?)).await?;
    let mut response = get::answer(&record, &get::view(&record)?)?;
    *response.status_mut() = StatusCode::CREATED;
    response.headers_mut().insert(LOCATION, call.app.location(&format!("/tasks/{}", record.id))?);
    Ok(response)
}

fn check(missed: &Missed) -> Result<(), Problem> {
    let mut faults = Faults::default();
    faults.at_most("/quote", Some(&missed.quote), MAX_QUOTE);
    if missed.quote.trim().is_empty() {
        faults.add("/quote", "must not be blank");
    }
    faults.line("/title", missed.title.as_deref(), MAX_TITLE);
    faults.line("/owner", missed.owner.as_deref(), MAX_NAME);
    faults.into_result()
}

/// The overlooked task as if the item had said it; `None` for an item that nobody knows.
fn mention(
    item: &ItemKey,
    missed: &Missed,
    known: &[TaskRecord],
    job: Option<Job>,
    subject: &Subject,
) -> Option<Mention> {
    let beside = known.iter().find_map(|record| record.mention_of(item));
    let (occurred_at, job_id) = match (beside, &job) {
        (Some(mention), _) => (mention.occurred_at, mention.job_id),
        // Without a task of the item nothing says any more when it took place.
        (None, Some(job)) => (job.accepted_at, job.job_id),
        (None, None) => return None,
    };
    let start = missed.start.map(|start| start as usize).or_else(|| found_in(item, known, &missed.quote));
    let length = missed.quote.chars().count();
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
        quotes: vec![Quote {
            text: missed.quote.clone(),
            start: start.unwrap_or(0),
            end: start.map_or(0, |start| start + length),
            speaker: None,
            at_s: None,
        }],
        reasons: vec![Reason { text: "a person reported it as overlooked".to_owned(), weight: 1.0 }],
        links: Vec::new(),
    })
}

/// Where the quote begins, if it stands in the evidence that is kept of the item.
fn found_in(item: &ItemKey, known: &[TaskRecord], quote: &str) -> Option<usize> {
    let quotes = known.iter().filter_map(|record| record.mention_of(item)).flat_map(|mention| &mention.quotes);
    quotes.into_iter().find_map(|kept| {
        let before = kept.text.split_once(quote)?.0;
        Some(kept.start + before.chars().count())
    })
}
