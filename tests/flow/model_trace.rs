//! What a trace shows of a job that asked a language model.

use axum::{Json, Router, extract::State, routing::post};
use gleaner_store::{Store, StoreConfig};
use gleaner_testkit::{
    fixture::item,
    gleaner::{GleanerProcess, gleaner},
    model::{FakeModel, ModelAnswer},
    queue::{ended, submit},
    redis::RedisServer,
};
use serde_json::{Value, json};
use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

type Spans = Arc<Mutex<Vec<Value>>>;

/// As much of an OpenTelemetry collector as it takes to keep spans: its address, and they.
async fn collector() -> (String, Spans) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (address, spans) = (listener.local_addr().unwrap(), Spans::default());
    let take = async |State(spans): State<Spans>, Json(body): Json<Value>| {
        let scopes = body.pointer("/resourceSpans/0/scopeSpans/0/spans").and_then(Value::as_array).cloned();
        spans.lock().unwrap().extend(scopes.unwrap_or_default());
        Json(json!({}))
    };
    let router = Router::new().route("/v1/traces", post(take)).with_state(spans.clone());
    tokio::spawn(async move { axum::serve(listener, router).await });
    (format!("http://{address}"), spans)
}

/// The value of a span's attribute.
fn attribute(span: &Value, key: &str) -> Value {
    let all = span["attributes"].as_array().unwrap();
    let found = all.iter().find(|one| one["key"] == key).unwrap_or_else(|| panic!("no {key} in {span}"));
    found["value"].as_object().unwrap().values().next().unwrap().clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn each_question_is_a_span_within_its_job_and_holds_no_text() {
    let (redis, (endpoint, spans)) = (RedisServer::in_memory(), collector().await);
    let store = Store::connect(&StoreConfig::at(redis.url())).await.unwrap();
    let model = FakeModel::start(|number, _| match number {
        0 => ModelAnswer::Status(500),
        _ => ModelAnswer::Says("{\"tasks\":[]}".to_owned()),
    })
    .await;
    let mut command = gleaner(&["worker", "--admin-listen", "127.0.0.1:0", "--log", "off", "--extractor", "llm"]);
    command.env("GLEANER_REDIS_URL", redis.url()).env("GLEANER_OTLP_ENDPOINT", endpoint);
    command.env("GLEANER_LLM_URL", model.url()).env("GLEANER_LLM_MODEL", "stand-in").env("GLEANER_LLM_KEY", "hush");
    let _worker = GleanerProcess::start(command);
    let id = submit(&store, "a", item("one", "Dana: I'll polish the samovar by Friday.\n")).await;
    ended(&store, "a", id).await;
    let named = |name: &str| {
        let spans = spans.lock().unwrap();
        spans.iter().filter(|span| span["name"] == name).cloned().collect::<Vec<_>>()
    };
    while named("job").is_empty() {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let (jobs, questions) = (named("job"), named("llm request"));
    assert_eq!((jobs.len(), questions.len()), (1, 2));
    for question in &questions {
        for (member, of) in [("traceId", "traceId"), ("parentSpanId", "spanId")] {
            assert_eq!(question[member], jobs[0][of], "{question} is not of {}", jobs[0]);
        }
        assert_eq!(attribute(question, "llm.model"), "stand-in");
    }
    let outcomes: Vec<_> = questions.iter().map(|question| attribute(question, "llm.outcome")).collect();
    assert_eq!(outcomes, ["failed", "answered"]);
    assert_ne!(attribute(&questions[1], "llm.tokens_in"), "0");
    let told = format!("{questions:?}");
    assert!(!told.contains("samovar") && !told.contains("hush") && !told.contains(&model.url()), "{told}");
}
