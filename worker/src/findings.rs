//! What an item says, as the records of tasks take it in, and where to look for the tasks that it may mean.

use crate::{
    extractor::Extracted,
    learning,
    mention::{done_mention, mention, suppressed},
    similarity,
};
use gleaner_extract::{Context, Document, Found, link::related};
use gleaner_llm::Means;
use gleaner_model::{Item, JobId, Mention, Reason, Subject, Suppressed, TaskRecord};
use gleaner_store::LearningState;
use std::collections::BTreeSet;

/// Most words of findings and of what is said to be done under which tasks are looked for.
const WORDS: usize = 160;

/// What an item says, in the terms of tasks' records.
#[derive(Debug)]
pub struct ItemFindings {
    /// The tasks, in the order of the text.
    pub found: Vec<Mention>,
    /// For each of them the known task that it is said to be.
    pub meant: Vec<Option<Means>>,
    /// What feedback spoke against, as it would be recorded and as the job tells of it.
    suppressed: Vec<(Mention, Suppressed)>,
    /// What is said to be done, each as the mention that it makes of whatever task it means.
    pub done_mentions: Vec<Mention>,
    /// Names of the people of the item.
    pub people: Vec<String>,
    /// Keys under which tasks stand that may be meant.
    pub links: Vec<String>,
    /// Those of them under which few other tasks stand: what comes there meanwhile may be the same task.
    pub telling: Vec<String>,
}

impl ItemFindings {
    /// What an extraction says of an item that a subject submitted.
    #[must_use]
    pub fn of(item: &Item, subject: &Subject, job: JobId, taught: &LearningState, extracted: Extracted) -> Self {
        let content = item.content_sha256();
        let because = |found: &Found| learning::because(found, &Document::of(item), taught);
        let record = |found: Found, because: Vec<Reason>| {
            let mut mention = mention(item, &content, job, found);
            mention.reasons.extend(because);
            mention
        };
        let recorded = |found: Found| {
            let because = because(&found);
            record(found, because)
        };
        let (found, meant): (Vec<_>, Vec<_>) = extracted.found.into_iter().unzip();
        let found: Vec<_> = found.into_iter().map(recorded).collect();
        let left_out = extracted.suppressed.into_iter().filter_map(|found| {
            let because = because(&found);
            Some((record(found.clone(), because.clone()), suppressed(found, because)?))
        });
        let suppressed = left_out.collect();
        let done_mentions: Vec<_> =
            extracted.done_statements.into_iter().map(|said| done_mention(item, &content, job, said)).collect();
        let words = found.iter().chain(&done_mentions).flat_map(similarity::words);
        let links: BTreeSet<_> = found
            .iter()
            .flat_map(|mention| mention.links.clone())
            .chain(words.take(WORDS))
            .chain(extracted.links)
            .collect();
        let telling = links.iter().filter(|link| related::is_telling(link)).cloned().collect();
        let people = people(item, subject, &found, &done_mentions);
        Self { found, meant, suppressed, done_mentions, people, links: links.into_iter().collect(), telling }
    }

    /// What is to be recorded, and what is left out. What people have decided on stays: a suppressed candidate that
    /// means a task of this item which somebody edited or rated is recorded as before.
    #[must_use]
    pub fn sides(&self, existing: &[TaskRecord]) -> (Vec<Mention>, Vec<Suppressed>) {
        let (mut found, mut left_out) = (self.found.clone(), Vec::new());
        for (mention, suppressed) in &self.suppressed {
            let means = |record: &TaskRecord| {
                let before = record.mention_of(&mention.item);
                record.is_touched() && before.is_some_and(|before| similarity::repetition(mention, before).is_some())
            };
            if existing.iter().any(means) {
                found.push(mention.clone());
            } else {
                left_out.push(suppressed.clone());
            }
        }
        (found, left_out)
    }
}

/// Who speaks in an item, is to do something by it, or took part.
fn people(item: &Item, subject: &Subject, found: &[Mention], done_mentions: &[Mention]) -> Vec<String> {
    let said = || found.iter().chain(done_mentions);
    let speakers = said().flat_map(|mention| &mention.quotes).filter_map(|quote| quote.speaker.clone());
    let owners = said().filter_map(|mention| Some(mention.owner.as_ref()?.name.clone()));
    let context = Context::of(item, subject);
    let mut people: BTreeSet<String> = speakers.chain(owners).chain(context.participants).collect();
    people.extend(context.me.name);
    people.into_iter().collect()
}
