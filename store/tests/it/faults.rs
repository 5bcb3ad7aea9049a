use crate::{notes::*, world::*};
use gleaner_model::{FeedbackRequest, Rating};
use gleaner_store::{Completion, Error, Store, StoreConfig};
use gleaner_testkit::redis::RedisServer;
use std::time::Duration;

/// Long enough for any machine; the store itself promises 3 seconds.
const HANG: Duration = Duration::from_secs(20);

fn at(server: &RedisServer) -> StoreConfig {
    let mut config = StoreConfig::at(server.url());
    config.partitions = 4;
    config
}

async fn within<T>(what: impl Future<Output = T>) -> T {
    tokio::time::timeout(HANG, what).await.expect("an answer in time")
}

#[tokio::test]
async fn a_full_store_refuses_whole_submissions_and_still_drains() {
    let server = RedisServer::start(&["--maxmemory", "6mb"]);
    let store = Store::connect(&at(&server)).await.unwrap();
    let text = "word ".repeat(20_000);
    let mut accepted = Vec::new();
    let refused = loop {
        let next = admission("a", &accepted.len().to_string(), &text);
        match store.accept(&next).await {
            Ok(admitted) => accepted.push(queued(admitted.outcome).job_id),
            Err(error) => break (next, error),
        }
        assert!(accepted.len() < 200, "6 MB fill up");
    };
    assert!(matches!(refused.1, Error::OutOfMemory), "{}", refused.1);
    assert_eq!(store.job(&refused.0.tenant, refused.0.job_id).await.unwrap(), None);
    assert_eq!(store.jobs(&tenant("a"), None, 200, None).await.unwrap().items.len(), accepted.len());
    let waiting: u64 = store.depth().await.unwrap().iter().map(|d| d.waiting).sum();
    assert_eq!(waiting, accepted.len() as u64);

    let full = Store::connect(&at(&server)).await.unwrap();
    let mut consumer = full.consumer("w", AT_ONCE).await.unwrap();
    let mut ended = Vec::new();
    while ended.len() < accepted.len() {
        for delivery in read(&mut consumer).await {
            // Erasing frees the memory; ending a job would keep it in the dead-letter stream.
            begin(&full, &delivery).await;
            let item = delivery.payload().unwrap().item.key;
            assert!(full.erase_item(&delivery.tenant, &item).await.unwrap());
            ended.push(delivery.job_id);
        }
    }
    assert_eq!(ended, accepted);
    queued(store.accept(&refused.0).await.unwrap().outcome);
}

#[tokio::test]
async fn what_was_learnt_is_not_kept_where_memory_is_short_and_jobs_end_nevertheless() {
    let server = RedisServer::start(&[]);
    let store = Store::connect(&at(&server)).await.unwrap();
    let a = tenant("a");
    let mut consumer = store.consumer("w", NEVER).await.unwrap();
    let task = record(&store, &mut consumer, mention("1", "send the report", 1)).await;
    let claim = running(&store, &mut consumer, "2").await;
    let request = FeedbackRequest { rating: Rating::Down, reason: None, comment: None, correction: None };
    store.rate_task(&a, task.id, "dana", &request).await.unwrap().unwrap();
    server.cli(&["CONFIG", "SET", "maxmemory", "1mb"]);
    assert_eq!(store.learnt(&a).await.unwrap().down, 1);
    let found = store.candidates(&a, &item("2", "").key, &[]).await.unwrap();
    let said = create(mention("2", "book the venue", 1));
    assert_eq!(store.complete(&claim, &plan(&found, vec![said])).await.unwrap(), Completion::Applied);
    assert!(matches!(store.accept(&admission("a", "3", "text")).await, Err(Error::OutOfMemory)));
    assert!(store.erase_item(&a, &item("1", "").key).await.unwrap());
    assert_eq!(store.task(&a, task.id).await.unwrap(), None);
}

#[tokio::test]
async fn a_job_of_many_tasks_ends_where_memory_is_short() {
    let server = RedisServer::start(&[]);
    let store = Store::connect(&at(&server)).await.unwrap();
    let a = tenant("a");
    let mut consumer = store.consumer("w", NEVER).await.unwrap();
    let claim = running(&store, &mut consumer, "1").await;
    let key = item("1", "").key;
    let found = store.candidates(&a, &key, &[]).await.unwrap();
    let plan = plan(&found, (0..50).map(|n| create(mention("1", &format!("call number{n}"), 1))).collect());
    server.cli(&["CONFIG", "SET", "maxmemory", "1mb"]);
    assert_eq!(store.complete(&claim, &plan).await.unwrap(), Completion::Applied);
    assert_eq!(store.tasks_of_item(&a, &key).await.unwrap().len(), 50);
}

#[tokio::test]
async fn a_store_that_is_away_is_unavailable_and_comes_back_by_itself() {
    let mut server = RedisServer::start(&[]);
    let store = Store::connect(&at(&server)).await.unwrap();
    queue(&store, "a", "1", "text").await;
    server.kill();
    for _ in 0..2 {
        let gone = within(store.accept(&admission("a", "2", "text"))).await;
        assert!(matches!(gone, Err(Error::Unavailable(_))), "{gone:?}");
    }
    server.run();
    within(async {
        while store.ping().await.is_err() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    })
    .await;
    queue(&store, "a", "2", "text").await;
    assert_eq!(read(&mut store.consumer("w", NEVER).await.unwrap()).await.len(), 2);
}

