//! What was learnt outlasts restarts, is the same to every worker, and counts each rating once.

use super::{
    installation::LocalInstallation,
    learning::{COFFEE, NEXT},
};
use gleaner_model::{PlainToken, Scope, Subject};
use gleaner_store::Credential;
use gleaner_testkit::{
    fixture::credential,
    http::{HttpRequest, HttpResponse},
};
use serde_json::{Value, json};
use std::time::Duration;

/// Tries to get an answer while parts come back.
const TRIES: usize = 200;
/// Between two of them.
const PAUSE: Duration = Duration::from_millis(100);
/// An installation, with somebody who uses it.
struct Used {
    installation: LocalInstallation,
    token: PlainToken,
}

impl Used {
    async fn start() -> Self {
        let used = Self { installation: LocalInstallation::start().await, token: PlainToken::mint().unwrap() };
        used.admit(credential(&used.token, "default", &Scope::ALL)).await;
        used
    }

    async fn admit(&self, credential: Credential) {
        self.installation.store.put_credential(&credential).await.unwrap();
    }

    fn request(&self, method: &str, path: &str, body: Option<&Value>) -> HttpRequest {
        let request = self.installation.request(0, method, path, &self.token);
        body.map_or(request.clone(), |body| request.json(body))
    }

    /// The answer, once there is one that is no apology.
    async fn call(&self, method: &str, path: &str, body: Option<&Value>) -> HttpResponse {
        answered(&self.request(method, path, body)).await
    }

    async fn submit(&self, external_id: &str, transcript: &str) -> String {
        let item = json!({
            "source_type": "meeting", "external_id": external_id, "transcript": transcript,
            "occurred_at": "2026-03-03T15:00:00Z",
        });
        let accepted = self.call("POST", "/ingest/items", Some(&item)).await.expect(202).json();
        accepted["job_id"].as_str().unwrap().to_owned()
    }

    /// A job, once it has succeeded.
    async fn ended(&self, job: &str) -> Value {
        for _ in 0..TRIES {
            let job = self.call("GET", &format!("/ingest/jobs/{job}"), None).await.expect(200).json();
            assert_ne!(job["status"], "failed", "{job}");
            if job["status"] == "succeeded" {
                return job;
            }
            tokio::time::sleep(PAUSE).await;
        }
        panic!("the job does not end");
    }

    async fn job(&self, external_id: &str, transcript: &str) -> Value {
        self.ended(&self.submit(external_id, transcript).await).await
    }

    async fn rate(&self, task: &Value, rating: &Value) -> String {
        let path = format!("/tasks/{}/feedback", task.as_str().unwrap());
        let receipt = self.call("POST", &path, Some(rating)).await.expect(201).json();
        receipt["feedback_id"].as_str().unwrap().to_owned()
    }

    async fn dislikes_coffee(&self) {
        for (number, said) in COFFEE.iter().enumerate() {
            let job = self.job(&format!("talk-{number}"), &format!("Priya: {said}\nSam: Thanks!\n")).await;
            self.rate(&job["task_ids"][0], &json!({"rating": "down"})).await;
        }
    }

    async fn learning(&self) -> Value {
        self.call("GET", "/learning", None).await.expect(200).json()
    }
}

/// The answer to a request that is repeated until there is one.
async fn answered(request: &HttpRequest) -> HttpResponse {
    for _ in 0..TRIES {
        match request.attempt().await {
            Some(answer) if answer.status < 500 => return answer,
            _ => tokio::time::sleep(PAUSE).await,
        }
    }
    panic!("nothing answers");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_learnt_outlasts_the_store_s_and_the_workers_restart() {
    let mut used = Used::start().await;
    used.dislikes_coffee().await;
    let before = used.learning().await;
    used.installation.restart_store();
    (0..2).for_each(|worker| used.installation.restart_worker(worker));
    assert_eq!(used.learning().await, before);
    let job = used.job("next", NEXT).await;
    assert_eq!((job["suppressed"].as_u64(), job["tasks_extracted"].as_u64()), (Some(1), Some(1)), "{job}");
    assert_eq!(job["extractor"], format!("builtin/1+r{}", before["revision"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn two_workers_learn_the_same_and_name_the_same_revision() {
    let mut used = Used::start().await;
    used.dislikes_coffee().await;
    let mut jobs = Vec::new();
    for number in 0..12 {
        jobs.push(used.submit(&format!("next-{number}"), &format!("{NEXT}Sam: Bye, all {number}.\n")).await);
    }
    // Then each of them alone.
    for worker in 0..2 {
        used.installation.kill_worker(worker);
        jobs.push(used.submit(&format!("alone-{worker}"), &format!("{NEXT}Sam: Bye, {worker}.\n")).await);
        used.ended(&jobs[jobs.len() - 1]).await;
        used.installation.restart_worker(worker);
    }
    let revision = used.learning().await["revision"].clone();
    for id in &jobs {
        let job = used.ended(id).await;
        assert_eq!(job["extractor"], format!("builtin/1+r{revision}"), "{job}");
        assert_eq!(job["suppressed"], 1, "{job}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_ratings_of_twenty_clients_count_once_each_though_connections_break_and_requests_are_repeated() {
    let used = Used::start().await;
    let job = used.job("plans", "Dana: I'll send the signed contract to Northwind by Friday.\n").await;
    let other = used.job("more", "Sam: I'll book the venue for the offsite by Monday.\n").await;
    let tasks = [job["task_ids"][0].as_str().unwrap(), other["task_ids"][0].as_str().unwrap()];
    let mut clients = Vec::new();
    for number in 0..20 {
        let token = PlainToken::mint().unwrap();
        let subject = Subject::named(format!("Client {number}"));
        used.admit(Credential { subject, ..credential(&token, "default", &Scope::ALL) }).await;
        let path = format!("/tasks/{}/feedback", tasks[number % 2]);
        let rating = json!({"rating": if number % 4 < 2 { "up" } else { "down" }});
        let request = used.installation.request(number % 2, "POST", &path, &token).json(&rating);
        clients.push(tokio::spawn(async move {
            request.abandon().await;
            answered(&request).await.expect(201);
        }));
    }
    for client in clients {
        client.await.unwrap();
    }
    let mut given = (0, 0);
    for task in tasks {
        let task = used.call("GET", &format!("/tasks/{task}"), None).await.expect(200).json();
        let feedback = &task["feedback"];
        given = (given.0 + feedback["up"].as_u64().unwrap(), given.1 + feedback["down"].as_u64().unwrap());
    }
    assert_eq!(given, (10, 10));
    // Of one task the latest eight teach.
    let learning = used.learning().await;
    assert_eq!(learning["up"].as_u64().unwrap() + learning["down"].as_u64().unwrap(), 16, "{learning}");
}
