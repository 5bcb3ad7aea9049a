//! What a job costs the server: commands, bytes of the append-only file, processor time. Shared by the bench and the test
//! that counts.

use crate::{fixture, redis::RedisServer};
use chrono::{DateTime, TimeDelta, Utc};
use gleaner_model::{Item, Mention, OccurredAt, Quote, TaskId, TaskRecord, TenantId};
use gleaner_store::{
    AcceptOutcome, Completion, Consumer, Delivery, Plan, Room, Store, StoreConfig, Takeover, TaskChange,
};
use rand::{Rng, SeedableRng, rngs::StdRng};
use std::time::Duration;

const WORDS: usize = 8_000;
/// Jobs that are measured at a time: so many that indexing, which comes every few hundred tasks, is in some four times.
const MEASURED: usize = 1_000;

/// A store with one tenant, and whoever submits and works.
pub struct JobCostBench {
    server: RedisServer,
    store: Store,
    consumer: Consumer,
    tenant: TenantId,
    speech: Speech,
}

/// Says things that have nothing in common but ordinary words.
pub struct Speech {
    random: StdRng,
    words: Vec<String>,
    items: usize,
}

/// What one job cost on average.
#[derive(Clone, Copy, Debug)]
pub struct JobCost {
    /// Commands that the server ran, those of scripts among them.
    pub commands: f64,
    /// Bytes of the append-only file.
    pub bytes: f64,
    /// Processor time of the server, in µs.
    pub busy: f64,
}

impl JobCostBench {
    /// A tenant that has nothing yet.
    pub async fn new() -> Self {
        let server = RedisServer::start(&["--auto-aof-rewrite-percentage", "0"]);
        let mut config = StoreConfig::at(server.url());
        (config.timeout_ms, config.response_timeout_ms) = (60_000, 60_000);
        let store = Store::connect(&config).await.unwrap();
        let takeover = Takeover { idle: Duration::from_secs(3600), attempts: 5 };
        let consumer = store.consumer("bench", takeover).await.unwrap();
        Self { server, store, consumer, tenant: TenantId::default(), speech: Speech::new(5) }
    }

    /// Records so many tasks of other items.
    pub async fn fill(&mut self, tasks: usize) {
        for left in (0..tasks).step_by(20) {
            let said = (left..tasks.min(left + 20)).map(|_| self.speech.said()).collect();
            self.job(said, false).await;
        }
    }

    /// What an item with two tasks costs.
    pub async fn two_tasks(&mut self) -> JobCost {
        let before = self.meter();
        for _ in 0..MEASURED {
            let said = vec![self.speech.said(), self.speech.said()];
            self.job(said, true).await;
        }
        self.since(before)
    }

    /// What a further mention of one commitment costs, until there are so many.
    pub async fn mentions(&mut self, from: usize, to: usize) -> JobCost {
        let before = self.meter();
        for number in from..to {
            let mention = self.speech.again(number);
            self.job(vec![mention], true).await;
        }
        let mut cost = self.since(before);
        let share = MEASURED as f64 / (to - from) as f64;
        (cost.commands, cost.bytes, cost.busy) = (cost.commands * share, cost.bytes * share, cost.busy * share);
        cost
    }

    /// How long scripts take, in µs, where items give 200 tasks each and are erased again.
    pub async fn two_hundred_tasks(&mut self) -> String {
        self.server.cli(&["CONFIG", "SET", "latency-tracking-info-percentiles", "50 99 100"]);
        self.server.cli(&["CONFIG", "RESETSTAT"]);
        for _ in 0..20 {
            let said: Vec<_> = (0..200).map(|_| self.speech.said()).collect();
            let item = said[0].item.clone();
            let said = said.into_iter().map(|mention| Mention { item: item.clone(), ..mention }).collect();
            self.job(said, true).await;
            self.store.erase_item(&self.tenant, &item).await.unwrap();
            assert_eq!(self.store.tasks_of_item(&self.tenant, &item).await.unwrap(), []);
        }
        let stats = self.server.cli(&["INFO", "latencystats"]);
        let scripts = stats.lines().filter_map(|line| line.strip_prefix("latency_percentiles_usec_evalsha:"));
        scripts.collect()
    }

    /// Accepts an item, and does all that a worker does for it but read it.
    async fn job(&mut self, said: Vec<Mention>, looks: bool) {
        let admitted = self.store.accept(&fixture::admission(&self.tenant, item(&said[0]))).await.unwrap();
        assert!(matches!(admitted.outcome, AcceptOutcome::Queued { .. }));
        self.consumer.wait(Duration::from_secs(60)).await.unwrap();
        let room = Room { entries: 1, bytes: 1 << 20 };
        let delivery = loop {
            if let Some(delivery) = self.consumer.read(room).await.unwrap().pop() {
                break delivery;
            }
            self.consumer.wait(Duration::from_secs(60)).await.unwrap();
        };
        assert_eq!(work(&self.store, &delivery, said, looks).await, Completion::Applied);
    }

