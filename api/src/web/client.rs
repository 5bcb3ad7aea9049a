//! The API as the pages see it: requests of whoever is signed in, JSON back.

use super::session::Session;
use crate::{
    auth::ActsFor,
    in_process::{self, InProcessClient},
};
use axum::{
    body::Body,
    http::{HeaderValue, Method, Request, StatusCode, header, request::Builder},
    response::Response,
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;

/// Asks the API for the pages.
#[derive(Clone)]
pub struct PageClient(InProcessClient);

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

impl PageClient {
    /// The pages' side of a client.
    pub fn new(api: InProcessClient) -> Self {
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
        let mut request = request_of(who, method, path);
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
        let request = request_of(who, Method::GET, path).header(header::ACCEPT, media_type);
        self.run(request.body(Body::empty()).map_err(|_| not_found())?).await
    }

    async fn run(&self, request: Request<Body>) -> Result<Response, ApiRefusal> {
        let answer = self.0.send(request).await;
        if answer.status().is_success() { Ok(answer) } else { Err(refusal(answer).await) }
    }
}

/// A request of somebody.
fn request_of(who: &Session, method: Method, path: &str) -> Builder {
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
    in_process::json(answer).await.map_err(|_| fault())
}

async fn refusal(answer: Response) -> ApiRefusal {
    let status = answer.status();
    let problem: Option<ProblemText> = in_process::json(answer).await.ok();
    let detail = problem.map(|problem| problem.detail.unwrap_or(problem.title));
    ApiRefusal { status, detail: detail.unwrap_or_else(|| "The service could not answer.".to_owned()) }
}

fn not_found() -> ApiRefusal {
    ApiRefusal { status: StatusCode::NOT_FOUND, detail: "There is no such page.".to_owned() }
}

fn fault() -> ApiRefusal {
    ApiRefusal { status: StatusCode::INTERNAL_SERVER_ERROR, detail: "The service could not answer.".to_owned() }
}
