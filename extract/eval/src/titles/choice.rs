//! Titles for people to read: the best that could be made of each task, by trees that never saw it.

use super::reading::TitleReadings;
use super::{Taggers, TitledTask, grow, named};
use crate::dates::TrainingSource;
use anyhow::Result;
use gleaner_extract::encoder::Encoder;
use gleaner_extract::title;
use serde::Serialize;
use std::collections::HashSet;

/// A task with the titles that are worth most, for people to read.
#[derive(Debug, Serialize)]
pub struct TitleChoice<'c> {
    id: &'c str,
    gold: usize,
    is_talk: bool,
    /// What a person called it, and who is to do it.
    title: &'c str,
    owner: Option<&'c str>,
    /// The lines around: whether the task rests on each, who says it, and what.
    lines: Vec<(bool, Option<&'c str>, &'c str)>,
    /// The best first.
    titles: Vec<&'c str>,
}

/// Gives the tasks found in English texts to `write`, each once, with the titles that trees hold to be worth most which were learnt
/// without the text.
///
/// # Errors
/// Where a document's time is malformed, the taggers were not trained yet, or `write` fails.
pub fn choices(
    sources: &[TrainingSource<'_>],
    groups: &[u32],
    encoder: &Encoder,
    write: &mut dyn FnMut(&TitleChoice<'_>) -> Result<()>,
) -> Result<()> {
    let named = named(sources, groups, &Taggers::read(encoder)?, &TitleReadings::read()?)?;
    let (_, scored) = grow(&named);
    for (named, scored) in named.iter().zip(&scored).filter(|(named, _)| named.task.found && named.task.is_english) {
        let TitledTask { source, gold, .. } = named.task;
        let TrainingSource { document, reading, .. } = sources[source];
        let mut proven: Vec<usize> = (0..scored.len()).filter(|&at| scored[at].truth >= title::MIN_TRUTH).collect();
        proven.sort_by(|one, other| scored[*other].worth.total_cmp(&scored[*one].worth));
        let mut seen = HashSet::new();
        let titles = proven.into_iter().map(|at| named.offered[at].title.text.as_str());
        let line = |&(at, evidence): &(usize, bool)| {
            let sentence = &reading.script.sentences[at];
            (evidence, sentence.speaker.map(|of| reading.script.speakers[of as usize]), sentence.text)
        };
        write(&TitleChoice {
            id: &document.id,
            gold,
            is_talk: document.format.starts_with("talk"),
            title: &document.tasks[gold].title,
            owner: document.tasks[gold].owner.as_deref(),
            lines: named.lines.iter().map(line).collect(),
            titles: titles.filter(|title| seen.insert(title.to_lowercase())).take(title::CHOICES).collect(),
        })?;
    }
    Ok(())
}
