//! What a page of tasks costs with many tasks in one tenant, and what the index weighs.
//!
//! `cargo bench -p gleaner-store --bench search -- 100000 1000000` (these are the numbers of tasks). Starts a
//! redis-server of its own, or measures one that was filled before, at GLEANER_BENCH_PORT. For each list: how many tasks it has, median and 99th percentile of `list_tasks`, and the
//! server's processor time for one call. Where GLEANER_BENCH_POSTGRES is the URL of a PostgreSQL database of its own, the same words there, too.

#![allow(clippy::unwrap_used, reason = "a bench that cannot go on panics")]

mod postgres;

use chrono::{DateTime, TimeDelta, Utc};
use gleaner_model::{Due, ItemKey, Mention, Owner, Quote, TaskId, TaskRecord, TaskStatus, TenantId, Urgency};
use gleaner_store::{AcceptOutcome, Completion, Plan, Room, Sort, Store, StoreConfig, Takeover, TaskChange, TaskQuery};
use gleaner_testkit::{
    fixture::{self, admission},
    redis::RedisServer,
};
use rand::{Rng, SeedableRng, rngs::StdRng};
use std::{
    process::Command,
    time::{Duration, Instant},
};

/// Tasks of one job: the bench is of reading, so writing may be as quick as it can be.
const BATCH: usize = 50;
/// Calls of each list.
const CALLS: usize = 200;
const SYLLABLES: [&str; 40] = [
    "an", "ber", "con", "da", "el", "for", "ga", "hin", "in", "jo", "ka", "lo", "men", "nor", "o", "pre", "qui", "re",
    "sta", "ti", "un", "ver", "wa", "xe", "yo", "zu", "ment", "tion", "ly", "der", "ble", "ist", "ra", "mo", "su",
    "ple", "cor", "dis", "fin", "gre",
];
const PEOPLE: usize = 60;

/// Words as they fall: few of them often, most of them seldom.
struct Vocabulary {
    words: Vec<String>,
}

impl Vocabulary {
    fn new(random: &mut StdRng) -> Self {
        let word = |_| (0..random.random_range(1..5)).map(|_| SYLLABLES[random.random_range(0..40)]).collect();
        Self { words: (0..40_000).map(word).collect() }
    }

    fn phrase(&self, random: &mut StdRng, length: usize) -> String {
        let pick = |_| {
            let share: f64 = random.random_range(0.0..1.0);
            // Zipf's law, nearly.
            self.words[((self.words.len() as f64).powf(share) - 1.0) as usize].as_str()
        };
        (0..length).map(pick).collect::<Vec<_>>().join(" ")
    }
}

fn mention(vocabulary: &Vocabulary, random: &mut StdRng, number: usize, of: usize) -> Mention {
    let mut title = vocabulary.phrase(random, 6);
    let mut add = |word: &str, share: f64| {
        if random.random_bool(share) {
            title = format!("{title} {word}");
        }
    };
    add("zanzibar", (20.0 / of as f64).min(1.0));
    add("quarterly", 0.01);
    add("review", 0.20);
    // Said often, but long ago.
    add("obsolete", if number < of / 10 { 0.3 } else { 0.0 });
    let start: DateTime<Utc> = Utc::now() - TimeDelta::days(700);
    let name = format!("Person{} Family{}", random.random_range(0..PEOPLE), random.random_range(0..PEOPLE));
    let is_me = random.random_bool(0.4);
    let owner = random.random_bool(0.7).then_some(Owner { name, is_me });
    let mut mention = fixture::mention("m", &title);
    mention.quotes[0] =
        Quote { text: vocabulary.phrase(random, 18), start: 1042, end: 1160, ..mention.quotes[0].clone() };
    Mention {
        item: key(number / 3),
        occurred_at: start + TimeDelta::seconds((700.0 * 86_400.0 * number as f64 / of as f64) as i64),
        waiting_on: owner.as_ref().filter(|owner| !owner.is_me).map(|owner| owner.name.clone()),
        owner,
        due: random.random_bool(0.5).then(|| Due {
            date: (Utc::now() + TimeDelta::days(random.random_range(-300..90))).date_naive(),
            text: Some("by Friday".to_owned()),
        }),
        status: if random.random_bool(0.3) { TaskStatus::Completed } else { TaskStatus::Open },
        urgency: if random.random_bool(0.1) { Urgency::High } else { Urgency::Normal },
        confidence: random.random_range(0.4..1.0),
        reasons: Vec::new(),
        links: (0..4).map(|_| vocabulary.phrase(random, 2)).collect(),
        ..mention
    }
}

