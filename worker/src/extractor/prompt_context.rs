//! What is known around an item and stands in the question: open tasks that it may speak of, found by the keys that linking
//! uses, and how people rated earlier findings. Both bounded.

use super::ExtractError;
use crate::{Worker, retry::retry_transient, similarity};
use gleaner_extract::link::related;
use gleaner_llm::{FeedbackVerdict, KnownTask, PromptContext, RatedExample};
use gleaner_model::{Item, TaskRecord, TaskStatus, learning::VoteKind};
use gleaner_store::{Claim, LearningState, Payload};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

/// Most known tasks in a question.
const MAX_KNOWN: usize = 24;
/// Most ratings in a question.
const MAX_RATINGS: usize = 12;
/// Most words of a text under which tasks are looked for.
const MAX_WORDS: usize = 240;
/// Most known tasks that share but one word with the text: the scaffold that is down, and many that are not meant.
const MAX_LOOSE: usize = 12;

/// What stands in the question beside an item.
///
/// # Errors
/// When the store cannot be asked.
pub async fn of(
    worker: &Worker,
    claim: &Claim,
    payload: &Payload,
    taught: &LearningState,
) -> Result<PromptContext, ExtractError> {
    let item = &payload.item;
    let links = words(&item.transcript);
    let look = retry_transient(&worker.metrics, || worker.store.candidates(&claim.tenant, &item.key, &links)).await?;
    let known = known(item, look.of_item.into_iter().chain(look.related), &links);
    let mut ratings = Vec::new();
    for (task, kind) in taught.sources.latest().take(MAX_RATINGS) {
        if let Some(record) = retry_transient(&worker.metrics, || worker.store.task(&claim.tenant, task)).await? {
            ratings.extend(rated_example(&record, kind));
        }
    }
    Ok(PromptContext { known, ratings })
}

/// The words of a text under which tasks may stand: half of them those said most, half the longest.
fn words(text: &str) -> Vec<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for word in related::words_of(text) {
        *counts.entry(word).or_default() += 1;
    }
    let mut by_count: Vec<_> = counts.iter().collect();
    by_count.sort_by_key(|(word, count)| (Reverse(**count), Reverse(word.len())));
    let mut chosen: BTreeSet<&String> = by_count.iter().take(MAX_WORDS / 2).map(|(word, _)| *word).collect();
    by_count.sort_by_key(|(word, _)| Reverse(word.len()));
    chosen.extend(by_count.iter().take(MAX_WORDS / 2).map(|(word, _)| *word));
    chosen.into_iter().cloned().collect()
}

/// Open tasks of other items that share most with the text, likeliest first.
fn known(item: &Item, records: impl Iterator<Item = TaskRecord>, links: &[String]) -> Vec<KnownTask> {
    let said: BTreeSet<&str> = links.iter().map(String::as_str).collect();
    let mut known: Vec<(usize, Reverse<usize>, KnownTask)> = Vec::new();
    for record in records.filter(|record| record.status() == TaskStatus::Open) {
        let Some(latest) = record.mentions.iter().rfind(|mention| mention.item != item.key) else { continue };
        let words: BTreeSet<String> = related::words_of(record.title()).collect();
        let shared = words.iter().filter(|word| said.contains(word.as_str())).count();
        if shared == 0 {
            continue;
        }
        let task = KnownTask {
            id: record.id,
            title: record.title().to_owned(),
            owner: record.owner().map(|owner| owner.name),
            due: record.due().map(|due| due.date),
            status: record.status(),
            links: similarity::keys(latest).into_iter().take(3).collect(),
        };
        known.push((shared, Reverse(words.len()), task));
    }
    known.sort_by_key(|(shared, words, task)| (Reverse(*shared), Reverse(*words), Reverse(task.id)));
    let (close, loose): (Vec<_>, Vec<_>) =
        known.into_iter().partition(|(shared, words, _)| *shared > 1 || words.0 == 1);
    close.into_iter().chain(loose.into_iter().take(MAX_LOOSE)).take(MAX_KNOWN).map(|(.., task)| task).collect()
}

/// What people made of a task; `None` where that says nothing of whether it is one.
fn rated_example(record: &TaskRecord, kind: VoteKind) -> Option<RatedExample> {
    let quote = record.mentions.first()?.quotes.first()?.text.clone();
    let corrected = || {
        let owner = record.owner().map(|owner| format!(", owner {}", owner.name)).unwrap_or_default();
        let due = record.due().map(|due| format!(", due {}", due.date)).unwrap_or_default();
        format!("{}{owner}{due}", record.title())
    };
    let verdict = match kind {
        VoteKind::Down | VoteKind::Dismissed => FeedbackVerdict::Rejected,
        VoteKind::Missed => FeedbackVerdict::Missed(record.title().to_owned()),
        VoteKind::Corrected | VoteKind::Edited => FeedbackVerdict::Corrected(corrected()),
        VoteKind::Up | VoteKind::Important => FeedbackVerdict::Welcome,
        VoteKind::Duplicate | VoteKind::NotImportant | VoteKind::Completed => return None,
    };
    Some(RatedExample { task: record.id, quote, verdict })
}
