//! The model's answers over real HTTP: an endpoint that says what it is told to, once for each connection.

use super::*;
use gleaner_model::Subject;
use std::net::SocketAddr;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
    sync::mpsc,
};

const TEXT: &str = "Dana: I'll send the revised SOW\nto Northwind by Friday.\nOmar: Great.";

fn payload() -> Payload {
    let body = json!({
        "source_type": "meeting", "external_id": "m-1", "transcript": TEXT, "occurred_at": "2026-03-03T15:00:00Z",
    });
    let Value::Object(body) = body else { unreachable!() };
    let item = Item::from_json(body, chrono::Utc::now(), 0).unwrap().0;
    Payload { item, subject: Subject { aliases: vec!["Dana".to_owned()], ..Subject::named("Dana Reyes") } }
}

/// Answers every request with the same; hands on what was asked.
async fn endpoint(status: &'static str, answer: String) -> (SocketAddr, mpsc::UnboundedReceiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (asked, questions) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut request = Vec::new();
            while !complete(&request) {
                let mut part = [0; 4096];
                let read = stream.read(&mut part).await.unwrap();
                request.extend_from_slice(&part[..read]);
            }
            asked.send(String::from_utf8(request).unwrap()).unwrap();
            let head = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", answer.len());
            stream.write_all(format!("{head}{answer}").as_bytes()).await.unwrap();
        }
    });
    (address, questions)
}

/// Whether head and body are there.
fn complete(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request);
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
    body.len() >= length.unwrap_or(0)
}

fn model(address: SocketAddr) -> Llm {
    Llm::new(&LlmConfig {
        llm_url: Some(format!("http://{address}/v1/")),
        llm_model: Some("small".to_owned()),
        llm_key: Some(SecretString::from("k-1")),
        llm_timeout_s: 30,
    })
    .unwrap()
}

fn says(tasks: Value) -> String {
    json!({ "choices": [{ "message": { "content": json!({ "tasks": tasks }).to_string() } }] }).to_string()
}

fn said(title: &str, quote: &str, owner: Value) -> Value {
    json!({
        "title": title, "quote": quote, "owner": owner, "due_text": "by Friday", "done": false, "urgency": "normal",
        "confidence": 0.8,
    })
}

#[tokio::test]
async fn only_what_the_text_bears_out_is_taken() {
    let tasks = json!([
        said("Send the revised SOW to Northwind", "I'll send the revised SOW to Northwind by Friday.", json!("Dana")),
        said("Book a flight", "I will book a flight", json!("Dana")),
        said("Thank Dana", "Great.", json!("Zaphod")),
    ]);
    let (address, mut questions) = endpoint("200 OK", says(tasks)).await;
    let found = model(address).extract(&payload()).await.unwrap();
    assert_eq!(found.len(), 2, "the quote that does not stand there is thrown away");
    let first = &found[0];
    assert_eq!(first.evidence[0].text, "I'll send the revised SOW\nto Northwind by Friday.");
    assert_eq!((first.owner.as_deref(), first.is_me), (Some("Dana"), true));
    assert_eq!(first.due.as_ref().map(|due| due.date.to_string()).as_deref(), Some("2026-03-06"));
    assert_eq!(found[1].owner, None, "a name that nobody said is no owner");
    let question = questions.recv().await.unwrap();
    assert!(question.starts_with("POST /v1/chat/completions ") && question.contains("json_schema"));
    assert!(question.to_lowercase().contains("authorization: bearer k-1"));
}

#[tokio::test]
async fn an_answer_of_another_form_is_an_error() {
    for (status, answer) in [
        ("200 OK", "not JSON".to_owned()),
        ("200 OK", json!({ "choices": [{ "message": { "content": "Here are your tasks!" } }] }).to_string()),
        ("500 Internal Server Error", String::new()),
    ] {
        let (address, _questions) = endpoint(status, answer).await;
        assert!(model(address).extract(&payload()).await.is_err());
    }
}

#[tokio::test]
async fn the_engine_stands_in_for_a_model_that_is_away_and_the_job_says_so() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let (extractor, metrics) = (crate::extractor::Extractor::Llm(model(address)), crate::Metrics::default());
    let extracted = extractor.extract(Arc::new(payload()), Arc::default(), &metrics).await.unwrap();
    assert_eq!(extracted.engine, "builtin/1 (llm unavailable)");
    assert_eq!(metrics.llm_errors.get(), 1);
}

#[test]
fn a_model_needs_a_place_and_a_name() {
    let config = LlmConfig { llm_url: None, llm_model: Some("small".to_owned()), llm_key: None, llm_timeout_s: 1 };
    assert!(matches!(Llm::new(&config), Err(InvalidSettings::Missing)));
    let config = LlmConfig { llm_url: Some("ftp://x".to_owned()), ..config };
    assert!(matches!(Llm::new(&config), Err(InvalidSettings::Url)));
}
