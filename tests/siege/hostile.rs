//! The hostile tenant: everything that ever hurt, all at once, as fast as the answers come, without an end until it is told.

use crate::SiegeTarget;
use gleaner_testkit::http::HttpRequest;
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    future::Future,
    net::SocketAddr,
    sync::{Arc, LazyLock, Mutex},
    time::Duration,
};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    runtime::{Builder, Runtime},
    task::JoinSet,
    time::{sleep, timeout},
};

/// Longest that one step may hang: the point is what it does to others.
const STEP: Duration = Duration::from_secs(40);
/// How many hold each kind of connection at once.
const HOLDERS: usize = 60;
/// What forms that never end are filled with: made once, as it is to cost the service and not this machine.
static FILLING: LazyLock<Vec<u8>> = LazyLock::new(|| vec![b'x'; 16 << 20]);
/// Beside a busy thread of the service it gets a tenth.
const NICENESS: i32 = 10;
/// Longest text, in bytes.
const LONGEST: usize = 199_000;

/// A tenant at work.
pub struct Hostile {
    /// A thread of its own, at a low priority: whoever is hostile brings processors of their own, and what it costs them must
    /// slow neither the service nor whoever measures the honest tenant.
    runtime: Runtime,
    work: JoinSet<()>,
    done: AnswerCounts,
}

