//! Files that are made from the chart: compared, or written where `GLEANER_WRITE` is set.

use std::{fs, path::Path};

/// The file must say this; with `GLEANER_WRITE` set, it will.
pub fn same_or_written(path: &Path, text: &str) {
    if std::env::var_os("GLEANER_WRITE").is_some() {
        fs::write(path, text).unwrap();
        return;
    }
    let found = fs::read_to_string(path).unwrap_or_default();
    let line = found.lines().zip(text.lines()).position(|(one, other)| one != other);
    let line = line.unwrap_or_else(|| found.lines().count().min(text.lines().count()));
    assert!(
        found == text,
        "{} differs from line {} on: look whether that is meant, then run `make generate`\n  it says: {:?}\n  now:     {:?}",
        path.display(),
        line + 1,
        found.lines().nth(line),
        text.lines().nth(line),
    );
}
