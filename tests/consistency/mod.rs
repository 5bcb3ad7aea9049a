//! What stands in several places says the same in all of them.

mod documents;
mod events;
mod filters;
mod labels;
mod members;
mod names;
mod scopes;
mod weights;

use std::{fs, path::PathBuf};

/// A file of the tree.
fn place(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

/// What stands in a file of the tree.
#[track_caller]
fn text(path: &str) -> String {
    fs::read_to_string(place(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}
