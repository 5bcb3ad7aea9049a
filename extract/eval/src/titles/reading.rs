//! What readers made of titles, as an owner would who finds them in a list a week later (`titles/README.md`).

use crate::data;
use anyhow::Result;
use gleaner_extract::title::Offered;
use serde::Deserialize;
use std::collections::HashMap;
use std::path::Path;

/// What a reader made of a title.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum TitleReading {
    /// True, and one knows what to do.
    Clear,
    /// True, but what about or of whom is missing.
    Vague,
    /// Of another matter, with a wrong thing in it, or garbled.
    Wrong,
}

impl TitleReading {
    /// What such a title is worth.
    pub fn worth(self) -> f32 {
        match self {
            Self::Clear => 1.0,
            Self::Vague => 0.4,
            Self::Wrong => 0.0,
        }
    }
}

/// What readers made of the titles of a task.
#[derive(Debug, Deserialize)]
struct ReadTask {
    id: String,
    gold: usize,
    titles: HashMap<String, TitleReading>,
}

/// The readings of all titles that were read, by text and number of the task.
#[derive(Debug)]
pub(super) struct TitleReadings(HashMap<(String, usize), HashMap<String, TitleReading>>);

impl TitleReadings {
    /// Reads them.
    ///
    /// # Errors
    /// Where the file is missing or malformed.
    pub fn read() -> Result<Self> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("titles");
        let tasks: Vec<ReadTask> = data::read(&folder, "readings.jsonl.gz")?;
        Ok(Self(tasks.into_iter().map(|task| ((task.id, task.gold), task.titles)).collect()))
    }

    /// What was made of each title of a task, where it was read.
    pub fn of(&self, id: &str, gold: usize, offered: &[Offered]) -> Vec<Option<TitleReading>> {
        let known = self.0.get(&(id.to_owned(), gold));
        offered.iter().map(|one| known?.get(&one.title.text.to_lowercase()).copied()).collect()
    }
}
