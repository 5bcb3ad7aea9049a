//! Scopes: what the page for tenants and the command line say of each.

use super::text;
use gleaner_model::Scope;
use gleaner_testkit::gleaner;
use serde_json::Value;
use std::collections::BTreeSet;

/// The cells of the row for a scope.
#[track_caller]
fn row(scope: Scope) -> Vec<String> {
    let page = text("docs/tenants.md");
    let row = page.lines().find(|line| line.starts_with(&format!("| `{scope}` |")));
    let row = row.unwrap_or_else(|| panic!("docs/tenants.md has no row for {scope}"));
    row.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()
}

#[test]
fn the_page_for_tenants_tells_what_each_scope_opens() {
    let document: Value = serde_json::from_str(&gleaner_api::openapi_json()).unwrap();
    for scope in Scope::ALL {
        let mut opened = BTreeSet::new();
        for (path, methods) in document["paths"].as_object().unwrap() {
            for (method, operation) in methods.as_object().unwrap() {
                let security = operation["security"].as_array().into_iter().flatten();
                if security.into_iter().any(|one| one["token"][0] == scope.as_str()) {
                    opened.insert(format!("{} {path}", method.to_uppercase()));
                }
            }
        }
        let told: BTreeSet<String> = row(scope)[2].split('`').skip(1).step_by(2).map(str::to_owned).collect();
        assert_eq!(told, opened, "{scope}");
        assert!(!opened.is_empty(), "{scope} opens nothing");
    }
}

#[test]
fn the_command_line_names_every_scope() {
    let help = gleaner::stdout(&gleaner::run(&["token", "create", "--help"], ""));
    let lacking: Vec<_> = Scope::ALL.into_iter().filter(|scope| !help.contains(scope.as_str())).collect();
    assert!(lacking.is_empty(), "{lacking:?}: {help}");
}
