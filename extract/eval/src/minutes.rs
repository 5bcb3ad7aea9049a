//! Follow-up lists of our own for minutes whose text lies in the folder of the labelled data.

use crate::data::{self, Gold, GoldDocument, GoldEvidence, GoldPerson, HardNegative, Meeting};
use anyhow::{Context as _, Result};
use serde::Deserialize;
use std::collections::HashMap;
use std::path::Path;

/// The list of one meeting. Tasks that count have `sure` of 2 or more; the others are arguable.
#[derive(Debug, Deserialize)]
struct MinutesList {
    id: String,
    date: String,
    tasks: Vec<FollowUp>,
    hard_negatives: Vec<HardNegative>,
}

#[derive(Debug, Deserialize)]
struct FollowUp {
    title: String,
    owner: Option<String>,
    due: Option<String>,
    status: String,
    urgency: String,
    sure: u8,
    evidence: Vec<String>,
}

/// The meetings with their lists: the lists from `minutes.jsonl` among `own`, the words from W3C's minutes in `folder`.
///
/// # Errors
/// Where a file cannot be read, or a list is of a meeting that is not there.
pub fn read(folder: &Path, own: &Path) -> Result<Vec<GoldDocument>> {
    let lists: Vec<MinutesList> = data::read(own, "minutes.jsonl")?;
    let mut meetings: Vec<Meeting> = data::read(folder, "w3c.jsonl.gz")?;
    meetings.extend(data::read::<Meeting>(folder, "w3c_marked.jsonl.gz")?);
    let meetings: HashMap<&str, &Meeting> = meetings.iter().map(|meeting| (meeting.id.as_str(), meeting)).collect();
    let document = |list: MinutesList| {
        let meeting = list.id.split_once('-').and_then(|(_, id)| meetings.get(id));
        meeting.map(|meeting| document(&list, meeting)).with_context(|| format!("no minutes called {}", list.id))
    };
    lists.into_iter().map(document).collect()
}

fn document(list: &MinutesList, meeting: &Meeting) -> GoldDocument {
    let lines: Vec<String> = meeting.utterances.iter().map(|said| format!("{}: {}", said.speaker, said.text)).collect();
    let me = meeting.utterances.first().map(|said| said.speaker.clone()).unwrap_or_default();
    GoldDocument {
        id: list.id.clone(),
        kind: "single".to_owned(),
        series: None,
        order: None,
        source_type: "meeting".to_owned(),
        format: "talk_w3c".to_owned(),
        language: "en".to_owned(),
        title: String::new(),
        occurred_at: format!("{}T10:00:00Z", list.date),
        metadata: HashMap::from([("participant".to_owned(), me.clone())]),
        tasks: list.tasks.iter().map(|entry| gold(entry, &me)).collect(),
        hard_negatives: list.hard_negatives.clone(),
        me: GoldPerson { name: me, email: None, aliases: Vec::new() },
        transcript: lines.join("\n"),
        final_tasks: Vec::new(),
    }
}

fn gold(entry: &FollowUp, me: &str) -> Gold {
    Gold {
        title: entry.title.clone(),
        owner: entry.owner.clone(),
        waiting_on: entry.owner.as_ref().is_some_and(|owner| owner != me),
        due: entry.due.clone(),
        status: entry.status.clone(),
        urgency: entry.urgency.clone(),
        evidence: entry.evidence.iter().cloned().map(GoldEvidence::Words).collect(),
        optional: entry.sure < 2,
        owners: Vec::new(),
        dues: Vec::new(),
    }
}
