//! The filters of `GET /tasks`: calendars, both clients and the command line have all of them, and no others.

use super::text;
use axum::{Json, Router, extract::RawQuery, routing::get};
use gleaner_testkit::gleaner::{gleaner, stdout};
use serde_json::{Value, json};
use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
};

/// What a client's method for all pages sees to by itself.
const PAGING: [&str; 2] = ["limit", "cursor"];

/// The parameters of a route's query, from the OpenAPI document.
fn parameters(path: &str) -> Vec<Value> {
    let document: Value = serde_json::from_str(&gleaner_api::openapi_json()).unwrap();
    let parameters = document["paths"][path]["get"]["parameters"].as_array().unwrap().clone();
    parameters.into_iter().filter(|parameter| parameter["in"] == "query").collect()
}

/// Their names, without some.
fn names(path: &str, without: &[&str]) -> BTreeSet<String> {
    let names = parameters(path).into_iter().map(|parameter| parameter["name"].as_str().unwrap().to_owned());
    names.filter(|name| !without.contains(&name.as_str())).collect()
}

#[test]
fn calendars_take_all_that_is_not_about_order_and_pages() {
    assert_eq!(names("/tasks.ics", &["feed", "as"]), names("/tasks", &["sort", "limit", "cursor"]));
}

/// The names before a colon, one a line, between two marks of a file.
#[track_caller]
fn declared(path: &str, begin: &str, end: &str) -> BTreeSet<String> {
    let text = text(path);
    let (_, rest) = text.split_once(begin).unwrap_or_else(|| panic!("{path} has no {begin}"));
    let lines = rest.split(end).next().unwrap().lines().filter_map(|line| line.trim().split_once(':'));
    lines.map(|(name, _)| name.trim_end_matches('?').to_owned()).collect()
}

#[test]
fn both_clients_take_them() {
    let python = declared("clients/python/src/gleaner/_async.py", "async def tasks(\n        self,\n        *,", ")");
    assert_eq!(python, names("/tasks", &PAGING));
    assert_eq!(
        declared("clients/typescript/src/index.ts", "export interface TaskFilter {", "}"),
        names("/tasks", &PAGING)
    );
}

/// A value that the parameter takes.
fn sample(parameter: &Value) -> String {
    let schema = &parameter["schema"];
    let choices = schema["enum"].as_array().and_then(|words| words.last());
    match (parameter["name"].as_str().unwrap(), choices) {
        (_, Some(word)) => word.as_str().unwrap().to_owned(),
        ("source_type", _) => "meeting".to_owned(),
        (_, None) if schema["type"] == "integer" => "7".to_owned(),
        (_, None) if schema["format"] == "date" => "2026-03-06".to_owned(),
        (_, None) => "some words".to_owned(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_command_line_sends_each_as_it_was_given() {
    let seen = Arc::new(Mutex::new(String::new()));
    let asked = seen.clone();
    let answer = get(move |RawQuery(query)| {
        *asked.lock().unwrap() = query.unwrap_or_default();
        async { Json(json!({"items": [], "next_cursor": null})) }
    });
    let server = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", server.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(server, Router::new().route("/tasks", answer)).await });
    for parameter in parameters("/tasks") {
        let (name, value) = (parameter["name"].as_str().unwrap().to_owned(), sample(&parameter));
        let flag = format!("--{}", name.replace('_', "-"));
        let mut command = gleaner(&["tasks", &flag, &value]);
        command.env("GLEANER_URL", &url).env("GLEANER_TOKEN", "t");
        stdout(&tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap());
        let query = seen.lock().unwrap().clone();
        let sent = format!("{name}={}", value.replace(' ', "+"));
        assert!(query.split('&').any(|pair| pair == sent), "{flag} {value}: {query}");
    }
}