    /// Commands, bytes of the append-only file and processor time so far.
    fn meter(&self) -> [f64; 3] {
        let info = |section: &str| self.server.cli(&["INFO", section]);
        let number = |text: &str| text.trim().parse::<f64>().unwrap_or_default();
        let field = |text: &str, name: &str| {
            text.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix(':')).map(number).sum::<f64>()
        };
        let stats = info("commandstats");
        let calls = stats.lines().filter(|line| !line.contains("cmdstat_info"));
        let calls = calls.filter_map(|line| Some(number(line.split_once("calls=")?.1.split_once(',')?.0))).sum();
        let cpu = info("cpu");
        let busy = field(&cpu, "used_cpu_user_main_thread") + field(&cpu, "used_cpu_sys_main_thread");
        [calls, field(&info("persistence"), "aof_current_size"), busy * 1e6]
    }

    fn since(&self, before: [f64; 3]) -> JobCost {
        let now = self.meter();
        let each = |at: usize| (now[at] - before[at]) / MEASURED as f64;
        JobCost { commands: each(0), bytes: each(1), busy: each(2) }
    }
}

impl Speech {
    /// A speech that says the same for the same seed.
    pub fn new(seed: u64) -> Self {
        let mut random = StdRng::seed_from_u64(5);
        let mut letter = || char::from(b'a' + random.random_range(0..26));
        let words = (0..WORDS).map(|n| (0..3 + n % 8).map(|_| letter()).collect()).collect();
        Self { random: StdRng::seed_from_u64(seed), words, items: 0 }
    }

    fn phrase(&mut self, length: usize) -> Vec<String> {
        // Zipf's law, nearly: few words often, most of them seldom.
        let mut pick = || self.words[(WORDS as f64).powf(self.random.random_range(0.0..1.0)) as usize - 1].clone();
        (0..length).map(|_| pick()).collect()
    }

    /// What an item says of something new.
    pub fn said(&mut self) -> Mention {
        let (title, quote) = (self.phrase(6), self.phrase(16));
        let pairs = [(0, 1), (0, 2), (1, 2)].map(|(a, b)| format!("{}+{}", title[a], title[b]));
        let links = pairs.into_iter().chain(title.clone()).collect();
        self.items += 1;
        mention(self.items, title.join(" "), quote.join(" "), links)
    }

    /// What a further item says of one commitment.
    fn again(&mut self, number: usize) -> Mention {
        let words = ["send", "quarterly", "report", "northwind"].map(str::to_owned);
        let links = vec!["northwind+quarterly".to_owned(), "quarterly+report".to_owned(), "report".to_owned()];
        self.items += 1;
        let quote = format!("I'll send the quarterly report to Northwind by Friday, part {}", number % 7);
        mention(self.items, words.join(" "), quote, links)
    }
}

/// Does what a worker does with a delivery, where the item says that: all but read it and extract.
pub async fn work(store: &Store, delivery: &Delivery, said: Vec<Mention>, looks: bool) -> Completion {
    let claim = store.begin(delivery).await.unwrap().unwrap();
    let links: Vec<String> = said.iter().filter(|_| looks).flat_map(|mention| mention.links.clone()).collect();
    let found = store.candidates(&delivery.tenant, &said[0].item, &links).await.unwrap();
    // Single words are shared by many.
    let telling: Vec<String> = links.into_iter().filter(|link| link.contains('+')).collect();
    let known = found.related.iter().find(|record| record.title() == said[0].title).cloned();
    let changes: Vec<_> = match known {
        Some(before) => {
            let mut after = before.clone();
            said.into_iter().for_each(|mention| after.put_mention(mention));
            vec![TaskChange::Update { before, after }]
        }
        None => said.into_iter().map(|m| TaskChange::Create(TaskRecord::new(TaskId::new(), m, found.now))).collect(),
    };
    let (look, suppressed) = (found.look.watching(&telling), Vec::new());
    let extractor = "bench/1".to_owned();
    let plan = Plan { look, changes, task_ids: Vec::new(), over_cap: 0, suppressed, extractor, usage: None };
    store.complete(&claim, &plan).await.unwrap()
}

/// An item of 5 KB that says it.
pub fn item(said: &Mention) -> Item {
    Item {
        key: said.item.clone(),
        transcript: "what was said ".repeat(360),
        occurred_at: OccurredAt::utc(said.occurred_at),
        title: None,
        metadata: Default::default(),
    }
}

fn mention(item: usize, title: String, quote: String, links: Vec<String>) -> Mention {
    let start: DateTime<Utc> = "2026-01-01T00:00:00Z".parse().unwrap();
    let mut mention = fixture::mention(&format!("m-{item}"), &title);
    mention.occurred_at = start + TimeDelta::minutes(item as i64);
    mention.quotes[0] = Quote { text: quote, start: 1042, end: 1160, ..mention.quotes[0].clone() };
    Mention { links, reasons: Vec::new(), ..mention }
}
