//! Events: the page that follows them and the words about the stream name every kind.

use super::text;
use gleaner_model::EventKind;
use serde_json::Value;

#[test]
fn the_page_that_follows_events_listens_to_each() {
    let script = text("api/web/static/live.js");
    let line = script.lines().find(|line| line.starts_with("const KINDS")).unwrap();
    let kinds: Vec<&str> = line.split('"').skip(1).step_by(2).collect();
    assert_eq!(kinds, EventKind::ALL.map(EventKind::as_str));
}

#[test]
fn the_words_about_the_stream_name_each() {
    let document: Value = serde_json::from_str(&gleaner_api::openapi_json()).unwrap();
    let words = document["paths"]["/events"]["get"]["description"].as_str().unwrap();
    for kind in EventKind::ALL {
        assert!(words.contains(&format!("`{}`", kind.as_str())), "{kind:?}");
    }
}
