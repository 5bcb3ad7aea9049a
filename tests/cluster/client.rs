//! A client of the API, which keeps its connections as programs do.

use gleaner_testkit::wait::until;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use std::time::Duration;

/// A client with one token.
#[derive(Clone)]
pub struct ClusterClient {
    url: String,
    token: String,
    http: reqwest::Client,
}

impl ClusterClient {
    /// With connections that are used again.
    pub fn new(url: &str, token: &str) -> Self {
        Self::over(reqwest::Client::builder(), url, token)
    }

    /// With a connection for each request, so that the Service chooses a pod anew.
    pub fn reconnecting(&self) -> Self {
        Self::over(reqwest::Client::builder().pool_max_idle_per_host(0), &self.url, &self.token)
    }

    fn over(builder: reqwest::ClientBuilder, url: &str, token: &str) -> Self {
        let http = builder.timeout(Duration::from_secs(30)).no_proxy().build().unwrap();
        Self { url: url.to_owned(), token: token.to_owned(), http }
    }

    /// One request, and what came back: the status and the body, or why there was no answer.
    pub async fn ask(&self, method: Method, path: &str, body: Option<Value>) -> Result<(StatusCode, Value), String> {
        let mut request = self.http.request(method, format!("{}{path}", self.url)).bearer_auth(&self.token);
        if let Some(body) = body {
            request = request.json(&body);
        }
        let answer = request.send().await.map_err(|error| format!("{error:?}"))?;
        let status = answer.status();
        let text = answer.text().await.map_err(|error| format!("{error:?}"))?;
        Ok((status, serde_json::from_str(&text).unwrap_or(Value::String(text))))
    }

    /// Submits an item that holds one task; its job's id, or what went wrong.
    pub async fn try_submit(&self, external_id: &str) -> Result<String, String> {
        match self.ask(Method::POST, "/ingest/items", Some(item(external_id))).await? {
            (StatusCode::ACCEPTED, job) => Ok(job["job_id"].as_str().unwrap().to_owned()),
            (status, body) => Err(format!("{status}: {body}")),
        }
    }

    /// Submits an item that holds one task, which must be accepted; its job's id.
    pub async fn submit(&self, external_id: &str) -> String {
        self.try_submit(external_id).await.unwrap_or_else(|error| panic!("submitting {external_id}: {error}"))
    }

    /// Lists tasks; what went wrong when that is not answered.
    pub async fn try_list(&self) -> Result<Value, String> {
        match self.ask(Method::GET, "/tasks?limit=5", None).await? {
            (StatusCode::OK, tasks) => Ok(tasks),
            (status, body) => Err(format!("{status}: {body}")),
        }
    }

    /// The status of an answer to `GET /tokens/me`; none without an answer.
    pub async fn me(&self) -> Option<StatusCode> {
        self.ask(Method::GET, "/tokens/me", None).await.ok().map(|(status, _)| status)
    }

    /// Waits until a job has ended, and returns it.
    pub async fn ended(&self, job: &str) -> Value {
        let path = format!("/ingest/jobs/{job}");
        until(&format!("the end of job {job}"), || async {
            let (_, job) = self.ask(Method::GET, &path, None).await.ok()?;
            ["succeeded", "failed"].iter().any(|end| job["status"] == *end).then_some(job)
        })
        .await
    }

    /// Waits until each job has succeeded, and sees that each item stands in exactly one task, once.
    pub async fn until_done_once(&self, jobs: &[String]) {
        let items = self.done(jobs).await;
        assert_eq!(self.proven_items().await, items);
    }

    /// The same where some submissions had no good answer: of these, too, none is done twice.
    pub async fn until_done_once_among_others(&self, jobs: &[String]) {
        let items = self.done(jobs).await;
        let proven = self.proven_items().await;
        assert!(proven.windows(2).all(|pair| pair[0] != pair[1]), "done twice: {proven:?}");
        let missing: Vec<_> = items.iter().filter(|item| !proven.contains(item)).collect();
        assert!(missing.is_empty(), "accepted and lost: {missing:?}");
    }

    /// The items of jobs that have all succeeded, sorted.
    async fn done(&self, jobs: &[String]) -> Vec<String> {
        let mut items = Vec::new();
        for job in jobs {
            let ended = self.ended(job).await;
            assert_eq!(ended["status"], "succeeded", "{ended}");
            items.push(ended["external_id"].as_str().unwrap().to_owned());
        }
        items.sort_unstable();
        items
    }

    /// The items that are evidence of tasks, as often as they are: a walk along the cursors.
    async fn proven_items(&self) -> Vec<String> {
        let (mut items, mut cursor) = (Vec::new(), String::new());
        loop {
            let (status, page) = self.ask(Method::GET, &format!("/tasks?limit=200{cursor}"), None).await.unwrap();
            assert_eq!(status, StatusCode::OK, "{page}");
            let evidence =
                page["items"].as_array().unwrap().iter().flat_map(|task| task["evidence"].as_array().unwrap());
            items.extend(evidence.map(|one| one["external_id"].as_str().unwrap().to_owned()));
            let Some(next) = page["next_cursor"].as_str() else { break };
            cursor = format!("&cursor={next}");
        }
        items.sort_unstable();
        items
    }
}

/// An item that holds one task, which names and numbers what no other does.
fn item(external_id: &str) -> Value {
    let (name, number) = external_id.split_once('-').unwrap_or((external_id, "1"));
    let transcript = format!("Dana: I will send invoice {number} for {name} to Northwind by Friday.");
    json!({"source_type": "chat", "external_id": external_id, "transcript": transcript})
}
