//! The honest tenant: 20 items a second, each followed to its end, and its list of tasks looked at now and then.

use crate::SiegeTarget;
use gleaner_testkit::http::{HttpRequest, HttpResponse};
use serde_json::json;
use std::{
    collections::BTreeMap,
    fmt,
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::{
    sync::mpsc,
    time::{MissedTickBehavior, interval, timeout},
};

/// Between two items.
const EACH: Duration = Duration::from_millis(50);
/// Longest wait for one answer, and for the end of one job.
const PATIENCE: Duration = Duration::from_secs(60);

/// How it went.
#[derive(Default)]
pub struct HonestReport {
    /// From submission to the end of the job, in order.
    pub times: Vec<Duration>,
    /// Answers that were refusals, by status.
    pub refused: BTreeMap<u16, u32>,
    /// Requests without an answer.
    pub unanswered: u32,
    /// Jobs that were accepted and did not succeed, or have no task.
    pub lost: u32,
}

impl HonestReport {
    /// The time that so large a part of the jobs took at most.
    pub fn percentile(&self, part: f64) -> Duration {
        let last = self.times.len().saturating_sub(1);
        self.times.get((last as f64 * part).round() as usize).copied().unwrap_or(Duration::MAX)
    }
}

impl fmt::Display for HonestReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = |part| self.percentile(part).as_millis();
        let (count, refused) = (self.times.len(), &self.refused);
        write!(
            f,
            "{count} items done, half within {} ms, 99 in 100 within {} ms; refused {refused:?}, unanswered {}, lost {}",
            ms(0.5),
            ms(0.99),
            self.unanswered,
            self.lost
        )
    }
}

enum SubmissionResult {
    Done(Duration),
    Refused(u16),
    Unanswered,
    Lost,
}

/// Submits for so long, and waits for what was submitted.
pub async fn run(place: &SiegeTarget, token: &str, name: &str, time: Duration) -> HonestReport {
    let (said, mut heard) = mpsc::unbounded_channel();
    let (address, token) = (place.address, Arc::<str>::from(token));
    let begun = Instant::now();
    let mut ticks = interval(EACH);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut number = 0;
    while begun.elapsed() < time {
        ticks.tick().await;
        let (said, token, id) = (said.clone(), Arc::clone(&token), format!("{name}-{number}"));
        tokio::spawn(async move {
            // Nobody hears it any more where the siege was broken off.
            let _ = said.send(follow(address, &token, &id).await);
            if number % 20 == 0 {
                let list = HttpRequest::new(address, "GET", "/tasks?limit=20").token(&token);
                if let Some(trouble) = trouble(answered(&list).await.as_ref(), 200) {
                    let _ = said.send(trouble);
                }
            }
        });
        number += 1;
    }
    drop(said);
    let mut outcome = HonestReport::default();
    while let Some(said) = heard.recv().await {
        match said {
            SubmissionResult::Done(time) => outcome.times.push(time),
            SubmissionResult::Refused(status) => *outcome.refused.entry(status).or_default() += 1,
            SubmissionResult::Unanswered => outcome.unanswered += 1,
            SubmissionResult::Lost => outcome.lost += 1,
        }
    }
    outcome.times.sort_unstable();
    outcome
}

/// Submits one item and follows it to its tasks.
async fn follow(address: std::net::SocketAddr, token: &str, id: &str) -> SubmissionResult {
    let begun = Instant::now();
    let transcript = format!("Dana: I'll send the offer {id} to Northwind by Friday.\nSam: Great, thanks.\n");
    let body = json!({"source_type": "meeting", "external_id": id, "transcript": transcript});
    let submitted = answered(&HttpRequest::new(address, "POST", "/ingest/items").token(token).json(&body)).await;
    if let Some(trouble) = trouble(submitted.as_ref(), 202) {
        return trouble;
    }
    let Some(job) = submitted.and_then(|answer| answer.json()["job_id"].as_str().map(str::to_owned)) else {
        return SubmissionResult::Lost;
    };
    let wait = HttpRequest::new(address, "GET", &format!("/ingest/jobs/{job}")).token(token).header("prefer", "wait=5");
    while begun.elapsed() < PATIENCE {
        let answer = answered(&wait).await;
        if let Some(trouble) = trouble(answer.as_ref(), 200) {
            return trouble;
        }
        let job = answer.map(|answer| answer.json()).unwrap_or_default();
        match job["status"].as_str() {
            Some("succeeded") if job["tasks_extracted"] == 1 => return SubmissionResult::Done(begun.elapsed()),
            Some("succeeded" | "failed") => return SubmissionResult::Lost,
            // A tenant that holds as many waits as it may is answered at once.
            _ => tokio::time::sleep(Duration::from_millis(20)).await,
        }
    }
    SubmissionResult::Lost
}

async fn answered(request: &HttpRequest) -> Option<HttpResponse> {
    timeout(PATIENCE, request.attempt()).await.ok().flatten()
}

fn trouble(answer: Option<&HttpResponse>, wanted: u16) -> Option<SubmissionResult> {
    match answer {
        None => Some(SubmissionResult::Unanswered),
        Some(answer) if answer.status != wanted => Some(SubmissionResult::Refused(answer.status)),
        Some(_) => None,
    }
}