fn key(number: usize) -> ItemKey {
    let kind = ["meeting", "note", "chat", "email"][number % 4];
    ItemKey { source_type: kind.parse().unwrap(), external_id: format!("m-{number}").parse().unwrap() }
}

/// Records so many tasks as workers would, in batches. Returns the server's processor time for one task.
async fn fill(store: &Store, server: &Server, tasks: usize) -> f64 {
    let mut random = StdRng::seed_from_u64(11);
    let vocabulary = Vocabulary::new(&mut random);
    let takeover = Takeover { idle: Duration::from_secs(3600), attempts: 5 };
    let before = busy(server);
    for first in (0..tasks).step_by(BATCH) {
        let admitted =
            store.accept(&admission(&TenantId::default(), fixture::item(&format!("fill-{first}"), "-"))).await.unwrap();
        assert!(matches!(admitted.outcome, AcceptOutcome::Queued { .. }));
        let mut consumer = store.consumer("bench", takeover).await.unwrap();
        let deliveries = consumer.read(Room { entries: 128, bytes: 1 << 20 }).await.unwrap();
        let claim = store.begin(&deliveries[0]).await.unwrap().unwrap();
        let found = store.candidates(&TenantId::default(), &key(first / 3), &[]).await.unwrap();
        let last = (first + BATCH).min(tasks);
        let mentions = (first..last).map(|number| mention(&vocabulary, &mut random, number, tasks));
        let changes: Vec<_> =
            mentions.map(|said| TaskChange::Create(TaskRecord::new(TaskId::new(), said, found.now))).collect();
        let plan = Plan {
            look: found.look,
            changes,
            task_ids: Vec::new(),
            over_cap: 0,
            suppressed: Vec::new(),
            extractor: "bench/1".to_owned(),
            usage: None,
        };
        assert_eq!(store.complete(&claim, &plan).await.unwrap(), Completion::Applied);
    }
    (busy(server) - before) / tasks as f64
}

/// The redis-server that is measured.
struct Server {
    port: u16,
    /// None where it was there before.
    _own: Option<RedisServer>,
}

impl Server {
    fn start() -> Self {
        let own = RedisServer::start(&["--appendonly", "no", "--save", ""]);
        Self { port: own.port(), _own: Some(own) }
    }

    fn cli(&self, words: &[&str]) -> String {
        let output = Command::new("redis-cli").args(["-p", &self.port.to_string()]).args(words).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    }
}

/// Microseconds of processor time that the server has used.
fn busy(server: &Server) -> f64 {
    let info = server.cli(&["INFO", "cpu"]);
    let seconds = |name: &str| info.lines().find_map(|line| line.strip_prefix(name)?.trim().parse::<f64>().ok());
    ["used_cpu_user:", "used_cpu_sys:"].iter().filter_map(|name| seconds(name)).sum::<f64>() * 1e6
}

/// Bytes of all keys whose name has a part.
fn weight(server: &Server, part: &str) -> usize {
    let script = "local sum = 0 for _, key in ipairs(redis.call('KEYS', ARGV[1])) do \
                  sum = sum + redis.call('MEMORY', 'USAGE', key, 'SAMPLES', 0) end return sum";
    server.cli(&["EVAL", script, "0", &format!("*:{part}*")]).trim().parse().unwrap()
}

fn print_weights(server: &Server, tasks: usize) {
    let index = ["counts", "at:", "rank:", "ids:", "recent:", "due:", "post:", "vocab", "moves:", "linked", "noted"];
    let weights: Vec<_> = index.iter().map(|part| weight(server, &format!("t:default:{part}")) / tasks).collect();
    let parts: Vec<_> = index.iter().zip(&weights).map(|(part, weight)| format!("{part} {weight}")).collect();
    let record = weight(server, "task:") / tasks;
    println!("bytes a task: record {record}, index {} ({})", weights.iter().sum::<usize>(), parts.join(", "));
}