#[tokio::test]
async fn a_short_restart_is_not_even_noticed() {
    let mut server = RedisServer::start(&[]);
    let mut config = at(&server);
    config.timeout_ms = 60_000;
    let store = Store::connect(&config).await.unwrap();
    server.kill();
    let submitting = tokio::spawn({
        let store = store.clone();
        async move { store.accept(&admission("a", "1", "text")).await }
    });
    tokio::time::sleep(Duration::from_millis(300)).await;
    server.run();
    queued(submitting.await.unwrap().unwrap().outcome);
}

#[tokio::test]
async fn a_server_that_never_answers_is_unavailable() {
    let server = RedisServer::start(&[]);
    let store = Store::connect(&at(&server)).await.unwrap();
    server.freeze();
    let answer = within(store.accept(&admission("a", "1", "text"))).await;
    assert!(matches!(answer, Err(Error::Unavailable(_))), "{answer:?}");
    assert!(matches!(within(Store::connect(&at(&server))).await, Err(Error::Unavailable(_))));
    server.thaw();
    within(async { while store.ping().await.is_err() {} }).await;
}

#[tokio::test]
async fn a_worker_that_waits_survives_a_restart() {
    let mut server = RedisServer::start(&[]);
    let store = Store::connect(&at(&server)).await.unwrap();
    let mut consumer = store.consumer("w", NEVER).await.unwrap();
    read(&mut consumer).await;
    server.kill();
    server.run();
    within(async {
        queue(&store, "a", "1", "text").await;
        loop {
            // The lost connection is an error once, and replaced by the next call.
            let woken = consumer.wait(Duration::from_secs(1)).await;
            if woken.is_ok() && !consumer.read(ROOM).await.unwrap().is_empty() {
                break;
            }
        }
    })
    .await;
}

#[tokio::test]
async fn a_server_that_has_forgotten_the_scripts_is_told_them_again() {
    let server = RedisServer::start(&[]);
    let store = Store::connect(&at(&server)).await.unwrap();
    queue(&store, "a", "1", "text").await;
    server.cli(&["SCRIPT", "FLUSH"]);
    queue(&store, "a", "2", "text").await;
}

#[tokio::test]
async fn a_store_that_throws_records_away_is_refused() {
    let server = RedisServer::start(&["--maxmemory-policy", "allkeys-lru"]);
    let error = Store::connect(&at(&server)).await.unwrap_err();
    assert!(matches!(&error, Error::Refused(why) if why.contains("noeviction")), "{error}");
}

#[tokio::test]
async fn the_number_of_partitions_is_fixed_by_the_first_use() {
    let mut config = config();
    Store::connect(&config).await.unwrap();
    config.partitions = 8;
    let error = Store::connect(&config).await.unwrap_err();
    assert!(matches!(&error, Error::Refused(why) if why.contains("partitions 4")), "{error}");
    for (prefix, partitions) in [("", 4), ("a{b", 4), ("a", 0), ("a", 2000)] {
        config.prefix = prefix.to_owned();
        config.partitions = partitions;
        assert!(matches!(Store::connect(&config).await, Err(Error::Refused(_))), "{prefix:?} {partitions}");
    }
}

#[tokio::test]
async fn a_setting_that_makes_no_sense_is_named() {
    let good = config();
    let cases = [
        ("redis-prefix", StoreConfig { prefix: String::new(), ..good.clone() }),
        ("redis-partitions", StoreConfig { partitions: 0, ..good.clone() }),
        ("redis-connect-timeout-ms", StoreConfig { connect_timeout_ms: 0, ..good.clone() }),
        ("redis-response-timeout-ms", StoreConfig { response_timeout_ms: 0, ..good.clone() }),
        ("redis-timeout-ms", StoreConfig { timeout_ms: 1, ..good }),
    ];
    for (name, config) in cases {
        let error = Store::connect(&config).await.unwrap_err();
        assert!(matches!(&error, Error::Refused(why) if why.starts_with(name)), "{name}: {error}");
    }
}

#[tokio::test]
async fn a_wrong_password_is_refused_and_a_right_one_is_not() {
    let server = RedisServer::start(&["--user", "app", "on", ">secret", "~gleaner*", "&gleaner*", "+@all"]);
    server.cli(&["ACL", "SETUSER", "default", "off"]);
    let with = |login: &str| StoreConfig::at(format!("redis://{login}127.0.0.1:{}", server.port()));
    for login in ["", "app:wrong@"] {
        let error = Store::connect(&with(login)).await.unwrap_err();
        assert!(matches!(error, Error::Refused(_)), "{error:?}");
    }
    let store = Store::connect(&with("app:secret@")).await.unwrap();
    queue(&store, "a", "1", "text").await;
    assert_eq!(read(&mut store.consumer("w", NEVER).await.unwrap()).await.len(), 1);
}
