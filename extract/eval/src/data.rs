//! The labelled data: documents with gold tasks, meetings, mail sentences.

use anyhow::{Context as _, Result};
use flate2::read::GzDecoder;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// A document with its gold tasks.
#[derive(Clone, Debug, Deserialize)]
pub struct GoldDocument {
    pub id: String,
    pub kind: String,
    pub series: Option<String>,
    pub order: Option<u32>,
    pub source_type: String,
    pub format: String,
    pub language: String,
    pub title: String,
    pub occurred_at: String,
    pub metadata: HashMap<String, String>,
    pub me: GoldPerson,
    pub transcript: String,
    pub tasks: Vec<Gold>,
    pub hard_negatives: Vec<HardNegative>,
    #[serde(default)]
    pub final_tasks: Vec<Final>,
}

impl GoldDocument {
    /// How much it counts beside others: short texts are plain, and there are many.
    #[must_use]
    pub fn weight(&self) -> f32 {
        const SHORT: f32 = 0.5;
        if self.format == "short" { SHORT } else { 1.0 }
    }

    /// The same where nobody says who reads it: where the text does not name them, what is theirs is nobody's.
    #[must_use]
    pub fn impersonal(&self) -> Option<Self> {
        let text = self.transcript.to_lowercase();
        let mut names = self.me.aliases.iter().chain([&self.me.name]);
        let is_named = names.any(|name| text.contains(&name.to_lowercase()));
        let mut other = (!is_named).then(|| self.clone())?;
        for task in other.tasks.iter_mut().filter(|task| task.owner.as_ref() == Some(&self.me.name)) {
            task.owner = None;
        }
        other.me = GoldPerson { name: String::new(), email: None, aliases: Vec::new() };
        Some(other)
    }
}

/// Who "me" is.
#[derive(Clone, Debug, Deserialize)]
pub struct GoldPerson {
    pub name: String,
    pub email: Option<String>,
    #[serde(default)]
    pub aliases: Vec<String>,
}

/// A task that is in the document.
#[derive(Clone, Debug, Deserialize)]
pub struct Gold {
    pub title: String,
    pub owner: Option<String>,
    pub waiting_on: bool,
    pub due: Option<String>,
    pub status: String,
    pub urgency: String,
    pub evidence: Vec<GoldEvidence>,
    /// Arguable: neither a miss where it is not found nor wrong where it is.
    #[serde(default)]
    pub optional: bool,
    /// What else readers held to be the owner; "" is nobody.
    #[serde(default)]
    pub owners: Vec<Option<String>>,
    /// What else readers held to be the day; "" is none.
    #[serde(default)]
    pub dues: Vec<Option<String>>,
}

/// A quote, by its words alone or with its place in the transcript, in Unicode scalars.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum GoldEvidence {
    Words(String),
    Place { quote: String, start: usize, end: usize },
}

impl GoldEvidence {
    /// Its words.
    #[must_use]
    pub fn quote(&self) -> &str {
        match self {
            Self::Words(quote) | Self::Place { quote, .. } => quote,
        }
    }
}

/// Something that looks like a task and is none; the metric calls it a trap.
#[derive(Clone, Debug, Deserialize)]
pub struct HardNegative {
    pub quote: String,
    #[serde(default)]
    pub why: String,
    #[serde(default)]
    pub start: Option<usize>,
    #[serde(default)]
    pub end: Option<usize>,
}

/// A task as it stands after a series of documents.
#[derive(Clone, Debug, Deserialize)]
pub struct Final {
    pub title: String,
    pub owner: Option<String>,
    pub waiting_on: bool,
    pub due: Option<String>,
    pub status: String,
    #[serde(default)]
    pub mentions: Vec<String>,
}

/// A meeting, utterance by utterance.
#[derive(Clone, Debug, Deserialize)]
pub struct Meeting {
    pub id: String,
    #[serde(default)]
    pub corpus: String,
    #[serde(default)]
    pub date: Option<String>,
    #[serde(default)]
    pub start_time: Option<String>,
    #[serde(default)]
    pub speakers: HashMap<String, Speaker>,
    pub utterances: Vec<GoldUtterance>,
    #[serde(default)]
    pub action_summaries: Vec<Summary>,
    #[serde(default)]
    pub actions: Vec<Action>,
}

/// A participant of an AMI meeting.
#[derive(Clone, Debug, Deserialize)]
pub struct Speaker {
    pub role: String,
}

/// Something said.
#[derive(Clone, Debug, Deserialize)]
pub struct GoldUtterance {
    pub i: usize,
    pub speaker: String,
    pub text: String,
    #[serde(default)]
    pub action: u8,
    #[serde(default)]
    pub commit: u8,
    #[serde(default)]
    pub command: u8,
    #[serde(default)]
    pub suggest: u8,
}

/// An action item of a meeting, in the annotator's words.
#[derive(Clone, Debug, Deserialize)]
pub struct Summary {
    pub text: String,
    pub evidence: Vec<usize>,
    #[serde(default)]
    pub owner_roles: Vec<String>,
    #[serde(default)]
    pub owner: Vec<String>,
}

/// An action that minutes recorded, and the last utterance before it.
#[derive(Clone, Debug, Deserialize)]
pub struct Action {
    pub title: String,
    pub owner: Vec<String>,
    /// -1 where nothing was said before it.
    pub anchor: i64,
}

/// A sentence of a mail.
#[derive(Clone, Debug, Deserialize)]
pub struct Mail {
    pub id: String,
    pub text: String,
    pub intent: u8,
}

/// Reads a file of one JSON object a line, compressed where its name ends in `.gz`.
///
/// # Errors
/// Where it cannot be read or a line is not of this kind.
pub fn read<T: DeserializeOwned>(folder: &Path, name: &str) -> Result<Vec<T>> {
    let path = folder.join(name);
    let file = File::open(&path)
        .with_context(|| format!("no {}: DATA names the folder of the labelled data", path.display()))?;
    let plain: Box<dyn Read> = if name.ends_with(".gz") { Box::new(GzDecoder::new(file)) } else { Box::new(file) };
    let lines = BufReader::new(plain).lines().enumerate();
    lines
        .map(|(number, line)| {
            serde_json::from_str(&line?).with_context(|| format!("{}: line {}", path.display(), number + 1))
        })
        .collect()
}
