//! What weights were learnt from, as `sha256sum` writes it: a test tells where a file has changed since.

use anyhow::{Context as _, Result};
use sha2::{Digest as _, Sha256};
use std::path::Path;

/// The file beside the weights.
pub const NAME: &str = "learnt-from.sha256";

/// The words, labelled texts and held-out scores of this repository from which `train` learns, from its root.
const FILES: [&str; 12] = [
    "extract/src/cue/en.txt",
    "extract/src/cue/others.txt",
    "extract/src/feature/function.txt",
    "extract/src/feature/verbs.txt",
    "extract/src/people/given.txt",
    "extract/eval/documents/minutes.jsonl",
    "extract/eval/documents/short.jsonl",
    "extract/eval/documents/train.jsonl",
    "extract/eval/encoder/heldout.jsonl.gz",
    "extract/eval/encoder/tagger.0.bin",
    "extract/eval/encoder/tagger.1.bin",
    "extract/eval/titles/readings.jsonl.gz",
];

/// The SHA-256 of each as it is now: a line of hex digits, two blanks and the path.
///
/// # Errors
/// Where one cannot be read.
pub fn of_now() -> Result<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let line = |path: &&str| {
        let bytes = std::fs::read(root.join(path)).with_context(|| (*path).to_owned())?;
        Ok(format!("{:x}  {path}\n", Sha256::digest(bytes)))
    };
    FILES.iter().map(line).collect()
}
