//! The API as the pages see it: requests to its router in this process, JSON back.

use super::session::Session;
use crate::auth::ActsFor;
use axum::{
    Router,
    body::{Body, to_bytes},
    http::{HeaderValue, Method, Request, StatusCode, header, request::Builder},
    response::Response,
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;
use tower::ServiceExt as _;

/// Largest answer that a page is made from.
const MAX_ANSWER: usize = 8 << 20;

/// Asks the API in this process.
#[derive(Clone)]
pub struct InProcessClient(Router);

/// What the API refused, and why, in its own words.
#[derive(Debug)]
pub struct ApiRefusal {
    /// The status of its answer.
    pub status: StatusCode,
    /// The reason, for people.
    pub detail: String,
}

#[derive(Deserialize)]
struct ProblemText {
    title: String,
    #[serde(default)]
    detail: Option<String>,
}

impl InProcessClient {
    /// A client of that router.
    pub fn new(api: Router) -> Self {
        Self(api)
    }

    /// Reads a resource.
    ///
    /// # Errors
    /// What the API refused.
    pub async fn get<T: DeserializeOwned>(&self, who: &Session, path: &str) -> Result<T, ApiRefusal> {
        read(self.send(who, Method::GET, path, None).await?).await
    }

    /// Sends a body, and reads the answer; an answer without content reads as null.
    ///
    /// # Errors
    /// What the API refused.
    pub async fn send_json(
        &self,
        who: &Session,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Result<Value, ApiRefusal> {
        let answer = self.send(who, method, path, body).await?;
        if answer.status() == StatusCode::NO_CONTENT { Ok(Value::Null) } else { read(answer).await }
    }

    /// Sends a request and hands back the answer as it comes.
    ///
    /// # Errors
    /// What the API refused.
    pub async fn send(
        &self,
        who: &Session,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Result<Response, ApiRefusal> {
        let mut request = asked(who, method, path);
        let body = match body {
            Some(body) => {
                request = request.header(header::CONTENT_TYPE, "application/json");
                Body::from(body.to_string())
            }
            None => Body::empty(),
        };
        self.run(request.body(body).map_err(|_| not_found())?).await
    }

    /// Reads a resource as another media type, and hands back the answer as it comes.
    ///
    /// # Errors
    /// What the API refused.
    pub async fn send_accepting(
        &self,
        who: &Session,
        path: &str,
        media_type: HeaderValue,
    ) -> Result<Response, ApiRefusal> {
        let request = asked(who, Method::GET, path).header(header::ACCEPT, media_type);
        self.run(request.body(Body::empty()).map_err(|_| not_found())?).await
    }

    async fn run(&self, request: Request<Body>) -> Result<Response, ApiRefusal> {
        let answer = match self.0.clone().oneshot(request).await {
            Ok(answer) => answer,
            Err(never) => match never {},
        };
        if answer.status().is_success() { Ok(answer) } else { Err(refusal(answer).await) }
    }
}

/// A request of somebody.
fn asked(who: &Session, method: Method, path: &str) -> Builder {
    let mut request = Request::builder().method(method).uri(path);
    // A token that is no header value cannot be a valid one; the API says so.
    if let Ok(mut value) = HeaderValue::from_str(&format!("Bearer {}", who.token)) {
        value.set_sensitive(true);
        request = request.header(header::AUTHORIZATION, value);
    }
    if let Some(person) = &who.person {
        request = request.extension(ActsFor(person.clone()));
    }
    if let Some(connection) = &who.connection {
        request = request.extension(connection.clone());
    }
    request
}

async fn read<T: DeserializeOwned>(answer: Response) -> Result<T, ApiRefusal> {
    let bytes = to_bytes(answer.into_body(), MAX_ANSWER).await.map_err(|_| fault())?;
    serde_json::from_slice(&bytes).map_err(|_| fault())
}

async fn refusal(answer: Response) -> ApiRefusal {
    let status = answer.status();
    let bytes = to_bytes(answer.into_body(), MAX_ANSWER).await.unwrap_or_default();
    let problem: Option<ProblemText> = serde_json::from_slice(&bytes).ok();
    let detail = problem.map(|problem| problem.detail.unwrap_or(problem.title));
    ApiRefusal { status, detail: detail.unwrap_or_else(|| "The service could not answer.".to_owned()) }
}

fn not_found() -> ApiRefusal {
    ApiRefusal { status: StatusCode::NOT_FOUND, detail: "There is no such page.".to_owned() }
}

fn fault() -> ApiRefusal {
    ApiRefusal { status: StatusCode::INTERNAL_SERVER_ERROR, detail: "The service could not answer.".to_owned() }
}
