//! A stand-in for an endpoint: real HTTP, the real protocol, and whatever answers a test wants.

use gleaner_extract::{Context, Document};
use gleaner_llm::{LanguageModel, LlmConfig, ModelRun, PromptContext, Unlimited};
use gleaner_model::Subject;
use serde_json::{Value, json};
use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Duration,
};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};

/// What an endpoint answers.
#[derive(Clone, Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(&'static str, String)>,
    pub body: String,
    /// Never comes.
    pub silent: bool,
}

impl Answer {
    pub fn status(status: u16, body: impl ToString) -> Self {
        Self { status, headers: Vec::new(), body: body.to_string(), silent: false }
    }

    pub fn says(content: impl ToString) -> Self {
        Self::finished("stop", content)
    }

    pub fn finished(reason: &str, content: impl ToString) -> Self {
        Self::status(
            200,
            json!({
                "choices": [{ "index": 0, "finish_reason": reason, "message": { "role": "assistant", "content": content.to_string() } }],
                "usage": { "prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110 },
            }),
        )
    }

    pub fn header(mut self, name: &'static str, value: impl ToString) -> Self {
        self.headers.push((name, value.to_string()));
        self
    }

    pub fn silent() -> Self {
        Self { silent: true, ..Self::status(200, "") }
    }
}

/// A stand-in and what it was asked.
pub struct FakeEndpoint {
    pub address: SocketAddr,
    asked: Arc<Mutex<Vec<SentRequest>>>,
}

/// One request as it came.
#[derive(Clone, Debug)]
pub struct SentRequest {
    pub head: String,
    pub body: Value,
}

impl SentRequest {
    /// The item as the question shows it.
    pub fn question(&self) -> &str {
        self.body["messages"][1]["content"].as_str().unwrap()
    }
}

impl FakeEndpoint {
    /// Answers request after request; the number of the request comes first.
    pub async fn start(answer: impl Fn(usize, &SentRequest) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (asked, answer) = (Arc::new(Mutex::new(Vec::new())), Arc::new(answer));
        let log: Arc<Mutex<Vec<SentRequest>>> = asked.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, log.clone(), answer.clone()));
            }
        });
        Self { address, asked }
    }

    /// What it was asked so far.
    pub fn asked(&self) -> Vec<SentRequest> {
        self.asked.lock().unwrap().clone()
    }

    pub fn model(&self) -> LanguageModel {
        self.model_with(|_| {})
    }

    pub fn model_with(&self, change: impl FnOnce(&mut LlmConfig)) -> LanguageModel {
        let mut config = config(&format!("http://{}/v1", self.address));
        change(&mut config);
        LanguageModel::new(&config).unwrap()
    }
}

async fn serve(
    mut stream: TcpStream,
    log: Arc<Mutex<Vec<SentRequest>>>,
    answer: Arc<impl Fn(usize, &SentRequest) -> Answer + Send + Sync>,
) {
    let mut bytes = Vec::new();
    let (head, body) = loop {
        let mut part = [0; 16384];
        match stream.read(&mut part).await {
            Ok(0) | Err(_) => return,
            Ok(read) => bytes.extend_from_slice(&part[..read]),
        }
        let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else { continue };
        let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok()).unwrap_or(0);
        if bytes.len() >= end + 4 + length {
            break (head, bytes[end + 4..].to_vec());
        }
    };
    let request = SentRequest { head, body: serde_json::from_slice(&body).unwrap_or_default() };
    let number = {
        let mut log = log.lock().unwrap();
        log.push(request.clone());
        log.len() - 1
    };
    let Answer { status, headers, body, silent } = answer(number, &request);
    if silent {
        tokio::time::sleep(Duration::from_secs(600)).await;
    }
    let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let head = format!("HTTP/1.1 {status} x\r\n{headers}content-length: {}\r\nconnection: close\r\n\r\n", body.len());
    _ = stream.write_all(format!("{head}{body}").as_bytes()).await;
}

pub fn config(url: &str) -> LlmConfig {
    LlmConfig {
        llm_url: Some(url.to_owned()),
        llm_model: Some("small".to_owned()),
        llm_key: Some("secret-key".to_owned().into()),
        llm_context_tokens: 16_384,
        llm_max_tokens: 4096,
        llm_timeout_s: 60,
        llm_concurrency: 4,
        llm_ca_file: None,
        llm_extra_headers: None,
    }
}

/// Ada's context, on Monday 2 March 2026.
pub fn context() -> Context {
    let me = Subject {
        aliases: vec!["Ada".to_owned()],
        email: Some("ada@x.example".to_owned()),
        ..Subject::named("Ada Lund")
    };
    Context::new(me, "2026-03-02T10:00:00+00:00".parse().unwrap())
}

pub async fn ask(model: &LanguageModel, text: &str) -> ModelRun {
    ask_with(model, text, &PromptContext::default()).await
}

pub async fn ask_with(model: &LanguageModel, text: &str, prompt_context: &PromptContext) -> ModelRun {
    let document = Document { source_type: "meeting", title: Some("Weekly"), text };
    model.extract(&document, &context(), prompt_context, &Unlimited).await
}

/// An answer of one task.
pub fn one(title: &str, line: usize, quote: &str) -> String {
    json!({ "tasks": [task(title, line, quote)] }).to_string()
}

pub fn task(title: &str, line: usize, quote: &str) -> Value {
    json!({
        "evidence": [{ "line": line, "quote": quote }], "title": title, "owner": null, "waiting_on": false,
        "due_words": null, "due": null, "status": "open", "urgency": "normal", "confidence": 0.9, "same_as": null,
        "change": "none",
    })
}

pub fn titles(asked: &ModelRun) -> Vec<&str> {
    asked.outcome.as_ref().unwrap().iter().map(|task| task.found.title.as_str()).collect()
}
