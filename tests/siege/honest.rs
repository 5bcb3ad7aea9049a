//! The honest tenant: 20 items a second, each followed to its end, and its list of tasks looked at now and then.

use crate::SiegeTarget;
use chrono::{DateTime, Utc};
use gleaner_testkit::http::{HttpRequest, HttpResponse};
use serde_json::{Value, json};
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
const TIMEOUT: Duration = Duration::from_secs(60);

/// How it went.
#[derive(Default)]
pub struct HonestReport {
    /// What each item took, the quickest first.
    pub times: Vec<JobTime>,
    /// Answers that were refusals, by status and code.
    pub refused: BTreeMap<String, u32>,
    /// Requests without an answer.
    pub unanswered: u32,
    /// Jobs that were accepted and did not succeed, or have no task.
    pub lost: u32,
}

/// The way of one item, in milliseconds.
#[derive(Clone, Copy)]
pub struct JobTime {
    /// From the beginning of the request to the end of the job, as the client sees it.
    all: i64,
    /// Until it was accepted, until a worker began it, until its tasks were recorded, until the client knew.
    parts: [i64; 4],
}

impl JobTime {
    fn of(begun: DateTime<Utc>, job: &Value) -> Option<Self> {
        let time = |name: &str| job[name].as_str()?.parse::<DateTime<Utc>>().ok();
        let times = [begun, time("accepted_at")?, time("started_at")?, time("finished_at")?, Utc::now()];
        let parts = std::array::from_fn(|part| (times[part + 1] - times[part]).num_milliseconds());
        Some(Self { all: (times[4] - begun).num_milliseconds(), parts })
    }
}

impl HonestReport {
    /// The time that so large a part of the jobs took at most.
    pub fn percentile(&self, part: f64) -> Duration {
        let last = self.times.len().saturating_sub(1);
        let time = self.times.get((last as f64 * part).round() as usize);
        time.map_or(Duration::MAX, |time| Duration::from_millis(time.all.unsigned_abs()))
    }

    /// Where the slowest hundredth spent its time, in milliseconds on average.
    fn slowest(&self) -> [i64; 4] {
        let slowest = &self.times[self.times.len() - self.times.len().div_ceil(100)..];
        std::array::from_fn(|part| {
            slowest.iter().map(|time| time.parts[part]).sum::<i64>() / slowest.len().max(1) as i64
        })
    }
}

impl fmt::Display for HonestReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ms = |part| self.percentile(part).as_millis();
        let (count, refused) = (self.times.len(), &self.refused);
        let [accepted, begun, ended, told] = self.slowest();
        writeln!(
            f,
            "{count} items done, half within {} ms, 99 in 100 within {} ms; refused {refused:?}, unanswered {}, lost {}",
            ms(0.5),
            ms(0.99),
            self.unanswered,
            self.lost
        )?;
        write!(
            f,
            "  the slowest hundredth on average: {accepted} ms until accepted, {begun} until a worker began, {ended} until its \
             tasks were recorded, {told} until the client knew"
        )
    }
}

enum SubmissionResult {
    Done(JobTime),
    Refused(String),
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
    outcome.times.sort_unstable_by_key(|time| time.all);
    outcome
}

/// Submits one item and follows it to its tasks.
async fn follow(address: std::net::SocketAddr, token: &str, id: &str) -> SubmissionResult {
    let (begun, since) = (Utc::now(), Instant::now());
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
    while since.elapsed() < TIMEOUT {
        let answer = answered(&wait).await;
        if let Some(trouble) = trouble(answer.as_ref(), 200) {
            return trouble;
        }
        let job = answer.map(|answer| answer.json()).unwrap_or_default();
        match job["status"].as_str() {
            Some("succeeded") if job["tasks_extracted"] == 1 => {
                return JobTime::of(begun, &job).map_or(SubmissionResult::Lost, SubmissionResult::Done);
            }
            Some("succeeded" | "failed") => return SubmissionResult::Lost,
            // A tenant that holds as many waits as it may is answered at once.
            _ => tokio::time::sleep(Duration::from_millis(20)).await,
        }
    }
    SubmissionResult::Lost
}

async fn answered(request: &HttpRequest) -> Option<HttpResponse> {
    timeout(TIMEOUT, request.attempt()).await.ok().flatten()
}

fn trouble(answer: Option<&HttpResponse>, wanted: u16) -> Option<SubmissionResult> {
    match answer {
        None => Some(SubmissionResult::Unanswered),
        Some(answer) if answer.status != wanted => {
            let problem: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
            Some(SubmissionResult::Refused(format!("{} {}", answer.status, problem["code"])))
        }
        Some(_) => None,
    }
}
