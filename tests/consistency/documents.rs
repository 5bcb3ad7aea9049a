//! What the documents name is there: each path, and in a file each name that stands in brackets behind its path.

use super::{place, text};
use std::fs;

const DOCUMENTS: [&str; 4] = ["README.md", "CONTRIBUTING.md", "docs/ARCHITECTURE.md", "store/README.md"];
/// What a name in code is a path for, also where its folder is gone.
const KINDS: [&str; 15] =
    ["rs", "lua", "md", "toml", "sh", "js", "ts", "py", "html", "css", "txt", "json", "jsonl", "yaml", "rdb"];
/// What stands before the name of something that a file defines.
const DEFINES: [&str; 12] = [
    "fn ",
    "struct ",
    "enum ",
    "trait ",
    "type ",
    "const ",
    "static ",
    "mod ",
    "function ",
    "def ",
    "interface ",
    "macro_rules! ",
];

/// A document without its blocks of code.
fn prose(document: &str) -> String {
    let mut inside = false;
    let lines = text(document).lines().map(str::to_owned).collect::<Vec<_>>();
    let kept = lines.iter().filter(|line| {
        let fence = line.trim_start().starts_with("```");
        inside ^= fence;
        !inside && !fence
    });
    kept.map(String::as_str).collect::<Vec<_>>().join("\n")
}

/// Whether words in code are meant as a path of this tree, from its root or from the document's own folder.
fn is_path(code: &str) -> bool {
    let plain = code.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-/".contains(&byte));
    let first = code.split('/').next().unwrap_or_default();
    let kind = code.rsplit_once('.').map_or("", |(_, kind)| kind);
    let in_tree = code.contains('/') && !first.is_empty() && !matches!(first, "." | "..") && place(first).exists();
    plain && (in_tree || KINDS.contains(&kind))
}

/// The path from the root; `None` where nothing is there.
fn found(document: &str, path: &str) -> Option<String> {
    let beside = document.rsplit_once('/').map(|(folder, _)| format!("{folder}/{path}"));
    [Some(path.to_owned()), beside].into_iter().flatten().find(|path| place(path).exists())
}

fn defines(path: &str, name: &str) -> bool {
    let name = name.rsplit("::").next().unwrap_or(name);
    let ends = |rest: &str| !rest.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_');
    let text = text(path);
    DEFINES.iter().any(|word| text.split(&format!("{word}{name}")).skip(1).any(ends))
}

#[test]
fn every_path_that_a_document_names_is_there_with_what_it_is_said_to_hold() {
    let mut wrong = Vec::new();
    let mut named = 0;
    for document in DOCUMENTS {
        let prose = prose(document);
        let pieces: Vec<&str> = prose.split('`').collect();
        assert!(pieces.len() % 2 == 1, "{document}: a backtick has no other");
        let (mut file, mut in_brackets) = (None, false);
        for pair in pieces.windows(2).step_by(2) {
            let (between, code) = (pair[0].trim(), pair[1]);
            in_brackets = between == "(" || (in_brackets && between == ",");
            if is_path(code) {
                named += 1;
                file = found(document, code);
                if file.is_none() {
                    wrong.push(format!("{document}: {code} is not there"));
                }
            } else if let Some(path) = file.as_ref().filter(|path: &&String| in_brackets && place(path).is_file()) {
                let is_name = code.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_:".contains(&byte));
                if is_name && !defines(path, code) {
                    wrong.push(format!("{document}: {path} does not define {code}"));
                }
            } else {
                file = None;
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(named > 100, "{named} paths were looked at");
}

#[test]
fn every_link_to_a_file_leads_to_one() {
    let mut wrong = Vec::new();
    let documents = fs::read_dir(place("docs")).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let documents = documents.filter(|name| name.ends_with(".md")).map(|name| format!("docs/{name}"));
    for document in documents.chain(DOCUMENTS.map(str::to_owned)) {
        for link in prose(&document).split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let path = link.split('#').next().unwrap_or_default();
            let folder = document.rsplit_once('/').map_or("", |(folder, _)| folder);
            if !path.is_empty() && !link.contains("://") && !place(folder).join(path).exists() {
                wrong.push(format!("{document}: {link}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
