//! Writes what the sentence encoder learns from, a line of JSON a text: `lessons DATA > lessons.jsonl`.

use anyhow::{Context as _, Result};
use gleaner_eval::train::{Data, lessons};
use std::io::{BufWriter, Write as _};
use std::path::PathBuf;

fn main() -> Result<()> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from).context("name the folder of the labelled data")?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    lessons(&Data::read(&folder)?, &mut |lesson| Ok(writeln!(out, "{}", serde_json::to_string(lesson)?)?))?;
    Ok(out.flush()?)
}
