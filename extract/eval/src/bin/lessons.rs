//! Writes what the sentence encoder learns from, a line of JSON a text, or what the tagger of titles does, a line a
//! task; or the titles that people are asked to read: `lessons DATA [titles | choices] > lessons.jsonl`.

use anyhow::{Context as _, Result, bail};
use gleaner_eval::train::{Data, encoder_examples, tagger_examples, title_choices};
use std::io::{BufWriter, Write as _};
use std::path::PathBuf;

fn main() -> Result<()> {
    let mut args = std::env::args_os().skip(1);
    let folder = args.next().map(PathBuf::from).context("name the folder of the labelled data")?;
    let data = Data::read(&folder)?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    match args.next() {
        None => encoder_examples(&data, &mut |example| Ok(writeln!(out, "{}", serde_json::to_string(example)?)?))?,
        Some(of) if of == "titles" => {
            tagger_examples(&data, &mut |example| Ok(writeln!(out, "{}", serde_json::to_string(example)?)?))?;
        }
        Some(of) if of == "choices" => {
            title_choices(&data, &mut |choice| Ok(writeln!(out, "{}", serde_json::to_string(choice)?)?))?;
        }
        Some(_) => bail!("there are lessons for sentences (no word more), for titles, and choices of titles to read"),
    }
    Ok(out.flush()?)
}
