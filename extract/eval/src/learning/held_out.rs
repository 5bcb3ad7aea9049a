//! Documents with the weights that were trained without them, so that the simulated engine errs as it does on new texts.

use crate::data::{self, Document, Meeting};
use crate::fit::fold_of;
use crate::rare;
use crate::train::{Data, FOLDS, folds};
use anyhow::{Context as _, Result};
use gleaner_extract::weights::Weights;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The documents of `documents-train` and `documents-dev`, each with weights that know nothing of it.
///
/// # Errors
/// Where the data cannot be read, or the weights that were trained not be kept.
pub fn documents(folder: &Path) -> Result<Vec<(Document, Arc<Weights>)>> {
    let documents: Vec<Document> = data::read(folder, "documents-train.jsonl")?;
    let folds: Vec<Arc<Weights>> = kept(folder, &documents)?.into_iter().map(Arc::new).collect();
    let shipped = Arc::new(crate::weights(None)?);
    let train = (0..).zip(documents).map(|(at, document)| (document, folds[fold_of(at, FOLDS) as usize].clone()));
    let dev = data::read::<Document>(folder, "documents-dev.jsonl")?.into_iter();
    Ok(train.chain(dev.map(|document| (document, shipped.clone()))).collect())
}

/// The minutes of each group in the order of time, with weights that judge minutes as they learnt it of all other groups.
///
/// # Errors
/// Where the data cannot be read or not be trained on.
pub fn groups(folder: &Path) -> Result<Vec<(Vec<Meeting>, Arc<Weights>)>> {
    let shipped = crate::weights(None)?;
    let all: Vec<Meeting> = data::read(folder, "w3c.jsonl.gz")?;
    let mut groups: BTreeMap<&str, Vec<Meeting>> = BTreeMap::new();
    for meeting in &all {
        groups.entry(&meeting.corpus).or_default().push(meeting.clone());
    }
    let held_out = |(name, mut meetings): (&str, Vec<Meeting>)| {
        let others: Vec<Meeting> = all.iter().filter(|meeting| meeting.corpus != name).cloned().collect();
        let minutes = rare::minutes(&others, &shipped.first.models, &mut Vec::new())?;
        meetings.sort_by(|one, other| one.date.cmp(&other.date));
        Ok((meetings, Arc::new(Weights { minutes, ..shipped.clone() })))
    };
    groups.into_iter().map(held_out).collect()
}

/// The weights of each part: those of an earlier run, or trained now. They are kept beside the program.
fn kept(folder: &Path, documents: &[Document]) -> Result<Vec<Weights>> {
    let place = place(documents)?;
    let read = |fold| crate::weights(Some(&place.join(fold_name(fold))));
    if let Ok(all) = (0..FOLDS).map(read).collect::<Result<Vec<_>>>() {
        return Ok(all);
    }
    let data = Data {
        documents: documents.to_vec(),
        ami: data::read(folder, "ami.jsonl.gz")?,
        icsi: data::read(folder, "icsi.jsonl.gz")?,
        minutes: Vec::new(),
        mails: data::read(folder, "email.jsonl.gz")?,
    };
    let trained = folds(&data)?;
    for (fold, weights) in (0..).zip(&trained) {
        let folder = place.join(fold_name(fold));
        std::fs::create_dir_all(&folder).with_context(|| format!("{} cannot be made", folder.display()))?;
        for (name, file) in weights.files() {
            std::fs::write(folder.join(format!("{name}.bin")), file)?;
        }
    }
    Ok(trained)
}

fn fold_name(fold: u32) -> String {
    format!("fold-{fold}")
}

/// Where the weights of these documents' parts are kept. The built-in weights change whenever training does, so that they
/// tell which training it was.
fn place(documents: &[Document]) -> Result<PathBuf> {
    let mut hash = DefaultHasher::new();
    crate::weights(None)?.files().hash(&mut hash);
    for document in documents {
        (&document.id, &document.transcript).hash(&mut hash);
    }
    let program = std::env::current_exe()?;
    let target = program.parent().context("a program lies in a folder")?;
    Ok(target.join(format!("held-out-{:016x}", hash.finish())))
}