/// How often each thing was done, and answered with what.
type AnswerCounts = Arc<Mutex<BTreeMap<(&'static str, u16), u64>>>;

#[derive(Clone)]
struct Hand {
    address: SocketAddr,
    token: Arc<str>,
    done: AnswerCounts,
}

/// Sets it to work.
pub async fn begin(place: &SiegeTarget) -> Hostile {
    let done = AnswerCounts::default();
    let token = place.token("hostile").await.into();
    let hand = Hand { address: place.address, token, done: Arc::clone(&done) };
    let yields = || {
        rustix::process::nice(NICENESS).ok();
    };
    let threads = Builder::new_multi_thread().worker_threads(1).on_thread_start(yields).enable_all().build();
    let runtime = threads.expect("a thread starts");
    let entered = runtime.enter();
    let mut work = JoinSet::new();
    for holder in 0..HOLDERS {
        again(&mut work, &hand, move |hand| hand.hold("/app/sign-in", 16_776_216, holder));
        again(&mut work, &hand, move |hand| hand.hold("/app/theme", 4_000, holder));
        again(&mut work, &hand, |hand| hand.listen());
    }
    for number in 0..4 {
        again(&mut work, &hand, move |hand| hand.submit("check list", number));
        again(&mut work, &hand, move |hand| hand.submit("same sentence", number));
        again(&mut work, &hand, move |hand| hand.submit("quoted", number));
    }
    again(&mut work, &hand, |hand| hand.wait_for_jobs());
    again(&mut work, &hand, |hand| hand.make_tokens());
    again(&mut work, &hand, |hand| hand.rate());
    again(&mut work, &hand, |hand| hand.erase());
    again(&mut work, &hand, |hand| hand.say_nonsense());
    again(&mut work, &hand, |hand| hand.sign_in_and_out());
    drop(entered);
    Hostile { runtime, work, done }
}

/// One thing over and over.
fn again<F: Future<Output = ()> + Send>(
    work: &mut JoinSet<()>,
    hand: &Hand,
    step: impl Fn(Hand) -> F + Send + 'static,
) {
    let hand = hand.clone();
    work.spawn(async move {
        loop {
            let _ = timeout(STEP, step(hand.clone())).await;
            // Bounded: what is measured is the service and not how much this machine can throw at it.
            sleep(Duration::from_millis(100)).await;
        }
    });
}

impl Hostile {
    /// Stops it, and tells what it did.
    pub async fn end(mut self) -> String {
        self.work.shutdown().await;
        self.runtime.shutdown_background();
        let done = self.done.lock().expect("nobody panics with it");
        let lines = done.iter().map(|((what, status), count)| match status {
            0 => format!("  {what}, no answer: {count}"),
            status => format!("  {what}, {status}: {count}"),
        });
        lines.collect::<Vec<_>>().join("\n")
    }
}

impl Hand {
    fn count(&self, what: &'static str, status: u16) {
        *self.done.lock().expect("nobody panics with it").entry((what, status)).or_default() += 1;
    }

    async fn ask(&self, what: &'static str, request: HttpRequest) -> Value {
        let answer = request.attempt().await;
        self.count(what, answer.as_ref().map_or(0, |answer| answer.status));
        answer.and_then(|answer| serde_json::from_slice(&answer.body).ok()).unwrap_or_default()
    }

    fn request(&self, method: &str, path: &str) -> HttpRequest {
        HttpRequest::new(self.address, method, path).token(&self.token)
    }

    /// A form without a token that never ends: much of it at once, or byte by byte.
    async fn hold(self, path: &'static str, announced: usize, holder: usize) {
        let head = HttpRequest::form(self.address, path).header("content-length", &announced.to_string()).head();
        let Ok(mut stream) = TcpStream::connect(self.address).await else { return };
        let first = if holder.is_multiple_of(2) { announced - 1 } else { 1 };
        let _ = stream.write_all(head.as_bytes()).await;
        let _ = stream.write_all(&FILLING[..first]).await;
        let mut answer = [0; 16];
        // Held for as long as the server does.
        let read = stream.read(&mut answer).await.unwrap_or(0);
        let status = std::str::from_utf8(&answer[..read]).ok().and_then(|text| text.get(9..12)?.parse().ok());
        self.count("unfinished form", status.unwrap_or(0));
    }

    async fn listen(self) {
        let Ok(mut stream) = TcpStream::connect(self.address).await else { return };
        let request = self.request("GET", "/events").header("last-event-id", "0");
        let _ = stream.write_all(request.head().as_bytes()).await;
        let mut bytes = [0; 4096];
        let read = stream.read(&mut bytes).await.unwrap_or(0);
        let status = std::str::from_utf8(&bytes[..read.min(12)]).ok().and_then(|text| text.get(9..12)?.parse().ok());
        self.count("event stream", status.unwrap_or(0));
        // A reader that takes a little now and then.
        while let Ok(read) = stream.read(&mut bytes[..64]).await {
            if read == 0 {
                return;
            }
            sleep(Duration::from_millis(500)).await;
        }
    }

    async fn submit(self, what: &'static str, number: usize) {
        let turn = chrono::Utc::now().timestamp_micros();
        let text: String = match what {
            "check list" => (0..).map(|n| format!("- [ ] call {turn} {n}\n")).take(12_000).collect(),
            "same sentence" => "Dana: I'll send the revised SOW to Northwind by Friday.\n".to_owned(),
            _ => (0..).map(|n| format!("> - [ ] call {n}\n> \n")).take(12_000).collect(),
        };
        let text: String = text.chars().take(LONGEST).collect();
        let names = (0..13_000).map(|n| format!("P{n}")).collect::<Vec<_>>().join(",");
        let body = json!({
            "source_type": if what == "same sentence" { "meeting" } else { "note" },
            "external_id": format!("{what} {number} {turn}"),
            "transcript": text,
            "metadata": {"participants": names.chars().take(60_000).collect::<String>()},
        });
        self.ask(what, self.request("POST", "/ingest/items").json(&body)).await;
    }

    async fn wait_for_jobs(self) {
        let jobs = self.ask("list jobs", self.request("GET", "/ingest/jobs?status=accepted&limit=1")).await;
        let Some(job) = jobs["items"][0]["job_id"].as_str().map(str::to_owned) else { return };
        let path = format!("/ingest/jobs/{job}");
        let wait = || self.ask("wait for a job", self.request("GET", &path).header("prefer", "wait=30"));
        futures::future::join_all((0..100).map(|_| wait())).await;
    }

    async fn make_tokens(self) {
        let body = json!({"name": "more", "scopes": ["ingest:write", "tokens:write"]});
        let made = self.ask("make a token", self.request("POST", "/tokens").json(&body)).await;
        if let Some(token) = made["token"].as_str() {
            let hand = Self { token: token.into(), ..self.clone() };
            for number in 0..5 {
                hand.clone().submit("same sentence", number).await;
            }
        }
        self.ask("list tokens", self.request("GET", "/tokens?limit=200")).await;
        if let Some(id) = made["token_id"].as_str() {
            self.ask("revoke a token", self.request("DELETE", &format!("/tokens/{id}"))).await;
        }
    }

    async fn rate(self) {
        let tasks = self.ask("list tasks", self.request("GET", "/tasks?limit=5")).await;
        for task in tasks["items"].as_array().into_iter().flatten() {
            let path = format!("/tasks/{}/feedback", task["id"].as_str().unwrap_or_default());
            let body = json!({"rating": "down", "comment": "x".repeat(2_000)});
            self.ask("rate", self.request("POST", &path).json(&body)).await;
        }
    }

    async fn erase(self) {
        let jobs = self.ask("list jobs", self.request("GET", "/ingest/jobs?status=succeeded&limit=3")).await;
        for job in jobs["items"].as_array().into_iter().flatten() {
            let id = job["external_id"].as_str().unwrap_or_default().replace(' ', "%20");
            let path = format!("/ingest/items/{}/{id}", job["source_type"].as_str().unwrap_or_default());
            self.ask("erase", self.request("DELETE", &path)).await;
        }
        sleep(Duration::from_secs(2)).await;
    }

    async fn say_nonsense(self) {
        let query = vec!["a"; 30_000].join("&");
        self.ask("a query of nonsense", self.request("GET", &format!("/tasks?{query}"))).await;
        let metadata: serde_json::Map<_, _> = (0..80_000).map(|n| (n.to_string(), json!(1))).collect();
        let body = json!({"source_type": "note", "external_id": "n", "transcript": "x", "metadata": metadata});
        self.ask("a body of nonsense", self.request("POST", "/ingest/items").json(&body)).await;
        let deep = "[".repeat(1 << 20);
        let request = self.request("POST", "/ingest/items").body("application/json", deep);
        self.ask("a body of brackets", request).await;
        let guess = HttpRequest::new(self.address, "GET", "/tasks").token(&format!("gln_{}", "x".repeat(50)));
        self.ask("a guess", guess).await;
    }

    async fn sign_in_and_out(self) {
        let form = HttpRequest::form(self.address, "/app/sign-in").body("", format!("token={}", self.token));
        let Some(answer) = form.attempt().await else { return self.count("sign in", 0) };
        self.count("sign in", answer.status);
        if let Some(cookie) = answer.header("set-cookie").and_then(|cookie| cookie.split(';').next()) {
            self.ask("sign out", HttpRequest::form(self.address, "/app/sign-out").header("cookie", cookie)).await;
        }
    }
}