fn lists() -> Vec<(&'static str, TaskQuery)> {
    let base = TaskQuery::default();
    let text = |q: &str| TaskQuery { q: Some(q.to_owned()), ..base.clone() };
    let soon = (Utc::now() + TimeDelta::days(7)).date_naive();
    vec![
        ("all open", base.clone()),
        ("rare word", text("zanzibar")),
        ("1 % word", text("quarterly")),
        ("20 % word", text("review")),
        ("two words", text("quarterly review")),
        ("prefix of 3", text("con")),
        ("prefix of 4", text("stat")),
        ("absent", text("xylophone")),
        ("3 % word of old tasks", text("obsolete")),
        ("waiting_on=true", TaskQuery { waiting_on: Some(true), ..base.clone() }),
        ("20 % word, waiting_on=false", TaskQuery { waiting_on: Some(false), ..text("review") }),
        ("owner=me", TaskQuery { owner: Some("me".to_owned()), ..base.clone() }),
        ("owner", TaskQuery { owner: Some("person7".to_owned()), ..base.clone() }),
        ("due_before", TaskQuery { due_before: Some(soon), ..base.clone() }),
        ("20 % word, due_before", TaskQuery { due_before: Some(soon), ..text("review") }),
        ("source_type", TaskQuery { source_type: Some("chat".parse().unwrap()), ..base.clone() }),
        ("external_id", TaskQuery { external_id: Some("m-7".parse().unwrap()), ..base.clone() }),
        ("completed", TaskQuery { status: TaskStatus::Completed, ..base }),
    ]
}

async fn measure(store: &Store, server: &Server, name: &str, query: &TaskQuery) {
    let tenant = TenantId::default();
    let before = busy(server);
    let mut times = Vec::with_capacity(CALLS);
    let mut shown = 0;
    let mut more = false;
    for _ in 0..CALLS {
        let start = Instant::now();
        let page = store.list_tasks(&tenant, query).await.unwrap();
        times.push(start.elapsed());
        (shown, more) = (page.items.len(), page.next_cursor.is_some());
    }
    times.sort();
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    println!(
        "{name:30} {:8} {:>4}{} {:8.2} {:8.2} {:8.2}",
        format!("{:?}", query.sort).to_lowercase(),
        shown,
        if more { "+" } else { " " },
        ms(times[CALLS / 2]),
        ms(times[CALLS * 99 / 100]),
        (busy(server) - before) / CALLS as f64 / 1e3,
    );
}

async fn run(tasks: usize) {
    let filled = std::env::var("GLEANER_BENCH_PORT").ok().map(|port| port.parse().expect("a port"));
    let server = filled.map_or_else(Server::start, |port| Server { port, _own: None });
    let mut config = StoreConfig::at(format!("redis://127.0.0.1:{}", server.port));
    config.timeout_ms = 60_000;
    config.response_timeout_ms = 60_000;
    let store = Store::connect(&config).await.unwrap();
    if filled.is_none() {
        let start = Instant::now();
        let busy = fill(&store, &server, tasks).await;
        let seconds = start.elapsed().as_secs_f64();
        println!("\n{tasks} tasks, recorded in {seconds:.0} s; {busy:.0} µs of the server each");
        print_weights(&server, tasks);
    }
    println!("{:30} {:8} {:>5} {:>8} {:>8} {:>8}", "list", "sort", "shown", "p50 ms", "p99 ms", "server");
    for (name, query) in lists() {
        for sort in [Sort::Recent, Sort::Priority] {
            measure(&store, &server, name, &TaskQuery { sort, ..query.clone() }).await;
        }
    }
    if let Ok(url) = std::env::var("GLEANER_BENCH_POSTGRES") {
        postgres::run(&url, tasks);
    }
}

fn main() {
    let sizes: Vec<usize> = std::env::args().filter_map(|arg| arg.parse().ok()).collect();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let sizes = if sizes.is_empty() { vec![100, 100_000] } else { sizes };
    sizes.into_iter().for_each(|tasks| runtime.block_on(run(tasks)));
}
