//! The table of values on the chart's page: made from the comments in `values.yaml`.

use crate::{generated::same_or_written, render::CHART};
use gleaner_model::Scope;
use serde_json::Value;
use std::{fmt::Write as _, fs, path::Path};

#[test]
fn the_page_lists_every_value_as_the_file_explains_it() {
    let path = Path::new(CHART).join("README.md");
    let page = fs::read_to_string(&path).unwrap();
    let (words, _) = page.split_once("| value | default | meaning |").expect("the table of values");
    same_or_written(&path, &format!("{words}{}", table()));
}

fn schema() -> Value {
    serde_json::from_str(&fs::read_to_string(Path::new(CHART).join("values.schema.json")).unwrap()).unwrap()
}

#[test]
fn an_admin_may_allow_each_scope_that_there_is() {
    let listed = &schema()["properties"]["limits"]["properties"]["tokenAllowedScopes"]["items"]["enum"];
    assert_eq!(*listed, serde_json::json!(Scope::ALL));
}

#[test]
fn every_value_stands_in_the_schema_and_has_words() {
    let schema = schema();
    for (path, _, words) in rows() {
        let pointer: String = path.split('.').map(|part| format!("/properties/{part}")).collect();
        assert!(schema.pointer(&pointer).is_some(), "{path} is missing in values.schema.json");
        assert!(!words.is_empty(), "{path} has no comment in values.yaml");
    }
}

fn table() -> String {
    let mut table = "| value | default | meaning |\n| --- | --- | --- |\n".to_owned();
    for (path, default, words) in rows() {
        let _ = writeln!(table, "| `{path}` | `{default}` | {words} |");
    }
    table
}

/// Path, default (as JSON) and words of each value: each line of the file with a value, or with a comment before it.
fn rows() -> Vec<(String, String, String)> {
    let text = fs::read_to_string(Path::new(CHART).join("values.yaml")).unwrap();
    let values: Value = serde_yaml_ng::from_str(&text).unwrap();
    let (mut rows, mut parents, mut words) = (Vec::new(), Vec::<&str>::new(), String::new());
    let mut explained = None;
    for line in text.lines() {
        let content = line.trim_start();
        let depth = (line.len() - content.len()) / 2;
        if let Some(comment) = content.strip_prefix("# ") {
            words = if let Some(first) = comment.strip_prefix("-- ") {
                first.to_owned()
            } else {
                format!("{words} {comment}")
            };
            continue;
        }
        let Some((key, rest)) = content.split_once(':') else { continue };
        parents.truncate(depth);
        parents.push(key);
        // What lies under an explained value belongs to it.
        if explained.is_some_and(|above| depth > above) {
            continue;
        }
        explained = None;
        if !rest.is_empty() || words.starts_with("Resources") {
            let value = values.pointer(&format!("/{}", parents.join("/"))).unwrap();
            rows.push((parents.join("."), value.to_string().replace('|', "\\|"), std::mem::take(&mut words)));
            explained = Some(depth);
        }
        words.clear();
    }
    rows
}
