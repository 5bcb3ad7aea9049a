//! Documents that the weights have not seen, so that the simulated engine errs as it does on new texts.

use crate::data::{self, GoldDocument};
use anyhow::Result;
use gleaner_extract::weights::Weights;
use std::path::Path;
use std::sync::Arc;

/// A document with the weights that it is read with.
pub type HeldOutDocument = (GoldDocument, Arc<Weights>);

/// The documents of `documents-dev`, and the meetings of `talk-dev`, with the weights that are built in.
///
/// # Errors
/// Where the data cannot be read.
pub fn documents(folder: &Path) -> Result<[Vec<HeldOutDocument>; 2]> {
    let shipped = Arc::new(crate::weights(None)?);
    let read = |name| -> Result<Vec<HeldOutDocument>> {
        let documents = data::read::<GoldDocument>(folder, name)?;
        Ok(documents.into_iter().map(|document| (document, shipped.clone())).collect())
    };
    Ok([read("documents-dev.jsonl")?, read("talk-dev.jsonl.gz")?])
}
