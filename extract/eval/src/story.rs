//! Series of our own: a file each, with the items as people would have them and, at its end, the tasks that a person should
//! see after the last.
//!
//! ```text
//! me: Marta Quill
//! --- m-1 | meeting | 2026-03-02T09:00:00Z | Boiler kick-off
//! Marta Quill: I'll order the boiler today.
//! === tasks
//! [ ] Order the boiler — Marta Quill, 2026-03-02
//! [x] Measure the cellar — nobody, no date
//! ```

use crate::data::{Final, GoldDocument, GoldPerson};
use anyhow::{Context as _, Result, bail};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Begins an item.
const ITEM: &str = "\n--- ";
/// Begins the tasks.
const TASKS: &str = "=== tasks\n";

/// The stories of a folder, by name.
///
/// # Errors
/// Where one cannot be read.
pub fn read_all(folder: &Path) -> Result<Vec<Vec<GoldDocument>>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("no {}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    paths.sort();
    let stories = paths.iter().filter(|path| path.extension().is_some_and(|extension| extension == "txt"));
    stories.map(|path| read(path).with_context(|| format!("{} is no story", path.display()))).collect()
}

fn read(path: &Path) -> Result<Vec<GoldDocument>> {
    let text = std::fs::read_to_string(path)?;
    let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let (told, tasks) = text.split_once(TASKS).context("it does not end in tasks")?;
    let (head, items) = told.split_once(ITEM).context("it has no item")?;
    let me = head.trim().strip_prefix("me: ").context("it does not say who \"me\" is")?;
    let mut documents: Vec<_> = items.split(ITEM).map(|item| document(&name, me, item)).collect::<Result<_>>()?;
    if let Some(last) = documents.last_mut() {
        last.final_tasks =
            tasks.lines().filter(|line| !line.is_empty()).map(|line| task(line, me)).collect::<Result<_>>()?;
    }
    Ok(documents)
}

fn document(series: &str, me: &str, item: &str) -> Result<GoldDocument> {
    let (head, transcript) = item.split_once('\n').context("an item without a text")?;
    let [id, source_type, occurred_at, title] = head.split(" | ").collect::<Vec<_>>()[..] else {
        bail!("{head:?} is not: id | source type | time | title");
    };
    Ok(GoldDocument {
        id: id.to_owned(),
        kind: "series".to_owned(),
        series: Some(series.to_owned()),
        order: None,
        source_type: source_type.to_owned(),
        format: String::new(),
        language: "en".to_owned(),
        title: title.to_owned(),
        occurred_at: occurred_at.to_owned(),
        metadata: HashMap::from([("participant".to_owned(), me.to_owned())]),
        me: GoldPerson { name: me.to_owned(), email: None, aliases: Vec::new() },
        transcript: transcript.to_owned(),
        tasks: Vec::new(),
        hard_negatives: Vec::new(),
        final_tasks: Vec::new(),
    })
}

fn task(line: &str, me: &str) -> Result<Final> {
    let malformed = || format!("{line:?} is not: [x] title — owner, date");
    let (title, rest) = line.rsplit_once(" — ").with_context(malformed)?;
    let (owner, due) = rest.rsplit_once(", ").with_context(malformed)?;
    let done = title.starts_with("[x] ");
    let title = title.strip_prefix(if done { "[x] " } else { "[ ] " }).with_context(malformed)?;
    Ok(Final {
        title: title.to_owned(),
        owner: (owner != "nobody").then(|| owner.to_owned()),
        waiting_on: owner != "nobody" && owner != me,
        due: (due != "no date").then(|| due.to_owned()),
        status: if done { "completed" } else { "open" }.to_owned(),
        mentions: Vec::new(),
    })
}
