//! A type's name is its own: no other type of the workspace has it, be it of a library, a tool, a test or a measurement.

use super::place;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// The names that several types share, and why each may. A type that is renamed leaves this list with the last that shared its name.
const SHARED: [(&str, &str); 2] = [
    ("Error", "each library has one, and is asked for it by its path"),
    ("Word", "owner and title: as each has read it"),
];
/// Folders of what others wrote or a build made.
const ASIDE: [&str; 2] = ["target", "node_modules"];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let (path, name) = (entry.path(), entry.file_name().into_string().unwrap());
        if path.is_dir() && !name.starts_with('.') && !ASIDE.contains(&name.as_str()) {
            sources(&path, found);
        } else if name.ends_with(".rs") && name != "tests.rs" {
            found.push(path);
        }
    }
}

/// The name of the type that a line declares; the types of a trait stand further in.
fn declared(line: &str) -> Option<&str> {
    let line = line.strip_prefix("pub").map_or(line, |rest| rest.trim_start_matches(|c| c != ' '));
    let rest = ["struct ", "enum ", "trait ", "type ", "union "]
        .iter()
        .find_map(|kind| line.trim_start().strip_prefix(kind))?;
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    Some(&rest[..end])
}

#[test]
fn no_two_types_share_a_name() {
    let root = place("").canonicalize().unwrap();
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut names: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in &files {
        let text = fs::read_to_string(file).unwrap();
        let path = file.strip_prefix(&root).unwrap().display();
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.starts_with(' ')) {
            if let Some(name) = declared(line) {
                names.entry(name.to_owned()).or_default().push(format!("{path}:{}", at + 1));
            }
        }
    }
    assert!(names.len() > 500, "{} names in {} files", names.len(), files.len());
    for (name, why) in SHARED {
        assert!(names.remove(name).is_some_and(|places| places.len() > 1), "{name} is not shared any more ({why})");
    }
    names.retain(|_, places| places.len() > 1);
    assert!(names.is_empty(), "give each a name that says what it is: {names:#?}");
}
