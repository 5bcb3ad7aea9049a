//! How long a rating takes, beside a plain write: `POST /tasks/{id}/feedback` and `PATCH /tasks/{id}` of a title.
//!
//! `cargo bench -p gleaner-tests --bench feedback`. The API is a process of its own (this program, called with a role), on a
//! redis-server of its own. One client sends both kinds in turns, in short runs, so that other work on the machine hits
//! both alike, and so that what an answer leaves behind (tasks are ranked anew after it) hits its own kind. Each task is
//! rated or edited once. Printed: median and 99th percentile of the round trips in milliseconds, their ratios, and the
//! bytes of the model where it is kept.

#![allow(clippy::unwrap_used, reason = "a bench that cannot go on panics")]

use chrono::Utc;
use gleaner_model::{Due, Mention, PlainToken, Quote, Scope, TaskId, TenantId, learning::Signals};
use gleaner_runtime::Shutdown;
use gleaner_store::{Store, StoreConfig};
use gleaner_testkit::{
    api::parse_settings,
    bench::{announce, role, runtime, serve},
    child::ChildGuard,
    environment::bench_share,
    fixture::{self, new_token},
    http::read_kept,
    redis::RedisServer,
};
use serde_json::{Value, json};
use std::{
    env,
    io::Write as _,
    net::TcpStream,
    thread,
    time::{Duration, Instant},
};

const URL: &str = "GLEANER_BENCH_REDIS";
/// Lessons that the tenant has before, and that many more come with each kind of rating.
const LESSONS: [usize; 2] = [200, 1_000];
/// Requests of each kind.
const REQUESTS: usize = 400;
/// Requests of one kind in a row.
const RUN: usize = 50;
/// Between two runs, for what the last one left to do: tasks are ranked half a second after ratings.
const PAUSE: Duration = Duration::from_millis(1_000);

fn main() {
    match role().as_deref() {
        Some("gleaner") => runtime().block_on(gleaner()),
        _ => compare(),
    }
}

async fn gleaner() {
    let store = Store::connect(&StoreConfig::at(env::var(URL).unwrap())).await.unwrap();
    // Charged like any other, and never too fast.
    let rate = ["--feedback-limit-per-minute", "1000000", "--feedback-limit-burst", "1000000"];
    let flags = [&["--listen", "127.0.0.1:0"], &rate[..]].concat();
    let settings = parse_settings(&flags);
    let shutdown = Shutdown::new();
    let address = gleaner_api::start(settings, store, gleaner_api::ApiMetrics::default(), &shutdown).await.unwrap();
    announce(address);
    shutdown.finished().await;
}

/// The API, its store, and somebody who uses them.
struct FeedbackBench {
    redis: RedisServer,
    _api: ChildGuard,
    stream: TcpStream,
    store: Store,
    token: PlainToken,
    runtime: tokio::runtime::Runtime,
    /// Tasks so far.
    tasks: usize,
}

impl FeedbackBench {
    fn start() -> Self {
        let redis = RedisServer::start(&[]);
        let (child, address) = serve("gleaner", &[(URL, &redis.url())]);
        let runtime = runtime();
        let store = runtime.block_on(Store::connect(&StoreConfig::at(redis.url()))).unwrap();
        let token = runtime.block_on(new_token(&store, "default", &Scope::ALL));
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        Self { redis, _api: child, stream, store, token, runtime, tasks: 0 }
    }

    /// A task as a worker would find it.
    fn task(&mut self) -> TaskId {
        self.tasks += 1;
        let mention = mention(self.tasks);
        self.runtime.block_on(self.store.add_missed(&TenantId::default(), mention)).unwrap().id
    }

