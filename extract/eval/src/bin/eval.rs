//! Scores.
use anyhow::Result;
use gleaner_eval::data::{self, Document};
use gleaner_eval::records::Records;
use std::path::Path;

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().collect();
    let folder = Path::new(&args[1]);
    let name = if args.iter().any(|a| a == "train") { "documents-train.jsonl" } else { "documents-dev.jsonl" };
    let errors = args.iter().any(|a| a == "errors");
    let weights = gleaner_eval::weights(args.iter().find_map(|a| a.strip_prefix("weights=")).map(Path::new))?;
    let docs: Vec<Document> = data::read(folder, name)?;
    let mut records = Records::default();
    for d in &docs {
        let context = gleaner_eval::context(d)?;
        let document = gleaner_eval::submitted(d);
        let found =
            gleaner_extract::engine::extract(&document, &gleaner_extract::reader::read(&document), &context, &weights);
        records.add(d, &found.tasks, &mut |e| {
            if errors {
                println!("{e}")
            }
        });
    }
    println!("{records}");
    Ok(())
}
