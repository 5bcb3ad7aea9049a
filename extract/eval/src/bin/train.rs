//! Trains the engine: `train DATA [WEIGHTS]` reads the labelled data, prints held-out figures of each stage and writes the
//! weights, to `extract/weights` by default, with the checksums of what they were learnt from.

use anyhow::{Context as _, Result};
use gleaner_eval::checksums;
use gleaner_eval::train::{Data, train};
use std::path::PathBuf;

fn main() -> Result<()> {
    let mut args = std::env::args_os().skip(1).map(PathBuf::from);
    let folder = args.next().context("name the folder of the labelled data: train DATA [WEIGHTS]")?;
    let weights = args.next().unwrap_or_else(|| "extract/weights".into());
    // Before the long work, in which somebody may go on writing.
    let learnt_from = checksums::of_now()?;
    let data = Data::read(&folder)?;
    let trained = train(&data)?;
    for line in &trained.report {
        println!("{line}");
    }
    for (name, file) in trained.weights.files() {
        let path = weights.join(format!("{name}.bin"));
        std::fs::write(&path, file).with_context(|| format!("{} cannot be written", path.display()))?;
    }
    std::fs::write(weights.join(checksums::NAME), learnt_from).context(checksums::NAME)
}
