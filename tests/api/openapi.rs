//! /openapi.json is the truth, and the copy in the tree is the same.

use gleaner_testkit::{api::Api, gleaner};
use serde_json::Value;
use std::{fs, path::Path, process::Command};

#[tokio::test]
async fn the_document_is_served_without_a_token_and_says_what_is_checked_in() {
    let api = Api::start().await;
    let served = api.request("GET", "/openapi.json").send().await.expect(200);
    assert_eq!(served.header("content-type"), Some("application/json"));
    let made: Value = serde_json::from_str(&gleaner_api::openapi_json()).unwrap();
    assert_eq!(served.json(), made);
    assert!(made["openapi"].as_str().unwrap().starts_with("3.1"));
}

#[test]
fn the_copy_in_the_tree_is_what_the_code_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../api/openapi.json");
    let made = gleaner_api::openapi_json();
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == made, "api/openapi.json is out of date: run `make generate`");
}

#[tokio::test]
async fn every_documented_path_answers_and_every_refusal_is_documented() {
    let api = Api::start().await;
    let document = api.get("/openapi.json").await.json();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, said) in methods.as_object().unwrap() {
            let real = path.replace("{source_type}", "note").replace(['{', '}'], "");
            let answer = api.request(&method.to_uppercase(), &real).send().await;
            assert!(said["responses"].get(answer.status.to_string()).is_some(), "{method} {path}: {}", answer.status);
            let open = said["security"].as_array().is_some_and(Vec::is_empty);
            assert_eq!(answer.status, if open { 200 } else { 401 }, "{method} {path}");
        }
    }
}

#[test]
fn each_body_begins_with_an_example_and_each_part_of_a_path_says_what_it_looks_like() {
    let document: Value = serde_json::from_str(&gleaner_api::openapi_json()).unwrap();
    let paths = document["paths"].as_object().unwrap();
    let operations =
        paths.iter().flat_map(|(path, methods)| methods.as_object().unwrap().values().map(move |of| (path, of)));
    let mut seen = (0, 0);
    for (path, operation) in operations {
        let contents = operation["requestBody"]["content"].as_object();
        // A file of bytes has no words to show.
        let has_words =
            |media_type: &str| media_type != "application/pdf" && !media_type.starts_with("application/vnd.");
        for (media_type, content) in contents.into_iter().flatten().filter(|(media_type, _)| has_words(media_type)) {
            assert!(!content["example"].is_null(), "{path} {media_type}: write one in api/src/examples.rs");
            seen.0 += 1;
        }
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        for parameter in parameters.filter(|one| one["in"] == "path") {
            let says = ["format", "pattern", "enum"].iter().any(|key| !parameter["schema"][key].is_null());
            assert!(says, "{path} {}: say it in api/src/openapi.rs (path_parameters)", parameter["name"]);
            seen.1 += 1;
        }
    }
    assert!(seen.0 > 10 && seen.1 > 10, "{seen:?}");
}

/// A server of its own is called in every way that the description allows, and in many that it does not. The seed is fixed,
/// so that a change is judged and not luck; `tests/http/fuzz.sh` by hand tries others, and many more.
#[test]
fn schemathesis_finds_no_server_error_and_nothing_undocumented() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("http/fuzz.sh");
    let output = Command::new(script).arg(gleaner::binary()).args(["--seed", "1"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
}