    /// Milliseconds from the request to its answer.
    fn took(&mut self, method: &str, path: &str, body: &Value, status: &str) -> f64 {
        let (body, token) = (body.to_string(), self.token.expose());
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\ncontent-type: application/json\r\n\
             content-length: {}\r\n\r\n{body}",
            body.len()
        );
        let begun = Instant::now();
        self.stream.write_all(request.as_bytes()).unwrap();
        let answer = read_kept(&mut self.stream);
        let took = begun.elapsed().as_secs_f64() * 1e3;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{answer}");
        took
    }

    fn rate(&mut self, task: TaskId, rating: &Value) -> f64 {
        self.took("POST", &format!("/tasks/{task}/feedback"), rating, "201")
    }

    fn edit(&mut self, task: TaskId) -> f64 {
        let title = json!({"title": format!("Look at number {} once more", self.tasks)});
        self.took("PATCH", &format!("/tasks/{task}"), &title, "200")
    }

    /// How many lessons there are, and the bytes of what they come to.
    fn model(&mut self) -> (String, String) {
        self.runtime.block_on(self.store.learnt(&TenantId::default())).unwrap();
        let key = |name: &str| self.redis.cli(&["--scan", "--pattern", &format!("*:t:default:{name}")]);
        let model = self.redis.cli(&["HSTRLEN", &key("learning"), "model"]);
        (self.redis.cli(&["HLEN", &key("lessons")]), model)
    }
}

fn compare() {
    let share = bench_share();
    let mut here = FeedbackBench::start();
    let ratings = [
        ("up", json!({"rating": "up"})),
        ("down, which dismisses", json!({"rating": "down", "reason": "not_a_task"})),
        ("important, which ranks others anew", json!({"rating": "up", "reason": "important"})),
        ("with a correction", json!({"rating": "up", "correction": {"title": "Look at it", "owner": "Sam Lee"}})),
    ];
    let mut given = 0;
    for lessons in LESSONS {
        while given < lessons {
            let task = here.task();
            here.rate(task, &ratings[given % ratings.len()].1);
            given += 1;
        }
        let (kept, bytes) = here.model();
        println!("{kept} lessons, a model of {bytes} bytes:");
        for (name, rating) in &ratings {
            println!("  {name}: {}", compared(&mut here, rating, REQUESTS / share));
        }
        given += ratings.len() * 2 * (REQUESTS / share);
    }
}

/// Ratings and edits in turns.
fn compared(here: &mut FeedbackBench, rating: &Value, count: usize) -> String {
    let mut times: [Vec<f64>; 2] = Default::default();
    for run in 0..count.div_ceil(RUN) * 2 {
        let tasks: Vec<TaskId> = (0..RUN).map(|_| here.task()).collect();
        thread::sleep(PAUSE);
        for task in tasks {
            let took = if run % 2 == 0 { here.edit(task) } else { here.rate(task, rating) };
            times[run % 2].push(took);
        }
    }
    let [edits, ratings] = times.map(|times| (percentile(&times, 50), percentile(&times, 99)));
    format!(
        "edit {:.2} ms, 99 % {:.2} ms | rating {:.2} ms, 99 % {:.2} ms | x{:.2}, 99 % x{:.2}",
        edits.0,
        edits.1,
        ratings.0,
        ratings.1,
        ratings.0 / edits.0,
        ratings.1 / edits.1
    )
}

fn percentile(times: &[f64], percent: usize) -> f64 {
    let mut times = times.to_vec();
    times.sort_by(f64::total_cmp);
    times[times.len() * percent / 100]
}

const VERBS: [&str; 8] = ["send", "review", "update", "prepare", "finish", "book", "order", "check"];
const THINGS: [&str; 9] =
    ["contract", "invoice", "budget", "forecast", "proposal", "coffee", "lunch", "birthday card", "parking spot"];

/// What a meeting says of the task of that number.
fn mention(number: usize) -> Mention {
    let (verb, thing) = (VERBS[number % VERBS.len()], THINGS[number % THINGS.len()]);
    let client = number % 97;
    let title = format!("{verb} the {thing} for client{client}");
    let text = format!("I'll {title} by next Friday");
    let mut mention = fixture::mention(&format!("m-{number}"), &title);
    mention.quotes[0] = Quote { end: 6 + text.len(), text, at_s: None, ..mention.quotes[0].clone() };
    Mention {
        occurred_at: Utc::now(),
        due: Some(Due { date: Utc::now().date_naive(), text: Some("by next Friday".to_owned()) }),
        signals: Signals {
            log_odds: 1.5,
            feature_names: vec!["first person promise".to_owned(), "one sentence".to_owned()],
        },
        ..mention
    }
}
