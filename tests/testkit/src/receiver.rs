//! A receiver of webhooks: a real HTTP server that writes down what comes, and answers as it is told.

use crate::http::TIMEOUT;
use axum::{
    Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, StatusCode, Uri},
    response::{IntoResponse, Response},
};
use gleaner_model::SigningSecret;
use serde_json::Value;
use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Duration,
};
use tokio::net::TcpListener;

/// A message as it came.
#[derive(Clone, Debug)]
pub struct Received {
    /// Where it was sent.
    pub path: String,
    /// `webhook-id`
    pub id: String,
    /// `webhook-timestamp`, in seconds since 1970.
    pub timestamp: i64,
    /// `webhook-signature`
    pub signature: String,
    /// What it says.
    pub body: Bytes,
}

impl Received {
    /// What it says, as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// The type of the event.
    pub fn kind(&self) -> String {
        self.json()["type"].as_str().unwrap().to_owned()
    }

    /// Whether one of its signatures is of that secret.
    pub fn is_signed_by(&self, secret: &str) -> bool {
        let secret = SigningSecret::parse(secret).unwrap();
        self.signature.split(' ').any(|one| one == secret.sign(&self.id, self.timestamp, &self.body))
    }
}

/// How to answer: the status, after a pause.
pub type Manners = Arc<dyn Fn(&Received) -> (u16, Duration) + Send + Sync>;

/// A running receiver, on loopback.
#[derive(Clone)]
pub struct Receiver {
    /// Where it listens.
    pub address: SocketAddr,
    received: Arc<Mutex<Vec<Received>>>,
    manners: Arc<Mutex<Manners>>,
}

impl Receiver {
    /// One that takes everything.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let always: Manners = Arc::new(|_| (204, Duration::ZERO));
        let address = listener.local_addr().unwrap();
        let receiver = Self { address, received: Arc::default(), manners: Arc::new(Mutex::new(always)) };
        let app = Router::new().fallback(receive).with_state(receiver.clone());
        tokio::spawn(async move { axum::serve(listener, app).await });
        receiver
    }

    /// From now on it answers so.
    pub fn answer(&self, manners: impl Fn(&Received) -> (u16, Duration) + Send + Sync + 'static) {
        *self.manners.lock().unwrap() = Arc::new(manners);
    }

    /// The address of a path.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Everything that came to a path, in the order in which it came.
    pub fn at(&self, path: &str) -> Vec<Received> {
        self.received.lock().unwrap().iter().filter(|one| one.path == path).cloned().collect()
    }

    /// Waits until what came to a path is so.
    pub async fn until(&self, path: &str, so: impl Fn(&[Received]) -> bool) -> Vec<Received> {
        let waiting = async {
            loop {
                let found = self.at(path);
                if so(&found) {
                    return found;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let waited = tokio::time::timeout(TIMEOUT * 3, waiting).await;
        waited.unwrap_or_else(|_| panic!("{path} got only {:?}", self.at(path).len()))
    }
}

async fn receive(State(receiver): State<Receiver>, uri: Uri, headers: HeaderMap, body: Bytes) -> Response {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
    let one = Received {
        path: uri.path().to_owned(),
        id: text("webhook-id"),
        timestamp: text("webhook-timestamp").parse().unwrap_or_default(),
        signature: text("webhook-signature"),
        body,
    };
    let manners = receiver.manners.lock().unwrap().clone();
    let (status, pause) = manners(&one);
    receiver.received.lock().unwrap().push(one);
    tokio::time::sleep(pause).await;
    let status = StatusCode::from_u16(status).unwrap();
    if status.is_redirection() {
        return (status, [("location", receiver.url("/elsewhere"))]).into_response();
    }
    (status, "thank you").into_response()
}
