//! A stand-in for a language model: real HTTP, the real protocol, answers as a test wants them.

use axum::{Json, Router, extract::State, http::StatusCode, response::IntoResponse, routing::post};
use serde_json::{Value, json};
use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
};
use tokio::sync::Semaphore;

/// What it answers.
pub enum ModelAnswer {
    /// That message.
    Says(String),
    /// That failure.
    Status(u16),
    /// That failure, and after how many seconds to come back.
    Later(u16, u64),
    /// Nothing, for as long as a test may run.
    Never,
    /// That message, once there is a permit for it.
    Held(Arc<Semaphore>, String),
}

type Behaviour = Arc<dyn Fn(usize, &Value) -> ModelAnswer + Send + Sync>;

/// A running stand-in.
pub struct FakeModel {
    address: SocketAddr,
    asked: Arc<AtomicUsize>,
    counted: Arc<AtomicUsize>,
}

/// What the stand-in's requests share.
#[derive(Clone)]
struct FakeModelState {
    asked: Arc<AtomicUsize>,
    counted: Arc<AtomicUsize>,
    behaviour: Behaviour,
}

impl FakeModel {
    /// Answers the n-th question.
    pub async fn start(behaviour: impl Fn(usize, &str) -> ModelAnswer + Send + Sync + 'static) -> Self {
        Self::listen(Arc::new(move |number, body| behaviour(number, question(body)))).await
    }

    /// Answers whole requests.
    pub async fn start_with(behaviour: impl Fn(&Value) -> ModelAnswer + Send + Sync + 'static) -> Self {
        Self::listen(Arc::new(move |_, body| behaviour(body))).await
    }

    async fn listen(behaviour: Behaviour) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let shared = FakeModelState { asked: Arc::default(), counted: Arc::default(), behaviour };
        let FakeModelState { asked, counted, .. } = shared.clone();
        let router = Router::new().route("/v1/chat/completions", post(answer)).with_state(shared);
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address, asked, counted }
    }

    /// The base that clients are given.
    pub fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// How often it was asked.
    pub fn asked(&self) -> usize {
        self.asked.load(Relaxed)
    }

    /// How many tokens it has counted in all.
    pub fn counted(&self) -> usize {
        self.counted.load(Relaxed)
    }
}

/// The item as the question shows it.
fn question(body: &Value) -> &str {
    body["messages"][1]["content"].as_str().unwrap_or_default()
}

async fn answer(
    State(FakeModelState { asked, counted, behaviour }): State<FakeModelState>,
    Json(body): Json<Value>,
) -> axum::response::Response {
    let number = asked.fetch_add(1, Relaxed);
    let content = match behaviour(number, &body) {
        ModelAnswer::Says(content) => content,
        ModelAnswer::Status(status) => return StatusCode::from_u16(status).unwrap().into_response(),
        ModelAnswer::Later(status, seconds) => {
            let after = [("retry-after", seconds.to_string())];
            return (StatusCode::from_u16(status).unwrap(), after).into_response();
        }
        ModelAnswer::Never => std::future::pending().await,
        ModelAnswer::Held(permits, content) => {
            permits.acquire().await.unwrap().forget();
            content
        }
    };
    let (input, output) = (body["messages"].to_string().len() / 4, content.len() / 4);
    counted.fetch_add(input + output, Relaxed);
    Json(json!({
        "choices": [{ "index": 0, "finish_reason": "stop", "message": { "role": "assistant", "content": content } }],
        "usage": { "prompt_tokens": input, "completion_tokens": output, "total_tokens": input + output },
    }))
    .into_response()
}
