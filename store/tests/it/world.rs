//! A store with a prefix of its own on a server that all tests share, and short words for what tests do with it.

use gleaner_model::{Item, Job, TenantId, TokenId};
use gleaner_store::{AcceptOutcome, Admission, Claim, Consumer, Delivery, Room, Store, StoreConfig, Takeover};
use gleaner_testkit::{fixture, redis::RedisServer};
use std::{
    sync::{
        LazyLock,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

/// Has one user besides its own: with the rights that the page for admins names, and no others.
static SERVER: LazyLock<RedisServer> = LazyLock::new(|| {
    let server = RedisServer::start(&["--appendonly", "no"]);
    let page = include_str!("../../../docs/admins.md");
    let (_, rights) = page.split_once("ACL SETUSER").expect("the page names the rights");
    let (rights, _) = rights.split_once("```").expect("the command stands in a block");
    let words = rights.split_whitespace().filter(|word| *word != "\\").map(|word| word.trim_matches('\''));
    let answer = server.cli(&["ACL", "SETUSER"].into_iter().chain(words).collect::<Vec<_>>());
    assert_eq!(answer.trim(), "OK");
    server
});
static NEXT: AtomicU32 = AtomicU32::new(0);

pub const ROOM: Room = Room { entries: 128, bytes: 1 << 20 };
/// Everything that is pending counts as lost.
pub const AT_ONCE: Takeover = Takeover { idle: Duration::ZERO, attempts: 5 };
/// Nothing does.
pub const NEVER: Takeover = Takeover { idle: Duration::from_secs(3600), attempts: 5 };

/// What `redis-cli` prints for a command to the shared server.
pub fn cli(args: &[&str]) -> String {
    SERVER.cli(args)
}

/// Settings for a part of the shared server that no other test sees.
pub fn config() -> StoreConfig {
    let mut config = StoreConfig::at(format!("redis://gleaner:PASSWORD@127.0.0.1:{}", SERVER.port()));
    config.prefix = format!("gleaner:{}", NEXT.fetch_add(1, Ordering::Relaxed));
    config.partitions = 4;
    config
}

pub async fn store() -> Store {
    Store::connect(&config()).await.unwrap()
}

/// A store and the names of all keys it has, for tests of what is left.
pub async fn store_with_keys() -> (Store, impl Fn() -> Vec<String>) {
    let config = config();
    let pattern = format!("{}:*", config.prefix);
    let keys = move || {
        let mut keys: Vec<_> = SERVER.cli(&["--scan", "--pattern", &pattern]).lines().map(str::to_owned).collect();
        keys.sort();
        keys
    };
    (Store::connect(&config).await.unwrap(), keys)
}

pub fn tenant(name: &str) -> TenantId {
    TenantId::new(name).unwrap()
}

pub fn item(external_id: &str, transcript: &str) -> Item {
    let mut item = fixture::item(external_id, transcript);
    item.key.source_type = "note".parse().unwrap();
    item
}

pub fn admission(to: &str, external_id: &str, transcript: &str) -> Admission {
    Admission {
        token_id: TokenId::new("token").unwrap(),
        request_id: "request".to_owned(),
        traceparent: Some("00-trace".to_owned()),
        ..fixture::admission(&tenant(to), item(external_id, transcript))
    }
}

/// Accepts and expects a new job.
pub async fn queue(store: &Store, to: &str, external_id: &str, transcript: &str) -> Job {
    queued(store.accept(&admission(to, external_id, transcript)).await.unwrap().outcome)
}

pub fn queued(outcome: AcceptOutcome) -> Job {
    match outcome {
        AcceptOutcome::Queued { job } => job,
        other => panic!("{other:?}"),
    }
}

pub fn replayed(outcome: AcceptOutcome) -> Job {
    match outcome {
        AcceptOutcome::Replayed { job } => job,
        other => panic!("{other:?}"),
    }
}

/// Reads whatever there is. News of it may still be on the way, so a short silence counts as news.
pub async fn read(consumer: &mut Consumer) -> Vec<Delivery> {
    consumer.wait(Duration::from_millis(10)).await.unwrap();
    consumer.read(ROOM).await.unwrap()
}

pub async fn begin(store: &Store, delivery: &Delivery) -> Claim {
    store.begin(delivery).await.unwrap().expect("the delivery is ours")
}

/// Fails a job as a worker would for good reason.
pub async fn fail(store: &Store, delivery: &Delivery) {
    let claim = begin(store, delivery).await;
    assert!(store.fail(&claim, &failure()).await.unwrap());
}

pub fn failure() -> gleaner_model::JobFailure {
    gleaner_model::JobFailure { code: "broken".to_owned(), message: "it cannot be read".to_owned() }
}
